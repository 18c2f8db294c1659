import { Context, getPlatforms } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";
import { testDevices } from "@cl/tools/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const all = getPlatforms().flatMap((platform) => platform.devices);

beforeEach(() => {
  vi.stubEnv("CL_DEVICE", undefined);
  vi.stubEnv("CL_TEST_DEVICES", undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

test("without a variable testDevices gives every device", () => {
  expect(testDevices()).toEqual(all);
  vi.stubEnv("CL_TEST_DEVICES", "");
  vi.stubEnv("CL_DEVICE", "");
  expect(testDevices()).toEqual(all);
});

test("CL_TEST_DEVICES is a list of selectors, and each device comes once", () => {
  vi.stubEnv("CL_TEST_DEVICES", "0:0; 0:0 ;0:*;");
  expect(testDevices()).toEqual(getPlatforms()[0]?.devices);
});

test("CL_DEVICE says it where CL_TEST_DEVICES does not", () => {
  vi.stubEnv("CL_DEVICE", "0:0");
  expect(testDevices()).toEqual(Context.create().devices);
  vi.stubEnv("CL_TEST_DEVICES", "0:*");
  expect(testDevices()).toEqual(getPlatforms()[0]?.devices);
});

test.each(["CL_TEST_DEVICES", "CL_DEVICE"])(
  "what %s does not find is an error that names it and all devices",
  (name) => {
    vi.stubEnv(name, "99:0");
    expect(testDevices).toThrow(RangeError);
    expect(testDevices).toThrow(expect.objectContaining({ code: "ERR_CL_NO_DEVICE" }));
    expect(testDevices).toThrow(errorLike(RangeError, "ERR_CL_NO_DEVICE"));
    for (const device of all) expect(testDevices).toThrow(device.name);
  },
);

test("a CL_TEST_DEVICES of semicolons alone names no device, and says so", () => {
  vi.stubEnv("CL_TEST_DEVICES", " ; ;");
  expect(testDevices).toThrow(errorLike(RangeError, "ERR_CL_NO_DEVICE"));
});
