import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DeviceBuffer, type FillPattern, UserEvent } from "@cl/core";
import { outOfRange, wrongType } from "@cl/testing/error-like";
import { context, queue } from "./support/kernels.js";

const bytesOf = (buffer: DeviceBuffer): Uint8Array => queue.readSync(buffer, Uint8Array);

/** Alias without types, for calls that TypeScript would reject. */
const fill = (buffer: unknown, pattern: unknown, options?: unknown): unknown =>
  queue.enqueueFill(buffer as DeviceBuffer, pattern as FillPattern, options as undefined);

describe("a fill", () => {
  test("repeats patterns of every size over any range that is a multiple of the size", () => {
    const patterns = fc
      .constantFrom(1, 2, 4, 8, 16, 32, 64, 128)
      .chain((size) => fc.uint8Array({ minLength: size, maxLength: size }));
    fc.assert(
      fc.property(patterns, fc.nat(4), fc.nat(4), fc.nat(4), (pattern, before, count, after) => {
        const size = pattern.length;
        const buffer = DeviceBuffer.from(context, new Uint8Array((before + count + after + 1) * size).fill(7));
        queue.enqueueFill(buffer, pattern, { offset: before * size, bytes: count * size }).waitSync();
        const expected = new Uint8Array(buffer.size).fill(7);
        for (let i = 0; i < count; i++) expected.set(pattern, (before + i) * size);
        expect(bytesOf(buffer)).toEqual(expected);
        buffer.release();
      }),
      { numRuns: 100 },
    );
  });

  test("accepts a number as one element of a typed buffer", async () => {
    const floats = DeviceBuffer.empty(context, Float32Array, 4);
    await queue.enqueueFill(floats, 1.5).wait();
    expect([...(await queue.read(floats))]).toEqual([1.5, 1.5, 1.5, 1.5]);
    const longs = DeviceBuffer.empty(context, BigInt64Array, 2);
    await queue.enqueueFill(longs, -(2n ** 62n)).wait();
    expect([...(await queue.read(longs))]).toEqual([-(2n ** 62n), -(2n ** 62n)]);
  });

  test("rejects patterns that the element type cannot hold or of an unsupported size", () => {
    const of = (type: Uint8ArrayConstructor | BigUint64ArrayConstructor): DeviceBuffer =>
      DeviceBuffer.empty(context, type as Uint8ArrayConstructor, 768);
    for (const value of [256, -1, 0.5, Number.NaN, Infinity]) {
      expect(() => fill(of(Uint8Array), value)).toThrow(outOfRange("pattern"));
    }
    expect(() => fill(of(BigUint64Array), -1n)).toThrow(outOfRange("pattern"));
    for (const [buffer, pattern] of [
      [of(Uint8Array), 1n],
      [of(BigUint64Array), 1],
      [new DeviceBuffer(context, 4), 1],
    ]) {
      expect(() => fill(buffer, pattern)).toThrow(wrongType("pattern"));
    }
    for (const size of [0, 3, 12, 256]) {
      expect(() => fill(of(Uint8Array), new Uint8Array(size))).toThrow(outOfRange("pattern"));
    }
  });

  test("continues to the end without `bytes`, and requires a range that is a multiple of the pattern", () => {
    const buffer = DeviceBuffer.from(context, Float32Array.of(2, 2, 2, 2));
    const pattern = Float32Array.of(1);
    fill(buffer, pattern, { offset: 8 });
    expect([...queue.readSync(buffer)]).toEqual([2, 2, 1, 1]);
    for (const [options, argument] of [
      [{ bytes: 6 }, "options.bytes"],
      [{ offset: 2, bytes: 4 }, "options.offset"],
      [{ bytes: 20 }, "options.bytes"],
      [{ offset: 20 }, "options.offset"],
      [{ offset: 8, bytes: 12 }, "options.bytes"],
    ] as const) {
      expect(() => fill(buffer, pattern, options)).toThrow(outOfRange(argument));
    }
    expect(() => fill(new DeviceBuffer(context, 6), pattern)).toThrow(RangeError);
  });

  test("copies its pattern when it is enqueued", async () => {
    const gate = new UserEvent(context);
    const buffer = DeviceBuffer.empty(context, Int32Array, 2);
    const pattern = Int32Array.of(5);
    const filled = queue.enqueueFill(buffer, pattern, { waitFor: gate });
    pattern[0] = 6;
    gate.complete();
    await filled.wait();
    expect([...(await queue.read(buffer))]).toEqual([5, 5]);
  });
});
