/**
 * Builds programs: from the disk cache where that is faster, else from what they were made of. The steps are written
 * once and run blocking or awaited (see cache/either.ts).
 */
import { channel } from "node:diagnostics_channel";

import { BuildError, isBuildFailure } from "./build-error.js";
import { writeOptions } from "./build-options.js";
import { type Either, step } from "../cache/either.js";
import type { ProgramRequest } from "../cache/program-cache.js";
import { cachePolicy } from "./cache-policy.js";
import { completionOf } from "../binding/completion.js";
import { ProgramBuildInfo } from "../binding/constants.js";
import type { Context } from "../platform/context.js";
import type { Device } from "../platform/device.js";
import { driverError, OpenCLError } from "../binding/errors.js";
import { string } from "../info/decode.js";
import { describeKernels, keepDescriptions } from "./kernel-descriptions.js";
import { type Handle, native } from "../binding/native.js";
import { type KeptProgram, packProgram, programCache, programRequest, unpackProgram } from "./program-cache-request.js";
import { deferStore } from "./program-refresh.js";
import type { ProgramObject } from "./program-object.js";
import { handleOf, replaceHandle } from "../binding/resource.js";

/** A message on the diagnostics channel `cl:build`: a program was built, compiled or linked. */
export interface BuildMessage {
  readonly program: ProgramObject;
  /** What the compiler said for each device; warnings are here. */
  readonly logs: ReadonlyMap<Device, string>;
  readonly milliseconds: number;
  /** Whether the disk cache had it. */
  readonly cached: boolean;
}

/** What a build did for one device. */
export interface BuildRecord {
  readonly options: string;
  readonly log: string;
}

/** What is to be built. */
export interface BuildPlan {
  readonly program: ProgramObject;
  readonly context: Context;
  readonly devices: readonly Device[];
  /** One option each, without ours. */
  readonly options: readonly string[];
  /** For programs made from source. */
  readonly source: string | undefined;
  /** Whether the native program came from the cache, and so has no source. */
  readonly isCached: boolean;
  /** What the caller says about the cache; the policy decides if nothing. */
  readonly cache: boolean | undefined;
  /** Whether the cache may give binaries: all devices are built, and nobody else knows the native program. */
  readonly mayCache: boolean;
  /** Takes what came of it, before a failure is thrown. */
  readonly keep: (records: BuildRecords, cached: boolean) => void;
}

/** What a build did for each device. */
export type BuildRecords = ReadonlyMap<Device, BuildRecord>;

/** Builds. A failure throws a {@link BuildError}. */
export function* buildProgram(plan: BuildPlan): Either<void> {
  const start = performance.now();
  const { program, context, devices, source } = plan;
  const wished = source === undefined ? plan.options : withArgumentInfo(plan.options, devices);
  let request: ProgramRequest | undefined;
  if (source !== undefined && plan.mayCache && (plan.cache ?? cachePolicy(context.platform.name).use)) {
    const cache = programCache();
    if (cache.directory !== undefined) {
      request = programRequest(context, devices, source, wished);
      // Blocking also where the build is awaited: a file of this size is read in less time than a promise takes.
      const kept = unpackProgram(cache.lookupSync(request), devices.length);
      const handle = kept && (yield* fromKept(context, devices, kept));
      if (kept && handle) {
        adopt(program, handle);
        keepDescriptions(program, kept.describe);
        deferStore(program, undefined);
        const records = recordsOf(devices, wished, kept.logs);
        plan.keep(records, true);
        publishBuild(program, start, records, true);
        return;
      }
    }
  }

  // What came from the cache has no source to build for other options or devices.
  if (plan.isCached && source !== undefined) adopt(program, native.programFromSource(handleOf(context), source));
  keepDescriptions(program, undefined);
  deferStore(program, undefined);
  const handle = handleOf(program);
  let options = wished;
  let text = writeOptions(options);
  let status = yield* nativeBuild(handle, devices, text);
  let logs = devices.map((device) => buildLog(handle, device));
  if (status !== 0 && wished !== plan.options && logs.some((log) => assemblerFails.test(log))) {
    options = plan.options;
    text = writeOptions(options);
    status = yield* nativeBuild(handle, devices, text);
    logs = devices.map((device) => buildLog(handle, device));
  }
  const records = recordsOf(devices, options, logs);
  plan.keep(records, false);
  if (status !== 0) throw buildFailure("clBuildProgram", status, text, records, program);
  if (request !== undefined && source !== undefined) {
    if (cachePolicy(context.platform.name).store === "launch") {
      deferStore(program, { context, devices, source, options: text, request, logs });
    } else {
      yield* store(handle, request, logs);
    }
  }
  publishBuild(program, start, records, false);
}

/** The error for a status of a build, compilation or link. */
export function buildFailure(
  routine: string,
  status: number,
  options: string,
  records: BuildRecords,
  program?: ProgramObject,
): OpenCLError {
  if (isBuildFailure(status)) {
    const logs = logsOf(records);
    const { source, label, origin } = program ?? {};
    return new BuildError({ status, routine, options, logs, source, label, origin });
  }
  const error = driverError(routine, status);
  if (error.code === "CL_INVALID_OPERATION") {
    error.message +=
      routine === "clLinkProgram"
        ? ": every program must have been compiled, with program.compile(), for all the devices"
        : ": kernels of this program exist; release them before it is built again";
  }
  return error;
}

/** The options and log of each device. */
export function recordsOf(
  devices: readonly Device[],
  options: readonly string[],
  logs: readonly string[],
): Map<Device, BuildRecord> {
  const text = writeOptions(options);
  return new Map(devices.map((device, i) => [device, { options: text, log: logs[i] ?? "" }]));
}

/** What the compiler said. Drivers that have nothing to say may also refuse to say so. */
export function buildLog(program: Handle, device: Device): string {
  try {
    return string(native.getBuildInfo(program, handleOf(device), ProgramBuildInfo.LOG)).trimEnd();
  } catch (error) {
    if (error instanceof OpenCLError) return "";
    throw error;
  }
}

/** The options, and the one by which kernels' argument types are known at run time: it costs nothing measurable. */
export function withArgumentInfo(options: readonly string[], devices: readonly Device[]): readonly string[] {
  if (options.includes(argumentInfo) || !devices.every(knowsArgumentInfo)) return options;
  return [...options, argumentInfo];
}

/** Tells who listens on `cl:build`. */
export function publishBuild(program: ProgramObject, start: number, records: BuildRecords, cached: boolean): void {
  if (!messages.hasSubscribers) return;
  const milliseconds = performance.now() - start;
  messages.publish({ program, logs: logsOf(records), milliseconds, cached } satisfies BuildMessage);
}

function logsOf(records: BuildRecords): Map<Device, string> {
  return new Map([...records].map(([device, record]) => [device, record.log]));
}

const messages = channel("cl:build");
const argumentInfo = "-cl-kernel-arg-info";
/** With that option NVIDIA's compiler writes assembly that its own assembler refuses, if a kernel has no parameters. */
const assemblerFails = /^ptxas .*syntax error/m;

function knowsArgumentInfo(device: Device): boolean {
  return !/^OpenCL 1\.[01]\b/.test(device.version);
}

/** Makes `handle` the program's; unless it was released meanwhile. */
function adopt(program: ProgramObject, handle: Handle): void {
  try {
    replaceHandle(program, handle);
  } catch (error) {
    native.recycle(handle);
    throw error;
  }
}

function nativeBuild(program: Handle, devices: readonly Device[], options: string): Either<number> {
  const list = Int32Array.from(devices, handleOf);
  return step(
    () => native.buildProgram(program, list, options, undefined) as number,
    () => completionOf((id) => native.buildProgram(program, list, options, id)),
  );
}

/** A built program from binaries of the cache; nothing if the driver takes them no more. */
function* fromKept(context: Context, devices: readonly Device[], kept: KeptProgram): Either<Handle | undefined> {
  let program: Handle;
  try {
    program = native.programFromBinaries(handleOf(context), Int32Array.from(devices, handleOf), kept.binaries);
  } catch (error) {
    if (error instanceof OpenCLError) return undefined;
    throw error;
  }
  // Without options: they are in the binaries, and PoCL answers questions about arguments with zeros when it sees ours.
  const status = yield* nativeBuild(program, devices, "");
  if (status === 0) return program;
  native.recycle(program);
  return undefined;
}

function* store(program: Handle, request: ProgramRequest, logs: readonly string[]): Either<void> {
  const cache = programCache();
  let packed: ReturnType<typeof packProgram>;
  try {
    packed = packProgram(native.programBinaries(program), logs, describeKernels(program));
  } catch (error) {
    // A driver that gives no binaries has built the program all the same.
    if (error instanceof OpenCLError) return;
    throw error;
  }
  yield* step(
    () => cache.storeSync(request, packed),
    () => cache.store(request, packed),
  );
}
