/**
 * Attempts: computations that do not wait for the compiler. From the first kernel that is not built, an attempt leaves out all
 * launches, but continues, to find the other kernels that must be built. When they are built, it is repeated.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";

import { wrongState } from "@cl/base";
import { isPast, upcomingSerial } from "./moment.js";

/** A program that is not built yet. */
export interface Buildable {
  /** How often its kernels were left out. */
  misses: number;
  /** Whether it has been built. */
  readonly isBuilt: boolean;
  /** Builds the program asynchronously. */
  build(): Promise<void>;
}

/** What a computation found. */
class Attempt {
  /** Most attempts need none of these four, so they are created when they are first used. */
  missing: Set<Buildable> | undefined;
  endings: (() => void)[] | undefined;
  /** Pending values whose kernels it has looked for. */
  visited: Set<object> | undefined;
  /** Serial number of the first storage that it makes. */
  readonly start = upcomingSerial();
  /** Storages that existed before and whose elements it changes. */
  changed: Set<Numbered> | undefined;
  /** Whether the current code changes elements of arrays that existed before. */
  isChanging = false;
  /** Whether it may have enqueued such a change. It then waits for the compiler, since it cannot be repeated. */
  hasChanged = false;
  canBeDeferred = true;
}

/** A storage. */
interface Numbered {
  /** Number in the order of creation. */
  readonly serial: number;
}

const none: ReadonlySet<never> = new Set<never>();
let current: Attempt | undefined;

/** Result of a computation that did not wait. */
export interface Attempted<R> {
  /** Invalid if a program is missing. */
  readonly result: R;
  /** The programs that must be built before the computation is repeated. */
  readonly missing: ReadonlySet<Buildable>;
  /** Serial number of the first storage that it made. */
  readonly start: number;
  /** Storages that existed before and whose elements it changes. */
  readonly changed: ReadonlySet<Numbered>;
  /** Whether it may be repeated later, when the missing programs are built. */
  readonly canBeDeferred: boolean;
}

/** Runs a computation that does not wait for the compiler. */
export function attempt<R>(run: () => R): Attempted<R> {
  // Within an attempt that leaves out commands, other commands would read what was not written.
  const own = current !== undefined && leavesOut() ? current : new Attempt();
  try {
    const result = within(own, run);
    const { missing = none, start, changed = none, canBeDeferred } = own;
    return { result, missing, start, changed, canBeDeferred };
  } finally {
    if (own !== current && own.endings !== undefined) for (const end of own.endings) end();
  }
}

let preparations = 0;
const prepared = new AsyncLocalStorage<true>();

/**
 * Whether the current code prepares kernels. Those that compute several operations are then built before they are needed, and eager
 * factories defer calls, too.
 */
export function isPreparing(): boolean {
  return preparations > 0 && prepared.getStore() === true;
}

/** Runs a function that prepares kernels. */
export async function preparing(run: () => Promise<void>): Promise<void> {
  preparations++;
  try {
    await prepared.run(true, run);
  } finally {
    preparations--;
  }
}

/** Calls a function at the end of the current attempt. */
export function atEndOfAttempt(end: () => void): void {
  if (current !== undefined) (current.endings ??= []).push(end);
}

/** Runs a computation that waits for the compiler, also within an attempt. */
export function waitingForCompiler<R>(run: () => R): R {
  return current === undefined ? run() : within(undefined, run);
}

function within<R>(own: Attempt | undefined, run: () => R): R {
  const outer = current;
  current = own;
  try {
    return run();
  } finally {
    current = outer;
  }
}

/** Whether the current code belongs to an attempt. */
export function isAttempt(): boolean {
  return current !== undefined;
}

/** Whether the current code leaves out launches because a program is missing. */
export function leavesOut(): boolean {
  return current?.missing !== undefined;
}

/** Returns whether a program's kernels must be left out, since the current code cannot wait for the compiler. */
export function isLeftOut(program: Buildable): boolean {
  if (current === undefined || (current.hasChanged && current.missing === undefined)) return false;
  program.misses++;
  (current.missing ??= new Set()).add(program);
  return true;
}

/** Leaves out the computation that needs programs, if one is not built and the current code cannot wait for the compiler. */
export function leaveOutUnbuilt(programs: Iterable<Buildable>): void {
  for (const program of programs) if (!program.isBuilt) isLeftOut(program);
}

/** Returns whether an attempt that leaves out launches has not looked for the kernels of a value yet. */
export function isFirstVisit(value: object): boolean {
  if (current === undefined || current.visited?.has(value) === true) return false;
  (current.visited ??= new Set()).add(value);
  return true;
}

/** Notes that the elements of a storage change. */
export function noteChange(storage: Numbered): void {
  // Deferred calls note their changes when they are made.
  if (current === undefined || storage.serial >= current.start || isPast()) return;
  (current.changed ??= new Set()).add(storage);
  current.isChanging = true;
}

/** Notes that the current computation cannot be deferred, since its errors depend on when it runs. */
export function forbidDeferral(): void {
  if (current !== undefined) current.canBeDeferred = false;
}

/** Notes that a kernel is enqueued, which may change elements. */
export function noteLaunch(): void {
  if (current?.isChanging === true) current.hasChanged = true;
}

/** Runs a computation that is complete when it returns, also if the current one is repeated. */
export function separately(isChanging: boolean, run: () => void): void {
  const outer = current;
  if (outer === undefined) {
    run();
    return;
  }
  const { isChanging: before, hasChanged } = outer;
  outer.isChanging = isChanging;
  try {
    run();
  } finally {
    outer.isChanging = before;
    outer.hasChanged = hasChanged;
  }
}

/** Throws if a storage cannot be read because the launches that fill it were left out. The error never reaches users. */
export function checkFilled(storageSerial: number): void {
  if (current === undefined || !leavesOut() || storageSerial < current.start) return;
  throw wrongState("the kernels of this computation are not built");
}

/** Begins to build programs that are used later. Their first use throws errors of the compiler. */
export function buildLater(missing: Iterable<Buildable>): void {
  built(missing).catch(() => undefined);
}

/** Runs a computation when the missing programs are built, in attempts that are repeated until no program is missing. */
export async function whenBuilt<R>(missing: Iterable<Buildable>, run: () => R, signal?: AbortSignal): Promise<R> {
  for (;;) {
    await built(missing);
    signal?.throwIfAborted();
    const tried = attempt(run);
    if (tried.missing.size === 0) return tried.result;
    ({ missing } = tried);
  }
}

/** Builds programs asynchronously. Each build starts in a new turn of the event loop, since sources take time to generate. */
async function built(missing: Iterable<Buildable>): Promise<void> {
  const builds: Promise<void>[] = [];
  for (const program of missing) {
    if (builds.length > 0) await setImmediate();
    const build = program.build();
    // It may reject while other builds start.
    build.catch(() => undefined);
    builds.push(build);
  }
  await Promise.all(builds);
}
