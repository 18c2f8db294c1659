// The device queries of the Intel, Qualcomm and Arm extensions.

import { DeviceInfo } from "../binding/constants.js";
import { bitfield, bool, int32s, size, sizes, uint32, uint32s, uint64 } from "./decode.js";
import { type QueueFamilyIntel, queueFamiliesIntel, version } from "./decode-structs.js";
import { type Queries, query } from "./query.js";

/** Info properties of devices with Intel, Qualcomm and Arm extensions. */
export interface VendorDeviceProperties {
  // Intel
  /** Hardware version. */
  readonly ipVersionIntel: string;
  /** PCI device ID. */
  readonly idIntel: number;
  /** Number of slices. */
  readonly numSlicesIntel: number;
  /** Number of sub-slices per slice. */
  readonly numSubSlicesPerSliceIntel: number;
  /** Number of execution units per sub-slice. */
  readonly numEusPerSubSliceIntel: number;
  /** Number of threads per execution unit. */
  readonly numThreadsPerEuIntel: number;
  /** Instruction features, flags of `DeviceFeatureCapabilitiesIntel`. */
  readonly featureCapabilitiesIntel: number;
  /** Sub-group sizes that a kernel can require. */
  readonly subGroupSizesIntel: readonly number[];
  /** Version of motion estimation. */
  readonly meVersionIntel: number;
  /** Version of device-side motion estimation; 0 if not supported. */
  readonly avcMeVersionIntel: number;
  /** Whether motion-estimation kernels can use samplers. */
  readonly avcMeSupportsTextureSamplerUseIntel: boolean;
  /** Whether motion-estimation kernels can be preempted. */
  readonly avcMeSupportsPreemptionIntel: boolean;
  /** Combinations of APIs that a context can share with, each terminated by 0. */
  readonly simultaneousInteropsIntel: readonly number[];
  /** Number of combinations in `simultaneousInteropsIntel`. */
  readonly numSimultaneousInteropsIntel: number;
  /** Maximum width of a planar YUV image. */
  readonly planarYuvMaxWidthIntel: number;
  /** Maximum height of a planar YUV image. */
  readonly planarYuvMaxHeightIntel: number;
  /** Access to host allocations, flags of `UnifiedSharedMemoryCapabilitiesIntel`. */
  readonly hostMemCapabilitiesIntel: number;
  /** Access to device allocations, flags of `UnifiedSharedMemoryCapabilitiesIntel`. */
  readonly deviceMemCapabilitiesIntel: number;
  /** Access to allocations shared with the host, flags of `UnifiedSharedMemoryCapabilitiesIntel`. */
  readonly singleDeviceSharedMemCapabilitiesIntel: number;
  /** Access to allocations that other devices share with the host, flags of `UnifiedSharedMemoryCapabilitiesIntel`. */
  readonly crossDeviceSharedMemCapabilitiesIntel: number;
  /** Access to any host memory, flags of `UnifiedSharedMemoryCapabilitiesIntel`. */
  readonly sharedSystemMemCapabilitiesIntel: number;
  /** Families of command queues. */
  readonly queueFamilyPropertiesIntel: readonly QueueFamilyIntel[];

  // Qualcomm
  /** Required padding of external host memory, in bytes. */
  readonly extMemPaddingInBytesQcom: number;
  /** Size of a memory page, in bytes. */
  readonly pageSizeQcom: number;

  // Arm
  /** Supported kinds of shared virtual memory, flags of `DeviceSvmCapabilities`. */
  readonly svmCapabilitiesArm: number;
  /** Bit mask of the available compute units. */
  readonly computeUnitsBitfieldArm: number | bigint;
  /** Bit mask of the job slots that a queue can select. */
  readonly jobSlotsArm: number;
  /** Scheduling controls, flags of `DeviceSchedulingControlsCapabilitiesArm`. */
  readonly schedulingControlsCapabilitiesArm: number;
  /** Numbers of registers that a kernel can be compiled for. */
  readonly supportedRegisterAllocationsArm: readonly number[];
  /** Maximum number of warps per compute unit. */
  readonly maxWarpCountArm: number;
  /** Ways in which kernels can terminate themselves, flags of `DeviceControlledTerminationCapabilitiesArm`. */
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
