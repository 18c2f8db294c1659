// The device queries of the Khronos, NVIDIA and AMD extensions.

import { DeviceInfo } from "../binding/constants.js";
import { bitfield, bool, size, sizes, string, time, uint32, uint32s, words } from "./decode.js";
import {
  type DotProductAcceleration,
  type PciBusInfo,
  type TopologyAmd,
  dotProductAcceleration,
  luid,
  pciBusInfo,
  topologyAmd,
  uuid,
  version,
} from "./decode-structs.js";
import { type Queries, query } from "./query.js";

/** What devices with Khronos, NVIDIA and AMD extensions answer. */
export interface ExtensionDeviceProperties {
  // Khronos
  /** What `half` arithmetic can do, of `DeviceFpConfig`. */
  readonly halfFpConfig: number;
  /** Newest OpenCL C version its compiler takes. */
  readonly openclCNumericVersionKhr: string;
  /** SPIR versions it takes. */
  readonly spirVersions: readonly string[];
  /** Whether its contexts can be terminated. */
  readonly terminateCapabilityKhr: number;
  /** Most named barriers in a work-group. */
  readonly maxNamedBarrierCountKhr: number;
  /** Identifies the device, in other APIs too. */
  readonly uuidKhr: string;
  /** Identifies the driver build, in other APIs too. */
  readonly driverUuidKhr: string;
  /** Whether `luidKhr` and `nodeMaskKhr` mean something. */
  readonly luidValidKhr: boolean;
  /** Identifies the device to DirectX until the machine restarts. */
  readonly luidKhr: string;
  /** The node within a linked adapter, as one bit. */
  readonly nodeMaskKhr: number;
  /** Where it sits on the PCI bus. */
  readonly pciBusInfoKhr: PciBusInfo;
  /** Input forms of dot products, of `DeviceIntegerDotProductCapabilities`. */
  readonly integerDotProductCapabilitiesKhr: number;
  /** Dot products of 8-bit vectors that run in hardware. */
  readonly integerDotProductAccelerationProperties8bitKhr: DotProductAcceleration;
  /** Dot products of packed bytes that run in hardware. */
  readonly integerDotProductAccelerationProperties4x8bitPackedKhr: DotProductAcceleration;
  /** What its command buffers can hold, of `CommandBufferCapabilities`. */
  readonly commandBufferCapabilitiesKhr: number;
  /** Modes a queue must have to record, of `CommandQueueProperties`. */
  readonly commandBufferRequiredQueuePropertiesKhr: number;
  /** What may change in a recorded kernel, of `MutableDispatchFields`. */
  readonly mutableDispatchCapabilitiesKhr: number;
  /** Handles it imports memory from, of `ExternalMemoryHandleType`. */
  readonly externalMemoryImportHandleTypesKhr: readonly number[];
  /** Kinds of semaphore it has, of `SemaphoreType`. */
  readonly semaphoreTypesKhr: readonly number[];
  /** Handles it imports semaphores from, of `ExternalSemaphoreHandleType`. */
  readonly semaphoreImportHandleTypesKhr: readonly number[];
  /** Handles it exports semaphores to, of `ExternalSemaphoreHandleType`. */
  readonly semaphoreExportHandleTypesKhr: readonly number[];
  /** Newest C++ for OpenCL that its compiler takes. */
  readonly cxxForOpenclNumericVersionExt: string;

  // NVIDIA
  /** Compute capability, before the point. */
  readonly computeCapabilityMajorNv: number;
  /** Compute capability, after the point. */
  readonly computeCapabilityMinorNv: number;
  /** 32-bit registers of a work-group. */
  readonly registersPerBlockNv: number;
  /** Work-items that run in lockstep. */
  readonly warpSizeNv: number;
  /** Whether copies and kernels overlap. */
  readonly gpuOverlapNv: boolean;
  /** Whether kernels that run too long are ended. */
  readonly kernelExecTimeoutNv: boolean;
  /** Whether it shares the host's memory. */
  readonly integratedMemoryNv: boolean;
  /** Copies that can run at once beside a kernel. */
  readonly attributeAsyncEngineCountNv: number;
  /** PCI bus. */
  readonly pciBusIdNv: number;
  /** PCI slot: five bits of device, three of function. */
  readonly pciSlotIdNv: number;
  /** PCI domain. */
  readonly pciDomainIdNv: number;

  // AMD
  /** What to add to profiling times for the host's clock, in nanoseconds. */
  readonly profilingTimerOffsetAmd: bigint;
  /** Where it sits on the PCI bus. */
  readonly topologyAmd: TopologyAmd;
  /** Name of the board, where `name` is the chip's. */
  readonly boardNameAmd: string;
  /** Free global memory and the largest free block, in KiB. */
  readonly globalFreeMemoryAmd: readonly number[];
  /** SIMD units of a compute unit. */
  readonly simdPerComputeUnitAmd: number;
  /** Lanes of a SIMD unit. */
  readonly simdWidthAmd: number;
  /** Instructions that a SIMD unit issues at once. */
  readonly simdInstructionWidthAmd: number;
  /** Work-items that run in lockstep. */
  readonly wavefrontWidthAmd: number;
  /** Channels of global memory. */
  readonly globalMemChannelsAmd: number;
  /** Banks of such a channel. */
  readonly globalMemChannelBanksAmd: number;
  /** Bytes of such a bank's width. */
  readonly globalMemChannelBankWidthAmd: number;
  /** Bytes of local memory of a compute unit. */
  readonly localMemSizePerComputeUnitAmd: number;
  /** Banks of local memory. */
  readonly localMemBanksAmd: number;
  /** Whether it can trace threads. */
  readonly threadTraceSupportedAmd: boolean;
  /** Generation of the graphics core. */
  readonly gfxipMajorAmd: number;
  /** Revision of the graphics core. */
  readonly gfxipMinorAmd: number;
  /** Queues that run at once. */
  readonly availableAsyncQueuesAmd: number;
  /** Preferred work-items in a work-group. */
  readonly preferredWorkGroupSizeAmd: number;
  /** Most work-items in a work-group that its kernels may ask for. */
  readonly maxWorkGroupSizeAmd: number;
  /** Preferred bytes of `__constant` arguments. */
  readonly preferredConstantBufferSizeAmd: number;
  /** PCI device ID. */
  readonly pcieIdAmd: number;
  /** Most atomic counters of one kernel. */
  readonly maxAtomicCountersExt: number;
}

/** Queries of {@link ExtensionDeviceProperties}. */
export const extensionDeviceQueries: Queries<ExtensionDeviceProperties> = {
  // Khronos
  halfFpConfig: query(DeviceInfo.HALF_FP_CONFIG, bitfield, "cl_khr_fp16"),
  openclCNumericVersionKhr: query(DeviceInfo.OPENCL_C_NUMERIC_VERSION_KHR, version, "cl_khr_extended_versioning"),
  spirVersions: query(DeviceInfo.SPIR_VERSIONS, words, "cl_khr_spir"),
  terminateCapabilityKhr: query(DeviceInfo.TERMINATE_CAPABILITY_KHR, bitfield, "cl_khr_terminate_context"),
  maxNamedBarrierCountKhr: query(DeviceInfo.MAX_NAMED_BARRIER_COUNT_KHR, uint32, "cl_khr_subgroup_named_barrier"),
  uuidKhr: query(DeviceInfo.UUID_KHR, uuid, "cl_khr_device_uuid"),
  driverUuidKhr: query(DeviceInfo.DRIVER_UUID_KHR, uuid, "cl_khr_device_uuid"),
  luidValidKhr: query(DeviceInfo.LUID_VALID_KHR, bool, "cl_khr_device_uuid"),
  luidKhr: query(DeviceInfo.LUID_KHR, luid, "cl_khr_device_uuid"),
  nodeMaskKhr: query(DeviceInfo.NODE_MASK_KHR, uint32, "cl_khr_device_uuid"),
  pciBusInfoKhr: query(DeviceInfo.PCI_BUS_INFO_KHR, pciBusInfo, "cl_khr_pci_bus_info"),
  integerDotProductCapabilitiesKhr: query(
    DeviceInfo.INTEGER_DOT_PRODUCT_CAPABILITIES_KHR,
    bitfield,
    "cl_khr_integer_dot_product",
  ),
  integerDotProductAccelerationProperties8bitKhr: query(
    DeviceInfo.INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
    dotProductAcceleration,
    "cl_khr_integer_dot_product",
  ),
  integerDotProductAccelerationProperties4x8bitPackedKhr: query(
    DeviceInfo.INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR,
    dotProductAcceleration,
    "cl_khr_integer_dot_product",
  ),
  commandBufferCapabilitiesKhr: query(DeviceInfo.COMMAND_BUFFER_CAPABILITIES_KHR, bitfield, "cl_khr_command_buffer"),
  commandBufferRequiredQueuePropertiesKhr: query(
    DeviceInfo.COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR,
    bitfield,
    "cl_khr_command_buffer",
  ),
  mutableDispatchCapabilitiesKhr: query(
    DeviceInfo.MUTABLE_DISPATCH_CAPABILITIES_KHR,
    bitfield,
    "cl_khr_command_buffer_mutable_dispatch",
  ),
  externalMemoryImportHandleTypesKhr: query(
    DeviceInfo.EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
    uint32s,
    "cl_khr_external_memory",
  ),
  semaphoreTypesKhr: query(DeviceInfo.SEMAPHORE_TYPES_KHR, uint32s, "cl_khr_semaphore"),
  semaphoreImportHandleTypesKhr: query(
    DeviceInfo.SEMAPHORE_IMPORT_HANDLE_TYPES_KHR,
    uint32s,
    "cl_khr_external_semaphore",
  ),
  semaphoreExportHandleTypesKhr: query(
    DeviceInfo.SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
    uint32s,
    "cl_khr_external_semaphore",
  ),
  cxxForOpenclNumericVersionExt: query(DeviceInfo.CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, version, "cl_ext_cxx_for_opencl"),

  // NVIDIA
  computeCapabilityMajorNv: query(DeviceInfo.COMPUTE_CAPABILITY_MAJOR_NV, uint32, "cl_nv_device_attribute_query"),
  computeCapabilityMinorNv: query(DeviceInfo.COMPUTE_CAPABILITY_MINOR_NV, uint32, "cl_nv_device_attribute_query"),
  registersPerBlockNv: query(DeviceInfo.REGISTERS_PER_BLOCK_NV, uint32, "cl_nv_device_attribute_query"),
  warpSizeNv: query(DeviceInfo.WARP_SIZE_NV, uint32, "cl_nv_device_attribute_query"),
  gpuOverlapNv: query(DeviceInfo.GPU_OVERLAP_NV, bool, "cl_nv_device_attribute_query"),
  kernelExecTimeoutNv: query(DeviceInfo.KERNEL_EXEC_TIMEOUT_NV, bool, "cl_nv_device_attribute_query"),
  integratedMemoryNv: query(DeviceInfo.INTEGRATED_MEMORY_NV, bool, "cl_nv_device_attribute_query"),
  attributeAsyncEngineCountNv: query(
    DeviceInfo.ATTRIBUTE_ASYNC_ENGINE_COUNT_NV,
    uint32,
    "cl_nv_device_attribute_query",
  ),
  pciBusIdNv: query(DeviceInfo.PCI_BUS_ID_NV, uint32, "cl_nv_device_attribute_query"),
  pciSlotIdNv: query(DeviceInfo.PCI_SLOT_ID_NV, uint32, "cl_nv_device_attribute_query"),
  pciDomainIdNv: query(DeviceInfo.PCI_DOMAIN_ID_NV, uint32, "cl_nv_device_attribute_query"),

  // AMD
  profilingTimerOffsetAmd: query(DeviceInfo.PROFILING_TIMER_OFFSET_AMD, time, "cl_amd_device_attribute_query"),
  topologyAmd: query(DeviceInfo.TOPOLOGY_AMD, topologyAmd, "cl_amd_device_attribute_query"),
  boardNameAmd: query(DeviceInfo.BOARD_NAME_AMD, string, "cl_amd_device_attribute_query"),
  globalFreeMemoryAmd: query(DeviceInfo.GLOBAL_FREE_MEMORY_AMD, sizes, "cl_amd_device_attribute_query"),
  simdPerComputeUnitAmd: query(DeviceInfo.SIMD_PER_COMPUTE_UNIT_AMD, uint32, "cl_amd_device_attribute_query"),
  simdWidthAmd: query(DeviceInfo.SIMD_WIDTH_AMD, uint32, "cl_amd_device_attribute_query"),
  simdInstructionWidthAmd: query(DeviceInfo.SIMD_INSTRUCTION_WIDTH_AMD, uint32, "cl_amd_device_attribute_query"),
  wavefrontWidthAmd: query(DeviceInfo.WAVEFRONT_WIDTH_AMD, uint32, "cl_amd_device_attribute_query"),
  globalMemChannelsAmd: query(DeviceInfo.GLOBAL_MEM_CHANNELS_AMD, uint32, "cl_amd_device_attribute_query"),
  globalMemChannelBanksAmd: query(DeviceInfo.GLOBAL_MEM_CHANNEL_BANKS_AMD, uint32, "cl_amd_device_attribute_query"),
  globalMemChannelBankWidthAmd: query(
    DeviceInfo.GLOBAL_MEM_CHANNEL_BANK_WIDTH_AMD,
    uint32,
    "cl_amd_device_attribute_query",
  ),
  localMemSizePerComputeUnitAmd: query(
    DeviceInfo.LOCAL_MEM_SIZE_PER_COMPUTE_UNIT_AMD,
    uint32,
    "cl_amd_device_attribute_query",
  ),
  localMemBanksAmd: query(DeviceInfo.LOCAL_MEM_BANKS_AMD, uint32, "cl_amd_device_attribute_query"),
  threadTraceSupportedAmd: query(DeviceInfo.THREAD_TRACE_SUPPORTED_AMD, bool, "cl_amd_device_attribute_query"),
  gfxipMajorAmd: query(DeviceInfo.GFXIP_MAJOR_AMD, uint32, "cl_amd_device_attribute_query"),
  gfxipMinorAmd: query(DeviceInfo.GFXIP_MINOR_AMD, uint32, "cl_amd_device_attribute_query"),
  availableAsyncQueuesAmd: query(DeviceInfo.AVAILABLE_ASYNC_QUEUES_AMD, uint32, "cl_amd_device_attribute_query"),
  preferredWorkGroupSizeAmd: query(DeviceInfo.PREFERRED_WORK_GROUP_SIZE_AMD, size, "cl_amd_device_attribute_query"),
  maxWorkGroupSizeAmd: query(DeviceInfo.MAX_WORK_GROUP_SIZE_AMD, size, "cl_amd_device_attribute_query"),
  preferredConstantBufferSizeAmd: query(
    DeviceInfo.PREFERRED_CONSTANT_BUFFER_SIZE_AMD,
    size,
    "cl_amd_device_attribute_query",
  ),
  pcieIdAmd: query(DeviceInfo.PCIE_ID_AMD, uint32, "cl_amd_device_attribute_query"),
  maxAtomicCountersExt: query(DeviceInfo.MAX_ATOMIC_COUNTERS_EXT, uint32, "cl_ext_atomic_counters_32"),
};
