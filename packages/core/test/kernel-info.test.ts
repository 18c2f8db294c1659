import { describe, expect, test } from "vitest";
import {
  KernelArgAddressQualifier,
  KernelArgInfo,
  KernelInfo,
  KernelSubGroupInfo,
  KernelWorkGroupInfo,
  OpenCLError,
} from "@cl/core";

import { disposed } from "@cl/testing/core-errors";
import { outOfRange } from "@cl/testing/error-like";
import { context, device, kernelOf } from "./support/kernels.js";

const kernel = kernelOf(`
  typedef struct { int a; float b; } Pair;
  __kernel __attribute__((reqd_work_group_size(8, 2, 1)))
  void many(const float a, __global const float4 *restrict x, __constant int *c, __local uchar *tile, short3 v, Pair pair, ulong n) {
    x; c; tile; v; pair; n; a;
  }`);
const plain = kernelOf("__kernel void plain(__global int *x) { x[0] = 1; }");
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString().replace(/\0$/, "");

describe("kernel info", () => {
  test("has the kernel's name and its arguments' names and types", () => {
    expect(kernel).toMatchObject({ name: "many", numArgs: 7 });
    expect(kernel.argNames).toEqual(["a", "x", "c", "tile", "v", "pair", "n"]);
    const types = kernel.argTypes.map((type) => type.replace(/\s/g, ""));
    expect(types).toEqual(["float", "float4*", "int*", "uchar*", "short3", "Pair", "ulong"]);
    expect(plain.numArgs).toBe(1);
  });

  test("has attributes and a reference count", () => {
    expect(kernel.attributes.replace(/\s/g, "")).toContain("reqd_work_group_size(8,2,1)");
    expect(plain.attributes).toBe("");
    expect(plain.referenceCount).toBeGreaterThanOrEqual(1);
  });

  test("is returned as raw bytes by getInfo", () => {
    expect(text(kernel.getInfo(KernelInfo.FUNCTION_NAME))).toBe("many");
    expect(new DataView(kernel.getInfo(KernelInfo.NUM_ARGS).buffer).getUint32(0, true)).toBe(7);
    expect(new DataView(kernel.getInfo(KernelInfo.CONTEXT).buffer).getBigUint64(0, true)).toBe(context.pointer);
    expect(new DataView(kernel.getInfo(KernelInfo.PROGRAM).buffer).getBigUint64(0, true)).toBe(kernel.program.pointer);
    expect(() => kernel.getInfo(0xffff)).toThrow(OpenCLError);
  });

  test("about arguments is returned by getArgInfo, by position or name", () => {
    expect(text(kernel.getArgInfo("x", KernelArgInfo.NAME))).toBe("x");
    expect(text(kernel.getArgInfo(4, KernelArgInfo.TYPE_NAME))).toBe("short3");
    const space = (parameter: number | string): number =>
      new DataView(kernel.getArgInfo(parameter, KernelArgInfo.ADDRESS_QUALIFIER).buffer).getUint32(0, true);
    expect(["a", "x", "c", "tile"].map(space)).toEqual([
      KernelArgAddressQualifier.PRIVATE,
      KernelArgAddressQualifier.GLOBAL,
      KernelArgAddressQualifier.CONSTANT,
      KernelArgAddressQualifier.LOCAL,
    ]);
    for (const parameter of [7, "z"]) {
      expect(() => kernel.getArgInfo(parameter, KernelArgInfo.NAME)).toThrow(outOfRange("parameter"));
    }
  });
});

describe("kernel info for a device", () => {
  test("includes work-group sizes and memory use", () => {
    const needs = kernel.workGroup(device);
    expect(needs.compileWorkGroupSize).toEqual([8, 2, 1]);
    expect(needs.workGroupSize).toBeGreaterThanOrEqual(16);
    expect(needs.preferredWorkGroupSizeMultiple).toBeGreaterThanOrEqual(1);
    expect(needs.localMemSize).toBeGreaterThanOrEqual(0);
    expect(needs.privateMemSize).toBeGreaterThanOrEqual(0);
    // The default is the context's first device.
    const { WORK_GROUP_SIZE } = KernelWorkGroupInfo;
    expect(plain.getWorkGroupInfo(WORK_GROUP_SIZE)).toEqual(plain.getWorkGroupInfo(WORK_GROUP_SIZE, device));
    expect(plain.workGroup().compileWorkGroupSize).toEqual([0, 0, 0]);
    expect(Object.keys(needs)).toContain("globalWorkSize");
    // Only built-in kernels and custom devices support this query.
    expect(() => needs.globalWorkSize).toThrow(OpenCLError);
  });

  test("includes sub-group sizes or throws an OpenCLError", () => {
    const ask = (): unknown => plain.subGroup([8, 1, 1], device).maxSubGroupSizeForNdrange;
    try {
      expect(ask()).toBeGreaterThan(0);
    } catch (error) {
      expect(error).toBeInstanceOf(OpenCLError);
      expect((error as OpenCLError).routine).toMatch(/^clGetKernelSubGroupInfo/);
    }
    const { MAX_SUB_GROUP_SIZE_FOR_NDRANGE } = KernelSubGroupInfo;
    expect(() => plain.getSubGroupInfo(MAX_SUB_GROUP_SIZE_FOR_NDRANGE, [1.5])).toThrow(outOfRange("input[0]"));
  });

  test("throws for a released kernel", () => {
    const gone = plain.clone();
    gone.release();
    for (const call of [
      () => gone.attributes,
      () => gone.referenceCount,
      () => gone.getInfo(KernelInfo.NUM_ARGS),
      () => gone.getArgInfo(0, KernelArgInfo.NAME),
      () => gone.workGroup().workGroupSize,
      () => gone.pointer,
    ]) {
      expect(call).toThrow(disposed());
    }
    expect(gone).toMatchObject({ name: "plain", numArgs: 1 });
  });
});
