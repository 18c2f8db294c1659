// Decoders of the structures that OpenCL info queries answer with. Offsets are those of the C structures in cl.h and
// cl_ext.h; all of them are naturally aligned without padding in between.

import { bool, elements, string, uint32, view } from "./decode.js";

/** A name and the version it has, as OpenCL 3.0 lists extensions, features and intermediate languages. */
export interface NameVersion {
  /** Version as `major.minor.patch`. */
  readonly version: string;
  /** Name of the extension, feature or language. */
  readonly name: string;
}

/** Where a device sits on the PCI bus. */
export interface PciBusInfo {
  readonly domain: number;
  readonly bus: number;
  readonly device: number;
  readonly function: number;
}

/** Where an AMD device sits on the PCI bus. */
export interface TopologyAmd {
  /** Kind of topology, `DeviceTopologyTypeAmd.PCIE_AMD` being the only one; the rest means something only then. */
  readonly type: number;
  readonly bus: number;
  readonly device: number;
  readonly function: number;
}

/** Element format of an image. */
export interface ImageFormatInfo {
  /** One of `ChannelOrder`. */
  readonly order: number;
  /** One of `ChannelType`. */
  readonly type: number;
}

/** Which integer dot products run in hardware. */
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
  /** `CommandQueueProperties` that its queues can have. */
  readonly properties: number;
  /** `CommandQueueCapabilitiesIntel` of its queues. */
  readonly capabilities: number;
  /** How many queues it has. */
  readonly count: number;
  readonly name: string;
}

/** `cl_version`, packed as 10, 10 and 12 bits, as `major.minor.patch`. */
export function version(bytes: Uint8Array): string {
  const packed = uint32(bytes);
  return `${packed >>> 22}.${(packed >>> 12) & 0x3ff}.${packed & 0xfff}`;
}

/** `cl_name_version[]`. */
export function nameVersions(bytes: Uint8Array): NameVersion[] {
  return elements(bytes, 68, "cl_name_version").map((one) => ({
    version: version(one),
    name: string(one.subarray(4)),
  }));
}

/** A UUID's sixteen bytes in the usual form, `8-4-4-4-12` digits. */
export function uuid(bytes: Uint8Array): string {
  const digits = hex(bytes, 16, "UUID");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** A locally unique identifier's eight bytes as hexadecimal digits. */
export function luid(bytes: Uint8Array): string {
  return hex(bytes, 8, "LUID");
}

/** `cl_device_pci_bus_info_khr`. */
export function pciBusInfo(bytes: Uint8Array): PciBusInfo {
  const data = view(bytes, 16, "cl_device_pci_bus_info_khr");
  return {
    domain: data.getUint32(0, true),
    bus: data.getUint32(4, true),
    device: data.getUint32(8, true),
    function: data.getUint32(12, true),
  };
}

/** `cl_device_topology_amd`. Its fields are signed characters in C, though a bus number goes up to 255. */
export function topologyAmd(bytes: Uint8Array): TopologyAmd {
  const data = view(bytes, 24, "cl_device_topology_amd");
  return {
    type: data.getUint32(0, true),
    bus: data.getUint8(21),
    device: data.getUint8(22),
    function: data.getUint8(23),
  };
}

/** `cl_image_format`. */
export function imageFormat(bytes: Uint8Array): ImageFormatInfo {
  const data = view(bytes, 8, "cl_image_format");
  return { order: data.getUint32(0, true), type: data.getUint32(4, true) };
}

/** `cl_device_integer_dot_product_acceleration_properties_khr`. */
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

/** `cl_queue_family_properties_intel[]`; the structure is padded to a multiple of eight bytes. */
export function queueFamiliesIntel(bytes: Uint8Array): QueueFamilyIntel[] {
  return elements(bytes, 88, "cl_queue_family_properties_intel").map((one) => {
    const data = view(one, 88, "cl_queue_family_properties_intel");
    return {
      properties: Number(data.getBigUint64(0, true)),
      capabilities: Number(data.getBigUint64(8, true)),
      count: data.getUint32(16, true),
      name: string(one.subarray(20, 84)),
    };
  });
}

function hex(bytes: Uint8Array, length: number, type: string): string {
  view(bytes, length, type);
  return Array.from(bytes.subarray(0, length), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
