// The device queries of the Intel, Qualcomm and Arm extensions.

import { DeviceInfo } from "../binding/constants.js";
import { bitfield, bool, int32s, size, sizes, uint32, uint32s, uint64 } from "./decode.js";
import { type QueueFamilyIntel, queueFamiliesIntel, version } from "./decode-structs.js";
import { type Queries, query } from "./query.js";

/** What devices with Intel, Qualcomm and Arm extensions answer. */
export interface VendorDeviceProperties {
  // Intel
  /** Version of the hardware. */
  readonly ipVersionIntel: string;
  /** PCI device ID. */
  readonly idIntel: number;
  /** Slices of the device. */
  readonly numSlicesIntel: number;
  /** Sub-slices of a slice. */
  readonly numSubSlicesPerSliceIntel: number;
  /** Execution units of a sub-slice. */
  readonly numEusPerSubSliceIntel: number;
  /** Threads of an execution unit. */
  readonly numThreadsPerEuIntel: number;
  /** Instruction features, of `DeviceFeatureCapabilitiesIntel`. */
  readonly featureCapabilitiesIntel: number;
  /** Sub-group sizes that a kernel can require. */
  readonly subGroupSizesIntel: readonly number[];
  /** Version of motion estimation. */
  readonly meVersionIntel: number;
  /** Version of motion estimation in kernels; 0 without. */
  readonly avcMeVersionIntel: number;
  /** Whether such kernels may use samplers. */
  readonly avcMeSupportsTextureSamplerUseIntel: boolean;
  /** Whether such kernels can be preempted. */
  readonly avcMeSupportsPreemptionIntel: boolean;
  /** Combinations of other APIs that one context can share with, each ended by 0. */
  readonly simultaneousInteropsIntel: readonly number[];
  /** How many such combinations there are. */
  readonly numSimultaneousInteropsIntel: number;
  /** Widest planar YUV image. */
  readonly planarYuvMaxWidthIntel: number;
  /** Highest planar YUV image. */
  readonly planarYuvMaxHeightIntel: number;
  /** Access to host allocations, of `UnifiedSharedMemoryCapabilitiesIntel`. */
  readonly hostMemCapabilitiesIntel: number;
  /** Access to device allocations, of `UnifiedSharedMemoryCapabilitiesIntel`. */
  readonly deviceMemCapabilitiesIntel: number;
  /** Access to allocations it shares with the host, of `UnifiedSharedMemoryCapabilitiesIntel`. */
  readonly singleDeviceSharedMemCapabilitiesIntel: number;
  /** Access to allocations other devices share with the host, of `UnifiedSharedMemoryCapabilitiesIntel`. */
  readonly crossDeviceSharedMemCapabilitiesIntel: number;
  /** Access to any host memory, of `UnifiedSharedMemoryCapabilitiesIntel`. */
  readonly sharedSystemMemCapabilitiesIntel: number;
  /** Families of command queues it has. */
  readonly queueFamilyPropertiesIntel: readonly QueueFamilyIntel[];

  // Qualcomm
  /** Padding that memory given by the host needs. */
  readonly extMemPaddingInBytesQcom: number;
  /** Bytes of a memory page. */
  readonly pageSizeQcom: number;

  // Arm
  /** Kinds of shared virtual memory, of `DeviceSvmCapabilities`. */
  readonly svmCapabilitiesArm: number;
  /** The compute units that are present, one bit each. */
  readonly computeUnitsBitfieldArm: number | bigint;
  /** Job slots that a queue can ask for, one bit each. */
  readonly jobSlotsArm: number;
  /** Scheduling controls, of `DeviceSchedulingControlsCapabilitiesArm`. */
  readonly schedulingControlsCapabilitiesArm: number;
  /** Numbers of registers that a kernel can be compiled for. */
  readonly supportedRegisterAllocationsArm: readonly number[];
  /** Most warps on a compute unit. */
  readonly maxWarpCountArm: number;
  /** How kernels may end themselves, of `DeviceControlledTerminationCapabilitiesArm`. */
  readonly controlledTerminationCapabilitiesArm: number;
}

/** Queries of {@link VendorDeviceProperties}. */
export const vendorDeviceQueries: Queries<VendorDeviceProperties> = {
  // Intel
  ipVersionIntel: query(DeviceInfo.IP_VERSION_INTEL, version, "cl_intel_device_attribute_query"),
  idIntel: query(DeviceInfo.ID_INTEL, uint32, "cl_intel_device_attribute_query"),
  numSlicesIntel: query(DeviceInfo.NUM_SLICES_INTEL, uint32, "cl_intel_device_attribute_query"),
  numSubSlicesPerSliceIntel: query(
    DeviceInfo.NUM_SUB_SLICES_PER_SLICE_INTEL,
    uint32,
    "cl_intel_device_attribute_query",
  ),
  numEusPerSubSliceIntel: query(DeviceInfo.NUM_EUS_PER_SUB_SLICE_INTEL, uint32, "cl_intel_device_attribute_query"),
  numThreadsPerEuIntel: query(DeviceInfo.NUM_THREADS_PER_EU_INTEL, uint32, "cl_intel_device_attribute_query"),
  featureCapabilitiesIntel: query(DeviceInfo.FEATURE_CAPABILITIES_INTEL, bitfield, "cl_intel_device_attribute_query"),
  subGroupSizesIntel: query(DeviceInfo.SUB_GROUP_SIZES_INTEL, sizes, "cl_intel_required_subgroup_size"),
  meVersionIntel: query(DeviceInfo.ME_VERSION_INTEL, uint32, "cl_intel_motion_estimation"),
  avcMeVersionIntel: query(DeviceInfo.AVC_ME_VERSION_INTEL, uint32, "cl_intel_device_side_avc_motion_estimation"),
  avcMeSupportsTextureSamplerUseIntel: query(
    DeviceInfo.AVC_ME_SUPPORTS_TEXTURE_SAMPLER_USE_INTEL,
    bool,
    "cl_intel_device_side_avc_motion_estimation",
  ),
  avcMeSupportsPreemptionIntel: query(
    DeviceInfo.AVC_ME_SUPPORTS_PREEMPTION_INTEL,
    bool,
    "cl_intel_device_side_avc_motion_estimation",
  ),
  simultaneousInteropsIntel: query(DeviceInfo.SIMULTANEOUS_INTEROPS_INTEL, uint32s, "cl_intel_simultaneous_sharing"),
  numSimultaneousInteropsIntel: query(
    DeviceInfo.NUM_SIMULTANEOUS_INTEROPS_INTEL,
    uint32,
    "cl_intel_simultaneous_sharing",
  ),
  planarYuvMaxWidthIntel: query(DeviceInfo.PLANAR_YUV_MAX_WIDTH_INTEL, size, "cl_intel_planar_yuv"),
  planarYuvMaxHeightIntel: query(DeviceInfo.PLANAR_YUV_MAX_HEIGHT_INTEL, size, "cl_intel_planar_yuv"),
  hostMemCapabilitiesIntel: query(DeviceInfo.HOST_MEM_CAPABILITIES_INTEL, bitfield, "cl_intel_unified_shared_memory"),
  deviceMemCapabilitiesIntel: query(
    DeviceInfo.DEVICE_MEM_CAPABILITIES_INTEL,
    bitfield,
    "cl_intel_unified_shared_memory",
  ),
  singleDeviceSharedMemCapabilitiesIntel: query(
    DeviceInfo.SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
    bitfield,
    "cl_intel_unified_shared_memory",
  ),
  crossDeviceSharedMemCapabilitiesIntel: query(
    DeviceInfo.CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
    bitfield,
    "cl_intel_unified_shared_memory",
  ),
  sharedSystemMemCapabilitiesIntel: query(
    DeviceInfo.SHARED_SYSTEM_MEM_CAPABILITIES_INTEL,
    bitfield,
    "cl_intel_unified_shared_memory",
  ),
  queueFamilyPropertiesIntel: query(
    DeviceInfo.QUEUE_FAMILY_PROPERTIES_INTEL,
    queueFamiliesIntel,
    "cl_intel_command_queue_families",
  ),

  // Qualcomm
  extMemPaddingInBytesQcom: query(DeviceInfo.EXT_MEM_PADDING_IN_BYTES_QCOM, size, "cl_qcom_ext_host_ptr"),
  pageSizeQcom: query(DeviceInfo.PAGE_SIZE_QCOM, size, "cl_qcom_ext_host_ptr"),

  // Arm
  svmCapabilitiesArm: query(DeviceInfo.SVM_CAPABILITIES_ARM, bitfield, "cl_arm_shared_virtual_memory"),
  computeUnitsBitfieldArm: query(DeviceInfo.COMPUTE_UNITS_BITFIELD_ARM, uint64, "cl_arm_get_core_id"),
  jobSlotsArm: query(DeviceInfo.JOB_SLOTS_ARM, uint32, "cl_arm_job_slot_selection"),
  schedulingControlsCapabilitiesArm: query(
    DeviceInfo.SCHEDULING_CONTROLS_CAPABILITIES_ARM,
    bitfield,
    "cl_arm_scheduling_controls",
  ),
  supportedRegisterAllocationsArm: query(
    DeviceInfo.SUPPORTED_REGISTER_ALLOCATIONS_ARM,
    int32s,
    "cl_arm_scheduling_controls",
  ),
  maxWarpCountArm: query(DeviceInfo.MAX_WARP_COUNT_ARM, uint32, "cl_arm_scheduling_controls"),
  controlledTerminationCapabilitiesArm: query(
    DeviceInfo.CONTROLLED_TERMINATION_CAPABILITIES_ARM,
    bitfield,
    "cl_arm_controlled_kernel_termination",
  ),
};
