/**
 * What the rules know of a device. They read nothing else, so that a test can describe hardware that is not there.
 */
import { type Device, OpenCLError } from "@cl/core";

/** The part of a platform's description that rules read. */
export interface PlatformFacts {
  readonly name: string;
  readonly vendor: string;
  readonly version: string;
}

/** The part of a device's description that rules read. What a device does not answer is undefined. */
export interface DeviceFacts {
  readonly platform: PlatformFacts;
  readonly name: string;
  readonly vendor: string;
  readonly version: string;
  /** Of `DeviceType`. */
  readonly type: number;
  readonly extensions: readonly string[];
  readonly maxComputeUnits: number;
  readonly maxWorkGroupSize: number;
  readonly maxWorkItemSizes: readonly number[];
  readonly addressBits: number;
  readonly globalMemCacheSize: number;
  readonly localMemSize: number;
  /** Of `DeviceLocalMemType`. */
  readonly localMemType: number;
  readonly preferredWorkGroupSizeMultiple?: number | undefined;
  readonly svmCapabilities?: number | undefined;
  readonly computeCapabilityMajorNv?: number | undefined;
  readonly computeCapabilityMinorNv?: number | undefined;
  readonly warpSizeNv?: number | undefined;
  readonly wavefrontWidthAmd?: number | undefined;
  readonly localMemBanksAmd?: number | undefined;
  readonly boardNameAmd?: string | undefined;
  readonly subGroupSizesIntel?: readonly number[] | undefined;
}

const known = new WeakMap<Device, DeviceFacts>();

/** The facts about a device, asked once. */
export function factsOf(device: Device): DeviceFacts {
  let facts = known.get(device);
  if (facts === undefined) {
    facts = ask(device);
    known.set(device, facts);
  }
  return facts;
}

function ask(device: Device): DeviceFacts {
  const { platform } = device;
  return {
    platform: { name: platform.name, vendor: platform.vendor, version: platform.version },
    name: device.name,
    vendor: device.vendor,
    version: device.version,
    type: device.type,
    extensions: device.extensions,
    maxComputeUnits: device.maxComputeUnits,
    maxWorkGroupSize: device.maxWorkGroupSize,
    maxWorkItemSizes: device.maxWorkItemSizes,
    addressBits: device.addressBits,
    globalMemCacheSize: device.globalMemCacheSize,
    localMemSize: device.localMemSize,
    localMemType: device.localMemType,
    preferredWorkGroupSizeMultiple: positive(device, "preferredWorkGroupSizeMultiple"),
    svmCapabilities: optional(() => device.svmCapabilities),
    computeCapabilityMajorNv: optional(() => device.computeCapabilityMajorNv),
    computeCapabilityMinorNv: optional(() => device.computeCapabilityMinorNv),
    warpSizeNv: positive(device, "warpSizeNv"),
    wavefrontWidthAmd: positive(device, "wavefrontWidthAmd"),
    localMemBanksAmd: positive(device, "localMemBanksAmd"),
    boardNameAmd: optional(() => device.boardNameAmd),
    subGroupSizesIntel: optional(() => device.subGroupSizesIntel),
  };
}

/** What only some drivers answer; the others say that they do not know the question. */
function optional<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof OpenCLError && doesNotKnow.has(error.code)) return undefined;
    throw error;
  }
}

const doesNotKnow: ReadonlySet<string> = new Set(["ERR_CL_NOT_SUPPORTED", "CL_INVALID_VALUE", "CL_INVALID_OPERATION"]);

/** A count, of which some drivers say 0 where they do not know it. */
function positive(
  device: Device,
  name: "preferredWorkGroupSizeMultiple" | "warpSizeNv" | "wavefrontWidthAmd" | "localMemBanksAmd",
): number | undefined {
  const value = optional(() => device[name]);
  return value === 0 ? undefined : value;
}
