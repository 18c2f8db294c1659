/** The resources for measuring a device. */
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

/** A device with queues, programs and memory that are released together. */
export class BenchDevice {
  readonly device: Device;
  readonly context: Context;
  readonly signal: AbortSignal | undefined;
  /** An in-order queue without profiling, as in most programs. */
  readonly queue: CommandQueue;
  /** An in-order queue with profiling. Transfers on it use the driver's commands directly. */
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

  /** True for a CPU: it uses host memory, and its caches make strides cheap. */
  get isCpu(): boolean {
    return (this.device.type & DeviceType.CPU) !== 0;
  }

  /** Registers a resource to be released with the others. */
  own<T extends { release(): void }>(resource: T): T {
    this.#owned.push(resource);
    return resource;
  }

  /** Builds a program with fused multiply-add enabled. */
  async program(source: string): Promise<Program> {
    const program = this.own(new Program(this.context, source));
    await program.build({ options: "-cl-mad-enable", ...this.#abortable() });
    return program;
  }

  /** Creates a buffer, which is released with the other resources if not before. */
  buffer(bytes: number, options?: DeviceBufferOptions): DeviceBuffer {
    return this.own(new DeviceBuffer(this.context, { size: bytes, ...options }));
  }

  /** Returns the largest power of two up to `max` that is a valid work-group size of the kernel. */
  groupSize(kernel: Kernel, max: number): number {
    const deviceMax = Math.min(max, this.device.maxWorkGroupSize, this.device.maxWorkItemSizes[0] ?? 1);
    const allowed = Math.min(deviceMax, kernel.workGroup(this.device).workGroupSize);
    return 2 ** Math.floor(Math.log2(Math.max(1, allowed)));
  }

  /** Waits for a queue without blocking the event loop. */
  async finish(queue: CommandQueue): Promise<void> {
    await queue.finish(this.#abortable());
  }

  /** Returns the seconds for `count` commands, including the wait for the last. */
  async timed(queue: CommandQueue, count: number, enqueue: () => CommandEvent | void): Promise<number> {
    const start = seconds();
    for (let i = 0; i < count; i++) enqueue()?.release();
    await this.finish(queue);
    return seconds() - start;
  }

  #abortable(): { signal?: AbortSignal } {
    return this.signal === undefined ? {} : { signal: this.signal };
  }

  /** Releases all resources in reverse order. The driver retains those that running commands use. */
  release(): void {
    for (const resource of this.#owned.splice(0).toReversed()) resource.release();
  }
}

/** Returns the time of the host's clock in seconds. */
export function seconds(): number {
  return performance.now() / 1000;
}

/** Waits for one iteration of the event loop. Throws the signal's reason if it has been aborted. */
export async function yieldToEventLoop(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal?.throwIfAborted();
}
