/** Arrays of shared virtual memory by the names that other bindings use for them. */
import { checkFlags, checkOptions } from "@cl/base";

import { SvmMemFlags } from "../binding/constants.js";
import type { Context } from "../platform/context.js";
import type { ElementType } from "../dtype/host-array.js";
import type { TypedArray } from "../typed/index.js";
import { shapeOf, SvmArray, type SvmArrayLike, type SvmArrayOptions, typeOfLike } from "./svm-array.js";

/** What these functions leave to be said: their name or their flags say the rest. */
export type SvmEmptyOptions = Omit<SvmArrayOptions, "flags" | "kind" | "access" | "atomics">;

const emptyNames = ["order", "alignment", "queue", "label"] as const;

type Shape = number | readonly number[];

/**
 * An array that is not initialized, with flags of `SvmMemFlags`.
 *
 * @example
 * ```ts
 * const grid = svmEmpty(context, SvmMemFlags.READ_WRITE, [480, 640], Float32Array);
 * ```
 */
export function svmEmpty<T extends TypedArray>(
  context: Context,
  flags: number,
  shape: Shape,
  type: ElementType<T>,
  options?: SvmEmptyOptions,
): SvmArray<T> {
  checkFlags(flags, "flags");
  return new SvmArray(context, shape, type, {
    ...checkOptions(options, emptyNames),
    flags,
  });
}

/** {@link svmEmpty} with the shape, the order and the element type of another array. */
export function svmEmptyLike<T extends TypedArray>(
  context: Context,
  flags: number,
  like: SvmArrayLike<T>,
  options?: SvmEmptyOptions,
): SvmArray<T> {
  const given = checkOptions(options, emptyNames);
  const shape = shapeOf(like);
  const order = like instanceof SvmArray ? like.order : "C";
  return svmEmpty(context, flags, shape, typeOfLike(like), { order, ...given });
}

/** An array of coarse-grained memory that is not initialized. */
export function csvmEmpty<T extends TypedArray>(
  context: Context,
  shape: Shape,
  type: ElementType<T>,
  options?: SvmEmptyOptions,
): SvmArray<T> {
  return svmEmpty(context, SvmMemFlags.READ_WRITE, shape, type, options);
}

/** {@link csvmEmpty} with the shape, the order and the element type of another array. */
export function csvmEmptyLike<T extends TypedArray>(
  context: Context,
  like: SvmArrayLike<T>,
  options?: SvmEmptyOptions,
): SvmArray<T> {
  return svmEmptyLike(context, SvmMemFlags.READ_WRITE, like, options);
}

const fine = SvmMemFlags.READ_WRITE | SvmMemFlags.SVM_FINE_GRAIN_BUFFER;

/** An array of fine-grained memory that is not initialized; its elements are in `data`. */
export function fsvmEmpty<T extends TypedArray>(
  context: Context,
  shape: Shape,
  type: ElementType<T>,
  options?: SvmEmptyOptions,
): SvmArray<T> {
  return svmEmpty(context, fine, shape, type, options);
}

/** {@link fsvmEmpty} with the shape, the order and the element type of another array. */
export function fsvmEmptyLike<T extends TypedArray>(
  context: Context,
  like: SvmArrayLike<T>,
  options?: SvmEmptyOptions,
): SvmArray<T> {
  return svmEmptyLike(context, fine, like, options);
}
