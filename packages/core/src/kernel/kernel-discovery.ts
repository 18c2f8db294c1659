/** What can be learned about a kernel's parameters without being told by its user. */
import { KernelArgTypeQualifier } from "../constants.js";
import { OpenCLError } from "../errors.js";
import { type KernelArgProperties, kernelArgQueries } from "../info/kernel-info.js";
import { ask } from "../info/query.js";
import { KernelParameters } from "./kernel-parameters.js";
import { type ParameterType, parameterType, pipeType, unknownType } from "./kernel-type.js";
import { type Handle, native } from "../binding/native.js";
import { plainName, plainType } from "../program/pocl-names.js";

type Told = Pick<KernelArgProperties, "name" | "typeName" | "addressQualifier" | "typeQualifier">;

/**
 * Asks the runtime for a kernel's parameters. Those that it does not describe are as in `known`, or of unknown type. `source`
 * is the program's text, whose spelling of names wins over the runtime's.
 */
export function discoverParameters(
  kernel: Handle,
  owner: string,
  count: number,
  known: readonly Told[] | undefined,
  source: string | undefined,
): KernelParameters {
  const told = Array.from({ length: count }, (_, i) => {
    const one = askRuntime(kernel, i) ?? known?.[i];
    return one && { ...one, name: plainName(one.name, source), typeName: plainType(one.typeName, source) };
  });
  return new KernelParameters(
    owner,
    told.map((one) => (one === undefined ? unknownType : typeOf(one))),
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
