/**
 * Attempts: computations that do not wait for the compiler. From the first kernel that is not built, an attempt leaves out all
 * launches, but continues, to find the other kernels that must be built. When they are built, it is repeated.
 */
import { wrongState } from "@cl/base";

/** A program that is not built yet. */
export interface Buildable {
  /** How often its kernels were left out. */
  misses: number;
  /** Builds the program asynchronously. */
  build(): Promise<void>;
}

/** What a computation found. */
class Attempt {
  /** Most attempts need none of these three, so they are created when they are first used. */
  missing: Set<Buildable> | undefined;
  endings: (() => void)[] | undefined;
  /** Pending values whose kernels it has looked for. */
  visited: Set<object> | undefined;
  /** Serial number of the first storage that it makes. */
  readonly start = serial;
  /** Whether it changes elements of arrays that existed before. It then waits for the compiler, since it cannot be repeated. */
  changes = false;
}

const none: ReadonlySet<Buildable> = new Set();
let current: Attempt | undefined;
let serial = 0;

/** Returns the serial number of a new storage. */
export function nextSerial(): number {
  return serial++;
}

/** Result of a computation that did not wait. */
export interface Attempted<R> {
  /** Invalid if a program is missing. */
  readonly result: R;
  /** The programs that must be built before the computation is repeated. */
  readonly missing: ReadonlySet<Buildable>;
  /** Serial number of the first storage that it made. */
  readonly start: number;
  /** Whether changes of existing arrays were left out: the computation must be repeated immediately. */
  readonly changes: boolean;
}

/** Runs a computation that does not wait for the compiler. */
export function attempt<R>(run: () => R): Attempted<R> {
  // Within an attempt that leaves out commands, other commands would read what was not written.
  const own = current !== undefined && leavesOut() ? current : new Attempt();
  try {
    const result = within(own, run);
    return { result, missing: own.missing ?? none, start: own.start, changes: own.changes };
  } finally {
    if (own !== current && own.endings !== undefined) for (const end of own.endings) end();
  }
}

let preparations = 0;

/** Whether kernels are being prepared: those that compute several operations are then built before they are needed. */
export function isPreparing(): boolean {
  return preparations > 0;
}

/** Runs a function that prepares kernels. */
export async function preparing(run: () => Promise<void>): Promise<void> {
  preparations++;
  try {
    await run();
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
  if (current === undefined || (current.changes && current.missing === undefined)) return false;
  program.misses++;
  (current.missing ??= new Set()).add(program);
  return true;
}

/** Returns whether an attempt that leaves out launches has not looked for the kernels of a value yet. */
export function isFirstVisit(value: object): boolean {
  if (current === undefined || current.visited?.has(value) === true) return false;
  (current.visited ??= new Set()).add(value);
  return true;
}

/** Notes that the elements of a storage change. */
export function noteChange(storageSerial: number): void {
  if (current !== undefined && storageSerial < current.start) current.changes = true;
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

/** Builds programs asynchronously. */
async function built(missing: Iterable<Buildable>): Promise<void> {
  await Promise.all(Array.from(missing, (program) => program.build()));
}
