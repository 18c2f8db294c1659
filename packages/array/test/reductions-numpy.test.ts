/**
 * Reductions compared with NumPy: random dtypes, layouts, sizes, axes and options. Values
 * are quarters of small numbers, so that sums are exact in any order.
 */
import type { AnyArray, DTypeName, ReduceOptions } from "@cl/array";
import { expect, test } from "vitest";

import { isFull, testSeed, testsEveryCase } from "@cl/testing/level";
import { hasDoubles } from "./support/device.js";
import { complex, few, floats, integers, numbers, type Operand, real, shapes, viewed } from "./support/drawn.js";
import { differencesOf, type Draw, type EvalCase, type Kind, needsNumPy } from "./support/numpy-eval.js";

interface Options extends ReduceOptions {
  readonly axis?: number | readonly number[];
  readonly keepDims?: boolean;
}

/** Random axes: none, one, or several, counted from either end. */
function axesOf(ndim: number, draw: Draw, several: boolean): Options {
  const keepDims = draw.of([true, false]);
  const kind = draw.integer(0, several ? 2 : 1);
  if (kind === 0 || ndim === 0) return { keepDims };
  const one = (axis: number): number => (draw.of([true, false]) ? axis : axis - ndim);
  if (kind === 1) return { keepDims, axis: one(draw.integer(0, ndim - 1)) };
  const axes = Array.from({ length: ndim }, (_, axis) => axis).filter(() => draw.of([true, false]));
  return { keepDims, axis: axes.map(one) };
}

function textOf({ axis, keepDims }: Options, named = "keepdims"): string {
  const place = axis === undefined ? "None" : typeof axis === "number" ? String(axis) : `tuple([${axis.join()}])`;
  return `axis=${place}, ${named}=${keepDims === true ? "True" : "False"}`;
}

type Make = (draw: Draw) => EvalCase;

/** Functions with the same name in NumPy. */
function plain(
  names: readonly (readonly [ours: string, theirs: string])[],
  types: readonly DTypeName[],
  {
    several = true,
    missing = false,
    from = shapes,
  }: { several?: boolean; missing?: boolean; from?: typeof shapes } = {},
): Make {
  return (draw) => {
    const [ours, theirs] = draw.of(names);
    const dtype = draw.of(types);
    // Sums of float16 are exact up to 512.
    const of = dtype === "float16" ? from.filter((shape) => shape.reduce((a, b) => a * b, 1) <= 300) : from;
    const one = viewed(numbers(draw.of(of), dtype, missing), draw);
    const options = axesOf(one.array.ndim, draw, several);
    const method = (one.array as unknown as Record<string, (options: Options) => AnyArray>)[ours] as (
      options: Options,
    ) => AnyArray;
    return {
      ours: () => method.call(one.array, options),
      theirs: `np.${theirs}(${one.text}, ${textOf(options)})`,
    };
  };
}

const same = (...names: string[]): readonly (readonly [string, string])[] => names.map((name) => [name, name]);

/** With an explicit dtype of the sum. */
const typed: Make = (draw) => {
  const name = draw.of(["sum", "mean"] as const);
  const dtype = draw.of([...integers, ...floats, ...complex]);
  const to = draw.of(dtype.startsWith("complex") ? complex : dtype.startsWith("float") ? floats : [...floats, "int16"]);
  const one = viewed(numbers(draw.of(shapes), dtype, false), draw);
  const options = axesOf(one.array.ndim, draw, true);
  const type = name === "mean" && to === "int16" ? "float32" : (to as DTypeName);
  return {
    ours: () => one.array[name]({ ...options, dtype: type }),
    theirs: `np.${name}(${one.text}, dtype="${type}", ${textOf(options)})`,
  };
};

/** With a `where` condition, which is broadcast. */
const conditional: Make = (draw) => {
  const name = draw.of(["sum", "prod", "any", "all", "mean"] as const);
  const dtype = draw.of(name === "prod" || name === "mean" ? ["int32", ...floats] : [...integers, ...floats]);
  const from = name === "prod" ? few : shapes;
  const one = viewed(numbers(draw.of(from.filter((shape) => !shape.includes(0))), dtype as DTypeName, false), draw);
  const options = axesOf(one.array.ndim, draw, true);
  const last = one.array.shape.slice(draw.integer(0, one.array.ndim));
  const where = numbers(last, "bool", false);
  return {
    ours: () => one.array[name]({ ...options, where: where.array }),
    theirs: `np.${name}(${one.text}, where=${where.text}, ${textOf(options)})`,
  };
};

const spread: Make = (draw) => {
  const name = draw.of(["var", "std", "nanvar", "nanstd"] as const);
  const dtype = draw.of([...integers, ...floats, ...complex]);
  const missing = name.startsWith("nan") && !(integers as readonly string[]).includes(dtype);
  const one = viewed(numbers(draw.of(shapes), dtype, missing), draw);
  const options = axesOf(one.array.ndim, draw, true);
  const ddof = draw.of([0, 1, 0.5]);
  return {
    ours: () => one.array[name]({ ...options, ddof }),
    theirs: `np.${name}(${one.text}, ddof=${ddof}, ${textOf(options)})`,
  };
};

/** ptp of no elements is 0 only since NumPy 2. */
const norm: Make = (draw) => {
  const some = shapes.filter((shape) => !shape.includes(0));
  const one = viewed(numbers(draw.of(some), draw.of(["int32", ...floats, ...complex]), false), draw);
  const { ndim } = one.array;
  const keepDims = draw.of([true, false]);
  const ord = draw.of([undefined, 2, 1, 0, Infinity, -Infinity, 3, 0.5]);
  const axis = ndim === 0 ? undefined : draw.integer(-ndim, ndim - 1);
  const options = ord === undefined ? { keepDims } : { keepDims, axis, ord };
  const order = ord === undefined ? "None" : Number.isFinite(ord) ? String(ord) : ord > 0 ? "np.inf" : "-np.inf";
  const text = textOf(axis === undefined || ord === undefined ? { keepDims } : { keepDims, axis });
  return { ours: () => one.array.norm(options), theirs: `np.linalg.norm(${one.text}, ord=${order}, ${text})` };
};

const products: Make = (draw) => {
  const types: readonly DTypeName[] = ["bool", ...integers, ...floats, ...complex];
  const size = draw.of([0, 1, 63, 257, 4099, 16_385, 40_001]);
  const [one, other] = [draw.of(types), draw.of(types)].map((type) => {
    const whole = numbers([size * 2], hasDoubles ? type : "float32", false);
    const part = draw.of(["::2", "1::2", `:${size}`, `${size}:`, "::-2"]);
    return { array: whole.array.slice(part), text: `${whole.text}[${part}]` };
  }) as [Operand, Operand];
  if (draw.of([true, false])) {
    return { ours: () => one.array.dot(other.array), theirs: `np.dot(${one.text}, ${other.text})` };
  }
  return { ours: () => one.array.vdot(other.array), theirs: `np.vdot(${one.text}, ${other.text})` };
};

const kinds: readonly Kind[] = [
  [plain(same("sum"), [...real, ...complex]), 30, 0],
  [plain(same("mean"), real), 12, 0],
  [plain(same("any", "all"), [...real, ...complex]), 16, 0],
  [plain(same("min", "max"), [...real, ...complex]), 24, 0],
  [plain(same("min", "max"), ["float16", ...floats], { missing: true }), 20, 0],
  [plain(same("ptp"), [...integers, ...floats]), 10, 0],
  [plain([["countNonzero", "count_nonzero"]], [...real, ...complex]), 15, 0],
  [plain(same("argmin", "argmax"), [...real, ...complex], { several: false }), 24, 0],
  [plain(same("argmin", "argmax"), ["float16", ...floats, ...complex], { several: false, missing: true }), 20, 0],
  [
    plain(same("nanargmin", "nanargmax"), [...integers, "float16", ...floats], { several: false, missing: true }),
    20,
    0,
  ],
  [plain(same("prod"), [...integers, "bool"]), 15, 0],
  [plain(same("prod"), [...floats], { from: few }), 10, 1e-5],
  [plain(same("nansum", "nanmin", "nanmax"), [...integers, "float16", ...floats], { missing: true }), 30, 0],
  [plain(same("nanmean", "nanprod"), floats, { missing: true, from: few }), 15, 1e-5],
  [typed, 20, 1e-6],
  [conditional, 25, 1e-5],
  [spread, 25, 1e-4],
  [norm, 25, 1e-4],
  [products, 20, 0],
];

test("reductions match NumPy's dtypes, shapes and values", { tags: "ci" }, async (run) => {
  needsNumPy(run);
  expect(await differencesOf(kinds, testSeed(20_261_121), testsEveryCase ? 1 : isFull ? 0.3 : 0.05)).toEqual([]);
});
