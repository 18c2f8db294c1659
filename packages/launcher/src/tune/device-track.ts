/** Candidates on a device: each is a bound kernel on a queue that keeps times, with copies for what it writes. */
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

import { ArgumentCopies, type StandIns } from "./argument-copies.js";
import type { TuningComparison } from "./tune-types.js";

/** One candidate, ready to be made. */
export interface Runnable {
  readonly kernel: Kernel;
  readonly args: readonly unknown[];
  readonly global: readonly number[];
  readonly offset: readonly number[] | undefined;
  readonly local: readonly number[] | null;
}

/** A candidate that can run. */
interface Runner {
  readonly bound: BoundKernel;
  readonly inputs: StandIns;
}

/** Runs candidates by their place in a list. */
export class DeviceTrack {
  readonly #queue: CommandQueue;
  readonly #copies: ArgumentCopies;
  readonly #candidates: readonly Runnable[];
  readonly #runners: (Runner | string)[] = [];
  /** The last time of each, in nanoseconds. */
  readonly #times: number[] = [];
  readonly #signal: AbortSignal | undefined;

  constructor(context: Context, device: Device, candidates: readonly Runnable[], signal: AbortSignal | undefined) {
    this.#queue = new CommandQueue(context, { device, profiling: true, label: "tuning" });
    this.#copies = new ArgumentCopies(context);
    this.#candidates = candidates;
    this.#signal = signal;
  }

  /** Runs each once, in this order. */
  async run(order: readonly number[]): Promise<readonly (number | string)[]> {
    const results: (number | string)[] = [];
    while (results.length < order.length) {
      const chunk = this.#nextChunk(order, results.length);
      results.push(...(await this.#runChunk(chunk)));
    }
    return results;
  }

  /** As many as keep the device busy for a while, but not so long that nobody could end it. */
  #nextChunk(order: readonly number[], from: number): readonly number[] {
    let expected = 0;
    let end = from;
    do {
      // What has never run may compile first, and take long.
      expected += this.#times[order[end] as number] ?? LONG;
      end++;
    } while (end < order.length && end - from < MOST && expected < LONG);
    return order.slice(from, end);
  }

  async #runChunk(chunk: readonly number[]): Promise<readonly (number | string)[]> {
    const events: (CommandEvent | string)[] = [];
    try {
      for (const index of chunk) events.push(this.#enqueue(index));
      const ends = await Promise.all(events.map((event) => this.#ended(event)));
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

  async #ended(event: CommandEvent | string): Promise<number | string> {
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
    return (this.#runners[index] ??= this.#make(this.#candidates[index] as Runnable));
  }

  #make({ kernel, args, global, offset, local }: Runnable): Runner | string {
    const tooMuch = excessOfLocalMemory(kernel, args, this.#queue.device);
    if (tooMuch !== undefined) return tooMuch;
    try {
      const inputs = this.#copies.standIns(kernel, args);
      const bound = kernel.bind({ global, local, ...(offset === undefined ? {} : { offset }) }, ...inputs.args);
      return { bound, inputs };
    } catch (error) {
      return reasonOf(error);
    }
  }

  /**
   * Runs each once and compares what it wrote with what the first one did that can run. Tells the reasons of those that
   * differ or fail, by place.
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

  /** Gives everything back. What is on the queue ends by itself. */
  release(): void {
    for (const runner of this.#runners.splice(0)) if (typeof runner === "object") runner.bound.release();
    this.#copies.release();
    this.#queue.release();
  }
}

/** Nanoseconds of work that may be on the queue before the next look at the signal. */
const LONG = 20e6;
/** And commands. */
const MOST = 32;

/** Why a candidate cannot run; mistakes in arguments and in this code are no reasons, but errors. */
export function reasonOf(error: unknown): string {
  if (error instanceof OpenCLError) return error.message.split("\n", 1)[0] as string;
  throw error;
}

function excessOfLocalMemory(kernel: Kernel, args: readonly unknown[], device: Device): string | undefined {
  const bytes = args.reduce<number>((sum, value) => sum + (value instanceof LocalMemory ? value.bytes : 0), 0);
  if (bytes <= device.localMemSize) return undefined;
  return `kernel "${kernel.name}" needs ${bytes} bytes of local memory, and the device has ${device.localMemSize}`;
}
