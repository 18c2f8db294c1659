/**
 * Indices where a predicate is true, counted block by block on the device. The host reads their number only if needed;
 * the writes are enqueued without it. Between counting and writing, the inputs must not change: stores to them throw.
 */
import { outOfRange, sizeOf } from "@cl/base";
import { NotSupportedError, StructType } from "@cl/core";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered } from "../kernels/launch.js";
import { countsToOffsets } from "../scan/offsets.js";
import { type Division, divideInParts } from "../scan/parts.js";
import { TotalRead } from "../scan/total.js";
import type { Storage } from "../storage/storage.js";
import type { CheckedArguments } from "../user-kernels/kernel-arguments.js";
import { type LaunchPlan, planLaunch } from "../user-kernels/launch-plan.js";
import { type TextUse, usesOf } from "../user-kernels/operation-text.js";
import { placeNumbers, planKey } from "../user-kernels/places-source.js";
import {
  countSource,
  groupSize,
  type PredicateEmission,
  type PredicateTexts,
  writeSource,
} from "./predicate-source.js";
import type { ArrayRef, ArraySource } from "../storage/array-ref.js";
import { fill } from "../elementwise/assign.js";

/** A predicate with the offsets of its parts. */
export class PredicateRead implements Disposable {
  readonly xp: ArraySource;
  readonly size: number;
  readonly #texts: PredicateTexts;
  readonly #key: string;
  readonly #plan: LaunchPlan;
  readonly #given: readonly unknown[];
  readonly #reads: readonly Storage[];
  readonly #division: Division;
  readonly #offsets: ArrayRef<"int32" | "int64">;
  readonly #unlock: readonly (() => void)[];

  /**
   * Counts. Arguments have been checked; the first array says over which indices it runs, whatever the others are
   * broadcast from.
   */
  constructor(xp: ArraySource, texts: PredicateTexts, { arrays, values }: CheckedArguments) {
    this.xp = xp;
    this.#texts = texts;
    this.#key = textsKey(texts);
    this.#plan = planLaunch(arrays, useOf(texts, this.#key), {});
    this.size = this.#plan.size;
    const own = arrays[0]?.layout.shape ?? [];
    if (sizeOf(own) !== this.size) {
      throw outOfRange(
        `the predicate's arrays must broadcast to the shape [${own.join()}] of the array, received ${this.size} elements`,
      );
    }
    const numbers = placeNumbers(this.#plan);
    const places = this.#plan.short ? Int32Array.from(numbers) : BigInt64Array.from(numbers, BigInt);
    const { device } = xp.queue;
    if (places.byteLength > device.maxParameterSize - 256) {
      throw new NotSupportedError(
        "@cl/array",
        `the layouts of the arrays take ${places.byteLength} bytes of kernel arguments, more than '${device.name}' supports; copy() arrays that are not contiguous`,
      );
    }
    const memory = new Map(arrays.map((one) => [one.parameter, one.storage.bytes === 0 ? null : one.storage.memory]));
    this.#given = [...texts.parameters.map((one) => (one.isArray ? memory.get(one) : values.get(one))), places];
    this.#reads = [...new Set(arrays.map(({ storage }) => storage))];
    this.#division = divideInParts(device, this.size);
    this.#offsets = xp.empty([this.#division.count + 1], { dtype: this.countType });
    try {
      if (this.size === 0) fill(this.#offsets, 0);
      else this.#countAll();
    } catch (error) {
      this.#offsets.release();
      throw error;
    }
    for (const storage of this.#reads) storage.retain();
    this.#unlock = this.#reads.map((storage) => storage.ordering.promise());
  }

  /** int32 if it holds all positions. */
  get countType(): "int32" | "int64" {
    return this.#plan.short ? "int32" : "int64";
  }

  /** Enqueues the read of how many indices are true. */
  total(): TotalRead {
    return new TotalRead(this.xp.queue, this.#offsets.operand(), this.#division.count);
  }

  /** Enqueues what is written: for the first `limit` that are true, and for each that is not. */
  write(
    emission: PredicateEmission,
    limit: number,
    args: readonly unknown[],
    reads: readonly Storage[],
    writes: readonly Storage[],
  ): void {
    if (this.size === 0) return;
    const { queue } = this.xp;
    const { parameters, item, kept, other, targets } = emission;
    const what = JSON.stringify([parameters, item?.name, item?.cType, kept, other, targets]);
    const kernel = kernelOf(queue.context, `write ${what} ${this.#planKey}`, "write_true_", () =>
      writeSource(this.#texts, emission, this.#plan, this.#division.parts),
    );
    const offsets = this.#offsets.operand().storage;
    launchOrdered(
      queue,
      kernel,
      this.#sizes(),
      [...this.#given, offsets.memory, this.#number(this.#division.part), this.#number(limit), ...args],
      [...this.#reads, offsets, ...reads],
      writes,
    );
  }

  [Symbol.dispose](): void {
    this.#offsets.release();
    for (const one of this.#unlock) one();
    for (const storage of this.#reads) storage.release();
  }

  #countAll(): void {
    const { queue } = this.xp;
    const kernel = kernelOf(queue.context, `count ${this.#planKey}`, "count_true_", () =>
      countSource(this.#texts, this.#plan, this.#division.parts),
    );
    const counts = this.#offsets.operand();
    launchOrdered(
      queue,
      kernel,
      this.#sizes(),
      [...this.#given, counts.storage.memory, this.#number(this.#division.part)],
      this.#reads,
      [counts.storage],
    );
    countsToOffsets(this.xp, counts, this.#division.count);
  }

  /** All that the kernels' text depends on, but what is written. */
  get #planKey(): string {
    return `${this.#division.parts} ${planKey(this.#plan)} ${this.#key}`;
  }

  #number(value: number): number | bigint {
    return this.#plan.short ? value : BigInt(value);
  }

  #sizes(): { readonly global: number; readonly local: number } {
    const local = this.#division.parts === "blocks" ? groupSize : 1;
    return { global: this.#division.count * local, local };
  }
}

/** What tells texts from others. */
function textsKey({ parameters, predicate, before = "", preamble, types }: PredicateTexts): string {
  const declared = parameters.map(({ name, cType, isArray }) => `${cType} ${isArray ? "*" : ""}${name}`);
  const structs = [...types, ...parameters.map(({ dtype }) => dtype)].filter((type) => type instanceof StructType);
  return JSON.stringify([declared, predicate, before, preamble, structs.map(({ cDeclaration }) => cDeclaration)]);
}

const uses = new Map<string, TextUse>();

/** How texts use their arrays. Those that were looked through are known. */
function useOf({ parameters, predicate, before = "", preamble }: PredicateTexts, key: string): TextUse {
  const known = uses.get(key);
  if (known !== undefined) return known;
  const arrays = new Set(parameters.filter(({ isArray }) => isArray).map(({ name }) => name));
  const use = usesOf([before, predicate], preamble, arrays);
  // Indices count in C order, also where the text does not use them.
  const atIndex = new Set([...use.atIndex, ...parameters.slice(0, 1).map(({ name }) => name)]);
  const all = { ...use, atIndex, index: true };
  uses.set(key, all);
  return all;
}
