/**
 * Scans compared with NumPy: random dtypes, layouts, sizes, axes and options. Values are
 * quarters of small numbers, so that sums are exact in any order.
 */
import type { AnyArray, DeviceArray, DTypeName, ScanOptions } from "@cl/array";
import { expect, test } from "vitest";

import { isFull, testSeed, testsEveryCase } from "@cl/testing/level";
import { hasDoubles, xp } from "./support/device.js";
import { complex, few, floats, integers, numbers, real, shapes, viewed } from "./support/drawn.js";
import { differencesOf, type Draw, type EvalCase, type Kind, needsNumPy } from "./support/numpy-eval.js";

const withAxes = shapes.filter((shape) => shape.length > 0);

type Make = (draw: Draw) => EvalCase;
type Scan = (options: ScanOptions & { dtype?: DTypeName }) => AnyArray;

interface Drawn {
  readonly method: Scan;
  readonly text: string;
  readonly axis: number | undefined;
  /** The axis as NumPy accepts it. */
  readonly place: string;
  readonly array: DeviceArray;
}

function drawn(draw: Draw, ours: string, types: readonly DTypeName[], from: typeof shapes, missing = false): Drawn {
  const dtype = draw.of(types);
  // Running sums of float16 are exact while they are small.
  const some = dtype === "float16" ? from.filter((shape) => shape.reduce((a, b) => a * b, 1) <= 300) : from;
  const { array, text } = viewed(numbers(draw.of(some), dtype, missing), draw);
  const { ndim } = array;
  const axis = ndim === 0 || draw.integer(0, 3) === 0 ? undefined : draw.integer(-ndim, ndim - 1);
  const method = (array as unknown as Record<string, Scan>)[ours] as Scan;
  return { method: method.bind(array), text, axis, place: axis === undefined ? "None" : String(axis), array };
}

/** NumPy's equivalent of a scan, forward or backward. */
function plain(
  ours: string,
  theirs: (text: string, axis: string) => string,
  types: readonly DTypeName[],
  { missing = false, from = shapes }: { missing?: boolean; from?: typeof shapes } = {},
): Make {
  return (draw) => {
    const { method, text, axis, place } = drawn(draw, ours, types, from, missing);
    const reverse = draw.integer(0, 4) === 0;
    const line = axis === undefined ? `np.ravel(${text})` : text;
    const at = axis === undefined ? "0" : place;
    return {
      ours: () => method({ axis, reverse }),
      theirs: reverse ? `np.flip(${theirs(`np.flip(${line}, ${at})`, at)}, ${at})` : theirs(line, at),
    };
  };
}

const sum = (text: string, axis: string): string => `np.cumsum(${text}, axis=${axis})`;
const product = (text: string, axis: string): string => `np.cumprod(${text}, axis=${axis})`;
const extreme =
  (name: string) =>
  (text: string, axis: string): string =>
    `np.${name}imum.accumulate(${text}, axis=${axis})`;

/** The exclusive sum: the inclusive sum less the element itself. */
const exclusive: Make = (draw) => {
  const { method, text, axis, place } = drawn(draw, "cumsum", [...real, ...complex], shapes);
  const all = `np.cumsum(${text}, axis=${place})`;
  return {
    ours: () => method({ axis, exclusive: true }),
    theirs: `(lambda s: s - np.reshape(${text}, s.shape).astype(s.dtype))(${all})`,
  };
};

const segments: Make = (draw) => {
  const name = draw.of(["cumsum", "cummax", "cumprod"]);
  const { method, text, axis, place, array } = drawn(
    draw,
    name,
    ["int16", "uint64", ...floats],
    name === "cumprod" ? few : shapes,
  );
  const function_ = name === "cummax" ? "np.maximum.accumulate" : `np.${name}`;
  // Sometimes only of the last axes, so that they are broadcast.
  const shape = draw.of([array.shape, array.shape.slice(1)]);
  const starts = numbers(shape, "bool", false);
  return {
    ours: () => method({ axis, starts: starts.array }),
    theirs: `segmented(${function_}, ${text}, ${starts.text}, ${place})`,
  };
};

const typed: Make = (draw) => {
  const name = draw.of(["cumsum", "cumprod"]);
  const { method, text, axis, place } = drawn(draw, name, ["bool", ...integers, ...floats], few);
  const dtype = draw.of<DTypeName>(["int8", "uint32", "int64", ...floats, ...complex]);
  return { ours: () => method({ axis, dtype }), theirs: `np.${name}(${text}, axis=${place}, dtype="${dtype}")` };
};

const adjacentDifferences: Make = (draw) => {
  const { array, text, axis = 0, place } = drawn(draw, "cumsum", [...real, ...complex], withAxes);
  const n = draw.integer(0, 3);
  const at = place === "None" ? 0 : axis;
  const more =
    array.dtype.name === "bool"
      ? ([{}, ""] as const)
      : draw.of([
          [{}, ""],
          [{ prepend: 3 }, ", prepend=np.asarray(3).astype(a.dtype)"],
          [{ append: array }, ", append=a"],
        ] as const);
  // With a host number, unsigned integers become int64; there is no such dtype for uint64.
  const widens = "prepend" in more[0] && ["uint8", "uint16", "uint32"].includes(array.dtype.name);
  const own = widens ? "int64" : array.dtype.name;
  return {
    ours: () => xp.diff(array, { n, axis: at, ...more[0] }),
    theirs: `(lambda a: np.diff(a, ${n}, ${at}${more[1]}))(np.asarray(${text}).astype("${own}"))`,
  };
};

const ends: Make = (draw) => {
  const { array, text } = drawn(draw, "cumsum", ["int16", ...floats], shapes);
  const end = draw.of([2, undefined]);
  return {
    ours: () => xp.ediff1d(array, { toEnd: end, toBegin: xp.ones([3], { dtype: array.dtype.name }) }),
    theirs: `np.ediff1d(${text}, to_end=${end === undefined ? "None" : `np.asarray(${end}, "${array.dtype.name}")`}, to_begin=np.ones(3, "${array.dtype.name}"))`,
  };
};

const integral: Make = (draw) => {
  const { array, text } = drawn(draw, "cumsum", floats, withAxes);
  const axis = draw.integer(-array.ndim, array.ndim - 1);
  const extent = array.shape.at(axis) as number;
  const [x, argument] = draw.of([
    [undefined, `dx=0.5`],
    [xp.arange(extent, { dtype: array.dtype.name }), `x=np.arange(${extent}, dtype="${array.dtype.name}")`],
    [array, `x=${text}`],
  ] as const);
  return {
    ours: () => xp.trapezoid(array, x === undefined ? { axis, dx: 0.5 } : { axis, x }),
    theirs: `(getattr(np, "trapezoid", None) or np.trapz)(${text}, axis=${axis}, ${argument})`,
  };
};

const derivatives: Make = (draw) => {
  const { array, text } = drawn(
    draw,
    "cumsum",
    ["int8", "uint32", ...floats, ...complex],
    shapes.filter((shape) => shape.length > 0 && shape.every((extent) => extent > 2)),
  );
  const axis = draw.integer(-array.ndim, array.ndim - 1);
  const edgeOrder = draw.of([1, 2] as const);
  const type = array.dtype.name === "float32" ? "float32" : "float64";
  const extent = array.shape.at(axis) as number;
  const places = `(np.arange(${extent}, dtype="${hasDoubles ? type : "float32"}") ** 2 / 4)`;
  const line = xp.arange(extent, { dtype: hasDoubles ? type : "float32" });
  const [spacing, argument] = draw.of([
    [1, "1"],
    [0.5, "0.5"],
    [line.mul(line).div(4), places],
  ] as const);
  return {
    ours: () => xp.gradient(array, { axis, edgeOrder, spacing }),
    theirs: `np.gradient(${text}, ${argument}, axis=${axis}, edge_order=${edgeOrder})`,
  };
};

const kinds: readonly Kind[] = [
  [plain("cumsum", sum, [...real, ...complex]), 70, 0],
  [plain("cumprod", product, ["bool", ...integers]), 30, 0],
  [plain("cumprod", product, [...floats, ...complex], { from: few }), 15, 1e-5],
  [plain("cummax", extreme("max"), [...real, ...complex]), 30, 0],
  [plain("cummin", extreme("min"), [...real, ...complex]), 30, 0],
  [plain("cummax", extreme("max"), ["float16", ...floats], { missing: true }), 20, 0],
  [plain("cummin", extreme("min"), ["float16", ...floats], { missing: true }), 20, 0],
  [
    plain("nancumsum", (text, axis) => `np.nancumsum(${text}, axis=${axis})`, ["int32", ...floats], { missing: true }),
    12,
    0,
  ],
  [
    plain("nancumprod", (text, axis) => `np.nancumprod(${text}, axis=${axis})`, floats, { missing: true, from: few }),
    8,
    1e-5,
  ],
  [exclusive, 30, 0],
  [segments, 30, 1e-5],
  [typed, 20, 1e-5],
  [adjacentDifferences, 30, 0],
  [ends, 8, 0],
  [integral, 15, 1e-4],
  [derivatives, 30, 1e-4],
];

test("scans match NumPy's dtypes, shapes and values", { tags: "ci" }, async (run) => {
  needsNumPy(run);
  expect(await differencesOf(kinds, testSeed(20_261_122), testsEveryCase ? 1 : isFull ? 0.12 : 0.05)).toEqual([]);
});
