import { expect, test } from "vitest";
import { Device, DeviceType, getPlatforms, OpenCLError, Platform, PlatformInfo } from "@cl/core";
import { wrongType } from "@cl/testing/error-like";

const platforms = getPlatforms();

test("each platform has its name, vendor, version and profile", () => {
  expect(platforms.length).toBeGreaterThan(0);
  for (const platform of platforms) {
    expect(platform.name).not.toBe("");
    expect(platform.vendor).not.toBe("");
    expect(platform.version).toMatch(/^OpenCL \d\.\d /);
    expect(platform.profile).toMatch(/^(FULL|EMBEDDED)_PROFILE$/);
    expect(platform.extensions.every((name) => /^cl_\w+$/.test(name))).toBe(true);
  }
});

test("each platform query returns a value or throws an OpenCLError", () => {
  for (const platform of platforms) {
    for (const name of propertyNames(Platform.prototype)) {
      try {
        expect(platform[name as keyof Platform], name).toBeDefined();
      } catch (error) {
        expect(error, name).toBeInstanceOf(OpenCLError);
      }
    }
  }
});

test("a platform is the same object in each list", () => {
  expect(getPlatforms()[0]).toBe(platforms[0]);
  expect(platforms[0]?.devices[0]).toBe(platforms[0]?.getDevices()[0]);
});

test("platform.devices(type) returns devices of that type, or an empty list", () => {
  for (const platform of platforms) {
    expect(platform.devices.length).toBeGreaterThan(0);
    for (const type of [DeviceType.CPU, DeviceType.GPU, DeviceType.ACCELERATOR, DeviceType.CUSTOM]) {
      const devices = platform.getDevices(type);
      expect(devices).toEqual(platform.devices.filter((device) => (device.type & type) !== 0));
    }
    expect(platform.getDevices(DeviceType.ALL)).toEqual(platform.devices);
    expect(platform.getDevices(DeviceType.DEFAULT).length).toBeGreaterThan(0);
  }
});

test("hasExtension matches whole names", () => {
  const [platform] = platforms;
  const [extension = ""] = platform?.extensions ?? [];
  expect(platform?.hasExtension(extension)).toBe(true);
  expect(platform?.hasExtension(extension.slice(0, -1))).toBe(false);
});

test("getInfo returns raw bytes, and throws an OpenCLError for an unknown query", () => {
  const [platform] = platforms;
  const bytes = platform?.getInfo(PlatformInfo.NAME) ?? new Uint8Array();
  expect(new TextDecoder().decode(bytes.subarray(0, -1))).toBe(platform?.name);
  expect(() => platform?.getInfo(0x7fff_0000)).toThrow(OpenCLError);
  expect(() => platform?.getInfo("NAME" as unknown as number)).toThrow(wrongType("param"));
});

test("unloadCompiler does not throw", () => {
  expect(() => platforms[0]?.unloadCompiler()).not.toThrow();
});

test("platforms and devices cannot be created with new", () => {
  expect(() => new (Platform as unknown as new () => Platform)()).toThrow(TypeError);
  expect(() => new (Device as unknown as new () => Device)()).toThrow(TypeError);
});

test("releasing a platform or a root device does nothing", () => {
  const [platform] = platforms;
  platform?.release();
  platform?.devices[0]?.release();
  expect(platform?.released).toBe(false);
  expect(platform?.devices[0]?.name).not.toBe("");
});

function propertyNames(prototype: object): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([, descriptor]) => descriptor.get !== undefined)
    .map(([name]) => name);
}
