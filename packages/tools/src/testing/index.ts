/** The exports of `@cl/tools/testing`: helpers for tests with Vitest. */
export { describeDevices, type DescribeDevicesOptions, type DeviceSuite } from "./describe-devices.js";
export { needs, type Run } from "@cl/base/testing";
export { SkipSummary } from "./skip-summary.js";
export { testDevices } from "./test-devices.js";
export { type DeviceFixtures, testOn } from "./test-on.js";
export { type AllocatorSetting, describeAllocator, type DescribeAllocatorOptions } from "./describe-allocator.js";
