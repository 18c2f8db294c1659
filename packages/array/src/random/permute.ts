/** Random permutations and their prefixes. */
import { hasParallelWorkItems, loopWorkItemCount } from "@cl/characterize";
import { filled } from "../storage/filled.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered, wholeGroups } from "../kernels/launch.js";
import { blockFunctions, type Words } from "./generators.js";
import { permutationRounds, permutationSource } from "./permutation-source.js";
import type { StreamState } from "./random-state.js";
import type { ArrayRef, ArraySource } from "../storage/array-ref.js";

/** Up to this number of indices the host shuffles, so that each permutation is equally likely. */
const fewest = 1024;

/** Indices, and how many words of the stream they took. */
export interface Permuted {
  readonly indices: ArrayRef<"int64">;
  readonly words: number;
}

/** The first `size` of `length` indices in a random order. The position is the first word of a block. */
export function permutedIndices(xp: ArraySource, length: number, size: number, state: StreamState): Permuted {
  if (length <= fewest) return onHost(xp, length, size, state);
  const words = takeWords(state, permutationRounds + 1);
  const first = Math.ceil(Math.sqrt(length));
  const plan = new DataView(new ArrayBuffer(104));
  const { key, digits } = { key: words.slice(0, permutationRounds), digits: [first, Math.ceil(length / first)] };
  for (const [i, value] of [length, size].entries()) plan.setBigUint64(8 * i, BigInt(value), true);
  for (const [round, word] of key.entries()) plan.setUint32(16 + 4 * round, word, true);
  for (const [i, value] of digits.entries()) plan.setBigUint64(80 + 8 * i, BigInt(value), true);
  plan.setBigUint64(96, BigInt((words[permutationRounds] as number) & 1), true);
  const { queue } = xp;
  const loops = !hasParallelWorkItems(queue.device);
  const indices = filled(xp.empty([size], { dtype: "int64" }), (result) => {
    if (size === 0) return;
    const kernel = kernelOf(queue.context, `permutation ${loops}`, "permute", () => permutationSource(loops));
    const { storage } = result.operand();
    const sizes = loops
      ? { global: Math.min(loopWorkItemCount(queue.device), Math.ceil(size / 256)), local: 1 }
      : wholeGroups(queue.device, size);
    launchOrdered(queue, kernel, sizes, [storage.memory, new Uint8Array(plan.buffer)], [], [storage]);
  });
  return { indices, words: permutationRounds + 4 };
}

/** By Fisher and Yates: two words for each index. */
function onHost(xp: ArraySource, length: number, size: number, state: StreamState): Permuted {
  const steps = Math.min(size, Math.max(length - 1, 0));
  const words = takeWords(state, 2 * steps);
  const order = Array.from({ length }, (_, i) => i);
  for (let i = 0; i < steps; i++) {
    const fraction = (BigInt(words[2 * i + 1] as number) << 32n) | BigInt(words[2 * i] as number);
    const other = i + Number((fraction * BigInt(length - i)) >> 64n);
    [order[i], order[other]] = [order[other] as number, order[i] as number];
  }
  const indices = xp.fromHost(BigInt64Array.from(order.slice(0, size), BigInt));
  return { indices, words: Math.ceil(steps / 2) * 4 };
}

/** Words of a stream from its position, which is that of a block. */
export function takeWords({ generator, key, position }: StreamState, count: number): Uint32Array {
  const words = new Uint32Array(4 * Math.ceil(count / 4));
  const { block } = blockFunctions[generator];
  const first = position / 4n;
  const [low, second, third, fourth] = counterOf(first);
  for (let k = 0; 4 * k < words.length; k++) {
    // Almost always the lowest word alone counts; big integers would take most of the time.
    const isLow = low + k < 2 ** 32;
    words.set(block(isLow ? [low + k, second, third, fourth] : counterOf(first + BigInt(k)), key), 4 * k);
  }
  return words;
}

const counterOf = (block: bigint): Words =>
  [0n, 32n, 64n, 96n].map((shift) => Number((block >> shift) & 0xffff_ffffn)) as unknown as Words;
