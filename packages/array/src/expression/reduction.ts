/** The operation of a reduction: an associative function with an identity, in OpenCL C. */
import type { DTypeName } from "../types/dtype-name.js";

/**
 * A reduction, apart from what is reduced. Its texts are expressions of OpenCL C over names of variables. Elements are
 * combined in an order that depends on shapes and on the device only, so `combine` must be associative and commutative.
 */
export interface Reduction {
  /** What it is called in messages. */
  readonly name: string;
  /** What tells it from others: reductions of one key have the same texts. */
  readonly key: string;
  /** Types and functions that the other texts need. */
  readonly functions: string;
  /** The type in which elements are combined, which may be a structure. */
  readonly accumulator: string;
  /** Bytes of such a value. */
  readonly accumulatorBytes: number;
  /** True if kernels need the extension for doubles for it. */
  readonly doubles: boolean;
  /** The identity element of the operation. */
  readonly identity: string;
  /** An element as an accumulator; `index` is its place among those that are reduced together, in C order. */
  readonly lift: (value: string, index: string) => string;
  /** Combines two accumulators. */
  readonly combine: (a: string, b: string) => string;
  /** The result, of `result`'s compute type; `count` is how many elements were reduced. */
  readonly finish: (accumulator: string, count: string) => string;
  /** What comes out. */
  readonly result: DTypeName;
  /** True if `lift` and `combine` are right for vectors of floats in place of floats, too. */
  readonly vectors: boolean;
  /** True if `lift` looks at the index. */
  readonly indexed: boolean;
}
