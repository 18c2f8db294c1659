/** Events that the program itself completes. */
import { checkInstance, checkInteger, checkOptions } from "@cl/base";

import { lookForFailures } from "../binding/completion.js";
import { CommandStatus, Status } from "../binding/constants.js";
import { Context } from "../platform/context.js";
import { NotSupportedError, OpenCLError } from "../binding/errors.js";
import { CommandEvent } from "./event.js";
import { type Handle, native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";

/**
 * An event that the program itself completes; commands can wait for it. Released before that it fails, since nobody else
 * could end it and what waits for it would wait for ever.
 */
export class UserEvent extends CommandEvent {
  constructor(context: Context, options?: { readonly label?: string }) {
    const { label } = checkOptions(options, ["label"]);
    super(createUserEvent(checkInstance(context, Context, "context")), context, undefined, label);
  }

  /** Lets everything run that waits for this event. */
  complete(): void {
    this.#end(CommandStatus.COMPLETE);
  }

  /** Fails everything that waits for this event, with an error status of your choice. */
  fail(status = -1): void {
    this.#end(checkInteger(status, "status", -0x80000000, -1));
  }

  #end(status: number): void {
    const handle = handleOf(this);
    // Drivers answer this with an error whose name says something else.
    if (this.status <= 0) {
      throw new OpenCLError("ERR_CL_ALREADY_ENDED", 0, "clSetUserEventStatus", `${this.toString()} has ended already`);
    }
    native.setUserEventStatus(handle, status);
    if (status < 0) lookForFailures();
  }

  override release(): void {
    if (!this.released && this.status > 0) {
      native.setUserEventStatus(handleOf(this), Status.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
      lookForFailures();
    }
    super.release();
  }
}

function createUserEvent(context: Context): Handle {
  const handle = handleOf(context);
  refuseLockingDevice(context);
  return native.createUserEvent(handle);
}

/** Throws for a context whose device would hang with user events. */
export function refuseLockingDevice(context: Context): void {
  // PoCL's single-threaded driver runs a command inside the call that releases it and takes its own lock twice there;
  // oclgrind runs all commands inside clFlush, on the thread that would end the event.
  const locking = context.devices.find(({ name }) => name.startsWith("basic") || name.startsWith("Oclgrind"));
  if (locking === undefined) return;
  const [what, instead] = locking.name.startsWith("basic")
    ? [`PoCL's device '${locking.name}'`, "use its default device (unset POCL_DEVICES)"]
    : [`'${locking.name}'`, "it runs all commands inside flush"];
  throw new NotSupportedError("clCreateUserEvent", `user events would hang ${what} for ever; ${instead}`);
}
