/** The error classes of this package, and the errors made from driver statuses and native failures. */
import { outOfRange, withArticle, wrongState, wrongType, wrongValue } from "@cl/base";

import { Status, StatusName } from "./constants.js";

/** An error from an OpenCL call, with its status and the function that returned it. */
export class OpenCLError extends Error {
  /** The name of the status, such as `"CL_INVALID_KERNEL_ARGS"`. Codes of this package start with `ERR_CL_`. */
  readonly code: string;
  /** The OpenCL status code; 0 if the driver was not called. */
  readonly status: number;
  /** The OpenCL function, such as `"clEnqueueNDRangeKernel"`. */
  readonly routine: string;

  constructor(code: string, status: number, routine: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.status = status;
    this.routine = routine;
  }
}

/** An error from the driver because the device or the host is out of memory or another resource. */
export class OutOfMemoryError extends OpenCLError {}

/** An error for a function or feature that the OpenCL runtime or the device does not support. */
export class NotSupportedError extends OpenCLError {
  constructor(routine: string, message: string) {
    super("ERR_CL_NOT_SUPPORTED", 0, routine, message);
  }
}

/**
 * An error for a machine without a usable OpenCL runtime: no library, no platform or no device. The message says which,
 * and what to install.
 */
export class NoRuntimeError extends OpenCLError {
  /** The libraries, platforms or devices that were tried. */
  readonly tried: readonly string[];

  constructor(message: string, tried: readonly string[]) {
    super("ERR_CL_NO_RUNTIME", 0, "clGetPlatformIDs", message);
    this.tried = tried;
  }
}

/** An error for the use of an object after its release. */
export class DisposedError extends Error {
  /** The stable error code. */
  readonly code = "ERR_CL_DISPOSED";

  constructor(what: string) {
    super(`${what} has been released`);
    this.name = "DisposedError";
  }
}

const outOfMemory = new Set(["CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]);

/** Likely causes of statuses whose name is not enough. */
const hints: Readonly<Record<string, string>> = {
  CL_DEVICE_NOT_FOUND: "as the status of a command, PoCL's way to report that an event it waited for has failed",
  CL_OUT_OF_RESOURCES:
    "the device is out of a resource; NVIDIA also reports an out-of-bounds access of a kernel this way",
  CL_PROFILING_INFO_NOT_AVAILABLE:
    "the queue was not created with { profiling: true }, or the command has not completed",
  CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: "a command that this one waited for has failed",
};

/** Returns the name of a status, or `CL_STATUS_<number>` if it is unknown. */
export function statusName(status: number): string {
  return StatusName[status] ?? `CL_STATUS_${status}`;
}

/** Returns the error for a status that an OpenCL function returned. */
export function driverError(routine: string, status: number, detail = ""): OpenCLError {
  const code = statusName(status);
  const hint = hints[code];
  const message = `${routine} failed: ${code} (${status})${hint ? `; ${hint}` : ""}${detail ? `; ${detail}` : ""}`;
  const ErrorClass = outOfMemory.has(code) ? OutOfMemoryError : OpenCLError;
  return new ErrorClass(code, status, routine, message);
}

const installHint =
  'Install an OpenCL runtime. For CPUs: npm install @cl/pocl, and import "@cl/pocl" (Linux x64), or PoCL (Debian and Ubuntu: apt install pocl-opencl-icd). For a GPU: the vendor\'s driver.';

/** Returns the error for a machine without an OpenCL loader library. */
function noLibrary(detail: string): NoRuntimeError {
  const tried = detail.split("\n").filter((line) => line !== "");
  return new NoRuntimeError(
    ["No OpenCL library could be opened. Tried:", ...tried.map((line) => `  - ${line}`), installHint].join("\n"),
    tried,
  );
}

/** Returns the error for an additional runtime that could not be opened. */
function runtimeNotOpened(path: string, reason: string): NoRuntimeError {
  const tried = reason.trim();
  return new NoRuntimeError(`the runtime ${path} could not be opened: ${tried}`, [tried]);
}

/** Returns the error for an OpenCL loader that lists no platform or no device. */
export function nothingFound(what: "platform" | "device", tried: readonly string[]): NoRuntimeError {
  const found =
    what === "platform"
      ? "An OpenCL library was found, but it lists no platform: no driver is installed."
      : "OpenCL platforms were found, but none of them has a device.";
  return new NoRuntimeError([found, ...tried.map((line) => `  - ${line}`), installHint].join("\n"), tried);
}

/** Reasons why a native call failed; {@link createNativeError} makes the messages. */
export type NativeFailure =
  | "DRIVER"
  | "NOT_SUPPORTED"
  | "NO_RUNTIME"
  | "RUNTIME_NOT_OPENED"
  | "DISPOSED"
  | "WRONG_KIND"
  | "WRONG_CONTEXT"
  | "FAILED_EVENT"
  | "ARGUMENT_NOT_SET"
  | "NOT_AN_OBJECT"
  | "OWNED"
  | "ESCAPED"
  | "DEADLOCK"
  | "DEADLOCK_USER_EVENT"
  | "TOO_MANY_OBJECTS"
  | "INVALID";

/** The argument position that a native error is about, for callers that know the argument's name. */
const positions = new WeakMap<Error, number>();

/** Returns the position of the argument, command or event that a native error is about, or -1. */
export function errorPosition(error: unknown): number {
  return error instanceof Error ? (positions.get(error) ?? -1) : -1;
}

/** Returns the error for a native failure. Called by the native layer. */
export function createNativeError(
  code: NativeFailure,
  routine: string,
  status: number,
  detail: string,
  position: number,
): Error {
  const error = nativeError(code, routine, status, detail);
  if (position >= 0) positions.set(error, position);
  return error;
}

function nativeError(code: NativeFailure, routine: string, status: number, detail: string): Error {
  switch (code) {
    case "DRIVER":
      return driverError(routine, status);
    case "NOT_SUPPORTED":
      return new NotSupportedError(
        routine,
        /^\d/.test(detail)
          ? `${routine} is not supported by this OpenCL runtime; it requires OpenCL ${detail}`
          : `${routine} requires ${detail}`,
      );
    case "NO_RUNTIME":
      return noLibrary(detail);
    case "RUNTIME_NOT_OPENED":
      return runtimeNotOpened(routine, detail);
    case "DISPOSED":
      return new DisposedError(`this ${detail}`);
    case "WRONG_KIND":
      return wrongType(`expected ${withArticle(detail)}, received ${withArticle(routine)}`);
    case "WRONG_CONTEXT":
      return wrongValue(`this ${detail || "object"} belongs to another context`);
    case "FAILED_EVENT":
      return failedEvent(routine, status, detail);
    case "ARGUMENT_NOT_SET":
      return wrongState("an argument of the kernel was never set");
    case "NOT_AN_OBJECT":
      return wrongValue(`the pointer is not the address of a live OpenCL ${detail}`);
    case "OWNED":
      return wrongValue(
        "options.retain must be true for a pointer to an object of this package, because its reference would be released twice. Adopt it with retain: true, then release your own reference",
      );
    case "ESCAPED":
      return wrongState(
        "the mapped ArrayBuffer was transferred and cannot be detached: the memory stays mapped until the new owner is garbage-collected",
      );
    case "DEADLOCK":
      return new OpenCLError(
        "ERR_CL_DEADLOCK",
        0,
        routine,
        `${routine} would never return: it would wait for the host function ${detail || "(anonymous)"}, which is pending and cannot run while the call blocks this thread; await a call that returns a promise instead`,
      );
    case "DEADLOCK_USER_EVENT":
      return new OpenCLError(
        "ERR_CL_DEADLOCK",
        0,
        routine,
        `${routine} would never return: it would wait for a user event that only this thread can complete, while the call blocks this thread; complete the event first, or await a call that returns a promise`,
      );
    case "TOO_MANY_OBJECTS":
      return outOfRange(
        `more than ${detail} OpenCL objects exist: release them, or return to the event loop so that unreachable ones can be collected`,
      );
    case "INVALID":
      return wrongValue(detail);
    default:
      return code satisfies never;
  }
}

/** Returns the error for a command whose wait list has an event that has already failed, at position `index`. */
function failedEvent(routine: string, status: number, index: string): OpenCLError {
  const code = "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST";
  const ended = `${statusName(status)} (${status})`;
  const message = `waitFor[${index}] has already failed with ${ended}, so the command was not enqueued`;
  return new OpenCLError(code, Status.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, routine, message);
}
