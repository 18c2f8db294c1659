/** Waiting until earlier borrowers no longer use memory: their commands, and their arrays. */
import { setTimeout as sleep } from "node:timers/promises";

import { checkSignal } from "@cl/base";

import { native } from "../binding/native.js";
import { handleOf, type Resource } from "../binding/resource.js";

const maxIntervalMs = 16;

/** Waits until no command of an earlier borrower is running. Polls, because those queues may have been released. */
export async function whenIdle(memory: Resource, signal: AbortSignal | undefined): Promise<void> {
  checkSignal(signal)?.throwIfAborted();
  for (let ms = 1; !native.isQuiet(handleOf(memory)); ms = Math.min(2 * ms, maxIntervalMs)) {
    await sleep(ms, undefined, signal === undefined ? {} : { signal });
  }
}

const timeoutMs = 5000;

/**
 * Waits until only the handle refers to the memory. V8 releases a detached array at some later time, and the array of a
 * transfer when the transfer is complete. Resolves to false if this takes longer than 5 s or the memory is released.
 */
export async function whenUnreferenced(memory: Resource): Promise<boolean> {
  let ms = 0;
  for (let waited = 0; waited < timeoutMs; waited += ms) {
    await sleep(ms, undefined, { ref: false });
    if (memory.released) return false;
    if (!native.isReached(handleOf(memory))) return true;
    ms = Math.max(1, Math.min(2 * ms, maxIntervalMs));
  }
  return false;
}
