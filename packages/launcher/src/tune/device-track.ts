/** Runs candidates on a device: as bound kernels on a profiling queue, with copies of the memory that they write. */
import {
  type BoundKernel,
  type CommandEvent,
  CommandQueue,
  type Context,
  type Device,
  Image,
  type Kernel,
  LocalMemory,
  OpenCLError,
} from "@cl/core";

import { ArgumentCopies, type TuningArguments } from "./argument-copies.js";
import type { TuningComparison } from "./tune-types.js";

/** A candidate to run. */
export interface Runnable {
  readonly kernel: Kernel;
  readonly args: readonly unknown[];
  readonly global: readonly number[];
  readonly offset: readonly number[] | undefined;
  readonly local: readonly number[] | null;
}

/** A candidate that is ready to run. */
interface Runner {
  readonly bound: BoundKernel;
  readonly inputs: TuningArguments;
}

/** Runs candidates by index. */
export class DeviceTrack {
  readonly #queue: CommandQueue;
  readonly #copies: ArgumentCopies;
  readonly #candidates: readonly Runnable[];
  readonly #runners: (Runner | string)[] = [];
  /** Last time of each candidate in nanoseconds. */
  readonly #times: number[] = [];
  readonly #signal: AbortSignal | undefined;

  constructor(context: Context, device: Device, candidates: readonly Runnable[], signal: AbortSignal | undefined) {
    this.#queue = new CommandQueue(context, { device, profiling: true, label: "tuning" });
    this.#copies = new ArgumentCopies(context);
    this.#candidates = candidates;
    this.#signal = signal;
  }

  /** Runs each candidate once, in this order. Returns nanoseconds or error messages. */
  async run(order: readonly number[]): Promise<readonly (number | string)[]> {
    const results: (number | string)[] = [];
    while (results.length < order.length) {
      const chunk = this.#nextChunk(order, results.length);
      results.push(...(await this.#runChunk(chunk)));
    }
    return results;
  }

  /** Returns a chunk that keeps the device busy, but is short enough to abort soon. */
  #nextChunk(order: readonly number[], from: number): readonly number[] {
    let expected = 0;
    let end = from;
    do {
      // A candidate that has not run may compile first and take long.
      expected += this.#times[order[end] as number] ?? MAX_CHUNK_NS;
      end++;
    } while (end < order.length && end - from < MAX_CHUNK_COMMANDS && expected < MAX_CHUNK_NS);
    return order.slice(from, end);
  }

  async #runChunk(chunk: readonly number[]): Promise<readonly (number | string)[]> {
    const events: (CommandEvent | string)[] = [];
    try {
      for (const index of chunk) events.push(this.#enqueue(index));
      const ends = await Promise.all(events.map((event) => this.#timeOf(event)));
      return ends.map((end, i) => {
        if (typeof end !== "string") this.#times[chunk[i] as number] = end;
        return end;
      });
    } finally {
      for (const event of events) if (typeof event !== "string") event.release();
    }
  }

  #enqueue(index: number): CommandEvent | string {
    const runner = this.#runner(index);
    if (typeof runner === "string") return runner;
    try {
      runner.inputs.restore(this.#queue);
      return runner.bound.enqueue(this.#queue);
    } catch (error) {
      return reasonOf(error);
    }
  }

  async #timeOf(event: CommandEvent | string): Promise<number | string> {
    if (typeof event === "string") return event;
    try {
      await event.wait(this.#signal === undefined ? {} : { signal: this.#signal });
      return Number(event.duration);
    } catch (error) {
      this.#signal?.throwIfAborted();
      return reasonOf(error);
    }
  }

  #runner(index: number): Runner | string {
    return (this.#runners[index] ??= this.#createRunner(this.#candidates[index] as Runnable));
  }

  #createRunner({ kernel, args, global, offset, local }: Runnable): Runner | string {
    const localMemoryProblem = localMemoryError(kernel, args, this.#queue.device);
    if (localMemoryProblem !== undefined) return localMemoryProblem;
    try {
      const inputs = this.#copies.replaceArguments(kernel, args);
      const bound = kernel.bind({ global, local, ...(offset === undefined ? {} : { offset }) }, ...inputs.args);
      return { bound, inputs };
    } catch (error) {
      return reasonOf(error);
    }
  }

  /**
   * Runs each candidate once and compares its output with that of the first candidate that can run. Returns the reasons of those
   * that differ or fail, by index.
   */
  async verify(order: readonly number[], same: TuningComparison): Promise<ReadonlyMap<number, string>> {
    const reasons = new Map<number, string>();
    let reference: readonly ArrayBufferView[] | undefined;
    for (const index of order) {
      const [end] = await this.#runChunk([index]);
      const runner = this.#runner(index);
      if (typeof runner === "string" || typeof end !== "number") {
        reasons.set(index, typeof runner === "string" ? runner : String(end));
        continue;
      }
      const values = await this.#read(runner);
      reference ??= values;
      const wrong = runner.inputs.outputs.findIndex(
        ({ argument }, i) => !same(values[i] as ArrayBufferView, reference?.[i] as ArrayBufferView, argument),
      );
      if (wrong >= 0) {
        reasons.set(index, `argument ${runner.inputs.outputs[wrong]?.argument} differs from the reference`);
      }
    }
    return reasons;
  }

  #read({ inputs }: Runner): Promise<readonly ArrayBufferView[]> {
    const options = this.#signal === undefined ? {} : { signal: this.#signal };
    return Promise.all(
      inputs.outputs.map(({ memory, type }): Promise<ArrayBufferView> => {
        if (memory instanceof Image) return this.#queue.read(memory, options);
        return this.#queue.read(memory, type ?? Uint8Array, options);
      }),
    );
  }

  /** Releases everything. Enqueued commands still finish. */
  release(): void {
    for (const runner of this.#runners.splice(0)) if (typeof runner === "object") runner.bound.release();
    this.#copies.release();
    this.#queue.release();
  }
}

/** Nanoseconds of enqueued work between checks of the signal. */
const MAX_CHUNK_NS = 20e6;
/** Number of enqueued commands between checks of the signal. */
const MAX_CHUNK_COMMANDS = 32;

/** Returns why a candidate cannot run. Rethrows errors that are not OpenCL errors. */
export function reasonOf(error: unknown): string {
  if (error instanceof OpenCLError) return error.message.split("\n", 1)[0] as string;
  throw error;
}

function localMemoryError(kernel: Kernel, args: readonly unknown[], device: Device): string | undefined {
  const bytes = args.reduce<number>((sum, value) => sum + (value instanceof LocalMemory ? value.bytes : 0), 0);
  if (bytes <= device.localMemSize) return undefined;
  return `kernel "${kernel.name}" needs ${bytes} bytes of local memory, but the device has ${device.localMemSize}`;
}
