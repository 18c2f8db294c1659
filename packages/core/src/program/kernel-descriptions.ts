/**
 * What is known of kernels' arguments beside the driver. Programs from binaries have lost it on PoCL, and any runtime
 * may forget it; so the cache keeps it with a program's binaries.
 */
import type { KernelArgProperties } from "../info/kernel-info.js";
import { kernelArgQueries, kernelQueries } from "../info/kernel-info.js";
import { ask } from "../info/query.js";
import { type Handle, native } from "../binding/native.js";
import { plainName } from "./pocl-names.js";
import type { Resource } from "../binding/resource.js";

/** The arguments of each kernel by the kernel's name. */
export type KernelDescriptions = Readonly<Record<string, readonly KernelArgProperties[]>>;

/** The arguments of a kernel as they were when the program was built from source; undefined where only the driver knows. */
export function describedArguments(program: Resource, kernel: string): readonly KernelArgProperties[] | undefined {
  const read = kept.get(program);
  if (read === undefined) return undefined;
  const descriptions = read();
  // Descriptions are kept without PoCL's prefix, even where it is a part of the name.
  return [kernel, plainName(kernel)].flatMap((name) =>
    Object.hasOwn(descriptions, name) ? [descriptions[name] as readonly KernelArgProperties[]] : [],
  )[0];
}

/** Remembers, or with nothing forgets, the descriptions of a program; they are read when they are first needed. */
export function keepDescriptions(program: Resource, read: (() => KernelDescriptions) | undefined): void {
  if (read === undefined) {
    kept.delete(program);
    return;
  }
  let descriptions: KernelDescriptions | undefined;
  kept.set(program, () => (descriptions ??= read()));
}

/** Asks the driver about all kernels of a built program. Kernels that it does not know enough about are left out. */
export function describeKernels(program: Handle): KernelDescriptions {
  const descriptions: Record<string, readonly KernelArgProperties[]> = {};
  for (const kernel of native.createKernels(program)) {
    try {
      const name = plainName(ask(kernelQueries, "functionName", (param) => native.getInfo(kernel, param)));
      const count = ask(kernelQueries, "numArgs", (param) => native.getInfo(kernel, param));
      descriptions[name] = Array.from({ length: count }, (_, i) => describeArgument(kernel, i));
    } catch {
      // The runtime keeps no argument information.
    } finally {
      native.recycle(kernel);
    }
  }
  return descriptions;
}

const kept = new WeakMap<Resource, () => KernelDescriptions>();

function describeArgument(kernel: Handle, index: number): KernelArgProperties {
  const read = (param: number): Uint8Array => native.getArgInfo(kernel, index, param);
  return {
    name: ask(kernelArgQueries, "name", read),
    typeName: ask(kernelArgQueries, "typeName", read),
    addressQualifier: ask(kernelArgQueries, "addressQualifier", read),
    accessQualifier: ask(kernelArgQueries, "accessQualifier", read),
    typeQualifier: ask(kernelArgQueries, "typeQualifier", read),
  };
}
