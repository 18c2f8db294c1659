/**
 * Special functions against SciPy over wide ranges, by a fixed seed and by a fresh one. A kernel computes a group of functions
 * of the same numbers, so that they are fused, too. docs/arrays-special.md has what was measured.
 */
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { hasDoubles, queue } from "./support/device.js";
import { untriedSeed } from "./support/untried-seed.js";
import { isExhaustive } from "@cl/testing/level";
import { hasSciPy, worstOf } from "./support/special-cases.js";
import { groups } from "./support/special-groups.js";

const fresh = 1 + untriedSeed();
const cases = groups.flatMap((group) => (["float64", "float32"] as const).map((type) => ({ ...group, group, type })));

test.for(cases)("$name of $type", { timeout: 240_000 }, async ({ group, type }, run) => {
  needs(run, hasSciPy, "there is no SciPy");
  needs(run, type === "float32" || hasDoubles, `'${queue.device.name}' has no float64`);
  for (const seed of isExhaustive ? [12_345, fresh] : [12_345]) {
    const worst = await worstOf(group, type, seed);
    const faults = worst.filter(({ error, limit }) => !(error <= limit));
    expect(
      faults.map(({ name, error, at }) => `${name}: ${error} at ${at}`),
      `the seed ${seed}`,
    ).toEqual([]);
  }
});
