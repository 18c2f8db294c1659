/** Eager scans of arrays: validates options, allocates the result, and enqueues the kernels. */
import { broadcastLayout, checkBoolean, wrongType } from "@cl/base";
import type { AnyArray } from "../array/any-array.js";
import { assign, sharesOtherPlaces } from "../array/assign.js";
import { checkArray, checkOut } from "../array/check-array.js";
import { checkAxis } from "../array/check-axes.js";
import type { DeviceArray } from "../array/device-array.js";
import { type Expression, nodesOf, type ScalarValue } from "../expression/expression.js";
import { isStandIn } from "../fuse/trace.js";
import type { Operand } from "../kernels/operand.js";
import type { Reduction } from "../reductions/reduction.js";
import { checkComputable } from "../types/capabilities.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { canRun, runScan } from "./run-scan.js";
import { noteScan, repeatScan } from "./repeat-scan.js";

/** Options of scans. */
export interface ScanOptions {
  /**
   * The axis; a negative one counts from the last.
   * @defaultValue the array is flattened
   */
  readonly axis?: number | undefined;
  /**
   * An existing array to store the result in. Its shape must be the result's and its dtype must be able to hold the
   * values.
   * @defaultValue a new array
   */
  readonly out?: AnyArray | undefined;
  /**
   * If true, an element's result excludes the element itself; the first result is the identity.
   * @defaultValue false
   */
  readonly exclusive?: boolean | undefined;
  /**
   * If true, scans from the end.
   * @defaultValue false
   */
  readonly reverse?: boolean | undefined;
  /**
   * Boolean array, broadcast to the array's shape: true starts a new segment, in which preceding elements do not count.
   * With `reverse`, these are the following ones.
   */
  readonly starts?: AnyArray | undefined;
}

/** What is to be computed. */
export interface ArrayScan {
  readonly reduction: Reduction;
  /** Of the inputs, by their numbers. */
  readonly value: Expression;
  /** The first one has the shape; the others are broadcast to it. */
  readonly inputs: readonly [AnyArray, ...AnyArray[]];
  readonly scalars?: readonly ScalarValue[];
}

/** Scans. */
export function scanArray<R extends DTypeName>(what: ArrayScan, options: ScanOptions): DeviceArray<R> {
  const standIn = what.inputs.find((one) => isStandIn(one));
  if (standIn !== undefined) return standIn.trace.scan(what, options) as DeviceArray<R>;
  const again = repeatScan(what, options);
  if (again !== undefined) return again as DeviceArray<R>;
  const { reduction, value, scalars = [] } = what;
  const [array, ...others] = what.inputs as readonly [DeviceArray, ...DeviceArray[]];
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

  const views: DeviceArray[] = [];
  /** Registers a temporary view or copy, to be released. */
  const own = (view: DeviceArray): DeviceArray => {
    views.push(view);
    return view;
  };
  /** As lines along the axis, in the order in which they are gone through. */
  const placed = (one: DeviceArray, isFlat: boolean): DeviceArray => {
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
    const into = placed(result as DeviceArray, false);
    const run = (place: DeviceArray): void => {
      const operands = (): readonly Operand[] => inputs.map((input) => input.operand());
      for (const [k, input] of inputs.entries()) {
        const given = { inputs: [input.operand()], scalars: [], target: place.operand() };
        if (!canRun(given, along)) inputs[k] = own(input.copy());
      }
      const lines = runScan(xp, task, { inputs: operands(), scalars, target: place.operand() }, along);
      if (lines !== undefined && place === result) noteScan(what, options, place, lines);
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
  return result as DeviceArray<R>;
}

/** An array without axes is a line of one element. */
function checkScanAxis(axis: unknown, ndim: number): number {
  return ndim === 0 && (axis === 0 || axis === -1) ? 0 : checkAxis(axis, ndim, "options.axis");
}

function checkStarts(value: AnyArray, array: DeviceArray): DeviceArray<"bool"> {
  const starts = checkArray(value, array.xp, "options.starts");
  if (starts.dtype.name !== "bool") {
    throw wrongType(`options.starts must be an array of bool, received ${starts.dtype.name}`);
  }
  // Throws a sentence where it cannot be.
  broadcastLayout(starts.operand().layout, array.shape, "the array's shape");
  return starts as DeviceArray<"bool">;
}
