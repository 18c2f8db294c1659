import { describe, expect, test } from "vitest";
import { Device, DeviceInfo, DeviceType, getPlatforms, OpenCLError } from "@cl/core";

const devices = getPlatforms().flatMap((platform) => platform.devices);
const properties = Object.entries(Object.getOwnPropertyDescriptors(Device.prototype))
  .filter(([, descriptor]) => descriptor.get !== undefined)
  .map(([name]) => name);

describe.each(devices.map((device) => [device.name, device] as const))("%s", (_, device) => {
  test("every property has a value or throws an OpenCLError if the device does not support it", () => {
    expect(properties.length).toBeGreaterThan(150);
    for (const name of properties) {
      // A root device has no parent; every other supported property has a value.
      if (name === "parentDevice") continue;
      try {
        expect(device[name as keyof Device], name).toBeDefined();
      } catch (error) {
        expect(error, name).toBeInstanceOf(OpenCLError);
        expect((error as OpenCLError).routine, name).toMatch(/^cl/);
      }
    }
  });

  test("properties required by OpenCL 1.2 have plausible values", () => {
    expect(device.maxComputeUnits).toBeGreaterThan(0);
    expect(device.maxWorkGroupSize).toBeGreaterThan(0);
    expect(device.maxWorkItemDimensions).toBeGreaterThanOrEqual(3);
    expect(device.maxWorkItemSizes).toHaveLength(device.maxWorkItemDimensions);
    expect(device.globalMemSize).toBeGreaterThan(1 << 20);
    expect(device.maxMemAllocSize).toBeLessThanOrEqual(device.globalMemSize);
    expect(device.localMemSize).toBeGreaterThan(0);
    // Sizes in bits.
    expect(device.memBaseAddrAlign).toBeGreaterThanOrEqual(8);
    expect(device.addressBits === 32 || device.addressBits === 64).toBe(true);
    expect(device.available).toBe(true);
    expect(device.compilerAvailable).toBe(true);
    expect(device.type & DeviceType.ALL).not.toBe(0);
  });

  test("version and profile are not swapped", () => {
    expect(device.version).toMatch(/^OpenCL \d\.\d/);
    expect(device.profile).toMatch(/_PROFILE$/);
  });

  test("derived properties agree with the queries they are computed from", () => {
    expect(device.hasImageSupport).toBe(device.imageSupport);
    expect(device.hasQueueProfiling).toBe(true);
    expect(device.maxImage2dShape).toEqual([device.image2dMaxWidth, device.image2dMaxHeight]);
    expect(device.maxImage3dShape).toHaveLength(3);
    expect(typeof device.hasNativeKernel).toBe("boolean");
    expect(typeof device.hasLocalMem).toBe("boolean");
  });

  test("belongs to its platform", () => {
    expect(device.platform.devices).toContain(device);
    expect(device.parentDevice).toBeUndefined();
  });

  test("extensions is a list of names", () => {
    expect(device.extensions).not.toContain("");
    expect(device.extensions.every((name) => device.hasExtension(name))).toBe(true);
    expect(device.hasExtension("cl_khr_no_such_extension")).toBe(false);
  });

  test("timers return times or throw the driver's OpenCLError", () => {
    for (const ask of [() => device.timers().device, () => device.hostTimer()]) {
      try {
        expect(ask()).toBeTypeOf("bigint");
      } catch (error) {
        expect(error).toBeInstanceOf(OpenCLError);
      }
    }
  });

  test("the model identifier combines vendor, model and driver version", () => {
    expect(device.modelIdentifier).toContain(device.name);
    expect(device.modelIdentifier).toContain(device.driverVersion);
    expect(device.modelIdentifier.every((part) => typeof part === "string")).toBe(true);
  });
});

test("modifying the bytes returned by getInfo does not change the device's", () => {
  const [device] = devices as [Device];
  const { name } = device;
  device.getInfo(DeviceInfo.NAME).fill(65);
  expect(device.name).toBe(name);
});

test.each([-1, 0.5, 2 ** 32, "NAME", undefined])("getInfo(%s) throws and names the argument", (param) => {
  expect(() => devices[0]?.getInfo(param as number)).toThrow(/^param must be an integer/);
});

test("an unknown vendor query throws an OpenCLError", () => {
  expect(() => devices[0]?.getInfo(0x7fff_0000)).toThrow(OpenCLError);
});
