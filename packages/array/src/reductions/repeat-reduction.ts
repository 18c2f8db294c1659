/** The fast path of reductions: arrays of a shape and layout seen before. */
import { isContiguous, type Layout, maxAxes } from "@cl/base";
import type { Expression, ScalarValue } from "../expression/expression.js";
import { ArrayLayout } from "../storage/array-layout.js";
import { filled } from "../storage/filled.js";
import { KnownCalls, resultOf } from "../elementwise/known-calls.js";
import { launchReduction, type PreparedReduction } from "./launch-reduction.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";
import type { Operand } from "../storage/operand.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import type { ArrayReduction, ReduceOptions } from "../expression/passes.js";

const calls = new KnownCalls<PreparedReduction>(512);

/** Options of a reduction that its plan depends on. */
type KeyOptions = ReduceOptions & { readonly where?: AnyArray | undefined };

/** Returns what distinguishes a call from others, or `undefined` if the fast path does not support it. */
export function keyOfCall(what: ArrayReduction, options: KeyOptions): string | undefined {
  const { inputs, value } = what;
  const [first] = inputs;
  if (inputs.some((array) => array.xp !== first.xp || array.size === 0)) return undefined;
  return keyOfOperands(
    what,
    options,
    value,
    inputs.map((array) => array.operand()),
  );
}

/** Returns the key of a call that reduces a value of these operands. */
export function keyOfOperands(
  { reduction, dtype }: ArrayReduction,
  { axis, keepDims, out, where }: KeyOptions,
  value: Expression,
  operands: readonly Operand[],
): string | undefined {
  if (out !== undefined || where !== undefined) return undefined;
  const isList = Array.isArray(axis) && axis.length <= maxAxes;
  if (axis !== undefined && typeof axis !== "number" && !isList) return undefined;
  let key = `${reduction.key}|${value.id}|${dtype ?? ""}|${String(axis)}|${String(keepDims)}`;
  for (const { layout, dtype: own } of operands) {
    key += `|${layout.shape.join()}`;
    if (!isDense(layout, own)) key += `;${layout.strides.join()};${layout.offset}`;
  }
  return key;
}

function isDense(layout: Layout, dtype: DTypeName): boolean {
  if (layout instanceof ArrayLayout) return layout.isDense;
  return layout.offset === 0 && isContiguous(layout, typeNamed(dtype).itemSize);
}

/** The result, if such a call was noted. */
export function repeatReduction(
  key: string,
  xp: ArraySource,
  operands: readonly Operand[],
  scalars: readonly ScalarValue[] = [],
): ArrayRef | undefined {
  const known = calls.find(xp, key);
  if (known === undefined) return undefined;
  const storages = operands.map(({ storage }) => storage);
  const memory = storages.map((storage) => storage.memory);
  const reads = storages.length > 1 ? [...new Set(storages)] : storages;
  const values = scalars.map(({ value }) => value);
  return filled(resultOf(xp, known), (result) => {
    launchReduction(xp, known.prepared, { memory, reads, values, target: result.operand().storage });
  });
}

/** Stores a call's plan. */
export function noteCall(key: string, result: AnyArray, prepared: PreparedReduction): void {
  calls.note(key, result, prepared);
}
