/**
 * The short way of reductions: arrays that are reduced as others of the same shape were before, which lay the same. What such a
 * call comes to is found by one string, and nothing is checked, compared or collapsed again.
 */
import type { AnyArray } from "../array/any-array.js";
import type { Arrays } from "../array/arrays.js";
import type { DeviceArray } from "../array/device-array.js";
import type { ArrayLayout } from "../storage/array-layout.js";
import { Storage } from "../storage/storage.js";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";
import { launchReduction, type PreparedReduction } from "./launch-reduction.js";
import type { ArrayReduction, ReduceOptions } from "./reduce-array.js";

/** What a call came to. */
interface Memo {
  readonly prepared: PreparedReduction;
  readonly dtype: TypedDType<DTypeName>;
  readonly layout: ArrayLayout;
  readonly bytes: number;
}

/** So many are kept; then they are collected anew. */
const most = 512;
const memos = new WeakMap<Arrays, Map<string, Memo>>();

/** What tells a call from others, or undefined where the short way does not go. */
export function keyOfCall(
  { reduction, value, inputs, dtype }: ArrayReduction,
  { axis, keepDims, out, where }: ReduceOptions & { readonly where?: AnyArray | undefined },
): string | undefined {
  if (out !== undefined || where !== undefined) return undefined;
  if (axis !== undefined && typeof axis !== "number" && !Array.isArray(axis)) return undefined;
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
export function reduceAgain(key: string, { inputs, scalars = [] }: ArrayReduction): DeviceArray | undefined {
  const [{ xp }] = inputs;
  const memo = memos.get(xp)?.get(key);
  if (memo === undefined || memo.prepared.reduce.released) return undefined;
  const storages = inputs.map((array) => array.operand().storage);
  const memory = storages.map((storage) => storage.memory);
  const reads = storages.length > 1 ? [...new Set(storages)] : storages;
  const result = xp.wrap(new Storage(xp.allocator, memo.bytes), memo.dtype, memo.layout);
  const values = scalars.map(({ value }) => value);
  try {
    launchReduction(xp, memo.prepared, { memory, reads, values, target: result.operand().storage });
  } catch (error) {
    result.release();
    throw error;
  }
  return result;
}

/** Notes what a call came to. */
export function noteCall(key: string, result: AnyArray, prepared: PreparedReduction): void {
  const { xp, dtype, nbytes } = result;
  let own = memos.get(xp);
  if (own === undefined) memos.set(xp, (own = new Map<string, Memo>()));
  if (own.size >= most) own.clear();
  own.set(key, { prepared, dtype, layout: result.operand().layout as ArrayLayout, bytes: nbytes });
}
