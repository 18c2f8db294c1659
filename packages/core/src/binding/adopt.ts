/** Taking over objects that were made elsewhere in this process. */
import { checkBoolean, checkPointer, typeError } from "../check.js";
import { CommandQueueInfo, EventInfo } from "../constants.js";
import type { Context } from "../platform/context.js";
import { type Handle, handleKinds, native } from "./native.js";

/** Takes over an object made elsewhere; throws if it is not one of this context. */
export function adoptInto(context: Context, kind: "event" | "queue", pointer: bigint, retain: boolean): Handle {
  checkBoolean(retain, "options.retain", true);
  // First, since a context that only looks like one throws here.
  const address = context.pointer;
  const handle = native.adopt(handleKinds.indexOf(kind), checkPointer(pointer), retain);
  const param = kind === "event" ? EventInfo.CONTEXT : CommandQueueInfo.CONTEXT;
  if (new DataView(native.getInfo(handle, param).buffer).getBigUint64(0, true) === address) return handle;
  giveBack(handle, retain);
  throw typeError("context", `the context that the ${kind} belongs to`, context);
}

/** Undoes an adoption: the caller keeps what it had. With `retain` we had a reference of our own, and without it theirs. */
export function giveBack(handle: Handle, retain: boolean): void {
  if (!retain) native.retainRaw(handle);
  native.recycle(handle);
}
