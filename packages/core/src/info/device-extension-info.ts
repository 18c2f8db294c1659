// The device queries of the Khronos, NVIDIA and AMD extensions.

import { DeviceInfo } from "../binding/constants.js";
import { bitfield, bool, size, sizes, string, time, uint32, uint32s, spaceList } from "./decode.js";
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

/** Info properties of devices with Khronos, NVIDIA and AMD extensions. */
export interface ExtensionDeviceProperties {
  // Khronos
  /** Capabilities of `half` arithmetic, flags of `DeviceFpConfig`. */
  readonly halfFpConfig: number;
  /** Latest OpenCL C version that the compiler supports. */
  readonly openclCNumericVersionKhr: string;
  /** Supported SPIR versions. */
  readonly spirVersions: readonly string[];
  /** Whether contexts can be terminated. */
  readonly terminateCapabilityKhr: number;
  /** Maximum number of named barriers in a work-group. */
  readonly maxNamedBarrierCountKhr: number;
  /** UUID of the device, the same in other APIs. */
  readonly uuidKhr: string;
  /** UUID of the driver build, the same in other APIs. */
  readonly driverUuidKhr: string;
  /** Whether `luidKhr` and `nodeMaskKhr` are valid. */
  readonly luidValidKhr: boolean;
  /** Locally unique identifier of the device for DirectX, valid until reboot. */
  readonly luidKhr: string;
  /** Node within a linked adapter, as a bit mask with one bit set. */
  readonly nodeMaskKhr: number;
  /** Location on the PCI bus. */
  readonly pciBusInfoKhr: PciBusInfo;
  /** Input forms of dot products, flags of `DeviceIntegerDotProductCapabilities`. */
  readonly integerDotProductCapabilitiesKhr: number;
  /** Hardware-accelerated dot products of 8-bit vectors. */
  readonly integerDotProductAccelerationProperties8bitKhr: DotProductAcceleration;
  /** Hardware-accelerated dot products of packed bytes. */
  readonly integerDotProductAccelerationProperties4x8bitPackedKhr: DotProductAcceleration;
  /** Capabilities of command buffers, flags of `CommandBufferCapabilities`. */
  readonly commandBufferCapabilitiesKhr: number;
  /** Queue modes required for recording, flags of `CommandQueueProperties`. */
  readonly commandBufferRequiredQueuePropertiesKhr: number;
  /** Parts of a recorded kernel that can be updated, flags of `MutableDispatchFields`. */
  readonly mutableDispatchCapabilitiesKhr: number;
  /** Handle types from which memory can be imported, values of `ExternalMemoryHandleType`. */
  readonly externalMemoryImportHandleTypesKhr: readonly number[];
  /** Supported kinds of semaphore, values of `SemaphoreType`. */
  readonly semaphoreTypesKhr: readonly number[];
  /** Handle types from which semaphores can be imported, values of `ExternalSemaphoreHandleType`. */
  readonly semaphoreImportHandleTypesKhr: readonly number[];
  /** Handle types to which semaphores can be exported, values of `ExternalSemaphoreHandleType`. */
  readonly semaphoreExportHandleTypesKhr: readonly number[];
  /** Latest version of C++ for OpenCL that the compiler supports. */
  readonly cxxForOpenclNumericVersionExt: string;

  // NVIDIA
  /** Major version of the compute capability. */
  readonly computeCapabilityMajorNv: number;
  /** Minor version of the compute capability. */
  readonly computeCapabilityMinorNv: number;
  /** Number of 32-bit registers per work-group. */
  readonly registersPerBlockNv: number;
  /** Number of work-items that run in lockstep. */
  readonly warpSizeNv: number;
  /** Whether copies and kernels can overlap. */
  readonly gpuOverlapNv: boolean;
  /** Whether kernels that exceed a time limit are terminated. */
  readonly kernelExecTimeoutNv: boolean;
  /** Whether the device shares memory with the host. */
  readonly integratedMemoryNv: boolean;
  /** Number of copies that can run concurrently with a kernel. */
  readonly attributeAsyncEngineCountNv: number;
  /** PCI bus number. */
  readonly pciBusIdNv: number;
  /** PCI slot: five bits for the device, three for the function. */
  readonly pciSlotIdNv: number;
  /** PCI domain number. */
  readonly pciDomainIdNv: number;

  // AMD
  /** Offset to add to profiling times to get host times, in nanoseconds. */
  readonly profilingTimerOffsetAmd: bigint;
  /** Location on the PCI bus. */
  readonly topologyAmd: TopologyAmd;
  /** Name of the board; `name` is that of the chip. */
  readonly boardNameAmd: string;
  /** Size of free global memory and of the largest free block, in KiB. */
  readonly globalFreeMemoryAmd: readonly number[];
  /** Number of SIMD units per compute unit. */
  readonly simdPerComputeUnitAmd: number;
  /** Number of lanes per SIMD unit. */
  readonly simdWidthAmd: number;
  /** Number of instructions that a SIMD unit issues simultaneously. */
  readonly simdInstructionWidthAmd: number;
  /** Number of work-items that run in lockstep. */
  readonly wavefrontWidthAmd: number;
  /** Number of global memory channels. */
  readonly globalMemChannelsAmd: number;
  /** Number of banks per global memory channel. */
  readonly globalMemChannelBanksAmd: number;
  /** Width of a global memory bank, in bytes. */
  readonly globalMemChannelBankWidthAmd: number;
  /** Size of local memory per compute unit, in bytes. */
  readonly localMemSizePerComputeUnitAmd: number;
  /** Number of local memory banks. */
  readonly localMemBanksAmd: number;
  /** Whether thread tracing is supported. */
  readonly threadTraceSupportedAmd: boolean;
  /** Major version of the graphics core. */
  readonly gfxipMajorAmd: number;
  /** Minor version of the graphics core. */
  readonly gfxipMinorAmd: number;
  /** Number of queues that can run concurrently. */
  readonly availableAsyncQueuesAmd: number;
  /** Preferred number of work-items in a work-group. */
  readonly preferredWorkGroupSizeAmd: number;
  /** Maximum number of work-items that a kernel can request for a work-group. */
  readonly maxWorkGroupSizeAmd: number;
  /** Preferred size of `__constant` arguments, in bytes. */
  readonly preferredConstantBufferSizeAmd: number;
  /** PCI device ID. */
  readonly pcieIdAmd: number;
  /** Maximum number of atomic counters of a kernel. */
  readonly maxAtomicCountersExt: number;
}

const nvidia = "cl_nv_device_attribute_query";
const amd = "cl_amd_device_attribute_query";
const dotProduct = "cl_khr_integer_dot_product";
const externalSemaphore = "cl_khr_external_semaphore";

/** Queries of {@link ExtensionDeviceProperties}. */
export const extensionDeviceQueries: Queries<ExtensionDeviceProperties> = {
  // Khronos
  halfFpConfig: query(DeviceInfo.HALF_FP_CONFIG, bitfield, "cl_khr_fp16"),
  openclCNumericVersionKhr: query(DeviceInfo.OPENCL_C_NUMERIC_VERSION_KHR, version, "cl_khr_extended_versioning"),
  spirVersions: query(DeviceInfo.SPIR_VERSIONS, spaceList, "cl_khr_spir"),
  terminateCapabilityKhr: query(DeviceInfo.TERMINATE_CAPABILITY_KHR, bitfield, "cl_khr_terminate_context"),
  maxNamedBarrierCountKhr: query(DeviceInfo.MAX_NAMED_BARRIER_COUNT_KHR, uint32, "cl_khr_subgroup_named_barrier"),
  uuidKhr: query(DeviceInfo.UUID_KHR, uuid, "cl_khr_device_uuid"),
  driverUuidKhr: query(DeviceInfo.DRIVER_UUID_KHR, uuid, "cl_khr_device_uuid"),
  luidValidKhr: query(DeviceInfo.LUID_VALID_KHR, bool, "cl_khr_device_uuid"),
  luidKhr: query(DeviceInfo.LUID_KHR, luid, "cl_khr_device_uuid"),
  nodeMaskKhr: query(DeviceInfo.NODE_MASK_KHR, uint32, "cl_khr_device_uuid"),
  pciBusInfoKhr: query(DeviceInfo.PCI_BUS_INFO_KHR, pciBusInfo, "cl_khr_pci_bus_info"),
  integerDotProductCapabilitiesKhr: query(DeviceInfo.INTEGER_DOT_PRODUCT_CAPABILITIES_KHR, bitfield, dotProduct),
  integerDotProductAccelerationProperties8bitKhr: query(
    DeviceInfo.INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
    dotProductAcceleration,
    dotProduct,
  ),
  integerDotProductAccelerationProperties4x8bitPackedKhr: query(
    DeviceInfo.INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR,
    dotProductAcceleration,
    dotProduct,
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
  semaphoreImportHandleTypesKhr: query(DeviceInfo.SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, uint32s, externalSemaphore),
  semaphoreExportHandleTypesKhr: query(DeviceInfo.SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, uint32s, externalSemaphore),
  cxxForOpenclNumericVersionExt: query(DeviceInfo.CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, version, "cl_ext_cxx_for_opencl"),

  // NVIDIA
  computeCapabilityMajorNv: query(DeviceInfo.COMPUTE_CAPABILITY_MAJOR_NV, uint32, nvidia),
  computeCapabilityMinorNv: query(DeviceInfo.COMPUTE_CAPABILITY_MINOR_NV, uint32, nvidia),
  registersPerBlockNv: query(DeviceInfo.REGISTERS_PER_BLOCK_NV, uint32, nvidia),
  warpSizeNv: query(DeviceInfo.WARP_SIZE_NV, uint32, nvidia),
  gpuOverlapNv: query(DeviceInfo.GPU_OVERLAP_NV, bool, nvidia),
  kernelExecTimeoutNv: query(DeviceInfo.KERNEL_EXEC_TIMEOUT_NV, bool, nvidia),
  integratedMemoryNv: query(DeviceInfo.INTEGRATED_MEMORY_NV, bool, nvidia),
  attributeAsyncEngineCountNv: query(DeviceInfo.ATTRIBUTE_ASYNC_ENGINE_COUNT_NV, uint32, nvidia),
  pciBusIdNv: query(DeviceInfo.PCI_BUS_ID_NV, uint32, nvidia),
  pciSlotIdNv: query(DeviceInfo.PCI_SLOT_ID_NV, uint32, nvidia),
  pciDomainIdNv: query(DeviceInfo.PCI_DOMAIN_ID_NV, uint32, nvidia),

  // AMD
  profilingTimerOffsetAmd: query(DeviceInfo.PROFILING_TIMER_OFFSET_AMD, time, amd),
  topologyAmd: query(DeviceInfo.TOPOLOGY_AMD, topologyAmd, amd),
  boardNameAmd: query(DeviceInfo.BOARD_NAME_AMD, string, amd),
  globalFreeMemoryAmd: query(DeviceInfo.GLOBAL_FREE_MEMORY_AMD, sizes, amd),
  simdPerComputeUnitAmd: query(DeviceInfo.SIMD_PER_COMPUTE_UNIT_AMD, uint32, amd),
  simdWidthAmd: query(DeviceInfo.SIMD_WIDTH_AMD, uint32, amd),
  simdInstructionWidthAmd: query(DeviceInfo.SIMD_INSTRUCTION_WIDTH_AMD, uint32, amd),
  wavefrontWidthAmd: query(DeviceInfo.WAVEFRONT_WIDTH_AMD, uint32, amd),
  globalMemChannelsAmd: query(DeviceInfo.GLOBAL_MEM_CHANNELS_AMD, uint32, amd),
  globalMemChannelBanksAmd: query(DeviceInfo.GLOBAL_MEM_CHANNEL_BANKS_AMD, uint32, amd),
  globalMemChannelBankWidthAmd: query(DeviceInfo.GLOBAL_MEM_CHANNEL_BANK_WIDTH_AMD, uint32, amd),
  localMemSizePerComputeUnitAmd: query(DeviceInfo.LOCAL_MEM_SIZE_PER_COMPUTE_UNIT_AMD, uint32, amd),
  localMemBanksAmd: query(DeviceInfo.LOCAL_MEM_BANKS_AMD, uint32, amd),
  threadTraceSupportedAmd: query(DeviceInfo.THREAD_TRACE_SUPPORTED_AMD, bool, amd),
  gfxipMajorAmd: query(DeviceInfo.GFXIP_MAJOR_AMD, uint32, amd),
  gfxipMinorAmd: query(DeviceInfo.GFXIP_MINOR_AMD, uint32, amd),
  availableAsyncQueuesAmd: query(DeviceInfo.AVAILABLE_ASYNC_QUEUES_AMD, uint32, amd),
  preferredWorkGroupSizeAmd: query(DeviceInfo.PREFERRED_WORK_GROUP_SIZE_AMD, size, amd),
  maxWorkGroupSizeAmd: query(DeviceInfo.MAX_WORK_GROUP_SIZE_AMD, size, amd),
  preferredConstantBufferSizeAmd: query(DeviceInfo.PREFERRED_CONSTANT_BUFFER_SIZE_AMD, size, amd),
  pcieIdAmd: query(DeviceInfo.PCIE_ID_AMD, uint32, amd),
  maxAtomicCountersExt: query(DeviceInfo.MAX_ATOMIC_COUNTERS_EXT, uint32, "cl_ext_atomic_counters_32"),
};
