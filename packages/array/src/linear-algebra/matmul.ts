/** Matrix products with NumPy's rules for shapes. */
import { broadcastLayout, checkOptions, type Layout, outOfRange } from "@cl/base";
import { assign } from "../elementwise/assign.js";
import { broadcastShapes } from "../shapes/broadcast-shapes.js";
import { checkArray, checkOut } from "../storage/check-array.js";
import { filled } from "../storage/filled.js";
import type { Operand } from "../storage/operand.js";
import { shareBytes } from "../storage/overlap.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { promote } from "../types/promote.js";
import { multiply } from "./products/multiply.js";
import { checkInner, type Product } from "./products/product.js";
import { multiplyMatrices } from "./products/thin.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import type { OutOptions } from "../storage/operand-like.js";

/** The product of matrices along the last two axes, or of vectors where there is one axis. */
export function matmul<R extends DTypeName>(
  one: AnyArray,
  other: AnyArray,
  options?: OutOptions,
  names: readonly [string, string] = ["this", "other"],
): ArrayRef<R> {
  const { out } = checkOptions(options, ["out"]);
  checkArray(other, one.xp, names[1]);
  const [a, b] = [one.operand(), other.operand()];
  for (const [k, { layout }] of [a, b].entries()) {
    if (layout.shape.length === 0) {
      throw outOfRange(
        `matmul needs arrays of at least one axis, received ${names[k] as string} without axes (shapes [${one.shape.join()}] and [${other.shape.join()}]); use mul`,
      );
    }
  }
  checkInner(one.shape, other.shape, "matmul");
  const left = one.ndim === 1 ? withAxis(a.layout, 0) : a.layout;
  const right = other.ndim === 1 ? withAxis(b.layout, 1) : b.layout;
  const batch = broadcastBatches(left.shape, right.shape, one, other);
  const [m, n] = [left.shape.at(-2) as number, right.shape.at(-1) as number];
  const shape = [...batch, ...(one.ndim === 1 ? [] : [m]), ...(other.ndim === 1 ? [] : [n])];
  const product = {
    a: { ...a, layout: broadcastLayout(left, [...batch, ...left.shape.slice(-2)]) },
    b: { ...b, layout: broadcastLayout(right, [...batch, ...right.shape.slice(-2)]) },
  };
  const dtype = promote(a.dtype, b.dtype);
  return stored(one.xp, shape, dtype, out, "matmul", [a, b], (into) => {
    const c = into.operand();
    const down = one.ndim === 1 ? withAxis(c.layout, c.layout.shape.length - (other.ndim === 1 ? 0 : 1)) : c.layout;
    const layout = other.ndim === 1 ? withAxis(down, down.shape.length) : down;
    multiplyMatrices(one.xp, { ...product, c: { ...c, layout } });
  });
}

/** Fills a new array, or one that is given, by way of a new one where that has another type or shares memory with operands. */
export function stored<R extends DTypeName>(
  xp: AnyArray["xp"],
  shape: readonly number[],
  dtype: DTypeName,
  out: AnyArray | undefined,
  what: string,
  operands: readonly Operand[],
  fill: (into: AnyArray) => void,
): ArrayRef<R> {
  if (out === undefined) return filled(xp.empty(shape, { dtype: dtype as R }), fill);
  const target = checkOut(out, xp, shape, dtype, what);
  const place = target.operand();
  if (place.dtype === dtype && !operands.some((operand) => shares(operand, place))) {
    fill(target);
    return target as ArrayRef<R>;
  }
  using result = filled(xp.empty(shape, { dtype }), fill);
  assign(target, result);
  return target as ArrayRef<R>;
}

/** What others in this folder use: `c = alpha a b + beta c` of arrays with the same batch, which share no places with `c`. */
export function gemm(c: AnyArray, a: AnyArray, b: AnyArray, options: Omit<Product, "a" | "b" | "c"> = {}): void {
  multiply(c.xp, { ...options, a: a.operand(), b: b.operand(), c: c.operand() });
}

function shares(operand: Operand, place: Operand): boolean {
  const size = Math.max(typeNamed(operand.dtype).itemSize, typeNamed(place.dtype).itemSize);
  return shareBytes(operand, place, size);
}

function broadcastBatches(
  left: readonly number[],
  right: readonly number[],
  one: AnyArray,
  other: AnyArray,
): readonly number[] {
  try {
    return broadcastShapes([left.slice(0, -2), right.slice(0, -2)]);
  } catch {
    throw outOfRange(
      `matmul needs broadcastable shapes before the last two axes, received [${one.shape.join()}] and [${other.shape.join()}]`,
    );
  }
}

/** With an axis of one element. */
function withAxis({ shape, strides, offset }: Layout, at: number): Layout {
  return { shape: shape.toSpliced(at, 0, 1), strides: strides.toSpliced(at, 0, 0), offset };
}
