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

test("testDevices returns every device if no variable is set", () => {
  expect(testDevices()).toEqual(all);
  vi.stubEnv("CL_TEST_DEVICES", "");
  vi.stubEnv("CL_DEVICE", "");
  expect(testDevices()).toEqual(all);
});

test("CL_TEST_DEVICES is a list of selectors; each device is returned once", () => {
  vi.stubEnv("CL_TEST_DEVICES", "0:0; 0:0 ;0:*;");
  expect(testDevices()).toEqual(getPlatforms()[0]?.devices);
});

test("CL_DEVICE is used if CL_TEST_DEVICES is not set", () => {
  vi.stubEnv("CL_DEVICE", "0:0");
  expect(testDevices()).toEqual(Context.create().devices);
  vi.stubEnv("CL_TEST_DEVICES", "0:*");
  expect(testDevices()).toEqual(getPlatforms()[0]?.devices);
});

test.each(["CL_TEST_DEVICES", "CL_DEVICE"])(
  "a selector in %s without a match throws an error that lists all devices",
  (name) => {
    vi.stubEnv(name, "99:0");
    expect(testDevices).toThrow(RangeError);
    expect(testDevices).toThrow(expect.objectContaining({ code: "ERR_CL_NO_DEVICE" }));
    expect(testDevices).toThrow(errorLike(RangeError, "ERR_CL_NO_DEVICE"));
    for (const device of all) expect(testDevices).toThrow(device.name);
  },
);

test("a CL_TEST_DEVICES of only semicolons throws", () => {
  vi.stubEnv("CL_TEST_DEVICES", " ; ;");
  expect(testDevices).toThrow(errorLike(RangeError, "ERR_CL_NO_DEVICE"));
});
