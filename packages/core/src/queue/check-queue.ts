/** The check for queues in modules that queues themselves are made of, and which therefore cannot import their class. */
import { checkInstance } from "@cl/base";

import type { CommandQueue } from "./queue.js";

let queueClass: abstract new (...args: never[]) => CommandQueue;

/** Called by the module of queues. */
export function queuesAre(type: typeof queueClass): void {
  queueClass = type;
}

/** A CommandQueue. */
export function checkQueue(value: CommandQueue, name = "queue"): CommandQueue {
  return checkInstance(value, queueClass, name);
}
