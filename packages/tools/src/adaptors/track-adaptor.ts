/** An allocator adaptor that tracks outstanding allocations with their call stacks and ages. */
import { checkFunction, checkInteger, checkOptions } from "@cl/base";
import type { Allocation, Allocator, DeviceBuffer, ElementType, TypedArray } from "@cl/core";

import { allocateTyped, isElementType } from "../allocators/typed-allocation.js";
import { Adaptor } from "./adaptor.js";
import { leakReport } from "./leak-report.js";

/** An outstanding allocation: allocated and not yet released. */
export interface OutstandingAllocation {
  /** Number of the allocation in this adaptor, starting at 1. */
  readonly id: number;
  /** Requested bytes. */
  readonly bytes: number;
  /** Actual size in bytes. */
  readonly size: number;
  /** Current label of the memory. */
  readonly label: string | undefined;
  /** Call stack of the allocation, one frame per line; empty if `stackFrames` is 0. */
  readonly stack: string;
  /** Milliseconds since the allocation. */
  readonly age: number;
}

/** Options of {@link TrackAdaptor}. */
export interface TrackOptions {
  /** Maximum number of stack frames to record; 0 records no stacks, which is much faster. @defaultValue 10 */
  readonly stackFrames?: number;
  /** Called when memory was garbage collected without having been released. */
  readonly onCollected?: (allocation: OutstandingAllocation) => void;
}

/**
 * Tracks all outstanding allocations with their call stacks. {@link report} returns a leak report. {@link collectedCount}
 * counts allocations that were left to the garbage collector, which frees memory late or never.
 *
 * @example
 * ```ts
 * const tracked = new TrackAdaptor(new DeferredAllocator(context));
 * const memory = tracked.allocate(1024);
 * console.log(tracked.outstanding().map(({ id, bytes }) => ({ id, bytes }))); // [{ id: 1, bytes: 1024 }]
 * console.log(tracked.report().split("\n")[0]); // outstanding: 1024 bytes in 1 allocation
 * memory?.release();
 * console.log(tracked.report()); // nothing is outstanding
 * ```
 */
export class TrackAdaptor<M extends Allocation = DeviceBuffer> extends Adaptor<M> {
  readonly #frames: number;
  readonly #onCollected: ((allocation: OutstandingAllocation) => void) | undefined;
  readonly #entries: Map<number, Entry> = new Map();
  #lastId = 0;
  #bytes = 0;
  #collectedCount = 0;

  constructor(upstream: Allocator<M>, options?: TrackOptions) {
    super(upstream);
    const { stackFrames = 10, onCollected } = checkOptions(options, ["stackFrames", "onCollected"]);
    this.#frames = checkInteger(stackFrames, "options.stackFrames", 0, 1000);
    this.#onCollected = onCollected === undefined ? undefined : checkFunction(onCollected, "options.onCollected");
  }

  /** Total actual size of the outstanding allocations in bytes. */
  get outstandingBytes(): number {
    return this.#bytes;
  }

  /** Number of allocations that were garbage collected without having been released. */
  get collectedCount(): number {
    return this.#collectedCount;
  }

  /** Returns the outstanding allocations, the oldest first. */
  outstanding(): OutstandingAllocation[] {
    // One time for all, or a younger allocation could seem older.
    const now = performance.now();
    return Array.from(this.#entries, ([id, entry]) => outstandingOf(id, entry, now));
  }

  /** Returns a leak report: call stacks in descending order of bytes, with counts, ages and labels. */
  report(): string {
    return leakReport(this.outstanding());
  }

  override allocate(bytes: number): M | null;
  override allocate<T extends TypedArray>(type: ElementType<T>, length: number): (M & DeviceBuffer<T>) | null;
  override allocate(bytes: number | ElementType, length?: number): M | null {
    if (isElementType(bytes)) return allocateTyped((size) => this.allocate(size), bytes, length) as M | null;
    // Not in provide(), so that the recorded stack starts at the caller.
    const memory = super.allocate(bytes);
    if (memory !== null) this.#track(memory, bytes, stackAbove(this.allocate, this.#frames));
    return memory;
  }

  protected override provide(bytes: number): M | null {
    return this.take(bytes);
  }

  #track(memory: M, bytes: number, stack: string): void {
    const id = ++this.#lastId;
    const { size } = memory;
    this.#entries.set(id, { memory: new WeakRef<Allocation>(memory), bytes, size, stack, since: performance.now() });
    this.#bytes += size;
    memory.onReleased(() => this.#untrack(id));
  }

  #untrack(id: number): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#bytes -= entry.size;
    // Memory that is being released is still reachable.
    if (entry.memory.deref() !== undefined) return;
    this.#collectedCount++;
    this.#onCollected?.(outstandingOf(id, entry, performance.now()));
  }
}

interface Entry {
  readonly memory: WeakRef<Allocation>;
  readonly bytes: number;
  readonly size: number;
  readonly stack: string;
  readonly since: number;
}

function outstandingOf(id: number, { memory, bytes, size, stack, since }: Entry, now: number): OutstandingAllocation {
  return { id, bytes, size, label: memory.deref()?.label, stack, age: now - since };
}

/**
 * Returns the call stack above a function as text, since a retained Error object would retain what its frames refer to.
 */
function stackAbove(below: (bytes: number) => unknown, frames: number): string {
  if (frames === 0) return "";
  const limit = Error.stackTraceLimit;
  const target: { stack?: string } = {};
  try {
    Error.stackTraceLimit = frames;
    Error.captureStackTrace(target, below);
  } finally {
    Error.stackTraceLimit = limit;
  }
  const [, ...lines] = (target.stack ?? "").split("\n");
  return lines.map((line) => line.trim()).join("\n");
}
