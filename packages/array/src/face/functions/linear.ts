/** Products over named axes, and linear algebra. */
import { checkInstance, memoizePerObject } from "@cl/base";
import { checkArray } from "../../storage/check-array.js";
import type { DTypeName } from "../../types/dtype-name.js";
import type { Promote } from "../../types/promote.js";
import type { PromotedDType } from "../../types/promoted-dtype.js";
import type { SumDType } from "../../reductions/result-types.js";
import type { TraceOptions } from "../methods/linear.js";
import { einsum } from "../../linear-algebra/einsum.js";
import { LinearAlgebra } from "../linear-algebra.js";
import { matmul } from "../../linear-algebra/matmul.js";
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
} from "../../linear-algebra/tensor-products.js";
import type { AnyArray } from "../../storage/array-ref.js";
import type { OutOptions } from "../../storage/operand-like.js";
import { Arrays, asDeviceArray, type DeviceArray } from "../../array/arrays.js";
import { addComputations } from "../../array/add-methods.js";

const algebras = memoizePerObject((xp: Arrays) => new LinearAlgebra(xp));

/** Linear algebra. */
class LinearFunctions {
  /** Returns the matrix product; see `DeviceArray.matmul`. */
  matmul<A extends DTypeName, B extends DTypeName>(
    this: Arrays,
    a: DeviceArray<A>,
    b: DeviceArray<B>,
    options?: OutOptions,
  ): DeviceArray<Promote<A, B>> {
    return asDeviceArray(matmul(checkArray(a as AnyArray, this, "a"), b, options, ["a", "b"]));
  }

  /**
   * Evaluates the Einstein summation convention. `"ij,jk->ik"` is a matrix product: letters label the axes of each
   * array, and labels that are not in the result are summed over. A label that is repeated within an array selects its
   * diagonal, `...` stands for all other axes, and without `->` the result has the labels that appear once, in
   * alphabetical order. Several arrays are contracted in pairs, in an order that keeps intermediate results small.
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
    this: Arrays,
    subscripts: string,
    operands: A,
    options?: OutOptions,
  ): DeviceArray<PromotedDType<A>> {
    return asDeviceArray(einsum(this, subscripts, operands, options));
  }

  /**
   * Returns the tensor product summed over axes of both arrays: by default the last of the first and the first of the
   * second.
   */
  tensordot<A extends DTypeName, B extends DTypeName>(
    this: Arrays,
    a: DeviceArray<A>,
    b: DeviceArray<B>,
    options?: TensordotOptions,
  ): DeviceArray<Promote<A, B>> {
    return asDeviceArray(tensordot(this, a, b, options));
  }

  /** Returns the inner product: sums of products over the last axes of both arrays. */
  inner<A extends DTypeName, B extends DTypeName>(
    this: Arrays,
    a: DeviceArray<A>,
    b: DeviceArray<B>,
    options?: OutOptions,
  ): DeviceArray<Promote<A, B>> {
    return asDeviceArray(inner(this, a, b, options));
  }

  /** Returns the outer product of the flattened arrays: a matrix. */
  outer<A extends DTypeName, B extends DTypeName>(
    this: Arrays,
    a: DeviceArray<A>,
    b: DeviceArray<B>,
    options?: OutOptions,
  ): DeviceArray<Promote<A, B>> {
    return asDeviceArray(outer(this, a, b, options));
  }

  /** Returns the Kronecker product: blocks of the second array, scaled by the elements of the first. */
  kron<A extends DTypeName, B extends DTypeName>(
    this: Arrays,
    a: DeviceArray<A>,
    b: DeviceArray<B>,
  ): DeviceArray<Promote<A, B>> {
    return asDeviceArray(kron(this, a, b));
  }

  /** Returns the dot products of vectors along one axis, the first one conjugated; other axes are broadcast. */
  vecdot<A extends DTypeName, B extends DTypeName>(
    this: Arrays,
    a: DeviceArray<A>,
    b: DeviceArray<B>,
    options?: VecdotOptions,
  ): DeviceArray<Promote<A, B>> {
    return asDeviceArray(vecdot(this, a, b, options));
  }

  /** Returns the cross products of vectors of three elements; other axes are broadcast. */
  cross<A extends DTypeName, B extends DTypeName>(
    this: Arrays,
    a: DeviceArray<A>,
    b: DeviceArray<B>,
    options?: CrossOptions,
  ): DeviceArray<Promote<A, B>> {
    return asDeviceArray(cross(this, a, b, options));
  }

  /** Returns the product of a chain of matrices, multiplied in the order with the fewest scalar multiplications. */
  multiDot<const A extends readonly AnyArray[]>(
    this: Arrays,
    operands: A,
    options?: OutOptions,
  ): DeviceArray<PromotedDType<A>> {
    return asDeviceArray(multiDot(this, operands, options));
  }

  /** Returns the sum along a diagonal; see `DeviceArray.trace`. */
  trace<A extends DTypeName, E extends DTypeName = SumDType<A>>(
    this: Arrays,
    a: DeviceArray<A>,
    options?: TraceOptions<E>,
  ): DeviceArray<E> {
    return (checkArray(a as AnyArray, this, "a") as DeviceArray<A>).trace(options);
  }

  /** Linear algebra: decompositions, solvers, norms. */
  get linalg(): LinearAlgebra {
    return algebras(checkInstance(this, Arrays, "this"));
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends LinearFunctions {}
}
addComputations(Arrays, LinearFunctions);
