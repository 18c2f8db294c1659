/** Typed arrays over fine-grained SVM, which the host can access without mapping it. */
import { checkOptions, wrongState } from "@cl/base";

import { type Handle, native } from "../binding/native.js";
import { elementRange, type ElementRangeOptions } from "../memory/element-range.js";
import { type ArrayOf, arrayOver, checkElementType, type ElementType } from "../dtype/host-array.js";
import { rememberPlace } from "./svm-host.js";
import type { TypedArray } from "../typed/index.js";
import type { SvmPointer } from "./svm-pointer.js";

/**
 * Returns a typed array over SVM. Calls `memory`, which returns the ArrayBuffer over all of it, after checking the
 * arguments.
 */
export function fineArray<U extends TypedArray>(
  svm: SvmPointer,
  type: ElementType<U>,
  options: ElementRangeOptions | undefined,
  memory: () => ArrayBuffer,
): ArrayOf<U> {
  checkElementType(type, "type");
  const range = elementRange(svm, type, checkOptions(options, ["offset", "length"]), "memory");
  if (svm.kind === "coarse") {
    throw wrongState("the host can access coarse-grained memory only while it is mapped; use map()");
  }
  return arrayOver(type, memory(), range.length, range.byteOffset);
}

/** Creates the ArrayBuffer over all of the memory; call it once. */
export function memoryOver(svm: SvmPointer, handle: Handle): ArrayBuffer {
  const memory = svm.size === 0 ? new ArrayBuffer(0) : native.svmMemory(handle);
  rememberPlace(memory, svm, 0);
  return memory;
}
