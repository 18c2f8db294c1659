/**
 * Both GPU methods of passing counts between blocks (look-back and separate counts) sort correctly.
 *
 * @module-tag full
 */
import type { AnyArray, DTypeName } from "@cl/array";
import { expect, test } from "vitest";

import { sortBlocks } from "../../src/sorting/sort-blocks.js";
import { testsEveryCase } from "@cl/testing/level";
import { xp } from "../support/device.js";
import { Draw } from "../support/numpy-eval.js";
import { sortCase, type Spread } from "../support/sort-cases.js";

const spreads: readonly Spread[] = ["few", "all", "same", "sorted", "reversed"];

test.each(["look-back", "counts"] as const)("sorts with the %s method", { timeout: 240_000 }, async (before) => {
  const draw = new Draw(4711);
  for (const dtype of (testsEveryCase
    ? ["uint8", "int32", "float64", "complex128"]
    : ["int32"]) as readonly DTypeName[]) {
    for (const spread of spreads) {
      const [lines, length] = [draw.of([1, 2, 3]), draw.of([2049, 4095, 4096, 4097, 9000, 30_000])];
      const { array } = sortCase(dtype, [lines, length], spread, draw);
      const [keys, results] = [xp.empty([lines, length], { dtype }), xp.empty([lines, length], { dtype: "int64" })];
      const job = { xp, source: array.operand(), descending: false, lines, length };
      const places = { kind: "own", type: "uint", result: "long" } as const;
      const way = { before, ranks: "masks" } as const;
      sortBlocks({ ...job, keys: keys.operand(), places, given: undefined, results: results.operand() }, way);
      const same = async (one: AnyArray, other: AnyArray): Promise<boolean> =>
        Buffer.from((await one.data()).buffer as ArrayBuffer).equals(
          Buffer.from((await other.data()).buffer as ArrayBuffer),
        );
      expect(await same(keys, array.sort()), `${dtype} ${spread} ${lines} ${length}`).toBe(true);
      expect(await same(results, array.argsort()), `${dtype} ${spread} ${lines} ${length}`).toBe(true);
    }
  }
});
