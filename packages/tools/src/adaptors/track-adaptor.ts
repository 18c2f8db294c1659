/** Who has what: every piece of memory that is out, where it was asked for, and how long ago. */
import { checkFunction, checkInteger, checkOptions } from "@cl/base";
import type { Allocation, Allocator, DeviceBuffer, ElementType, TypedArray } from "@cl/core";

import { allocateTyped, isElementType } from "../allocators/typed-allocation.js";
import { Adaptor } from "./adaptor.js";
import { holdingsReport } from "./holdings-report.js";

/** Memory that was allocated and has not been released. */
export interface Holding {
  /** Counts the allocations of this adaptor from 1. */
  readonly id: number;
  /** The bytes that were asked for. */
  readonly bytes: number;
  /** The bytes that it has. */
  readonly size: number;
  /** The memory's label, as it is now. */
  readonly label: string | undefined;
  /** Where it was asked for, one frame a line; empty without stacks. */
  readonly stack: string;
  /** Milliseconds since it was allocated. */
  readonly age: number;
}

/** How {@link TrackAdaptor} follows allocations. */
export interface TrackOptions {
  /** Frames of each stack that are kept; 0 for no stacks, which is faster by much. 10 if not said. */
  readonly stackFrames?: number;
  /** Called with memory that nobody released, when it has been collected. */
  readonly onDropped?: (holding: Holding) => void;
}

/**
 * Keeps a list of all memory that is out, with the stack that asked for it. {@link report} is what a leak report needs,
 * and {@link dropped} counts memory that was left to the garbage collector: it came back, but late, and by luck.
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
  readonly #onDropped: ((holding: Holding) => void) | undefined;
  readonly #entries: Map<number, Entry> = new Map();
  #made = 0;
  #bytes = 0;
  #dropped = 0;

  constructor(upstream: Allocator<M>, options?: TrackOptions) {
    super(upstream);
    const { stackFrames = 10, onDropped } = checkOptions(options, ["stackFrames", "onDropped"]);
    this.#frames = checkInteger(stackFrames, "options.stackFrames", 0, 1000);
    this.#onDropped = onDropped === undefined ? undefined : checkFunction(onDropped, "options.onDropped");
  }

  /** Bytes that are out, by the sizes that the memory really has. */
  get outstandingBytes(): number {
    return this.#bytes;
  }

  /** How often memory was left to the garbage collector instead of being released. */
  get dropped(): number {
    return this.#dropped;
  }

  /** All memory that is out, the oldest first. */
  outstanding(): Holding[] {
    return Array.from(this.#entries, ([id, entry]) => holdingOf(id, entry));
  }

  /** What is out, as text: where it was asked for, the most bytes first, with counts, ages and labels. */
  report(): string {
    return holdingsReport(this.outstanding());
  }

  override allocate(bytes: number): M | null;
  override allocate<T extends TypedArray>(type: ElementType<T>, length: number): (M & DeviceBuffer<T>) | null;
  override allocate(bytes: number | ElementType, length?: number): M | null {
    if (isElementType(bytes)) return allocateTyped((size) => this.allocate(size), bytes, length) as M | null;
    // Here and not in provide(), so that the stack begins with the caller.
    const memory = super.allocate(bytes);
    if (memory !== null) this.#keep(memory, bytes, stackAbove(this.allocate, this.#frames));
    return memory;
  }

  protected override provide(bytes: number): M | null {
    return this.take(bytes);
  }

  #keep(memory: M, bytes: number, stack: string): void {
    const id = ++this.#made;
    const { size } = memory;
    this.#entries.set(id, { memory: new WeakRef<Allocation>(memory), bytes, size, stack, since: performance.now() });
    this.#bytes += size;
    memory.onReleased(() => this.#ended(id));
  }

  #ended(id: number): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#bytes -= entry.size;
    // What is being released is still there.
    if (entry.memory.deref() !== undefined) return;
    this.#dropped++;
    this.#onDropped?.(holdingOf(id, entry));
  }
}

interface Entry {
  readonly memory: WeakRef<Allocation>;
  readonly bytes: number;
  readonly size: number;
  readonly stack: string;
  readonly since: number;
}

function holdingOf(id: number, { memory, bytes, size, stack, since }: Entry): Holding {
  return { id, bytes, size, label: memory.deref()?.label, stack, age: performance.now() - since };
}

/** As text at once: an error that is kept holds on to whatever its frames have. */
function stackAbove(below: (bytes: number) => unknown, frames: number): string {
  if (frames === 0) return "";
  const limit = Error.stackTraceLimit;
  const carrier: { stack?: string } = {};
  try {
    Error.stackTraceLimit = frames;
    Error.captureStackTrace(carrier, below);
  } finally {
    Error.stackTraceLimit = limit;
  }
  const [, ...lines] = (carrier.stack ?? "").split("\n");
  return lines.map((line) => line.trim()).join("\n");
}
