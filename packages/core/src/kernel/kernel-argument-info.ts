/**
 * Raw answers to kernel argument queries. Drivers lose this information in programs created from binaries, such as
 * those from the disk cache; the answers then come from the descriptions stored in the cache, in the driver's format.
 */
import { KernelArgInfo } from "../binding/constants.js";
import { driverError, OpenCLError } from "../binding/errors.js";
import type { KernelArgProperties } from "../info/kernel-info.js";
import { type Handle, native } from "../binding/native.js";

/** Returns the driver's answer, or that of `described` if the driver has no argument information. */
export function argumentInfo(
  kernel: Handle,
  index: number,
  param: number,
  described: readonly KernelArgProperties[] | undefined,
): Uint8Array {
  try {
    return native.getArgInfo(kernel, index, param);
  } catch (error) {
    const argument = described?.[index];
    if (argument === undefined || !(error instanceof OpenCLError)) throw error;
    if (error.code !== "CL_KERNEL_ARG_INFO_NOT_AVAILABLE") throw error;
    return encoded(argument, param);
  }
}

function encoded(argument: KernelArgProperties, param: number): Uint8Array {
  switch (param) {
    case KernelArgInfo.NAME:
      return text(argument.name);
    case KernelArgInfo.TYPE_NAME:
      return text(argument.typeName);
    case KernelArgInfo.ADDRESS_QUALIFIER:
      return bytes(Uint32Array.of(argument.addressQualifier));
    case KernelArgInfo.ACCESS_QUALIFIER:
      return bytes(Uint32Array.of(argument.accessQualifier));
    case KernelArgInfo.TYPE_QUALIFIER:
      return bytes(BigUint64Array.of(BigInt(argument.typeQualifier)));
    default:
      throw driverError("clGetKernelArgInfo", -30);
  }
}

/** Returns a null-terminated string. */
function text(value: string): Uint8Array {
  return new TextEncoder().encode(`${value}\0`);
}

function bytes(values: Uint32Array | BigUint64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
