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
 * A range of shared virtual memory that the host can access until it is unmapped. The memory stays allocated while it
 * is mapped, even if the allocation is released.
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

  /** @internal `map` must have completed; `byteOffset` is the offset of the range in the memory. */
  constructor(map: Handle, queue: QueueBase, svm: PublicSvm, type: ElementType<T>, length: number, byteOffset: number) {
    super(map, queue, svm.label);
    this.#svm = svm;
    this.#data = arrayOver(type, this.memory, length);
    rememberPlace(this.memory, svm, byteOffset);
  }

  /** The mapped memory. */
  get svm(): PublicSvm {
    return this.#svm;
  }

  /** The mapped elements. The effect of writing to a read-only map is undefined. */
  get data(): ArrayOf<T> {
    handleOf(this);
    return this.#data;
  }

  protected override summary(): string {
    return `${elementTypeName(this.#data.constructor as unknown as ElementType)} × ${this.#data.length}`;
  }
}
