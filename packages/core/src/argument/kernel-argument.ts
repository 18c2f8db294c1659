/**
 * The kernel-argument protocol, which lets any object be passed to a kernel. Pooled buffers, views and arrays of other
 * packages implement it, so kernels do not depend on their classes.
 */
import type { DType } from "../dtype/dtype.js";
import type { LocalMemory } from "./local-memory.js";
import type { MemoryObject } from "../memory/memory-object.js";
import type { Sampler } from "../sampler/sampler.js";
import type { SvmPointer } from "../svm/svm-pointer.js";

/** The method key of the kernel-argument protocol; see {@link KernelArgument}. */
export const kernelArgument: unique symbol = Symbol.for("@cl/core.kernelArgument");

/** The value that replaces an object when it is passed to a kernel. */
export type KernelArgumentValue =
  | {
      /** The memory that is passed to the kernel. */
      readonly memory: MemoryObject | SvmPointer;
      /**
       * Offset of the data in the memory. Throws if the device does not support the offset; it is never ignored.
       *
       * @defaultValue 0
       */
      readonly byteOffset?: number;
    }
  | {
      /** The sampler that is passed to the kernel. */
      readonly sampler: Sampler;
    }
  | {
      /** The local memory that the kernel receives. */
      readonly local: LocalMemory;
    }
  | {
      /** The bytes that are passed by value. */
      readonly bytes: ArrayBufferView;
      /** The type of the value. If given, passing it to a parameter of another type throws. */
      readonly dtype?: DType;
    };

/** An object that can be passed to a kernel. */
export interface KernelArgument {
  /**
   * Returns what to pass to the kernel. Called at each launch, so it should return the same object if nothing has
   * changed.
   */
  [kernelArgument](): KernelArgumentValue;
}

/** Returns whether the value implements the kernel-argument protocol. */
export function isKernelArgument(value: unknown): value is KernelArgument {
  return typeof value === "object" && value !== null && kernelArgument in value;
}
