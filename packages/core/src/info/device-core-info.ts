// The device queries of OpenCL 1.0. The Device class reads those that return handles (the platform).

import { DeviceInfo } from "../binding/constants.js";
import { bitfield, bool, size, sizes, string, uint32, spaceList } from "./decode.js";
import { type Queries, query } from "./query.js";

/** Info properties of every device. */
export interface CoreDeviceProperties {
  /** Kinds of device, flags of `DeviceType`. */
  readonly type: number;
  /** Vendor ID; the PCI vendor ID if the vendor has one. */
  readonly vendorId: number;
  /** Name of the device. */
  readonly name: string;
  /** Name of the vendor. */
  readonly vendor: string;
  /** OpenCL version that the device supports, in the form `OpenCL major.minor …`. */
  readonly version: string;
  /** Version of the driver, in a vendor-specific format. */
  readonly driverVersion: string;
  /** `FULL_PROFILE` or `EMBEDDED_PROFILE`. */
  readonly profile: string;
  /** Names of the supported extensions. */
  readonly extensions: readonly string[];
  /** Whether the device is available. */
  readonly available: boolean;
  /** Whether programs can be built from source for the device. */
  readonly compilerAvailable: boolean;
  /** Whether the device is little-endian. */
  readonly endianLittle: boolean;
  /** Whether the memory has error correction (ECC). */
  readonly errorCorrectionSupport: boolean;
  /** Size of addresses in bits. */
  readonly addressBits: number;
  /** Kinds of kernel that the device can execute, flags of `DeviceExecCapabilities`. */
  readonly executionCapabilities: number;
  /** Supported modes of command queues, flags of `CommandQueueProperties`. */
  readonly queueProperties: number;
  /** Resolution of the profiling timer, in nanoseconds. */
  readonly profilingTimerResolution: number;

  // Compute
  /** Number of compute units (cores or multiprocessors), each of which runs work-groups. */
  readonly maxComputeUnits: number;
  /** Maximum clock frequency, in MHz. */
  readonly maxClockFrequency: number;
  /** Maximum number of dimensions of an index space. */
  readonly maxWorkItemDimensions: number;
  /** Maximum work-group size in each dimension. */
  readonly maxWorkItemSizes: readonly number[];
  /** Maximum number of work-items in a work-group. */
  readonly maxWorkGroupSize: number;
  /** Maximum size of the arguments of a kernel, in bytes. */
  readonly maxParameterSize: number;
  /** Preferred width of `char` vectors. */
  readonly preferredVectorWidthChar: number;
  /** Preferred width of `short` vectors. */
  readonly preferredVectorWidthShort: number;
  /** Preferred width of `int` vectors. */
  readonly preferredVectorWidthInt: number;
  /** Preferred width of `long` vectors. */
  readonly preferredVectorWidthLong: number;
  /** Preferred width of `float` vectors. */
  readonly preferredVectorWidthFloat: number;
  /** Preferred width of `double` vectors; 0 if `double` is not supported. */
  readonly preferredVectorWidthDouble: number;
  /** Capabilities of `float` arithmetic, flags of `DeviceFpConfig`. */
  readonly singleFpConfig: number;

  // Memory
  /** Size of global memory, in bytes. */
  readonly globalMemSize: number;
  /** Kind of global memory cache, a value of `DeviceMemCacheType`. */
  readonly globalMemCacheType: number;
  /** Size of the global memory cache, in bytes. */
  readonly globalMemCacheSize: number;
  /** Size of a cache line of global memory, in bytes. */
  readonly globalMemCachelineSize: number;
  /** Kind of local memory, a value of `DeviceLocalMemType`. */
  readonly localMemType: number;
  /** Size of local memory per work-group, in bytes. */
  readonly localMemSize: number;
  /** Maximum size of a memory object, in bytes. */
  readonly maxMemAllocSize: number;
  /** Maximum size of a `__constant` argument, in bytes. */
  readonly maxConstantBufferSize: number;
  /** Maximum number of `__constant` arguments of a kernel. */
  readonly maxConstantArgs: number;
  /** Alignment of sub-buffers, in bits. */
  readonly memBaseAddrAlign: number;
  /** Smallest alignment for any data type, in bytes. */
  readonly minDataTypeAlignSize: number;

  // Images
  /** Whether images are supported. */
  readonly imageSupport: boolean;
  /** Maximum number of images that a kernel can read. */
  readonly maxReadImageArgs: number;
  /** Maximum number of images that a kernel can write. */
  readonly maxWriteImageArgs: number;
  /** Maximum width of a 2-D image. */
  readonly image2dMaxWidth: number;
  /** Maximum height of a 2-D image. */
  readonly image2dMaxHeight: number;
  /** Maximum width of a 3-D image. */
  readonly image3dMaxWidth: number;
  /** Maximum height of a 3-D image. */
  readonly image3dMaxHeight: number;
  /** Maximum depth of a 3-D image. */
  readonly image3dMaxDepth: number;
  /** Maximum number of samplers of a kernel. */
  readonly maxSamplers: number;
}

/** Queries of {@link CoreDeviceProperties}. */
export const coreDeviceQueries: Queries<CoreDeviceProperties> = {
  type: query(DeviceInfo.TYPE, bitfield),
  vendorId: query(DeviceInfo.VENDOR_ID, uint32),
  name: query(DeviceInfo.NAME, string),
  vendor: query(DeviceInfo.VENDOR, string),
  version: query(DeviceInfo.VERSION, string),
  driverVersion: query(DeviceInfo.DRIVER_VERSION, string),
  profile: query(DeviceInfo.PROFILE, string),
  extensions: query(DeviceInfo.EXTENSIONS, spaceList),
  available: query(DeviceInfo.AVAILABLE, bool),
  compilerAvailable: query(DeviceInfo.COMPILER_AVAILABLE, bool),
  endianLittle: query(DeviceInfo.ENDIAN_LITTLE, bool),
  errorCorrectionSupport: query(DeviceInfo.ERROR_CORRECTION_SUPPORT, bool),
  addressBits: query(DeviceInfo.ADDRESS_BITS, uint32),
  executionCapabilities: query(DeviceInfo.EXECUTION_CAPABILITIES, bitfield),
  queueProperties: query(DeviceInfo.QUEUE_PROPERTIES, bitfield),
  profilingTimerResolution: query(DeviceInfo.PROFILING_TIMER_RESOLUTION, size),

  // Compute
  maxComputeUnits: query(DeviceInfo.MAX_COMPUTE_UNITS, uint32),
  maxClockFrequency: query(DeviceInfo.MAX_CLOCK_FREQUENCY, uint32),
  maxWorkItemDimensions: query(DeviceInfo.MAX_WORK_ITEM_DIMENSIONS, uint32),
  maxWorkItemSizes: query(DeviceInfo.MAX_WORK_ITEM_SIZES, sizes),
  maxWorkGroupSize: query(DeviceInfo.MAX_WORK_GROUP_SIZE, size),
  maxParameterSize: query(DeviceInfo.MAX_PARAMETER_SIZE, size),
  preferredVectorWidthChar: query(DeviceInfo.PREFERRED_VECTOR_WIDTH_CHAR, uint32),
  preferredVectorWidthShort: query(DeviceInfo.PREFERRED_VECTOR_WIDTH_SHORT, uint32),
  preferredVectorWidthInt: query(DeviceInfo.PREFERRED_VECTOR_WIDTH_INT, uint32),
  preferredVectorWidthLong: query(DeviceInfo.PREFERRED_VECTOR_WIDTH_LONG, uint32),
  preferredVectorWidthFloat: query(DeviceInfo.PREFERRED_VECTOR_WIDTH_FLOAT, uint32),
  preferredVectorWidthDouble: query(DeviceInfo.PREFERRED_VECTOR_WIDTH_DOUBLE, uint32),
  singleFpConfig: query(DeviceInfo.SINGLE_FP_CONFIG, bitfield),

  // Memory
  globalMemSize: query(DeviceInfo.GLOBAL_MEM_SIZE, size),
  globalMemCacheType: query(DeviceInfo.GLOBAL_MEM_CACHE_TYPE, uint32),
  globalMemCacheSize: query(DeviceInfo.GLOBAL_MEM_CACHE_SIZE, size),
  globalMemCachelineSize: query(DeviceInfo.GLOBAL_MEM_CACHELINE_SIZE, uint32),
  localMemType: query(DeviceInfo.LOCAL_MEM_TYPE, uint32),
  localMemSize: query(DeviceInfo.LOCAL_MEM_SIZE, size),
  maxMemAllocSize: query(DeviceInfo.MAX_MEM_ALLOC_SIZE, size),
  maxConstantBufferSize: query(DeviceInfo.MAX_CONSTANT_BUFFER_SIZE, size),
  maxConstantArgs: query(DeviceInfo.MAX_CONSTANT_ARGS, uint32),
  memBaseAddrAlign: query(DeviceInfo.MEM_BASE_ADDR_ALIGN, uint32),
  minDataTypeAlignSize: query(DeviceInfo.MIN_DATA_TYPE_ALIGN_SIZE, uint32),

  // Images
  imageSupport: query(DeviceInfo.IMAGE_SUPPORT, bool),
  maxReadImageArgs: query(DeviceInfo.MAX_READ_IMAGE_ARGS, uint32),
  maxWriteImageArgs: query(DeviceInfo.MAX_WRITE_IMAGE_ARGS, uint32),
  image2dMaxWidth: query(DeviceInfo.IMAGE2D_MAX_WIDTH, size),
  image2dMaxHeight: query(DeviceInfo.IMAGE2D_MAX_HEIGHT, size),
  image3dMaxWidth: query(DeviceInfo.IMAGE3D_MAX_WIDTH, size),
  image3dMaxHeight: query(DeviceInfo.IMAGE3D_MAX_HEIGHT, size),
  image3dMaxDepth: query(DeviceInfo.IMAGE3D_MAX_DEPTH, size),
  maxSamplers: query(DeviceInfo.MAX_SAMPLERS, uint32),
};
