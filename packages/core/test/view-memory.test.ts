import { describe, expect, expectTypeOf, test } from "vitest";
import {
  type ArrayView,
  Context,
  DeviceBuffer,
  DeviceView,
  dtype,
  GlobalMemoryType,
  HostView,
  kernelArgument,
  newAxis,
} from "@cl/core";
import { disposed } from "@cl/testing/core-errors";
import { outOfRange, wrongState, wrongType, wrongValue } from "@cl/testing/error-like";

import { context, counting, kernelOf, queue, resizable } from "./support/kernels.js";

const alignment = Math.max(...context.devices.map((device) => device.memBaseAddrAlign / 8));

/** For calls that TypeScript would reject. */
const loose = DeviceView as unknown as {
  new (...args: unknown[]): DeviceView;
  fromHost(...args: unknown[]): DeviceView;
};

describe("a view created by fromHost", () => {
  test("has a copy of the array, with its elements and shape", () => {
    const array = counting(6);
    const view = DeviceView.fromHost(context, array, { shape: [2, -1] });
    expectTypeOf(view).toEqualTypeOf<DeviceView<Int32Array<ArrayBuffer>>>();
    array.fill(-1);
    expect(view.readSync(queue)).toEqual(counting(6));
    expect([view.shape, view.strides, view.offset]).toEqual([[2, 3], [12, 4], 0]);
    expect([view.ndim, view.size, view.length, view.itemSize, view.nbytes]).toEqual([2, 6, 2, 4, 24]);
    expect([view.dtype, view.ctype, view.format]).toEqual([dtype("int32"), "int", "i"]);
    expect([view.isContiguous, view.readonly, view.released]).toEqual([true, false, false]);
    expect(view.memory).toBeInstanceOf(DeviceBuffer);
    expect([view.memory.size, view.context]).toEqual([24, context]);
    expect(String(view)).toBe("DeviceView { int32 [2, 3] }");
  });

  test("accepts numbers, bigints and nested arrays, and never narrows them implicitly", () => {
    const number = DeviceView.fromHost(context, 1.5);
    expect([number.dtype.name, number.shape, number.itemSync(queue)]).toEqual(["float64", [], 1.5]);
    expect(DeviceView.fromHost(context, 5n).dtype.name).toBe("int64");
    const nested = DeviceView.fromHost(
      context,
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
      { dtype: "uint8" },
    );
    expect([nested.shape, [...nested.readSync(queue)]]).toEqual([
      [3, 2],
      [1, 2, 3, 4, 5, 6],
    ]);
    const vectors = DeviceView.fromHost(context, [[1, 2, 3]], { dtype: "float3" });
    expect([vectors.shape, vectors.nbytes, vectors.itemSync(queue)]).toEqual([[1], 16, [1, 2, 3]]);
    expect(DeviceView.fromHost(context, [true, false], { dtype: "bool" }).slice(0).itemSync(queue)).toBe(true);
  });

  test("accepts host views of any strides, and bytes with a type", () => {
    const turned = new HostView(counting(6), { shape: [2, 3] }).transpose();
    expect([...DeviceView.fromHost(context, turned).readSync(queue)]).toEqual([0, 3, 1, 4, 2, 5]);
    const bytes = new Uint8Array(counting(4).buffer);
    expect([...DeviceView.fromHost(context, bytes, { dtype: "int2" }).readSync(queue)]).toEqual([0, 1, 2, 3]);
    expect(DeviceView.fromHost(context, bytes.buffer, { dtype: "int32" }).shape).toEqual([4]);
  });

  test("can use the array's memory, and keeps it alive", () => {
    const array = counting(1024);
    const view = DeviceView.fromHost(context, array, { hostPointer: "use", shape: [32, 32], access: "read-only" });
    expect(view.memory.hostArray).toBe(array);
    expect(view.slice(-1, "-2:").readSync(queue)).toEqual(Int32Array.of(1022, 1023));
  });

  test("can be empty, although OpenCL has no empty buffers", async () => {
    const empty = DeviceView.fromHost(context, new Float32Array(0), { shape: [0, 3] });
    expect([empty.shape, empty.size, empty.nbytes, empty.isContiguous]).toEqual([[0, 3], 0, 0, true]);
    expect(await empty.read(queue)).toEqual(new Float32Array(0));
    await empty.write(queue, []).catch((error: unknown) => {
      expect(error).toMatchObject({ message: expect.stringContaining("shape") as string });
    });
    await empty.reshape([3, 0]).write(queue, new Float32Array(0));
    expect((await empty.copy(queue)).shape).toEqual([0, 3]);
    empty.enqueueCopyFrom(queue, empty.slice("::-1"));
    expect(() => empty.mapSync(queue)).toThrow(outOfRange());
    expect(DeviceView.empty(context, [2, 0], "float32").strides).toEqual([4, 4]);
  });

  test("rejects values that do not fit the type or the shape, with a clear error", () => {
    const expectThrow = (expected: Error | string | RegExp, ...args: unknown[]): void => {
      expect(() => loose.fromHost(context, ...args), String(expected)).toThrow(expected);
    };
    expectThrow(wrongType("values"), Float32Array.of(1), { dtype: "int32" });
    expectThrow(outOfRange("values"), new Float32Array(6), { dtype: "float4" });
    expectThrow(outOfRange(), new Float32Array(6), { shape: [5] });
    expectThrow(wrongType("values[1]"), [[1, 2], [3]], { dtype: "float32" });
    expectThrow(wrongType("values[1]"), [[1, 2], 3], { dtype: "float32" });
    expectThrow(outOfRange("value"), [2 ** 40], { dtype: "int32" });
    expectThrow(outOfRange("value"), [1.5], { dtype: "int32" });
    expectThrow(wrongType("options.dtype"), [true]);
    expectThrow(wrongType("options.dtype"), []);
    expectThrow(wrongType("values"), [1, 2], { hostPointer: "use" });
    expectThrow(wrongType("values"), new Uint8Array(resizable(8)), { hostPointer: "use" });
  });
});

describe("a view created by empty", () => {
  test("has memory for its shape, in the requested order", () => {
    const view = DeviceView.empty(context, [2, 3, 4], Float64Array, { order: "F", label: "field" });
    expectTypeOf(view).toEqualTypeOf<DeviceView<Float64Array>>();
    expect([view.strides, view.memory.size, view.memory.label]).toEqual([[8, 16, 48], 192, "field"]);
    expect(view.isContiguous).toBe(false);
    expect(view.transpose().isContiguous).toBe(true);
    expect(DeviceView.empty(context, 5, "half4").nbytes).toBe(40);
    expect(DeviceView.empty(context, [], "char").memory.size).toBe(1);
  });

  test("throws if its size is not a valid memory size", () => {
    expect(() => DeviceView.empty(context, [2 ** 30, 2 ** 30], "char")).toThrow(RangeError);
    expect(() => DeviceView.empty(context, [2 ** 52], "double16")).toThrow(outOfRange("shape"));
    expect(() => DeviceView.empty(context, [2 ** 45], "char")).toThrow(outOfRange());
  });
});

describe("a view of existing memory", () => {
  const buffer = DeviceBuffer.from(context, counting(24));

  test("defaults to the buffer's type and all elements after the offset", () => {
    expect(new DeviceView(buffer).shape).toEqual([24]);
    expect(new DeviceView(buffer, { offset: 80 }).readSync(queue)).toEqual(Int32Array.of(20, 21, 22, 23));
    const shorts = new DeviceView(buffer, { dtype: "int16", shape: [2, 2], strides: [-4, 8], offset: 44 });
    expect(shorts.readSync(queue)).toEqual(Int16Array.of(11, 13, 10, 12));
    expect(new DeviceView(new DeviceBuffer(context, 8)).dtype.name).toBe("uint8");
    expectTypeOf(new DeviceView(buffer)).toEqualTypeOf<DeviceView<Int32Array<ArrayBuffer>>>();
  });

  test("is checked against all bounds of the memory", () => {
    const expectThrow = (expected: Error | string, options: unknown): void => {
      expect(() => new loose(buffer, options), String(expected)).toThrow(expected);
    };
    expectThrow(outOfRange(), { shape: [25] });
    expectThrow(outOfRange(), { shape: [24], offset: 4 });
    expectThrow(outOfRange(), { shape: [2], strides: [-4] });
    expectThrow(outOfRange(), { offset: 2 });
    expectThrow(outOfRange("options.offset"), { offset: 100 });
    expectThrow(outOfRange(), { offset: 97, shape: [0] });
    expectThrow(outOfRange("options.strides"), { shape: [2, 3], strides: [4] });
    expectThrow(outOfRange("options.strides[0]"), { shape: [2], strides: [1.5] });
    expectThrow(wrongType("options.shape"), { strides: [4] });
    expectThrow(wrongType("options.order"), { shape: [2], strides: [4], order: "C" });
    expectThrow(outOfRange(), { shape: [2, 2], strides: [2 ** 53 - 1, 2 ** 53 - 1] });
    expectThrow(outOfRange(), { shape: [2 ** 52], strides: [2 ** 52] });
  });

  test("has its layout in the eight numbers of arrayInfo, which throws if they cannot represent it", () => {
    const view = new DeviceView(buffer, { shape: [4, 6] });
    expect([...view.slice("1:3", "::2").arrayInfo]).toEqual([2, 3, 0, 6, 6, 2, 0, 6]);
    expect(() => view.slice("::-1").arrayInfo).toThrow(outOfRange("arrayInfo"));
    expect(() => view.reshape([2, 2, 2, 3]).arrayInfo).toThrow(outOfRange("arrayInfo"));
    expect(() => new DeviceView(buffer, { dtype: "char", shape: [2], offset: 5 }).arrayInfo).not.toThrow();
    expect(() => new DeviceView(buffer, { dtype: "int", shape: [2], offset: 5 }).arrayInfo).toThrow(
      outOfRange("arrayInfo"),
    );
  });

  test("describes its elements in the format of Python's buffers", () => {
    const names = ["float", "half", "uchar", "ulong", "float4", "char16", "complex64", "bool", "short3"];
    const formats = names.map((name) => DeviceView.empty(context, 1, name).format);
    expect(formats).toEqual(["f", "e", "B", "Q", "(4)f", "(16)b", "Zf", "?", "T{(3)h:value:2x}"]);
  });

  test("adds and removes axes, and is read like any other view", () => {
    const view = new DeviceView(buffer, { shape: [4, 6] });
    const part: ArrayView = view.slice(newAxis, "...", -1, null);
    expect(part.shape).toEqual([1, 4, 1]);
    expect([...view.slice(-1, 0).readSync(queue)]).toEqual([18]);
    expect(() => view.slice(4)).toThrow(outOfRange("indices[0]"));
    expect(view.slice("3:1").shape).toEqual([0, 6]);
  });

  test("is reshaped with its offset, and rejects shapes that would require a copy", () => {
    const view = new DeviceView(buffer, { shape: [4, 6] });
    const lower = view.slice("2:").reshape([3, 4]);
    expect([lower.offset, ...lower.slice(0).readSync(queue)]).toEqual([48, 12, 13, 14, 15]);
    expect(view.slice(":", "::2").reshape([2, 2, 3]).strides).toEqual([48, 24, 8]);
    expect(() => view.transpose().reshape([24])).toThrow(outOfRange());
    expect(() => view.reshape([5, 5])).toThrow(outOfRange());
  });
});

describe("a read-only view", () => {
  test("rejects writes, copies into it and maps for writing, as do its slices", async () => {
    const view = DeviceView.fromHost(context, counting(4), { readonly: true });
    const part = view.slice("::2").reshape([2, 1]);
    expect([part.readonly, String(part)]).toEqual([true, "DeviceView { int32 [2, 1], read-only }"]);
    await expect(part.write(queue, [[1], [2]])).rejects.toThrow(wrongState());
    expect(() => view.enqueueWrite(queue, counting(4))).toThrow(wrongState());
    expect(() => view.enqueueCopyFrom(queue, view)).toThrow(wrongState());
    expect(() => view.mapSync(queue, { access: "write" })).toThrow(wrongState());
    const mapped = view.mapSync(queue);
    expect(() => mapped.view.set(0, 1)).toThrow(wrongState());
    mapped.release();
    expect((await view.copy(queue)).readonly).toBe(false);
  });

  test("is returned by broadcastTo only if it repeats elements", () => {
    const view = DeviceView.fromHost(context, counting(3));
    const wide = view.broadcastTo([2, 3]);
    expect([wide.readonly, wide.strides]).toEqual([true, [0, 4]]);
    expect([...wide.readSync(queue)]).toEqual([0, 1, 2, 0, 1, 2]);
    expect(wide.copySync(queue).strides).toEqual([12, 4]);
    expect(() => wide.writeSync(queue, counting(6))).toThrow(wrongState());
    expect(view.broadcastTo([1, 3]).readonly).toBe(false);
    expect([...view.slice(1).broadcastTo([2, 2]).readSync(queue)]).toEqual([1, 1, 1, 1]);
    for (const shape of [[4], [3, 2], [], [-1]]) expect(() => view.broadcastTo(shape)).toThrow(RangeError);
  });

  test("also rejects writes if its elements overlap through its strides", () => {
    const view = new DeviceView(DeviceBuffer.from(context, counting(4)), { shape: [3, 2], strides: [4, 4] });
    expect([...view.readSync(queue)]).toEqual([0, 1, 1, 2, 2, 3]);
    expect(() => view.writeSync(queue, counting(6))).toThrow(wrongState());
    expect(() => view.mapSync(queue, { access: "write" })).toThrow(wrongState());
  });
});

describe("a view as a kernel argument", () => {
  const negate = kernelOf("__kernel void negate(__global int *x) { x[get_global_id(0)] = -x[get_global_id(0)]; }");

  test("starts at the view's offset", async () => {
    const step = alignment / 4;
    const view = DeviceView.fromHost(context, counting(3 * step));
    negate.launch(queue, { global: 2 }, view.slice([step, null]));
    negate.launch(queue, { global: 1 }, view.slice([2 * step, null]).reshape([-1, 1]));
    const result = await view.read(queue);
    expect(result.slice(0, 2)).toEqual(Int32Array.of(0, 1));
    expect(result.slice(step, step + 3)).toEqual(Int32Array.of(-step, -step - 1, step + 2));
    expect(result[2 * step]).toBe(-2 * step);
  });

  test("is cached between launches, and works in bound kernels", () => {
    const view = DeviceView.fromHost(context, counting(alignment)).slice([alignment / 4, null]);
    const bound = negate.bind({ global: 1 }, view);
    const first = view[kernelArgument]() as { memory: DeviceBuffer };
    const { memory } = first;
    expect(view[kernelArgument]()).toBe(first);
    negate.launch(queue, { global: 1 }, view);
    bound.launch(queue);
    expect(memory.base).toBe(view.memory);
    expect(view.slice(0).itemSync(queue)).toBe(alignment / 4);
    view.release();
    expect(memory.released).toBe(true);
    expect(view.memory.released).toBe(false);
  });

  test("throws if its offset is not aligned for the device, or if it is not contiguous", () => {
    const view = DeviceView.fromHost(context, counting(16), { shape: [4, 4] });
    const launch = (part: DeviceView): void => negate.launch(queue, { global: 1 }, part);
    if (alignment > 16) expect(() => launch(view.slice("1:"))).toThrow(outOfRange());
    expect(() => launch(view.slice(":", "::2"))).toThrow(wrongValue());
    expect(() => launch(view.slice("::-1"))).toThrow(wrongValue());
    expect(() => launch(view.broadcastTo([2, 4, 4]))).toThrow(wrongValue());
    expect(() => launch(view.slice("0:0"))).toThrow(wrongValue());
    expect(() => launch(DeviceView.fromHost(context, new Float32Array(4)))).toThrow(wrongType());
    expect(() => negate.bind({ global: 1 }, view.slice(":", 1))).toThrow(wrongValue());
    launch(view.transpose());
    launch(new DeviceView(DeviceBuffer.from(context, new Float32Array(4)), { dtype: "int32" }));
  });

  test("is checked by memory descriptors: type, shape, strides", () => {
    const kernel = kernelOf("__kernel void negate2(__global int *x) { x[get_global_id(0)] = -x[get_global_id(0)]; }");
    kernel.argTypes = [new GlobalMemoryType("int32", { shape: [2, 3] })];
    const view = DeviceView.fromHost(context, counting(6), { shape: [2, 3] });
    kernel.launch(queue, { global: 6 }, view);
    expect(view.slice(1, 2).itemSync(queue)).toBe(-5);
    expect(() => kernel.launch(queue, { global: 6 }, view.reshape([3, 2]))).toThrow(wrongType());
    expect(() =>
      kernel.launch(queue, { global: 6 }, DeviceView.empty(context, [2, 3], "int32", { order: "F" })),
    ).toThrow(wrongType());
  });
});

describe("the memory of a view", () => {
  test("is released with the view that allocated it, also for its slices", async () => {
    const view = DeviceView.empty(context, [4], "float");
    const part = view.slice("1:");
    part.release();
    expect([part.released, view.released]).toEqual([false, false]);
    view.release();
    view.release();
    expect([part.released, view.memory.released]).toEqual([true, true]);
    expect(() => part.readSync(queue)).toThrow(disposed());
    for (const call of [part.read(queue), part.write(queue, [1, 2, 3]), part.copy(queue), part.map(queue)]) {
      await expect(call).rejects.toThrow(disposed());
    }
    expect(() => part.enqueueCopyFrom(queue, part)).toThrow(disposed());
  });

  test("is not released by views that did not allocate it", () => {
    const buffer = DeviceBuffer.from(context, counting(4));
    new DeviceView(buffer).release();
    expect(buffer.released).toBe(false);
  });

  test("of another context is rejected, also in empty transfers", async () => {
    const other = DeviceView.fromHost(Context.create(), counting(4));
    const mine = DeviceView.fromHost(context, counting(4));
    const rejection = wrongValue();
    for (const part of [other, other.slice("0:0"), other.slice("::-1")]) {
      expect(() => part.readSync(queue)).toThrow(rejection);
      await expect(part.write(queue, new Int32Array(part.size))).rejects.toThrow(rejection);
      expect(() => part.enqueueCopyFrom(queue, part)).toThrow(rejection);
      expect(() => mine.slice([0, part.size]).enqueueCopyFrom(queue, part)).toThrow(rejection);
    }
    await expect(other.map(queue)).rejects.toThrow(rejection);
  });
});
