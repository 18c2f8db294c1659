/** Every error that this package throws on its own behalf. */
import { outOfRange, withArticle, wrongState, wrongType, wrongValue } from "@cl/base";

import { Status, StatusName } from "./constants.js";

/** A driver call that failed: its status by name and number, and the routine that returned it. */
export class OpenCLError extends Error {
  /** The status by name, such as `"CL_INVALID_KERNEL_ARGS"`; codes of our own begin with `ERR_CL_`. */
  readonly code: string;
  /** The status as OpenCL gives it; 0 if the driver was not asked. */
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

/** The device or the host has no memory left for what was asked. */
export class OutOfMemoryError extends OpenCLError {}

/** The runtime or the device lacks what was called. */
export class NotSupportedError extends OpenCLError {
  constructor(routine: string, message: string) {
    super("ERR_CL_NOT_SUPPORTED", 0, routine, message);
  }
}

/** There is no OpenCL library, or it has no platform, or no platform has a device; the message says which and what to do. */
export class NoRuntimeError extends OpenCLError {
  /** What was tried, one entry each. */
  readonly tried: readonly string[];

  constructor(message: string, tried: readonly string[]) {
    super("ERR_CL_NO_RUNTIME", 0, "clGetPlatformIDs", message);
    this.tried = tried;
  }
}

/** Something was used after it had been released. */
export class DisposedError extends Error {
  /** A stable code for programs. */
  readonly code = "ERR_CL_DISPOSED";

  constructor(what: string) {
    super(`${what} has been released`);
    this.name = "DisposedError";
  }
}

const outOfMemory = new Set(["CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]);

/** What a status usually means, where the name alone does not say it. */
const hints: Readonly<Record<string, string>> = {
  CL_DEVICE_NOT_FOUND: "as the end of a command, PoCL's way to say that what it waited for has failed",
  CL_OUT_OF_RESOURCES: "the device ran out of a resource; on NVIDIA also what a kernel's out-of-bounds access gives",
  CL_PROFILING_INFO_NOT_AVAILABLE: "the queue was not made with { profiling: true }, or the command has not completed",
  CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: "a command that this one waited for has failed",
};

/** The status's name, or its number if it has none. */
export function statusName(status: number): string {
  return StatusName[status] ?? `CL_STATUS_${status}`;
}

/** The error for a status that a routine returned. */
export function driverError(routine: string, status: number, detail = ""): OpenCLError {
  const code = statusName(status);
  const hint = hints[code];
  const message = `${routine} failed: ${code} (${status})${hint ? `; ${hint}` : ""}${detail ? `; ${detail}` : ""}`;
  const ErrorClass = outOfMemory.has(code) ? OutOfMemoryError : OpenCLError;
  return new ErrorClass(code, status, routine, message);
}

const installHint =
  "Install an OpenCL runtime: for any CPU PoCL (Debian and Ubuntu: apt install pocl-opencl-icd), for a GPU its vendor's driver.";

/** No loader library could be opened. */
function noLibrary(detail: string): NoRuntimeError {
  const tried = detail.split("\n").filter((line) => line !== "");
  return new NoRuntimeError(
    ["No OpenCL library could be opened. Tried:", ...tried.map((line) => `  - ${line}`), installHint].join("\n"),
    tried,
  );
}

/** There is a loader, but it knows no platform or no device. */
export function nothingFound(what: "platform" | "device", tried: readonly string[]): NoRuntimeError {
  const found =
    what === "platform"
      ? "An OpenCL library was opened, but it lists no platform: no driver is installed for it."
      : "OpenCL platforms were found, but none of them has a device.";
  return new NoRuntimeError([found, ...tried.map((line) => `  - ${line}`), installHint].join("\n"), tried);
}

/** Why a native call failed. The native layer says these words; {@link createNativeError} makes sentences of them. */
export type NativeFailure =
  | "DRIVER"
  | "NOT_SUPPORTED"
  | "NO_RUNTIME"
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

/** Errors made from native failures remember which argument they are about, for callers that know its name. */
const positions = new WeakMap<Error, number>();

/** The argument (or command, or event) that a native error is about, or -1. */
export function errorPosition(error: unknown): number {
  return error instanceof Error ? (positions.get(error) ?? -1) : -1;
}

/** Makes the error for a native failure; the native layer calls it. */
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
          ? `${routine} is missing from this OpenCL runtime; it came with OpenCL ${detail}`
          : `${routine} needs ${detail}`,
      );
    case "NO_RUNTIME":
      return noLibrary(detail);
    case "DISPOSED":
      return new DisposedError(`this ${detail}`);
    case "WRONG_KIND":
      return wrongType(`${withArticle(detail)} was expected, received ${withArticle(routine)}`);
    case "WRONG_CONTEXT":
      return wrongValue(`this ${detail || "object"} belongs to another context`);
    case "FAILED_EVENT":
      return failedEvent(routine, status, detail);
    case "ARGUMENT_NOT_SET":
      return wrongState("an argument of the kernel was never set");
    case "NOT_AN_OBJECT":
      return wrongValue(`this pointer is not that of a live OpenCL ${detail}`);
    case "OWNED":
      return wrongValue(
        "options.retain must be true for a pointer to an object of this package: the reference of that object would be released twice. Adopt it with retain: true, then release the reference of your own",
      );
    case "ESCAPED":
      return wrongState(
        "the mapped ArrayBuffer was transferred away, so it cannot be taken back: the memory stays mapped until its new owner is collected",
      );
    case "DEADLOCK":
      return new OpenCLError(
        "ERR_CL_DEADLOCK",
        0,
        routine,
        `${routine} would never return: it would wait for the host function ${detail || "(anonymous)"}, which is pending and cannot run while it blocks this thread; use a call that returns a promise, and await that`,
      );
    case "DEADLOCK_USER_EVENT":
      return new OpenCLError(
        "ERR_CL_DEADLOCK",
        0,
        routine,
        `${routine} would never return: it would wait for a user event that only this thread can complete, and the call blocks this thread; complete the event first, or await a call that returns a promise`,
      );
    case "TOO_MANY_OBJECTS":
      return outOfRange(
        `more than ${detail} OpenCL objects are waiting for release: release them, or give the event loop a turn so that dropped ones can be collected`,
      );
    case "INVALID":
      return wrongValue(detail);
    default:
      return code satisfies never;
  }
}

/** The command would wait for something that has failed already, the event of this number in its list. */
function failedEvent(routine: string, status: number, index: string): OpenCLError {
  const code = "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST";
  const ended = `${statusName(status)} (${status})`;
  const message = `waitFor[${index}] has failed already with ${ended}, so nothing was enqueued that would wait for it`;
  return new OpenCLError(code, Status.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, routine, message);
}
