import { describe, expect, test } from "vitest";
import { Device, DeviceInfo, getPlatforms, OpenCLError } from "@cl/core";

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

  test("has a version, a profile and a platform", () => {
    expect(device.version).toMatch(/^OpenCL \d\.\d/);
    expect(device.profile).toMatch(/_PROFILE$/);
    expect(device.platform.devices).toContain(device);
    expect(device.parentDevice).toBeUndefined();
  });

  test("extensions is a list of names", () => {
    expect(device.extensions).not.toContain("");
    expect(device.extensions.every((name) => device.hasExtension(name))).toBe(true);
    expect(device.hasExtension("cl_khr_no_such_extension")).toBe(false);
  });

  test("the model identifier combines vendor, model and driver version", () => {
    expect(device.modelIdentifier).toContain(device.name);
    expect(device.modelIdentifier).toContain(device.driverVersion);
    expect(device.modelIdentifier.every((part) => typeof part === "string")).toBe(true);
  });
});

test("hostTimer() returns increasing times or throws an OpenCLError", () => {
  const [device] = devices as [Device];
  const time = (): bigint | OpenCLError => {
    try {
      return device.hostTimer();
    } catch (error) {
      return error as OpenCLError;
    }
  };
  const [first, second] = [time(), time()];
  if (typeof first === "bigint") expect(second).toBeGreaterThanOrEqual(first);
  else expect(first).toBeInstanceOf(OpenCLError);
});

test("modifying the bytes returned by getInfo does not change the device's", () => {
  const [device] = devices as [Device];
  const { name } = device;
  device.getInfo(DeviceInfo.NAME).fill(65);
  expect(device.name).toBe(name);
});

test("an unknown vendor query throws an OpenCLError", () => {
  expect(() => devices[0]?.getInfo(0x7fff_0000)).toThrow(OpenCLError);
});
