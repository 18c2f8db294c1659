import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import { DeviceBuffer, DisposedError, handleCounts, MemFlags, MemInfo, MemObjectType } from "@cl/core";

import { collectUntil, turns } from "@cl/base/testing";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { lastResult, runModule } from "@cl/testing/run-module";
import { context, queue, resizable } from "./support/kernels.js";

const alignment = Math.max(...context.devices.map((device) => device.memBaseAddrAlign / 8));

describe("a new buffer", () => {
  test("has the requested size and no element type", () => {
    const buffer = new DeviceBuffer(context, 1024);
    expect(buffer).toMatchObject({ size: 1024, length: 1024, offset: 0, mapCount: 0, referenceCount: 1 });
    expect(buffer).toMatchObject({ objectType: MemObjectType.BUFFER, usesSvmPointer: false });
    expect([buffer.type, buffer.base, buffer.hostArray]).toEqual([undefined, undefined, undefined]);
    expect(buffer.context).toBe(context);
    expect(new DataView(buffer.getInfo(MemInfo.SIZE).buffer).getBigUint64(0, true)).toBe(1024n);
  });

  test("measures its length in elements of its type", () => {
    const buffer = new DeviceBuffer(context, { type: Float64Array, length: 10 });
    expect(buffer).toMatchObject({ size: 80, length: 10 });
    expect(buffer.type).toBe(Float64Array);
    expect(DeviceBuffer.empty(context, Int16Array, 3).size).toBe(6);
  });

  test("copies only the elements of a subarray and adopts its element type", () => {
    const buffer = DeviceBuffer.from(context, Float32Array.of(1, 2, 3, 4).subarray(1, 3));
    expect(buffer.type).toBe(Float32Array);
    expect([...queue.readSync(buffer)]).toEqual([2, 3]);
  });

  test("treats a Node.js Buffer as bytes", () => {
    const buffer = DeviceBuffer.from(context, Buffer.from("OpenCL"));
    expect(buffer.type).toBe(Uint8Array);
    expect(Buffer.from(queue.readSync(buffer)).toString()).toBe("OpenCL");
  });

  test("copies shared and resizable memory, because the call blocks", () => {
    const shared = new Int32Array(new SharedArrayBuffer(8));
    shared.set([7, 8]);
    expect([...queue.readSync(DeviceBuffer.from(context, shared))]).toEqual([7, 8]);
    const growing = new Int32Array(resizable(8));
    growing.set([9, 10]);
    expect([...queue.readSync(DeviceBuffer.from(context, growing))]).toEqual([9, 10]);
  });

  test("copies only the first bytes if a size is given", () => {
    const host = Uint8Array.of(1, 2, 3, 4);
    const buffer = new DeviceBuffer(context, { host, hostPointer: "copy", size: 2 });
    expect([...queue.readSync(buffer)]).toEqual([1, 2]);
  });

  test("converts access to flags and accepts raw flags", () => {
    expect(new DeviceBuffer(context, { size: 8, access: "read-only" }).flags & MemFlags.READ_ONLY).not.toBe(0);
    expect(new DeviceBuffer(context, { size: 8, flags: MemFlags.WRITE_ONLY }).flags & MemFlags.WRITE_ONLY).not.toBe(0);
    const buffer = new DeviceBuffer(context, {
      size: 8,
      hostAccess: "none",
      hostPointer: "alloc",
      access: "read-write",
    });
    expect(buffer.flags).toBe(MemFlags.READ_WRITE | MemFlags.HOST_NO_ACCESS | MemFlags.ALLOC_HOST_PTR);
  });

  test('shares host memory with hostPointer: "use"', () => {
    const host = Int32Array.of(1, 2, 3);
    const buffer = new DeviceBuffer(context, { host, hostPointer: "use" });
    expect(buffer.hostArray).toBe(host);
    expect(buffer.hostPointer).not.toBe(0n);
    queue.writeSync(buffer, Int32Array.of(4, 5, 6));
    const mapped = queue.mapSync(buffer, { access: "read" });
    expect([...mapped.data]).toEqual([4, 5, 6]);
    expect([...host]).toEqual([4, 5, 6]);
    mapped.unmap().waitSync();
  });

  test("is printed on one line", () => {
    expect(String(DeviceBuffer.empty(context, Float32Array, 4, { label: "velocity" }))).toBe(
      'DeviceBuffer "velocity" { Float32Array × 4, 16 bytes }',
    );
  });
});

describe("the DeviceBuffer constructor throws", () => {
  const host = Int8Array.of(1);
  const most = Math.max(...context.devices.map((device) => device.maxMemAllocSize));
  test.each([
    ["a length without a type", { length: 3 }, wrongType("options.type")],
    ["a length and a size", { length: 3, size: 3, type: Int8Array }, wrongType("options.length")],
    ["host memory without hostPointer", { host }, wrongType("options.hostPointer")],
    ['hostPointer "copy" without host memory', { size: 4, hostPointer: "copy" }, wrongType("options.host")],
    ["host pointer flags without host memory", { size: 4, flags: MemFlags.USE_HOST_PTR }, wrongType("options.host")],
    ["the name of an inherited method as access", { size: 4, access: "toString" }, wrongType("options.access")],
    [
      'resizable memory with "use"',
      { host: new Int32Array(resizable(8)), hostPointer: "use" },
      wrongType("options.host"),
    ],
    ["a size that is not a multiple of the element size", { type: Float64Array, size: 12 }, outOfRange()],
    ["an empty array", { host: new Int8Array(0), hostPointer: "copy" }, outOfRange("options.host")],
    ["more bytes than the array has", { host, hostPointer: "copy", size: 5 }, outOfRange("options.size")],
    ["more bytes than the device's limit", most + 1, outOfRange()],
    ["two kinds of access", { size: 4, access: "read-only", flags: MemFlags.WRITE_ONLY }, wrongValue()],
    ["all kinds of access", { size: 4, flags: MemFlags.READ_ONLY | MemFlags.WRITE_ONLY }, wrongValue()],
    ['both "use" and "copy"', { host, flags: MemFlags.COPY_HOST_PTR, hostPointer: "use" }, wrongValue()],
    ['both "use" and "alloc"', { host, flags: MemFlags.ALLOC_HOST_PTR, hostPointer: "use" }, wrongValue()],
    ["two kinds of host access", { size: 4, hostAccess: "none", flags: MemFlags.HOST_READ_ONLY }, wrongValue()],
  ])("for %s", (_, options, error) => {
    expect(() => new DeviceBuffer(context, options as number)).toThrow(error);
  });
});

describe("release", () => {
  test("releases the buffer immediately and can be repeated", () => {
    const buffer = new DeviceBuffer(context, 8);
    buffer.release();
    buffer.release();
    expect(buffer.released).toBe(true);
    expect(() => buffer.flags).toThrow(DisposedError);
    expect(() => queue.readSync(buffer, Uint8Array)).toThrow(DisposedError);
    expect(() => buffer.slice(0, 1)).toThrow(DisposedError);
  });

  test("does not affect enqueued commands that use the buffer", async () => {
    const source = DeviceBuffer.from(context, new Float32Array(1 << 16).fill(3));
    const target = DeviceBuffer.empty(context, Float32Array, 1 << 16);
    const copied = queue.enqueueCopy(target, source);
    source.release();
    await copied.wait();
    expect((await queue.read(target)).every((value) => value === 3)).toBe(true);
  });

  test("happens on garbage collection, which is triggered earlier by device memory use", async () => {
    const before = handleCounts()["memory"] ?? 0;
    for (let i = 0; i < 200; i++) void new DeviceBuffer(context, 1 << 20);
    expect(await collectUntil(() => (handleCounts()["memory"] ?? 0) <= before)).toBe(true);
  });
});

describe("destructor callbacks", () => {
  test("run in reverse order once the memory is freed", async () => {
    const calls: number[] = [];
    const buffer = new DeviceBuffer(context, 8);
    buffer.onDestroyed(() => calls.push(1)).onDestroyed(() => calls.push(2));
    await turns();
    expect(calls).toEqual([]);
    buffer.release();
    await expect.poll(() => calls).toEqual([2, 1]);
  });

  test("can use the destroyed object, release others and throw", async () => {
    const script = `
      import { writeSync } from "node:fs";
      import { until } from "@cl/base/testing";
      import { Context, CommandQueue, DeviceBuffer } from "@cl/core";
      const context = Context.create();
      const queue = new CommandQueue(context);
      const other = DeviceBuffer.empty(context, Int32Array, 4);
      const messages = [];
      process.on("uncaughtException", (error) => messages.push("uncaught " + error.message));
      const x = DeviceBuffer.from(context, Int32Array.of(1, 2, 3, 4));
      x.onDestroyed(() => messages.push("first " + x.released));
      x.onDestroyed(() => { other.release(); messages.push("second"); });
      x.onDestroyed(() => { throw new Error("mine"); });
      x.onDestroyed(() => { try { x.pointer; } catch (error) { messages.push(error.name); } });
      const own = new DeviceBuffer(context, { host: new Int32Array(4), hostPointer: "use" });
      own.onDestroyed(() => messages.push("own"));
      queue.enqueueFill(own, Int32Array.of(1));
      own.release();
      await queue.finish();
      x.release();
      await until(() => messages.length === 5);
      writeSync(1, JSON.stringify({ messages: messages.sort() }));`;
    const { messages } = lastResult(await runModule({ source: script })) as { messages: string[] };
    expect(messages).toEqual(["DisposedError", "first true", "own", "second", "uncaught mine"]);
  });

  test("run only after the last sub-buffer is released", async () => {
    let destroyed = false;
    const buffer = new DeviceBuffer(context, 4 * alignment);
    const part = buffer.subBuffer(alignment, alignment);
    buffer.onDestroyed(() => (destroyed = true));
    buffer.release();
    await turns();
    expect(destroyed).toBe(false);
    part.release();
    await expect.poll(() => destroyed).toBe(true);
  });
});

describe("a retyped buffer", () => {
  test("shares the memory and is released separately", () => {
    const floats = DeviceBuffer.from(context, Float32Array.of(1, -0));
    const bits = floats.as(Uint32Array);
    expect(bits.equals(floats)).toBe(true);
    expect(bits.length).toBe(2);
    floats.release();
    expect([...queue.readSync(bits)]).toEqual([0x3f800000, 0x80000000]);
  });

  test("must have a whole number of elements", () => {
    expect(() => new DeviceBuffer(context, 12).as(Float64Array)).toThrow(outOfRange());
  });
});

describe("a sub-buffer", () => {
  const elements = alignment; // of 4 bytes: four aligned parts
  const whole = Int32Array.from({ length: elements }, (_, i) => i);

  test("shares the memory of its parent", () => {
    const buffer = DeviceBuffer.from(context, whole);
    const part = buffer.subBuffer(alignment, 8);
    expect(part.base).toBe(buffer);
    expect(part.offset).toBe(alignment);
    expect(part.type).toBe(Int32Array);
    expect([...queue.readSync(part)]).toEqual([alignment / 4, alignment / 4 + 1]);
    queue.writeSync(part, Int32Array.of(-1, -2));
    expect(queue.readSync(buffer)[alignment / 4]).toBe(-1);
    expect(String(part)).toContain(`from byte ${alignment} of ${buffer.size}`);
  });

  test("of a sub-buffer belongs to the root buffer, at the sum of the offsets", () => {
    const buffer = DeviceBuffer.from(context, whole);
    const inner = buffer.subBuffer(alignment, 2 * alignment).subBuffer(alignment, 4);
    expect(inner.base).toBe(buffer);
    expect(inner.offset).toBe(2 * alignment);
    expect([...queue.readSync(inner)]).toEqual([alignment / 2]);
  });

  test("must start at an aligned offset, which the error names", () => {
    const buffer = new DeviceBuffer(context, 4 * alignment);
    expect(() => buffer.subBuffer(alignment + 4, 4)).toThrow(outOfRange());
    const part = buffer.subBuffer(alignment, 2 * alignment);
    expect(() => part.subBuffer(4, 4)).toThrow(outOfRange());
  });

  test("must be inside its parent, not be empty and have a whole number of elements", () => {
    const buffer = DeviceBuffer.from(context, whole);
    expect(() => buffer.subBuffer(0, buffer.size + 4)).toThrow(outOfRange());
    expect(() => buffer.subBuffer(buffer.size, 4)).toThrow(outOfRange());
    expect(() => buffer.subBuffer(0, 0)).toThrow(outOfRange("bytes"));
    expect(() => buffer.subBuffer(0, 6)).toThrow(outOfRange());
    expect(() => buffer.subBuffer(-4, 4)).toThrow(outOfRange("origin"));
  });

  test("inherits its access flags or restricts them", () => {
    const buffer = new DeviceBuffer(context, { size: 4 * alignment, access: "read-write" });
    const part = buffer.subBuffer(0, 2 * alignment, { access: "read-only" });
    expect(part.flags & MemFlags.READ_ONLY).not.toBe(0);
    expect(part.subBuffer(alignment, 4).flags & MemFlags.READ_ONLY).not.toBe(0);
    expect(() => buffer.subBuffer(0, 4, { access: "read-only", flags: MemFlags.WRITE_ONLY })).toThrow(wrongValue());
  });

  test("from slice() matches subarray() for every aligned start, including negative ones", () => {
    const buffer = DeviceBuffer.from(context, whole);
    const starts = Array.from({ length: 4 }, (_, i) => (i * alignment) / 4);
    fc.assert(
      fc.property(
        fc.constantFrom(...starts, ...starts.map((start) => start - elements)),
        fc.integer({ min: -elements, max: elements }),
        (start, end) => {
          const expected = whole.subarray(start, end);
          if (expected.length === 0) {
            expect(() => buffer.slice(start, end)).toThrow(outOfRange());
            return;
          }
          const part = buffer.slice(start, end);
          expect(queue.readSync(part)).toEqual(expected);
          part.release();
        },
      ),
      { numRuns: 100 },
    );
  });

  test("from slice() must have indices inside the buffer", () => {
    const buffer = DeviceBuffer.from(context, whole);
    expect(() => buffer.slice(0, elements + 1)).toThrow(outOfRange("end"));
    expect(() => buffer.slice(-elements - 1)).toThrow(outOfRange("start"));
    expect(buffer.slice().length).toBe(elements);
  });
});
