/**
 * Stores programs in the disk cache after their first launches.
 *
 * PoCL puts the code for a local size into a binary only if a kernel has run with that size before the program was first
 * asked for its binary; and that first question compiles every kernel once more, 60 ms each, in the caller. So the
 * question is put to a second program of the same source, a while after the last first launch of a kernel (or when the
 * process runs out of other work), on a thread. The user's program is never touched. For kernels of a fixed work-group
 * size, whose code is in each binary, that program has another text (see `pocl-binaries.ts`).
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

/** A program that is to be stored. */
export interface DeferredStore {
  readonly context: Context;
  readonly devices: readonly Device[];
  readonly source: string;
  readonly options: string;
  readonly request: ProgramRequest;
  readonly logs: readonly string[];
}

/** Kernels call this when they have been launched for the first time. */
export function noteFirstLaunch(program: Resource): void {
  const store = stores.get(program);
  if (store === undefined) return;
  if (!due.has(store)) {
    try {
      // Made now, because the user may release the context as soon as the results are there.
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

/** Stores a program after its first launches; with nothing, no more. */
export function deferStore(program: Resource, store: DeferredStore | undefined): void {
  if (store === undefined) stores.delete(program);
  else stores.set(program, store);
}

/** Stores what is due at once; ends when it is done. */
export async function storeDuePrograms(): Promise<void> {
  run();
  await running;
}

const stores = new WeakMap<Resource, DeferredStore>();
/** With the second program of each, built when its turn comes. */
const due = new Map<DeferredStore, Handle>();
const messages = channel("cl:cache");
// Long enough for a program to have used all its kernels: PoCL compiles under one lock, so a store delays first launches.
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
      // The cache never makes anything fail.
      if (messages.hasSubscribers) messages.publish({ event: "skip", reason: String(error) });
    } finally {
      native.recycle(program);
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
