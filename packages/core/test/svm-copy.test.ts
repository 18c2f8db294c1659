/** Copies, reads, writes, fills and migrations of SVM. In other bindings, fills ignore their length and offset. */
import * as fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { CommandQueue, DeviceBuffer, type FillPattern, MemMigrationFlags, type Svm, SvmAllocation } from "@cl/core";

import { context, needsCoarse, needsFine } from "@cl/testing/svm";
import { outOfRange, wrongType } from "@cl/testing/error-like";

const queue = new CommandQueue(context);

beforeEach((run) => needsCoarse(run));

const filledWith = (...bytes: readonly number[]): SvmAllocation => {
  const memory = new SvmAllocation(context, bytes.length);
  queue.writeSync(memory, Uint8Array.from(bytes));
  return memory;
};
const contents = (memory: SvmAllocation | Svm): number[] => [...queue.readSync(memory, Uint8Array)];

describe("a copy", () => {
  test("accepts offsets and a byte count for source and target", () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(20), fc.nat(20), (sourceOffset, targetOffset, bytes) => {
        const source = Uint8Array.from({ length: sourceOffset + bytes + 3 }, (_, i) => i + 1);
        using from = filledWith(...source);
        using to = filledWith(...new Uint8Array(targetOffset + bytes + 2).fill(99));
        queue.enqueueCopy(to, from, { sourceOffset, targetOffset, bytes }).waitSync();
        const expected = new Uint8Array(to.size).fill(99);
        expected.set(source.subarray(sourceOffset, sourceOffset + bytes), targetOffset);
        expect(contents(to)).toEqual([...expected]);
        const out = new Uint8Array(to.size).fill(99);
        queue.copySync(out, from, { sourceOffset, targetOffset, bytes });
        expect(out).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  test("transfers from and to buffers, also as rectangles", () => {
    using memory = filledWith(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    using buffer = new DeviceBuffer(context, 12);
    queue.copySync(buffer, memory);
    expect([...queue.readSync(buffer, Uint8Array)]).toEqual(contents(memory));
    queue.enqueueFill(buffer, Uint8Array.of(50)).waitSync();
    queue.copySync(memory, buffer, { targetOffset: 4, bytes: 2 });
    expect(contents(memory)).toEqual([0, 1, 2, 3, 50, 50, 6, 7, 8, 9, 10, 11]);
    const box = new Uint8Array(4);
    queue.copySync(box, memory, { region: [2, 2], sourceOrigin: [2, 1], sourcePitches: [4], targetPitches: [2] });
    expect([...box]).toEqual([6, 7, 10, 11]);
  });

  test("rejects overlapping source and target", () => {
    using memory = filledWith(1, 2, 3, 4);
    expect(() => queue.enqueueCopy(memory.part(1), memory.part(0, 3))).toThrow(outOfRange());
    using buffer = memory.asBuffer();
    expect(() => queue.enqueueCopy(buffer, memory, { bytes: 2 })).toThrow(outOfRange());
  });

  test("rejects ranges out of bounds", () => {
    using memory = filledWith(1, 2, 3, 4);
    expect(() => queue.enqueueCopy(new Uint8Array(5), memory)).toThrow(outOfRange());
    expect(() => queue.enqueueCopy(new Uint8Array(9), memory, { sourceOffset: 3, bytes: 2 })).toThrow(
      outOfRange("options.bytes"),
    );
    expect(() => queue.enqueueCopy(memory, new Uint8Array(4), { targetOffset: 5 })).toThrow(
      outOfRange("options.targetOffset"),
    );
  });
});

describe("reading and writing", () => {
  test("return typed elements, a range of them, or fill an array", async () => {
    using memory = new SvmAllocation(context, 16);
    await queue.write(memory, Float32Array.of(1, 2, 3, 4));
    await queue.write(memory, Float32Array.of(9), { offset: 2 });
    expect([...(await queue.read(memory, Float32Array))]).toEqual([1, 2, 9, 4]);
    expect([...(await queue.read(memory, Float32Array, { offset: 1, length: 2 }))]).toEqual([2, 9]);
    const into = new Float32Array(2);
    expect(await queue.read(memory, { into })).toBe(into);
    expect([...into]).toEqual([1, 2]);
    expect((await queue.read(memory)).length).toBe(16);
    expect((await queue.read(memory, Float32Array, { length: 0 })).length).toBe(0);
  });

  test("return bytes from untyped memory, and elements from typed memory", () => {
    using memory = filledWith(1, 0, 2, 0);
    expect(queue.readSync(memory)).toEqual(Uint8Array.of(1, 0, 2, 0));
    expect(queue.readSync(memory.part(0, 4, Uint16Array))).toEqual(Uint16Array.of(1, 2));
    queue.writeSync(memory.part(2), Uint16Array.of(7));
    expect(queue.readSync(memory, Uint16Array)).toEqual(Uint16Array.of(1, 7));
  });
});

describe("a fill", () => {
  const fill = (svm: unknown, pattern: unknown, options?: unknown): unknown =>
    queue.enqueueSvmFill(svm as SvmAllocation, pattern as FillPattern, options as undefined);

  test("repeats a pattern over the given bytes only", () => {
    const patterns = fc
      .constantFrom(1, 2, 4, 8, 16, 32, 64, 128)
      .chain((size) => fc.uint8Array({ minLength: size, maxLength: size }));
    fc.assert(
      fc.property(patterns, fc.nat(4), fc.nat(4), fc.nat(4), (pattern, before, count, after) => {
        const size = pattern.length;
        using memory = filledWith(...new Uint8Array((before + count + after + 1) * size).fill(7));
        queue.enqueueSvmFill(memory, pattern, { offset: before * size, bytes: count * size }).waitSync();
        const expected = new Uint8Array(memory.size).fill(7);
        for (let i = 0; i < count; i++) expected.set(pattern, (before + i) * size);
        expect(contents(memory)).toEqual([...expected]);
      }),
      { numRuns: 60 },
    );
  });

  test("accepts a number as an element of typed memory", () => {
    using memory = new SvmAllocation(context, 16);
    queue.enqueueSvmFill(memory.part(0, 16, Float32Array), 1.5).waitSync();
    queue.enqueueSvmFill(memory.part(4, 4, Int32Array), -1).waitSync();
    expect([...queue.readSync(memory, Float32Array, { length: 1 })]).toEqual([1.5]);
    expect([...queue.readSync(memory, Int32Array, { offset: 1, length: 1 })]).toEqual([-1]);
    expect(() => fill(memory, 1)).toThrow(wrongType("pattern"));
    expect(() => fill(memory.part(0, 4, Uint8Array), 256)).toThrow(outOfRange("pattern"));
  });

  test("rejects patterns and ranges that do not fit", () => {
    using memory = filledWith(1, 2, 3, 4, 5, 6, 7, 8);
    expect(() => fill(memory, new Uint8Array(3))).toThrow(outOfRange("pattern"));
    expect(() => fill(memory, Uint16Array.of(1), { offset: 1 })).toThrow(outOfRange("options.offset"));
    expect(() => fill(memory, Uint16Array.of(1), { bytes: 3 })).toThrow(outOfRange("options.bytes"));
    expect(() => fill(memory, Uint8Array.of(1), { bytes: 9 })).toThrow(outOfRange("options.bytes"));
    expect(() => fill(memory.part(2), Uint32Array.of(1), { bytes: 4 })).toThrow(outOfRange("options.offset"));
    expect(() => fill(new Uint8Array(8), Uint8Array.of(1))).toThrow(wrongType("svm"));
  });
});

describe("migrating memory", () => {
  test("to the device and to the host keeps its contents", async () => {
    using one = filledWith(1, 2, 3);
    using two = filledWith(4, 5, 6);
    using none = new SvmAllocation(context, 0);
    await queue.enqueueSvmMigrate([one, two.part(1), none]).wait();
    await queue.enqueueSvmMigrate(one, { flags: MemMigrationFlags.HOST }).wait();
    await queue.enqueueSvmMigrate(none).wait();
    expect(contents(one)).toEqual([1, 2, 3]);
    expect(contents(two)).toEqual([4, 5, 6]);
  });
});

describe("a buffer over SVM", () => {
  test("shares the memory, keeps it alive, and can start at any offset", async () => {
    const memory = filledWith(1, 2, 3, 4, 5, 6, 7, 8);
    const buffer = memory.asBuffer();
    const part = memory.asBuffer({ byteOffset: 4, bytes: 2, access: "read-only", label: "part" });
    expect(buffer.size).toBe(8);
    expect(buffer.usesSvmPointer).toBe(true);
    expect(buffer.hostPointer).toBe(memory.pointer);
    expect(part.label).toBe("part");
    queue.enqueueFill(buffer, Uint8Array.of(9), { offset: 4, bytes: 1 }).waitSync();
    expect([...(await queue.read(part, Uint8Array))]).toEqual([9, 6]);
    memory.release();
    // One of these would reuse freed memory.
    const others = Array.from({ length: 20 }, () => filledWith(0, 0, 0, 0, 0, 0, 0, 0));
    expect([...queue.readSync(buffer, Uint8Array)]).toEqual([1, 2, 3, 4, 9, 6, 7, 8]);
    for (const one of [...others, buffer, part]) one.release();
  });

  test("has the element type of its memory", (run) => {
    needsFine(run);
    using memory = new SvmAllocation(context, 16, { kind: "fine-buffer" });
    memory.array(Float32Array).set([1, 2, 3, 4]);
    using buffer = memory.part(4, 8, Float32Array).asBuffer();
    expect(buffer.type).toBe(Float32Array);
    expect([...queue.readSync(buffer)]).toEqual([2, 3]);
    expect(() => memory.part(0, 16, Float32Array).asBuffer({ bytes: 6 })).toThrow(outOfRange());
  });

  test("rejects an empty range, and ranges out of bounds", () => {
    using memory = filledWith(1, 2, 3, 4);
    expect(() => memory.asBuffer({ byteOffset: 4 })).toThrow(outOfRange("options.bytes"));
    expect(() => memory.asBuffer({ byteOffset: 5 })).toThrow(outOfRange("options.byteOffset"));
    expect(() => memory.asBuffer({ byteOffset: 2, bytes: 3 })).toThrow(outOfRange("options.bytes"));
  });
});
