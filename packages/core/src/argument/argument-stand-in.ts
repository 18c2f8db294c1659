/** Resolution of objects that implement the kernel-argument protocol. */
import { isView, rangeError, typeError } from "@cl/base";

import { StandInBytes } from "./argument-bytes.js";
import { DType } from "../dtype/dtype.js";
import { isKernelArgument, type KernelArgument, kernelArgument } from "./kernel-argument.js";
import { LocalMemory } from "./local-memory.js";
import { MemoryObject } from "../memory/memory-object.js";
import { Sampler } from "../sampler/sampler.js";
import { isSvm, type SvmPointer } from "../svm/svm-pointer.js";
import { partFrom } from "../svm/svm.js";

/** Returns whether the value must be resolved with {@link standIn}. */
export function standsForOther(value: unknown): value is KernelArgument {
  return !(value instanceof MemoryObject) && isKernelArgument(value);
}

/**
 * Returns what the object stands for: memory, local memory, a sampler or {@link StandInBytes}. Calls user code. Throws
 * if the object returns anything else, with the argument's name.
 */
export function standIn(
  value: KernelArgument,
  nameOf: () => string,
): MemoryObject | SvmPointer | LocalMemory | Sampler | StandInBytes {
  const result: unknown = value[kernelArgument]();
  if (typeof result !== "object" || result === null) {
    throw typeError(nameOf(), "an object that provides memory, a sampler or bytes", result);
  }
  const { bytes, dtype, local, memory, sampler, byteOffset } = result as Readonly<
    Partial<Record<"bytes" | "dtype" | "local" | "memory" | "sampler" | "byteOffset", unknown>>
  >;
  if (bytes !== undefined) {
    if (!isView(bytes)) {
      throw typeError(nameOf(), "an object whose bytes are a typed array or a DataView", bytes);
    }
    if (dtype !== undefined && !(dtype instanceof DType)) {
      throw typeError(nameOf(), "an object whose dtype is a DType", dtype);
    }
    return new StandInBytes(bytes, dtype);
  }
  if (local instanceof LocalMemory) return local;
  if (sampler instanceof Sampler) return sampler;
  if (!(memory instanceof MemoryObject)) {
    // Not before: `instanceof` walks the whole prototype chain of a buffer, which takes 10 ns of a launch.
    if (isSvm(memory)) return svmFrom(memory, byteOffset, nameOf);
    throw typeError(nameOf(), "an object that provides memory, a sampler or bytes", memory ?? sampler);
  }
  if (byteOffset === undefined || byteOffset === 0) return memory;
  throw rangeError(
    nameOf(),
    "memory with byteOffset 0, because this device does not support offsets of buffer arguments (use a sub-buffer)",
    byteOffset,
  );
}

/** Any address in shared virtual memory can be an argument. */
function svmFrom(memory: SvmPointer, byteOffset: unknown, nameOf: () => string): SvmPointer {
  if (byteOffset === undefined || byteOffset === 0) return memory;
  const inside = typeof byteOffset === "number" && Number.isInteger(byteOffset) && byteOffset > 0;
  if (!inside || byteOffset > memory.size) {
    throw rangeError(nameOf(), `memory with a byteOffset of 0 to ${memory.size}`, byteOffset);
  }
  return partFrom(memory, byteOffset, undefined, undefined);
}
