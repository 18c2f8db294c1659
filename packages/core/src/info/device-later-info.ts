// The device queries that OpenCL 1.1 to 3.0 brought; those that hold handles (the parent) are the Device class's own.

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

/** What devices of OpenCL 1.1 and later answer. */
export interface LaterDeviceProperties {
  // OpenCL 1.1
  /** Text `OpenCL C major.minor …`, the newest language its compiler takes. */
  readonly openclCVersion: string;
  /** Whether device and host share their memory. */
  readonly hostUnifiedMemory: boolean;
  /** Preferred width of `half` vectors; 0 without halves. */
  readonly preferredVectorWidthHalf: number;
  /** Width of `char` vectors in its instruction set. */
  readonly nativeVectorWidthChar: number;
  /** Width of `short` vectors in its instruction set. */
  readonly nativeVectorWidthShort: number;
  /** Width of `int` vectors in its instruction set. */
  readonly nativeVectorWidthInt: number;
  /** Width of `long` vectors in its instruction set. */
  readonly nativeVectorWidthLong: number;
  /** Width of `float` vectors in its instruction set. */
  readonly nativeVectorWidthFloat: number;
  /** Width of `double` vectors in its instruction set. */
  readonly nativeVectorWidthDouble: number;
  /** Width of `half` vectors in its instruction set. */
  readonly nativeVectorWidthHalf: number;

  // OpenCL 1.2
  /** What `double` arithmetic can do, of `DeviceFpConfig`; 0 without doubles. */
  readonly doubleFpConfig: number;
  /** Whether programs can be linked for it. */
  readonly linkerAvailable: boolean;
  /** Names of its built-in kernels. */
  readonly builtInKernels: readonly string[];
  /** Most elements of an image made from a buffer. */
  readonly imageMaxBufferSize: number | bigint;
  /** Most images in an image array. */
  readonly imageMaxArraySize: number | bigint;
  /** Most sub-devices it can be cut into. */
  readonly partitionMaxSubDevices: number;
  /** How it can be cut, of `DevicePartitionProperty`. */
  readonly partitionProperties: readonly number[];
  /** Domains it can be cut along, of `DeviceAffinityDomain`. */
  readonly partitionAffinityDomain: number;
  /** How this sub-device was cut: the property list given, with its zero; empty or one zero for a whole device. */
  readonly partitionType: readonly number[];
  /** References to this sub-device; 1 for a whole device. */
  readonly referenceCount: number;
  /** Whether it prefers that the user synchronizes with other APIs. */
  readonly preferredInteropUserSync: boolean;
  /** Bytes of `printf` output that one kernel can hold. */
  readonly printfBufferSize: number;

  // OpenCL 2.0
  /** Modes its host command queues can have, of `CommandQueueProperties`. */
  readonly queueOnHostProperties: number;
  /** Modes its device queues can have, of `CommandQueueProperties`. */
  readonly queueOnDeviceProperties: number;
  /** Preferred bytes of a device queue. */
  readonly queueOnDevicePreferredSize: number;
  /** Most bytes of a device queue. */
  readonly queueOnDeviceMaxSize: number;
  /** Most device queues in a context. */
  readonly maxOnDeviceQueues: number;
  /** Most events in use by a device queue. */
  readonly maxOnDeviceEvents: number;
  /** Row pitch alignment of images made from buffers, in pixels. */
  readonly imagePitchAlignment: number;
  /** Start alignment of images made from buffers, in pixels. */
  readonly imageBaseAddressAlignment: number;
  /** Most images that one kernel can both read and write. */
  readonly maxReadWriteImageArgs: number;
  /** Most bytes of one variable at program scope. */
  readonly maxGlobalVariableSize: number | bigint;
  /** Preferred bytes of all variables at program scope. */
  readonly globalVariablePreferredTotalSize: number | bigint;
  /** Kinds of shared virtual memory, of `DeviceSvmCapabilities`. */
  readonly svmCapabilities: number;
  /** Most pipes of one kernel. */
  readonly maxPipeArgs: number;
  /** Most reservations in use in a pipe, for each work-item. */
  readonly pipeMaxActiveReservations: number;
  /** Most bytes of a pipe's packet. */
  readonly pipeMaxPacketSize: number;
  /** Preferred alignment of atomics shared with the host, in bytes. */
  readonly preferredPlatformAtomicAlignment: number;
  /** Preferred alignment of atomics in global memory, in bytes. */
  readonly preferredGlobalAtomicAlignment: number;
  /** Preferred alignment of atomics in local memory, in bytes. */
  readonly preferredLocalAtomicAlignment: number;

  // OpenCL 2.1
  /** Intermediate languages it takes, as `SPIR-V_1.2 …`. */
  readonly ilVersion: string;
  /** Most sub-groups in a work-group. */
  readonly maxNumSubGroups: number;
  /** Whether sub-groups advance independently. */
  readonly subGroupIndependentForwardProgress: boolean;

  // OpenCL 3.0
  /** OpenCL version it supports. */
  readonly numericVersion: string;
  /** Its extensions, with versions. */
  readonly extensionsWithVersion: readonly NameVersion[];
  /** Intermediate languages it takes, with versions. */
  readonly ilsWithVersion: readonly NameVersion[];
  /** Its built-in kernels, with versions. */
  readonly builtInKernelsWithVersion: readonly NameVersion[];
  /** Every OpenCL C version its compiler takes. */
  readonly openclCAllVersions: readonly NameVersion[];
  /** Optional features of OpenCL C that its compiler has. */
  readonly openclCFeatures: readonly NameVersion[];
  /** Orders and scopes of atomic operations, of `DeviceAtomicCapabilities`. */
  readonly atomicMemoryCapabilities: number;
  /** Orders and scopes of fences, of `DeviceAtomicCapabilities`. */
  readonly atomicFenceCapabilities: number;
  /** Whether the last work-group may be smaller than the others. */
  readonly nonUniformWorkGroupSupport: boolean;
  /** Number that a work-group's size should be a multiple of. */
  readonly preferredWorkGroupSizeMultiple: number;
  /** Whether `work_group_all` and its kin exist. */
  readonly workGroupCollectiveFunctionsSupport: boolean;
  /** Whether pointers may leave out their address space. */
  readonly genericAddressSpaceSupport: boolean;
  /** What device queues can do, of `DeviceDeviceEnqueueCapabilities`. */
  readonly deviceEnqueueCapabilities: number;
  /** Whether it has pipes. */
  readonly pipeSupport: boolean;
  /** Latest version of the conformance tests that it passed. */
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
