/** Mapped shared virtual memory. */
import type { Handle } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import { type ArrayOf, arrayOver, type ElementType, elementTypeName } from "../dtype/host-array.js";
import type { QueueBase } from "../queue/queue-base.js";
import { MappedMemory } from "../mapping/mapped-memory.js";
import type { TypedArray } from "../typed/index.js";
import { rememberPlace } from "./svm-host.js";
import type { PublicSvm } from "./svm-base.js";

/**
 * A part of shared virtual memory that the host can touch, until it is unmapped. The memory lives as long as it is mapped,
 * even if the allocation is released.
 *
 * @example
 * ```ts
 * await using mapped = await allocation.mapReadWrite(queue, Float32Array);
 * mapped.data.fill(1);
 * ```
 */
export class MappedSvm<T extends TypedArray = TypedArray> extends MappedMemory {
  readonly #svm: PublicSvm;
  readonly #data: ArrayOf<T>;

  /** @internal Of a map that has completed; `byteOffset` is that of the range within the memory. */
  constructor(map: Handle, queue: QueueBase, svm: PublicSvm, type: ElementType<T>, length: number, byteOffset: number) {
    super(map, queue, svm.label);
    this.#svm = svm;
    this.#data = arrayOver(type, this.memory, length);
    rememberPlace(this.memory, svm, byteOffset);
  }

  /** The memory that is mapped. */
  get svm(): PublicSvm {
    return this.#svm;
  }

  /** The elements. What is written to a map that is to be read only is undefined. */
  get data(): ArrayOf<T> {
    handleOf(this);
    return this.#data;
  }

  protected override summary(): string {
    return `${elementTypeName(this.#data.constructor as unknown as ElementType)} × ${this.#data.length}`;
  }
}
