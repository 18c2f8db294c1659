/** The fast path of scans: contiguous arrays of a shape seen before. */
import { isArray, isPromised } from "../storage/check-array.js";
import { filled } from "../storage/filled.js";
import { KnownCalls, resultOf } from "../elementwise/known-calls.js";
import { launchLines, type PreparedLines } from "./run-scan.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import type { ArrayScan, ScanOptions } from "../expression/passes.js";

const calls = new KnownCalls<PreparedLines>(256);

/** The result, if such a call was noted. */
export function repeatScan(what: ArrayScan, options: ScanOptions): AnyArray | undefined {
  const key = keyOf(what, options);
  if (key === undefined) return undefined;
  const array = what.inputs[0];
  const { xp } = array;
  const known = calls.find(xp, key);
  if (known === undefined) return undefined;
  const { storage } = array.operand();
  if (options.out !== undefined) {
    launchLines(xp, known.prepared, [storage], [], options.out.operand().storage);
    return options.out;
  }
  return filled(resultOf(xp, known), (result) => {
    launchLines(xp, known.prepared, [storage], [], result.operand().storage);
  });
}

/** Stores the plan of a call that filled `result` itself. */
export function noteScan(what: ArrayScan, options: ScanOptions, result: ArrayRef, lines: PreparedLines): void {
  const key = keyOf(what, options);
  if (key !== undefined && result.isDense) calls.note(key, result, lines);
}

/** What tells a call from others, or undefined where the short way does not go. */
function keyOf({ reduction, value, inputs, scalars }: ArrayScan, options: ScanOptions): string | undefined {
  const { axis, out, exclusive, reverse, starts } = options;
  const source = inputs[0];
  if (inputs.length > 1 || scalars !== undefined) return undefined;
  if (starts !== undefined || reverse !== undefined || !source.isDense || source.size === 0) return undefined;
  if (axis !== undefined && typeof axis !== "number") return undefined;
  if (exclusive !== undefined && typeof exclusive !== "boolean") return undefined;
  let into = "";
  if (out !== undefined) {
    if (!isArray(out) || out.xp !== source.xp || out.readonly) return undefined;
    const target = out;
    target.operand().storage.computeReaders();
    // Where elements become wider or narrower in place, they must all be read before.
    const isPlain = target.isDense && !target.operand().storage.meets(source.operand().storage) && !isPromised(target);
    if (!isPlain) return undefined;
    into = `${target.dtype.name}${target.shape.join()}`;
  }
  return `${reduction.key}|${value.id}|${axis ?? ""}|${exclusive === true ? "x" : ""}|${source.shape.join()}|${into}`;
}
