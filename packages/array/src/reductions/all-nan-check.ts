/** The check of `nanargmin` and `nanargmax` that each slice has an element that is not NaN. */
import { contiguousAs, firstOf } from "../elementwise/contiguous-as.js";
import { faultNotes, noteFault } from "../faults/device-faults.js";
import { allNanFault, reductionNumber, type ReductionRoutine } from "../faults/reduction-faults.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered, wholeGroups } from "../kernels/launch.js";
import { macros } from "../kernels/macros.js";
import type { AnyArray } from "../storage/array-ref.js";
import source from "./all-nan-check.cl";

/** Notes a fault if one of the places is -1. The next operation that waits throws it. */
export function checkPlaces(result: AnyArray, routine: ReductionRoutine): void {
  if (result.size === 0) return;
  using places = contiguousAs(result, "int64");
  const { xp } = result;
  const kernel = kernelOf(xp.queue.context, "all_nan_check", "all_nan_check", () =>
    [macros({ ALL_NAN_FAULT: allNanFault }), noteFault, source].join(""),
  );
  const notes = faultNotes(xp);
  const { storage } = places.operand();
  launchOrdered(
    xp.queue,
    kernel,
    wholeGroups(xp.queue.device, places.size),
    [storage.memory, firstOf(places), BigInt(places.size), notes.memory, reductionNumber(routine)],
    [storage, notes],
    [],
  );
}
