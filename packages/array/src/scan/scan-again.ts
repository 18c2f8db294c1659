/**
 * The short way of scans: arrays without gaps that are scanned as others of the same shape were before. What such a call comes
 * to is found by one string, and nothing is checked or collapsed again.
 */
import type { AnyArray } from "../array/any-array.js";
import { isArray, isPromised } from "../array/check-array.js";
import type { Arrays } from "../array/arrays.js";
import type { DeviceArray } from "../array/device-array.js";
import type { ArrayLayout } from "../storage/array-layout.js";
import { Storage } from "../storage/storage.js";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";
import { launchLines, type PreparedLines } from "./run-scan.js";
import type { ArrayScan, ScanOptions } from "./scan-array.js";

interface Memo {
  readonly lines: PreparedLines;
  readonly dtype: TypedDType<DTypeName>;
  readonly layout: ArrayLayout;
  readonly bytes: number;
}

/** So many are kept; then they are collected anew. */
const most = 256;
const memos = new WeakMap<Arrays, Map<string, Memo>>();

/** The result, if such a call was noted. */
export function scanAgain(what: ArrayScan, options: ScanOptions): AnyArray | undefined {
  const key = keyOf(what, options);
  if (key === undefined) return undefined;
  const array = what.inputs[0] as DeviceArray;
  const { xp } = array;
  const memo = memos.get(xp)?.get(key);
  if (memo === undefined || memo.lines.prepared.items.released) return undefined;
  const { storage } = array.operand();
  if (options.out !== undefined) {
    launchLines(xp, memo.lines, [storage], [], (options.out as DeviceArray).operand().storage);
    return options.out;
  }
  const result = xp.wrap(new Storage(xp.allocator, memo.bytes), memo.dtype, memo.layout);
  try {
    launchLines(xp, memo.lines, [storage], [], result.operand().storage);
  } catch (error) {
    result.release();
    throw error;
  }
  return result;
}

/** Notes what a call came to that filled `result` itself. */
export function noteScan(what: ArrayScan, options: ScanOptions, result: DeviceArray, lines: PreparedLines): void {
  const key = keyOf(what, options);
  if (key === undefined || !result.isDense) return;
  const { xp, dtype, nbytes } = result;
  let own = memos.get(xp);
  if (own === undefined) memos.set(xp, (own = new Map<string, Memo>()));
  if (own.size >= most) own.clear();
  own.set(key, { lines, dtype, layout: result.operand().layout as ArrayLayout, bytes: nbytes });
}

/** What tells a call from others, or undefined where the short way does not go. */
function keyOf({ reduction, value, inputs, scalars }: ArrayScan, options: ScanOptions): string | undefined {
  const { axis, out, exclusive, reverse, starts } = options;
  const source = inputs[0] as DeviceArray;
  if (inputs.length > 1 || scalars !== undefined) return undefined;
  if (starts !== undefined || reverse !== undefined || !source.isDense || source.size === 0) return undefined;
  if (axis !== undefined && typeof axis !== "number") return undefined;
  if (exclusive !== undefined && typeof exclusive !== "boolean") return undefined;
  let into = "";
  if (out !== undefined) {
    if (!isArray(out) || out.xp !== source.xp || out.readonly) return undefined;
    const target = out as DeviceArray;
    // Where elements become wider or narrower in place, they must all be read before.
    const isPlain = target.isDense && !target.operand().storage.meets(source.operand().storage) && !isPromised(target);
    if (!isPlain) return undefined;
    into = `${target.dtype.name}${target.shape.join()}`;
  }
  return `${reduction.key}|${value.id}|${axis ?? ""}|${exclusive === true ? "x" : ""}|${source.shape.join()}|${into}`;
}
