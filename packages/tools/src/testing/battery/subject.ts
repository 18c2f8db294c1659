/** The allocator under test, and helpers that its tests share. */
import type { Allocation, Allocator, CommandQueue, Context } from "@cl/core";

/** The argument of an allocator factory. */
export interface AllocatorSetting<M extends Allocation = Allocation> {
  readonly context: Context;
  /** An in-order queue of the context. */
  readonly queue: CommandQueue;
  /** The upstream for an adaptor or pool. It may fail on purpose. Other allocators ignore it. */
  readonly upstream: Allocator<M>;
}

/** The allocator under test. */
export interface Subject {
  readonly make: (setting: AllocatorSetting) => Allocator<Allocation>;
  /** Creates a plain allocator of the same kind of memory. */
  readonly plain: (context: Context) => Allocator<Allocation>;
  readonly usedBytes: (allocator: Allocator<Allocation>) => number;
  readonly zeroIsNull: boolean;
  readonly alignment: number;
  readonly maxBytes: number;
  /** Returns the environment, which exists from the first test on. */
  readonly environment: () => TestEnvironment;
}

/** The context and queue of the tests. */
export interface TestEnvironment {
  readonly context: Context;
  readonly queue: CommandQueue;
  readonly patterns: Patterns;
}

/** Writes patterns determined by a seed, and counts bytes that differ from them. */
export interface Patterns {
  write(memory: Allocation, bytes: number, seed: number): void;
  /** Enqueues the check without waiting, so that the memory can be released afterwards. */
  check(memory: Allocation, bytes: number, seed: number): void;
  /** Returns the number of wrong bytes in all checks since the last call. */
  wrongBytes(): Promise<number>;
  /** Returns the remainder of the address in a kernel divided by `divisor`. */
  remainder(memory: Allocation, divisor: number): Promise<number>;
}

export function plainSetting(subject: Subject): AllocatorSetting {
  const { context, queue } = subject.environment();
  return { context, queue, upstream: subject.plain(context) };
}

/** Allocates memory. Throws if the allocator returns `null`. */
export function allocate(allocator: Allocator<Allocation>, bytes: number): Allocation {
  const memory = allocator.allocate(bytes);
  if (memory === null) throw new Error(`allocate(${bytes}) must return memory, received null`);
  return memory;
}
