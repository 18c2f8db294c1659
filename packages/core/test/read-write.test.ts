import * as fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { DeviceBuffer, handleCount, type TypedArray } from "@cl/core";

import { collectGarbage } from "@cl/base/testing";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { context, queue, resizable } from "./support/kernels.js";

/** For calls that TypeScript would reject. */
const loose = queue as unknown as {
  read(...args: unknown[]): Promise<unknown>;
  readSync(...args: unknown[]): unknown;
  write(...args: unknown[]): Promise<void>;
  writeSync(...args: unknown[]): void;
};

const transferredAway = (): Uint8Array => {
  const gone = new Uint8Array(4);
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  return gone;
};

const arrays: readonly [name: string, array: TypedArray][] = [
  new Int8Array(7),
  new Uint8Array(7),
  new Uint8ClampedArray(7),
  new Int16Array(7),
  new Uint16Array(7),
  new Int32Array(7),
  new Uint32Array(7),
  new Float32Array(7),
  new Float64Array(7),
  new BigInt64Array(7),
  new BigUint64Array(7),
].map((array) => [array[Symbol.toStringTag], array]);

describe("a read", () => {
  test("returns an array of the requested type, also at compile time", async () => {
    const buffer = DeviceBuffer.from(context, Float32Array.of(1, 2));
    expectTypeOf(await queue.read(buffer, Uint32Array)).toEqualTypeOf<Uint32Array<ArrayBuffer>>();
    expectTypeOf(await queue.read(buffer)).toEqualTypeOf<Float32Array<ArrayBuffer>>();
    expectTypeOf(queue.readSync(buffer, { into: new Int16Array(2) })).toEqualTypeOf<Int16Array<ArrayBuffer>>();
    expect(await queue.read(buffer)).toEqual(Float32Array.of(1, 2));
    expect(await queue.read(buffer, Uint32Array)).toEqual(Uint32Array.of(0x3f800000, 0x40000000));
  });

  test.each(arrays)("returns the %s that was written", async (_, array) => {
    const buffer = DeviceBuffer.from(context, array);
    new Uint8Array(array.buffer).set(Uint8Array.from({ length: array.byteLength }, (__, i) => i % 100));
    await queue.write(buffer, array);
    expect(await queue.read(buffer)).toEqual(array);
    expect(queue.readSync(buffer)).toEqual(array);
  });

  test("returns the range given by offset and length, in elements", async () => {
    const all = Int16Array.from({ length: 50 }, (_, i) => i);
    const buffer = DeviceBuffer.from(context, all);
    await fc.assert(
      fc.asyncProperty(fc.nat(50), fc.nat(50), async (offset, more) => {
        const length = Math.min(more, 50 - offset);
        const expected = all.slice(offset, offset + length);
        expect(await queue.read(buffer, { offset, length })).toEqual(expected);
        expect(queue.readSync(buffer, Int16Array, { offset, length })).toEqual(expected);
        expect(await queue.read(buffer, { offset })).toEqual(all.slice(offset));
      }),
      { numRuns: 40 },
    );
  });

  test("returns an array that can be transferred to another thread", async () => {
    for (const length of [4, 1 << 20]) {
      const array = await queue.read(DeviceBuffer.from(context, new Float32Array(length).fill(2)));
      const moved = structuredClone(array.buffer, { transfer: [array.buffer] });
      expect(array.length).toBe(0);
      expect(new Float32Array(moved)[length - 1]).toBe(2);
    }
  });

  test("fills a given array, at its offset in its memory", async () => {
    const buffer = DeviceBuffer.from(context, Int32Array.of(1, 2, 3));
    const whole = new Int32Array(6);
    const into = whole.subarray(2, 5);
    expect(await queue.read(buffer, { into })).toBe(into);
    expect([...whole]).toEqual([0, 0, 1, 2, 3, 0]);
    expect(queue.readSync(buffer, { into: whole, length: 2, offset: 1 })).toBe(whole);
    expect([...whole]).toEqual([2, 3, 1, 2, 3, 0]);
    const shared = new Int32Array(new SharedArrayBuffer(12));
    await queue.read(buffer, { into: shared });
    expect([...shared]).toEqual([1, 2, 3]);
  });

  test("may be empty", async () => {
    const buffer = new DeviceBuffer(context, 4);
    expect(await queue.read(buffer, Float32Array, { length: 0 })).toEqual(new Float32Array(0));
    expect(queue.readSync(buffer, Uint8Array, { offset: 4 })).toEqual(new Uint8Array(0));
    expect(await queue.read(buffer, { into: new Uint8Array(0) })).toEqual(new Uint8Array(0));
  });
});

describe("a read is rejected", () => {
  const buffer = DeviceBuffer.from(context, Float32Array.of(1, 2));
  const cases: [what: string, args: unknown[], message: Error | string][] = [
    ["of untyped bytes without a type", [new DeviceBuffer(context, 8)], wrongType("type")],
    ["with a length beyond the end", [buffer, { length: 3 }], outOfRange()],
    ["from an offset beyond the end", [buffer, { offset: 3 }], outOfRange("options.offset")],
    ["if the size is not a multiple of the element size", [new DeviceBuffer(context, 12), Float64Array], outOfRange()],
    ["into a longer array", [buffer, { into: new Float32Array(3) }], outOfRange()],
    [
      "of more elements than the array has",
      [buffer, { into: new Float32Array(1), length: 2 }],
      outOfRange("options.length"),
    ],
    ["with both an array and a type", [buffer, Float32Array, { into: new Float32Array(2) }], wrongValue()],
    ["into detached memory", [buffer, { into: transferredAway() }], wrongValue("options.into")],
  ];
  test.each(cases)("%s", async (_, args, message) => {
    await expect(loose.read(...args)).rejects.toThrow(message);
    expect(() => loose.readSync(...args)).toThrow(message);
  });

  test("into resizable memory, unless it is synchronous", async () => {
    const bytes = DeviceBuffer.from(context, Uint8Array.of(1, 2, 3, 4));
    await expect(queue.read(bytes, { into: new Uint8Array(resizable(4)) })).rejects.toThrow(wrongType("options.into"));
    expect([...queue.readSync(bytes, { into: new Uint8Array(resizable(4)) })]).toEqual([1, 2, 3, 4]);
  });
});

describe("a write", () => {
  test("starts at the offset, in elements of the array", async () => {
    const buffer = DeviceBuffer.from(context, new Int32Array(4));
    await queue.write(buffer, Int32Array.of(5, 6), { offset: 2 });
    expect([...(await queue.read(buffer))]).toEqual([0, 0, 5, 6]);
    queue.writeSync(buffer, new DataView(Uint8Array.of(1, 0, 0, 0).buffer), { offset: 4 });
    queue.writeSync(buffer, Int32Array.of(9).buffer);
    expect([...(await queue.read(buffer))]).toEqual([9, 1, 5, 6]);
  });

  test("accepts raw bytes for any buffer, but does not reinterpret elements of another type", async () => {
    const floats = DeviceBuffer.empty(context, Float32Array, 2);
    await queue.write(floats, new Uint8Array(Float32Array.of(1, 2).buffer));
    expect([...(await queue.read(floats))]).toEqual([1, 2]);
    await expect(queue.write(floats, Int32Array.of(1, 2))).rejects.toThrow(wrongType("array"));
    await queue.write(floats.as(Int32Array), Int32Array.of(0, 0));
    const plain = floats.as(null);
    expect([plain.type, plain.length, plain.size]).toEqual([undefined, 8, 8]);
    await queue.write(plain, Int16Array.of(0, 0x3f80));
    expect([...(await queue.read(floats))]).toEqual([1, 0]);
    await queue.write(new DeviceBuffer(context, 8), Float64Array.of(1));
  });

  test("may be empty", async () => {
    const buffer = DeviceBuffer.from(context, Uint8Array.of(1));
    await queue.write(buffer, new Uint8Array(0));
    queue.writeSync(buffer, new Uint8Array(0), { offset: 1 });
    expect([...(await queue.read(buffer))]).toEqual([1]);
  });

  const buffer = DeviceBuffer.empty(context, Uint8Array, 4);
  const cases: [what: string, args: unknown[], message: Error | string][] = [
    ["from detached memory", [buffer, transferredAway()], wrongValue("array")],
    ["with a length beyond the end", [buffer, new Uint8Array(5)], outOfRange()],
    ["from an offset beyond the end", [buffer, new Uint8Array(1), { offset: 4 }], outOfRange()],
  ];
  test.each(cases)("is rejected %s", async (_, args, message) => {
    await expect(loose.write(...args)).rejects.toThrow(message);
    expect(() => loose.writeSync(...args)).toThrow(message);
  });

  test("is rejected from resizable memory, unless it is synchronous", async () => {
    await expect(queue.write(buffer, new Uint8Array(resizable(4)))).rejects.toThrow(wrongType("array"));
    queue.writeSync(buffer, new Uint8Array(resizable(4)));
  });
});

test("transfers leave no handles in the handle table", async () => {
  const buffer = DeviceBuffer.from(context, new Float32Array(100));
  await collectGarbage();
  const before = handleCount();
  for (let i = 0; i < 50; i++) {
    await queue.write(buffer, new Float32Array(100));
    await queue.read(buffer);
    await queue.read(buffer, { into: new Float32Array(100) });
    await queue.read(buffer, { length: 0 });
  }
  // Objects of other tests may be collected meanwhile.
  expect(handleCount()).toBeLessThanOrEqual(before);
});
