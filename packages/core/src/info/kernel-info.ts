// Kernel queries with plain values: of a kernel, of an argument, and of a kernel on a device.

import { KernelArgInfo, KernelInfo, KernelSubGroupInfo, KernelWorkGroupInfo } from "../binding/constants.js";
import { bitfield, size, sizes, string, uint32 } from "./decode.js";
import { type Queries, query } from "./query.js";

/** Info properties of a kernel. */
export interface KernelInfoProperties {
  /** Name of the kernel function. */
  readonly functionName: string;
  /** Number of arguments. */
  readonly numArgs: number;
  /** The driver's reference count. */
  readonly referenceCount: number;
  /** The `__attribute__` qualifiers, separated by spaces; empty for a kernel that was not built from source. */
  readonly attributes: string;
  /** Maximum number of warps of this kernel per compute unit. */
  readonly maxWarpCountArm: number;
}

/** Queries of {@link KernelInfoProperties}. */
export const kernelQueries: Queries<KernelInfoProperties> = {
  functionName: query(KernelInfo.FUNCTION_NAME, string),
  numArgs: query(KernelInfo.NUM_ARGS, uint32),
  referenceCount: query(KernelInfo.REFERENCE_COUNT, uint32),
  attributes: query(KernelInfo.ATTRIBUTES, string, "1.2"),
  maxWarpCountArm: query(KernelInfo.MAX_WARP_COUNT_ARM, uint32, "cl_arm_scheduling_controls"),
};

/** Info properties of a kernel argument. */
export interface KernelArgProperties {
  /** Name of the argument. */
  readonly name: string;
  /** Type name in the source, without qualifiers. */
  readonly typeName: string;
  /** Address space, a value of `KernelArgAddressQualifier`. */
  readonly addressQualifier: number;
  /** Access qualifier of an image argument, a value of `KernelArgAccessQualifier`. */
  readonly accessQualifier: number;
  /** Type qualifiers, flags of `KernelArgTypeQualifier`. */
  readonly typeQualifier: number;
}

/** Queries of {@link KernelArgProperties}. */
export const kernelArgQueries: Queries<KernelArgProperties> = {
  name: query(KernelArgInfo.NAME, string, "1.2"),
  typeName: query(KernelArgInfo.TYPE_NAME, string, "1.2"),
  addressQualifier: query(KernelArgInfo.ADDRESS_QUALIFIER, uint32, "1.2"),
  accessQualifier: query(KernelArgInfo.ACCESS_QUALIFIER, uint32, "1.2"),
  typeQualifier: query(KernelArgInfo.TYPE_QUALIFIER, bitfield, "1.2"),
};

/** Info properties of a kernel's work-groups on a device. */
export interface KernelWorkGroupProperties {
  /** Maximum number of work-items in a work-group of this kernel. */
  readonly workGroupSize: number;
  /** Work-group size required by the source; zeros if none is required. */
  readonly compileWorkGroupSize: readonly number[];
  /** Size of the local memory that the kernel uses, including arguments, in bytes. */
  readonly localMemSize: number;
  /** Preferred multiple of the work-group size. */
  readonly preferredWorkGroupSizeMultiple: number;
  /** Size of the private memory per work-item, in bytes. */
  readonly privateMemSize: number;
  /** Maximum global size; only for built-in kernels and custom devices. */
  readonly globalWorkSize: readonly number[];
  /** Size of spilled registers per work-item, in bytes. */
  readonly spillMemSizeIntel: number;
}

/** Queries of {@link KernelWorkGroupProperties}. */
export const kernelWorkGroupQueries: Queries<KernelWorkGroupProperties> = {
  workGroupSize: query(KernelWorkGroupInfo.WORK_GROUP_SIZE, size),
  compileWorkGroupSize: query(KernelWorkGroupInfo.COMPILE_WORK_GROUP_SIZE, sizes),
  localMemSize: query(KernelWorkGroupInfo.LOCAL_MEM_SIZE, size),
  preferredWorkGroupSizeMultiple: query(KernelWorkGroupInfo.PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size, "1.1"),
  privateMemSize: query(KernelWorkGroupInfo.PRIVATE_MEM_SIZE, size, "1.1"),
  globalWorkSize: query(KernelWorkGroupInfo.GLOBAL_WORK_SIZE, sizes, "1.2"),
  spillMemSizeIntel: query(KernelWorkGroupInfo.SPILL_MEM_SIZE_INTEL, size, "cl_intel_required_subgroup_size"),
};

/** Info properties of a kernel's sub-groups on a device. */
export interface KernelSubGroupProperties {
  /** Maximum sub-group size for a given work-group size. */
  readonly maxSubGroupSizeForNdrange: number;
  /** Number of sub-groups for a given work-group size. */
  readonly subGroupCountForNdrange: number;
  /** Work-group size for a given number of sub-groups; zeros if that number is not possible. */
  readonly localSizeForSubGroupCount: readonly number[];
  /** Maximum number of sub-groups in a work-group. */
  readonly maxNumSubGroups: number;
  /** Number of sub-groups required by the source; 0 if none is required. */
  readonly compileNumSubGroups: number;
  /** Sub-group size required by the source; 0 if none is required. */
  readonly compileSubGroupSizeIntel: number;
}

/** Queries of {@link KernelSubGroupProperties}. The first three take an input. */
export const kernelSubGroupQueries: Queries<KernelSubGroupProperties> = {
  maxSubGroupSizeForNdrange: query(KernelSubGroupInfo.MAX_SUB_GROUP_SIZE_FOR_NDRANGE, size, "2.1"),
  subGroupCountForNdrange: query(KernelSubGroupInfo.SUB_GROUP_COUNT_FOR_NDRANGE, size, "2.1"),
  localSizeForSubGroupCount: query(KernelSubGroupInfo.LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizes, "2.1"),
  maxNumSubGroups: query(KernelSubGroupInfo.MAX_NUM_SUB_GROUPS, size, "2.1"),
  compileNumSubGroups: query(KernelSubGroupInfo.COMPILE_NUM_SUB_GROUPS, size, "2.1"),
  compileSubGroupSizeIntel: query(
    KernelSubGroupInfo.COMPILE_SUB_GROUP_SIZE_INTEL,
    size,
    "cl_intel_required_subgroup_size",
  ),
};
