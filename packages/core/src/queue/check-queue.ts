/** The check for queues in folders below their public class. */
import { typeError } from "@cl/base";

import { QueueBase } from "./queue-base.js";

/** A CommandQueue. */
export function checkQueue<Q extends QueueBase>(value: Q, name = "queue"): Q {
  if (!(value instanceof QueueBase)) throw typeError(name, "a CommandQueue", value);
  return value;
}
