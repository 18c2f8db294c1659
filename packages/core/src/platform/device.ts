/** Devices and sub-devices. */
import { checkInteger, checkOptions, checkPointer, checkString, illegalConstructor, typeError } from "@cl/base";

import { DeviceAffinityDomain, DeviceInfo, DevicePartitionProperty, DeviceType } from "../binding/constants.js";
import { type DerivedDeviceProperties, derivedDeviceProperties } from "../info/device-derived.js";
import { type DeviceProperties, deviceQueries } from "../info/device-info.js";
import { NotSupportedError, OpenCLError } from "../binding/errors.js";
import { constantName, flagNames } from "../info/names.js";
import { defineQueryProperties } from "../info/query.js";
import { type Handle, handleKinds, native } from "../binding/native.js";
import type { Platform } from "./platform.js";
import { QueriedResource } from "../binding/queried-resource.js";
import { handleOf } from "../binding/resource.js";

/** How to partition a device; exactly one of these properties. */
export type Partition =
  | { /** Number of compute units of every sub-device. */ readonly equally: number }
  | { /** Number of compute units of each sub-device. */ readonly byCounts: readonly number[] }
  | {
      /** Cache level or memory node that the compute units of a sub-device share. */
      readonly byAffinityDomain: "numa" | "l4" | "l3" | "l2" | "l1" | "next";
    }
  | { /** Raw property list, without its terminating 0. */ readonly properties: readonly (number | bigint)[] };

const affinityDomains = {
  numa: DeviceAffinityDomain.NUMA,
  l4: DeviceAffinityDomain.L4_CACHE,
  l3: DeviceAffinityDomain.L3_CACHE,
  l2: DeviceAffinityDomain.L2_CACHE,
  l1: DeviceAffinityDomain.L1_CACHE,
  next: DeviceAffinityDomain.NEXT_PARTITIONABLE,
} as const;

/** Queries whose answer can change; not cached. */
const uncachedQueries: ReadonlySet<number> = new Set([DeviceInfo.REFERENCE_COUNT, DeviceInfo.GLOBAL_FREE_MEMORY_AMD]);

const devices = new Map<Handle, Device>();

let platformOf: (handle: Handle) => Platform;

/** Sets the function that returns a handle's platform; called by platform.ts, which imports this module. */
export function connectPlatforms(platformOfHandle: (handle: Handle) => Platform): void {
  platformOf = platformOfHandle;
}

/** A device that runs kernels: a CPU, a GPU or an accelerator. Obtain devices from a {@link Platform}. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the getters are defined below, from the table
export interface Device extends DeviceProperties, DerivedDeviceProperties {}
export class Device extends QueriedResource {
  /** Cached answers by query. */
  readonly #answers = new Map<number, Uint8Array>();
  readonly #parent: Device | undefined;

  /** @internal */
  constructor(handle: Handle, parent?: Device) {
    if (!Number.isInteger(handle)) {
      throw illegalConstructor("Device cannot be constructed; get devices from a Platform");
    }
    super(handle, undefined, parent !== undefined);
    this.#parent = parent;
  }

  /** @internal Returns the root device with this handle; always the same object. */
  static of(handle: Handle): Device {
    let device = devices.get(handle);
    if (device === undefined) {
      device = new Device(handle);
      devices.set(handle, device);
    }
    return device;
  }

  /** Returns the device with this `cl_device_id`. */
  static fromPointer(pointer: bigint): Device {
    return Device.of(native.adopt(handleKinds.indexOf("device"), checkPointer(pointer), false));
  }

  /** The device's platform. */
  get platform(): Platform {
    return platformOf(native.devicePlatform(handleOf(this)));
  }

  /** The device that this sub-device was created from; `undefined` for a root device. */
  get parentDevice(): Device | undefined {
    return this.#parent;
  }

  /** Returns the raw answer to any query, including vendor-specific ones. */
  override getInfo(param: number): Uint8Array {
    const handle = handleOf(this);
    let answer = this.#answers.get(param);
    if (answer === undefined) {
      answer = native.getInfo(handle, checkInteger(param, "param", 0, 0xffffffff));
      if (!uncachedQueries.has(param)) this.#answers.set(param, answer);
    }
    return answer.slice();
  }

  /** Returns whether the device supports an extension. */
  hasExtension(name: string): boolean {
    return this.extensions.includes(checkString(name, "name"));
  }

  /** Creates sub-devices. A sub-device exists until it is released or garbage-collected. */
  createSubDevices(partition: Partition): readonly Device[] {
    const properties = BigUint64Array.from(partitionProperties(partition).map(BigInt));
    try {
      return native.subDevices(handleOf(this), properties).map((handle) => new Device(handle, this));
    } catch (error) {
      throw this.#partitionError(error, properties[0]);
    }
  }

  /** Replaces CL_INVALID_VALUE by a clearer error if the device does not list the kind of partition. */
  #partitionError(error: unknown, requested: bigint | undefined): unknown {
    if (!(error instanceof OpenCLError) || error.code !== "CL_INVALID_VALUE") return error;
    const supported = this.partitionProperties.filter((property) => property !== 0);
    if (requested === undefined || supported.some((property) => BigInt(property) === requested)) return error;
    const names = supported.map((property) => constantName(DevicePartitionProperty, property) ?? String(property));
    return new NotSupportedError(
      "clCreateSubDevices",
      `'${this.name}' does not support this kind of partition; it supports ${names.length === 0 ? "none" : names.join(", ")} (partitionProperties)`,
    );
  }

  /** Returns the device's and the host's clock at the same moment, in nanoseconds. */
  timers(): { readonly device: bigint; readonly host: bigint } {
    const view = new DataView(native.deviceTimers(handleOf(this)).buffer);
    return { device: view.getBigUint64(0, true), host: view.getBigUint64(8, true) };
  }

  /** Returns the host clock as the device's driver reads it, in nanoseconds. */
  hostTimer(): bigint {
    return new DataView(native.hostTimer(handleOf(this)).buffer).getBigUint64(0, true);
  }

  /** Strings that identify the device model and driver, for cache keys. */
  get modelIdentifier(): readonly string[] {
    return [this.vendor, String(this.vendorId), this.name, this.version, this.driverVersion];
  }

  /** Releases a sub-device. Does nothing for a root device. */
  override release(): void {
    if (this.#parent !== undefined) super.release();
  }

  protected override summary(): string {
    const type = flagNames(DeviceType, this.type).filter((name) => name !== "DEFAULT");
    return `'${this.name}', ${type.join("|")}, ${this.version.split(" ").slice(0, 2).join(" ")}, ${this.maxComputeUnits} CU`;
  }
}
defineQueryProperties<Device, DeviceProperties>(
  Device.prototype,
  deviceQueries,
  (device, { param, requires }, name) => {
    try {
      return device.getInfo(param);
    } catch (error) {
      throw explainQueryError(device, requires, name, error);
    }
  },
);
for (const [name, derive] of Object.entries(derivedDeviceProperties)) {
  Object.defineProperty(Device.prototype, name, {
    configurable: true,
    get(this: Device): unknown {
      return derive((other) => this[other]);
    },
  });
}

/** Replaces the driver's error by one that names the OpenCL version or extension that a query needs. */
function explainQueryError(device: Device, requires: string | undefined, name: string, error: unknown): unknown {
  const unsupported = error instanceof OpenCLError && unsupportedQueryCodes.has(error.code);
  if (!unsupported || requires === undefined) return error;
  const isVersion = /^\d/.test(requires);
  if (!isVersion && device.hasExtension(requires)) return error;
  return new NotSupportedError(
    "clGetDeviceInfo",
    `device '${device.name}' does not support ${name}, which needs ${isVersion ? `OpenCL ${requires}` : `the extension ${requires}`}`,
  );
}

const unsupportedQueryCodes: ReadonlySet<string> = new Set(["CL_INVALID_VALUE", "CL_INVALID_OPERATION"]);

/** Drivers truncate counts to 32 bits. */
const maxUnits = 0xffffffff;

function partitionProperties(partition: Partition): readonly (number | bigint)[] {
  const { EQUALLY, BY_COUNTS, BY_COUNTS_LIST_END, BY_AFFINITY_DOMAIN } = DevicePartitionProperty;
  const given = checkOptions(
    partition,
    ["equally", "byCounts", "byAffinityDomain", "properties"],
    "partition",
  ) as Record<string, unknown>;
  if (Object.keys(given).length === 1) {
    if ("equally" in partition) return [EQUALLY, checkInteger(partition.equally, "partition.equally", 1, maxUnits)];
    if ("byCounts" in partition && Array.isArray(partition.byCounts) && partition.byCounts.length > 0) {
      const counts = partition.byCounts.map((count, i) => checkInteger(count, `partition.byCounts[${i}]`, 1, maxUnits));
      return [BY_COUNTS, ...counts, BY_COUNTS_LIST_END];
    }
    if ("byAffinityDomain" in partition && Object.hasOwn(affinityDomains, partition.byAffinityDomain)) {
      return [BY_AFFINITY_DOMAIN, affinityDomains[partition.byAffinityDomain]];
    }
    if ("properties" in partition && Array.isArray(partition.properties)) {
      return partition.properties.map((value: unknown, i) =>
        typeof value === "bigint" ? BigInt.asUintN(64, value) : checkInteger(value, `partition.properties[${i}]`),
      );
    }
  }
  throw typeError(
    "partition",
    "one of { equally }, { byCounts: [n, …] }, { byAffinityDomain: 'numa' | 'l4' | 'l3' | 'l2' | 'l1' | 'next' }, { properties }",
    partition,
  );
}
