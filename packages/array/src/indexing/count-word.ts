/** A number that a kernel counts and the host reads, in memory that both share if the device supports that. */
import { type CommandEvent, type CommandQueue, type Context, DeviceBuffer } from "@cl/core";
import { TotalRead } from "../scan/total.js";
import { Storage } from "../storage/storage.js";

/** Buffers whose number has been read. Those of aborted waits are not reused, since a kernel may still write to them. */
const unused = new WeakMap<Context, DeviceBuffer[]>();

/** An int32 that is read once. */
export class CountWord {
  readonly storage: Storage;
  readonly #queue: CommandQueue;
  readonly #buffer: DeviceBuffer;

  constructor(queue: CommandQueue) {
    const { context } = queue;
    this.#queue = queue;
    this.#buffer =
      unused.get(context)?.pop() ?? DeviceBuffer.empty(context, Int32Array, 1, { hostCoherent: "preferred" });
    this.storage = new Storage({ allocate: () => this.#buffer }, this.#buffer.size);
  }

  /** Resolves to the number when the command that counts has completed. */
  async read(counting: CommandEvent, signal: AbortSignal | undefined): Promise<number> {
    const shared = this.#buffer.hostArray;
    if (!(shared instanceof Int32Array)) return this.#end(await this.#read().value(signal));
    await counting.wait(signal === undefined ? undefined : { signal });
    return this.#end(shared[0] as number);
  }

  /** Blocking version of {@link read}. */
  readSync(counting: CommandEvent): number {
    const shared = this.#buffer.hostArray;
    if (!(shared instanceof Int32Array)) return this.#end(this.#read().valueSync());
    counting.waitSync();
    return this.#end(shared[0] as number);
  }

  #read(): TotalRead {
    return new TotalRead(this.#queue, { storage: this.storage, dtype: "int32" }, 0);
  }

  #end(count: number): number {
    const { context } = this.#queue;
    const buffers = unused.get(context);
    if (buffers === undefined) unused.set(context, [this.#buffer]);
    else buffers.push(this.#buffer);
    return count;
  }
}
