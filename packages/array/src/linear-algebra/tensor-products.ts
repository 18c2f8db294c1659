/** Products over axes given by number, as in NumPy. */
import { checkInteger, checkOptions, outOfRange, typeError } from "@cl/base";
import { broadcastShapes } from "../shapes/broadcast-shapes.js";
import { checkArray, checkOut } from "../storage/check-array.js";
import { checkAxes } from "../shapes/check-axes.js";
import { Disposals } from "../storage/disposals.js";
import { apply, compute } from "../elementwise/elementwise.js";
import { operation, type Term } from "../expression/build.js";
import type { Expression } from "../expression/expression.js";
import type { DTypeName } from "../types/dtype-name.js";
import { promote } from "../types/promote.js";
import { chainOrder } from "./contraction-order.js";
import { contracted } from "./einsum.js";
import { matmul, stored } from "./matmul.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";
import type { OutOptions } from "../storage/operand-like.js";

/** Whose arrays are multiplied. */
export type Home = Pick<ArraySource, "queue">;

/** Options of `tensordot`. */
export interface TensordotOptions extends OutOptions {
  /**
   * Number of axes to sum over, the last of the first array and the first of the second; or a list of axes for each
   * array.
   * @defaultValue 2
   */
  readonly axes?: number | readonly [number | readonly number[], number | readonly number[]];
}

/** Sums of products over axes of both arrays; the axes that are left come one after another. */
export function tensordot<R extends DTypeName>(
  home: Home,
  a: AnyArray,
  b: AnyArray,
  options: TensordotOptions | undefined,
): ArrayRef<R> {
  const { axes = 2, out } = checkOptions(options, ["axes", "out"]);
  const { xp } = checkArray(a, home, "a");
  checkArray(b, home, "b");
  const [first, second] = typeof axes === "number" ? countedAxes(axes, a, b) : listedAxes(axes, a, b);
  return overAxes(xp, a, b, first, second, out, "tensordot");
}

/** Sums of products over the last axes of both; arrays without axes multiply. */
export function inner<R extends DTypeName>(
  home: Home,
  a: AnyArray,
  b: AnyArray,
  options: OutOptions | undefined,
): ArrayRef<R> {
  const { xp } = checkArray(a, home, "a");
  checkArray(b, home, "b");
  if (a.ndim === 0 || b.ndim === 0) return apply("multiply", [a, b], options, ["a", "b"]);
  return overAxes(xp, a, b, [a.ndim - 1], [b.ndim - 1], checkOptions(options, ["out"]).out, "inner");
}

/** Sums of products over the last axis of the first operand and the second-to-last axis of the second. */
export function dotOverAxes<R extends DTypeName>(
  one: AnyArray,
  other: AnyArray,
  out: AnyArray | undefined,
): ArrayRef<R> {
  return overAxes(one.xp, one, other, [one.ndim - 1], [Math.max(0, other.ndim - 2)], out, "dot");
}

/** Products of each element of the first operand with each of the second, in C order. */
export function outer<R extends DTypeName>(
  home: Home,
  a: AnyArray,
  b: AnyArray,
  options: OutOptions | undefined,
): ArrayRef<R> {
  checkArray(a, home, "a");
  checkArray(b, home, "b");
  using first = a.ravel();
  using second = b.ravel();
  using column = first.reshape([a.size, 1]);
  return apply("multiply", [column, second], options, ["a", "b"]);
}

/** Each element of the first times the second array, as blocks of the result. */
export function kron<R extends DTypeName>(home: Home, a: AnyArray, b: AnyArray): ArrayRef<R> {
  checkArray(a, home, "a");
  checkArray(b, home, "b");
  const ndim = Math.max(a.ndim, b.ndim);
  const shapes = [a, b].map(({ shape }) => [...Array<number>(ndim - shape.length).fill(1), ...shape]);
  const [own, other] = shapes as [number[], number[]];
  using first = a.reshape(own.flatMap((extent) => [extent, 1]));
  using second = b.reshape(other.flatMap((extent) => [1, extent]));
  using all = apply("multiply", [first, second], undefined, ["a", "b"]);
  return all.reshape(own.map((extent, axis) => extent * (other[axis] as number))) as ArrayRef<R>;
}

/** Options of `vecdot`. */
export interface VecdotOptions extends OutOptions {
  /**
   * The axis of the vectors in both arrays.
   * @defaultValue the last
   */
  readonly axis?: number;
}

/** Sums of products along one axis, of which the first factor is conjugated; other axes are broadcast together. */
export function vecdot<R extends DTypeName>(
  home: Home,
  a: AnyArray,
  b: AnyArray,
  options: VecdotOptions | undefined,
): ArrayRef<R> {
  const { axis = -1, out } = checkOptions(options, ["axis", "out"]);
  const { xp } = checkArray(a, home, "a");
  checkArray(b, home, "b");
  using first = lastAxis(a, axis, "a");
  using second = lastAxis(b, axis, "b");
  if (first.shape.at(-1) !== second.shape.at(-1)) {
    throw outOfRange(
      `vecdot needs vectors of equal length, received ${first.shape.at(-1)} and ${second.shape.at(-1)} along axis ${axis} of the shapes [${a.shape.join()}] and [${b.shape.join()}]`,
    );
  }
  checkBroadcast(first, second, a, b);
  if (out !== undefined) {
    const shape = broadcastShapes([first.shape.slice(0, -1), second.shape.slice(0, -1)]);
    checkOut(out, xp, shape, promote(a.dtype.name, b.dtype.name), "vecdot");
  }
  using conjugated = first.dtype.name.startsWith("complex") ? apply("conj", [first], undefined, ["a"]) : undefined;
  const names = (array: AnyArray): readonly string[] => array.shape.map((_, i) => String(array.ndim - 1 - i));
  const left = conjugated ?? first;
  const output = names(left.ndim > second.ndim ? left : second).slice(0, -1);
  const terms = [left, second].map((array) => ({ operand: array.operand(), labels: names(array) }));
  return contracted(xp, terms, output, out, "vecdot");
}

/** Options of `cross`. */
export interface CrossOptions extends OutOptions {
  /**
   * The axis of the vectors in both arrays, and in the result.
   * @defaultValue the last
   */
  readonly axis?: number;
}

/** The vectors that stand on those of both arrays. */
export function cross<R extends DTypeName>(
  home: Home,
  a: AnyArray,
  b: AnyArray,
  options: CrossOptions | undefined,
): ArrayRef<R> {
  const { axis = -1, out } = checkOptions(options, ["axis", "out"]);
  const { xp } = checkArray(a, home, "a");
  checkArray(b, home, "b");
  using first = lastAxis(a, axis, "a");
  using second = lastAxis(b, axis, "b");
  if (first.shape.at(-1) !== 3 || second.shape.at(-1) !== 3) {
    throw outOfRange(
      `cross needs vectors of 3 elements along axis ${axis}, received shapes [${a.shape.join()}] and [${b.shape.join()}]`,
    );
  }
  const batch = broadcastShapes([first.shape.slice(0, -1), second.shape.slice(0, -1)]);
  const at = checkInteger(axis, "options.axis", -batch.length - 1, batch.length);
  const shape = batch.toSpliced(at < 0 ? batch.length + 1 + at : at, 0, 3);
  const dtype = promote(a.dtype.name, b.dtype.name);
  return stored(xp, shape, dtype, out, "cross", [a.operand(), b.operand()], (into) => {
    using last = lastAxis(into, axis, "out");
    for (const i of [0, 1, 2]) {
      const [j, k] = [(i + 1) % 3, (i + 2) % 3];
      const operands = [first.slice("...", j), second.slice("...", k), first.slice("...", k), second.slice("...", j)];
      using part = last.slice("...", i);
      try {
        compute("cross", operands, part, ["a", "b", "a", "b"], difference);
      } finally {
        for (const one of operands) one.release();
      }
    }
  });
}

function difference(terms: readonly Term[], scalars: Parameters<typeof operation>[2]): Expression {
  const times = (one: number, other: number): Expression =>
    operation("multiply", [terms[one] as Term, terms[other] as Term], scalars);
  return operation("subtract", [times(0, 1), times(2, 3)], scalars);
}

/** The product of several matrices, in the order that needs the fewest multiplications; the first and last may be vectors. */
export function multiDot<R extends DTypeName>(
  home: Home,
  arrays: readonly AnyArray[],
  options: OutOptions | undefined,
): ArrayRef<R> {
  const { out } = checkOptions(options, ["out"]);
  if (!Array.isArray(arrays) || arrays.length < 2) throw typeError("operands", "a list of at least two arrays", arrays);
  const list = arrays as readonly AnyArray[];
  for (const [i, array] of list.entries()) {
    checkArray(array, home, `operands[${i}]`);
    const mayBeVector = i === 0 || i === list.length - 1;
    if (array.ndim === 2 || (mayBeVector && array.ndim === 1)) continue;
    throw outOfRange(
      `operands[${i}] must be a matrix${mayBeVector ? " or a vector" : ""}, received shape [${array.shape.join()}]`,
    );
  }
  const extents = list.map(({ shape }, i) => (shape.length === 1 && i === 0 ? 1 : (shape[0] as number)));
  const last = list.at(-1) as AnyArray;
  const splits = chainOrder([...extents, last.ndim === 1 ? 1 : (last.shape[1] as number)]);
  for (let i = 1; i < list.length; i++) {
    const [one, other] = [list[i - 1] as AnyArray, list[i] as AnyArray];
    if (one.shape.at(-1) === other.shape[0]) continue;
    throw outOfRange(
      `operands[${i}] must have as many rows as operands[${i - 1}] has columns, received shapes [${one.shape.join()}] and [${other.shape.join()}]`,
    );
  }
  return product(0, list.length - 1, out) as ArrayRef<R>;

  function product(from: number, to: number, into: AnyArray | undefined): AnyArray {
    const split = splits[from]?.[to] as number;
    using temporaries = new Disposals();
    const one = part(from, split);
    if (from < split) temporaries.use(one);
    const other = part(split + 1, to);
    if (split + 1 < to) temporaries.use(other);
    return matmul(one, other, into === undefined ? {} : { out: into });
  }

  function part(from: number, to: number): AnyArray {
    return from === to ? (list[from] as AnyArray) : product(from, to, undefined);
  }
}

/** A view with an axis at the end. */
function lastAxis(array: AnyArray, axis: number, name: string): ArrayRef {
  if (array.ndim === 0) throw outOfRange(`${name} must have at least one axis`);
  checkInteger(axis, "options.axis", -array.ndim, array.ndim - 1);
  return array.moveaxis(axis, -1);
}

function checkBroadcast(one: AnyArray, other: AnyArray, a: AnyArray, b: AnyArray): void {
  for (let axis = 1; axis <= Math.min(one.ndim, other.ndim); axis++) {
    const [x, y] = [one.shape.at(-axis), other.shape.at(-axis)];
    if (x === y || x === 1 || y === 1) continue;
    throw outOfRange(`shapes [${a.shape.join()}] and [${b.shape.join()}] cannot be broadcast together`);
  }
}

function countedAxes(axes: number, a: AnyArray, b: AnyArray): readonly [readonly number[], readonly number[]] {
  checkInteger(axes, "options.axes", 0, Math.min(a.ndim, b.ndim));
  const list = [...Array(axes).keys()];
  return [list.map((i) => a.ndim - axes + i), list];
}

function listedAxes(
  axes: readonly [number | readonly number[], number | readonly number[]],
  a: AnyArray,
  b: AnyArray,
): readonly [readonly number[], readonly number[]] {
  if (!Array.isArray(axes) || axes.length !== 2) {
    throw typeError("options.axes", "a number of axes, or two lists of axes", axes);
  }
  const first = checkAxes(axes[0], a.ndim, "options.axes[0]");
  const second = checkAxes(axes[1], b.ndim, "options.axes[1]");
  if (first.length === second.length) return [first, second];
  throw outOfRange(
    `options.axes must have equally many axes of both arrays, received ${first.length} and ${second.length}`,
  );
}

function overAxes<R extends DTypeName>(
  xp: ArraySource,
  a: AnyArray,
  b: AnyArray,
  first: readonly number[],
  second: readonly number[],
  out: AnyArray | undefined,
  what: string,
): ArrayRef<R> {
  for (const [k, axis] of first.entries()) {
    const other = second[k] as number;
    if (a.shape[axis] === b.shape[other]) continue;
    throw outOfRange(
      `${what} needs axes of equal length, received ${a.shape[axis]} and ${b.shape[other]} for axis ${axis} of [${a.shape.join()}] and axis ${other} of [${b.shape.join()}]`,
    );
  }
  const left = a.shape.map((_, axis) => (first.includes(axis) ? `s${first.indexOf(axis)}` : `a${axis}`));
  const right = b.shape.map((_, axis) => (second.includes(axis) ? `s${second.indexOf(axis)}` : `b${axis}`));
  const output = [...left, ...right].filter((label) => !label.startsWith("s"));
  const terms = [
    { operand: a.operand(), labels: left },
    { operand: b.operand(), labels: right },
  ];
  return contracted(xp, terms, output, out, what);
}
