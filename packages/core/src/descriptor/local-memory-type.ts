/** Descriptors of local memory, which the work-items of a group share. */
import { rangeError, typeError, wrongType } from "@cl/base";

import { type MemoryShape, MemoryType } from "./memory-type.js";
import type { DTypeLike } from "../dtype/registry.js";
import { type KernelArgument, kernelArgument, type KernelArgumentValue } from "../argument/kernel-argument.js";
import { LocalMemory } from "../argument/local-memory.js";

/**
 * A descriptor of the memory for a `__local` pointer. With a type and a shape, it is also a kernel argument that
 * allocates that memory.
 *
 * @example
 * ```ts
 * const tile = new LocalMemoryType("float32", { shape: [8, 9] });
 * console.log(tile.nbytes, tile.cTypeString); // 288 __local float*
 * ```
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the method is below; declarations cannot name it
export interface LocalMemoryType extends KernelArgument {}
export class LocalMemoryType extends MemoryType {
  /** Type-level tag; see typed/c-types.ts. */
  declare readonly "~argument": "local";

  override readonly qualifier = "__local";
  override readonly isConst: boolean = false;

  constructor(type?: DTypeLike | null, options?: MemoryShape) {
    super(type, options);
    Object.freeze(this);
  }

  /** The local memory for the type and the shape. Throws if one of them is unknown. */
  get allocation(): LocalMemory {
    return new LocalMemory(this.nbytes);
  }

  /**
   * Returns the local memory for a value: a `LocalMemory` of the right size, or another descriptor of the same memory.
   * Throws if the value does not match the descriptor.
   */
  override fromParam(value: unknown): LocalMemory {
    return acceptLocal(this, value, "value");
  }

  /** @internal */
  [kernelArgument](): KernelArgumentValue {
    return { local: this.allocation };
  }
}

/** Returns the local memory to pass to a kernel for a value. Throws if it does not match. `name` is for errors. */
export function acceptLocal(type: LocalMemoryType, value: unknown, name: string): LocalMemory {
  const local = value instanceof LocalMemoryType ? fromDescriptor(type, value, name) : value;
  if (!(local instanceof LocalMemory)) {
    throw typeError(name, "a LocalMemory, or a LocalMemoryType of known size", value);
  }
  if (type.dtype === undefined) return local;
  const { itemSize } = type.dtype;
  const matches = type.shape === undefined ? local.bytes % itemSize === 0 : local.bytes === type.nbytes;
  if (matches) return local;
  const expected = type.shape === undefined ? `a multiple of ${itemSize} bytes` : `${type.nbytes} bytes`;
  throw rangeError(name, `${expected} of local memory (${String(type)})`, local.bytes);
}

function fromDescriptor(type: LocalMemoryType, other: LocalMemoryType, name: string): LocalMemory {
  const sameType = type.dtype === undefined || type.dtype.equals(other.dtype);
  const sameShape = type.shape === undefined || type.shape.join() === other.shape?.join();
  const sameAxes = type.ndim === undefined || type.ndim === other.ndim;
  if (sameType && sameShape && sameAxes) return other.allocation;
  throw wrongType(`${name} must be ${String(type)}, received ${String(other)}`);
}
