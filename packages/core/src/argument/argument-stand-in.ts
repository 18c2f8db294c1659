/** The kernel-argument protocol as kernels use it: what an object gives for itself, checked. */
import { isView, rangeError, typeError } from "@cl/base";

import { StandInBytes } from "./argument-bytes.js";
import { DType } from "../dtype/dtype.js";
import { isKernelArgument, type KernelArgument, kernelArgument } from "./kernel-argument.js";
import { LocalMemory } from "./local-memory.js";
import { MemoryObject } from "../memory/memory-object.js";
import { Sampler } from "../sampler/sampler.js";
import { isSvm, type SvmPointer } from "../svm/svm-pointer.js";
import { partFrom } from "../svm/svm.js";

/** True if the value must be asked what it stands for. */
export function standsForOther(value: unknown): value is KernelArgument {
  return !(value instanceof MemoryObject) && isKernelArgument(value);
}

/** What it stands for: memory, local memory, a sampler, or {@link StandInBytes}. This runs code of others. */
export function standIn(
  value: KernelArgument,
  argument: string,
): MemoryObject | SvmPointer | LocalMemory | Sampler | StandInBytes {
  const given: unknown = value[kernelArgument]();
  if (typeof given !== "object" || given === null) {
    throw typeError(argument, "an object that gives memory, a sampler or bytes", given);
  }
  const { bytes, dtype, local, memory, sampler, byteOffset } = given as Readonly<
    Partial<Record<"bytes" | "dtype" | "local" | "memory" | "sampler" | "byteOffset", unknown>>
  >;
  if (bytes !== undefined) {
    if (!isView(bytes)) {
      throw typeError(argument, "an object whose bytes are a typed array or a DataView", bytes);
    }
    if (dtype !== undefined && !(dtype instanceof DType)) {
      throw typeError(argument, "an object whose dtype is a DType", dtype);
    }
    return new StandInBytes(bytes, dtype);
  }
  if (local instanceof LocalMemory) return local;
  if (sampler instanceof Sampler) return sampler;
  if (isSvm(memory)) return svmFrom(memory, byteOffset, argument);
  if (!(memory instanceof MemoryObject)) {
    throw typeError(argument, "an object that gives memory, a sampler or bytes", memory ?? sampler);
  }
  if (byteOffset === undefined || byteOffset === 0) return memory;
  throw rangeError(
    argument,
    "memory that begins at its own start: a buffer argument has no offset on this device (use a sub-buffer)",
    byteOffset,
  );
}

/** Of shared virtual memory any address can be an argument. */
function svmFrom(memory: SvmPointer, byteOffset: unknown, argument: string): SvmPointer {
  if (byteOffset === undefined || byteOffset === 0) return memory;
  const inside = typeof byteOffset === "number" && Number.isInteger(byteOffset) && byteOffset > 0;
  if (!inside || byteOffset > memory.size) {
    throw rangeError(argument, `memory from one of its ${memory.size} bytes on`, byteOffset);
  }
  return partFrom(memory, byteOffset, undefined, undefined);
}
