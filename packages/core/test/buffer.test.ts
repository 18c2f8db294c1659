import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import {
  CommandQueue,
  Context,
  DeviceBuffer,
  DisposedError,
  handleCounts,
  MemFlags,
  MemInfo,
  MemObjectType,
  MemoryObject,
} from "@cl/core";

import { collectUntil, turns } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";

const context = Context.create();
const queue = new CommandQueue(context);
const alignment = Math.max(...context.devices.map((device) => device.memBaseAddrAlign / 8));

/** Alias without types, for calls that TypeScript would reject. */
const make = (options: unknown): DeviceBuffer => new DeviceBuffer(context, options as number);

describe("a new buffer", () => {
  test("has the requested size and no element type", () => {
    const buffer = new DeviceBuffer(context, 1024);
    expect(buffer.size).toBe(1024);
    expect(buffer.length).toBe(1024);
    expect(buffer.type).toBeUndefined();
    expect(buffer.base).toBeUndefined();
    expect(buffer.hostArray).toBeUndefined();
    expect(buffer.context).toBe(context);
    expect(buffer.objectType).toBe(MemObjectType.BUFFER);
    expect(buffer.offset).toBe(0);
    expect(buffer.mapCount).toBe(0);
    expect(buffer.referenceCount).toBe(1);
    expect(buffer.usesSvmPointer).toBe(false);
  });

  test("measures its length in elements of its type", () => {
    const buffer = new DeviceBuffer(context, { type: Float64Array, length: 10 });
    expect(buffer.size).toBe(80);
    expect(buffer.length).toBe(10);
    expect(buffer.type).toBe(Float64Array);
    expect(DeviceBuffer.empty(context, Int16Array, 3).size).toBe(6);
  });

  test("copies a typed array and adopts its element type", () => {
    const buffer = DeviceBuffer.from(context, Float32Array.of(1, 2, 3));
    expect(buffer.type).toBe(Float32Array);
    expect([...queue.readSync(buffer)]).toEqual([1, 2, 3]);
  });

  test("copies only the elements of a subarray", () => {
    const whole = Int32Array.of(1, 2, 3, 4, 5);
    expect([...queue.readSync(DeviceBuffer.from(context, whole.subarray(1, 4)))]).toEqual([2, 3, 4]);
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
    const Resizable = ArrayBuffer as unknown as new (bytes: number, options: { maxByteLength: number }) => ArrayBuffer;
    const resizable = new Int32Array(new Resizable(8, { maxByteLength: 16 }));
    resizable.set([9, 10]);
    expect([...queue.readSync(DeviceBuffer.from(context, resizable))]).toEqual([9, 10]);
  });

  test("copies only the first bytes if a size is given, which cannot exceed the array", () => {
    const host = Uint8Array.of(1, 2, 3, 4);
    const buffer = new DeviceBuffer(context, { host, hostPointer: "copy", size: 2 });
    expect([...queue.readSync(buffer)]).toEqual([1, 2]);
    expect(() => make({ host, hostPointer: "copy", size: 5 })).toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.size"),
    );
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

  test("returns raw bytes from getInfo", () => {
    const bytes = new DeviceBuffer(context, 24).getInfo(MemInfo.SIZE);
    expect(new DataView(bytes.buffer).getBigUint64(0, true)).toBe(24n);
  });

  test("is printed on one line", () => {
    expect(String(DeviceBuffer.empty(context, Float32Array, 4, { label: "velocity" }))).toBe(
      'DeviceBuffer "velocity" { Float32Array × 4, 16 bytes }',
    );
  });
});

describe("the DeviceBuffer constructor throws", () => {
  test.each([
    ["missing options", undefined, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options")],
    ["no size", {}, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options")],
    ["a size of 0", 0, "options.size"],
    ["a fractional size", 1.5, "options.size"],
    ["NaN", Number.NaN, "options.size"],
    ["a negative size", -1, "options.size"],
    ["a string as size", { size: "8" }, "options.size"],
    ["a length without a type", { length: 3 }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.type")],
    [
      "a length and a size",
      { length: 3, size: 3, type: Int8Array },
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.length"),
    ],
    [
      "a type that is not a typed array class",
      { type: Array, length: 3 },
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.type"),
    ],
    [
      "a size that is not a multiple of the element size",
      { type: Float64Array, size: 12 },
      errorLike(RangeError, "ERR_OUT_OF_RANGE"),
    ],
    ["an array as options", Float32Array.of(1), errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options")],
    [
      "host memory without hostPointer",
      { host: Int8Array.of(1) },
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.hostPointer"),
    ],
    [
      'hostPointer "copy" without host memory',
      { size: 4, hostPointer: "copy" },
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.host"),
    ],
    [
      "host pointer flags without host memory",
      { size: 4, flags: MemFlags.USE_HOST_PTR },
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.host"),
    ],
    [
      "an unknown hostPointer",
      { size: 4, hostPointer: "borrow" },
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.hostPointer"),
    ],
    ["an unknown access", { size: 4, access: "rw" }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.access")],
    [
      "the name of an inherited method as access",
      { size: 4, access: "toString" },
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.access"),
    ],
    [
      "two kinds of access",
      { size: 4, access: "read-only", flags: MemFlags.WRITE_ONLY },
      errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
    ],
    [
      "all kinds of access",
      { size: 4, flags: MemFlags.READ_ONLY | MemFlags.WRITE_ONLY },
      errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
    ],
    [
      'both "use" and "copy"',
      { host: Int8Array.of(1), flags: MemFlags.COPY_HOST_PTR, hostPointer: "use" },
      errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
    ],
    [
      'both "use" and "alloc"',
      { host: Int8Array.of(1), flags: MemFlags.ALLOC_HOST_PTR, hostPointer: "use" },
      errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
    ],
    [
      "two kinds of host access",
      { size: 4, hostAccess: "none", flags: MemFlags.HOST_READ_ONLY },
      errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
    ],
    [
      "an empty array",
      { host: new Int8Array(0), hostPointer: "copy" },
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.host"),
    ],
    [
      "text as host memory",
      { host: "abc", hostPointer: "copy" },
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.host"),
    ],
    [
      "properties that are no pairs",
      { size: 4, properties: [1] },
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.properties[0]"),
    ],
    ["a label that is no text", { size: 4, label: 1 }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.label")],
  ])("for %s", (_, options, message) => {
    expect(() => make(options)).toThrow(message);
  });

  test("if the size exceeds the device limit, and names both sizes", () => {
    const most = Math.max(...context.devices.map((device) => device.maxMemAllocSize));
    expect(() => new DeviceBuffer(context, most + 1)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
    expect(() => new DeviceBuffer(context, Number.MAX_SAFE_INTEGER)).toThrow(RangeError);
  });

  test("for a detached array", () => {
    const gone = Float32Array.of(1, 2);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    expect(() => DeviceBuffer.from(context, gone)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "array"));
  });

  test('for resizable memory with hostPointer: "use"', () => {
    const Resizable = ArrayBuffer as unknown as new (bytes: number, options: { maxByteLength: number }) => ArrayBuffer;
    const host = new Int32Array(new Resizable(8, { maxByteLength: 16 }));
    expect(() => make({ host, hostPointer: "use" })).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.host"),
    );
  });

  test("without a context or with a released one", () => {
    expect(() => new DeviceBuffer({} as Context, 8)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "context"));
    const other = Context.create();
    other.release();
    expect(() => new DeviceBuffer(other, 8)).toThrow(DisposedError);
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

  test("runs at the end of a block through Symbol.dispose", () => {
    const buffer = new DeviceBuffer(context, 8);
    buffer[Symbol.dispose]();
    expect(buffer.released).toBe(true);
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

  test("can use the buffer that is being destroyed", async () => {
    const buffer = new DeviceBuffer(context, 8);
    let seen: unknown;
    buffer.onDestroyed(() => {
      seen = [String(buffer), buffer.size, buffer.released];
      buffer.release();
    });
    buffer.release();
    await expect.poll(() => seen).toEqual(["DeviceBuffer (released)", 8, true]);
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

  test("must be functions", () => {
    expect(() => new DeviceBuffer(context, 8).onDestroyed(1 as unknown as () => void)).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "callback"),
    );
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
    expect(() => new DeviceBuffer(context, 12).as(Float64Array)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
    expect(() => new DeviceBuffer(context, 12).as(Array as unknown as Float64ArrayConstructor)).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "type"),
    );
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
    expect(() => buffer.subBuffer(alignment + 4, 4)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
    const part = buffer.subBuffer(alignment, 2 * alignment);
    expect(() => part.subBuffer(4, 4)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  });

  test("must be inside its parent, not be empty and have a whole number of elements", () => {
    const buffer = DeviceBuffer.from(context, whole);
    expect(() => buffer.subBuffer(0, buffer.size + 4)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
    expect(() => buffer.subBuffer(buffer.size, 4)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
    expect(() => buffer.subBuffer(0, 0)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "bytes"));
    expect(() => buffer.subBuffer(0, 6)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
    expect(() => buffer.subBuffer(-4, 4)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "origin"));
    expect(() => buffer.subBuffer(Number.NaN, 4)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "origin"));
    expect(() => buffer.subBuffer(0, "4" as unknown as number)).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "bytes"),
    );
  });

  test("inherits its access flags or restricts them", () => {
    const buffer = new DeviceBuffer(context, { size: 4 * alignment, access: "read-write" });
    const part = buffer.subBuffer(0, 2 * alignment, { access: "read-only" });
    expect(part.flags & MemFlags.READ_ONLY).not.toBe(0);
    expect(part.subBuffer(alignment, 4).flags & MemFlags.READ_ONLY).not.toBe(0);
    expect(() => buffer.subBuffer(0, 4, { access: "read-only", flags: MemFlags.WRITE_ONLY })).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
    );
  });

  test("outlives its parent's release", () => {
    const buffer = DeviceBuffer.from(context, whole);
    const part = buffer.slice(0, 2);
    buffer.release();
    expect([...queue.readSync(part)]).toEqual([0, 1]);
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
            expect(() => buffer.slice(start, end)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
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
    expect(() => buffer.slice(0, elements + 1)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "end"));
    expect(() => buffer.slice(-elements - 1)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "start"));
    expect(() => buffer.slice(0.5)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "start"));
    expect(() => buffer.slice("0" as unknown as number)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "start"));
    expect(buffer.slice().length).toBe(elements);
  });
});

describe("a buffer from a pointer", () => {
  test("refers to the same memory object and adds a reference", () => {
    const buffer = DeviceBuffer.from(context, Int32Array.of(1, 2));
    const again = DeviceBuffer.fromPointer(context, buffer.pointer, { label: "again" });
    expect(again.equals(buffer)).toBe(true);
    expect(again.label).toBe("again");
    expect(again.size).toBe(8);
    expect(buffer.referenceCount).toBe(2);
    buffer.release();
    expect([...queue.readSync(again, Int32Array)]).toEqual([1, 2]);
    expect(MemoryObject.fromPointer(context, again.pointer)).toBeInstanceOf(DeviceBuffer);
  });

  test("throws for numbers, other objects and other contexts without changing a reference count", () => {
    const buffer = new DeviceBuffer(context, 8);
    const other = Context.create();
    expect(() => DeviceBuffer.fromPointer(context, 1 as unknown as bigint)).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "pointer"),
    );
    expect(() => DeviceBuffer.fromPointer(context, 12345n)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE"));
    expect(() => DeviceBuffer.fromPointer(context, 0n)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE"));
    expect(() => DeviceBuffer.fromPointer(other, buffer.pointer)).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "pointer"),
    );
    expect(() => DeviceBuffer.fromPointer(other, buffer.pointer, { retain: false })).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.retain"),
    );
    expect(() => DeviceBuffer.fromPointer(context, buffer.pointer, { retain: 1 as unknown as boolean })).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.retain"),
    );
    expect(buffer.referenceCount).toBe(1);
  });
});
