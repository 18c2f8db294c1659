/** The fast path of scans: contiguous arrays of shapes seen before. */
import { memoizePerObject } from "@cl/base";
import type { CommandQueue } from "@cl/core";
import type { ArrayScan, ScanOptions } from "../expression/passes.js";
import { LaunchPlans, type PlanKey } from "../kernels/launch-plans.js";
import { isPending } from "../lazy/combined-pass.js";
import type { ArrayLayout } from "../storage/array-layout.js";
import type { ArrayRef, ArraySource } from "../storage/array-ref.js";
import { isArray, isPromised } from "../storage/check-array.js";
import { filled } from "../storage/filled.js";
import { newArray } from "../storage/new-array.js";
import type { Operand } from "../storage/operand.js";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";
import { launchLines, type PreparedLines } from "./run-scan.js";

/** The launch of a scan, and its result. */
interface KnownScan {
  readonly lines: PreparedLines;
  readonly dtype: TypedDType<DTypeName>;
  readonly layout: ArrayLayout;
}

const scansOf = memoizePerObject<CommandQueue, LaunchPlans<KnownScan>>(() => new LaunchPlans(256));

/** A call whose plan can be reused. */
export interface RepeatableScan {
  readonly key: PlanKey;
  /** The operands: the array, and `out` if given. */
  readonly operands: readonly [Operand, Operand?];
}

/** Returns what the plan of a call depends on; `undefined` if it cannot be reused. */
export function repeatable(
  operation: PlanKey,
  inputs: ArrayScan["inputs"],
  { axis, out, exclusive, reverse, starts }: ScanOptions,
): RepeatableScan | undefined {
  const [source] = inputs;
  if (inputs.length > 1 || !source.isDense || source.size === 0 || isPending(source)) return undefined;
  if (starts !== undefined || reverse !== undefined) return undefined;
  if (axis !== undefined && typeof axis !== "number") return undefined;
  if (exclusive !== undefined && typeof exclusive !== "boolean") return undefined;
  const key = [...operation, axis, exclusive === true];
  const operand = source.operand();
  if (out === undefined) return { key, operands: [operand] };
  if (!isArray(out) || out.xp !== source.xp || out.readonly) return undefined;
  const target = out.operand();
  target.storage.computeReaders();
  // If elements become wider or narrower in place, all must be read before the first result is stored.
  const isPlain = out.isDense && !target.storage.meets(operand.storage) && !isPromised(out);
  return isPlain ? { key, operands: [operand, target] } : undefined;
}

/** Returns the result if such a call was noted. */
export function repeatScan(
  xp: ArraySource,
  { key, operands }: RepeatableScan,
  out: ArrayRef | undefined,
): ArrayRef | undefined {
  const known = scansOf(xp.queue).find(key, operands as readonly Operand[]);
  if (known === undefined) return undefined;
  const { lines, dtype, layout } = known;
  const launch = (target: ArrayRef): void => {
    launchLines(xp, lines, [operands[0].storage], [], target.operand().storage);
  };
  if (out === undefined) return filled(newArray(xp, dtype, layout), launch);
  launch(out);
  return out;
}

/** Stores the plan of a call that filled `result` itself. */
export function noteScan({ key, operands }: RepeatableScan, result: ArrayRef, lines: PreparedLines): void {
  const { xp, dtype } = result;
  const layout = result.operand().layout as ArrayLayout;
  if (layout.isDense) scansOf(xp.queue).keep(key, operands as readonly Operand[], { lines, dtype, layout });
}
