import { describe, expect, onTestFinished, test } from "vitest";
import { CommandQueue, Context, DeviceBuffer, DeviceView, HostView, MemFlags, structType } from "@cl/core";

import { sample } from "@cl/testing/level";
import { collectUntil, needs } from "@cl/base/testing";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { context, counting, queue, resizable } from "./support/kernels.js";

const view = (): DeviceView<Int32Array> => DeviceView.fromHost(context, counting(24), { shape: [4, 6] });

/** Compares a million elements faster than vitest does. */
const same = (one: ArrayBufferView, other: ArrayBufferView): boolean => {
  const bytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
    Buffer.from(buffer, byteOffset, byteLength);
  return bytes(one).equals(bytes(other));
};

/** Slices of a 4 × 6 view: contiguous, a rectangle, and elements that only a kernel can transfer. */
const parts = {
  "a rectangle": [":", "1:4"],
  "one piece": [":"],
  "single columns": [":", "::2"],
  "a reversed axis": ["::-1"],
  "both axes reversed": ["::-1", "::-2"],
} as const;

describe.each(sample(Object.entries(parts), 2))("%s", (_, indices) => {
  const host = new HostView(counting(24), { shape: [4, 6] });
  const wanted = host.slice(...indices).toArray();

  test("is read into a new array, or into a given one", async () => {
    const part = view().slice(...indices);
    expect(await part.read(queue)).toEqual(wanted);
    expect(part.readSync(queue)).toEqual(wanted);
    const into = new Int32Array(wanted.length);
    expect(await part.read(queue, { into })).toBe(into);
    expect(into).toEqual(wanted);
    const bytes = new Uint8Array(4 * wanted.length);
    await part.enqueueRead(queue, bytes).wait();
    expect(new Int32Array(bytes.buffer)).toEqual(wanted);
    expect(part.readSync(queue, { into, order: "F" })).toEqual(host.slice(...indices).toArray("F"));
  });

  test("is written from arrays, host views and nested arrays", async () => {
    const whole = view();
    const part = whole.slice(...indices);
    const values = wanted.map((value) => -value);
    await part.write(queue, values);
    expect(part.readSync(queue)).toEqual(values);
    part.writeSync(queue, new HostView(wanted, { shape: part.shape }).toNested());
    expect(whole.readSync(queue)).toEqual(counting(24));
    await part.enqueueWrite(queue, new HostView(values, { shape: part.shape })).wait();
    expect(part.readSync(queue)).toEqual(values);
  });
});

describe("a transfer of a view", () => {
  test("requires exactly the view's number of elements and type", () => {
    const part = view().slice(":", "1:4");
    const expectThrow = (expected: Error | string, values: unknown): void => {
      expect(() => part.enqueueWrite(queue, values as number[]), String(expected)).toThrow(expected);
    };
    expectThrow(outOfRange("values"), new Int32Array(11));
    expectThrow(outOfRange("values"), new Int32Array(13));
    expectThrow(wrongType("values"), new Float32Array(12));
    expectThrow(outOfRange(), [...counting(12)]);
    expectThrow(outOfRange(), HostView.zeros([3, 4], "int32"));
    expectThrow(wrongType("values"), HostView.zeros([4, 3], "float32"));
    expect(() => part.enqueueRead(queue, new Int32Array(24))).toThrow(outOfRange("into"));
    expect(() => part.enqueueRead(queue, new Uint32Array(12))).toThrow(wrongType("into"));
    expect(() => part.enqueueRead(queue, new Int32Array(resizable(48)))).toThrow(wrongType("into"));
    part.enqueueRead(queue, new Uint8Array(48)).release();
  });

  test("copies values that are not typed arrays immediately", async () => {
    const part = view().slice(0, "0:2");
    const values = [7, 8];
    const writing = part.write(queue, values);
    values.fill(0);
    await writing;
    expect([...part.readSync(queue)]).toEqual([7, 8]);
  });

  test("returns the value of a single element from item, which rejects other views", async () => {
    const whole = view();
    expect(await whole.slice(-1, -1).item(queue)).toBe(23);
    expect(whole.slice("1:2", "0:1").itemSync(queue)).toBe(6);
    expect(await DeviceView.fromHost(context, [{ re: 1, im: 2 }], { dtype: "complex64" }).item(queue)).toEqual({
      re: 1,
      im: 2,
    });
    await expect(whole.item(queue)).rejects.toThrow(outOfRange());
    expect(() => whole.slice("0:0").itemSync(queue)).toThrow(outOfRange());
  });

  test("supports more axes than hardware does, with elements of every size", () => {
    for (const type of sample(["short3", "uchar", "ushort", "int", "double", "float4", "double4", "double16"], 3)) {
      const host = HostView.zeros([2, 3, 2, 3, 2, 3, 2, 2, 2], type);
      const bytes = new Uint8Array(host.nbytes).map((_, i) => (i * 31) % 253);
      const filled = new HostView(bytes, { dtype: type, shape: host.shape });
      const device = DeviceView.fromHost(context, filled);
      const axes = [8, 0, 7, 1, 6, 2, 5, 3, 4];
      const flipped = Array.from(axes, (_, i) => (i % 2 === 0 ? "::-1" : ":"));
      const part = device.slice(...flipped).transpose(axes);
      const wanted = filled
        .slice(...flipped)
        .transpose(axes)
        .toArray();
      expect(part.readSync(queue), type).toEqual(wanted);
      expect(part.copySync(queue).readSync(queue), type).toEqual(wanted);
      device.release();
    }
  });

  test("supports rows so short that a kernel is faster than a rectangular copy", async () => {
    const size = 2 ** 20;
    const fresh = (): DeviceView => DeviceView.fromHost(context, counting(size));
    for (const part of [
      fresh().slice("::2"),
      fresh()
        .reshape([size / 8, 8])
        .slice(":", "1:4"),
    ]) {
      const wanted = new HostView(counting(size), { shape: part.shape, strides: part.strides, offset: part.offset });
      expect(same(await part.read(queue), wanted.toArray())).toBe(true);
      const negated = Int32Array.from(wanted.toArray() as Int32Array, (value) => -value);
      await part.write(queue, negated);
      expect(same(part.readSync(queue), negated)).toBe(true);
      expect(same(part.copySync(queue).readSync(queue), negated)).toBe(true);
    }
    const shut = DeviceView.fromHost(context, counting(size), { access: "write-only" }).slice("::2");
    expect((await shut.read(queue))[3]).toBe(6);
  });

  test("uses a staging buffer if a device cannot access host memory", async () => {
    const other = new CommandQueue(Context.create());
    // Pretends the opposite kind of device memory.
    Object.defineProperty(other.device, "hostUnifiedMemory", {
      value: !other.device.hostUnifiedMemory,
      configurable: true,
    });
    onTestFinished(() => void Reflect.deleteProperty(other.device, "hostUnifiedMemory"));
    for (const [type, extents] of [
      ["int32", [6, 5, 4]],
      ["int32", [2 ** 17, 8, 1]],
    ] as const) {
      const host = new HostView(counting(extents[0] * extents[1] * extents[2]), { dtype: type, shape: extents });
      const whole = DeviceView.fromHost(other.context, host);
      for (const index of [
        ["::-1", "1:3"],
        [":", "::2", "..."],
      ]) {
        const [part, wanted] = [whole.slice(...index).transpose(), host.slice(...index).transpose()];
        expect(same(await part.read(other), wanted.toArray())).toBe(true);
        const values = Int32Array.from(wanted.toArray(), (value) => -value);
        await part.write(other, values);
        wanted.assign(new HostView(values, { shape: wanted.shape }));
        expect(same(await whole.read(other), host.toArray())).toBe(true);
        expect(same(part.readSync(other, { order: "F" }), wanted.toArray("F"))).toBe(true);
        expect(same(whole.slice(...index).readSync(other), host.slice(...index).toArray())).toBe(true);
      }
    }
  });

  test("accepts structs as values, and returns them", async () => {
    const point = structType("point", { at: "float2", tag: "char" });
    const part = DeviceView.fromHost(
      context,
      [
        { at: [1, 2], tag: 3 },
        { at: [4, 5], tag: 6 },
        { at: [7, 8], tag: 9 },
      ],
      { dtype: point },
    ).slice("::-2");
    expect([part.ctype, part.itemSize, part.format]).toEqual(["point", 16, "T{(2)f:at:b:tag:7x}"]);
    expect(await part.slice(0).item(queue)).toEqual({ at: [7, 8], tag: 9 });
    await part.write(queue, [{ at: [0, 0], tag: 1 }, part.slice(0).itemSync(queue)]);
    const mapped = await part.map(queue, { access: "read" });
    expect(mapped.view.toNested()).toEqual([
      { at: [0, 0], tag: 1 },
      { at: [7, 8], tag: 9 },
    ]);
    await mapped.unmap().wait();
    expect((await part.read(queue)).byteLength).toBe(32);
    await expect(
      part.write(queue, [
        { at: [0], tag: 1 },
        { at: [1, 2], tag: 300 },
      ]),
    ).rejects.toThrow(wrongType("value.at"));
  });

  test("accesses elements at offsets above 32 bits", { tags: "ci" }, async (run) => {
    const limit = Math.min(...context.devices.map((device) => device.maxMemAllocSize));
    const size = Math.min(6 * 2 ** 30, limit);
    needs(run, size > 3 * 2 ** 30, "no device can allocate 3 GiB in one buffer");
    const far = new DeviceView(new DeviceBuffer(context, size), { dtype: "uint8" });
    const [low, high] = [5, size - 7];
    const pair = new DeviceView(far.memory, { dtype: "uint8", shape: [2, 2], strides: [low - high, 3], offset: high });
    await pair.write(queue, [
      [1, 2],
      [3, 4],
    ]);
    expect([...(await pair.read(queue))]).toEqual([1, 2, 3, 4]);
    const places = [high, high + 3, low, low + 3].map((place) => far.slice(place).itemSync(queue));
    expect(places).toEqual([1, 2, 3, 4]);
    expect([...pair.transpose().copySync(queue).readSync(queue)]).toEqual([1, 3, 2, 4]);
    far.memory.release();
  });

  test("works at unaligned offsets, and in host memory", () => {
    const bytes = new Uint8Array(64).map((_, i) => i);
    const odd = new DeviceView(DeviceBuffer.from(context, bytes), {
      dtype: "int32",
      shape: [3, 2],
      strides: [-11, 5],
      offset: 25,
    });
    const wanted = new HostView(bytes, { dtype: "int32", shape: [3, 2], strides: [-11, 5], offset: 25 }).toArray();
    expect(odd.readSync(queue)).toEqual(wanted);
    const shifted = bytes.subarray(1, 49);
    const own = DeviceView.fromHost(context, shifted, { hostPointer: "use" });
    expect([...own.slice("46::-3").readSync(queue)]).toEqual(
      [...shifted]
        .slice(0, 47)
        .toReversed()
        .filter((_, i) => i % 3 === 0),
    );
  });

  test("rejects access that the memory's flags forbid", async () => {
    const make = (options: object): DeviceView =>
      DeviceView.empty(context, [4, 4], "int32", options).slice("::-1", "::2");
    await expect(make({ hostAccess: "none" }).read(queue)).rejects.toThrow(wrongValue());
    await expect(make({ hostAccess: "read-only" }).write(queue, new Int32Array(8))).rejects.toThrow(wrongValue());
    await expect(make({ access: "write-only" }).read(queue)).rejects.toThrow(wrongValue());
    await expect(make({ access: "read-only" }).write(queue, new Int32Array(8))).rejects.toThrow(wrongValue());
    await make({ access: "read-only" }).read(queue);
    await make({ flags: MemFlags.ALLOC_HOST_PTR }).write(queue, new Int32Array(8));
  });

  test("is prepared without blocking, and does not keep its context alive", async () => {
    const dropped = await (async () => {
      const other = Context.create();
      await DeviceView.prepare(other);
      await DeviceView.prepare(other);
      const part = DeviceView.fromHost(other, counting(9), { shape: [3, 3] }).transpose();
      expect([...(await part.read(new CommandQueue(other)))]).toEqual([0, 3, 6, 1, 4, 7, 2, 5, 8]);
      return new WeakRef(other);
    })();
    expect(await collectUntil(() => dropped.deref() === undefined)).toBe(true);
  });
});
