/** A device with what measuring needs: queues, programs, memory, a clock; all released together. */
import {
  type CommandEvent,
  CommandQueue,
  Context,
  DeviceBuffer,
  type DeviceBufferOptions,
  type Device,
  DeviceType,
  type Kernel,
  Program,
} from "@cl/core";

/** What is there while one device is measured. */
export class BenchDevice {
  readonly device: Device;
  readonly context: Context;
  readonly signal: AbortSignal | undefined;
  /** In order, without profiling: as most programs have it. */
  readonly queue: CommandQueue;
  /** In order, with profiling. Transfers on it take the driver's own way. */
  readonly profiled: CommandQueue;
  readonly #owned: { release(): void }[] = [];

  constructor(device: Device, signal: AbortSignal | undefined) {
    this.device = device;
    this.signal = signal;
    this.context = new Context([device]);
    this.#owned.push(this.context);
    try {
      this.queue = this.own(new CommandQueue(this.context));
      this.profiled = this.own(new CommandQueue(this.context, { profiling: true }));
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** True for a processor of the host: its memory is the host's, and its caches make strides cheap. */
  get isCpu(): boolean {
    return (this.device.type & DeviceType.CPU) !== 0;
  }

  /** Keeps something to be released with the rest. */
  own<T extends { release(): void }>(thing: T): T {
    this.#owned.push(thing);
    return thing;
  }

  /** A built program. Multiplications and additions may be fused, as everybody does who wants speed. */
  async program(source: string): Promise<Program> {
    const program = this.own(new Program(this.context, source));
    await program.build({ options: "-cl-mad-enable", ...this.#abortable() });
    return program;
  }

  /** Device memory, released with {@link release} if not before. */
  buffer(bytes: number, options?: DeviceBufferOptions): DeviceBuffer {
    return this.own(new DeviceBuffer(this.context, { size: bytes, ...options }));
  }

  /** The largest power of two of work-items in a group, at most `wanted`, that the device allows for a kernel. */
  groupSize(kernel: Kernel, wanted: number): number {
    const most = Math.min(wanted, this.device.maxWorkGroupSize, this.device.maxWorkItemSizes[0] ?? 1);
    const allowed = Math.min(most, kernel.workGroup(this.device).workGroupSize);
    return 2 ** Math.floor(Math.log2(Math.max(1, allowed)));
  }

  /** Waits for a queue without blocking the event loop. */
  async finish(queue: CommandQueue): Promise<void> {
    await queue.finish(this.#abortable());
  }

  /** The seconds from before the first of `count` commands to after the last. */
  async timed(queue: CommandQueue, count: number, enqueue: () => CommandEvent | void): Promise<number> {
    const start = seconds();
    for (let i = 0; i < count; i++) enqueue()?.release();
    await this.finish(queue);
    return seconds() - start;
  }

  #abortable(): { signal?: AbortSignal } {
    return this.signal === undefined ? {} : { signal: this.signal };
  }

  /** Releases everything, the last made first. What the device still works on is the driver's to keep. */
  release(): void {
    for (const thing of this.#owned.splice(0).toReversed()) thing.release();
  }
}

/** The host's clock, in seconds. */
export function seconds(): number {
  return performance.now() / 1000;
}

/** Lets the event loop turn once, and throws the signal's reason if there is one. */
export async function breathe(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal?.throwIfAborted();
}
