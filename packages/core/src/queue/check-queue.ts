/** Queue check for modules below the public queue class. */
import { typeError } from "@cl/base";

import { QueueBase } from "./queue-base.js";

/** Throws unless `value` is a CommandQueue. */
export function checkQueue<Q extends QueueBase>(value: Q, name = "queue"): Q {
  if (!(value instanceof QueueBase)) throw typeError(name, "a CommandQueue", value);
  return value;
}
