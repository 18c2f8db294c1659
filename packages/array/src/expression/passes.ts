/** Reductions and scans of arrays, before they run: what is reduced, and the options of methods. */
import type { AnyArray } from "../storage/array-ref.js";
import type { DTypeName } from "../types/dtype-name.js";
import type { WeakScalar } from "../types/promote.js";
import type { Expression, ScalarValue } from "./expression.js";
import type { Reduction } from "./reduction.js";

/** Options of reductions. */
export interface ReduceOptions {
  /**
   * The axis or axes to reduce; negative axes count from the last.
   * @defaultValue all axes
   */
  readonly axis?: number | readonly number[] | undefined;
  /**
   * If true, reduced axes are kept with length 1, so that the result broadcasts against the array.
   * @defaultValue false
   */
  readonly keepDims?: boolean | undefined;
  /**
   * An existing array to store the result in. Its shape must be the result's and its dtype must be able to hold the
   * values.
   * @defaultValue a new array
   */
  readonly out?: AnyArray | undefined;
}

/** Options of reductions with a condition. */
export interface WhereOptions {
  /** Boolean array, broadcast to the array's shape: only elements where it is true are included. */
  readonly where?: AnyArray | undefined;
}

/** Options of reductions with an initial value. */
export interface InitialOptions {
  /** Initial value of the reduction. With it, the minimum or maximum of no elements is defined. */
  readonly initial?: WeakScalar | undefined;
}

/** A reduction of arrays. */
export interface ArrayReduction {
  readonly reduction: Reduction;
  /** Of the inputs, by their numbers. */
  readonly value: Expression;
  readonly inputs: readonly [AnyArray, ...AnyArray[]];
  readonly scalars?: readonly ScalarValue[];
  /** The result's type, where it is another than the reduction's. */
  readonly dtype?: DTypeName;
  /** What it has no value of: nothing. */
  readonly needsElements?: boolean;
}

/** Options of scans. */
export interface ScanOptions {
  /**
   * The axis; a negative one counts from the last.
   * @defaultValue the array is flattened
   */
  readonly axis?: number | undefined;
  /**
   * An existing array to store the result in. Its shape must be the result's and its dtype must be able to hold the
   * values.
   * @defaultValue a new array
   */
  readonly out?: AnyArray | undefined;
  /**
   * If true, an element's result excludes the element itself; the first result is the identity.
   * @defaultValue false
   */
  readonly exclusive?: boolean | undefined;
  /**
   * If true, scans from the end.
   * @defaultValue false
   */
  readonly reverse?: boolean | undefined;
  /**
   * Boolean array, broadcast to the array's shape: true starts a new segment, in which preceding elements do not count.
   * With `reverse`, these are the following ones.
   */
  readonly starts?: AnyArray | undefined;
}

/** A scan of arrays. */
export interface ArrayScan {
  readonly reduction: Reduction;
  /** Of the inputs, by their numbers. */
  readonly value: Expression;
  /** The first one has the shape; the others are broadcast to it. */
  readonly inputs: readonly [AnyArray, ...AnyArray[]];
  readonly scalars?: readonly ScalarValue[];
}
