/**
 * Argument information of kernels, stored with a program's binaries in the cache: PoCL, and possibly other runtimes,
 * lose it in programs created from binaries.
 */
import type { KernelArgProperties } from "../info/kernel-info.js";
import { kernelArgQueries, kernelQueries } from "../info/kernel-info.js";
import { ask } from "../info/query.js";
import { type Handle, native } from "../binding/native.js";
import { plainName } from "./pocl-names.js";
import type { Resource } from "../binding/resource.js";

/** Arguments of kernels by kernel name. */
export type KernelDescriptions = Readonly<Record<string, readonly KernelArgProperties[]>>;

/** Returns the stored arguments of a kernel; `undefined` if only the driver has them. */
export function describedArguments(program: Resource, kernel: string): readonly KernelArgProperties[] | undefined {
  const read = stored.get(program);
  if (read === undefined) return undefined;
  const descriptions = read();
  // Descriptions are stored without PoCL's prefix, even if it is a part of the name.
  return [kernel, plainName(kernel)].flatMap((name) =>
    Object.hasOwn(descriptions, name) ? [descriptions[name] as readonly KernelArgProperties[]] : [],
  )[0];
}

/** Stores the descriptions of a program, which are read on first use; `undefined` removes them. */
export function storeDescriptions(program: Resource, read: (() => KernelDescriptions) | undefined): void {
  if (read === undefined) {
    stored.delete(program);
    return;
  }
  let descriptions: KernelDescriptions | undefined;
  stored.set(program, () => (descriptions ??= read()));
}

/** Returns the driver's descriptions of all kernels in a built program. Omits kernels without argument information. */
export function describeKernels(program: Handle): KernelDescriptions {
  const descriptions: Record<string, readonly KernelArgProperties[]> = {};
  for (const kernel of native.createKernels(program)) {
    try {
      const name = plainName(ask(kernelQueries, "functionName", (param) => native.getInfo(kernel, param)));
      const count = ask(kernelQueries, "numArgs", (param) => native.getInfo(kernel, param));
      descriptions[name] = Array.from({ length: count }, (_, i) => describeArgument(kernel, i));
    } catch {
      // The runtime has no argument information.
    } finally {
      native.recycle(kernel);
    }
  }
  return descriptions;
}

const stored = new WeakMap<Resource, () => KernelDescriptions>();

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
