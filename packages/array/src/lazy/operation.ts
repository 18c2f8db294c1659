/** Element-wise operations, as they are recorded and computed. */
import type { Expression, ScalarValue } from "../expression/expression.js";
import type { ArraySource } from "../storage/array-ref.js";
import type { Operand } from "../storage/operand.js";

/** An element-wise operation. */
export interface Operation {
  readonly xp: ArraySource;
  /** The results, of the operands and scalars by their numbers. */
  readonly expressions: readonly Expression[];
  readonly scalars: readonly ScalarValue[];
  /** The operands, broadcast to the shape. */
  readonly operands: readonly Operand[];
  readonly shape: readonly number[];
}
