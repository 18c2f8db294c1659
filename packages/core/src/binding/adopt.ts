/** Taking over objects that were made elsewhere in this process. */
import { checkBoolean, checkOptions, checkPointer, checkString, typeError } from "@cl/base";

import { CommandQueueInfo, EventInfo, SamplerInfo } from "./constants.js";
import { type Handle, handleKinds, native } from "./native.js";
import type { Resource } from "./resource.js";

/** How to take over an object that was made elsewhere in this process. */
export interface AdoptOptions {
  /** Whether to add a reference of our own; with `false` the caller's becomes ours. True if not said. */
  readonly retain?: boolean;
  /** A name of yours, shown in errors and traces. */
  readonly label?: string;
}

/** Checked before anything is taken over: an error later would take the caller's reference along. */
export function adoptOptions(options: AdoptOptions | undefined): { readonly retain: boolean; readonly label?: string } {
  const { retain: given, label } = checkOptions(options, ["retain", "label"]);
  const retain = checkBoolean(given, "options.retain", true);
  return label === undefined ? { retain } : { retain, label: checkString(label, "options.label") };
}

/** Takes over an object. If `confirm` throws, everything is as it was. */
export function adoptChecked(
  kind: (typeof handleKinds)[number],
  pointer: bigint,
  retain: boolean,
  confirm: (handle: Handle) => void,
): Handle {
  const handle = native.adopt(handleKinds.indexOf(kind), checkPointer(pointer), retain);
  try {
    confirm(handle);
  } catch (error) {
    giveBack(handle, retain);
    throw error;
  }
  return handle;
}

/** The query for the context of each kind of object. */
const contextParams: Readonly<Record<"event" | "queue" | "sampler", number>> = {
  event: EventInfo.CONTEXT,
  queue: CommandQueueInfo.CONTEXT,
  sampler: SamplerInfo.CONTEXT,
};

/** Takes over an object made elsewhere; throws if it is not one of this context. */
export function adoptInto(
  context: Resource,
  kind: keyof typeof contextParams,
  pointer: bigint,
  retain: boolean,
): Handle {
  // First, since a context that only looks like one throws here.
  const address = context.pointer;
  return adoptChecked(kind, pointer, retain, (handle) => {
    const owner = new DataView(native.getInfo(handle, contextParams[kind]).buffer).getBigUint64(0, true);
    if (owner !== address) throw typeError("context", `the context that the ${kind} belongs to`, context);
  });
}

/** Undoes an adoption: the caller keeps what it had. With `retain` we had a reference of our own, and without it theirs. */
function giveBack(handle: Handle, retain: boolean): void {
  if (!retain) native.retainRaw(handle);
  native.recycle(handle);
}
