/** How a kernel can access an argument, according to its declaration. */
import {
  type Kernel,
  KernelArgAccessQualifier,
  KernelArgAddressQualifier,
  KernelArgInfo,
  KernelArgTypeQualifier,
} from "@cl/core";

/** Access of an argument. */
export interface ArgumentUse {
  /** Whether it points to device memory. */
  readonly pointer: boolean;
  /** Whether the kernel may write it. */
  readonly written: boolean;
}

/** Returns how a kernel can access an argument. Without information from the runtime, any access is assumed. */
export function argumentUse(kernel: Kernel, i: number): ArgumentUse {
  try {
    const addressSpace = readUint32(kernel.getArgInfo(i, KernelArgInfo.ADDRESS_QUALIFIER));
    const accessQualifier = readUint32(kernel.getArgInfo(i, KernelArgInfo.ACCESS_QUALIFIER));
    const type = readUint32(kernel.getArgInfo(i, KernelArgInfo.TYPE_QUALIFIER));
    const constant = addressSpace === KernelArgAddressQualifier.CONSTANT;
    const readOnly = constant || (type & KernelArgTypeQualifier.CONST) !== 0;
    return {
      pointer: constant || addressSpace === KernelArgAddressQualifier.GLOBAL,
      written: !readOnly && accessQualifier !== KernelArgAccessQualifier.READ_ONLY,
    };
  } catch {
    return { pointer: (kernel.argTypes[i] ?? "").includes("*"), written: true };
  }
}

/** Reads a 32-bit integer. */
function readUint32(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
}
