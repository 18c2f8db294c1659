// The queries of memory objects, images, pipes and samplers whose answers are plain values.

import { ImageInfo, MemInfo, PipeInfo, SamplerInfo } from "../binding/constants.js";
import { bitfield, bool, float32, pointer, propertyList, size, uint32 } from "./decode.js";
import { type ImageFormatInfo, imageFormat } from "./decode-structs.js";
import { type Queries, query } from "./query.js";

/** What a memory object answers about itself. */
export interface MemInfoProperties {
  /** What it is, of `MemObjectType`. */
  readonly type: number;
  /** Its flags, of `MemFlags`. */
  readonly flags: number;
  /** Its bytes. */
  readonly size: number;
  /** The host memory it uses; 0 when it uses none. */
  readonly hostPtr: bigint;
  /** How often it is mapped now. */
  readonly mapCount: number;
  /** References to it, in the driver. */
  readonly referenceCount: number;
  /** Where a sub-buffer starts in its parent, in bytes. */
  readonly offset: number;
  /** Whether its host memory is shared virtual memory. */
  readonly usesSvmPointer: boolean;
  /** The property list it was made with, with its zero; empty when there was none. */
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

/** What an image answers about itself. */
export interface ImageInfoProperties {
  /** Its element format. */
  readonly format: ImageFormatInfo;
  /** Bytes of an element. */
  readonly elementSize: number;
  /** Bytes from a row to the next. */
  readonly rowPitch: number;
  /** Bytes from a slice, or an array's image, to the next; 0 where there are none. */
  readonly slicePitch: number;
  /** Its width in elements. */
  readonly width: number;
  /** Its height; 0 in one dimension. */
  readonly height: number;
  /** Its depth; 0 in one and two dimensions. */
  readonly depth: number;
  /** Images in the array; 0 when it is none. */
  readonly arraySize: number;
  /** Its mip levels. */
  readonly numMipLevels: number;
  /** Samples of an element. */
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

/** What a pipe answers about itself. */
export interface PipeInfoProperties {
  /** Bytes of a packet. */
  readonly packetSize: number;
  /** Most packets it holds. */
  readonly maxPackets: number;
  /** The property list it was made with, with its zero; empty when there was none. */
  readonly properties: readonly bigint[];
}

/** Queries of {@link PipeInfoProperties}. */
export const pipeQueries: Queries<PipeInfoProperties> = {
  packetSize: query(PipeInfo.PACKET_SIZE, uint32, "2.0"),
  maxPackets: query(PipeInfo.MAX_PACKETS, uint32, "2.0"),
  properties: query(PipeInfo.PROPERTIES, propertyList, "3.0"),
};

/** What a sampler answers about itself. */
export interface SamplerInfoProperties {
  /** References to it, in the driver. */
  readonly referenceCount: number;
  /** Whether coordinates go from 0 to 1. */
  readonly normalizedCoords: boolean;
  /** What it does outside the image, of `AddressingMode`. */
  readonly addressingMode: number;
  /** How it interpolates, of `FilterMode`. */
  readonly filterMode: number;
  /** The property list it was made with, with its zero; empty when there was none. */
  readonly properties: readonly bigint[];
  /** How it interpolates between mip levels, of `FilterMode`. */
  readonly mipFilterMode: number;
  /** Lowest mip level it uses. */
  readonly lodMin: number;
  /** Highest mip level it uses. */
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
