/** Mapped buffers. */
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

/** Type and layout of mapped bytes. */
export interface MappedElements {
  readonly type: DType;
  readonly itemSize: number;
  readonly layout: Layout;
  /** Typed array class of `data`. */
  readonly array: ElementType;
  readonly readonly: boolean;
}

/**
 * A range of a buffer that the host can access until {@link MappedMemory.unmap}.
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

  /** @internal `map` must have completed; the layout's offset is relative to the mapped bytes. */
  constructor(map: Handle, queue: QueueBase, buffer: DeviceBuffer, elements: MappedElements) {
    super(map, queue, buffer.label);
    const { type, itemSize, layout, array, readonly } = elements;
    this.#buffer = buffer;
    this.#data = arrayOf(array as ElementType<T>, this.memory);
    this.#view = new HostView<T>(new HostPart(new Uint8Array(this.memory), type, itemSize, layout, readonly));
  }

  /** The mapped buffer. */
  get buffer(): DeviceBuffer {
    return this.#buffer;
  }

  /**
   * The mapped memory as one typed array, from the lowest element to the highest, including any gaps between elements.
   * The effect of writing to a map with `access: "read"` is undefined.
   */
  get data(): ArrayOf<T> {
    handleOf(this);
    return this.#data;
  }

  /** The elements with the requested shape and strides; read-only with `access: "read"`. */
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

/** Returns the memory as a typed array; as bytes if its size is not a multiple of the element size. */
function arrayOf<T extends TypedArray>(type: ElementType<T>, memory: ArrayBuffer): ArrayOf<T> {
  const length = memory.byteLength / type.BYTES_PER_ELEMENT;
  if (Number.isInteger(length)) return arrayOver(type, memory, length);
  return arrayOver<Uint8Array>(Uint8Array, memory, memory.byteLength) as unknown as ArrayOf<T>;
}
