/**
 * Loans of memory. A loan ends when the borrower is released or garbage-collected.
 *
 * Registering an object for finalization costs ten times as much as the rest of a loan, and most loans end within
 * microseconds. New loans are therefore kept alive in a list and registered only if they still exist a little later.
 */
import { checkFunction, typeError } from "@cl/base";

import { finalizer, withoutThrowing } from "../binding/finalizer.js";
import { native } from "../binding/native.js";
import type { Allocation } from "./allocator.js";
import { forgetKeptObjects } from "./kept-objects.js";

/**
 * A pool or another owner of memory that makes loans of it. It must not refer to the borrowers, or they would never be
 * collected.
 */
export interface Lender<B extends Allocation = Allocation> {
  /**
   * Called when a loan of `bytes` bytes of the block has ended, by release or garbage collection. `reusable` is false
   * if something may still access the memory (a mapping, a transferred array) or the block was released; such a block
   * cannot be reused, and the lender must release it. `release` rethrows errors of this method; after a garbage
   * collection they become process warnings with the code `CL_FINALIZER`.
   */
  takeBack(block: B, bytes: number, reusable: boolean): void;
}

/** Checks that a value is a lender. */
export function checkLender(value: unknown): void {
  if (typeof (value as Partial<Lender> | undefined)?.takeBack === "function") return;
  throw typeError("lender", "an object with takeBack()", value);
}

/** A loan that is registered for finalization. It must not refer to the borrower. */
export interface Watch {
  readonly borrower: WeakRef<Borrower>;
  /** Ends the loan; `undefined` once it has ended. */
  end: (() => void) | undefined;
}

/** The object through which borrowed memory is used, and whose release or collection ends the loan. */
export interface Borrower {
  readonly released: boolean;
  /** @internal Registers the loan for finalization. */
  [startWatching](): void;
}

/** @internal The method of borrowers that calls {@link watch}. */
export const startWatching: unique symbol = Symbol("startWatching");

const maxNewLoans = 1024;
const agingIntervalMs = 50;
let newLoans: Borrower[] = [];
/** Loans that were in `newLoans` at the last call of {@link ageLoans}. */
let agedLoans: Borrower[] = [];
let agingTimer: NodeJS.Timeout | undefined;
const watched = new Set<Watch>();
const registry = finalizer<Watch>(endWatched);

/** Records a new loan. */
export function addLoan(borrower: Borrower): void {
  agingTimer ??= setTimeout(ageByTimer, agingIntervalMs).unref();
  if (newLoans.push(borrower) === maxNewLoans) ageLoans();
}

function ageByTimer(): void {
  ageLoans();
  agingTimer = agedLoans.length > 0 ? setTimeout(ageByTimer, agingIntervalMs).unref() : undefined;
}

/** Moves loans one generation on: new loans become aged, aged ones are watched. */
function ageLoans(): void {
  const [toWatch, toAge] = [agedLoans, newLoans];
  agedLoans = [];
  newLoans = [];
  for (const borrower of toWatch) withoutThrowing(watchUnlessReleased, borrower);
  agedLoans = toAge.filter((borrower) => !borrower.released);
}

function watchUnlessReleased(borrower: Borrower): void {
  if (!borrower.released) borrower[startWatching]();
}

/** Calls `end` when the borrower is garbage-collected; `end` must not refer to the borrower. */
export function watch(borrower: Borrower, end: () => void): Watch {
  const entry: Watch = { borrower: new WeakRef(borrower), end };
  watched.add(entry);
  registry.register(borrower, entry);
  return entry;
}

/** Cancels a {@link watch} because the loan was released. */
export function unwatch(entry: Watch): void {
  entry.end = undefined;
  watched.delete(entry);
}

function endWatched(entry: Watch): void {
  const { end } = entry;
  unwatch(entry);
  end?.();
}

const reclaimCallbacks: (() => void)[] = [];

/**
 * Registers a function that {@link reclaimUnreachable} calls first. It should drop references that are only kept to save time.
 * An error that it throws becomes a process warning with the code `CL_FINALIZER`.
 */
export function beforeReclaiming(callback: () => void): void {
  reclaimCallbacks.push(checkFunction(callback, "callback"));
}

/**
 * Runs a garbage collection and ends the loans of all unreachable borrowers; for a lender that is out of memory.
 */
export function reclaimUnreachable(): void {
  for (const callback of reclaimCallbacks) withoutThrowing(callback, undefined);
  // Twice, so that the newest loans are watched too.
  ageLoans();
  ageLoans();
  // Twice, because a collection that V8 has begun earlier spares objects that became unreachable since.
  for (let k = 0; k < 2; k++) {
    forgetKeptObjects();
    native.collectGarbage();
  }
  for (const entry of watched) {
    if (entry.borrower.deref() === undefined) withoutThrowing(endWatched, entry);
  }
}
