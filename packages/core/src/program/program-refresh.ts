/**
 * Stores programs in the disk cache some time after their first launches.
 *
 * A PoCL binary contains the code for a local size only if a kernel ran with that size before the first binary query,
 * and that query recompiles every kernel in the caller, 60 ms each. Therefore a second program of the same source is
 * queried on a worker thread, some time after the last first launch of a kernel or when the event loop is empty. The
 * user's program is not affected. On PoCL before 7, the second program has a different source if a kernel has a required
 * work-group size (see `pocl-binaries.ts`).
 */
import { channel } from "node:diagnostics_channel";

import { packProgram, programCache } from "./program-cache-request.js";
import type { ProgramRequest } from "../cache/program-cache.js";
import { completionOf } from "../binding/completion.js";
import type { Context } from "../platform/context.js";
import type { Device } from "../platform/device.js";
import { driverError } from "../binding/errors.js";
import { describeKernels } from "./kernel-descriptions.js";
import { type Handle, native } from "../binding/native.js";
import { needsTwin, twinOf } from "./pocl-binaries.js";
import { handleOf, type Resource } from "../binding/resource.js";

/** A program to be stored. */
export interface DeferredStore {
  readonly context: Context;
  readonly devices: readonly Device[];
  readonly source: string;
  readonly options: string;
  readonly request: ProgramRequest;
  readonly logs: readonly string[];
}

/** Schedules the program's storage. Called by kernels after their first launch. */
export function noteFirstLaunch(program: Resource): void {
  const store = stores.get(program);
  if (store === undefined) return;
  if (!due.has(store)) {
    try {
      // Created now, because the user may release the context soon.
      const { context, devices, source } = store;
      const isTwin = needsTwin(context, handleOf(program), devices);
      due.set(store, isTwin ? twinOf(context, source) : native.programFromSource(handleOf(context), source));
    } catch {
      return;
    }
  }
  clearTimeout(timer);
  timer = setTimeout(run, quietMilliseconds).unref();
  if (!atExit) {
    atExit = true;
    process.once("beforeExit", () => {
      atExit = false;
      run();
    });
  }
}

/** Sets what to store after a program's first launches; `undefined` for nothing. */
export function deferStore(program: Resource, store: DeferredStore | undefined): void {
  if (store === undefined) stores.delete(program);
  else stores.set(program, store);
}

/** Stores all scheduled programs immediately; resolves when they are stored. */
export async function storeDuePrograms(): Promise<void> {
  run();
  await running;
}

const stores = new WeakMap<Resource, DeferredStore>();
/** Scheduled programs, each with its second program, which is built when it is stored. */
const due = new Map<DeferredStore, Handle>();
const messages = channel("cl:cache");
// Long enough for most programs to launch all kernels: PoCL compiles under one lock, so storing delays first launches.
const quietMilliseconds = 2000;
let timer: NodeJS.Timeout | undefined;
let atExit = false;
let running: Promise<void> = Promise.resolve();

function run(): void {
  clearTimeout(timer);
  if (due.size === 0) return;
  const batch = [...due];
  due.clear();
  running = storeAll(running, batch);
}

async function storeAll(earlier: Promise<void>, batch: readonly (readonly [DeferredStore, Handle])[]): Promise<void> {
  await earlier;
  for (const [store, program] of batch) {
    try {
      await storeOne(store, program);
    } catch (error) {
      // Cache failures are not errors.
      if (messages.hasSubscribers) messages.publish({ event: "skip", reason: String(error) });
    } finally {
      // PoCL would block until no thread compiles.
      await completionOf((id) => native.discardProgram(program, id));
    }
  }
}

async function storeOne(store: DeferredStore, program: Handle): Promise<void> {
  const devices = Int32Array.from(store.devices, handleOf);
  const check = (routine: string, status: number): void => {
    if (status !== 0) throw driverError(routine, status);
  };
  check("clBuildProgram", await completionOf((id) => native.buildProgram(program, devices, store.options, id)));
  check("clGetProgramInfo", await completionOf((id) => native.prepareBinaries(program, id)));
  const binaries = native.programBinaries(program);
  await programCache().store(store.request, packProgram(binaries, store.logs, describeKernels(program)));
}
