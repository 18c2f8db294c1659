/**
 * Program builds, from the disk cache if that is faster. The steps are written once and run blocking or asynchronously
 * (see cache/either.ts).
 */
import { channel } from "node:diagnostics_channel";

import { BuildError, isBuildFailure } from "./build-error.js";
import { writeOptions } from "./build-options.js";
import { type Either, step } from "../cache/either.js";
import type { ProgramRequest } from "../cache/program-cache.js";
import { cachePolicy } from "./cache-policy.js";
import { compilerStep } from "./compiler-step.js";
import { ProgramBuildInfo } from "../binding/constants.js";
import type { Context } from "../platform/context.js";
import type { Device } from "../platform/device.js";
import { driverError, OpenCLError } from "../binding/errors.js";
import { string } from "../info/decode.js";
import { describeKernels, storeDescriptions } from "./kernel-descriptions.js";
import { type Handle, native } from "../binding/native.js";
import {
  packProgram,
  programCache,
  programRequest,
  type StoredProgram,
  unpackProgram,
} from "./program-cache-request.js";
import { deferStore } from "./program-refresh.js";
import type { ProgramObject } from "./program-object.js";
import { handleOf, replaceHandle } from "../binding/resource.js";

/** Message on the diagnostics channel `cl:build` after a program has been built, compiled or linked. */
export interface BuildMessage {
  readonly program: ProgramObject;
  /** Compiler output for each device, including warnings. */
  readonly logs: ReadonlyMap<Device, string>;
  readonly milliseconds: number;
  /** Whether the program was loaded from the disk cache. */
  readonly cached: boolean;
}

/** Options and log of a build for one device. */
export interface BuildRecord {
  readonly options: string;
  readonly log: string;
}

/** Input of {@link buildProgram}. */
export interface BuildPlan {
  readonly program: ProgramObject;
  readonly context: Context;
  readonly devices: readonly Device[];
  /** The caller's options, one per element. */
  readonly options: readonly string[];
  /** Source, if the program was created from source. */
  readonly source: string | undefined;
  /** Whether the native program was loaded from the cache and therefore has no source. */
  readonly isCached: boolean;
  /** Whether to use the cache; `undefined` for the platform's policy. */
  readonly cache: boolean | undefined;
  /** Whether the cache can be used: all devices are built, and no other code has the native program. */
  readonly mayCache: boolean;
  /** Receives the results, before a failure is thrown. */
  readonly setRecords: (records: BuildRecords, cached: boolean) => void;
}

/** Options and log of a build for each device. */
export type BuildRecords = ReadonlyMap<Device, BuildRecord>;

/** Builds a program. Throws a {@link BuildError} on failure. */
export function* buildProgram(plan: BuildPlan): Either<void> {
  const start = performance.now();
  const { program, context, devices, source } = plan;
  const requestedOptions = source === undefined ? plan.options : withArgumentInfo(plan.options, devices);
  let request: ProgramRequest | undefined;
  if (source !== undefined && plan.mayCache && (plan.cache ?? cachePolicy(context.platform.name).use)) {
    const cache = programCache();
    if (cache.directory !== undefined) {
      request = programRequest(context, devices, source, requestedOptions);
      // Blocking also for asynchronous builds: reading a file of this size takes less time than a promise.
      const cached = unpackProgram(cache.lookupSync(request), devices.length);
      const handle = cached && (yield* programFromCache(context, devices, cached));
      if (cached && handle) {
        adopt(program, handle);
        storeDescriptions(program, cached.describe);
        deferStore(program, undefined);
        const records = recordsOf(devices, requestedOptions, cached.logs);
        plan.setRecords(records, true);
        publishBuild(program, start, records, true);
        return;
      }
    }
  }

  // A program from the cache has no source, which other options or devices need.
  if (plan.isCached && source !== undefined) adopt(program, native.programFromSource(handleOf(context), source));
  storeDescriptions(program, undefined);
  deferStore(program, undefined);
  const handle = handleOf(program);
  let options = requestedOptions;
  let text = writeOptions(options);
  let status = yield* nativeBuild(handle, devices, text);
  let logs = devices.map((device) => buildLog(handle, device));
  if (status !== 0 && requestedOptions !== plan.options && logs.some((log) => assemblerError.test(log))) {
    options = plan.options;
    text = writeOptions(options);
    status = yield* nativeBuild(handle, devices, text);
    logs = devices.map((device) => buildLog(handle, device));
  }
  const records = recordsOf(devices, options, logs);
  plan.setRecords(records, false);
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

/** Returns the error for the status of a build, compilation or link. */
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
        ? ": compile every program for all devices first, with program.compile()"
        : ": kernels of this program exist; release them before building it again";
  }
  return error;
}

/** Returns the options and log of each device. */
export function recordsOf(
  devices: readonly Device[],
  options: readonly string[],
  logs: readonly string[],
): Map<Device, BuildRecord> {
  const text = writeOptions(options);
  return new Map(devices.map((device, i) => [device, { options: text, log: logs[i] ?? "" }]));
}

/** Returns the build log; empty if the driver rejects the query, as some do for an empty log. */
export function buildLog(program: Handle, device: Device): string {
  try {
    return string(native.getBuildInfo(program, handleOf(device), ProgramBuildInfo.LOG)).trimEnd();
  } catch (error) {
    if (error instanceof OpenCLError) return "";
    throw error;
  }
}

/** Returns the options with the one that keeps argument types at run time, which has no measurable cost. */
export function withArgumentInfo(options: readonly string[], devices: readonly Device[]): readonly string[] {
  if (options.includes(argumentInfo) || !devices.every(supportsArgumentInfo)) return options;
  return [...options, argumentInfo];
}

/** Publishes a message on `cl:build`. */
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
/** With that option, NVIDIA's compiler generates invalid assembly for kernels without parameters. */
const assemblerError = /^ptxas .*syntax error/m;

function supportsArgumentInfo(device: Device): boolean {
  return !/^OpenCL 1\.[01]\b/.test(device.version);
}

/** Replaces the program's handle. Releases `handle` if the program has been released meanwhile. */
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
  return compilerStep(
    devices,
    () => native.buildProgram(program, list, options, undefined) as number,
    (id) => native.buildProgram(program, list, options, id),
  );
}

/** Returns a built program from cached binaries; `undefined` if the driver no longer accepts them. */
function* programFromCache(
  context: Context,
  devices: readonly Device[],
  cached: StoredProgram,
): Either<Handle | undefined> {
  let program: Handle;
  try {
    program = native.programFromBinaries(handleOf(context), Int32Array.from(devices, handleOf), cached.binaries);
  } catch (error) {
    if (error instanceof OpenCLError) return undefined;
    throw error;
  }
  // Without options, because the binaries contain them.
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
    // The build has succeeded even if the driver returns no binaries.
    if (error instanceof OpenCLError) return;
    throw error;
  }
  yield* step(
    () => cache.storeSync(request, packed),
    () => cache.store(request, packed),
  );
}
