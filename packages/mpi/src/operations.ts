/**
 * Running operations, and settling their promises. The memory of an operation is pinned until it has ended, even if its array is
 * transferred meanwhile.
 */
import { pinMemory } from "@cl/core/internal";

import { MpiError } from "./mpi-error.js";
import { kinds, native, type RequestArguments, requestNumbers } from "./native.js";
import { stallSeconds } from "./state.js";

/** The sender and the tag of a received message. */
export interface Received {
  readonly source: number;
  readonly tag: number;
}

/** An operation, and what it is called in errors. */
export interface Request {
  readonly name: string;
  readonly arguments: RequestArguments;
}

interface Pending {
  /** What failed, for errors. */
  readonly subject: Request | string;
  /** Memory that the operation uses. */
  readonly pins: readonly unknown[];
  readonly resolve: (result: Received) => void;
  readonly reject: (error: Error) => void;
}

const pending = new Map<number, Pending>();
let lastId = 0;

/** Starts something that settles its id, and waits for it. `name` is shown in errors. */
export async function settled(name: string, start: (id: number) => void): Promise<Received> {
  const id = ++lastId;
  start(id);
  // The engine's thread waits, too, so it cannot warn.
  const seconds = stallSeconds > 0 ? Math.min(stallSeconds, 1e6) : 1e6;
  const timer = setTimeout(() => {
    native.say(`has waited ${seconds} s for the other ranks to call ${name}`);
  }, seconds * 1000).unref();
  try {
    return await expect(id, name, []);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for an id. The event loop stays alive meanwhile. */
function expect(id: number, subject: Request | string, pins: readonly unknown[]): Promise<Received> {
  return new Promise((resolve, reject) => {
    if (pending.size === 0) native.holdLoop(true);
    pending.set(id, { subject, pins, resolve, reject });
  });
}

/** Passes the outcomes of all operations that have ended to their promises. Called when the engine has woken the event loop. */
export function settleAll(): void {
  const list = native.takeSettled();
  for (let i = 0; i < list.length; i += 4) {
    const { subject, resolve, reject } = end(list[i] as number);
    const failure = list[i + 1] as string | undefined;
    if (failure !== undefined) reject(errorOf(subject, failure));
    else resolve({ source: list[i + 2] as number, tag: list[i + 3] as number });
  }
}

function end(id: number): Pending {
  const ended = pending.get(id) as Pending;
  pending.delete(id);
  if (pending.size === 0) native.holdLoop(false);
  return ended;
}

/** Starts an operation and waits for it. */
export async function startOperation(request: Request): Promise<Received> {
  const [, , , from, to, , , ...counts] = request.arguments;
  const pins = [from, to].map((array) => array && pinMemory(array));
  const id = ++lastId;
  passNumbers(request.arguments);
  const early = native.start(id, from, to, ...counts);
  if (early === undefined) return expect(id, request, pins);
  if (early === true) return received();
  throw errorOf(request, early);
}

/** Runs an operation, blocking. */
export function runOperation(request: Request): Received {
  const [, , , from, to, , , sendCounts, sendStarts, receiveCounts, receiveStarts] = request.arguments;
  passNumbers(request.arguments);
  const failure = native.run(from, to, sendCounts, sendStarts, receiveCounts, receiveStarts);
  if (failure !== undefined) throw errorOf(request, failure);
  return received();
}

function passNumbers([kind, communicator, type, , , peer, tag]: RequestArguments): void {
  requestNumbers[0] = kind;
  requestNumbers[1] = communicator;
  requestNumbers[2] = type;
  requestNumbers[3] = peer;
  requestNumbers[4] = tag;
}

function received(): Received {
  return { source: requestNumbers[5] as number, tag: requestNumbers[6] as number };
}

function errorOf(subject: Request | string, why: string): MpiError {
  if (typeof subject === "string") return new MpiError(subject, why);
  const [kind, , , , , peer] = subject.arguments;
  const rank = peer < 0 ? "any rank" : `rank ${peer}`;
  const other = kind === kinds.send ? ` to ${rank}` : kind === kinds.receive ? ` from ${rank}` : "";
  return new MpiError(subject.name + other, why);
}

/** A function body that consists of operations. It is written once and runs blocking or not. */
export type Operations<T> = Generator<Request, T, Received>;

/** Runs a body, waiting for each operation. */
export async function startAll<T>(body: Operations<T>): Promise<T> {
  let state = body.next();
  while (!state.done) state = body.next(await startOperation(state.value));
  return state.value;
}

/** Runs a body, blocking. */
export function runAll<T>(body: Operations<T>): T {
  let state = body.next();
  while (!state.done) state = body.next(runOperation(state.value));
  return state.value;
}
