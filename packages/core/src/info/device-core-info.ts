// The device queries of OpenCL 1.0, in groups; those that hold handles (the platform) are the Device class's own.

import { DeviceInfo } from "../binding/constants.js";
import { bitfield, bool, size, sizes, string, uint32, words } from "./decode.js";
import { type Queries, query } from "./query.js";

/** What every device answers. */
export interface CoreDeviceProperties {
  /** Kinds of device it is, of `DeviceType`. */
  readonly type: number;
  /** The vendor's number; a PCI vendor ID where the vendor has one. */
  readonly vendorId: number;
  /** The device's name. */
  readonly name: string;
  /** The vendor's name. */
  readonly vendor: string;
  /** Text `OpenCL major.minor …`, what the device supports. */
  readonly version: string;
  /** The driver's version, in the vendor's own form. */
  readonly driverVersion: string;
  /** `FULL_PROFILE` or `EMBEDDED_PROFILE`. */
  readonly profile: string;
  /** Names of the extensions it has. */
  readonly extensions: readonly string[];
  /** Whether it can be used now. */
  readonly available: boolean;
  /** Whether programs can be built from source for it. */
  readonly compilerAvailable: boolean;
  /** Whether it stores the low byte first. */
  readonly endianLittle: boolean;
  /** Whether its memory corrects errors. */
  readonly errorCorrectionSupport: boolean;
  /** Width of its addresses. */
  readonly addressBits: number;
  /** What it can execute, of `DeviceExecCapabilities`. */
  readonly executionCapabilities: number;
  /** Modes its command queues can have, of `CommandQueueProperties`. */
  readonly queueProperties: number;
  /** Resolution of its timer, in nanoseconds. */
  readonly profilingTimerResolution: number;

  // Compute
  /** How many work-groups can run at once, at most: cores, multiprocessors or compute units. */
  readonly maxComputeUnits: number;
  /** Highest clock frequency, in MHz. */
  readonly maxClockFrequency: number;
  /** How many dimensions an index space can have. */
  readonly maxWorkItemDimensions: number;
  /** Largest work-group in each dimension. */
  readonly maxWorkItemSizes: readonly number[];
  /** Most work-items in one work-group. */
  readonly maxWorkGroupSize: number;
  /** Most bytes of arguments to one kernel. */
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
  /** Preferred width of `double` vectors; 0 without doubles. */
  readonly preferredVectorWidthDouble: number;
  /** What `float` arithmetic can do, of `DeviceFpConfig`. */
  readonly singleFpConfig: number;

  // Memory
  /** Bytes of global memory. */
  readonly globalMemSize: number;
  /** Kind of its global memory cache, of `DeviceMemCacheType`. */
  readonly globalMemCacheType: number;
  /** Bytes of its global memory cache. */
  readonly globalMemCacheSize: number;
  /** Bytes of one line of that cache. */
  readonly globalMemCachelineSize: number;
  /** Where local memory lies, of `DeviceLocalMemType`. */
  readonly localMemType: number;
  /** Bytes of local memory for each work-group. */
  readonly localMemSize: number;
  /** Bytes of the largest memory object. */
  readonly maxMemAllocSize: number;
  /** Bytes of the largest `__constant` argument. */
  readonly maxConstantBufferSize: number;
  /** Most `__constant` arguments of one kernel. */
  readonly maxConstantArgs: number;
  /** Alignment of sub-buffers, in bits. */
  readonly memBaseAddrAlign: number;
  /** Smallest alignment for any data type, in bytes. */
  readonly minDataTypeAlignSize: number;

  // Images
  /** Whether it has images. */
  readonly imageSupport: boolean;
  /** Most images that one kernel can read. */
  readonly maxReadImageArgs: number;
  /** Most images that one kernel can write. */
  readonly maxWriteImageArgs: number;
  /** Widest two-dimensional image. */
  readonly image2dMaxWidth: number;
  /** Highest two-dimensional image. */
  readonly image2dMaxHeight: number;
  /** Widest three-dimensional image. */
  readonly image3dMaxWidth: number;
  /** Highest three-dimensional image. */
  readonly image3dMaxHeight: number;
  /** Deepest three-dimensional image. */
  readonly image3dMaxDepth: number;
  /** Most samplers of one kernel. */
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
  extensions: query(DeviceInfo.EXTENSIONS, words),
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
