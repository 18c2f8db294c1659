/** Strang splitting: operators along x, y and z for half a step each, then in the reverse order, which is second order in time. */
import { type Launcher, ListLauncher } from "@cl/launcher";

import { axes, type Axis, type Field } from "./field.js";

/** An operator that is applied along one axis at a time. */
export interface DirectionalOperator {
  /** Returns a launcher with the parameter `dt` that applies the operator for half a step. */
  along(axis: Axis, from: Field, to: Field): Launcher;
}

/** Returns a list with the parameter `dt` that applies the operators to `field`. `scratch` has the same shape. */
export function strangSplitting(operators: readonly DirectionalOperator[], field: Field, scratch: Field): ListLauncher {
  const order = axes.flatMap((axis) => operators.map((operator) => ({ axis, operator })));
  const list = new ListLauncher("Strang splitting");
  // The number of half steps is even, so the result is in `field` again.
  let [from, to] = [field, scratch];
  for (const { axis, operator } of [...order, ...order.toReversed()]) {
    list.push(operator.along(axis, from, to));
    [from, to] = [to, from];
  }
  return list;
}
