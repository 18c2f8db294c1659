/** Array factories with separate memory pools. */
import { CommandQueue } from "@cl/core";
import { type Arrays, arrays } from "@cl/array";
import { ImmediateAllocator, MemoryPool } from "@cl/tools";

import { context } from "./device.js";

/** Returns an array factory with its own pool, on a new queue by default. */
export function pooled(
  queue = new CommandQueue(context),
  maxBytes = Infinity,
): { readonly pool: MemoryPool; readonly xp: Arrays } {
  const pool = new MemoryPool(new ImmediateAllocator(queue), { maxBytes });
  return { pool, xp: arrays(queue, { allocator: pool }) };
}
