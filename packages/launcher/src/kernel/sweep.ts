/**
 * Launches of an iterative launcher. If all iterated values are numbers, combinations are passed to the native layer in
 * batches, at a fraction of a launch's cost each. Other combinations are launched one by one, in order.
 */
import { describe } from "@cl/base";
import type { BoundKernel, CommandEvent, CommandQueue } from "@cl/core";

import { prefixError } from "../member.js";
import type { ParameterValues } from "../parameters/parameter-union.js";
import type { KernelMember } from "./kernel-member.js";
import type { ParameterYielder } from "./parameter-yielder.js";

/** An iterated parameter and the position of its argument. */
export interface Iterated {
  readonly name: string;
  readonly index: number;
  readonly yielder: ParameterYielder;
}

/** Batch size at which the cost of the native call per row is negligible. */
const batchRows = 256;

/** Launches all combinations. Reusable, but supports only one launch at a time. */
export class Sweep {
  readonly #kernel: KernelMember;
  readonly #iterated: readonly Iterated[];
  readonly #arguments: readonly number[];
  /** Numbers to launch, row by row. */
  readonly #rows: Float64Array;
  #filled = 0;
  /** Receives the rows. Undefined before the first combination has set all arguments, or if an argument is not numeric. */
  #bound: BoundKernel | undefined;
  /** Current combination. The last value is only set if it is launched individually. */
  readonly #values: unknown[];
  #queue: CommandQueue | undefined;
  /** Whether each launch waits for the previous one. */
  #chained = false;
  /** Event of the last launch if launches are chained. */
  #last: CommandEvent | undefined;
  #parameters: ParameterValues = {};
  #launched = 0;

  constructor(kernel: KernelMember, iterated: readonly Iterated[]) {
    this.#kernel = kernel;
    this.#iterated = iterated;
    this.#arguments = iterated.map(({ index }) => index);
    this.#rows = new Float64Array(batchRows * iterated.length);
    this.#values = iterated.map(() => undefined);
  }

  /**
   * Launches every combination. If one fails, those before it have been launched. With `inOrder`, each waits for the previous
   * one, also on an out-of-order queue.
   */
  launch(queue: CommandQueue, parameters: ParameterValues, inOrder: boolean): void {
    this.#queue = queue;
    this.#chained = inOrder && queue.outOfOrder;
    this.#parameters = parameters;
    this.#bound = undefined;
    this.#launched = 0;
    try {
      this.#iterate(0);
    } finally {
      try {
        this.#flush();
      } finally {
        this.#setPredecessor(undefined);
        this.#values.fill(undefined);
      }
    }
  }

  #iterate(depth: number): void {
    const { yielder } = this.#iterated[depth] as Iterated;
    const iterator = yielder.newGenerator(this.#parameters);
    let ended = false;
    try {
      if (depth === this.#iterated.length - 1) {
        this.#innermost(iterator, depth);
      } else {
        for (let result = iterator.next(); result.done !== true; result = iterator.next()) {
          this.#values[depth] = result.value;
          this.#iterate(depth + 1);
        }
      }
      ended = true;
    } finally {
      // A failed launch leaves the iterator unfinished.
      if (!ended) iterator.return?.();
    }
  }

  #innermost(iterator: Iterator<unknown>, depth: number): void {
    const rows = this.#rows;
    const values = this.#values;
    const outer = values.slice(0, depth);
    const numbers = outer.every((value) => typeof value === "number");
    for (let result = iterator.next(); result.done !== true; result = iterator.next()) {
      const value: unknown = result.value;
      if (this.#bound === undefined || !numbers || typeof value !== "number") {
        this.#flush();
        for (let i = 0; i < depth; i++) values[i] = outer[i];
        values[depth] = value;
        this.#launchSingle();
        continue;
      }
      let at = this.#filled;
      for (let i = 0; i < depth; i++) rows[at++] = outer[i] as number;
      rows[at++] = value;
      this.#filled = at;
      if (at === rows.length) this.#flush();
    }
  }

  /** Launches the current combination individually. */
  #launchSingle(): void {
    const all: Record<string, unknown> = { ...this.#parameters };
    for (const [i, { name }] of this.#iterated.entries()) all[name] = this.#values[i];
    try {
      this.#kernel.setParameters(all);
      if (this.#chained) this.#setPredecessor(this.#kernel.enqueue(this.#queue as CommandQueue, this.#predecessors));
      else this.#kernel.launch(this.#queue as CommandQueue);
    } catch (error) {
      throw this.#withCombination(error);
    }
    this.#launched++;
    this.#bound ??= this.#kernel.boundFor(this.#arguments);
  }

  /** Events that the next launch waits for. */
  get #predecessors(): readonly CommandEvent[] {
    return this.#last === undefined ? [] : [this.#last];
  }

  /** Sets the event that the next launch waits for. */
  #setPredecessor(event: CommandEvent | undefined): void {
    this.#last?.release();
    this.#last = event;
  }

  /** Launches the rows. */
  #flush(): void {
    const filled = this.#filled;
    if (filled === 0) return;
    this.#filled = 0;
    const rows = filled === this.#rows.length ? this.#rows : this.#rows.subarray(0, filled);
    const bound = this.#bound as BoundKernel;
    const queue = this.#queue as CommandQueue;
    try {
      if (this.#chained) {
        this.#setPredecessor(bound.enqueueRows(queue, this.#arguments, rows, { waitFor: this.#predecessors }));
      } else bound.launchRows(queue, this.#arguments, rows);
    } catch (error) {
      this.#recover(error, rows);
      return;
    }
    this.#launched += filled / this.#arguments.length;
  }

  /** If the driver failed, some rows were launched. Otherwise, launches row by row to find the invalid one. */
  #recover(error: unknown, rows: Float64Array): void {
    const columns = this.#arguments.length;
    const { launched } = error as { readonly launched?: number };
    const setRow = (row: number): void => {
      for (let i = 0; i < columns; i++) this.#values[i] = rows[row * columns + i];
    };
    if (launched !== undefined) {
      this.#launched += launched;
      setRow(launched);
      // The combination replaces the row number.
      (error as Error).message = (error as Error).message.replace(/^row \d+: /, "");
      throw this.#withCombination(prefixError(this.#kernel.displayName, error));
    }
    for (let row = 0; row < rows.length / columns; row++) {
      setRow(row);
      this.#launchSingle();
    }
  }

  /** Adds the failed combination and the number of launched ones to the message. */
  #withCombination(error: unknown): unknown {
    if (!(error instanceof Error)) return error;
    const values = this.#iterated.map(({ name }, i) => `${name} = ${formatValue(this.#values[i])}`).join(", ");
    const before = `${this.#launched} combination${this.#launched === 1 ? "" : "s"} before it`;
    error.message += ` (${values}; ${before} ${this.#launched === 1 ? "was" : "were"} launched)`;
    return error;
  }
}

function formatValue(value: unknown): string {
  return typeof value === "number" ? String(value) : describe(value);
}
