/** Migration of memory objects to a device or the host before they are needed there. */
import { checkFlags, checkInstance, checkList, checkOptions, typeError } from "@cl/base";

import { MemMigrationFlags } from "../binding/constants.js";
import { type CommandEvent, eventOf, type WaitFor, waitHandles } from "../event/event.js";
import { isKernelArgument, type KernelArgument, kernelArgument } from "../argument/kernel-argument.js";
import { MemoryObject } from "../memory/memory-object.js";
import { type Handle, native } from "../binding/native.js";
import type { QueueBase } from "../queue/queue-base.js";
import { handleOf } from "../binding/resource.js";

/** Options for a migration. */
export interface MigrateOptions {
  /**
   * `MemMigrationFlags`; 0 migrates the memory and its contents to the queue's device.
   * @defaultValue 0
   */
  readonly flags?: number;
  /** Events that the command waits for. */
  readonly waitFor?: WaitFor;
}

/** A memory object, or a kernel argument that stands for one, such as a pooled buffer or an array. */
export type MemoryLike = MemoryObject | KernelArgument;

/** Migrates memory objects to the queue's device, or to the host with `MemMigrationFlags.HOST`. */
export function enqueueMigrate(
  queue: QueueBase,
  memories: MemoryLike | readonly MemoryLike[],
  options?: MigrateOptions,
): CommandEvent {
  const several = Array.isArray(memories);
  const list = (several ? checkList(memories, "memories", "memory objects") : [memories]) as readonly MemoryLike[];
  if (list.length === 0) throw typeError("memories", "at least one memory object", memories);
  const handles = Int32Array.from(list, (memory, i) =>
    handleOf(memoryOf(memory, several ? `memories[${i}]` : "memories")),
  );
  const { flags = 0, waitFor } = checkOptions(options, ["flags", "waitFor"]);
  checkFlags(flags, "options.flags");
  if ((flags & ~(MemMigrationFlags.HOST | MemMigrationFlags.CONTENT_UNDEFINED)) !== 0) {
    throw typeError("options.flags", "a combination of MemMigrationFlags", flags);
  }
  return eventOf(native.migrate(handleOf(queue), handles, flags, waitHandles(waitFor), true) as Handle, queue);
}

function memoryOf(value: MemoryLike, name: string): MemoryObject {
  if (!(value instanceof MemoryObject) && isKernelArgument(value)) {
    const argument = value[kernelArgument]();
    if ("memory" in argument) return checkInstance(argument.memory, MemoryObject, name);
  }
  return checkInstance(value, MemoryObject, name);
}
