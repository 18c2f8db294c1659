/** The fast path of reductions: arrays of a shape and layout seen before. */
import { maxAxes } from "@cl/base";
import { filled } from "../storage/filled.js";
import { KnownCalls, resultOf } from "../elementwise/known-calls.js";
import { launchReduction, type PreparedReduction } from "./launch-reduction.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import type { ArrayReduction, ReduceOptions } from "../expression/passes.js";

const calls = new KnownCalls<PreparedReduction>(512);

/** What tells a call from others, or undefined where the short way does not go. */
export function keyOfCall(
  { reduction, value, inputs, dtype }: ArrayReduction,
  { axis, keepDims, out, where }: ReduceOptions & { readonly where?: AnyArray | undefined },
): string | undefined {
  if (out !== undefined || where !== undefined) return undefined;
  const isList = Array.isArray(axis) && axis.length <= maxAxes;
  if (axis !== undefined && typeof axis !== "number" && !isList) return undefined;
  const [first] = inputs;
  let key = `${reduction.key}|${value.id}|${dtype ?? ""}|${String(axis)}|${String(keepDims)}`;
  for (const array of inputs) {
    if (array.xp !== first.xp || array.size === 0) return undefined;
    key += `|${array.shape.join()}`;
    if (array.isDense) continue;
    const { strides, offset } = array.operand().layout;
    key += `;${strides.join()};${offset}`;
  }
  return key;
}

/** The result, if such a call was noted. */
export function repeatReduction(key: string, { inputs, scalars = [] }: ArrayReduction): ArrayRef | undefined {
  const [{ xp }] = inputs;
  const known = calls.find(xp, key);
  if (known === undefined) return undefined;
  const storages = inputs.map((array) => array.operand().storage);
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
