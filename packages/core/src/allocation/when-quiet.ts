/** Waiting for those who had lent memory before: their commands, and their arrays. */
import { setTimeout as sleep } from "node:timers/promises";

import { checkSignal } from "@cl/base";

import { native } from "../binding/native.js";
import { handleOf, type Resource } from "../binding/resource.js";

const mostInMs = 16;

/** Looks now and then: the commands are on queues of others, who may have released them. */
export async function whenQuiet(memory: Resource, signal: AbortSignal | undefined): Promise<void> {
  checkSignal(signal)?.throwIfAborted();
  for (let ms = 1; !native.isQuiet(handleOf(memory)); ms = Math.min(2 * ms, mostInMs)) {
    await sleep(ms, undefined, signal === undefined ? {} : { signal });
  }
}

const longestInMs = 5000;

/**
 * True when nothing but its handle reaches the memory any more: V8 lets go of a detached array in its own time, and of one
 * that a transfer reads when that is complete. False if that does not come about soon.
 */
export async function whenUnreached(memory: Resource): Promise<boolean> {
  let ms = 0;
  for (let waited = 0; waited < longestInMs; waited += ms) {
    await sleep(ms, undefined, { ref: false });
    if (memory.released) return false;
    if (!native.isReached(handleOf(memory))) return true;
    ms = Math.max(1, Math.min(2 * ms, mostInMs));
  }
  return false;
}
