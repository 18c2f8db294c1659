/** Platforms. */
import { checkInteger, checkPointer, checkString, illegalConstructor, rangeError } from "@cl/base";

import { DeviceType } from "../binding/constants.js";
import { connectPlatforms, Device } from "./device.js";
import { nothingFound } from "../binding/errors.js";
import { type PlatformProperties, platformQueries } from "../info/platform-info.js";
import { defineQueryProperties } from "../info/query.js";
import { type Handle, handleKinds, native } from "../binding/native.js";
import { QueriedResource } from "../binding/queried-resource.js";
import { handleOf } from "../binding/resource.js";
import type { Runtime } from "./runtime.js";

const platforms = new Map<Handle, Platform>();

/** Returns the platform with this native handle; always the same object. */
function platformOf(handle: Handle): Platform {
  let platform = platforms.get(handle);
  if (platform === undefined) {
    platform = new Platform(handle);
    platforms.set(handle, platform);
  }
  return platform;
}

/** An OpenCL driver. Obtain platforms from {@link getPlatforms}. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the getters are defined below, from the table
export interface Platform extends PlatformProperties {}
export class Platform extends QueriedResource {
  /** @internal */
  constructor(handle: Handle) {
    if (!Number.isInteger(handle)) {
      throw illegalConstructor("Platform cannot be constructed; get platforms from getPlatforms()");
    }
    super(handle, undefined, false);
  }

  /** Returns the platform with this `cl_platform_id`. */
  static fromPointer(pointer: bigint): Platform {
    return platformOf(native.adopt(handleKinds.indexOf("platform"), checkPointer(pointer), false));
  }

  /** The OpenCL library that lists the platform: the system's or one that {@link addRuntime} added. */
  get runtime(): Runtime {
    const [name, path] = native.platformRuntime(handleOf(this));
    return { name, path };
  }

  /** All devices of the platform. */
  get devices(): readonly Device[] {
    return this.getDevices();
  }

  /** Returns the platform's devices of a type; an empty array if it has no such devices. */
  getDevices(type: number = DeviceType.ALL): readonly Device[] {
    checkDeviceType(type);
    return native.devices(handleOf(this), type).map((handle) => Device.of(handle));
  }

  /** Returns whether the platform supports an extension. */
  hasExtension(name: string): boolean {
    return this.extensions.includes(checkString(name, "name"));
  }

  /** Lets the driver free its compiler's resources. The next build loads the compiler again. */
  unloadCompiler(): void {
    native.unloadCompiler(handleOf(this));
  }

  /** Does nothing: platforms exist as long as the process. */
  override release(): void {}

  protected override summary(): string {
    return `'${this.name}', ${this.version}`;
  }
}
defineQueryProperties<Platform, PlatformProperties>(Platform.prototype, platformQueries, (platform, { param }) =>
  platform.getInfo(param),
);

connectPlatforms(platformOf);

/** Throws unless `type` consists of `DeviceType` bits: drivers treat unknown bits as no device or every device. */
export function checkDeviceType(type: number): number {
  const known = DeviceType.DEFAULT | DeviceType.CPU | DeviceType.GPU | DeviceType.ACCELERATOR | DeviceType.CUSTOM;
  if (checkInteger(type, "type", 1, DeviceType.ALL) !== DeviceType.ALL && (type & ~known) !== 0) {
    throw rangeError("type", "a combination of DeviceType flags", type);
  }
  return type;
}

/**
 * Returns the platforms of this machine: those of the system's OpenCL library, then those of added runtimes
 * ({@link addRuntime}). Throws `NoRuntimeError` if no platform is found.
 */
export function getPlatforms(): readonly Platform[] {
  const handles = native.platforms();
  if (handles.length === 0) throw nothingFound("platform", native.runtimePaths());
  return handles.map(platformOf);
}
