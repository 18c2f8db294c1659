/** What operators take: arrays, scalars and lists, and a place for the result. */
import type { ListOperand } from "../types/list-type.js";
import type { WeakScalar } from "../types/promote.js";
import type { AnyArray } from "./array-ref.js";

/** Where an operation stores its result. */
export interface OutOptions {
  /**
   * An existing array to store the result in. Its shape must be the result's and its dtype must be able to hold the
   * values; it may be an operand.
   * @defaultValue a new array
   */
  readonly out?: AnyArray;
}

/** An operand: an array of the same context, or a scalar, which takes the array's dtype where it fits. */
export type OperandLike = AnyArray | WeakScalar;

/** An operand of operators: also a list of values, which becomes an array of the dtype that NumPy gives it. */
export type OperandOrList = OperandLike | ListOperand;
