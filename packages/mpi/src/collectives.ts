/** Operations that all ranks of a communicator take part in, as generators of requests, which run blocking or not. */
import { typeError, wrongValue } from "@cl/base";

import { type Reduction, reductionOf, typeOf } from "./element-types.js";
import { type HostArray, kinds } from "./native.js";
import type { Operations, Request } from "./operations.js";
import { concatenated, countsOf, divide, emptyLike, startsOf, totalOf } from "./parts.js";
import { checkRank, type Ranks } from "./ranks.js";

/** Waits for all ranks. */
export function barrier({ handle }: Ranks): Request {
  return { name: "barrier", arguments: [kinds.barrier, handle, 0, undefined, undefined, 0, 0] };
}

/** Copies the root's array to all ranks. */
export function broadcast(ranks: Ranks, data: HostArray, root: number): Request {
  const type = typeOf(data, "data");
  const peer = checkRank(ranks, root, "root");
  return { name: "broadcast", arguments: [kinds.broadcast, ranks.handle, type, data, data, peer, 0] };
}

/** Sends the root's value to all ranks, as JSON: first the number of bytes, then the bytes. */
export function* broadcastJson<T>(ranks: Ranks, value: T, root: number): Operations<T> {
  const isRoot = ranks.rank === checkRank(ranks, root, "root");
  const text = isRoot ? jsonOf(value) : new Uint8Array();
  const length = Float64Array.of(text.length);
  yield broadcast(ranks, length, root);
  const bytes = isRoot ? text : new Uint8Array(length[0] as number);
  yield broadcast(ranks, bytes, root);
  return JSON.parse(new TextDecoder().decode(bytes)) as T;
}

/** Collects the values of all ranks on the root, as JSON. */
export function* gatherJson<T>(ranks: Ranks, value: T, root: number): Operations<T[] | undefined> {
  const texts = yield* gather(ranks, jsonOf(value), root);
  return texts?.map((text) => JSON.parse(new TextDecoder().decode(text)) as T);
}

function jsonOf(value: unknown): Uint8Array {
  // Undefined for what JSON cannot represent.
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw typeError("value", "a value that JSON can represent", value);
  return new TextEncoder().encode(text);
}

/** Combines the elements of all ranks. Returns the operation and the array of its result. */
export function allreduce(
  ranks: Ranks,
  value: HostArray | number,
  operation: Reduction,
  into: HostArray | undefined,
): [Request, HostArray] {
  const data = typeof value === "number" ? Float64Array.of(value) : value;
  const type = typeOf(data, "data");
  const result = into ?? (typeof value === "number" ? data : emptyLike(data, data.length));
  if (result.constructor !== data.constructor || result.length !== data.length) {
    throw typeError("into", `a ${data.constructor.name} with ${data.length} elements`, result);
  }
  const reduction = reductionOf(operation, data);
  return [{ name: "allreduce", arguments: [kinds.allreduce, ranks.handle, type, data, result, 0, reduction] }, result];
}

/** Like {@link allreduce}, with a result on the root only. */
export function reduce<T extends HostArray>(
  ranks: Ranks,
  data: T,
  operation: Reduction,
  root: number,
): [Request, T | undefined] {
  const type = typeOf(data, "data");
  const peer = checkRank(ranks, root, "root");
  const result = peer === ranks.rank ? emptyLike(data, data.length) : undefined;
  const reduction = reductionOf(operation, data);
  return [{ name: "reduce", arguments: [kinds.reduce, ranks.handle, type, data, result, peer, reduction] }, result];
}

/** Collects the arrays of all ranks on the root: first their lengths. */
export function* gather<T extends HostArray>(ranks: Ranks, data: T, root: number): Operations<T[] | undefined> {
  const type = typeOf(data, "data");
  const peer = checkRank(ranks, root, "root");
  const isRoot = peer === ranks.rank;
  const request = (from: HostArray, to: HostArray | undefined, counts: Int32Array | undefined): Request => ({
    name: "gather",
    arguments: [
      kinds.gather,
      ranks.handle,
      from === data ? type : lengthType,
      from,
      to,
      peer,
      0,
      undefined,
      undefined,
      counts,
      counts && startsOf(counts),
    ],
  });
  const lengths = isRoot ? new Int32Array(ranks.size) : undefined;
  yield request(Int32Array.of(data.length), lengths, isRoot ? oneEach(ranks) : undefined);
  const all = lengths && emptyLike(data, totalOf(lengths, "data"));
  yield request(data, all, lengths);
  return all && divide(all, lengths as Int32Array);
}

/** Collects the arrays of all ranks on all ranks: first their lengths. */
export function* allgather<T extends HostArray>(ranks: Ranks, data: T): Operations<T[]> {
  const type = typeOf(data, "data");
  const request = (element: number, from: HostArray, to: HostArray, counts: Int32Array): Request => ({
    name: "allgather",
    arguments: [kinds.allgather, ranks.handle, element, from, to, 0, 0, undefined, undefined, counts, startsOf(counts)],
  });
  const lengths = new Int32Array(ranks.size);
  yield request(lengthType, Int32Array.of(data.length), lengths, oneEach(ranks));
  const all = emptyLike(data, totalOf(lengths, "data"));
  yield request(type, data, all, lengths);
  return divide(all, lengths);
}

/** Distributes the root's arrays: first their lengths. */
export function* scatter<T extends HostArray>(ranks: Ranks, parts: readonly T[] | T, root: number): Operations<T> {
  const peer = checkRank(ranks, root, "root");
  const list = peer === ranks.rank ? checkParts(ranks, parts as readonly T[]) : undefined;
  const sample = list === undefined ? (parts as T) : (list[0] as T);
  const type = typeOf(sample, "parts");
  const request = (
    element: number,
    from: HostArray | undefined,
    to: HostArray,
    counts: Int32Array | undefined,
  ): Request => ({
    name: "scatter",
    arguments: [kinds.scatter, ranks.handle, element, from, to, peer, 0, counts, counts && startsOf(counts)],
  });
  const lengths = list && countsOf(list);
  const length = new Int32Array(1);
  yield request(lengthType, lengths, length, list && oneEach(ranks));
  const own = emptyLike(sample, length[0] as number);
  yield request(type, list && concatenated(list), own, lengths);
  return own;
}

/** Sends an array from each rank to each: first their lengths. */
export function* alltoallv<T extends HostArray>(ranks: Ranks, parts: readonly T[]): Operations<T[]> {
  const sent = countsOf(checkParts(ranks, parts));
  const request = (element: number, from: HostArray, to: HostArray, out: Int32Array, back: Int32Array): Request => ({
    name: "alltoallv",
    arguments: [kinds.alltoall, ranks.handle, element, from, to, 0, 0, out, startsOf(out), back, startsOf(back)],
  });
  const received = new Int32Array(ranks.size);
  yield request(lengthType, sent, received, oneEach(ranks), oneEach(ranks));
  const all = concatenated(parts);
  const result = emptyLike(all, totalOf(received, "parts"));
  yield request(typeOf(all, "parts"), all, result, sent, received);
  return divide(result, received);
}

/** The type of lengths. */
const lengthType = typeOf(new Int32Array(), "lengths");

function oneEach({ size }: Ranks): Int32Array {
  return new Int32Array(size).fill(1);
}

function checkParts<T extends HostArray>({ size }: Ranks, parts: readonly T[]): readonly T[] {
  if (!Array.isArray(parts)) throw typeError("parts", "an array with a typed array for each rank", parts);
  const list = parts as readonly T[];
  if (list.length !== size) {
    throw wrongValue(`parts must have ${size} elements, one for each rank, received ${list.length}`);
  }
  for (const [i, part] of list.entries()) {
    typeOf(part, `parts[${i}]`);
    const { constructor } = list[0] as T;
    if (part.constructor !== constructor) throw typeError(`parts[${i}]`, `a ${constructor.name} like parts[0]`, part);
  }
  return list;
}
