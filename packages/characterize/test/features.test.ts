import {
  CharacterizationWarning,
  fastInaccurateBuildOptions,
  hasAmdDoubleSupport,
  hasCoarseGrainBufferSvm,
  hasDoubleSupport,
  hasFineGrainBufferSvm,
  hasFineGrainBufferSvmAtomics,
  hasFineGrainSystemSvm,
  hasFineGrainSystemSvmAtomics,
  hasSourceBuildCache,
  hasStructArgumentCountBug,
  hasStructArgumentCountBugSync,
  nvComputeCapability,
  poclVersion,
} from "@cl/characterize";
import { DeviceBuffer, Program, SvmAllocation } from "@cl/core";
import { expect, test } from "vitest";

import { context, device, queue } from "./support/device.js";

test("the floating-point queries agree with the device's extensions", () => {
  expect(hasDoubleSupport(device)).toBe(device.extensions.includes("cl_khr_fp64"));
  expect(hasAmdDoubleSupport(device)).toBe(device.extensions.includes("cl_amd_fp64"));
});

test.each([
  ["coarse", hasCoarseGrainBufferSvm, {}],
  ["fine-buffer", hasFineGrainBufferSvm, {}],
  ["fine-buffer", hasFineGrainBufferSvmAtomics, { atomics: true }],
] as const)("%s SVM can be allocated exactly if %o returns true", (kind, has, options) => {
  const allocate = (): void => new SvmAllocation(context, 256, { kind, ...options }).release();
  if (has(device)) allocate();
  else expect(allocate).toThrow(Error);
  expect(has(device)).toBeTypeOf("boolean");
});

test("system SVM and its atomics imply the lower levels", () => {
  expect(!hasFineGrainSystemSvmAtomics(device) || hasFineGrainSystemSvm(device)).toBe(true);
  expect(!hasFineGrainBufferSvmAtomics(device) || hasFineGrainBufferSvm(device)).toBe(true);
});

test("the platform queries agree with the platform's name", () => {
  const isPocl = device.platform.name === "Portable Computing Language";
  expect(poclVersion(device.platform) !== undefined).toBe(isPocl);
  expect(poclVersion(device.platform, [0, 1]) !== undefined).toBe(isPocl);
  if (isPocl) expect(hasSourceBuildCache(device)).toBe(true);
  expect(nvComputeCapability(device) !== undefined).toBe(device.hasExtension("cl_nv_device_attribute_query"));
});

test("a struct argument counts as one argument, unless hasStructArgumentCountBug returns true", async () => {
  const program = await new Program(
    context,
    "struct pair { long a, b; }; __kernel void f(struct pair p, __global long *x) { x[0] = p.a + p.b; }",
  ).build();
  const expected = program.kernel("f").numArgs === 2 ? false : expect.any(String);
  expect(await hasStructArgumentCountBug(device, { context })).toEqual(expected);
  expect(hasStructArgumentCountBugSync(device)).toEqual(expected);
  const to = DeviceBuffer.from(context, new BigInt64Array(1));
  program.kernel("f").launch(queue, { global: 1 }, new BigInt64Array([2n, 3n]), to);
  expect(await queue.read(to, BigInt64Array)).toEqual(BigInt64Array.of(5n));
});

test("the device's compiler accepts fastInaccurateBuildOptions, and kernels still compute correctly", async () => {
  const source = "__kernel void f(__global float *x) { size_t i = get_global_id(0); x[i] = x[i] * 2 + 1; }";
  const program = await new Program(context, source).build({ options: fastInaccurateBuildOptions(device) });
  const x = DeviceBuffer.from(context, Float32Array.of(1, 2, 3));
  program.kernel("f").launch(queue, { global: 3 }, x);
  expect(await queue.read(x, Float32Array)).toEqual(Float32Array.of(3, 5, 7));
});

test("a CharacterizationWarning names the device and the query", () => {
  const warning = new CharacterizationWarning("localMemoryBankCount", "a device", "no entry");
  expect(warning).toBeInstanceOf(Error);
  expect(warning).toMatchObject({ name: "CharacterizationWarning", device: "a device", message: "no entry" });
});
