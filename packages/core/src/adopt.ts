/** Taking over objects that were made elsewhere in this process. */
import { checkBoolean, checkPointer, typeError } from "./check.js";
import { CommandQueueInfo, EventInfo } from "./constants.js";
import type { Context } from "./context.js";
import { type Handle, handleKinds, native } from "./native.js";

/** Takes over an object made elsewhere; throws if it is not one of this context. */
export function adoptInto(context: Context, kind: "event" | "queue", pointer: bigint, retain: boolean): Handle {
  checkBoolean(retain, "options.retain", true);
  // First, since a context that only looks like one throws here.
  const address = context.pointer;
  const handle = native.adopt(handleKinds.indexOf(kind), checkPointer(pointer), retain);
  const param = kind === "event" ? EventInfo.CONTEXT : CommandQueueInfo.CONTEXT;
  if (new DataView(native.getInfo(handle, param).buffer).getBigUint64(0, true) === address) return handle;
  // Its reference stays the caller's: retain gave us one of our own, and without it we must not drop theirs.
  if (!retain) native.retainRaw(handle);
  native.recycle(handle);
  throw typeError("context", `the context that the ${kind} belongs to`, context);
}
