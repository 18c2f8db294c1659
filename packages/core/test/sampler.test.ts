/** Samplers: options, properties, addresses, and as kernel arguments. */
import path from "node:path";
import { expect, test } from "vitest";
import {
  AddressingMode,
  Context,
  DeviceBuffer,
  FilterMode,
  kernelArgument,
  OpenCLError,
  Sampler,
  SamplerInfo,
  SamplerProperties,
} from "@cl/core";

import { context, device, kernelOf, queue } from "./support/kernels.js";
import { onFake } from "./support/on-fake.js";
import { needs, type Run } from "@cl/base/testing";
import { disposed } from "@cl/testing/core-errors";
import { errorLike, outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";

const source = `
__kernel void mark(sampler_t s, __global int *out) { out[get_global_id(0)] = 7; }
`;

function needsImages(run: Run): void {
  needs(run, device.imageSupport, `'${device.name}' supports no images, and so no samplers`);
}

test("a sampler has the properties given by its options", (run) => {
  needsImages(run);
  const { CLAMP, CLAMP_TO_EDGE, NONE, REPEAT, MIRRORED_REPEAT } = AddressingMode;
  for (const normalizedCoordinates of [true, false]) {
    const modes = [NONE, CLAMP, CLAMP_TO_EDGE, ...(normalizedCoordinates ? [REPEAT, MIRRORED_REPEAT] : [])];
    for (const addressingMode of modes) {
      for (const filterMode of Object.values(FilterMode)) {
        using sampler = new Sampler(context, { normalizedCoordinates, addressingMode, filterMode });
        expect(sampler).toMatchObject({ normalizedCoordinates, addressingMode, filterMode });
        expect(sampler.referenceCount).toBe(1);
        expect(sampler.context).toBe(context);
      }
    }
  }
});

test("options default to normalized coordinates, CLAMP and NEAREST", (run) => {
  needsImages(run);
  using sampler = new Sampler(context, { label: "plain" });
  expect(sampler).toMatchObject({
    normalizedCoordinates: true,
    addressingMode: AddressingMode.CLAMP,
    filterMode: FilterMode.NEAREST,
  });
  expect(String(sampler)).toBe('Sampler "plain" { normalized, CLAMP, NEAREST }');
});

test("accepts OpenCL's own properties as pairs, and returns them", (run) => {
  needsImages(run);
  const { NORMALIZED_COORDS, ADDRESSING_MODE, FILTER_MODE } = SamplerProperties;
  using sampler = new Sampler(context, [
    [FILTER_MODE, FilterMode.LINEAR],
    [ADDRESSING_MODE, BigInt(AddressingMode.REPEAT)],
    [NORMALIZED_COORDS, 1],
  ]);
  expect(sampler).toMatchObject({ filterMode: FilterMode.LINEAR, addressingMode: AddressingMode.REPEAT });
  expect(new Sampler(context, []).normalizedCoordinates).toBe(true);
  if (device.numericVersion >= "3") {
    expect(sampler.properties).toEqual(
      [FILTER_MODE, FilterMode.LINEAR, ADDRESSING_MODE, AddressingMode.REPEAT, NORMALIZED_COORDS, 1, 0].map(BigInt),
    );
  }
});

test("getInfo returns a query's raw bytes", (run) => {
  needsImages(run);
  using sampler = new Sampler(context, { filterMode: FilterMode.LINEAR });
  const bytes = sampler.getInfo(SamplerInfo.FILTER_MODE);
  expect(new DataView(bytes.buffer).getUint32(0, true)).toBe(FilterMode.LINEAR);
  expect(() => sampler.getInfo(0x1130)).toThrow(errorLike(OpenCLError, "CL_INVALID_VALUE"));
});

test("rejects repeating modes without normalized coordinates, with an explanation", () => {
  for (const addressingMode of [AddressingMode.REPEAT, AddressingMode.MIRRORED_REPEAT]) {
    expect(() => new Sampler(context, { normalizedCoordinates: false, addressingMode })).toThrow(wrongValue());
  }
});

test("the errors for invalid properties name them", () => {
  const make = (options: unknown) => () => new Sampler(context, options as object);
  expect(make([SamplerProperties.FILTER_MODE, FilterMode.LINEAR])).toThrow(wrongType("options[0]"));
  expect(make([[0, 1]])).toThrow(outOfRange("options[0][0]"));
  expect(make([[1, -1n]])).toThrow(outOfRange("options[0][1]"));
});

test("a sampler_t argument accepts only samplers", async (run) => {
  needsImages(run);
  const mark = kernelOf(source);
  const out = DeviceBuffer.empty(context, Int32Array, 4);
  using sampler = new Sampler(context);
  mark.launch(queue, { global: 4 }, sampler, out);
  expect(await queue.read(out)).toEqual(Int32Array.of(7, 7, 7, 7));
  for (const wrong of [out, queue, context, null, 5, { [kernelArgument]: () => ({ memory: out }) }]) {
    expect(() => mark.launch(queue, { global: 4 }, wrong, out)).toThrow(wrongType("argument 0"));
  }
});

test("an argument protocol object may provide a sampler, and a released sampler is named", async (run) => {
  needsImages(run);
  const mark = kernelOf(source);
  const out = DeviceBuffer.empty(context, Int32Array, 4);
  const sampler = new Sampler(context);
  mark.launch(queue, { global: 4 }, { [kernelArgument]: () => ({ sampler }) }, out);
  const bound = mark.bind({ global: 4 }, sampler, out);
  bound.launch(queue);
  await queue.finish();
  sampler.release();
  expect(() => mark.launch(queue, { global: 4 }, sampler, out)).toThrow(disposed());
  expect(() => bound.launch(queue)).toThrow(disposed());
  using foreign = new Sampler(Context.create());
  expect(() => mark.launch(queue, { global: 4 }, foreign, out)).toThrow(wrongValue());
});

test("a captured launch creates the same sampler", async (run) => {
  needsImages(run);
  const file = path.join(tmpdir(), `cl-sampler-${process.pid}.mjs`);
  const out = DeviceBuffer.from(context, new Int32Array(4));
  using sampler = new Sampler(context, { filterMode: FilterMode.LINEAR });
  try {
    await kernelOf(source).capture(file, queue, { global: 4 }, sampler, out);
    expect(readFileSync(file, "utf8")).toContain(
      'new Sampler(context, {"normalizedCoordinates":true,"addressingMode":4402,"filterMode":4417})',
    );
  } finally {
    rmSync(file, { force: true });
  }
});

test("OpenCL 1.2 creates the same samplers with its own function, and rejects properties that it would ignore", async () => {
  const { lines, report } = await onFake(
    `
    const sampler = new Sampler(context, { normalizedCoordinates: false, addressingMode: AddressingMode.CLAMP_TO_EDGE });
    console.log(sampler.normalizedCoordinates, sampler.addressingMode, sampler.filterMode);
    console.log(codeOf(() => new Sampler(context, [[0x1156, 0]])));
    for (const one of [sampler, queue, context]) one.release();`,
    { version: "1.2" },
  );
  expect(lines).toEqual(["false 4401 4416", "ERR_CL_NOT_SUPPORTED"]);
  expect(report).toMatchObject({ calls: { clCreateSampler: 1 }, live: { sampler: 0, context: 0 } });
});

test("without image support on any device, the error says that samplers require it, before the driver is called", async () => {
  const script = "console.log(codeOf(() => new Sampler(context)));";
  const { lines, report } = await onFake(script, { env: { FAKE_CL_IMAGES: "0" } });
  expect(lines).toEqual(["ERR_CL_NOT_SUPPORTED"]);
  expect(report.calls["clCreateSamplerWithProperties"]).toBeUndefined();
});
