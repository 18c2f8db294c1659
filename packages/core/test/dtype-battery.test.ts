import { expect, test } from "vitest";
import { DeviceBuffer, dtype } from "@cl/core";

import { sample } from "@cl/testing/level";
import { describeDtype } from "./support/describe-dtype.js";
import { context, kernelOf, queue } from "./support/kernels.js";

const numbers = "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64".split(" ");
const vectors = [2, 3, 4, 8, 16].flatMap((width) => numbers.map((name) => `${name}x${width}`));

const all = [...numbers, ...vectors, "bool", "complex64", "complex128"];
for (const name of sample(all, 9)) describeDtype(dtype(name));

test("all float16 values convert to the same numbers as on the device", () => {
  const half = dtype("float16");
  const bits = Uint16Array.from({ length: 0x10000 }, (_, i) => i);
  const view = new DataView(bits.buffer);
  const widen = kernelOf(`
    __kernel void widen(__global const half *from, __global float *to) {
      to[get_global_id(0)] = vload_half(get_global_id(0), from);
    }`);
  const to = DeviceBuffer.empty(context, Float32Array, bits.length);
  widen.launch(queue, { global: bits.length }, DeviceBuffer.from(context, bits), to);
  const wrong = [...queue.readSync(to)].filter((value, i) => !Object.is(value, half.get(view, 2 * i)));
  expect(wrong).toEqual([]);
});
