import { CommandQueue, Context, type Device, DeviceBuffer, Program, structType } from "@cl/core";
import { literal } from "@cl/tools";
import { assert, bigInt, float, property } from "fast-check";
import { expect, test } from "vitest";
import { outOfRange, wrongType } from "@cl/testing/error-like";

const context = Context.create();
const queue = new CommandQueue(context);
const [device] = context.devices as [Device];

test.each([
  ["int32", 5, "5"],
  ["int32", -5, "(-5)"],
  ["int32", -(2 ** 31), "(-2147483647 - 1)"],
  ["uint32", 2 ** 32 - 1, "4294967295u"],
  ["int64", -(2n ** 63n), "(-9223372036854775807L - 1)"],
  ["uint64", 2n ** 64n - 1n, "18446744073709551615UL"],
  ["uint8", 200, "((uchar)200)"],
  ["bool", true, "1"],
  ["float32", 1, "1.0f"],
  ["float32", 0.1, "0.1f"],
  ["float32", 1e30, "1e+30f"],
  ["float32", -0, "(-0.0f)"],
  ["float32", -Infinity, "(-INFINITY)"],
  ["float32", NaN, "NAN"],
  ["float64", 0.1, "0.1"],
  ["float16", 0.5, "(half)0.5f"],
  ["complex64", { re: 1, im: -2 }, "(float2)(1.0f, (-2.0f))"],
  ["float3", [1, 2, 3], "(float3)(1.0f, 2.0f, 3.0f)"],
] as const)("a %s of %s is written %s", (type, value, text) => {
  expect(literal(type, value)).toBe(text);
});

test("a device reads bit-identical values", async () => {
  const floats = [...oneofFloats(), 0, -0, 2 ** -149, 2 ** -126, 3.4028234663852886e38, Infinity, -Infinity];
  const longs = [0n, 1n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 123456789012345678n];
  const source = `__kernel void k(__global float *f, __global long *l) {
    ${floats.map((value, i) => `f[${i}] = ${literal("float32", value)};`).join("\n")}
    ${longs.map((value, i) => `l[${i}] = ${literal("int64", value)};`).join("\n")}
  }`;
  const f = DeviceBuffer.empty(context, Float32Array, floats.length);
  const l = DeviceBuffer.empty(context, BigInt64Array, longs.length);
  const program = await new Program(context, source).build();
  program.kernel("k").launch(queue, { global: 1 }, ...([f, l] as never[]));
  const flushes = (device.singleFpConfig & 1) === 0;
  const read = await queue.read(f);
  floats.forEach((value, i) => {
    if (flushes && value !== 0 && Math.abs(value) < 2 ** -126) return;
    expect(Object.is(read[i], Math.fround(value))).toBe(true);
  });
  expect(await queue.read(l)).toEqual(BigInt64Array.from(longs));
});

function oneofFloats(): number[] {
  return Array.from({ length: 40 }, (_, i) => Math.fround(Math.sin(i) * 10 ** (i - 20)));
}

test("every number round-trips through its literal", () => {
  assert(
    property(float({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = literal("float32", value).replace(/[()f]/g, "");
      expect(Object.is(Math.fround(Number(text)), value)).toBe(true);
    }),
  );
  assert(
    property(bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }), (value) => {
      expect(BigInt(literal("int64", value).replace(/[()L]/g, ""))).toBe(value);
    }),
  );
});

test.each([
  ["uint8", 256, outOfRange("value")],
  ["int32", 1.5, outOfRange("value")],
  ["int64", 2n ** 63n, outOfRange("value")],
  ["float4", [1, 2], wrongType("value")],
  ["nothing", 1, wrongType("type")],
  [structType("s", { x: "f4" }), { x: 1 }, wrongType("type")],
])("a %s of %s is rejected", (type, value, error) => {
  expect(() => literal(type as never, value as never)).toThrow(error);
});
