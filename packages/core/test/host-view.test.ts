import * as fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { type DTypeValue, HostView, type Nested } from "@cl/core";
import { outOfRange, wrongState, wrongType } from "@cl/testing/error-like";
import { counting } from "./support/kernels.js";

/** Alias without types, for calls that TypeScript would reject. */
const loose = HostView as unknown as new (...args: unknown[]) => HostView;

describe("a host view", () => {
  test("reads and writes array elements by index", () => {
    const array = counting(6);
    const view = new HostView(array, { shape: [2, 3] });
    expectTypeOf(view).toEqualTypeOf<HostView<Int32Array<ArrayBuffer>>>();
    expect([view.get(0, 0), view.get(1, -1), view.get(-2, 1)]).toEqual([0, 5, 1]);
    view.set(-1, 0, 30);
    expect(array[3]).toBe(30);
    expect([view.shape, view.strides, view.offset, view.size, view.length, view.ndim]).toEqual([
      [2, 3],
      [12, 4],
      0,
      6,
      2,
      2,
    ]);
    expect(String(view)).toBe("HostView { int32 [2, 3] }");
    expect(() => (view.shape as number[]).push(1)).toThrow(TypeError);
  });

  test("has values of its dtype: bigints, booleans, vectors and complex numbers", () => {
    const round = (type: string, value: DTypeValue): DTypeValue => {
      const view = HostView.zeros([2], type);
      view.set(1, value);
      return view.get(1);
    };
    const values = { int64: -(2n ** 63n), bool: true, float3: [1, 2, 3], complex64: { re: 1, im: -2 }, half: 0.5 };
    for (const [type, value] of Object.entries(values)) expect(round(type, value)).toEqual(value);
    expect(() => round("uchar", 256)).toThrow(RangeError);
  });

  test("converts from and to nested arrays", () => {
    const rows = [
      [1, 2],
      [3, 4],
    ];
    const nested = [rows, rows, rows];
    const view = HostView.from(nested, "float32");
    expect([view.shape, view.toNested()]).toEqual([[3, 2, 2], nested]);
    expect(HostView.from(nested, "float2").shape).toEqual([3, 2]);
    expect(HostView.from(5, "uchar").toNested()).toBe(5);
    expect(HostView.from([], "uchar").shape).toEqual([0]);
    expect(HostView.from([[], []], "uchar").toNested()).toEqual([[], []]);
    for (const values of [[[1], 2], [[1, 2], [3]], [1, [2]], [[1], [[2]]], ["1"], null] as unknown[]) {
      expect(() => HostView.from(values as Nested, "float32"), JSON.stringify(values)).toThrow(wrongType());
    }
    expect(() => HostView.from(1, "float2")).toThrow(wrongType("values"));
  });

  test("shares memory with its slices and reshaped views", () => {
    const view = new HostView(counting(24), { shape: [2, 3, 4] });
    const part = view.slice(1, "::-1", "::3");
    expect(part.shape).toEqual([3, 2]);
    expect([...part.values()]).toEqual([20, 23, 16, 19, 12, 15]);
    part.fill(-1);
    expect([...view.values()].filter((value) => value === -1)).toHaveLength(6);
    expect(view.transpose().reshape([4, 3, 2, 1]).get(3, 2, 0, 0)).toBe(11);
    expect(() => view.transpose().reshape([24])).toThrow(outOfRange());
    expect(view.slice(null, "...", 0).shape).toEqual([1, 2, 3]);
  });

  test("iterates over its first axis", () => {
    const view = new HostView(counting(4), { shape: [2, 2] });
    expect([...view].map((row) => (row as HostView).toNested())).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(Array.from(view.slice(1))).toEqual([2, 3]);
    expect([...view.values()]).toEqual([0, 1, 2, 3]);
    expect(() => Array.from(view.slice(0, 0))).toThrow(wrongState());
  });

  test("converts to an array in C or F order, for any strides and dtype", () => {
    const types = fc.constantFrom("char", "short", "float", "double", "float3", "half2", "char16");
    const shapes = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 5 });
    fc.assert(
      fc.property(
        types,
        shapes,
        fc.array(fc.constantFrom(1, -1, 2), { minLength: 5, maxLength: 5 }),
        (type, shape, steps) => {
          const double = shape.map((extent) => 2 * extent);
          const view = HostView.zeros(double, type);
          let next = 0;
          const bytes = new Uint8Array(view.nbytes).map(() => next++ % 250);
          const filled = new HostView(bytes, { dtype: type, shape: view.shape });
          const part = filled.slice(...shape.map((_, i) => [null, null, steps[i] as number] as const));
          const inOrder = (of: HostView, order?: "C" | "F"): unknown[] => {
            const array = new HostView(new Uint8Array(part.toArray(order).buffer), { dtype: type, shape: of.shape });
            return [...array.values()];
          };
          expect(inOrder(part)).toEqual([...part.values()]);
          expect(inOrder(part.transpose(), "F")).toEqual([...part.transpose().values()]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("assigns broadcast values, even from overlapping views", () => {
    const view = HostView.zeros([2, 3], "int32").assign([1, 2, 3]);
    expect([...view.values()]).toEqual([1, 2, 3, 1, 2, 3]);
    view.slice(1).assign(view.slice(0, "::-1"));
    view.slice(0, "::-1").assign(view.slice(0));
    expect([...view.values()]).toEqual([3, 2, 1, 3, 2, 1]);
    expect(() => view.assign([1, 2])).toThrow(outOfRange());
    expect(() => view.assign(HostView.zeros([3], "float32"))).toThrow(wrongType("source"));
    expect(() => view.broadcastTo([4, 2, 3]).assign(0)).toThrow(wrongState());
    expect(() => new HostView(counting(4), { shape: [3, 2], strides: [4, 4] }).fill(0)).toThrow(wrongState());
  });

  test("rejects invalid indices and views outside its memory", () => {
    const view = new HostView(counting(4), { shape: [2, 2] });
    for (const indices of [[], [0], [0, 0, 0], [2, 0], [0, -3], [0.5, 0]]) {
      expect(() => view.get(...indices), indices.join()).toThrow("indices");
      expect(() => view.set(...indices, 1), indices.join()).toThrow("indices");
    }
    for (const options of [
      { shape: [5] },
      { shape: [2], offset: 12 },
      { shape: [2], strides: [-4] },
      { shape: [2, 2], strides: [8, 8] },
      { dtype: "int64", shape: [3] },
    ]) {
      expect(() => new loose(counting(4), options), JSON.stringify(options)).toThrow(outOfRange());
    }
    expect(new loose(new Uint8Array(counting(4).buffer, 4), { dtype: "int32" }).toNested()).toEqual([1, 2, 3]);
    expect(new loose(Buffer.from([1, 2])).toNested()).toEqual([1, 2]);
    expect(() => new loose([1])).toThrow(wrongType("memory"));
    expect(() => HostView.zeros([2 ** 40], "char")).toThrow(outOfRange());
  });

  test("throws if its memory is detached", () => {
    const array = counting(4);
    const view = new HostView(array);
    const readonly = new HostView(array, { readonly: true });
    expect(() => readonly.set(0, 1)).toThrow(wrongState());
    structuredClone(array, { transfer: [array.buffer] });
    expect([view.detached, view.shape]).toEqual([true, [4]]);
    for (const use of [
      () => view.get(0),
      () => view.toArray(),
      () => view.toNested(),
      () => view.fill(1),
      () => [...view],
      () => [...view.values()],
      () => HostView.zeros([4], "int32").assign(view),
      () => view.slice("1:").get(0),
      () => view.set(0, 1),
    ]) {
      expect(use).toThrow(wrongState());
    }
    expect(HostView.zeros([0], "int32").detached).toBe(false);
  });
});
