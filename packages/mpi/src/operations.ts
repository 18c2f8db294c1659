/**
 * Running operations, and settling their promises. The memory of an operation is pinned until it has ended, even if its array is
 * transferred meanwhile.
 */
import { pinMemory } from "@cl/core/internal";

import { MpiError } from "./mpi-error.js";
import { type HostArray, native, type NativeResult, type RequestArguments } from "./native.js";

/** Source and tag of a received message. */
export type Received = readonly [source: number, tag: number];

interface Pending {
  readonly name: string;
  /** Memory that the operation uses. */
  readonly pins: readonly unknown[];
  readonly resolve: (result: Received) => void;
  readonly reject: (error: Error) => void;
}

const pending = new Map<number, Pending>();
let lastId = 0;

/** Starts something that settles its id, and waits for it. `name` is shown in errors. */
export function settled(name: string, pins: readonly unknown[], start: (id: number) => void): Promise<Received> {
  const id = ++lastId;
  start(id);
  return expect(id, name, pins);
}

/** Waits for an id. The event loop stays alive meanwhile. */
function expect(id: number, name: string, pins: readonly unknown[]): Promise<Received> {
  return new Promise((resolve, reject) => {
    if (pending.size === 0) native.holdLoop(true);
    pending.set(id, { name, pins, resolve, reject });
  });
}

/** Passes the outcomes of all operations that have ended to their promises. Called when the engine has woken the event loop. */
export function settleAll(): void {
  const list = native.takeSettled();
  for (let i = 0; i < list.length; i += 2) {
    const { name, resolve, reject } = end(list[i] as number);
    const result = list[i + 1] as NativeResult;
    if (typeof result === "string") reject(new MpiError(name, result));
    else resolve(result);
  }
}

function end(id: number): Pending {
  const ended = pending.get(id) as Pending;
  pending.delete(id);
  if (pending.size === 0) native.holdLoop(false);
  return ended;
}

/** An operation, and what it is called in errors. */
export interface Request {
  readonly name: string;
  readonly arguments: RequestArguments;
}

/** Starts an operation and waits for it. */
export async function startOperation({ name, arguments: request }: Request): Promise<Received> {
  const arrays = [request[3], request[4]].filter((one): one is HostArray => one !== undefined);
  const pins = arrays.map((array) => pinMemory(array));
  const id = ++lastId;
  const early = native.start(id, ...request);
  return early === undefined ? expect(id, name, pins) : outcome(name, early);
}

/** Runs an operation, blocking. */
export function runOperation({ name, arguments: request }: Request): Received {
  return outcome(name, native.run(...request));
}

function outcome(name: string, result: NativeResult): Received {
  if (typeof result === "string") throw new MpiError(name, result);
  return result;
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
