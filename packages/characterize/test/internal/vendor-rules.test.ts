import { DeviceSvmCapabilities, DeviceType } from "@cl/core";
import { describe, expect, test } from "vitest";

import { vendorOf } from "../../src/device/vendor.js";
import { fastInaccurateBuildOptionsOf } from "../../src/questions/build-options.js";
import { nvComputeCapabilityOf } from "../../src/questions/compute-capability.js";
import { hasSvm } from "../../src/questions/features.js";
import { poclVersionOf } from "../../src/questions/pocl-version.js";
import { hasSourceBuildCacheOf } from "../../src/questions/source-build-cache.js";
import { structArgumentBugOf } from "../../src/questions/struct-argument-bug.js";
import { workGroupSizeMultipleOf } from "../../src/questions/work-group-size-multiple.js";
import {
  amdDevice,
  appleDevice,
  adrenoDevice,
  cpuDevice,
  describeDevice,
  intelDevice,
  maliDevice,
  nvidiaDevice,
  platforms,
} from "./described-devices.js";

describe("the vendor is detected", () => {
  test.each([
    ["NVIDIA Corporation", "nvidia"],
    ["Intel(R) Corporation", "intel"],
    ["Advanced Micro Devices, Inc.", "amd"],
    ["AuthenticAMD", "amd"],
    ["GenuineIntel", "intel"],
    ["AMD", "amd"],
    ["ATI Technologies Inc.", "amd"],
    ["Apple", "apple"],
    ["QUALCOMM", "qualcomm"],
    ["ARM", "arm"],
    // No match: "ati" in "Corporation", "arm" in "Pharmacy", "amd" in "Amdahl", "apple" in "Applegate".
    ["Imagination Corporation", undefined],
    ["Pharmacy Corporation", undefined],
    ["Amdahl Corporation", undefined],
    ["Applegate", undefined],
  ] as const)("by whole words: %s", (vendor, expected) => {
    expect(vendorOf(describeDevice({ vendor }))).toBe(expected);
  });

  test("from the device before the platform, whose driver may support several vendors", () => {
    expect(vendorOf(describeDevice({ platform: platforms.rusticl, vendor: "AMD" }))).toBe("amd");
    expect(vendorOf(appleDevice("AMD Radeon Pro 5500M Compute Engine", "AMD"))).toBe("amd");
    expect(vendorOf(appleDevice("Intel(R) UHD Graphics 630", "Intel Inc."))).toBe("intel");
    expect(vendorOf(describeDevice({ vendor: "0x10de", name: "NVIDIA GeForce" }))).toBe("nvidia");
  });
});

test("PoCL's version is parsed from the platform's version in both formats", () => {
  expect(poclVersionOf(platforms.pocl)).toEqual([3, 1]);
  expect(poclVersionOf({ ...platforms.pocl, version: "OpenCL 2.0 pocl 0.14, LLVM 3.9.0" })).toEqual([0, 14]);
  expect(poclVersionOf({ ...platforms.pocl, version: "OpenCL 3.0 PoCL 10.2 Linux" })).toEqual([10, 2]);
  expect(poclVersionOf({ ...platforms.pocl, version: "OpenCL 3.0 unknown" })).toBeUndefined();
  expect(poclVersionOf({ ...platforms.pocl, version: "OpenCL 3.0 unknown" }, [1, 8])).toEqual([1, 8]);
  expect(poclVersionOf(platforms.cuda, [1, 8])).toBeUndefined();
});

test("the bug that counts a struct's fields is in Apple's CPU driver and in PoCL up to 0.14, which a kernel can detect", () => {
  const pocl = (version: string) => cpuDevice({ ...platforms.pocl, version: `OpenCL 2.0 pocl ${version}` }, "x");
  expect(structArgumentBugOf(cpuDevice(platforms.apple, "Intel"))).toBe("apple");
  expect(structArgumentBugOf(appleDevice("Apple M1"))).toBe(false);
  const versions = ["0.9", "0.13", "0.14", "0.15", "1.0", "3.14"].map(pocl);
  expect(versions.map(structArgumentBugOf)).toEqual(["pocl", "pocl", undefined, false, false, false]);
  expect(structArgumentBugOf(nvidiaDevice(9, 0))).toBe(false);
});

test("reported SVM is trusted from OpenCL 2.0 and PoCL 1.0 on", () => {
  const { COARSE_GRAIN_BUFFER, FINE_GRAIN_BUFFER, FINE_GRAIN_SYSTEM, ATOMICS } = DeviceSvmCapabilities;
  const svmCapabilities = COARSE_GRAIN_BUFFER | FINE_GRAIN_BUFFER;
  const on = (name: string, version: string) =>
    describeDevice({ platform: { name, vendor: "", version }, svmCapabilities });
  const versions = ["OpenCL 2.0 x", "OpenCL 10.0 x", "OpenCL 1.2 x", "nonsense"];
  const answers = versions.map((version) => hasSvm(on("x", version), COARSE_GRAIN_BUFFER));
  expect(answers).toEqual([true, true, false, false]);
  expect(hasSvm(on(platforms.pocl.name, "OpenCL 2.0 pocl 0.14"), COARSE_GRAIN_BUFFER)).toBe(false);
  expect(hasSvm(on(platforms.pocl.name, "OpenCL 1.2 pocl 1.0"), COARSE_GRAIN_BUFFER)).toBe(true);
  expect(hasSvm(on("x", "OpenCL 3.0 x"), FINE_GRAIN_BUFFER)).toBe(true);
  expect(hasSvm(on("x", "OpenCL 3.0 x"), FINE_GRAIN_SYSTEM)).toBe(false);
  expect(hasSvm(on("x", "OpenCL 3.0 x"), FINE_GRAIN_BUFFER | ATOMICS)).toBe(false);
  expect(hasSvm({ ...on("x", "OpenCL 3.0 x"), svmCapabilities: undefined }, COARSE_GRAIN_BUFFER)).toBe(false);
});

test("only AMD's and NVIDIA's compilers get -cl-strict-aliasing", () => {
  const fast = ["-cl-mad-enable", "-cl-fast-relaxed-math", "-cl-no-signed-zeros"];
  expect(fastInaccurateBuildOptionsOf(nvidiaDevice(9, 0))).toEqual([...fast, "-cl-strict-aliasing"]);
  expect(fastInaccurateBuildOptionsOf(amdDevice("gfx90a"))).toEqual([...fast, "-cl-strict-aliasing"]);
  expect(fastInaccurateBuildOptionsOf(intelDevice("Intel(R) Arc(TM) A770 Graphics"))).toEqual(fast);
  // PoCL reports this vendor on AMD CPUs, but its compiler is not AMD's.
  expect(fastInaccurateBuildOptionsOf(cpuDevice(platforms.pocl, "AuthenticAMD"))).toEqual(fast);
});

test("the build cache depends on the driver, not on the hardware", () => {
  expect(hasSourceBuildCacheOf(cpuDevice(platforms.pocl, "AuthenticAMD"))).toBe(true);
  expect(hasSourceBuildCacheOf(nvidiaDevice(9, 0))).toBe(true);
  expect(hasSourceBuildCacheOf(amdDevice("gfx90a"))).toBe(false);
  expect(hasSourceBuildCacheOf(intelDevice("Intel(R) Arc(TM) A770 Graphics"))).toBeUndefined();
  expect(hasSourceBuildCacheOf(nvidiaDevice(9, 0, { platform: platforms.rusticl }))).toBeUndefined();
});

test("only NVIDIA devices have a compute capability, including a minor version of 0", () => {
  expect(nvComputeCapabilityOf(nvidiaDevice(9, 0))).toEqual([9, 0]);
  expect(nvComputeCapabilityOf(adrenoDevice())).toBeUndefined();
});

test("the work-group size multiple comes from the device if its driver reports it", () => {
  expect(workGroupSizeMultipleOf(nvidiaDevice(9, 0))).toBe(32);
  expect(workGroupSizeMultipleOf(amdDevice("gfx90a", { wavefrontWidthAmd: 64 }))).toBe(64);
  expect(workGroupSizeMultipleOf(cpuDevice(platforms.pocl, "AuthenticAMD"))).toBe(8);
  expect(workGroupSizeMultipleOf(maliDevice("Mali-G71"))).toBeUndefined();
  expect(workGroupSizeMultipleOf(describeDevice({ type: DeviceType.ACCELERATOR }))).toBeUndefined();
});
