import { Context, type Device } from "@cl/core";
import { hasDoubleSupport } from "@cl/characterize";
import { expect, test } from "vitest";

const [device] = Context.create().devices as [Device];

test("hasDoubleSupport says whether the device has cl_khr_fp64", () => {
  expect(hasDoubleSupport(device)).toBe(device.extensions.includes("cl_khr_fp64"));
});
