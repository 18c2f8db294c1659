/** Reductions and scans of pending values, which compute the values themselves. */
import { broadcastLayout } from "@cl/base";
import type { Expression } from "../expression/expression.js";
import type { ArrayReduction } from "../expression/passes.js";
import { leavesOut } from "../storage/attempt.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import { withViews } from "../storage/filled.js";
import { typeNamed } from "../types/dtype-name.js";
import type { Operation } from "./operation.js";
import { combined, holding, runCombined } from "./pending-value.js";

/** What a reduction or scan reads. */
type PassInputs = Pick<ArrayReduction, "value" | "inputs" | "scalars">;

/** Returns whether the elements of an array must be computed first. */
export function isPending(array: AnyArray): boolean {
  return array.operand().storage.pending !== undefined && !leavesOut();
}

/** What runs a reduction or scan whose inputs are not pending. */
interface Pass<R> {
  /** Runs an operation that is like an earlier one, without views of its operands; `undefined` if there was none. */
  readonly repeat?: (whole: Operation) => R | undefined;
  readonly run: (inputs: Required<PassInputs>) => R;
}

/**
 * Runs a pass with inputs of which none is pending: `value` computes the elements of pending inputs as far as possible. `isNew` tells
 * whether its result is a new array.
 */
export function withCombined<R extends ArrayRef>(
  { value, inputs, scalars = [] }: PassInputs,
  isNew: boolean,
  { repeat, run }: Pass<R>,
): R {
  const [{ xp, shape }] = inputs;
  const operands = inputs.map((array) => {
    const operand = array.operand();
    return array.shape === shape ? operand : { ...operand, layout: broadcastLayout(operand.layout, shape) };
  });
  const operation = { xp, expressions: [value], scalars, operands, shape };
  const runWhole = (whole: Operation): R => {
    for (const { storage } of whole.operands) storage.compute();
    const repeated = repeat?.(whole);
    if (repeated !== undefined) return repeated;
    const views = whole.operands.map(({ storage, dtype, layout }) => xp.wrap(storage, typeNamed(dtype), layout));
    return withViews(views, () =>
      run({
        value: whole.expressions[0] as Expression,
        scalars: whole.scalars,
        inputs: views as AnyArray[] as [AnyArray, ...AnyArray[]],
      }),
    );
  };
  if (isNew) return runCombined(operation, runWhole);
  const whole = combined(operation);
  return holding(whole, () => runWhole(whole));
}
