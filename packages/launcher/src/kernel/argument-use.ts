/** What a kernel can do with an argument, as far as its declaration tells. */
import {
  type Kernel,
  KernelArgAccessQualifier,
  KernelArgAddressQualifier,
  KernelArgInfo,
  KernelArgTypeQualifier,
} from "@cl/core";

/** What is known of an argument. */
export interface ArgumentUse {
  /** True if it points to memory of the device. */
  readonly pointer: boolean;
  /** False if the kernel can only read what it gets. */
  readonly written: boolean;
}

/** What a kernel can do with its argument; where the runtime does not tell, it can do anything. */
export function argumentUse(kernel: Kernel, i: number): ArgumentUse {
  try {
    const space = word(kernel.getArgInfo(i, KernelArgInfo.ADDRESS_QUALIFIER));
    const access = word(kernel.getArgInfo(i, KernelArgInfo.ACCESS_QUALIFIER));
    const type = word(kernel.getArgInfo(i, KernelArgInfo.TYPE_QUALIFIER));
    const constant = space === KernelArgAddressQualifier.CONSTANT;
    const reads = constant || (type & KernelArgTypeQualifier.CONST) !== 0;
    return {
      pointer: constant || space === KernelArgAddressQualifier.GLOBAL,
      written: !reads && access !== KernelArgAccessQualifier.READ_ONLY,
    };
  } catch {
    return { pointer: (kernel.argTypes[i] ?? "").includes("*"), written: true };
  }
}

/** The lowest 32 bits. */
function word(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
}
