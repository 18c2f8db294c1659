/** Element-wise operations that are computed later. */
import type { ScalarValue, Expression } from "../expression/expression.js";
import type { ArrayLayout } from "../storage/array-layout.js";
import type { ArraySource } from "../storage/array-ref.js";
import type { Operand } from "../storage/operand.js";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";
import type { Size } from "./limits.js";
import type { Operation } from "./operation.js";

/** The result of an operation that is computed later. */
export abstract class RecordedValue implements Operation {
  readonly xp: ArraySource;
  readonly expressions: readonly Expression[];
  readonly scalars: readonly ScalarValue[];
  readonly operands: readonly Operand[];
  readonly shape: readonly number[];
  readonly dtype: TypedDType<DTypeName>;
  readonly layout: ArrayLayout;
  /** Whether a kernel has computed the value without storing it. If it is needed again, it is stored. */
  wasInlined = false;
  /** Number of the last walk that visited the value, and its position among the values that the walk found. */
  walk = 0;
  position = 0;
  /** Whether the value has not been stored. */
  abstract readonly isPending: boolean;
  /** Size of the operation with all pending values that it depends on. */
  abstract readonly size: Size;
  /** Whether no value that it depends on is used twice. Its number of operations is then exact. */
  abstract readonly isChain: boolean;

  constructor(
    { xp, expressions, scalars, operands, shape }: Operation,
    dtype: TypedDType<DTypeName>,
    layout: ArrayLayout,
  ) {
    this.xp = xp;
    this.expressions = expressions;
    this.scalars = scalars;
    this.operands = operands;
    this.shape = shape;
    this.dtype = dtype;
    this.layout = layout;
  }

  /** Computes the value from operands that have been computed. */
  abstract computeAlone(): void;
}

let walks = 0;

/** Returns the number of a new walk through recorded values. */
export function nextWalk(): number {
  return ++walks;
}

/** Returns the position of an operand in a list, to which it is added if it is new. */
export function indexOf(operand: Operand, operands: Operand[]): number {
  for (let k = 0; k < operands.length; k++) if (isSame(operand, operands[k] as Operand)) return k;
  return operands.push(operand) - 1;
}

function isSame(one: Operand, other: Operand): boolean {
  if (one === other) return true;
  const [{ strides, offset }, { layout }] = [one.layout, other];
  if (one.storage !== other.storage || one.dtype !== other.dtype || offset !== layout.offset) return false;
  return strides.every((stride, axis) => stride === layout.strides[axis]);
}
