/** Tests of random calls: a few in a quick run, and more at the level `ci`. */
import { testSeed } from "@cl/testing/level";
import { expect, test } from "vitest";

import { needsNumPy } from "./numpy.js";
import { Draw, type EvalCase, evalDifferences } from "./numpy-eval.js";

/** Tests that calls have NumPy's results. */
export function testDrawnCalls(drawCase: (draw: Draw) => EvalCase, few: number, many: number, close = 0): void {
  for (const { kind, options, count } of [
    { kind: "a few", options: {}, count: few },
    { kind: "random", options: { tags: "ci" }, count: many },
  ]) {
    test(`${kind} calls match NumPy`, { timeout: 300_000, ...options }, async (run) => {
      needsNumPy(run);
      const draw = new Draw(testSeed(20_261_121));
      const cases = Array.from({ length: count }, () => drawCase(draw));
      expect(await evalDifferences(cases, close)).toEqual([]);
    });
  }
}
