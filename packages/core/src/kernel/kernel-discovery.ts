/** What can be learned about a kernel's parameters without being told by its user. */
import { KernelArgTypeQualifier } from "../binding/constants.js";
import { OpenCLError } from "../binding/errors.js";
import { type KernelArgProperties, kernelArgQueries } from "../info/kernel-info.js";
import { ask } from "../info/query.js";
import { KernelParameters } from "./kernel-parameters.js";
import { type ParameterType, parameterType, pipeType, unknownType } from "./kernel-type.js";
import { resolveType } from "./resolve-type.js";
import { type Handle, native } from "../binding/native.js";
import { isPocl, plainName, plainType } from "../program/pocl-names.js";
import type { ProgramObject } from "../program/program-object.js";

type Told = Pick<KernelArgProperties, "name" | "typeName" | "addressQualifier" | "typeQualifier">;

/**
 * Asks the runtime for a kernel's parameters. Those that it does not describe are as in `known`, or of unknown type. The program's
 * source, where it is known, tells how names are spelled and what typedefs stand for.
 */
export function discoverParameters(
  kernel: Handle,
  owner: string,
  count: number,
  known: readonly Told[] | undefined,
  { source, types, context }: Pick<ProgramObject, "source" | "types" | "context">,
): KernelParameters {
  const told = Array.from({ length: count }, (_, i) => {
    const one = askRuntime(kernel, i) ?? known?.[i];
    return one && { ...one, name: plainName(one.name, source), typeName: plainType(one.typeName, source) };
  });
  return new KernelParameters(
    owner,
    told.map((one) => {
      if (one === undefined) return unknownType;
      const type = typeOf(one);
      const named = type.kind === "struct" ? { ...type, takesNamedObjects: !isPocl(context.platform) } : type;
      return resolveType(named, (name) => types.resolve(name));
    }),
    told.map((one) => one?.name || undefined),
  );
}

/** A pipe is told by a qualifier; its type is that of the packets. */
function typeOf({ typeName, addressQualifier, typeQualifier }: Told): ParameterType {
  if ((typeQualifier & KernelArgTypeQualifier.PIPE) !== 0) return pipeType(typeName);
  return parameterType(typeName, addressQualifier);
}

function askRuntime(kernel: Handle, i: number): Told | undefined {
  const read = (param: number): Uint8Array => native.getArgInfo(kernel, i, param);
  try {
    return {
      name: ask(kernelArgQueries, "name", read),
      typeName: ask(kernelArgQueries, "typeName", read),
      addressQualifier: ask(kernelArgQueries, "addressQualifier", read),
      typeQualifier: ask(kernelArgQueries, "typeQualifier", read),
    };
  } catch (error) {
    // CL_KERNEL_ARG_INFO_NOT_AVAILABLE for binaries without it, or a runtime before OpenCL 1.2.
    if (error instanceof OpenCLError) return undefined;
    throw error;
  }
}
