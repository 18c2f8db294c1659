/** Fills and migrations of shared virtual memory. */
import { byteLengthOf, checkFlags, checkList, checkOptions, rangeError, typeError } from "@cl/base";

import { MemMigrationFlags } from "../binding/constants.js";
import { native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import { type CommandEvent, eventOf, waitHandles } from "../event/event.js";
import type { QueueBase } from "../queue/queue-base.js";
import { type FillOptions, type FillPattern, fillRange } from "./fill.js";
import type { MigrateOptions } from "./migrate.js";
import { enqueueEmptyTransfer } from "./transfer-end.js";
import { isSvm, type SvmPointer } from "../svm/svm-pointer.js";

/** Fills shared virtual memory with a repeated pattern, which is copied immediately. */
export function enqueueSvmFill(
  queue: QueueBase,
  svm: SvmPointer,
  pattern: FillPattern,
  options?: FillOptions,
): CommandEvent {
  const handle = handleOf(checkSvm(svm, "svm"));
  const given = checkOptions(options, ["offset", "bytes", "waitFor"]);
  const { patternBytes, offset, bytes } = fillRange(svm, pattern, given, "memory");
  const waits = waitHandles(given.waitFor);
  if (bytes === 0) return eventOf(enqueueEmptyTransfer(queue, waits), queue);
  const unit = byteLengthOf(patternBytes);
  const misalignment = Number((svm.pointer + BigInt(offset)) % BigInt(unit));
  if (misalignment !== 0) {
    throw rangeError(
      "options.offset",
      `an offset at which the address is a multiple of the pattern's ${unit} bytes`,
      offset,
    );
  }
  const start = svm.byteOffset + offset;
  return eventOf(native.svmFill(handleOf(queue), handle, patternBytes, start, bytes, waits), queue);
}

/** Migrates shared virtual memory to the queue's device, or to the host with `MemMigrationFlags.HOST`. */
export function enqueueSvmMigrate(
  queue: QueueBase,
  svms: SvmPointer | readonly SvmPointer[],
  options?: MigrateOptions,
): CommandEvent {
  const several = Array.isArray(svms);
  const list = (several ? checkList(svms, "svms", "shared memory") : [svms]) as readonly SvmPointer[];
  if (list.length === 0) throw typeError("svms", "at least one SvmAllocation or Svm", svms);
  list.forEach((svm, i) => checkSvm(svm, several ? `svms[${i}]` : "svms"));
  const { flags = 0, waitFor } = checkOptions(options, ["flags", "waitFor"]);
  checkFlags(flags, "options.flags");
  if ((flags & ~(MemMigrationFlags.HOST | MemMigrationFlags.CONTENT_UNDEFINED)) !== 0) {
    throw typeError("options.flags", "a combination of MemMigrationFlags", flags);
  }
  const waits = waitHandles(waitFor);
  // A size of 0 would select the whole allocation.
  const nonEmpty = list.filter((svm) => handleOf(svm) !== 0 && svm.size > 0);
  if (nonEmpty.length === 0) return eventOf(enqueueEmptyTransfer(queue, waits), queue);
  const ranges = BigUint64Array.from(nonEmpty.flatMap((svm) => [BigInt(svm.byteOffset), BigInt(svm.size)]));
  return eventOf(native.svmMigrate(handleOf(queue), Int32Array.from(nonEmpty, handleOf), ranges, flags, waits), queue);
}

/** Throws unless `value` is shared virtual memory. */
export function checkSvm<S extends SvmPointer>(value: S, name: string): S {
  if (!isSvm(value)) throw typeError(name, "an SvmAllocation or an Svm", value);
  return value;
}
