/** An allocator adaptor that counts allocations. */
import { wrongState } from "@cl/base";
import type { Allocation, DeviceBuffer } from "@cl/core";

import { Adaptor } from "./adaptor.js";

/** A counter with its current, peak and total values. */
export interface Counter {
  /** Current value. Negative if more was released than allocated since the counters were pushed. */
  readonly current: number;
  /** Largest value so far. */
  readonly peak: number;
  /** Sum of all additions. */
  readonly total: number;
}

/** Counters of a {@link StatisticsAdaptor}. */
export interface AllocationStatistics {
  /** Bytes, by actual sizes. */
  readonly bytes: Counter;
  /** Number of allocations. */
  readonly allocations: Counter;
  /** Number of failed requests. */
  readonly failures: number;
}

/**
 * Counts current, peak and total bytes and allocations. Counters can be stacked to measure a part of a program
 * separately: {@link pushCounters} starts new counters at 0, and {@link popCounters} removes them and adds them to the
 * previous ones.
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
  /** The stack of counters; the last entry is the current one. */
  readonly #levels: Level[] = [new Level()];

  /** Depth of the counter stack; 1 initially. */
  get depth(): number {
    return this.#levels.length;
  }

  /** Returns the values of the current counters. */
  snapshot(): AllocationStatistics {
    return this.#top().snapshot();
  }

  /** Pushes new counters that start at 0. Returns the values of the previous counters. */
  pushCounters(): AllocationStatistics {
    const before = this.snapshot();
    this.#levels.push(new Level());
    return before;
  }

  /**
   * Removes the current counters, adds them to the previous ones and returns their values. Throws a `RangeError`
   * without a matching {@link pushCounters}.
   */
  popCounters(): AllocationStatistics {
    const [current, previous] = [this.#levels.at(-1), this.#levels.at(-2)];
    if (current === undefined || previous === undefined) {
      throw wrongState("popCounters() was called more often than pushCounters()");
    }
    this.#levels.pop();
    previous.add(current);
    return current.snapshot();
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
    // This counter has not changed since the inner one started at 0.
    this.#peak = Math.max(this.#peak, this.#current + inner.#peak);
    this.#current += inner.#current;
    this.#total += inner.#total;
  }

  snapshot(): Counter {
    return { current: this.#current, peak: this.#peak, total: this.#total };
  }
}
