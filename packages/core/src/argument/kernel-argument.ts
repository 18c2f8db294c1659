/**
 * The protocol by which anything becomes a kernel argument. Pooled buffers, views and arrays of other packages
 * implement it; a kernel knows no class of theirs.
 */
import type { DType } from "../dtype/dtype.js";
import type { LocalMemory } from "./local-memory.js";
import type { MemoryObject } from "../memory/memory-object.js";
import type { Sampler } from "../sampler/sampler.js";
import type { SvmPointer } from "../svm/svm-pointer.js";

/** The key of the protocol. */
export const kernelArgument: unique symbol = Symbol.for("@cl/core.kernelArgument");

/** What stands in for an object when it is passed to a kernel. */
export type KernelArgumentValue =
  | {
      /** The memory that the kernel gets. */
      readonly memory: MemoryObject | SvmPointer;
      /** Where in it the data starts. What a device cannot express throws; it is never dropped. */
      readonly byteOffset?: number;
    }
  | {
      /** The sampler that the kernel gets. */
      readonly sampler: Sampler;
    }
  | {
      /** The local memory that the kernel gets. */
      readonly local: LocalMemory;
    }
  | {
      /** The bytes that the kernel gets by value. */
      readonly bytes: ArrayBufferView;
      /** The type of the value, where it has one: a parameter of another type refuses it. */
      readonly dtype?: DType;
    };

/** Something that can be passed to a kernel. */
export interface KernelArgument {
  /** Called at each launch; it should make no new objects when nothing has changed. */
  [kernelArgument](): KernelArgumentValue;
}

/** True if the value implements the protocol. */
export function isKernelArgument(value: unknown): value is KernelArgument {
  return typeof value === "object" && value !== null && kernelArgument in value;
}
