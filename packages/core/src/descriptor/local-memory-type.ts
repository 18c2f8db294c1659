/** Descriptors of the memory that the work-items of a group share. */
import { rangeError, typeError, wrongType } from "@cl/base";

import { type MemoryShape, MemoryType } from "./memory-type.js";
import type { DTypeLike } from "../dtype/registry.js";
import { type KernelArgument, kernelArgument, type KernelArgumentValue } from "../argument/kernel-argument.js";
import { LocalMemory } from "../argument/local-memory.js";

/**
 * Memory for a `__local` pointer. One whose type and shape are known is a kernel argument itself: so much is allocated.
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
  /** What the type checker knows it by; see typed/c-types.ts. */
  declare readonly "~argument": "local";

  override readonly qualifier = "__local";
  override readonly isConst: boolean = false;

  constructor(type?: DTypeLike | null, options?: MemoryShape) {
    super(type, options);
    Object.freeze(this);
  }

  /** So much local memory as type and shape say. */
  get allocation(): LocalMemory {
    return new LocalMemory(this.nbytes);
  }

  /** The memory for a value: a `LocalMemory` of the right size, or another descriptor of the same memory. */
  override fromParam(value: unknown): LocalMemory {
    return acceptLocal(this, value, "value");
  }

  /** @internal */
  [kernelArgument](): KernelArgumentValue {
    return { local: this.allocation };
  }
}

/** What a kernel gets for a value; `name` is for errors. */
export function acceptLocal(type: LocalMemoryType, value: unknown, name: string): LocalMemory {
  const local = value instanceof LocalMemoryType ? described(type, value, name) : value;
  if (!(local instanceof LocalMemory)) {
    throw typeError(name, "a LocalMemory, or a LocalMemoryType of known size", value);
  }
  if (type.dtype === undefined) return local;
  const { itemSize } = type.dtype;
  const right = type.shape === undefined ? local.bytes % itemSize === 0 : local.bytes === type.nbytes;
  if (right) return local;
  const wanted = type.shape === undefined ? `a whole number of elements of ${itemSize} bytes` : `${type.nbytes} bytes`;
  throw rangeError(name, `${wanted} of local memory (${String(type)})`, local.bytes);
}

function described(type: LocalMemoryType, given: LocalMemoryType, name: string): LocalMemory {
  const sameType = type.dtype === undefined || type.dtype.equals(given.dtype);
  const sameShape = type.shape === undefined || type.shape.join() === given.shape?.join();
  const sameAxes = type.ndim === undefined || type.ndim === given.ndim;
  if (sameType && sameShape && sameAxes) return given.allocation;
  throw wrongType(`${name} must be ${String(type)}, received ${String(given)}`);
}
