/** A scan of arrays: its operation and options. */
import type { Expression, ScalarValue } from "../expression/expression.js";
import type { Operand } from "../storage/operand.js";
import type { Reduction } from "../expression/reduction.js";
import type { DTypeName } from "../types/dtype-name.js";

/** What is computed of elements and of those before them. */
export interface ScanTask {
  /** The operation; its texts are those of the reduction that gives the last result. */
  readonly reduction: Reduction;
  /** What is combined, of the inputs. */
  readonly value: Expression;
  /** True if an element's result is of those before it only. */
  readonly exclusive: boolean;
  /** The input that is true where a segment begins. */
  readonly starts: number | undefined;
}

/** The inputs, values of the host, and the result; operands have one shape, and none shares bytes with others at another place. */
export interface ScanOperands {
  readonly inputs: readonly Operand[];
  readonly scalars: readonly ScalarValue[];
  readonly target: Operand;
}

/** Further dtypes and flags that the source depends on. */
export interface ScanTypes {
  readonly inputs: readonly DTypeName[];
  readonly target: DTypeName;
}
