/** Compilation of programs without linking. */
import { checkCString, checkObject, typeError } from "@cl/base";

import type { Either } from "../cache/either.js";
import { writeOptions } from "./build-options.js";
import { compilerStep } from "./compiler-step.js";
import type { Context } from "../platform/context.js";
import type { Device } from "../platform/device.js";
import { type Handle, native } from "../binding/native.js";
import {
  buildFailure,
  buildLog,
  type BuildRecords,
  publishBuild,
  recordsOf,
  withArgumentInfo,
} from "./program-build.js";
import { ProgramObject } from "./program-object.js";
import { handleOf } from "../binding/resource.js";

/** Input of {@link compileProgram}. */
export interface CompilePlan {
  readonly program: ProgramObject;
  readonly context: Context;
  readonly devices: readonly Device[];
  readonly options: readonly string[];
  readonly headers: ReadonlyMap<string, string | ProgramObject>;
  /** Receives the results, before a failure is thrown. */
  readonly setRecords: (records: BuildRecords) => void;
}

/** Compiles a program. Throws a `BuildError` on failure. */
export function* compileProgram(plan: CompilePlan): Either<void> {
  const start = performance.now();
  const { program, context, devices, headers } = plan;
  const options = withArgumentInfo(plan.options, devices);
  const text = writeOptions(options);
  const handle = handleOf(program);
  const headerPrograms: Handle[] = [];
  let status: number;
  try {
    const handles = [...headers.values()].map((header) => {
      if (typeof header !== "string") return handleOf(header);
      const headerProgram = native.programFromSource(handleOf(context), header);
      headerPrograms.push(headerProgram);
      return headerProgram;
    });
    const args = [Int32Array.from(devices, handleOf), text, Int32Array.from(handles), [...headers.keys()]] as const;
    status = yield* compilerStep(
      devices,
      () => native.compileProgram(handle, ...args, undefined) as number,
      (id) => native.compileProgram(handle, ...args, id),
    );
  } finally {
    for (const headerProgram of headerPrograms) native.recycle(headerProgram);
  }
  const records = recordsOf(
    devices,
    options,
    devices.map((device) => buildLog(handle, device)),
  );
  plan.setRecords(records);
  if (status !== 0) throw buildFailure("clCompileProgram", status, text, records, program);
  publishBuild(program, start, records, false);
}

/** Checks the headers. */
export function checkHeaders(
  headers: Readonly<Record<string, string | ProgramObject>> | undefined,
): Map<string, string | ProgramObject> {
  const checked = new Map<string, string | ProgramObject>();
  for (const [name, header] of Object.entries(checkObject(headers, "headers"))) {
    checkCString(name, "header name");
    const key = `headers[${JSON.stringify(name)}]`;
    if (typeof header === "string") {
      // OpenCL rejects empty sources, but a header may be empty.
      checked.set(name, checkCString(header, key) || "\n");
    } else if (header instanceof ProgramObject && header.source !== undefined) {
      checked.set(name, header);
    } else {
      throw typeError(key, "the header's text, or a Program created from it", header);
    }
  }
  return checked;
}

/** Returns the texts of headers. */
export function headerTexts(headers: ReadonlyMap<string, string | ProgramObject>): ReadonlyMap<string, string> {
  return new Map(
    [...headers].map(([name, header]) => [name, typeof header === "string" ? header : (header.source ?? "")]),
  );
}
