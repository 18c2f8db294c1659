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

test.each([
  ["CL_TEST_DEVICES", "99:0"],
  ["CL_TEST_DEVICES", " ; ;"],
  ["CL_DEVICE", "99:0"],
])("%s=%j, which selects nothing, throws", (name, selector) => {
  vi.stubEnv(name, selector);
  expect(testDevices).toThrow(errorLike(RangeError, "ERR_CL_NO_DEVICE"));
});
