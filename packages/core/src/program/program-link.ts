/** Links compiled programs into one. */
import { writeOptions } from "./build-options.js";
import { type Either, step } from "../cache/either.js";
import { completionOf } from "../binding/completion.js";
import type { Context } from "../platform/context.js";
import type { Device } from "../platform/device.js";
import { type Handle, native } from "../binding/native.js";
import { buildFailure, buildLog, type BuildRecords, recordsOf } from "./program-build.js";
import type { ProgramObject } from "./program-object.js";
import { handleOf } from "../binding/resource.js";

/** What is to be linked. */
export interface LinkPlan {
  readonly context: Context;
  readonly programs: readonly ProgramObject[];
  readonly devices: readonly Device[];
  readonly options: readonly string[];
}

/** Links: the new native program and what the linker did. A failure throws a `BuildError`. */
export function* linkPrograms(plan: LinkPlan): Either<{ readonly handle: Handle; readonly records: BuildRecords }> {
  const { context, programs, devices, options } = plan;
  const text = writeOptions(options);
  const given = [
    handleOf(context),
    Int32Array.from(devices, handleOf),
    text,
    Int32Array.from(programs, handleOf),
  ] as const;
  let link: Handle = 0;
  const status = yield* step(
    () => {
      const [made, result] = native.linkProgram(...given, undefined);
      link = made;
      return result;
    },
    () =>
      completionOf((id) => {
        [link] = native.linkProgram(...given, id);
      }),
  );
  const handle = native.linkedProgram(link);
  // A linker that made no program has no log either.
  const logs = devices.map((device) => (handle === 0 ? "" : buildLog(handle, device)));
  const records = recordsOf(devices, options, logs);
  if (status === 0 && handle !== 0) return { handle, records };
  if (handle !== 0) native.recycle(handle);
  throw buildFailure("clLinkProgram", status === 0 ? -17 : status, text, records);
}
