// The kernel queries whose answers are plain values: of the kernel, of one argument, and of it on one device.

import { KernelArgInfo, KernelInfo, KernelSubGroupInfo, KernelWorkGroupInfo } from "../binding/constants.js";
import { bitfield, size, sizes, string, uint32 } from "./decode.js";
import { type Queries, query } from "./query.js";

/** What a kernel answers about itself. */
export interface KernelInfoProperties {
  /** Name of its function. */
  readonly functionName: string;
  /** How many arguments it takes. */
  readonly numArgs: number;
  /** References to it, in the driver. */
  readonly referenceCount: number;
  /** Its `__attribute__` qualifiers, with spaces between; empty for a kernel not made from source. */
  readonly attributes: string;
  /** Most warps of it on a compute unit. */
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

/** What a kernel answers about one argument. */
export interface KernelArgProperties {
  /** The argument's name. */
  readonly name: string;
  /** Its type as written, without qualifiers. */
  readonly typeName: string;
  /** Its address space, of `KernelArgAddressQualifier`. */
  readonly addressQualifier: number;
  /** Access to it when it is an image, of `KernelArgAccessQualifier`. */
  readonly accessQualifier: number;
  /** Its type qualifiers, of `KernelArgTypeQualifier`. */
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

/** What a kernel answers about its work-groups on one device. */
export interface KernelWorkGroupProperties {
  /** Most work-items in a work-group of this kernel. */
  readonly workGroupSize: number;
  /** Work-group size that the source requires; zeros when it requires none. */
  readonly compileWorkGroupSize: readonly number[];
  /** Bytes of local memory it uses, arguments included. */
  readonly localMemSize: number;
  /** Number that a work-group's size should be a multiple of. */
  readonly preferredWorkGroupSizeMultiple: number;
  /** Bytes of private memory of a work-item. */
  readonly privateMemSize: number;
  /** Largest index space; only for built-in kernels and custom devices. */
  readonly globalWorkSize: readonly number[];
  /** Bytes of registers that did not fit, for each work-item. */
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

/** What a kernel answers about its sub-groups on one device. */
export interface KernelSubGroupProperties {
  /** Largest sub-group in a work-group of the size asked about. */
  readonly maxSubGroupSizeForNdrange: number;
  /** Sub-groups in a work-group of the size asked about. */
  readonly subGroupCountForNdrange: number;
  /** Work-group size that gives the number of sub-groups asked about; zeros when none does. */
  readonly localSizeForSubGroupCount: readonly number[];
  /** Most sub-groups in a work-group. */
  readonly maxNumSubGroups: number;
  /** Sub-groups that the source requires; 0 when it requires none. */
  readonly compileNumSubGroups: number;
  /** Sub-group size that the source requires; 0 when it requires none. */
  readonly compileSubGroupSizeIntel: number;
}

/** Queries of {@link KernelSubGroupProperties}; the first three are asked with an input. */
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
