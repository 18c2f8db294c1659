/** sort and argsort compared with NumPy's stable sort: all dtypes, lengths around block limits, axes, layouts. */
import type { DeviceArray, DTypeName } from "@cl/array";
import { beforeEach, describe, expect, test } from "vitest";

import { testsEveryCase } from "@cl/testing/level";
import { needsNumPy } from "./support/numpy.js";
import { Draw, type EvalCase, evalDifferences } from "./support/numpy-eval.js";
import { type SortCase, sortCase, type Spread } from "./support/sort-cases.js";

const everyCase = testsEveryCase(import.meta.url);

const whole: readonly DTypeName[] = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"];
const parts: readonly DTypeName[] = ["float16", "float32", "float64", "complex64", "complex128"];
const spreads: readonly Spread[] = ["few", "all", "same", "sorted", "reversed"];
const short = [0, 1, 2, 3, 31, 48, 49, 64, 255, 256, 257, 1000, 2047, 2048];
const long = [2049, 4091, 4096, 4101, 8193, 16_384, 16_385, 40_000, 70_001];
const seeds = [20_260, Date.now() % 1_000_003];

/** Ascending and descending; NumPy has no descending sort. */
function bothOf({ array, text }: SortCase, axis: number | null): readonly EvalCase[] {
  const extent = axis === null ? array.size : array.shape.at(axis);
  const at = axis === null ? "None" : axis;
  return [
    { ours: () => array.sort({ axis }), theirs: `np.sort(${text}, ${at}, kind="stable")` },
    { ours: () => array.argsort({ axis }), theirs: `np.argsort(${text}, ${at}, kind="stable")` },
    ...(extent === 0 ? [] : [{ ours: () => array.argsort({ axis, descending: true }), theirs: descending(text, at) }]),
  ];
}

/** Inverting the ranks keeps the order of equal elements, and puts NaN last. */
function descending(text: string, axis: number | string): string {
  const ranks = "np.unique(a, return_inverse=True)[1].reshape(a.shape)";
  return `(lambda a: np.argsort(np.where(a != a, 1, -${ranks}), ${axis}, kind="stable"))(${text})`;
}

describe("sort and argsort", () => {
  beforeEach(needsNumPy);

  describe.each(seeds)("with the seed %i", (seed) => {
    test.each([...whole, ...parts])("matches NumPy for %s", { timeout: 240_000 }, async (dtype) => {
      const k = [...whole, ...parts].indexOf(dtype);
      const draw = new Draw(seed + 7 * k);
      const casesOf = (length: number, spread: Spread): readonly EvalCase[] => {
        const all = bothOf(sortCase(dtype, [length], spread, draw), 0);
        return dtype.startsWith("complex") ? all.slice(0, 2) : all;
      };
      // Each algorithm is a program to build, so half of them are omitted: long sorts of one dtype, short ones of the
      // next.
      const cases = everyCase
        ? [...short, ...long].flatMap((length) => spreads.flatMap((spread) => casesOf(length, spread)))
        : [...short.slice(0, 4), draw.of(short), draw.of(long)].flatMap((length) =>
            casesOf(length, draw.of(spreads)).filter((_, i) => (i + k + (length > 2048 ? 1 : 0)) % 2 === 0),
          );
      expect(await evalDifferences(cases)).toEqual([]);
    });

    test("matches NumPy along any axis of any layout", { timeout: 240_000 }, async () => {
      const draw = new Draw(seed);
      const cases: EvalCase[] = [];
      for (let k = 0; k < (everyCase ? 60 : 12); k++) {
        const dtype = draw.of<DTypeName>(["float32", "int64"]);
        const shape = [draw.integer(1, 5), draw.of([1, 7, 60, 300]), draw.of([1, 2, 3, 33])];
        const { array, text } = sortCase(dtype, shape, draw.of(spreads), draw);
        const [view, name] = draw.of<readonly [DeviceArray, string]>([
          [array, text],
          [array.T, `${text}.T`],
          [array.slice("::-1"), `${text}[::-1]`],
          [array.slice(":", "1::2", "::-1"), `${text}[:, 1::2, ::-1]`],
          [
            array.slice(0).broadcastTo([2, ...shape.slice(1)]),
            `np.broadcast_to(${text}[0], [2, ${shape.slice(1).join()}])`,
          ],
        ]);
        if (view.size === 0) continue;
        cases.push(...bothOf({ array: view, text: name }, draw.of([0, 1, 2, -1, null])).slice(0, 2));
      }
      expect(await evalDifferences(cases)).toEqual([]);
    });
  });

  test("matches NumPy for several lines longer than one sorted block", { timeout: 240_000 }, async () => {
    const draw = new Draw(77);
    const cases = [
      [3, 2500],
      [40, 2100],
      [2, 20_000],
    ].flatMap((shape) =>
      (["uint8", "float32", "int64"] as const).flatMap((dtype, k) =>
        // In some lines all keys share digits, in others not.
        bothOf(sortCase(dtype, shape, spreads[k] as Spread, draw), -1).slice(0, everyCase || k > 0 ? 2 : 1),
      ),
    );
    expect(await evalDifferences(cases)).toEqual([]);
  });
});
