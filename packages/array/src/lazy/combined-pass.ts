/** Reductions and scans of pending values, which compute the values themselves. */
import { broadcastLayout } from "@cl/base";
import type { Expression } from "../expression/expression.js";
import type { ArrayReduction } from "../expression/passes.js";
import type { AnyArray } from "../storage/array-ref.js";
import { withViews } from "../storage/filled.js";
import { typeNamed } from "../types/dtype-name.js";
import { combined } from "./pending-value.js";

/** What a reduction or scan reads. */
type PassInputs = Pick<ArrayReduction, "value" | "inputs" | "scalars">;

/** Returns whether the elements of an array have not been computed. */
export function isPending(array: AnyArray): boolean {
  return array.operand().storage.pending !== undefined;
}

/** Calls `run` with inputs of which none is pending: `value` computes the elements of pending inputs as far as possible. */
export function withCombined<R>(
  { value, inputs, scalars = [] }: PassInputs,
  run: (inputs: Required<PassInputs>) => R,
): R {
  const [{ xp, shape }] = inputs;
  const operands = inputs.map((array) => {
    const operand = array.operand();
    return { ...operand, layout: broadcastLayout(operand.layout, shape) };
  });
  const whole = combined({ xp, expressions: [value], scalars, operands, shape });
  for (const { storage } of whole.operands) storage.compute();
  const views = whole.operands.map(({ storage, dtype, layout }) => xp.wrap(storage, typeNamed(dtype), layout));
  return withViews(views, () =>
    run({
      value: whole.expressions[0] as Expression,
      scalars: whole.scalars,
      inputs: views as AnyArray[] as [AnyArray, ...AnyArray[]],
    }),
  );
}
