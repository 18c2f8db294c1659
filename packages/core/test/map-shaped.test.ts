import { caseCount } from "@cl/testing/level";
import * as fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { DeviceBuffer, DeviceView, DisposedError, HostView, type MappedBuffer } from "@cl/core";

import { collectGarbage } from "@cl/base/testing";
import { outOfRange, wrongState, wrongType } from "@cl/testing/error-like";
import { context, counting, queue } from "./support/kernels.js";

/** For calls that TypeScript would reject. */
const loose = queue as unknown as { mapSync(...args: unknown[]): MappedBuffer };

describe("a shaped map", () => {
  test("indexes the buffer in the requested order", async () => {
    const buffer = DeviceBuffer.from(context, counting(6));
    const rows = await queue.map(buffer, { shape: [2, 3], access: "read" });
    expectTypeOf(rows.view).toEqualTypeOf<HostView>();
    const columns = await queue.map(buffer, { shape: [2, 3], order: "F", access: "read" });
    expect(rows.view.toNested()).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
    expect(columns.view.toNested()).toEqual([
      [0, 2, 4],
      [1, 3, 5],
    ]);
    expect([rows.data, String(rows)]).toEqual([counting(6), "MappedBuffer { int32 [2, 3] }"]);
    await rows.unmap().wait();
    await columns.unmap().wait();
  });

  test("has the requested type and strides, and maps no more than necessary", () => {
    const buffer = DeviceBuffer.from(context, counting(12));
    const every = queue.mapSync(buffer, { shape: [3], strides: [-8], offset: 8, access: "read" });
    expect([every.view.toNested(), every.data]).toEqual([[8, 6, 4], counting(12).subarray(4, 9)]);
    every.release();
    const vectors = queue.mapSync(buffer, { dtype: "int4", shape: [2], offset: 1, access: "read" });
    expect(vectors.view.toNested()).toEqual([
      [4, 5, 6, 7],
      [8, 9, 10, 11],
    ]);
    vectors.release();
    const odd = queue.mapSync(buffer, { dtype: "uint16", shape: [2], strides: [3], access: "read" });
    expect([odd.data.length, odd.view.get(0)]).toEqual([5, 0]);
    odd.release();
    const plain = queue.mapSync(buffer, Int32Array, { offset: 2, length: 2 });
    expect(plain.view.toNested()).toEqual([2, 3]);
    plain.release();
  });

  test("writes changes back, and only to its elements", async () => {
    const buffer = DeviceBuffer.from(context, counting(6));
    for (const access of ["write-invalidate", "write", "read-write"] as const) {
      const mapped = await queue.map(buffer, { shape: [2], strides: [12], offset: 1, access });
      mapped.view.assign([-1, -2]);
      await mapped.unmap().wait();
      expect([...(await queue.read(buffer))]).toEqual([0, -1, 2, 3, -2, 5]);
      await queue.write(buffer, counting(6));
    }
  });

  test("rejects invalid arguments with a clear error", () => {
    const buffer = DeviceBuffer.from(context, counting(6));
    const expectThrow = (expected: Error | string, ...rest: unknown[]): void => {
      expect(() => loose.mapSync(buffer, ...rest), String(expected)).toThrow(expected);
    };
    expectThrow(outOfRange(), { shape: [7] });
    expectThrow(outOfRange(), { shape: [2], strides: [-4] });
    expectThrow(wrongType("options.shape"), { dtype: "int32" });
    expectThrow(wrongType("options.shape"), { order: "F" });
    expectThrow(wrongType("options.shape"), { strides: [4] });
    expectThrow(wrongType("options.length"), { shape: [2], length: 2 });
    expectThrow(wrongType("options.dtype"), Int32Array, { dtype: "int32", shape: [2] });
    expectThrow(wrongType("options.dtype"), { dtype: "integer", shape: [2] });
    expectThrow(wrongType("options.order"), { shape: [2], order: "A" });
    expectThrow(wrongType("options.order"), { shape: [2], order: "C", strides: [4] });
    expectThrow(outOfRange(), { shape: [2, 0] });
    expectThrow(outOfRange("options.offset"), { shape: [2], offset: -1 });
    expectThrow(wrongType("options.access"), { shape: [2], access: "none" });
    expect(buffer.mapCount).toBe(0);
    expect(() => loose.mapSync(new DeviceBuffer(context, 8), { shape: [2] })).toThrow(wrongType("type"));
  });

  test("detaches all its views and their slices once unmapped", async () => {
    const buffer = DeviceBuffer.from(context, counting(4));
    const mapped = await queue.map(buffer, { shape: [2, 2] });
    const { view } = mapped;
    const part = view.slice(1);
    await mapped.unmap().wait();
    expect([view.detached, part.detached]).toEqual([true, true]);
    for (const use of [() => view.get(0, 0), () => part.toArray(), () => view.fill(1), () => view.toNested()]) {
      expect(use).toThrow(wrongState());
    }
    expect(() => mapped.view).toThrow(DisposedError);
  });
});

describe("a map of a device view", () => {
  const bound = fc.option(fc.integer({ min: -6, max: 6 }));
  const cases = fc
    .array(fc.integer({ min: 1, max: 4 }), { maxLength: 5 })
    .chain((shape) =>
      fc.tuple(fc.constant(shape), fc.tuple(...shape.map(() => fc.tuple(bound, bound, fc.constantFrom(1, 2, -1, -3))))),
    );

  test("has the view's offset, shape and strides", async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.boolean(), async ([shape, indices], blocking) => {
        const size = shape.reduce((product, extent) => product * extent, 1);
        const host = new HostView(counting(size), { shape });
        const view = DeviceView.fromHost(context, host)
          .slice(...indices)
          .transpose();
        const wanted = host.slice(...indices).transpose();
        if (wanted.size === 0) return;
        const mapped = blocking ? view.mapSync(queue) : await view.map(queue);
        expect(mapped.view.toNested()).toEqual(wanted.toNested());
        mapped.view.fill(-1);
        wanted.fill(-1);
        await mapped.unmap().wait();
        expect(await view.read(queue)).toEqual(wanted.toArray());
        mapped.buffer.release();
      }),
      { numRuns: caseCount(150) },
    );
  });

  test("keeps the elements between those of the view, even if mapped with write-invalidate", async () => {
    const view = DeviceView.fromHost(context, counting(8), { shape: [4, 2] });
    const mapped = await view.slice(":", 0).map(queue, { access: "write-invalidate" });
    mapped.view.fill(9);
    await mapped.unmap().wait();
    expect([...(await view.read(queue))]).toEqual([9, 1, 9, 3, 9, 5, 9, 7]);
  });

  test("keeps the memory alive without other references", async () => {
    const mapped = await DeviceView.fromHost(context, counting(4096)).slice("1:").map(queue);
    const { view } = mapped;
    await collectGarbage();
    expect([view.get(0), view.get(-1)]).toEqual([1, 4095]);
    await mapped[Symbol.asyncDispose]();
    expect(view.detached).toBe(true);
  });
});
