/** sort and argsort compared with NumPy's stable sort: all dtypes, lengths around block limits, axes, layouts. */
import type { DeviceArray, DTypeName } from "@cl/array";
import { beforeEach, expect, test } from "vitest";

import { sample, testSeed, testsEveryCase } from "@cl/testing/level";
import { Draw, type EvalCase, evalDifferences, needsNumPy } from "./support/numpy-eval.js";
import { type SortCase, sortCase, type Spread } from "./support/sort-cases.js";

const whole: readonly DTypeName[] = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"];
const parts: readonly DTypeName[] = ["float16", "float32", "float64", "complex64", "complex128"];
const spreads: readonly Spread[] = ["few", "all", "same", "sorted", "reversed"];
const short = [0, 1, 2, 3, 31, 48, 49, 64, 255, 256, 257, 1000, 2047, 2048];
const long = [2049, 4091, 4096, 4101, 8193, 16_384, 16_385, 40_000, 70_001];

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

const seed = testSeed(20_260);

beforeEach(needsNumPy);

/** Cases of a dtype. Each algorithm is a program to build, so half of them are omitted: long sorts of one dtype, short ones of the next. */
function casesOf(dtype: DTypeName): readonly EvalCase[] {
  const k = [...whole, ...parts].indexOf(dtype);
  const draw = new Draw(seed + 7 * k);
  const of = (length: number, spread: Spread): readonly EvalCase[] => {
    const all = bothOf(sortCase(dtype, [length], spread, draw), 0);
    return dtype.startsWith("complex") ? all.slice(0, 2) : all;
  };
  return testsEveryCase
    ? [...short, ...long].flatMap((length) => spreads.flatMap((spread) => of(length, spread)))
    : [...short.slice(0, 4), draw.of(short), draw.of(long)].flatMap((length) =>
        of(length, draw.of(spreads)).filter((_, i) => (i + k + (length > 2048 ? 1 : 0)) % 2 === 0),
      );
}

test("sort and argsort match NumPy", async () => {
  expect(await evalDifferences(casesOf("float32"))).toEqual([]);
});

test.each(sample([...whole, ...parts], 3))("sort and argsort match NumPy for %s", { tags: "ci" }, async (dtype) => {
  expect(await evalDifferences(casesOf(dtype))).toEqual([]);
});

test("they match NumPy along any axis of any layout", { tags: "ci" }, async () => {
  const draw = new Draw(seed);
  const cases: EvalCase[] = [];
  for (let k = 0; k < (testsEveryCase ? 60 : 12); k++) {
    const dtype = draw.of<DTypeName>(["float32", "int64"]);
    const shape = [draw.integer(1, 5), draw.of([1, 7, 60, 300]), draw.of([1, 2, 3, 33])];
    const { array, text } = sortCase(dtype, shape, draw.of(spreads), draw);
    const [view, name] = draw.of<readonly [DeviceArray, string]>([
      [array, text],
      [array.T, `${text}.T`],
      [array.slice("::-1"), `${text}[::-1]`],
      [array.slice(":", "1::2", "::-1"), `${text}[:, 1::2, ::-1]`],
      [array.slice(0).broadcastTo([2, ...shape.slice(1)]), `np.broadcast_to(${text}[0], [2, *${text}.shape[1:]])`],
    ]);
    if (view.size === 0) continue;
    cases.push(...bothOf({ array: view, text: name }, draw.of([0, 1, 2, -1, null])).slice(0, 2));
  }
  expect(await evalDifferences(cases)).toEqual([]);
});

test("they match NumPy for several lines longer than one sorted block", { tags: "ci" }, async () => {
  const draw = new Draw(77);
  const shapes = [[3, 2500], [40, 2100], [2, 20_000]]; // prettier-ignore
  const cases = shapes.flatMap((shape) =>
    sample(["uint8", "float32", "int64"] as const, 2).flatMap((dtype, k) =>
      // In some lines all keys share digits, in others not.
      bothOf(sortCase(dtype, shape, spreads[k] as Spread, draw), -1).slice(0, testsEveryCase || k > 0 ? 2 : 1),
    ),
  );
  expect(await evalDifferences(cases)).toEqual([]);
});
