import * as fc from "fast-check";
import { roundTrip } from "@cl/testing/round-trip";
import { describe, expect, test } from "vitest";
import {
  CommandQueue,
  Context,
  type CopyEnd,
  type CopyOptions,
  DeviceBuffer,
  DisposedError,
  UserEvent,
} from "@cl/core";
import { OpenCLError } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";

const context = Context.create();
const queue = new CommandQueue(context);

/** Alias without types, for calls that TypeScript would reject. */
const copy = (target: unknown, source: unknown, options?: unknown): unknown =>
  queue.enqueueCopy(target as CopyEnd, source as CopyEnd, options as CopyOptions);

const bytesOf = (buffer: DeviceBuffer): Uint8Array => queue.readSync(buffer, Uint8Array);
const counting = (length: number, from = 0): Uint8Array => Uint8Array.from({ length }, (_, i) => i + from);

type Side = "host" | "buffer";
const pairs: [target: Side, source: Side][] = [
  ["buffer", "host"],
  ["host", "buffer"],
  ["buffer", "buffer"],
];

describe.each(pairs)("a copy to %s from %s", (targetSide, sourceSide) => {
  const end = (side: Side, bytes: Uint8Array): CopyEnd =>
    side === "host" ? bytes.slice() : DeviceBuffer.from(context, bytes);
  const contents = (value: CopyEnd): Uint8Array =>
    value instanceof DeviceBuffer ? bytesOf(value) : (value as Uint8Array);

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
          const [source, target] = [counting(sourceSize, 1), counting(targetSize, 100)];
          const [from, to] = [end(sourceSide, source), end(targetSide, target)];
          if (blocking) queue.copySync(to, from, { sourceOffset, targetOffset, bytes });
          else await queue.enqueueCopy(to, from, { sourceOffset, targetOffset, bytes }).wait();
          target.set(source.subarray(sourceOffset, sourceOffset + bytes), targetOffset);
          expect(contents(to)).toEqual(target);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("copies everything if both sides have the same size", async () => {
    const to = end(targetSide, new Uint8Array(5));
    await queue.enqueueCopy(to, end(sourceSide, counting(5, 1))).wait();
    expect(contents(to)).toEqual(counting(5, 1));
  });

  test("copies everything after the offset if the remaining sizes are equal", async () => {
    const to = end(targetSide, new Uint8Array(5));
    await queue.enqueueCopy(to, end(sourceSide, counting(3, 1)), { targetOffset: 2 }).wait();
    expect([...contents(to)]).toEqual([0, 0, 1, 2, 3]);
  });

  test("throws without a size if the sizes differ", () => {
    expect(() => copy(end(targetSide, new Uint8Array(4)), end(sourceSide, new Uint8Array(9)))).toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE"),
    );
    expect(() => copy(end(targetSide, new Uint8Array(9)), end(sourceSide, new Uint8Array(4)))).toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE"),
    );
  });

  test("throws if it exceeds the source or the target", () => {
    const [to, from] = [end(targetSide, new Uint8Array(4)), end(sourceSide, new Uint8Array(8))];
    expect(() => copy(to, from, { bytes: 5 })).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.bytes"));
    expect(() => copy(to, from, { bytes: 3, sourceOffset: 6 })).toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.bytes"),
    );
    expect(() => copy(to, from, { bytes: 1, targetOffset: 5 })).toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.targetOffset"),
    );
    expect(() => copy(to, from, { bytes: 1, sourceOffset: 9 })).toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.sourceOffset"),
    );
  });

  test.each([Number.NaN, -1, 1.5, Infinity, 2 ** 53, "1", 1n])("rejects %s as an offset or a size", (value) => {
    const [to, from] = [end(targetSide, new Uint8Array(4)), end(sourceSide, new Uint8Array(4))];
    for (const name of ["bytes", "sourceOffset", "targetOffset"]) {
      expect(() => copy(to, from, { [name]: value })).toThrow(`options.${name}`);
    }
  });

  test("of zero bytes completes without copying", async () => {
    const to = end(targetSide, counting(4));
    const event = queue.enqueueCopy(to, end(sourceSide, counting(4, 9)), { bytes: 0 });
    await event.wait();
    expect(event.status).toBe(0);
    queue.copySync(to, end(sourceSide, counting(4, 9)), { bytes: 0 });
    expect(contents(to)).toEqual(counting(4));
  });

  test("waits for one event or several", async () => {
    for (const several of [false, true]) {
      const gate = new UserEvent(context);
      const to = end(targetSide, new Uint8Array(4));
      const event = queue.enqueueCopy(to, end(sourceSide, counting(4, 1)), { waitFor: several ? [gate] : gate });
      queue.flush();
      await roundTrip(context);
      expect(event.status).toBeGreaterThan(0);
      gate.complete();
      await event.wait();
      expect(contents(to)).toEqual(counting(4, 1));
    }
  });

  test("fails if an event it waits for fails", async () => {
    const gate = new UserEvent(context);
    const event = queue.enqueueCopy(end(targetSide, new Uint8Array(4)), end(sourceSide, counting(4)), {
      waitFor: gate,
    });
    gate.fail(-5);
    await expect(event.wait()).rejects.toThrow(OpenCLError);
  });

  test("rejects wait lists with anything but events", () => {
    const [to, from] = [end(targetSide, new Uint8Array(4)), end(sourceSide, counting(4))];
    expect(() => copy(to, from, { waitFor: ["x"] })).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "waitFor[0]"),
    );
    expect(() => copy(to, from, { waitFor: "x" })).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "waitFor"));
    expect(copy(to, from, { waitFor: null })).toBeDefined();
  });

  test("throws for a released buffer or queue", () => {
    const buffer = new DeviceBuffer(context, 4);
    buffer.release();
    const [to, from] = [end(targetSide, new Uint8Array(4)), end(sourceSide, counting(4))];
    if (targetSide === "buffer") expect(() => copy(buffer, from)).toThrow(DisposedError);
    if (sourceSide === "buffer") expect(() => copy(to, buffer)).toThrow(DisposedError);
    const gone = new CommandQueue(context);
    gone.release();
    expect(() => gone.enqueueCopy(to, from)).toThrow(DisposedError);
    expect(() => gone.copySync(to, from, { bytes: 0 })).toThrow(DisposedError);
  });

  test("throws for a buffer of another context", () => {
    const stranger = new DeviceBuffer(Context.create(), 4);
    const [to, from] = [end(targetSide, new Uint8Array(4)), end(sourceSide, counting(4))];
    expect(() => copy(targetSide === "buffer" ? stranger : to, targetSide === "buffer" ? from : stranger)).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
    );
  });
});

describe("a copy", () => {
  test("rejects unknown options", () => {
    const buffer = new DeviceBuffer(context, 4);
    expect(() => copy(buffer, new Uint8Array(4), { is_blocking: true })).toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "options"),
    );
    expect(() => copy(buffer, new Uint8Array(4), { srcOffset: 0 })).toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "options"),
    );
    expect(() => copy(buffer, new Uint8Array(4), [1])).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options"));
  });

  test("throws a TypeError between two host arrays and suggests an alternative", () => {
    expect(() => copy(new Uint8Array(4), new Uint8Array(4))).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE"));
    expect(() => copy(new Uint8Array(4), new Uint8Array(4))).toThrow(TypeError);
  });

  test.each([undefined, null, 1, "abc", {}, [1, 2], context])("to or from %s throws a TypeError", (value) => {
    expect(() => copy(value, new DeviceBuffer(context, 4))).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "target"),
    );
    expect(() => copy(new DeviceBuffer(context, 4), value)).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "source"),
    );
  });

  test("accepts every typed array, DataView, ArrayBuffer and shared memory", async () => {
    const memory = counting(16, 1).buffer as ArrayBuffer;
    const shared = new SharedArrayBuffer(16);
    new Uint8Array(shared).set(counting(16, 1));
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
      expect(bytesOf(buffer)).toEqual(counting(16, 1));
    }
    const targets = [new ArrayBuffer(16), new SharedArrayBuffer(16)];
    const buffer = DeviceBuffer.from(context, counting(16, 1));
    for (const target of targets) {
      await queue.enqueueCopy(target, buffer).wait();
      expect(new Uint8Array(target)).toEqual(counting(16, 1));
    }
  });

  test("writes to a subarray without touching the rest of its ArrayBuffer", () => {
    const whole = counting(10);
    const buffer = new DeviceBuffer(context, 4);
    queue.copySync(buffer, whole.subarray(3, 7));
    expect([...bytesOf(buffer)]).toEqual([3, 4, 5, 6]);
    const into = new Uint8Array(10);
    queue.copySync(into.subarray(5, 9), buffer);
    expect([...into]).toEqual([0, 0, 0, 0, 0, 3, 4, 5, 6, 0]);
  });

  test("rejects resizable memory unless it blocks", () => {
    const Resizable = ArrayBuffer as unknown as new (bytes: number, options: { maxByteLength: number }) => ArrayBuffer;
    const memory = new Resizable(4, { maxByteLength: 8 });
    new Uint8Array(memory).set([1, 2, 3, 4]);
    const buffer = new DeviceBuffer(context, 4);
    expect(() => copy(buffer, memory)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "source"));
    expect(() => copy(new Uint8Array(memory), buffer)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "target"));
    queue.copySync(buffer, memory);
    expect([...bytesOf(buffer)]).toEqual([1, 2, 3, 4]);
  });

  test("rejects a detached array", () => {
    const gone = new Uint8Array(4);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    expect(() => copy(new DeviceBuffer(context, 4), gone)).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "source"),
    );
    expect(() => copy(gone, new DeviceBuffer(context, 4))).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "target"),
    );
  });

  test("accepts a Node.js Buffer as its source", () => {
    const buffer = new DeviceBuffer(context, 3);
    queue.copySync(buffer, Buffer.from("abc"));
    expect(Buffer.from(bytesOf(buffer)).toString()).toBe("abc");
  });

  test("leaves the host array transferable once it has completed", async () => {
    const source = counting(4);
    await queue.enqueueCopy(new DeviceBuffer(context, 4), source).wait();
    expect(structuredClone(source.buffer, { transfer: [source.buffer as ArrayBuffer] }).byteLength).toBe(4);
  });

  test("within a buffer rejects overlapping ranges, also through sub-buffers and retyped buffers", () => {
    const buffer = DeviceBuffer.from(context, counting(64));
    expect(() => copy(buffer, buffer, { bytes: 10, targetOffset: 9 })).toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE"),
    );
    expect(() => copy(buffer, buffer.as(Int32Array), { bytes: 4, sourceOffset: 2 })).toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE"),
    );
    expect(() => copy(buffer, buffer.slice(0, 8), { bytes: 8 })).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
    queue.copySync(buffer, buffer, { bytes: 10, targetOffset: 10 });
    expect([...bytesOf(buffer).subarray(8, 14)]).toEqual([8, 9, 0, 1, 2, 3]);
  });
});
