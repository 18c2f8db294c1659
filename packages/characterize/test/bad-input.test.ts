import {
  characterize,
  fastInaccurateBuildOptions,
  hasAmdDoubleSupport,
  hasCoarseGrainBufferSvm,
  hasCoherentCaches,
  hasDoubleSupport,
  hasFineGrainBufferSvm,
  hasFineGrainBufferSvmAtomics,
  hasFineGrainSystemSvm,
  hasFineGrainSystemSvmAtomics,
  hasParallelWorkItems,
  hasSourceBuildCache,
  hasStructArgumentCountBug,
  hasStructArgumentCountBugSync,
  launchShape,
  localMemoryAccessGranularity,
  localMemoryBankCount,
  loopWorkItemCount,
  nvComputeCapability,
  poclVersion,
  reasonableWorkGroupSizeMultiple,
  reasonableWorkGroupSizeMultipleSync,
  shapedSource,
  simdGroupSize,
  simultaneousWorkItemsOnLocalAccess,
  usableLocalMemorySize,
  whyNotLocalAccessConflictFree,
} from "@cl/characterize";
import { describe, expect, test } from "vitest";

import { context, device } from "./support/device.js";

type Anything = (...args: unknown[]) => unknown;

const ofDevice = {
  fastInaccurateBuildOptions,
  hasAmdDoubleSupport,
  hasCoarseGrainBufferSvm,
  hasCoherentCaches,
  hasDoubleSupport,
  hasFineGrainBufferSvm,
  hasFineGrainBufferSvmAtomics,
  hasFineGrainSystemSvm,
  hasFineGrainSystemSvmAtomics,
  hasParallelWorkItems,
  hasSourceBuildCache,
  hasStructArgumentCountBugSync,
  localMemoryAccessGranularity,
  localMemoryBankCount,
  loopWorkItemCount,
  nvComputeCapability,
  reasonableWorkGroupSizeMultipleSync,
  simultaneousWorkItemsOnLocalAccess,
  usableLocalMemorySize,
};

describe("an invalid device is rejected", () => {
  test.each(Object.entries(ofDevice))("by %s", (_, ask) => {
    for (const wrong of [undefined, null, 0, "gpu", {}, context, device.platform]) {
      expect(() => (ask as Anything)(wrong)).toThrow(/^device must be a Device, received /);
    }
  });

  test("by functions with more parameters", async () => {
    expect(() => (simdGroupSize as Anything)({}, 4)).toThrow("device must be a Device, received {}");
    expect(() => (whyNotLocalAccessConflictFree as Anything)({}, 4, [1])).toThrow("device must be a Device");
    await expect((reasonableWorkGroupSizeMultiple as Anything)({})).rejects.toThrow("device must be a Device");
    await expect((hasStructArgumentCountBug as Anything)({})).rejects.toThrow("device must be a Device");
    expect(() => (poclVersion as Anything)(device)).toThrow("platform must be a Platform");
  });
});

test.each<readonly [string, string, () => unknown]>([
  ["an item's size of 0", "itemSize must be an integer of at least 1", () => simdGroupSize(device, 0)],
  ["an item's size and a half", "itemSize must be an integer of at least 1", () => simdGroupSize(device, 1.5)],
  ["half an item", "itemSize must be", () => whyNotLocalAccessConflictFree(device, 0.5, [4])],
  ["arguments below 0", "argumentCount must be an integer of at least 0", () => usableLocalMemorySize(device, -1)],
  ["no shape", "shape must be an array of extents", () => call(whyNotLocalAccessConflictFree, device, 4)],
  ["an empty shape", "shape must be at least one extent", () => whyNotLocalAccessConflictFree(device, 4, [])],
  [
    "an empty axis",
    "shape[1] must be an integer of at least 1",
    () => whyNotLocalAccessConflictFree(device, 4, [4, 0]),
  ],
  [
    "too many elements",
    "the number of elements of shape",
    () => whyNotLocalAccessConflictFree(device, 4, [2 ** 40, 2 ** 40]),
  ],
  [
    "a stored shape with a different number of axes",
    "storedShape must be an array of 2 extents, as many as shape has",
    () => whyNotLocalAccessConflictFree(device, 4, [4, 4], [17]),
  ],
  [
    "a stored shape that is too small",
    "storedShape[1] must be an integer of at least 4",
    () => whyNotLocalAccessConflictFree(device, 4, [4, 4], [4, 3]),
  ],
  ["a measured text", "measured must be an object", () => call(localMemoryBankCount, device, "32")],
  [
    "a measured bank count of 0",
    "measured.localMemoryBankCount must be an integer of at least 1",
    () => localMemoryBankCount(device, { localMemoryBankCount: 0 }),
  ],
  ["a fallback of one part", "fallback must be [major, minor]", () => call(poclVersion, device.platform, [1])],
  ["a fallback of text", "fallback[0] must be an integer", () => call(poclVersion, device.platform, ["1", 2])],
  ["options of a list", "options must be an object", () => call(reasonableWorkGroupSizeMultipleSync, device, [])],
  [
    "an invalid context",
    "options.context must be a Context",
    () => call(reasonableWorkGroupSizeMultipleSync, device, { context: device }),
  ],
])("%s is rejected by name", (_, message, run) => {
  expect(run).toThrow(message);
});

test.each<readonly [string, (options: never) => unknown]>([
  ["characterize", (options) => characterize(device, options)],
  ["launchShape", (options) => launchShape(device, 64, options)],
  ["shapedSource", (options) => shapedSource(options)],
  ["reasonableWorkGroupSizeMultiple", (options) => reasonableWorkGroupSizeMultiple(device, options)],
  ["hasStructArgumentCountBug", (options) => hasStructArgumentCountBug(device, options)],
])("%s rejects an unknown option by name", async (_, ask) => {
  await expect((async () => ask({ noSuchOption: 1 } as never))()).rejects.toThrow(/^options has no "noSuchOption": /);
});

test("an aborted signal rejects before a kernel is built", async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(reasonableWorkGroupSizeMultiple(device, { signal })).rejects.toThrow("enough");
  await expect(hasStructArgumentCountBug(device, { signal })).rejects.toThrow("enough");
  await expect((hasStructArgumentCountBug as Anything)(device, { signal: 1 })).rejects.toThrow("signal must be");
});

function call(ask: (...args: never[]) => unknown, ...args: unknown[]): unknown {
  return (ask as Anything)(...args);
}
