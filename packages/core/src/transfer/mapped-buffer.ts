/** A mapped buffer: its elements in host memory. */
import type { DeviceBuffer } from "../memory/buffer.js";
import { type ArrayOf, arrayOver, type ElementType, elementTypeName } from "../memory/host-array.js";
import type { Handle } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import type { CommandQueue } from "../queue/queue.js";
import { MappedMemory } from "./mapped-memory.js";
import type { TypedArray } from "../typed/index.js";

/**
 * A part of a buffer that the host can touch, until {@link MappedMemory.unmap}.
 *
 * @example
 * ```ts
 * await using mapped = await queue.map(buffer, Float32Array, { access: "write-invalidate" });
 * mapped.data.fill(1);
 * ```
 */
export class MappedBuffer<T extends TypedArray = TypedArray> extends MappedMemory {
  readonly #buffer: DeviceBuffer;
  readonly #data: ArrayOf<T>;

  /** @internal Of a map that has completed. */
  constructor(map: Handle, queue: CommandQueue, buffer: DeviceBuffer, type: ElementType<T>, length: number) {
    super(map, queue, buffer.label);
    this.#buffer = buffer;
    this.#data = arrayOver(type, this.memory, length);
  }

  /** The buffer. */
  get buffer(): DeviceBuffer {
    return this.#buffer;
  }

  /** The elements. What is written to a map with `access: "read"` is undefined. */
  get data(): ArrayOf<T> {
    handleOf(this);
    return this.#data;
  }

  protected override summary(): string {
    return `${elementTypeName(this.#data.constructor as unknown as ElementType)} × ${this.#data.length}`;
  }
}
