/** Products over axes by name, and linear algebra. */
import type { AnyArray } from "../array/any-array.js";
import type { OutOptions } from "../array/array-operators.js";
import { checkArray } from "../array/check-array.js";
import type { DeviceArray } from "../array/device-array.js";
import { ArraysSelection } from "../selection/arrays-selection.js";
import type { DTypeName } from "../types/dtype-name.js";
import type { Promote } from "../types/promote.js";
import type { Joined } from "../types/joined.js";
import type { Summed } from "../reductions/result-types.js";
import type { TraceOptions } from "./array-linear.js";
import { einsum } from "./einsum.js";
import { LinearAlgebra } from "./linear-algebra.js";
import { matmul } from "./matmul.js";
import {
  cross,
  type CrossOptions,
  inner,
  kron,
  multiDot,
  outer,
  tensordot,
  type TensordotOptions,
  vecdot,
  type VecdotOptions,
} from "./tensor-products.js";

/** The part of `Arrays` that has linear algebra. */
export abstract class ArraysLinear extends ArraysSelection {
  #linalg: LinearAlgebra | undefined;

  /** The product of matrices; see `DeviceArray.matmul`. */
  matmul<A extends DTypeName, B extends DTypeName>(
    a: DeviceArray<A>,
    b: DeviceArray<B>,
    options?: OutOptions,
  ): DeviceArray<Promote<A, B>> {
    return matmul(checkArray(a as AnyArray, this, "a"), b, options, ["a", "b"]);
  }

  /**
   * Sums of products over axes with names. `"ij,jk->ik"` is a product of matrices: letters name the axes of each array, and
   * those that the result does not have are summed up. A name that an array has twice is its diagonal, `...` stands for all
   * other axes, and without `->` the result has the names that are there once, in the order of the alphabet. Several arrays
   * are multiplied in pairs, in an order that keeps what is between small.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.arange(6, { dtype: "float32" }).reshape([2, 3]);
   * console.log(await xp.einsum("ij,kj->ik", [a, a]).toNested()); // [ [ 5, 14 ], [ 14, 50 ] ]
   * console.log(await xp.einsum("ij->j", [a]).data()); // Float32Array(3) [3, 5, 7]
   * ```
   */
  einsum<const A extends readonly AnyArray[]>(
    subscripts: string,
    operands: A,
    options?: OutOptions,
  ): DeviceArray<Joined<A>> {
    return einsum(this, subscripts, operands, options);
  }

  /** Sums of products over some axes of both arrays: the last of the first and the first of the second, or as said. */
  tensordot<A extends DTypeName, B extends DTypeName>(
    a: DeviceArray<A>,
    b: DeviceArray<B>,
    options?: TensordotOptions,
  ): DeviceArray<Promote<A, B>> {
    return tensordot(this, a, b, options);
  }

  /** Sums of products over the last axes of both arrays. */
  inner<A extends DTypeName, B extends DTypeName>(
    a: DeviceArray<A>,
    b: DeviceArray<B>,
    options?: OutOptions,
  ): DeviceArray<Promote<A, B>> {
    return inner(this, a, b, options);
  }

  /** Products of each element of the one with each of the other, both in C order: a matrix. */
  outer<A extends DTypeName, B extends DTypeName>(
    a: DeviceArray<A>,
    b: DeviceArray<B>,
    options?: OutOptions,
  ): DeviceArray<Promote<A, B>> {
    return outer(this, a, b, options);
  }

  /** Blocks of the second array, each multiplied with an element of the first. */
  kron<A extends DTypeName, B extends DTypeName>(a: DeviceArray<A>, b: DeviceArray<B>): DeviceArray<Promote<A, B>> {
    return kron(this, a, b);
  }

  /** Sums of products of vectors along one axis, the first conjugated; other axes are broadcast together. */
  vecdot<A extends DTypeName, B extends DTypeName>(
    a: DeviceArray<A>,
    b: DeviceArray<B>,
    options?: VecdotOptions,
  ): DeviceArray<Promote<A, B>> {
    return vecdot(this, a, b, options);
  }

  /** The vectors of three elements that stand on those of both arrays; other axes are broadcast together. */
  cross<A extends DTypeName, B extends DTypeName>(
    a: DeviceArray<A>,
    b: DeviceArray<B>,
    options?: CrossOptions,
  ): DeviceArray<Promote<A, B>> {
    return cross(this, a, b, options);
  }

  /** The product of a chain of matrices, multiplied in the order that needs the fewest multiplications. */
  multiDot<const A extends readonly AnyArray[]>(operands: A, options?: OutOptions): DeviceArray<Joined<A>> {
    return multiDot(this, operands, options);
  }

  /** The sum of a diagonal; see `DeviceArray.trace`. */
  trace<A extends DTypeName, E extends DTypeName = Summed<A>>(
    a: DeviceArray<A>,
    options?: TraceOptions<E>,
  ): DeviceArray<E> {
    return (checkArray(a as AnyArray, this, "a") as DeviceArray<A>).trace(options);
  }

  /** Decompositions of matrices, and what solves with them. */
  get linalg(): LinearAlgebra {
    return (this.#linalg ??= new LinearAlgebra(this));
  }
}
