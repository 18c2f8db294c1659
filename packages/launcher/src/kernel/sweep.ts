/**
 * The launches of an iterative launcher. Where all iterated parameters take numbers, combinations go to the native layer
 * some hundreds at a time, which costs a fraction of a launch for each; any other is launched by itself, in its turn.
 */
import { describe } from "@cl/base";
import type { BoundKernel, CommandEvent, CommandQueue } from "@cl/core";

import { named } from "../member.js";
import type { ParameterValues } from "../parameters/parameter-union.js";
import type { KernelMember } from "./kernel-member.js";
import type { ParameterYielder } from "./parameter-yielder.js";

/** An iterated parameter, and the argument that it goes to. */
export interface Iterated {
  readonly name: string;
  readonly index: number;
  readonly yielder: ParameterYielder;
}

/** So many that a native call for them costs next to nothing for each. */
const rowsAtOnce = 256;

/** Goes through all combinations, again and again; one launch at a time. */
export class Sweep {
  readonly #kernel: KernelMember;
  readonly #iterated: readonly Iterated[];
  readonly #arguments: readonly number[];
  /** Numbers that are to be launched, row after row. */
  readonly #rows: Float64Array;
  #filled = 0;
  /** Takes the rows; there is none before the first combination has set all arguments, and none if some take no numbers. */
  #bound: BoundKernel | undefined;
  /** The combination as it is now; the last value only where it is launched by itself. */
  readonly #values: unknown[];
  #queue: CommandQueue | undefined;
  /** True if each launch has to wait for the one before it. */
  #chained = false;
  /** The event of the last launch, if launches are chained. */
  #last: CommandEvent | undefined;
  #given: ParameterValues = {};
  #launched = 0;

  constructor(kernel: KernelMember, iterated: readonly Iterated[]) {
    this.#kernel = kernel;
    this.#iterated = iterated;
    this.#arguments = iterated.map(({ index }) => index);
    this.#rows = new Float64Array(rowsAtOnce * iterated.length);
    this.#values = iterated.map(() => undefined);
  }

  /**
   * Launches every combination; those before one that fails are launched in any case. With `inOrder`, each begins when the
   * one before it has ended, on an out-of-order queue too.
   */
  launch(queue: CommandQueue, given: ParameterValues, inOrder: boolean): void {
    this.#queue = queue;
    this.#chained = inOrder && queue.outOfOrder;
    this.#given = given;
    this.#bound = undefined;
    this.#launched = 0;
    try {
      this.#from(0);
    } finally {
      try {
        this.#flush();
      } finally {
        this.#follow(undefined);
        this.#values.fill(undefined);
      }
    }
  }

  #from(depth: number): void {
    const { yielder } = this.#iterated[depth] as Iterated;
    const iterator = yielder.newGenerator(this.#given);
    let ended = false;
    try {
      if (depth === this.#iterated.length - 1) {
        this.#innermost(iterator, depth);
      } else {
        for (let one = iterator.next(); one.done !== true; one = iterator.next()) {
          this.#values[depth] = one.value;
          this.#from(depth + 1);
        }
      }
      ended = true;
    } finally {
      // A launch that fails leaves it half way.
      if (!ended) iterator.return?.();
    }
  }

  #innermost(iterator: Iterator<unknown>, depth: number): void {
    const rows = this.#rows;
    const values = this.#values;
    const outer = values.slice(0, depth);
    const numbers = outer.every((value) => typeof value === "number");
    for (let one = iterator.next(); one.done !== true; one = iterator.next()) {
      const value: unknown = one.value;
      if (this.#bound === undefined || !numbers || typeof value !== "number") {
        this.#flush();
        for (let i = 0; i < depth; i++) values[i] = outer[i];
        values[depth] = value;
        this.#single();
        continue;
      }
      let at = this.#filled;
      for (let i = 0; i < depth; i++) rows[at++] = outer[i] as number;
      rows[at++] = value;
      this.#filled = at;
      if (at === rows.length) this.#flush();
    }
  }

  /** Launches the combination by itself. */
  #single(): void {
    const all: Record<string, unknown> = { ...this.#given };
    for (const [i, { name }] of this.#iterated.entries()) all[name] = this.#values[i];
    try {
      this.#kernel.take(all);
      if (this.#chained) this.#follow(this.#kernel.enqueue(this.#queue as CommandQueue, this.#precedent));
      else this.#kernel.launch(this.#queue as CommandQueue);
    } catch (error) {
      throw this.#explained(error);
    }
    this.#launched++;
    this.#bound ??= this.#kernel.boundFor(this.#arguments);
  }

  /** What the next launch has to wait for. */
  get #precedent(): readonly CommandEvent[] {
    return this.#last === undefined ? [] : [this.#last];
  }

  /** Lets the next launch wait for this event. */
  #follow(event: CommandEvent | undefined): void {
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
      if (this.#chained) this.#follow(bound.enqueueRows(queue, this.#arguments, rows, { waitFor: this.#precedent }));
      else bound.launchRows(queue, this.#arguments, rows);
    } catch (error) {
      this.#recover(error, rows);
      return;
    }
    this.#launched += filled / this.#arguments.length;
  }

  /** Some of the rows have been launched if it was the driver that failed. If not, launching one by one tells which is wrong. */
  #recover(error: unknown, rows: Float64Array): void {
    const columns = this.#arguments.length;
    const { launched } = error as { readonly launched?: number };
    const setRow = (row: number): void => {
      for (let i = 0; i < columns; i++) this.#values[i] = rows[row * columns + i];
    };
    if (launched !== undefined) {
      this.#launched += launched;
      setRow(launched);
      // The combination says more than the row.
      (error as Error).message = (error as Error).message.replace(/^row \d+: /, "");
      throw this.#explained(named(this.#kernel.words, error));
    }
    for (let row = 0; row < rows.length / columns; row++) {
      setRow(row);
      this.#single();
    }
  }

  /** Says which combination it is about, and what has become of those before it. */
  #explained(error: unknown): unknown {
    if (!(error instanceof Error)) return error;
    const values = this.#iterated.map(({ name }, i) => `${name} = ${shown(this.#values[i])}`).join(", ");
    const before = `${this.#launched} combination${this.#launched === 1 ? "" : "s"} before it`;
    error.message += ` (${values}; ${before} ${this.#launched === 1 ? "was" : "were"} launched)`;
    return error;
  }
}

function shown(value: unknown): string {
  return typeof value === "number" ? String(value) : describe(value);
}
