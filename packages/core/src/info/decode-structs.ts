// Decoders of the structures that OpenCL info queries return. Offsets are those of the C structures in cl.h and
// cl_ext.h, which are naturally aligned without padding in between.

import { bool, elements, string, uint32, view } from "./decode.js";

/** The name and version of an extension, feature or intermediate language (OpenCL 3.0). */
export interface NameVersion {
  /** Version in the form `major.minor.patch`. */
  readonly version: string;
  /** Name of the extension, feature or language. */
  readonly name: string;
}

/** The location of a device on the PCI bus. */
export interface PciBusInfo {
  readonly domain: number;
  readonly bus: number;
  readonly device: number;
  readonly function: number;
}

/** The location of an AMD device on the PCI bus. */
export interface TopologyAmd {
  /** Kind of topology. The other properties are valid only for `DeviceTopologyTypeAmd.PCIE_AMD`. */
  readonly type: number;
  readonly bus: number;
  readonly device: number;
  readonly function: number;
}

/** Format of an image's pixels. */
export interface ImageFormatInfo {
  /** A value of `ChannelOrder`. */
  readonly order: number;
  /** A value of `ChannelType`. */
  readonly type: number;
}

/** Integer dot products that are hardware-accelerated. */
export interface DotProductAcceleration {
  readonly signed: boolean;
  readonly unsigned: boolean;
  readonly mixedSignedness: boolean;
  readonly accumulatingSaturatingSigned: boolean;
  readonly accumulatingSaturatingUnsigned: boolean;
  readonly accumulatingSaturatingMixedSignedness: boolean;
}

/** A family of queues of an Intel device. */
export interface QueueFamilyIntel {
  /** Flags of `CommandQueueProperties` that its queues support. */
  readonly properties: number;
  /** Capabilities of its queues, flags of `CommandQueueCapabilitiesIntel`. */
  readonly capabilities: number;
  /** Number of queues. */
  readonly count: number;
  readonly name: string;
}

/** Decodes a `cl_version`, packed as 10, 10 and 12 bits, to `major.minor.patch`. */
export function version(bytes: Uint8Array): string {
  const packed = uint32(bytes);
  return `${packed >>> 22}.${(packed >>> 12) & 0x3ff}.${packed & 0xfff}`;
}

/** Decodes a `cl_name_version[]`. */
export function nameVersions(bytes: Uint8Array): NameVersion[] {
  return elements(bytes, 68, "cl_name_version").map((element) => ({
    version: version(element),
    name: string(element.subarray(4)),
  }));
}

/** Decodes the 16 bytes of a UUID to the usual form of `8-4-4-4-12` digits. */
export function uuid(bytes: Uint8Array): string {
  const digits = hex(bytes, 16, "UUID");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Decodes the 8 bytes of a locally unique identifier to hexadecimal digits. */
export function luid(bytes: Uint8Array): string {
  return hex(bytes, 8, "LUID");
}

/** Decodes a `cl_device_pci_bus_info_khr`. */
export function pciBusInfo(bytes: Uint8Array): PciBusInfo {
  const data = view(bytes, 16, "cl_device_pci_bus_info_khr");
  return {
    domain: data.getUint32(0, true),
    bus: data.getUint32(4, true),
    device: data.getUint32(8, true),
    function: data.getUint32(12, true),
  };
}

/** Decodes a `cl_device_topology_amd`. Its fields are signed in C, but bus numbers go up to 255. */
export function topologyAmd(bytes: Uint8Array): TopologyAmd {
  const data = view(bytes, 24, "cl_device_topology_amd");
  return {
    type: data.getUint32(0, true),
    bus: data.getUint8(21),
    device: data.getUint8(22),
    function: data.getUint8(23),
  };
}

/** Decodes a `cl_image_format`. */
export function imageFormat(bytes: Uint8Array): ImageFormatInfo {
  const data = view(bytes, 8, "cl_image_format");
  return { order: data.getUint32(0, true), type: data.getUint32(4, true) };
}

/** Decodes a `cl_device_integer_dot_product_acceleration_properties_khr`. */
export function dotProductAcceleration(bytes: Uint8Array): DotProductAcceleration {
  view(bytes, 24, "cl_device_integer_dot_product_acceleration_properties_khr");
  const at = (index: number): boolean => bool(bytes.subarray(4 * index));
  return {
    signed: at(0),
    unsigned: at(1),
    mixedSignedness: at(2),
    accumulatingSaturatingSigned: at(3),
    accumulatingSaturatingUnsigned: at(4),
    accumulatingSaturatingMixedSignedness: at(5),
  };
}

/** Decodes a `cl_queue_family_properties_intel[]`. The structure is padded to a multiple of 8 bytes. */
export function queueFamiliesIntel(bytes: Uint8Array): QueueFamilyIntel[] {
  return elements(bytes, 88, "cl_queue_family_properties_intel").map((element) => {
    const data = view(element, 88, "cl_queue_family_properties_intel");
    return {
      properties: Number(data.getBigUint64(0, true)),
      capabilities: Number(data.getBigUint64(8, true)),
      count: data.getUint32(16, true),
      name: string(element.subarray(20, 84)),
    };
  });
}

function hex(bytes: Uint8Array, length: number, type: string): string {
  view(bytes, length, type);
  return Array.from(bytes.subarray(0, length), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
