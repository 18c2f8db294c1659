import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CopyEnd, type CopyOptions, DeviceBuffer } from "@cl/core";
import { outOfRange, wrongValue } from "@cl/testing/error-like";
import { bytesOf, countingBytes, end, pairs } from "./support/copy-ends.js";
import { context, queue } from "./support/kernels.js";

/** Alias without types, for calls that TypeScript would reject. */
const copy = (target: unknown, source: unknown, options?: unknown): unknown =>
  queue.enqueueCopy(target as CopyEnd, source as CopyEnd, options as CopyOptions);

describe.each(pairs)("a copy to %s from %s", (targetSide, sourceSide) => {
  test.each([true, false])("copies exactly the bytes selected by offsets and size (blocking: %s)", async (blocking) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 300 }),
        fc.nat(300),
        fc.nat(300),
        fc.nat(300),
        async (sourceSize, targetSize, a, b, c) => {
          const sourceOffset = a % (sourceSize + 1);
          const targetOffset = b % (targetSize + 1);
          const bytes = c % (Math.min(sourceSize - sourceOffset, targetSize - targetOffset) + 1);
          const [source, target] = [countingBytes(sourceSize, 1), countingBytes(targetSize, 100)];
          const [from, to] = [end(sourceSide, source), end(targetSide, target)];
          if (blocking) queue.copySync(to, from, { sourceOffset, targetOffset, bytes });
          else await queue.enqueueCopy(to, from, { sourceOffset, targetOffset, bytes }).wait();
          target.set(source.subarray(sourceOffset, sourceOffset + bytes), targetOffset);
          expect(bytesOf(to)).toEqual(target);
        },
      ),
      { numRuns: 30 },
    );
  });

  test("copies everything after the offset if the remaining sizes are equal", async () => {
    const to = end(targetSide, new Uint8Array(5));
    await queue.enqueueCopy(to, end(sourceSide, countingBytes(3, 1)), { targetOffset: 2 }).wait();
    expect([...bytesOf(to)]).toEqual([0, 0, 1, 2, 3]);
  });

  test("throws for different sizes without `bytes` and outside the source or the target", () => {
    const [to, from] = [end(targetSide, new Uint8Array(4)), end(sourceSide, new Uint8Array(8))];
    for (const [options, argument] of [
      [{}],
      [{ bytes: 5 }, "options.bytes"],
      [{ bytes: -1 }, "options.bytes"],
      [{ bytes: 3, sourceOffset: 6 }, "options.bytes"],
      [{ bytes: 1, targetOffset: 5 }, "options.targetOffset"],
      [{ bytes: 1, sourceOffset: 9 }, "options.sourceOffset"],
    ] as const) {
      expect(() => copy(to, from, options)).toThrow(outOfRange(argument));
    }
  });

  test("of zero bytes completes without copying", async () => {
    const to = end(targetSide, countingBytes(4));
    const event = queue.enqueueCopy(to, end(sourceSide, countingBytes(4, 9)), { bytes: 0 });
    await event.wait();
    expect(event.status).toBe(0);
    queue.copySync(to, end(sourceSide, countingBytes(4, 9)), { bytes: 0 });
    expect(bytesOf(to)).toEqual(countingBytes(4));
  });
});

describe("a copy", () => {
  test("throws between two host arrays", () => {
    expect(() => copy(new Uint8Array(4), new Uint8Array(4))).toThrow(wrongValue());
  });

  test("accepts every typed array, DataView, ArrayBuffer and shared memory", async () => {
    const memory = countingBytes(16, 1).buffer as ArrayBuffer;
    const shared = new SharedArrayBuffer(16);
    new Uint8Array(shared).set(countingBytes(16, 1));
    const sources = [
      memory,
      shared,
      new DataView(memory),
      new Float64Array(memory),
      new Uint8ClampedArray(shared),
      Buffer.from(memory),
    ];
    for (const source of sources) {
      const buffer = new DeviceBuffer(context, 16);
      await queue.enqueueCopy(buffer, source).wait();
      expect(bytesOf(buffer)).toEqual(countingBytes(16, 1));
    }
    const targets = [new ArrayBuffer(16), new SharedArrayBuffer(16)];
    const buffer = DeviceBuffer.from(context, countingBytes(16, 1));
    for (const target of targets) {
      await queue.enqueueCopy(target, buffer).wait();
      expect(new Uint8Array(target)).toEqual(countingBytes(16, 1));
    }
  });

  test("writes to a subarray without touching the rest of its ArrayBuffer", () => {
    const whole = countingBytes(10);
    const buffer = new DeviceBuffer(context, 4);
    queue.copySync(buffer, whole.subarray(3, 7));
    expect([...bytesOf(buffer)]).toEqual([3, 4, 5, 6]);
    const into = new Uint8Array(10);
    queue.copySync(into.subarray(5, 9), buffer);
    expect([...into]).toEqual([0, 0, 0, 0, 0, 3, 4, 5, 6, 0]);
  });

  test("within a buffer rejects overlapping ranges, also through sub-buffers and retyped buffers", () => {
    const buffer = DeviceBuffer.from(context, countingBytes(64));
    expect(() => copy(buffer, buffer, { bytes: 10, targetOffset: 9 })).toThrow(outOfRange());
    expect(() => copy(buffer, buffer.as(Int32Array), { bytes: 4, sourceOffset: 2 })).toThrow(outOfRange());
    expect(() => copy(buffer, buffer.slice(0, 8), { bytes: 8 })).toThrow(outOfRange());
    queue.copySync(buffer, buffer, { bytes: 10, targetOffset: 10 });
    expect([...bytesOf(buffer).subarray(8, 14)]).toEqual([8, 9, 0, 1, 2, 3]);
  });
});
