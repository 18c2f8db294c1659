/** Discovery of kernel parameters, from the runtime and the program's source. */
import { KernelArgTypeQualifier } from "../binding/constants.js";
import { OpenCLError } from "../binding/errors.js";
import { type KernelArgProperties, kernelArgQueries } from "../info/kernel-info.js";
import { ask } from "../info/query.js";
import { KernelParameters } from "./kernel-parameters.js";
import { type ParameterType, parameterType, pipeType, unknownType } from "./kernel-type.js";
import { resolveType } from "./resolve-type.js";
import { type Handle, native } from "../binding/native.js";
import { isPocl } from "../platform/pocl.js";
import { plainName, plainType } from "../program/pocl-names.js";
import type { ProgramObject } from "../program/program-object.js";

type ReportedArgument = Pick<KernelArgProperties, "name" | "typeName" | "addressQualifier" | "typeQualifier">;

/**
 * Returns a kernel's parameters as reported by the runtime, or else as in `known`, or else of unknown type. The
 * program's source, if available, is used to spell names and resolve typedefs.
 */
export function discoverParameters(
  kernel: Handle,
  owner: string,
  count: number,
  known: readonly ReportedArgument[] | undefined,
  { source, types, context }: Pick<ProgramObject, "source" | "types" | "context">,
): KernelParameters {
  const reported = Array.from({ length: count }, (_, i) => {
    const info = queryRuntime(kernel, i) ?? known?.[i];
    return info && { ...info, name: plainName(info.name, source), typeName: plainType(info.typeName, source) };
  });
  return new KernelParameters(
    owner,
    reported.map((info) => {
      if (info === undefined) return unknownType;
      const type = typeOf(info);
      const named = type.kind === "struct" ? { ...type, acceptsObjectTypedefs: !isPocl(context.platform) } : type;
      return resolveType(named, (name) => types.resolve(name));
    }),
    reported.map((info) => info?.name || undefined),
  );
}

/** Returns a reported type. A pipe is marked by a qualifier; its type name is that of its packets. */
function typeOf({ typeName, addressQualifier, typeQualifier }: ReportedArgument): ParameterType {
  if ((typeQualifier & KernelArgTypeQualifier.PIPE) !== 0) return pipeType(typeName);
  return parameterType(typeName, addressQualifier);
}

function queryRuntime(kernel: Handle, i: number): ReportedArgument | undefined {
  const read = (param: number): Uint8Array => native.getArgInfo(kernel, i, param);
  try {
    return {
      name: ask(kernelArgQueries, "name", read),
      typeName: ask(kernelArgQueries, "typeName", read),
      addressQualifier: ask(kernelArgQueries, "addressQualifier", read),
      typeQualifier: ask(kernelArgQueries, "typeQualifier", read),
    };
  } catch (error) {
    // CL_KERNEL_ARG_INFO_NOT_AVAILABLE, or a runtime before OpenCL 1.2.
    if (error instanceof OpenCLError) return undefined;
    throw error;
  }
}
