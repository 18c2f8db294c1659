/** A mapped buffer: its elements in host memory. */
import type { Layout } from "@cl/base";

import type { DType } from "../dtype/dtype.js";
import type { DeviceBuffer } from "../memory/buffer.js";
import { type ArrayOf, arrayOver, type ElementType, elementTypeName } from "../dtype/host-array.js";
import type { Handle } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import type { QueueBase } from "../queue/queue-base.js";
import { MappedMemory } from "./mapped-memory.js";
import type { TypedArray } from "../typed/index.js";
import { HostPart, HostView } from "../host-view/host-view.js";

/** What the mapped bytes are. */
export interface MappedElements {
  readonly type: DType;
  readonly itemSize: number;
  readonly layout: Layout;
  /** What `data` is. */
  readonly array: ElementType;
  readonly readonly: boolean;
}

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
  readonly #view: HostView<T>;

  /** @internal Of a map that has completed; the layout is that of the elements in the mapped bytes. */
  constructor(map: Handle, queue: QueueBase, buffer: DeviceBuffer, elements: MappedElements) {
    super(map, queue, buffer.label);
    const { type, itemSize, layout, array, readonly } = elements;
    this.#buffer = buffer;
    this.#data = arrayOf(array as ElementType<T>, this.memory);
    this.#view = new HostView<T>(new HostPart(new Uint8Array(this.memory), type, itemSize, layout, readonly));
  }

  /** The buffer. */
  get buffer(): DeviceBuffer {
    return this.#buffer;
  }

  /**
   * The mapped memory as one array, from the lowest element to the highest with what lies between them. What is written
   * to a map with `access: "read"` is undefined.
   */
  get data(): ArrayOf<T> {
    handleOf(this);
    return this.#data;
  }

  /** The elements by indices, with the shape and the strides that were asked for; read-only with `access: "read"`. */
  get view(): HostView<T> {
    handleOf(this);
    return this.#view;
  }

  protected override summary(): string {
    const type = elementTypeName(this.#data.constructor as unknown as ElementType);
    const { ndim, dtype, shape } = this.#view;
    return ndim === 1 ? `${type} × ${this.#data.length}` : `${dtype.name} [${shape.join(", ")}]`;
  }
}

/** The memory as an array of such elements; as bytes where strides leave it no whole number of those. */
function arrayOf<T extends TypedArray>(type: ElementType<T>, memory: ArrayBuffer): ArrayOf<T> {
  const length = memory.byteLength / type.BYTES_PER_ELEMENT;
  if (Number.isInteger(length)) return arrayOver(type, memory, length);
  return arrayOver<Uint8Array>(Uint8Array, memory, memory.byteLength) as unknown as ArrayOf<T>;
}
