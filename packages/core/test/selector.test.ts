import { errorLike } from "@cl/testing/error-like";
import { afterEach, expect, test } from "vitest";
import { Context, DeviceType, getPlatforms, selectDeviceLists, selectDevices } from "@cl/core";

const platforms = getPlatforms();
const [platform] = platforms as [(typeof platforms)[0]];
const devices = platforms.flatMap((one) => one.devices);
const [device] = devices as [(typeof devices)[0]];
const noDevice = errorLike(RangeError, "ERR_CL_NO_DEVICE");
const given = process.env["CL_DEVICE"];

afterEach(() => {
  if (given === undefined) delete process.env["CL_DEVICE"];
  else process.env["CL_DEVICE"] = given;
});

test("an index selects a platform, and its first device", () => {
  expect(selectDevices("0")).toEqual([device]);
});

test("an index, a list or a star selects platforms and devices", () => {
  expect(selectDevices("0:0")).toEqual([device]);
  expect(selectDevices(" 0 : 0 ")).toEqual([device]);
  expect(selectDevices("0:*")).toEqual(platform.devices);
  expect(selectDevices("0:0,0")).toEqual([device]);
});

test("a part of the name or vendor selects platforms and devices, ignoring case", () => {
  const word = platform.name.slice(0, 6);
  expect(selectDevices(word.toUpperCase())).toEqual([device]);
  expect(selectDevices(`${word.toLowerCase()}:${device.name.slice(0, 4)}`)).toEqual([device]);
  expect(selectDevices(device.name)).toEqual([device]);
});

test("pocl is an alias of the Portable Computing Language", () => {
  const expected = platforms.find((one) => one.name === "Portable Computing Language")?.devices[0];
  if (expected === undefined) expect(() => selectDevices("pocl:0")).toThrow(noDevice);
  else expect(selectDevices("pocl:0")).toEqual([expected]);
});

test.each([
  ["cpu", DeviceType.CPU],
  ["gpu", DeviceType.GPU],
  ["accelerator", DeviceType.ACCELERATOR],
])("%s selects the first device of that type, or throws if the platforms have none", (word, type) => {
  const expected = devices.find((one) => (one.type & type) !== 0);
  if (expected === undefined) expect(() => selectDevices(word)).toThrow(noDevice);
  else expect(selectDevices(word.toUpperCase())).toEqual([expected]);
});

test("all selects every device of the first platform with any", () => {
  expect(selectDevices("all")).toEqual(platform.devices);
});

test.each(["  ", "99:0", "0:99", "0:", ":0", "0:0,", "0:-1", "nothing like this", "0:nothing", "constructor"])(
  "the selector %j selects nothing, and the error lists the available devices",
  (selector) => {
    const select = (): unknown => selectDevices(selector);
    expect(select).toThrow(noDevice);
    for (const one of devices) expect(select).toThrow(one.name);
  },
);

test("semicolons separate a list of selectors", () => {
  expect(selectDeviceLists("0:0; 0 ;")).toEqual([[device], [device]]);
  expect(selectDeviceLists("")).toEqual([]);
  expect(() => selectDeviceLists("0;99")).toThrow(noDevice);
});

test("CL_DEVICE is the default selector", () => {
  process.env["CL_DEVICE"] = "0:0";
  expect(Context.create().devices).toEqual([device]);
  process.env["CL_DEVICE"] = "nothing like this";
  expect(() => Context.create()).toThrow(noDevice);
  expect(Context.create("0:0").devices).toEqual([device]);
  process.env["CL_DEVICE"] = "";
  expect(Context.create().devices).toHaveLength(1);
});

test("without CL_DEVICE, the default is the first GPU, else the first device", () => {
  delete process.env["CL_DEVICE"];
  const gpu = devices.find((one) => (one.type & DeviceType.GPU) !== 0);
  expect(Context.create().devices).toEqual([gpu ?? device]);
});
