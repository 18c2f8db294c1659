/** Options of transforms, and their validation. */
import { checkInteger, checkOptions, outOfRange, rangeError, typeError } from "@cl/base";
import { checkAxes, checkAxis } from "../shapes/check-axes.js";
import type { DTypeName } from "../types/dtype-name.js";
import type { Direction } from "./place.js";

/**
 * Which direction is scaled by 1 / n: the inverse transforms (`"backward"`), both by its square root (`"ortho"`), or
 * the forward ones (`"forward"`).
 */
export type FourierNorm = "backward" | "ortho" | "forward";

/** Options of transforms along one axis. */
export interface FourierOptions {
  /**
   * Length of the transform; the input is truncated or padded with zeros.
   * @defaultValue the length of the axis
   */
  readonly n?: number;
  /**
   * The axis.
   * @defaultValue the last
   */
  readonly axis?: number;
  /**
   * Normalization.
   * @defaultValue "backward"
   */
  readonly norm?: FourierNorm;
}

/** Options of transforms along several axes. */
export interface FouriersOptions {
  /**
   * Length of the transform along each of the axes; the input is truncated or padded with zeros.
   * @defaultValue the lengths of the axes
   */
  readonly s?: readonly number[];
  /**
   * The axes.
   * @defaultValue the last ones, as many as `s` has, or all
   */
  readonly axes?: readonly number[];
  /**
   * Normalization.
   * @defaultValue "backward"
   */
  readonly norm?: FourierNorm;
}

/** Dtype of transforms: complex64 for float16, float32 and complex64, else complex128. */
export type FourierDType<D extends DTypeName> = D extends "float16" | "float32" | "complex64"
  ? "complex64"
  : "complex128";

/** Dtype of inverse transforms to real numbers. */
export type FourierRealDType<D extends DTypeName> = D extends "float16" | "float32" | "complex64"
  ? "float32"
  : "float64";

/** {@link FourierDType} at run time. */
export function fourierDType(dtype: DTypeName): "complex64" | "complex128" {
  return dtype === "float16" || dtype === "float32" || dtype === "complex64" ? "complex64" : "complex128";
}

/** One axis, its number of elements, and where the factor goes. */
export interface CheckedLine {
  readonly axis: number;
  readonly n: number | undefined;
  readonly norm: FourierNorm;
}

/** The options for one axis. */
export function checkLine(shape: readonly number[], options: FourierOptions | undefined): CheckedLine {
  const { n, axis = -1, norm } = checkOptions(options, ["n", "axis", "norm"]);
  if (shape.length === 0) throw outOfRange("array must have at least one axis");
  return {
    axis: checkAxis(axis, shape.length, "options.axis"),
    n: n === undefined ? undefined : checkInteger(n, "options.n", 1),
    norm: checkNorm(norm),
  };
}

/** Some axes, their numbers of elements where they were said, and where the factor goes. */
export interface CheckedLines {
  readonly axes: readonly number[];
  readonly s: readonly (number | undefined)[];
  readonly norm: FourierNorm;
}

/** The options for several axes; `missing` are those that are meant if none are said. */
export function checkLines(
  shape: readonly number[],
  options: FouriersOptions | undefined,
  missing?: readonly number[],
): CheckedLines {
  const { s, axes = missing, norm } = checkOptions(options, ["s", "axes", "norm"]);
  if (s !== undefined && !Array.isArray(s)) throw typeError("options.s", "a list of integers", s);
  if (axes !== undefined && !Array.isArray(axes)) throw typeError("options.axes", "a list of axes", axes);
  const ndim = shape.length;
  if (axes === undefined && s !== undefined && s.length > ndim) {
    throw outOfRange(
      `options.s must have at most ${shape.length} elements for the shape [${shape.join()}], received [${s.join()}]`,
    );
  }
  const count = s === undefined ? ndim : s.length;
  const list = axes ?? Array.from({ length: count }, (_, k) => ndim - count + k);
  const checked = checkAxes(list, ndim, "options.axes");
  if (s !== undefined && s.length !== checked.length) {
    throw outOfRange(`options.s must have ${checked.length} elements, one for each axis, received ${s.length}`);
  }
  const lengths = checked.map((_, k) => (s === undefined ? undefined : checkInteger(s[k], `options.s[${k}]`, 1)));
  return { axes: checked, s: lengths, norm: checkNorm(norm) };
}

/** A number of elements of at least one: along an axis without elements there is nothing to transform. */
export function checkLength(length: number, axis: number, shape: readonly number[]): number {
  if (length > 0) return length;
  throw outOfRange(
    `axis ${axis} of the shape [${shape.join()}] must have at least one element to transform, received ${length}; set the length with options`,
  );
}

/** The name of a factor's place. */
function checkNorm(norm: unknown): FourierNorm {
  if (norm === undefined) return "backward";
  if (norm === "backward" || norm === "ortho" || norm === "forward") return norm;
  throw rangeError("options.norm", '"backward", "ortho" or "forward"', norm);
}

/** Returns the direction and scale of a transform of a length. */
export function directionOf(inverse: boolean, norm: FourierNorm, length: number): Direction {
  if (norm === "ortho") return { inverse, scale: 1 / Math.sqrt(length) };
  return { inverse, scale: (norm === "backward") === inverse ? 1 / length : 1 };
}

/** Returns the norm with forward and backward exchanged. */
export function swappedNorm(norm: FourierNorm): FourierNorm {
  if (norm === "ortho") return norm;
  return norm === "backward" ? "forward" : "backward";
}
