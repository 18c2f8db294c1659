/** Window functions. The host computes them, because windows are short; so they do not need a device with float64. */
import { checkInteger, checkOptions, typeError } from "@cl/base";
import type { ArrayRef, ArraySource, DTypeOptions } from "../storage/array-ref.js";
import { checkArrayType } from "../types/dtype-name.js";
import { checkFinite } from "./spaced.js";

/** Name of a floating-point dtype. */
export type WindowDType = "float16" | "float32" | "float64";

/** Returns the value of a window at `x`, which is -1 at the first point and 1 at the last. */
type Shape = (x: number) => number;

/** Raised-cosine window that is 0 at both ends. */
export const hanning: Shape = (x) => 0.5 + 0.5 * Math.cos(Math.PI * x);
/** Raised-cosine window that minimizes the nearest side lobe. */
export const hamming: Shape = (x) => 0.54 + 0.46 * Math.cos(Math.PI * x);
/** Window of three cosine terms. */
export const blackman: Shape = (x) => 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x);
/** Triangular window, which is 0 at both ends. */
export const bartlett: Shape = (x) => 1 - Math.abs(x);

/** Returns the Kaiser window of a shape parameter. */
export function kaiser(beta: number): Shape {
  checkFinite(beta, "beta");
  return (x) => besselI0(beta * Math.sqrt(Math.max(0, 1 - x * x))) / besselI0(beta);
}

/** Returns a window of `count` points. */
export function window<D extends WindowDType>(
  xp: ArraySource,
  count: number,
  shape: Shape,
  options: DTypeOptions<D> | undefined,
): ArrayRef<D> {
  checkInteger(count, "count");
  const dtype = checkOptions(options, ["dtype"]).dtype ?? ("float64" as D);
  const type = checkArrayType(dtype, "options.dtype");
  if (type.kind !== "float") throw typeError("options.dtype", "a floating-point type", type);
  const view = new DataView(new ArrayBuffer(count * type.itemSize));
  for (let i = 0; i < count; i++) {
    type.set(view, i * type.itemSize, count === 1 ? 1 : shape((2 * i + 1 - count) / (count - 1)));
  }
  return xp.fromHost(new Uint8Array(view.buffer), { dtype, shape: [count] });
}

/** Modified Bessel function of the first kind of order 0, by its power series: all terms are positive. */
function besselI0(x: number): number {
  const square = (x / 2) ** 2;
  let [sum, term] = [1, 1];
  for (let k = 1; term > sum * Number.EPSILON * 0.5; k++) {
    term *= square / (k * k);
    sum += term;
  }
  return sum;
}
