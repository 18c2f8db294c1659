/**
 * Memory for the parts of reductions whose last work-item combines them. It belongs to an in-order queue, whose reductions run one
 * after another, and it is kept: the counter must be 0 before each launch, and each launch leaves it 0.
 */
import { memoizePerObject } from "@cl/base";
import { type CommandQueue, DeviceBuffer } from "@cl/core";

/** The parts of one reduction, and how many of them are complete. */
export interface PartsMemory {
  readonly partial: DeviceBuffer;
  readonly done: DeviceBuffer;
}

/** Minimum number of bytes for parts, so that few sizes are allocated. */
const minBytes = 4096;

const kept = memoizePerObject<CommandQueue, { memory: PartsMemory | undefined }>(() => ({ memory: undefined }));

/** Returns a queue's memory for parts of this many bytes in total. */
export function partsMemory(queue: CommandQueue, bytes: number): PartsMemory {
  const own = kept(queue);
  if (own.memory === undefined || own.memory.partial.size < bytes) {
    own.memory = {
      partial: new DeviceBuffer(queue.context, Math.max(bytes, minBytes)),
      done: DeviceBuffer.from(queue.context, new Int32Array(1)),
    };
  }
  return own.memory;
}
