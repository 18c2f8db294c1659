/**
 * The device properties that the rules use. They read nothing else, so tests can describe hardware that is not
 * installed.
 */
import { type Device, OpenCLError } from "@cl/core";

/** The platform properties that the rules use. */
export interface PlatformFacts {
  readonly name: string;
  readonly vendor: string;
  readonly version: string;
}

/** The device properties that the rules use. Properties that the driver does not support are `undefined`. */
export interface DeviceFacts {
  readonly platform: PlatformFacts;
  readonly name: string;
  readonly vendor: string;
  readonly version: string;
  /** Bit field of `DeviceType`. */
  readonly type: number;
  readonly extensions: readonly string[];
  readonly maxComputeUnits: number;
  readonly maxWorkGroupSize: number;
  readonly maxWorkItemSizes: readonly number[];
  readonly addressBits: number;
  readonly globalMemCacheSize: number;
  readonly localMemSize: number;
  /** Value of `DeviceLocalMemType`. */
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

const cachedFacts = new WeakMap<Device, DeviceFacts>();

/** Returns the facts about a device, which are queried once. */
export function factsOf(device: Device): DeviceFacts {
  let facts = cachedFacts.get(device);
  if (facts === undefined) {
    facts = queryFacts(device);
    cachedFacts.set(device, facts);
  }
  return facts;
}

/** Replaces the facts about a device. */
export function replaceFacts(device: Device, facts: DeviceFacts): void {
  cachedFacts.set(device, facts);
}

function queryFacts(device: Device): DeviceFacts {
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

/** Reads a property; returns `undefined` if the driver does not support the query. */
function optional<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof OpenCLError && unsupportedCodes.has(error.code)) return undefined;
    throw error;
  }
}

const unsupportedCodes: ReadonlySet<string> = new Set([
  "ERR_CL_NOT_SUPPORTED",
  "CL_INVALID_VALUE",
  "CL_INVALID_OPERATION",
]);

/** Reads a count; returns `undefined` for 0, which some drivers report for an unknown value. */
function positive(
  device: Device,
  name: "preferredWorkGroupSizeMultiple" | "warpSizeNv" | "wavefrontWidthAmd" | "localMemBanksAmd",
): number | undefined {
  const value = optional(() => device[name]);
  return value === 0 ? undefined : value;
}
