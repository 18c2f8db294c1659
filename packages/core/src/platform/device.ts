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

/** How to divide a device; exactly one of these. */
export type Partition =
  | { /** Compute units of each part. */ readonly equally: number }
  | { /** Compute units of each part, one by one. */ readonly byCounts: readonly number[] }
  | {
      /** Parts that share a cache or a memory node. */
      readonly byAffinityDomain: "numa" | "l4" | "l3" | "l2" | "l1" | "next";
    }
  | { /** OpenCL's own property list, without its closing 0. */ readonly properties: readonly (number | bigint)[] };

const affinityDomains = {
  numa: DeviceAffinityDomain.NUMA,
  l4: DeviceAffinityDomain.L4_CACHE,
  l3: DeviceAffinityDomain.L3_CACHE,
  l2: DeviceAffinityDomain.L2_CACHE,
  l1: DeviceAffinityDomain.L1_CACHE,
  next: DeviceAffinityDomain.NEXT_PARTITIONABLE,
} as const;

/** What a device may answer differently every time. */
const changing: ReadonlySet<number> = new Set([DeviceInfo.REFERENCE_COUNT, DeviceInfo.GLOBAL_FREE_MEMORY_AMD]);

const devices = new Map<Handle, Device>();

let platformOf: (handle: Handle) => Platform;

/** platform.ts, which imports this module, says how a handle becomes a platform. */
export function connectPlatforms(of: (handle: Handle) => Platform): void {
  platformOf = of;
}

/** Something that runs kernels: a CPU, a GPU, an accelerator. Get them from a {@link Platform}. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the getters are defined below, from the table
export interface Device extends DeviceProperties, DerivedDeviceProperties {}
export class Device extends QueriedResource {
  /** What a device never changes is asked once. */
  readonly #answers = new Map<number, Uint8Array>();
  readonly #parent: Device | undefined;

  /** @internal */
  constructor(handle: Handle, parent?: Device) {
    if (!Number.isInteger(handle)) throw illegalConstructor("devices are not made; get them from a platform");
    super(handle, undefined, parent !== undefined);
    this.#parent = parent;
  }

  /** @internal The root device with this handle; there is one object for each. */
  static of(handle: Handle): Device {
    let device = devices.get(handle);
    if (device === undefined) {
      device = new Device(handle);
      devices.set(handle, device);
    }
    return device;
  }

  /** The device with this `cl_device_id`. */
  static fromPointer(pointer: bigint): Device {
    return Device.of(native.adopt(handleKinds.indexOf("device"), checkPointer(pointer), false));
  }

  /** The platform it belongs to. */
  get platform(): Platform {
    return platformOf(native.devicePlatform(handleOf(this)));
  }

  /** The device that this one is a part of. */
  get parentDevice(): Device | undefined {
    return this.#parent;
  }

  /** The raw answer of any query, vendors' own included. */
  override getInfo(param: number): Uint8Array {
    const handle = handleOf(this);
    let answer = this.#answers.get(param);
    if (answer === undefined) {
      answer = native.getInfo(handle, checkInteger(param, "param", 0, 0xffffffff));
      if (!changing.has(param)) this.#answers.set(param, answer);
    }
    return answer.slice();
  }

  /** True if the device lists an extension. */
  hasExtension(name: string): boolean {
    return this.extensions.includes(checkString(name, "name"));
  }

  /** Divides the device. Each part is a device of its own and ends when it is released or collected. */
  createSubDevices(partition: Partition): readonly Device[] {
    const properties = BigUint64Array.from(partitionProperties(partition).map(BigInt));
    try {
      return native.subDevices(handleOf(this), properties).map((handle) => new Device(handle, this));
    } catch (error) {
      throw this.#partitionError(error, properties[0]);
    }
  }

  /** What the driver calls an invalid value is, if the device does not list that way of division, one that it lacks. */
  #partitionError(error: unknown, wanted: bigint | undefined): unknown {
    if (!(error instanceof OpenCLError) || error.code !== "CL_INVALID_VALUE") return error;
    const known = this.partitionProperties.filter((property) => property !== 0);
    if (wanted === undefined || known.some((property) => BigInt(property) === wanted)) return error;
    const names = known.map((property) => constantName(DevicePartitionProperty, property) ?? String(property));
    return new NotSupportedError(
      "clCreateSubDevices",
      `'${this.name}' cannot be divided in this way: ${names.length === 0 ? "it lists none" : `it lists ${names.join(", ")}`} in its partitionProperties`,
    );
  }

  /** The device's and the host's clock at one moment, in nanoseconds. */
  timers(): { readonly device: bigint; readonly host: bigint } {
    const view = new DataView(native.deviceTimers(handleOf(this)).buffer);
    return { device: view.getBigUint64(0, true), host: view.getBigUint64(8, true) };
  }

  /** The host's clock as the device's driver sees it, in nanoseconds. */
  hostTimer(): bigint {
    return new DataView(native.hostTimer(handleOf(this)).buffer).getBigUint64(0, true);
  }

  /** What tells this model and driver from others, for cache keys. */
  get modelIdentifier(): readonly string[] {
    return [this.vendor, String(this.vendorId), this.name, this.version, this.driverVersion];
  }

  /** Ends a sub-device. Root devices live as long as the process. */
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
      throw lacking(device, requires, name, error);
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

/** What the driver calls an invalid value is a query that the device is too old for, or whose extension it lacks. */
function lacking(device: Device, requires: string | undefined, name: string, error: unknown): unknown {
  const refused = error instanceof OpenCLError && refusals.has(error.code);
  if (!refused || requires === undefined) return error;
  const isVersion = /^\d/.test(requires);
  if (!isVersion && device.hasExtension(requires)) return error;
  return new NotSupportedError(
    "clGetDeviceInfo",
    `device '${device.name}' has no ${name}: ${isVersion ? `that came with OpenCL ${requires}` : `it lacks the extension ${requires}`}`,
  );
}

const refusals: ReadonlySet<string> = new Set(["CL_INVALID_VALUE", "CL_INVALID_OPERATION"]);

/** Drivers keep counts in 32 bits and take what is left of a larger one. */
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
