import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CommandEvent, DeviceBuffer, type FillPattern, type SvmPointer, UserEvent } from "@cl/core";
import { outOfRange, wrongType } from "@cl/testing/error-like";
import { bytesOf, end, kinds } from "./support/copy-ends.js";
import { context, queue } from "./support/kernels.js";

describe.each(kinds)("a fill of a %s", (kind) => {
  /** Without types, for calls that TypeScript would reject. */
  const fill = (memory: unknown, pattern: unknown, options?: unknown): CommandEvent =>
    kind === "svm"
      ? queue.enqueueSvmFill(memory as SvmPointer, pattern as FillPattern, options as undefined)
      : queue.enqueueFill(memory as DeviceBuffer, pattern as FillPattern, options as undefined);
  const filled = (length: number, value: number): DeviceBuffer | SvmPointer =>
    end(kind, new Uint8Array(length).fill(value)) as DeviceBuffer | SvmPointer;
  const typed = (length: number, type: unknown): DeviceBuffer | SvmPointer => {
    const memory = filled(length, 0);
    return memory instanceof DeviceBuffer ? memory.as(type as null) : memory.part(0, length, type as null);
  };

  test("repeats patterns of every size over any range that is a multiple of the size", () => {
    const patterns = fc
      .constantFrom(1, 2, 4, 8, 16, 32, 64, 128)
      .chain((size) => fc.uint8Array({ minLength: size, maxLength: size }));
    fc.assert(
      fc.property(patterns, fc.nat(4), fc.nat(4), fc.nat(4), (pattern, before, count, after) => {
        const size = pattern.length;
        const memory = filled((before + count + after + 1) * size, 7);
        fill(memory, pattern, { offset: before * size, bytes: count * size }).waitSync();
        const expected = new Uint8Array(memory.size).fill(7);
        for (let i = 0; i < count; i++) expected.set(pattern, (before + i) * size);
        expect(bytesOf(memory)).toEqual(expected);
        memory.release();
      }),
      { numRuns: 60 },
    );
  });

  test("accepts a number as one element of typed memory", async () => {
    const floats = typed(16, Float32Array);
    await fill(floats, 1.5).wait();
    expect(bytesOf(floats)).toEqual(new Uint8Array(Float32Array.of(1.5, 1.5, 1.5, 1.5).buffer));
    const longs = typed(16, BigInt64Array);
    await fill(longs, -(2n ** 62n)).wait();
    expect(bytesOf(longs)).toEqual(new Uint8Array(BigInt64Array.of(-(2n ** 62n), -(2n ** 62n)).buffer));
  });

  test("rejects patterns that the element type cannot hold or of an unsupported size", () => {
    const [bytes, longs] = [typed(768, Uint8Array), typed(768, BigUint64Array)];
    for (const value of [256, -1, 0.5, Number.NaN, Infinity]) {
      expect(() => fill(bytes, value)).toThrow(outOfRange("pattern"));
    }
    expect(() => fill(longs, -1n)).toThrow(outOfRange("pattern"));
    for (const [memory, pattern] of [
      [bytes, 1n],
      [longs, 1],
      [filled(4, 0), 1],
    ]) {
      expect(() => fill(memory, pattern)).toThrow(wrongType("pattern"));
    }
    for (const size of [0, 3, 12, 256]) {
      expect(() => fill(bytes, new Uint8Array(size))).toThrow(outOfRange("pattern"));
    }
  });

  test("continues to the end without `bytes`, and requires a range that is a multiple of the pattern", () => {
    const memory = filled(16, 2);
    const pattern = Uint32Array.of(0x01010101);
    fill(memory, pattern, { offset: 8 });
    expect(bytesOf(memory)).toEqual(Uint8Array.of(2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1));
    for (const [options, argument] of [
      [{ bytes: 6 }, "options.bytes"],
      [{ offset: 2, bytes: 4 }, "options.offset"],
      [{ bytes: 20 }, "options.bytes"],
      [{ offset: 20 }, "options.offset"],
      [{ offset: 8, bytes: 12 }, "options.bytes"],
    ] as const) {
      expect(() => fill(memory, pattern, options)).toThrow(outOfRange(argument));
    }
    expect(() => fill(filled(6, 0), pattern)).toThrow(RangeError);
  });

  test("copies its pattern when it is enqueued", async () => {
    const gate = new UserEvent(context);
    const memory = filled(4, 0);
    const pattern = Uint8Array.of(5);
    const event = fill(memory, pattern, { waitFor: gate });
    pattern[0] = 6;
    gate.complete();
    await event.wait();
    expect(bytesOf(memory)).toEqual(Uint8Array.of(5, 5, 5, 5));
  });
});
