/** Copies, reads, writes, fills and migrations of SVM. In other bindings, fills ignore their length and offset. */
import { beforeEach, describe, expect, test } from "vitest";
import { MemMigrationFlags, type Svm, SvmAllocation } from "@cl/core";

import { needsCoarse, needsFine } from "@cl/testing/svm";
import { outOfRange } from "@cl/testing/error-like";
import { context, queue } from "./support/kernels.js";

beforeEach((run) => needsCoarse(run));

const filledWith = (...bytes: readonly number[]): SvmAllocation => {
  const memory = new SvmAllocation(context, bytes.length);
  queue.writeSync(memory, Uint8Array.from(bytes));
  return memory;
};
const contents = (memory: SvmAllocation | Svm): number[] => [...queue.readSync(memory, Uint8Array)];

describe("a copy", () => {
  test("rejects overlapping source and target", () => {
    using memory = filledWith(1, 2, 3, 4);
    expect(() => queue.enqueueCopy(memory.part(1), memory.part(0, 3))).toThrow(outOfRange());
    using buffer = memory.asBuffer();
    expect(() => queue.enqueueCopy(buffer, memory, { bytes: 2 })).toThrow(outOfRange());
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

test("a fill of a part must be aligned to the pattern in the allocation", () => {
  using memory = filledWith(1, 2, 3, 4, 5, 6, 7, 8);
  const fill = (): unknown => queue.enqueueSvmFill(memory.part(2), Uint32Array.of(1), { bytes: 4 });
  expect(fill).toThrow(outOfRange("options.offset"));
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
    expect(buffer).toMatchObject({ size: 8, usesSvmPointer: true });
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
