// Queries of memory objects, images, pipes and samplers with plain values.

import { ImageInfo, MemInfo, PipeInfo, SamplerInfo } from "../binding/constants.js";
import { bitfield, bool, float32, pointer, propertyList, size, uint32 } from "./decode.js";
import { type ImageFormatInfo, imageFormat } from "./decode-structs.js";
import { type Queries, query } from "./query.js";

/** Info properties of a memory object. */
export interface MemInfoProperties {
  /** Type of object, a value of `MemObjectType`. */
  readonly type: number;
  /** Flags of `MemFlags`. */
  readonly flags: number;
  /** Size in bytes. */
  readonly size: number;
  /** Address of the host memory that it uses; 0 if it uses none. */
  readonly hostPtr: bigint;
  /** Number of current mappings. */
  readonly mapCount: number;
  /** The driver's reference count. */
  readonly referenceCount: number;
  /** Offset of a sub-buffer in its parent, in bytes. */
  readonly offset: number;
  /** Whether its host memory is shared virtual memory. */
  readonly usesSvmPointer: boolean;
  /** The property list it was created with, including the terminating 0; empty if there was none. */
  readonly properties: readonly bigint[];
  /** Whether its host memory is shared virtual memory. */
  readonly usesSvmPointerArm: boolean;
}

/** Queries of {@link MemInfoProperties}. */
export const memQueries: Queries<MemInfoProperties> = {
  type: query(MemInfo.TYPE, uint32),
  flags: query(MemInfo.FLAGS, bitfield),
  size: query(MemInfo.SIZE, size),
  hostPtr: query(MemInfo.HOST_PTR, pointer),
  mapCount: query(MemInfo.MAP_COUNT, uint32),
  referenceCount: query(MemInfo.REFERENCE_COUNT, uint32),
  offset: query(MemInfo.OFFSET, size, "1.1"),
  usesSvmPointer: query(MemInfo.USES_SVM_POINTER, bool, "2.0"),
  properties: query(MemInfo.PROPERTIES, propertyList, "3.0"),
  usesSvmPointerArm: query(MemInfo.USES_SVM_POINTER_ARM, bool, "cl_arm_shared_virtual_memory"),
};

/** Info properties of an image. */
export interface ImageInfoProperties {
  /** Format of the pixels. */
  readonly format: ImageFormatInfo;
  /** Size of a pixel, in bytes. */
  readonly elementSize: number;
  /** Row pitch in bytes. */
  readonly rowPitch: number;
  /** Slice pitch in bytes, or the stride between images of an array; 0 for other images. */
  readonly slicePitch: number;
  /** Width in pixels. */
  readonly width: number;
  /** Height in pixels; 0 for 1-D images. */
  readonly height: number;
  /** Depth in pixels; 0 for 1-D and 2-D images. */
  readonly depth: number;
  /** Number of images in an image array; 0 for other images. */
  readonly arraySize: number;
  /** Number of mip levels. */
  readonly numMipLevels: number;
  /** Number of samples per pixel. */
  readonly numSamples: number;
}

/** Queries of {@link ImageInfoProperties}. */
export const imageQueries: Queries<ImageInfoProperties> = {
  format: query(ImageInfo.FORMAT, imageFormat),
  elementSize: query(ImageInfo.ELEMENT_SIZE, size),
  rowPitch: query(ImageInfo.ROW_PITCH, size),
  slicePitch: query(ImageInfo.SLICE_PITCH, size),
  width: query(ImageInfo.WIDTH, size),
  height: query(ImageInfo.HEIGHT, size),
  depth: query(ImageInfo.DEPTH, size),
  arraySize: query(ImageInfo.ARRAY_SIZE, size, "1.2"),
  numMipLevels: query(ImageInfo.NUM_MIP_LEVELS, uint32, "1.2"),
  numSamples: query(ImageInfo.NUM_SAMPLES, uint32, "1.2"),
};

/** Info properties of a pipe. */
export interface PipeInfoProperties {
  /** Size of a packet, in bytes. */
  readonly packetSize: number;
  /** Maximum number of packets. */
  readonly maxPackets: number;
  /** The property list it was created with, including the terminating 0; empty if there was none. */
  readonly properties: readonly bigint[];
}

/** Queries of {@link PipeInfoProperties}. */
export const pipeQueries: Queries<PipeInfoProperties> = {
  packetSize: query(PipeInfo.PACKET_SIZE, uint32, "2.0"),
  maxPackets: query(PipeInfo.MAX_PACKETS, uint32, "2.0"),
  properties: query(PipeInfo.PROPERTIES, propertyList, "3.0"),
};

/** Info properties of a sampler. */
export interface SamplerInfoProperties {
  /** The driver's reference count. */
  readonly referenceCount: number;
  /** Whether coordinates are normalized to 0…1. */
  readonly normalizedCoords: boolean;
  /** Handling of coordinates outside the image, a value of `AddressingMode`. */
  readonly addressingMode: number;
  /** Interpolation mode, a value of `FilterMode`. */
  readonly filterMode: number;
  /** The property list it was created with, including the terminating 0; empty if there was none. */
  readonly properties: readonly bigint[];
  /** Interpolation mode between mip levels, a value of `FilterMode`. */
  readonly mipFilterMode: number;
  /** Minimum mip level. */
  readonly lodMin: number;
  /** Maximum mip level. */
  readonly lodMax: number;
}

/** Queries of {@link SamplerInfoProperties}. */
export const samplerQueries: Queries<SamplerInfoProperties> = {
  referenceCount: query(SamplerInfo.REFERENCE_COUNT, uint32),
  normalizedCoords: query(SamplerInfo.NORMALIZED_COORDS, bool),
  addressingMode: query(SamplerInfo.ADDRESSING_MODE, uint32),
  filterMode: query(SamplerInfo.FILTER_MODE, uint32),
  properties: query(SamplerInfo.PROPERTIES, propertyList, "3.0"),
  mipFilterMode: query(SamplerInfo.MIP_FILTER_MODE, uint32, "cl_khr_mipmap_image"),
  lodMin: query(SamplerInfo.LOD_MIN, float32, "cl_khr_mipmap_image"),
  lodMax: query(SamplerInfo.LOD_MAX, float32, "cl_khr_mipmap_image"),
};
