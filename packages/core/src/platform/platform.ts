/** Platforms: the OpenCL drivers of this machine. */
import { checkInteger, checkPointer, checkString, illegalConstructor, rangeError } from "@cl/base";

import { DeviceType } from "../binding/constants.js";
import { connectPlatforms, Device } from "./device.js";
import { nothingFound } from "../binding/errors.js";
import { type PlatformProperties, platformQueries } from "../info/platform-info.js";
import { defineQueryProperties } from "../info/query.js";
import { type Handle, handleKinds, native } from "../binding/native.js";
import { QueriedResource } from "../binding/queried-resource.js";
import { handleOf } from "../binding/resource.js";

const platforms = new Map<Handle, Platform>();

/** The platform with this native handle; there is one object for each. */
function platformOf(handle: Handle): Platform {
  let platform = platforms.get(handle);
  if (platform === undefined) {
    platform = new Platform(handle);
    platforms.set(handle, platform);
  }
  return platform;
}

/** An OpenCL driver. Get them from {@link getPlatforms}. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the getters are defined below, from the table
export interface Platform extends PlatformProperties {}
export class Platform extends QueriedResource {
  /** @internal */
  constructor(handle: Handle) {
    if (!Number.isInteger(handle)) throw illegalConstructor("platforms are not made; get them from getPlatforms()");
    super(handle, undefined, false);
  }

  /** The platform with this `cl_platform_id`. */
  static fromPointer(pointer: bigint): Platform {
    return platformOf(native.adopt(handleKinds.indexOf("platform"), checkPointer(pointer), false));
  }

  /** All its devices. */
  get devices(): readonly Device[] {
    return this.getDevices();
  }

  /** Its devices of a type; none is an empty list. */
  getDevices(type: number = DeviceType.ALL): readonly Device[] {
    checkDeviceType(type);
    return native.devices(handleOf(this), type).map((handle) => Device.of(handle));
  }

  /** True if the platform lists an extension. */
  hasExtension(name: string): boolean {
    return this.extensions.includes(checkString(name, "name"));
  }

  /** Lets the driver give back what its compiler holds. The next build loads it again. */
  unloadCompiler(): void {
    native.unloadCompiler(handleOf(this));
  }

  /** Platforms live as long as the process; nothing to release. */
  override release(): void {}

  protected override summary(): string {
    return `'${this.name}', ${this.version}`;
  }
}
defineQueryProperties<Platform, PlatformProperties>(Platform.prototype, platformQueries, (platform, { param }) =>
  platform.getInfo(param),
);

connectPlatforms(platformOf);

/** Bits of `DeviceType`; drivers take others for nothing, or for everything. */
export function checkDeviceType(type: number): number {
  const known = DeviceType.DEFAULT | DeviceType.CPU | DeviceType.GPU | DeviceType.ACCELERATOR | DeviceType.CUSTOM;
  if (checkInteger(type, "type", 1, DeviceType.ALL) !== DeviceType.ALL && (type & ~known) !== 0) {
    throw rangeError("type", "of DeviceType", type);
  }
  return type;
}

/** The platforms of this machine. Throws `NoRuntimeError` if there is no OpenCL library or none is installed for it. */
export function getPlatforms(): readonly Platform[] {
  const handles = native.platforms();
  if (handles.length === 0) throw nothingFound("platform", [native.runtimePath()]);
  return handles.map(platformOf);
}
