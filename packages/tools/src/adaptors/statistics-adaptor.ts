/** Numbers about what is allocated. */
import type { Allocation, DeviceBuffer } from "@cl/core";

import { Adaptor } from "./adaptor.js";

/** A number that goes up and down. */
export interface Counter {
  /** What it is now. Below 0 if, since it was pushed, more was released than allocated. */
  readonly current: number;
  /** The most that it has been. */
  readonly peak: number;
  /** All that was ever added. */
  readonly total: number;
}

/** What {@link StatisticsAdaptor} has counted. */
export interface AllocationStatistics {
  /** Bytes, by the sizes that the memory really has. */
  readonly bytes: Counter;
  /** Allocations. */
  readonly allocations: Counter;
  /** Requests that ended in an error. */
  readonly failures: number;
}

/**
 * Counts bytes and allocations: now, at the peak, and in all. Counters can be stacked, so that a part of a program is
 * counted by itself: {@link pushCounters} begins new ones at 0, {@link popCounters} ends them and adds them to those below.
 *
 * @example
 * ```ts
 * const counted = new StatisticsAdaptor(new DeferredAllocator(context));
 * const kept = counted.allocate(100);
 * counted.pushCounters();
 * counted.allocate(50)?.release();
 * console.log(counted.popCounters().bytes); // { current: 0, peak: 50, total: 50 }
 * console.log(counted.snapshot().bytes); // { current: 100, peak: 150, total: 150 }
 * kept?.release();
 * ```
 */
export class StatisticsAdaptor<M extends Allocation = DeviceBuffer> extends Adaptor<M> {
  /** The innermost last. */
  readonly #levels: Level[] = [new Level()];

  /** How many pairs of counters there are: 1, and one for each that was pushed. */
  get depth(): number {
    return this.#levels.length;
  }

  /** What the innermost counters say now. */
  snapshot(): AllocationStatistics {
    return this.#top().snapshot();
  }

  /** Begins new counters at 0, and returns what those below them say. */
  pushCounters(): AllocationStatistics {
    const before = this.snapshot();
    this.#levels.push(new Level());
    return before;
  }

  /** Ends the innermost counters, adds them to those below, and returns what they said. The first cannot be ended. */
  popCounters(): AllocationStatistics {
    const [ended, below] = [this.#levels.at(-1), this.#levels.at(-2)];
    if (ended === undefined || below === undefined) {
      throw new RangeError("popCounters() was called more often than pushCounters()");
    }
    this.#levels.pop();
    below.add(ended);
    return ended.snapshot();
  }

  protected override provide(bytes: number): M | null {
    let memory: M | null;
    try {
      memory = this.take(bytes);
    } catch (error) {
      this.#top().failures++;
      throw error;
    }
    if (memory === null) return null;
    const { size } = memory;
    this.#top().change(size, 1);
    memory.onReleased(() => this.#top().change(-size, -1));
    return memory;
  }

  #top(): Level {
    return this.#levels.at(-1) as Level;
  }
}

/** The counters between a push and its pop. */
class Level {
  readonly bytes: Count = new Count();
  readonly allocations: Count = new Count();
  failures = 0;

  change(bytes: number, allocations: number): void {
    this.bytes.change(bytes);
    this.allocations.change(allocations);
  }

  add(inner: Level): void {
    this.bytes.add(inner.bytes);
    this.allocations.add(inner.allocations);
    this.failures += inner.failures;
  }

  snapshot(): AllocationStatistics {
    return { bytes: this.bytes.snapshot(), allocations: this.allocations.snapshot(), failures: this.failures };
  }
}

class Count {
  #current = 0;
  #peak = 0;
  #total = 0;

  change(by: number): void {
    this.#current += by;
    if (by <= 0) return;
    this.#total += by;
    if (this.#current > this.#peak) this.#peak = this.#current;
  }

  add(inner: Count): void {
    // The inner one began at 0 when this one stood where it still stands.
    this.#peak = Math.max(this.#peak, this.#current + inner.#peak);
    this.#current += inner.#current;
    this.#total += inner.#total;
  }

  snapshot(): Counter {
    return { current: this.#current, peak: this.#peak, total: this.#total };
  }
}
