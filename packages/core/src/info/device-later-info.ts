// The device queries added by OpenCL 1.1 to 3.0. The Device class reads those that return handles (the parent).

import { DeviceInfo } from "../binding/constants.js";
import {
  bitfield,
  bool,
  partitionKinds,
  partitionList,
  semicolonList,
  size,
  string,
  uint32,
  uint64,
} from "./decode.js";
import { type NameVersion, nameVersions, version } from "./decode-structs.js";
import { type Queries, query } from "./query.js";

/** Info properties of devices with OpenCL 1.1 and later. */
export interface LaterDeviceProperties {
  // OpenCL 1.1
  /** Latest OpenCL C version that the compiler supports, in the form `OpenCL C major.minor …`. */
  readonly openclCVersion: string;
  /** Whether device and host share memory. */
  readonly hostUnifiedMemory: boolean;
  /** Preferred width of `half` vectors; 0 if `half` is not supported. */
  readonly preferredVectorWidthHalf: number;
  /** Width of `char` vectors in the instruction set. */
  readonly nativeVectorWidthChar: number;
  /** Width of `short` vectors in the instruction set. */
  readonly nativeVectorWidthShort: number;
  /** Width of `int` vectors in the instruction set. */
  readonly nativeVectorWidthInt: number;
  /** Width of `long` vectors in the instruction set. */
  readonly nativeVectorWidthLong: number;
  /** Width of `float` vectors in the instruction set. */
  readonly nativeVectorWidthFloat: number;
  /** Width of `double` vectors in the instruction set. */
  readonly nativeVectorWidthDouble: number;
  /** Width of `half` vectors in the instruction set. */
  readonly nativeVectorWidthHalf: number;

  // OpenCL 1.2
  /** Capabilities of `double` arithmetic, flags of `DeviceFpConfig`; 0 if `double` is not supported. */
  readonly doubleFpConfig: number;
  /** Whether a linker is available. */
  readonly linkerAvailable: boolean;
  /** Names of the built-in kernels. */
  readonly builtInKernels: readonly string[];
  /** Maximum number of pixels of an image created from a buffer. */
  readonly imageMaxBufferSize: number | bigint;
  /** Maximum number of images in an image array. */
  readonly imageMaxArraySize: number | bigint;
  /** Maximum number of sub-devices. */
  readonly partitionMaxSubDevices: number;
  /** Supported kinds of partition, values of `DevicePartitionProperty`. */
  readonly partitionProperties: readonly number[];
  /** Supported affinity domains for partitioning, flags of `DeviceAffinityDomain`. */
  readonly partitionAffinityDomain: number;
  /**
   * The partition properties that this sub-device was created with, including the terminating 0; empty or one 0 for a
   * root device.
   */
  readonly partitionType: readonly number[];
  /** Reference count of a sub-device; 1 for a root device. */
  readonly referenceCount: number;
  /** Whether the device prefers that the user synchronizes with other APIs. */
  readonly preferredInteropUserSync: boolean;
  /** Size of the `printf` buffer of a kernel, in bytes. */
  readonly printfBufferSize: number;

  // OpenCL 2.0
  /** Supported modes of host command queues, flags of `CommandQueueProperties`. */
  readonly queueOnHostProperties: number;
  /** Supported modes of device queues, flags of `CommandQueueProperties`. */
  readonly queueOnDeviceProperties: number;
  /** Preferred size of a device queue, in bytes. */
  readonly queueOnDevicePreferredSize: number;
  /** Maximum size of a device queue, in bytes. */
  readonly queueOnDeviceMaxSize: number;
  /** Maximum number of device queues per context. */
  readonly maxOnDeviceQueues: number;
  /** Maximum number of events in use by a device queue. */
  readonly maxOnDeviceEvents: number;
  /** Row pitch alignment of images created from buffers, in pixels. */
  readonly imagePitchAlignment: number;
  /** Base address alignment of images created from buffers, in pixels. */
  readonly imageBaseAddressAlignment: number;
  /** Maximum number of images that a kernel can both read and write. */
  readonly maxReadWriteImageArgs: number;
  /** Maximum size of a program-scope variable, in bytes. */
  readonly maxGlobalVariableSize: number | bigint;
  /** Preferred total size of program-scope variables, in bytes. */
  readonly globalVariablePreferredTotalSize: number | bigint;
  /** Supported kinds of shared virtual memory, flags of `DeviceSvmCapabilities`. */
  readonly svmCapabilities: number;
  /** Maximum number of pipe arguments of a kernel. */
  readonly maxPipeArgs: number;
  /** Maximum number of active reservations in a pipe, per work-item. */
  readonly pipeMaxActiveReservations: number;
  /** Maximum size of a pipe packet, in bytes. */
  readonly pipeMaxPacketSize: number;
  /** Preferred alignment of atomics shared with the host, in bytes. */
  readonly preferredPlatformAtomicAlignment: number;
  /** Preferred alignment of atomics in global memory, in bytes. */
  readonly preferredGlobalAtomicAlignment: number;
  /** Preferred alignment of atomics in local memory, in bytes. */
  readonly preferredLocalAtomicAlignment: number;

  // OpenCL 2.1
  /** Supported intermediate languages, in the form `SPIR-V_1.2 …`. */
  readonly ilVersion: string;
  /** Maximum number of sub-groups in a work-group. */
  readonly maxNumSubGroups: number;
  /** Whether sub-groups make independent forward progress. */
  readonly subGroupIndependentForwardProgress: boolean;

  // OpenCL 3.0
  /** Supported OpenCL version. */
  readonly numericVersion: string;
  /** Supported extensions, with versions. */
  readonly extensionsWithVersion: readonly NameVersion[];
  /** Supported intermediate languages, with versions. */
  readonly ilsWithVersion: readonly NameVersion[];
  /** Built-in kernels, with versions. */
  readonly builtInKernelsWithVersion: readonly NameVersion[];
  /** All OpenCL C versions that the compiler supports. */
  readonly openclCAllVersions: readonly NameVersion[];
  /** Optional OpenCL C features that the compiler supports. */
  readonly openclCFeatures: readonly NameVersion[];
  /** Orders and scopes of atomic operations, flags of `DeviceAtomicCapabilities`. */
  readonly atomicMemoryCapabilities: number;
  /** Orders and scopes of fences, flags of `DeviceAtomicCapabilities`. */
  readonly atomicFenceCapabilities: number;
  /** Whether the last work-group can be smaller than the others. */
  readonly nonUniformWorkGroupSupport: boolean;
  /** Preferred multiple of the work-group size. */
  readonly preferredWorkGroupSizeMultiple: number;
  /** Whether work-group collective functions such as `work_group_all` are supported. */
  readonly workGroupCollectiveFunctionsSupport: boolean;
  /** Whether pointers can omit their address space. */
  readonly genericAddressSpaceSupport: boolean;
  /** Capabilities of device queues, flags of `DeviceDeviceEnqueueCapabilities`. */
  readonly deviceEnqueueCapabilities: number;
  /** Whether pipes are supported. */
  readonly pipeSupport: boolean;
  /** Latest version of the conformance tests that the device passed. */
  readonly latestConformanceVersionPassed: string;
}

/** Queries of {@link LaterDeviceProperties}. */
export const laterDeviceQueries: Queries<LaterDeviceProperties> = {
  // OpenCL 1.1
  openclCVersion: query(DeviceInfo.OPENCL_C_VERSION, string, "1.1"),
  hostUnifiedMemory: query(DeviceInfo.HOST_UNIFIED_MEMORY, bool, "1.1"),
  preferredVectorWidthHalf: query(DeviceInfo.PREFERRED_VECTOR_WIDTH_HALF, uint32, "1.1"),
  nativeVectorWidthChar: query(DeviceInfo.NATIVE_VECTOR_WIDTH_CHAR, uint32, "1.1"),
  nativeVectorWidthShort: query(DeviceInfo.NATIVE_VECTOR_WIDTH_SHORT, uint32, "1.1"),
  nativeVectorWidthInt: query(DeviceInfo.NATIVE_VECTOR_WIDTH_INT, uint32, "1.1"),
  nativeVectorWidthLong: query(DeviceInfo.NATIVE_VECTOR_WIDTH_LONG, uint32, "1.1"),
  nativeVectorWidthFloat: query(DeviceInfo.NATIVE_VECTOR_WIDTH_FLOAT, uint32, "1.1"),
  nativeVectorWidthDouble: query(DeviceInfo.NATIVE_VECTOR_WIDTH_DOUBLE, uint32, "1.1"),
  nativeVectorWidthHalf: query(DeviceInfo.NATIVE_VECTOR_WIDTH_HALF, uint32, "1.1"),

  // OpenCL 1.2
  doubleFpConfig: query(DeviceInfo.DOUBLE_FP_CONFIG, bitfield, "1.2"),
  linkerAvailable: query(DeviceInfo.LINKER_AVAILABLE, bool, "1.2"),
  builtInKernels: query(DeviceInfo.BUILT_IN_KERNELS, semicolonList, "1.2"),
  imageMaxBufferSize: query(DeviceInfo.IMAGE_MAX_BUFFER_SIZE, uint64, "1.2"),
  imageMaxArraySize: query(DeviceInfo.IMAGE_MAX_ARRAY_SIZE, uint64, "1.2"),
  partitionMaxSubDevices: query(DeviceInfo.PARTITION_MAX_SUB_DEVICES, uint32, "1.2"),
  partitionProperties: query(DeviceInfo.PARTITION_PROPERTIES, partitionKinds, "1.2"),
  partitionAffinityDomain: query(DeviceInfo.PARTITION_AFFINITY_DOMAIN, bitfield, "1.2"),
  partitionType: query(DeviceInfo.PARTITION_TYPE, partitionList, "1.2"),
  referenceCount: query(DeviceInfo.REFERENCE_COUNT, uint32, "1.2"),
  preferredInteropUserSync: query(DeviceInfo.PREFERRED_INTEROP_USER_SYNC, bool, "1.2"),
  printfBufferSize: query(DeviceInfo.PRINTF_BUFFER_SIZE, size, "1.2"),

  // OpenCL 2.0
  queueOnHostProperties: query(DeviceInfo.QUEUE_ON_HOST_PROPERTIES, bitfield, "2.0"),
  queueOnDeviceProperties: query(DeviceInfo.QUEUE_ON_DEVICE_PROPERTIES, bitfield, "2.0"),
  queueOnDevicePreferredSize: query(DeviceInfo.QUEUE_ON_DEVICE_PREFERRED_SIZE, uint32, "2.0"),
  queueOnDeviceMaxSize: query(DeviceInfo.QUEUE_ON_DEVICE_MAX_SIZE, uint32, "2.0"),
  maxOnDeviceQueues: query(DeviceInfo.MAX_ON_DEVICE_QUEUES, uint32, "2.0"),
  maxOnDeviceEvents: query(DeviceInfo.MAX_ON_DEVICE_EVENTS, uint32, "2.0"),
  imagePitchAlignment: query(DeviceInfo.IMAGE_PITCH_ALIGNMENT, uint32, "2.0"),
  imageBaseAddressAlignment: query(DeviceInfo.IMAGE_BASE_ADDRESS_ALIGNMENT, uint32, "2.0"),
  maxReadWriteImageArgs: query(DeviceInfo.MAX_READ_WRITE_IMAGE_ARGS, uint32, "2.0"),
  maxGlobalVariableSize: query(DeviceInfo.MAX_GLOBAL_VARIABLE_SIZE, uint64, "2.0"),
  globalVariablePreferredTotalSize: query(DeviceInfo.GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, uint64, "2.0"),
  svmCapabilities: query(DeviceInfo.SVM_CAPABILITIES, bitfield, "2.0"),
  maxPipeArgs: query(DeviceInfo.MAX_PIPE_ARGS, uint32, "2.0"),
  pipeMaxActiveReservations: query(DeviceInfo.PIPE_MAX_ACTIVE_RESERVATIONS, uint32, "2.0"),
  pipeMaxPacketSize: query(DeviceInfo.PIPE_MAX_PACKET_SIZE, uint32, "2.0"),
  preferredPlatformAtomicAlignment: query(DeviceInfo.PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, uint32, "2.0"),
  preferredGlobalAtomicAlignment: query(DeviceInfo.PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, uint32, "2.0"),
  preferredLocalAtomicAlignment: query(DeviceInfo.PREFERRED_LOCAL_ATOMIC_ALIGNMENT, uint32, "2.0"),

  // OpenCL 2.1
  ilVersion: query(DeviceInfo.IL_VERSION, string, "2.1"),
  maxNumSubGroups: query(DeviceInfo.MAX_NUM_SUB_GROUPS, uint32, "2.1"),
  subGroupIndependentForwardProgress: query(DeviceInfo.SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, bool, "2.1"),

  // OpenCL 3.0
  numericVersion: query(DeviceInfo.NUMERIC_VERSION, version, "3.0"),
  extensionsWithVersion: query(DeviceInfo.EXTENSIONS_WITH_VERSION, nameVersions, "3.0"),
  ilsWithVersion: query(DeviceInfo.ILS_WITH_VERSION, nameVersions, "3.0"),
  builtInKernelsWithVersion: query(DeviceInfo.BUILT_IN_KERNELS_WITH_VERSION, nameVersions, "3.0"),
  openclCAllVersions: query(DeviceInfo.OPENCL_C_ALL_VERSIONS, nameVersions, "3.0"),
  openclCFeatures: query(DeviceInfo.OPENCL_C_FEATURES, nameVersions, "3.0"),
  atomicMemoryCapabilities: query(DeviceInfo.ATOMIC_MEMORY_CAPABILITIES, bitfield, "3.0"),
  atomicFenceCapabilities: query(DeviceInfo.ATOMIC_FENCE_CAPABILITIES, bitfield, "3.0"),
  nonUniformWorkGroupSupport: query(DeviceInfo.NON_UNIFORM_WORK_GROUP_SUPPORT, bool, "3.0"),
  preferredWorkGroupSizeMultiple: query(DeviceInfo.PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size, "3.0"),
  workGroupCollectiveFunctionsSupport: query(DeviceInfo.WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, bool, "3.0"),
  genericAddressSpaceSupport: query(DeviceInfo.GENERIC_ADDRESS_SPACE_SUPPORT, bool, "3.0"),
  deviceEnqueueCapabilities: query(DeviceInfo.DEVICE_ENQUEUE_CAPABILITIES, bitfield, "3.0"),
  pipeSupport: query(DeviceInfo.PIPE_SUPPORT, bool, "3.0"),
  latestConformanceVersionPassed: query(DeviceInfo.LATEST_CONFORMANCE_VERSION_PASSED, string, "3.0"),
};
