import { describe, expect, test } from "vitest";
import * as constants from "../../src/binding/constants.js";
import { string, uint32 } from "../../src/info/decode.js";
import { contextQueries } from "../../src/info/context-info.js";
import { derivedDeviceProperties, type DevicePropertyReader } from "../../src/info/device-derived.js";
import { type DeviceProperties, deviceQueries } from "../../src/info/device-info.js";
import { eventQueries, profilingQueries } from "../../src/info/event-info.js";
import {
  kernelArgQueries,
  kernelQueries,
  kernelSubGroupQueries,
  kernelWorkGroupQueries,
} from "../../src/info/kernel-info.js";
import { imageQueries, memQueries, pipeQueries, samplerQueries } from "../../src/info/memory-info.js";
import { constantName, flagNames } from "../../src/info/names.js";
import { platformQueries } from "../../src/info/platform-info.js";
import { programBuildQueries, programQueries } from "../../src/info/program-info.js";
import { defineQueryProperties, query, type Queries, type Query } from "../../src/info/query.js";
import { queueQueries } from "../../src/info/queue-info.js";

describe("query tables", () => {
  // Handles are other objects; the rest repeat another property's query under its earlier extension name, or belong to
  // cl_ext_device_fission, which became core in OpenCL 1.2.
  const objects: Record<string, string[]> = {
    DeviceInfo: ["PLATFORM", "PARENT_DEVICE", "PARENT_DEVICE_EXT"],
    ContextInfo: ["DEVICES"],
    CommandQueueInfo: ["CONTEXT", "DEVICE", "DEVICE_DEFAULT"],
    EventInfo: ["COMMAND_QUEUE", "CONTEXT"],
    ProgramInfo: ["CONTEXT", "DEVICES", "BINARIES"],
    KernelInfo: ["CONTEXT", "PROGRAM"],
    MemInfo: ["CONTEXT", "ASSOCIATED_MEMOBJECT"],
    ImageInfo: ["BUFFER", "ROW_ALIGNMENT_QCOM", "SLICE_ALIGNMENT_QCOM"],
    SamplerInfo: ["CONTEXT"],
  };
  const fission = ["PARTITION_TYPES_EXT", "AFFINITY_DOMAINS_EXT", "REFERENCE_COUNT_EXT", "PARTITION_STYLE_EXT"];
  const tables: [string, Record<string, number>, Record<string, Query<unknown>>][] = [
    ["DeviceInfo", constants.DeviceInfo, { ...deviceQueries }],
    ["PlatformInfo", constants.PlatformInfo, { ...platformQueries }],
    ["ContextInfo", constants.ContextInfo, { ...contextQueries }],
    ["CommandQueueInfo", constants.CommandQueueInfo, { ...queueQueries }],
    ["EventInfo", constants.EventInfo, { ...eventQueries }],
    ["ProfilingInfo", constants.ProfilingInfo, { ...profilingQueries }],
    ["ProgramInfo", constants.ProgramInfo, { ...programQueries }],
    ["ProgramBuildInfo", constants.ProgramBuildInfo, { ...programBuildQueries }],
    ["KernelInfo", constants.KernelInfo, { ...kernelQueries }],
    ["KernelArgInfo", constants.KernelArgInfo, { ...kernelArgQueries }],
    ["KernelWorkGroupInfo", constants.KernelWorkGroupInfo, { ...kernelWorkGroupQueries }],
    ["KernelSubGroupInfo", constants.KernelSubGroupInfo, { ...kernelSubGroupQueries }],
    ["MemInfo", constants.MemInfo, { ...memQueries }],
    ["ImageInfo", constants.ImageInfo, { ...imageQueries }],
    ["PipeInfo", constants.PipeInfo, { ...pipeQueries }],
    ["SamplerInfo", constants.SamplerInfo, { ...samplerQueries }],
  ];

  test.each(tables)("each plain-value constant of %s is a property of the same name", (group, all, queries) => {
    const asked = new Set(Object.values(queries).map(({ param }) => param));
    const left = Object.entries(all)
      .filter(([key]) => !objects[group]?.includes(key) && !(group === "DeviceInfo" && fission.includes(key)))
      .filter(([key, value]) => !(/_(KHR|EXT)$/.test(key) && asked.has(value)))
      .filter(([key, value]) => queries[camelCase(key)]?.param !== value)
      .map(([key]) => `${group}.${key}`);
    expect(left).toEqual([]);
  });
});

describe("query properties", () => {
  interface Answers {
    readonly units: number;
    readonly name: string;
  }
  const queries: Queries<Answers> = {
    units: query(constants.DeviceInfo.MAX_COMPUTE_UNITS, uint32),
    name: query(constants.DeviceInfo.NAME, string, "1.1"),
  };

  test("are getters that query on each access, and are not enumerable", () => {
    const asked: string[] = [];
    const prototype = {};
    defineQueryProperties(prototype, queries, (instance, { param }, name) => {
      expect(instance).toBe(answers);
      asked.push(name);
      return param === constants.DeviceInfo.NAME ? new TextEncoder().encode("fake\0") : Uint8Array.of(8, 0, 0, 0);
    });
    const answers = Object.create(prototype) as Answers;
    expect(answers.units).toBe(8);
    expect(answers.name).toBe("fake");
    expect(answers.name).toBe("fake");
    expect(asked).toEqual(["units", "name", "name"]);
    expect(Object.keys(prototype)).toEqual([]);
  });
});

describe("derived device properties", () => {
  const valuesByName: Partial<DeviceProperties> = {
    imageSupport: true,
    localMemType: constants.DeviceLocalMemType.GLOBAL,
    executionCapabilities: constants.DeviceExecCapabilities.KERNEL | constants.DeviceExecCapabilities.NATIVE_KERNEL,
    queueProperties: constants.CommandQueueProperties.PROFILING_ENABLE,
    maxConstantBufferSize: 65_536,
    image2dMaxWidth: 16_384,
    image2dMaxHeight: 8192,
    image3dMaxWidth: 4096,
    image3dMaxHeight: 2048,
    image3dMaxDepth: 1024,
  };
  const read: DevicePropertyReader = (name) => {
    const value = valuesByName[name];
    if (value === undefined) throw new Error(`no fact ${name}`);
    return value;
  };

  test("are computed from the queries", () => {
    const values = Object.entries(derivedDeviceProperties).map(([name, derive]) => [name, derive(read)]);
    expect(Object.fromEntries(values)).toEqual({
      hasImageSupport: true,
      hasLocalMem: false,
      hasNativeKernel: true,
      hasQueueOutOfOrderExecMode: false,
      hasQueueProfiling: true,
      maxConstBufferSize: 65_536,
      maxImage2dShape: [16_384, 8192],
      maxImage3dShape: [4096, 2048, 1024],
    });
  });
});

describe("names of constants", () => {
  test("a value's first name wins, and an unknown value has no name", () => {
    expect(constantName(constants.CommandStatus, 0)).toBe("COMPLETE");
    expect(constantName(constants.DeviceInfo, 0x105b)).toBe("IL_VERSION");
    expect(constantName(constants.CommandStatus, -5)).toBeUndefined();
  });

  test("bit-fields are named bit by bit, also above bit 31", () => {
    expect(flagNames(constants.DeviceType, 5)).toEqual(["DEFAULT", "GPU"]);
    expect(flagNames(constants.DeviceType, 0xffff_ffff)).not.toContain("ALL");
    expect(flagNames(constants.MemFlags, 2 ** 36 + 4)).toEqual(["READ_ONLY", "PROTECTED_ALLOC_ARM"]);
    expect(flagNames(constants.MemFlags, 0)).toEqual([]);
    expect(flagNames(constants.DeviceSvmCapabilities, 1)).toEqual(["COARSE_GRAIN_BUFFER"]);
  });
});

function camelCase(key: string): string {
  const [first = "", ...rest] = key.toLowerCase().split("_");
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
