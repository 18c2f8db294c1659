import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CommandQueue, Context, DeviceBuffer, type FillPattern, UserEvent } from "@cl/core";

const context = Context.create();
const queue = new CommandQueue(context);
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

  test("without a size continues to the end of the buffer", () => {
    const buffer = DeviceBuffer.from(context, Uint16Array.of(1, 2, 3, 4));
    queue.enqueueFill(buffer, Uint16Array.of(9), { offset: 4 }).waitSync();
    expect([...queue.readSync(buffer)]).toEqual([1, 2, 9, 9]);
  });

  test("accepts a number as one element of a typed buffer", async () => {
    const floats = DeviceBuffer.empty(context, Float32Array, 4);
    await queue.enqueueFill(floats, 1.5).wait();
    expect([...(await queue.read(floats))]).toEqual([1.5, 1.5, 1.5, 1.5]);
    const longs = DeviceBuffer.empty(context, BigInt64Array, 2);
    await queue.enqueueFill(longs, -(2n ** 62n)).wait();
    expect([...(await queue.read(longs))]).toEqual([-(2n ** 62n), -(2n ** 62n)]);
  });

  test("rejects numbers that the element type cannot hold", () => {
    const bytes = DeviceBuffer.empty(context, Uint8Array, 4);
    for (const value of [256, -1, 0.5, Number.NaN, Infinity]) {
      expect(() => fill(bytes, value)).toThrow("pattern must be representable by the buffer's element type");
    }
    expect(() => fill(bytes, 1n)).toThrow("pattern must be a number");
    expect(() => fill(DeviceBuffer.empty(context, BigUint64Array, 1), 1)).toThrow("pattern must be a bigint");
    expect(() => fill(DeviceBuffer.empty(context, BigUint64Array, 1), -1n)).toThrow("representable");
    expect(() => fill(new DeviceBuffer(context, 4), 1)).toThrow("the buffer has no element type");
  });

  test.each([0, 3, 12, 256])("rejects a pattern of %i bytes", (size) => {
    expect(() => fill(new DeviceBuffer(context, 768), new Uint8Array(size))).toThrow(
      "1, 2, 4, 8, 16, 32, 64 or 128 bytes",
    );
  });

  test("requires a range inside the buffer that is a multiple of the pattern", () => {
    const buffer = new DeviceBuffer(context, 16);
    const pattern = Float32Array.of(1);
    expect(() => fill(buffer, pattern, { bytes: 6 })).toThrow(
      "options.bytes must be a multiple of the pattern's 4 bytes",
    );
    expect(() => fill(buffer, pattern, { offset: 2, bytes: 4 })).toThrow("options.offset must be a multiple");
    expect(() => fill(buffer, pattern, { bytes: 20 })).toThrow("options.bytes must be an integer from 0 to 16");
    expect(() => fill(buffer, pattern, { offset: 20 })).toThrow("options.offset must be an integer from 0 to 16");
    expect(() => fill(buffer, pattern, { offset: 8, bytes: 12 })).toThrow("options.bytes");
    expect(() => fill(buffer, pattern, { offset: Number.NaN })).toThrow("options.offset");
    expect(() => fill(new DeviceBuffer(context, 6), pattern)).toThrow("options.bytes must be a multiple");
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

  test("of zero bytes completes without writing", async () => {
    const buffer = DeviceBuffer.from(context, Uint8Array.of(1));
    await queue.enqueueFill(buffer, 2, { bytes: 0 }).wait();
    expect([...(await queue.read(buffer))]).toEqual([1]);
  });

  test("rejects invalid buffers, patterns and wait lists", () => {
    const buffer = new DeviceBuffer(context, 4);
    expect(() => fill(new Uint8Array(4), Uint8Array.of(1))).toThrow("buffer must be a DeviceBuffer");
    for (const pattern of [undefined, null, "1", [1], {}]) {
      expect(() => fill(buffer, pattern)).toThrow("pattern must be");
    }
    expect(() => fill(buffer, Uint8Array.of(1), { waitFor: 1 })).toThrow("waitFor");
  });
});
