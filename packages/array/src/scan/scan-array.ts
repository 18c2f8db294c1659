/** Eager scans of arrays: validates options, allocates the result, and enqueues the kernels. */
import { broadcastLayout, checkBoolean, wrongType } from "@cl/base";
import { assign, sharesOtherPlaces } from "../elementwise/assign.js";
import { checkArray, checkOut } from "../storage/check-array.js";
import { checkAxis } from "../shapes/check-axes.js";
import { nodesOf } from "../expression/expression.js";
import { isStandIn } from "../tracing/trace.js";
import type { PlanKey } from "../kernels/launch-plans.js";
import type { Operand } from "../storage/operand.js";
import { checkComputable } from "../types/capabilities.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { canRun, runScan } from "./run-scan.js";
import { isPending, withCombined } from "../lazy/combined-pass.js";
import { noteScan, repeatable, type RepeatableScan, repeatScan } from "./repeat-scan.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import type { ArrayScan, ScanOptions } from "../expression/passes.js";

/** Scans. */
export function scanArray<R extends DTypeName>(what: ArrayScan, options: ScanOptions): ArrayRef<R> {
  if (what.scalars !== undefined) return scanAnew(what, options, undefined) as ArrayRef<R>;
  return scanBy([what.reduction.key, what.value], what.inputs, options, () => what);
}

/**
 * Scans inputs as `describe` says, which is not called if plans are known. Calls with the same operation may differ in the
 * inputs and options. The description has no scalars.
 */
export function scanBy<R extends DTypeName>(
  operation: PlanKey,
  inputs: ArrayScan["inputs"],
  options: ScanOptions,
  describe: () => ArrayScan,
): ArrayRef<R> {
  const call = repeatable(operation, inputs, options);
  const repeated = call && repeatScan(inputs[0].xp, call, options.out);
  return (repeated ?? scanAnew(describe(), options, call)) as ArrayRef<R>;
}

function scanAnew(what: ArrayScan, options: ScanOptions, call: RepeatableScan | undefined): ArrayRef {
  const standIn = what.inputs.find((one) => isStandIn(one));
  if (standIn !== undefined) return standIn.trace.scan(what, options);
  if (what.inputs.some(isPending)) {
    return withCombined(what, options.out === undefined, {
      run: (combined) => scanArray({ ...what, ...combined }, options),
    });
  }
  const { reduction, value, scalars = [] } = what;
  const [array, ...others] = what.inputs as readonly [ArrayRef, ...ArrayRef[]];
  const { xp } = array;
  const { name, result: type } = reduction;
  for (const { dtype } of [...nodesOf([value]), { dtype: type }]) {
    checkComputable(xp.queue.device, typeNamed(dtype).base.name as DTypeName, name);
  }
  const exclusive = checkBoolean(options.exclusive, "options.exclusive", false);
  const reverse = checkBoolean(options.reverse, "options.reverse", false);
  const axis = options.axis === undefined ? undefined : checkScanAxis(options.axis, array.ndim);
  const shape = axis === undefined || array.ndim === 0 ? [array.size] : array.shape;
  const starts = options.starts === undefined ? undefined : checkStarts(options.starts, array);
  const target = options.out === undefined ? undefined : checkOut(options.out, xp, shape, type, name);

  const views: ArrayRef[] = [];
  /** Registers a temporary view or copy, to be released. */
  const own = (view: ArrayRef): ArrayRef => {
    views.push(view);
    return view;
  };
  /** As lines along the axis, in the order in which they are gone through. */
  const placed = (one: ArrayRef, isFlat: boolean): ArrayRef => {
    const line = isFlat && (axis === undefined || one.ndim === 0) ? own(one.ravel()) : one;
    return reverse ? own(line.flip(axis ?? 0)) : line;
  };
  const result = target ?? xp.empty(shape, { dtype: type });
  try {
    const inputs = [placed(array, true)];
    for (const one of others) inputs.push(placed(own(one.broadcastTo(array.shape)), true));
    if (starts !== undefined) inputs.push(placed(own(starts.broadcastTo(array.shape)), true));
    const along = axis ?? 0;
    const task = { reduction, value, exclusive, starts: starts === undefined ? undefined : what.inputs.length };
    const into = placed(result, false);
    const run = (place: ArrayRef): void => {
      const operands = (): readonly Operand[] => inputs.map((input) => input.operand());
      for (const [k, input] of inputs.entries()) {
        const given = { inputs: [input.operand()], scalars: [], target: place.operand() };
        if (!canRun(given, along)) inputs[k] = own(input.copy());
      }
      const lines = runScan(xp, task, { inputs: operands(), scalars, target: place.operand() }, along);
      if (call !== undefined && lines !== undefined && place === result) noteScan(call, place, lines);
    };
    const place = into.operand();
    const fits =
      canRun({ inputs: [], scalars: [], target: place }, along) &&
      inputs.every((input) => !sharesOtherPlaces(input.operand(), place));
    if (fits) {
      run(into);
    } else {
      const temporary = own(xp.empty<DTypeName>(shape, { dtype: type }));
      run(temporary);
      assign(into, temporary);
    }
  } catch (error) {
    if (target === undefined) result.release();
    throw error;
  } finally {
    for (const view of views) view.release();
  }
  return result;
}

/** An array without axes is a line of one element. */
function checkScanAxis(axis: unknown, ndim: number): number {
  return ndim === 0 && (axis === 0 || axis === -1) ? 0 : checkAxis(axis, ndim, "options.axis");
}

function checkStarts(value: AnyArray, array: ArrayRef): ArrayRef<"bool"> {
  const starts = checkArray(value, array.xp, "options.starts");
  if (starts.dtype.name !== "bool") {
    throw wrongType(`options.starts must be an array of bool, received ${starts.dtype.name}`);
  }
  // Throws a sentence where it cannot be.
  broadcastLayout(starts.operand().layout, array.shape, "the array's shape");
  return starts as ArrayRef<"bool">;
}
