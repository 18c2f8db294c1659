/** Fills memory with the numbers of a stream: chooses the kernel, the number of work-items, and the arguments. */
import { hasParallelWorkItems, loopWorkItemCount } from "@cl/characterize";
import type { Device, LaunchSizes } from "@cl/core";
import { assign } from "../elementwise/assign.js";
import { exactOptions } from "../kernels/exact-options.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered } from "../kernels/launch.js";
import { typeNamed } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import { type Distribution, numbersOfBlock } from "./distributions.js";
import { blocksOfItem, fillSource } from "./fill-source.js";
import type { GeneratorName } from "./generators.js";
import { lanes } from "./stream-source.js";
import type { AnyArray } from "../storage/array-ref.js";

/** Where a stream is, in words of 32 bits from the block of counter 0 on. */
export interface StreamPlace {
  readonly generator: GeneratorName;
  readonly key: readonly number[];
  readonly position: bigint;
}

/** Three parameters of the distribution; integers for integer distributions. */
export interface Drawn {
  readonly distribution: Distribution;
  readonly parameters: readonly (number | bigint)[];
}

/** How many words of a stream an element takes. */
export function wordsOf({ distribution }: Drawn, dtype: AnyArray["dtype"]["name"]): number {
  return 4 / numbersOfBlock(distribution, dtype);
}

/** The first position from which on elements can be made: a multiple of the words that each takes. */
export function alignedTo(position: bigint, words: number): bigint {
  const unit = BigInt(words);
  return ((position + unit - 1n) / unit) * unit;
}

/** Fills an array, in C order, from an aligned position of the stream on. */
export function fillRandom(target: AnyArray, place: StreamPlace, drawn: Drawn): void {
  if (target.size === 0) return;
  if (target.isContiguous) return fillContiguous(target, place, drawn);
  using whole = target.xp.empty(target.shape, { dtype: target.dtype });
  fillContiguous(whole, place, drawn);
  assign(target, whole);
}

function fillContiguous(target: AnyArray, place: StreamPlace, { distribution, parameters }: Drawn): void {
  const { queue } = target.xp;
  const { device } = queue;
  const { dtype, storage, layout } = target.operand();
  const { generator } = place;
  const { itemSize } = typeNamed(dtype);
  const count = numbersOfBlock(distribution, dtype);
  const words = BigInt(4 / count);
  const skip = Number((place.position / words) % BigInt(count));
  const base = layout.offset / itemSize - skip;
  const blocks = Math.ceil((skip + target.size) / count);
  const loops = !hasParallelWorkItems(device);
  const stream = streamArgument(place, {
    base,
    skip,
    end: skip + target.size,
    blocks,
    aligned: base % count === 0,
    count,
  });
  // Vectors that go past the caches must be where they could be stored as such.
  const past = loops && skip === 0 && target.nbytes > device.globalMemCacheSize && (base * itemSize) % 64 === 0;
  const kernel = kernelOf(
    queue.context,
    `random ${generator} ${distribution} ${dtype} ${loops} ${past}`,
    "fill_random",
    () => fillSource({ generator, distribution, dtype, loops, past }),
    () => exactOptions(queue.context),
  );
  const whole = kindOf(dtype) < 3;
  const [p = 0, q = 0, r = 0] = parameters.map((value) => (whole ? BigInt(value) : Number(value)));
  const zero = (value: number | bigint): number | bigint => (whole ? BigInt.asUintN(64, BigInt(value)) : value);
  const args = [storage.memory, stream, zero(p), zero(q), zero(r)];
  launchOrdered(queue, kernel, sizesFor(device, blocks, loops), args, [], [storage]);
}

interface Parts {
  readonly base: number;
  readonly skip: number;
  readonly end: number;
  readonly blocks: number;
  readonly aligned: boolean;
  /** Numbers of a block. */
  readonly count: number;
}

/** The struct `Stream` of the kernels. */
export function streamArgument({ key, position }: StreamPlace, parts: Parts): Uint8Array {
  const words = new Uint32Array(20);
  const counter = position / 4n;
  const [low, high] = [BigInt.asUintN(64, counter), counter >> 64n];
  storeLong(words, 0, low);
  storeLong(words, 2, high);
  words.set(key, 4);
  const stays = low + BigInt(parts.blocks) < 2n ** 64n;
  const whole = stays ? Math.floor(parts.end / parts.count) : 0;
  storeInteger(words, 8, parts.base);
  storeInteger(words, 10, parts.skip);
  storeInteger(words, 12, parts.end);
  storeInteger(words, 14, parts.blocks);
  storeInteger(words, 16, whole);
  storeInteger(words, 18, Number(parts.aligned));
  return new Uint8Array(words.buffer);
}

function storeLong(words: Uint32Array, at: number, value: bigint): void {
  if (value < 2n ** 53n) return storeInteger(words, at, Number(value));
  words[at] = Number(value & 0xffff_ffffn);
  words[at + 1] = Number((value >> 32n) & 0xffff_ffffn);
}

/** As 64 bits, without numbers of other sorts: those take longer than a small launch is to. */
function storeInteger(words: Uint32Array, at: number, value: number): void {
  words[at] = value;
  words[at + 1] = Math.floor(value / 2 ** 32);
}

/** A few parts for each core of a processor; elsewhere some blocks for each work-item. */
function sizesFor(device: Device, blocks: number, loops: boolean): LaunchSizes {
  if (loops) {
    const most = loopWorkItemCount(device);
    return { global: Math.max(1, Math.min(most, Math.ceil(blocks / (lanes * 64)))), local: 1 };
  }
  const local = Math.min(256, device.maxWorkGroupSize);
  return { global: Math.ceil(blocks / (local * blocksOfItem)) * local, local };
}
