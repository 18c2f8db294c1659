/** What the parts of the battery share: what they test, and where. */
import type { Allocation, Allocator, CommandQueue, Context } from "@cl/core";

/** What a factory of allocators is given. */
export interface AllocatorSetting<M extends Allocation = Allocation> {
  /** The context whose memory is to be given. */
  readonly context: Context;
  /** An in-order queue of it. */
  readonly queue: CommandQueue;
  /** What an adaptor or a pool is to stand on. It may fail on purpose. Allocators that stand on none leave it alone. */
  readonly upstream: Allocator<M>;
}

/** What is tested, as the parts of the battery see it. */
export interface Subject {
  readonly make: (setting: AllocatorSetting) => Allocator<Allocation>;
  /** A plain allocator of the same kind of memory. */
  readonly plain: (context: Context) => Allocator<Allocation>;
  readonly usedBytes: (allocator: Allocator<Allocation>) => number;
  readonly zeroIsNull: boolean;
  readonly alignment: number;
  readonly maxBytes: number;
  /** There from the first test on. */
  readonly place: () => Place;
}

/** Where it is tested. */
export interface Place {
  readonly context: Context;
  readonly queue: CommandQueue;
  readonly patterns: Patterns;
}

/** Writes bytes that follow from a seed, and counts those that are others. */
export interface Patterns {
  write(memory: Allocation, bytes: number, seed: number): void;
  /** Enqueues the count and does not wait, so that the memory may be released behind it. */
  check(memory: Allocation, bytes: number, seed: number): void;
  /** How many bytes were wrong in all checks since the last call. */
  wrongBytes(): Promise<number>;
  /** The address's remainder, as a kernel sees it. */
  remainder(memory: Allocation, divisor: number): Promise<number>;
}

/** A setting with a plain upstream. */
export function plainSetting(subject: Subject): AllocatorSetting {
  const { context, queue } = subject.place();
  return { context, queue, upstream: subject.plain(context) };
}

/** The memory; an error where there is none. */
export function allocate(allocator: Allocator<Allocation>, bytes: number): Allocation {
  const memory = allocator.allocate(bytes);
  if (memory === null) throw new Error(`there was no memory for ${bytes} bytes`);
  return memory;
}
