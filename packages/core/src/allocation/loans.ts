/**
 * Loans of memory, and how they end: by release, or because the borrower's object was dropped.
 *
 * To watch an object for being collected costs ten times what the rest of a loan does, and most loans end within
 * microseconds. So new loans wait in a list, which keeps them alive, and only what is still lent a while later is watched.
 */
import { typeError } from "@cl/base";

import { finalizer, withoutThrowing } from "../binding/finalizer.js";
import { native } from "../binding/native.js";
import type { Allocation } from "./allocator.js";

/** Whoever lends memory out: a pool. It must not refer to what it has lent, which would then never be collected. */
export interface Lender<B extends Allocation = Allocation> {
  /**
   * A loan of so many bytes of the block has ended: it was released, or collected. If something may still reach the
   * memory (a map of it, an array that was transferred away), or the block itself has ended, it cannot be lent again and is
   * yours to release. What this throws, `release` throws; after a garbage collection it becomes a process warning with the
   * code `CL_FINALIZER`.
   */
  takeBack(block: B, bytes: number, reusable: boolean): void;
}

/** Checks that a value is a lender. */
export function checkLender(value: unknown): void {
  if (typeof (value as Partial<Lender> | undefined)?.takeBack === "function") return;
  throw typeError("lender", "an object with takeBack()", value);
}

/** What is watched of a loan once it is old enough; it must not refer to the borrower's object. */
export interface Watch {
  readonly borrower: WeakRef<Borrower>;
  /** Ends the loan; nothing if it has ended. */
  end: (() => void) | undefined;
}

/** The borrower's side, which is the object that is released or dropped. */
export interface Borrower {
  readonly released: boolean;
  /** @internal To be watched from now on. */
  [beWatched](): void;
}

/** @internal The method of borrowers that starts their {@link watch}. */
export const beWatched: unique symbol = Symbol("beWatched");

const youngest = 1024;
const youthInMs = 50;
let young: Borrower[] = [];
/** What was young when the list was full the last time. */
let older: Borrower[] = [];
let growingUp: NodeJS.Timeout | undefined;
const watched = new Set<Watch>();
const dropped = finalizer<Watch>(endWatched);

/** To be called with each new loan. */
export function lent(borrower: Borrower): void {
  growingUp ??= setTimeout(grow, youthInMs).unref();
  if (young.push(borrower) === youngest) age();
}

function grow(): void {
  age();
  growingUp = older.length > 0 ? setTimeout(grow, youthInMs).unref() : undefined;
}

/** Twice, since some of the young have only just been made. */
function age(): void {
  const [oldest, grown] = [older, young];
  older = [];
  young = [];
  for (const borrower of oldest) withoutThrowing(startWatching, borrower);
  older = grown.filter((borrower) => !borrower.released);
}

function startWatching(borrower: Borrower): void {
  if (!borrower.released) borrower[beWatched]();
}

/** Watches a borrower; `end` must not refer to it. */
export function watch(borrower: Borrower, end: () => void): Watch {
  const entry: Watch = { borrower: new WeakRef(borrower), end };
  watched.add(entry);
  dropped.register(borrower, entry);
  return entry;
}

/** The loan has ended otherwise. */
export function unwatch(entry: Watch): void {
  entry.end = undefined;
  watched.delete(entry);
}

function endWatched(entry: Watch): void {
  const { end } = entry;
  unwatch(entry);
  end?.();
}

/**
 * Collects garbage, and ends the loans of all memory that nobody refers to any more; for a lender that has no memory
 * left. What the running piece of JavaScript has made or looked at survives until the event loop's next turn.
 */
export function reclaimDropped(): void {
  age();
  age();
  native.collectGarbage();
  for (const entry of watched) {
    if (entry.borrower.deref() === undefined) withoutThrowing(endWatched, entry);
  }
}
