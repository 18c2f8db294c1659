/** Linking of compiled programs. */
import { writeOptions } from "./build-options.js";
import type { Either } from "../cache/either.js";
import { compilerStep } from "./compiler-step.js";
import type { Context } from "../platform/context.js";
import type { Device } from "../platform/device.js";
import { type Handle, native } from "../binding/native.js";
import { buildFailure, buildLog, type BuildRecords, recordsOf } from "./program-build.js";
import type { ProgramObject } from "./program-object.js";
import { handleOf } from "../binding/resource.js";

/** Input of {@link linkPrograms}. */
export interface LinkPlan {
  readonly context: Context;
  readonly programs: readonly ProgramObject[];
  readonly devices: readonly Device[];
  readonly options: readonly string[];
}

/** Links programs. Returns the new native program and the records. Throws a `BuildError` on failure. */
export function* linkPrograms(plan: LinkPlan): Either<{ readonly handle: Handle; readonly records: BuildRecords }> {
  const { context, programs, devices, options } = plan;
  const text = writeOptions(options);
  const args = [
    handleOf(context),
    Int32Array.from(devices, handleOf),
    text,
    Int32Array.from(programs, handleOf),
  ] as const;
  let link: Handle = 0;
  const status = yield* compilerStep(
    devices,
    () => {
      const [linkHandle, result] = native.linkProgram(...args, undefined);
      link = linkHandle;
      return result;
    },
    (id) => {
      [link] = native.linkProgram(...args, id);
    },
  );
  const handle = native.linkedProgram(link);
  // Without a program there is no log.
  const logs = devices.map((device) => (handle === 0 ? "" : buildLog(handle, device)));
  const records = recordsOf(devices, options, logs);
  if (status === 0 && handle !== 0) return { handle, records };
  if (handle !== 0) native.recycle(handle);
  throw buildFailure("clLinkProgram", status === 0 ? -17 : status, text, records);
}
