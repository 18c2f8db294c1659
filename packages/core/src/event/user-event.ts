/** User events. */
import { checkInstance, checkInteger, checkOptions } from "@cl/base";

import { checkForFailures } from "../binding/completion.js";
import { CommandStatus, Status } from "../binding/constants.js";
import { Context } from "../platform/context.js";
import { NotSupportedError, OpenCLError } from "../binding/errors.js";
import { CommandEvent } from "./event.js";
import { type Handle, native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";

/**
 * An event that the program completes or fails; commands can wait for it. If it is released before that, it fails, so
 * that commands do not wait for it forever.
 */
export class UserEvent extends CommandEvent {
  constructor(context: Context, options?: { readonly label?: string }) {
    const { label } = checkOptions(options, ["label"]);
    super(createUserEvent(checkInstance(context, Context, "context")), context, undefined, label);
  }

  /** Completes the event, so that commands waiting for it can run. Throws if the event has already ended. */
  complete(): void {
    this.#end(CommandStatus.COMPLETE);
  }

  /**
   * Fails the event and all commands waiting for it. Throws if the event has already ended.
   *
   * @param status - A negative error status.
   */
  fail(status = -1): void {
    this.#end(checkInteger(status, "status", -0x80000000, -1));
  }

  #end(status: number): void {
    const handle = handleOf(this);
    // The drivers' error for this case has a misleading name.
    if (this.status <= 0) {
      throw new OpenCLError("ERR_CL_ALREADY_ENDED", 0, "clSetUserEventStatus", `${this.toString()} has already ended`);
    }
    native.setUserEventStatus(handle, status);
    if (status < 0) checkForFailures();
  }

  override release(): void {
    if (!this.released && this.status > 0) {
      native.setUserEventStatus(handleOf(this), Status.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
      checkForFailures();
    }
    super.release();
  }
}

function createUserEvent(context: Context): Handle {
  const handle = handleOf(context);
  checkUserEventSupport(context);
  return native.createUserEvent(handle);
}

/** Throws if a device of the context would deadlock with user events. */
export function checkUserEventSupport(context: Context): void {
  // PoCL 3.1's single-threaded device runs a command inside the call that completes its event and then takes its own lock
  // twice (PoCL 7.1's, which works, is called `cpu-minimal-…`); oclgrind runs all commands inside clFlush, on the thread
  // that would complete the event.
  const device = context.devices.find(({ name }) => name.startsWith("basic") || name.startsWith("Oclgrind"));
  if (device === undefined) return;
  const [what, hint] = device.name.startsWith("basic")
    ? [`PoCL's device '${device.name}'`, "use its default device (unset POCL_DEVICES)"]
    : [`'${device.name}'`, "it runs all commands inside flush"];
  throw new NotSupportedError("clCreateUserEvent", `user events would hang ${what}; ${hint}`);
}
