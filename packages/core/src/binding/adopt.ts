/** Adopting OpenCL objects that other code in this process created. */
import { checkBoolean, checkOptions, checkPointer, checkString, typeError } from "@cl/base";

import { CommandQueueInfo, EventInfo, SamplerInfo } from "./constants.js";
import { type Handle, handleKinds, native } from "./native.js";
import type { Resource } from "./resource.js";

/** Options for adopting an OpenCL object that other code in this process created. */
export interface AdoptOptions {
  /**
   * Whether to retain the object. If `false`, the new object takes over the caller's reference.
   *
   * @defaultValue `true`
   */
  readonly retain?: boolean;
  /** A name shown in errors and traces. */
  readonly label?: string;
}

/** Checks the options. Must run before adopting: a later error would release the caller's reference. */
export function adoptOptions(options: AdoptOptions | undefined): { readonly retain: boolean; readonly label?: string } {
  const { retain = true, label } = checkOptions(options, ["retain", "label"]);
  checkBoolean(retain, "options.retain", true);
  return label === undefined ? { retain } : { retain, label: checkString(label, "options.label") };
}

/** Adopts an object. If `confirm` throws, the adoption is undone. */
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

/** The info query that returns the context of each kind of object. */
const contextParams: Readonly<Record<"event" | "queue" | "sampler", number>> = {
  event: EventInfo.CONTEXT,
  queue: CommandQueueInfo.CONTEXT,
  sampler: SamplerInfo.CONTEXT,
};

/** Adopts an object. Throws if it does not belong to the context. */
export function adoptInto(
  context: Resource,
  kind: keyof typeof contextParams,
  pointer: bigint,
  retain: boolean,
): Handle {
  // First: this throws if `context` is not a real context.
  const address = context.pointer;
  return adoptChecked(kind, pointer, retain, (handle) => {
    const owner = new DataView(native.getInfo(handle, contextParams[kind]).buffer).getBigUint64(0, true);
    if (owner !== address) throw typeError("context", `the context that the ${kind} belongs to`, context);
  });
}

/** Undoes an adoption so that the caller keeps its reference. */
function giveBack(handle: Handle, retain: boolean): void {
  if (!retain) native.retainRaw(handle);
  native.recycle(handle);
}
