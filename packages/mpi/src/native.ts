/** The functions of the native addon (native/addon.cc), and finding the addon. Nothing here needs an MPI. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import { targetName } from "@cl/core/internal";
import type { MpiError } from "./mpi-error.js";

/** Kinds of operations, in the order of the native enum. */
export const kinds = {
  send: 0,
  receive: 1,
  barrier: 2,
  broadcast: 3,
  allreduce: 4,
  reduce: 5,
  gather: 6,
  scatter: 7,
  allgather: 8,
  alltoall: 9,
} as const;

/** How a communicator is made from another, as in `makeCommunicator`. */
export const makers = { duplicate: 0, split: 1, shared: 2, cartesian: 3 } as const;

/** Typed arrays whose memory MPI reads and writes. */
export type HostArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/** The arguments of an operation: see `Request` in native/operation.h. */
export type RequestArguments = [
  kind: number,
  communicator: number,
  type: number,
  from: HostArray | undefined,
  to: HostArray | undefined,
  peer: number,
  tag: number,
  sendCounts?: Int32Array | undefined,
  sendStarts?: Int32Array | undefined,
  receiveCounts?: Int32Array | undefined,
  receiveStarts?: Int32Array | undefined,
];

/** Arrays of an operation. Its numbers are passed through {@link requestNumbers}. */
type RequestArrays = [
  from: HostArray | undefined,
  to: HostArray | undefined,
  sendCounts?: Int32Array | undefined,
  sendStarts?: Int32Array | undefined,
  receiveCounts?: Int32Array | undefined,
  receiveStarts?: Int32Array | undefined,
];

/**
 * Through which operations pass numbers to native code: kind, communicator, type, peer and tag, and the source and the tag that were
 * received; see native/numbers.h.
 */
export const requestNumbers: Int32Array<ArrayBuffer> = new Int32Array(7);

/** The exports of the addon. */
export interface Native {
  /** Passes what native code needs of JavaScript. */
  connect(numbers: Int32Array, errorClass: typeof MpiError): void;
  openLibrary(name: string): string;
  openShim(path: string): void;
  initialize(id: number, onSettled: () => void): void;
  /** 0: not yet, 1: initialized, 2: finalized. */
  initialized(): number;
  holdLoop(hold: boolean): void;
  configure(stallSeconds: number, abortsOnFailure: boolean): void;
  finalize(id: number): void;
  finalizeSync(warning: string, seconds: number): void;
  abort(reason: string, code: number): never;
  /** Prints a sentence on stderr, preceded by the rank. */
  say(sentence: string): void;
  rankAndSize(communicator: number): [rank: number, size: number];
  largestTag(): number;
  makeCommunicator(
    id: number,
    maker: number,
    of: number,
    color: number,
    key: number,
    sizes?: Int32Array,
    periodic?: Int32Array,
  ): void;
  /** `position` is what the id of `makeCommunicator` was settled with. */
  takeCommunicator(position: number): number;
  freeCommunicator(id: number, communicator: number): void;
  divide(ranks: number, sizes: Int32Array): void;
  /** Returns true if the operation has already ended, and why if it has failed; else the id is settled later. */
  start(id: number, ...arrays: RequestArrays): true | string | undefined;
  /** Returns why the operation has failed. */
  run(...arrays: RequestArrays): string | undefined;
  /** Four values for each operation that has ended: its id, why it has failed, source and tag. */
  takeSettled(): (number | string | undefined)[];
  pending(): number;
  describePending(): string;
  receiver(): unknown;
  /** Adds messages that each turn of a relay sends and receives; `messages` has four numbers each: 1 to send or 0 to receive, the peer, the tag, the bytes. Returns the number of the operation. */
  addExchange(name: string, communicator: number, messages: Float64Array, sharesMemory: boolean): number;
  /** Adds a reduction that each turn of a relay runs. */
  addAllreduce(name: string, communicator: number, type: number, count: number, reduction: number): number;
  removeRelayed(number: number): void;
}

const folder = new URL("../", import.meta.url);

/** Returns the path of a compiled file of this package: of a local build, else the prebuilt one. */
export function compiledFile(local: string, name: string): string | undefined {
  const existing = (place: string): string | undefined => {
    const path = fileURLToPath(new URL(place, folder));
    return existsSync(path) ? path : undefined;
  };
  return existing(`build/${local}${name}`) ?? existing(`prebuilds/${targetName()}/${name}`);
}

/** Loads the addon. */
function loadNative(): Native {
  const path = process.env["CL_MPI_BINARY"] ?? compiledFile("Release/", "cl_mpi.node");
  if (path === undefined) {
    const error = new Error(
      `@cl/mpi has no native addon for ${targetName()}. Build it from the sources in the package (needs a C++20 compiler and CMake):\n  cd ${JSON.stringify(fileURLToPath(folder))} && npx cmake-js@8 compile`,
    );
    throw Object.assign(error, { code: "ERR_CL_NO_BINARY" });
  }
  return createRequire(import.meta.url)(path) as Native;
}

/** The addon. */
export const native: Native = loadNative();
