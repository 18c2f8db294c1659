import * as fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { type DTypeValue, HostView, type Nested } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";

const counting = (length: number): Int32Array<ArrayBuffer> => Int32Array.from({ length }, (_, i) => i);

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
    expect(round("int64", -(2n ** 63n))).toBe(-(2n ** 63n));
    expect(round("bool", true)).toBe(true);
    expect(round("float3", [1, 2, 3])).toEqual([1, 2, 3]);
    expect(round("complex64", { re: 1, im: -2 })).toEqual({ re: 1, im: -2 });
    expect(round("half", 0.5)).toBe(0.5);
    expect(() => round("uchar", 256)).toThrow(RangeError);
    expect(() => round("int", 1.5)).toThrow(RangeError);
  });

  test("converts from and to nested arrays", () => {
    const nested = [
      [
        [1, 2],
        [3, 4],
      ],
      [
        [5, 6],
        [7, 8],
      ],
    ];
    const view = HostView.from(nested, "float32");
    expect([view.shape, view.toNested()]).toEqual([[2, 2, 2], nested]);
    expect(HostView.from(nested, "float2").shape).toEqual([2, 2]);
    expect(HostView.from(5, "uchar").toNested()).toBe(5);
    expect(HostView.from([], "uchar").shape).toEqual([0]);
    expect(HostView.from([[], []], "uchar").toNested()).toEqual([[], []]);
    for (const values of [[[1], 2], [[1, 2], [3]], [1, [2]], [[1], [[2]]], ["1"], null] as unknown[]) {
      expect(() => HostView.from(values as Nested, "float32"), JSON.stringify(values)).toThrow(
        errorLike(TypeError, "ERR_INVALID_ARG_TYPE"),
      );
    }
    expect(() => HostView.from(1, "float2")).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "values"));
  });

  test("shares memory with its slices and reshaped views", () => {
    const view = new HostView(counting(24), { shape: [2, 3, 4] });
    const part = view.slice(1, "::-1", "::3");
    expect(part.toNested()).toEqual([
      [20, 23],
      [16, 19],
      [12, 15],
    ]);
    part.fill(-1);
    expect([...view.values()].filter((value) => value === -1)).toHaveLength(6);
    expect(view.transpose().reshape([4, 3, 2, 1]).get(3, 2, 0, 0)).toBe(11);
    expect(() => view.transpose().reshape([24])).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
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
    expect(() => Array.from(view.slice(0, 0))).toThrow(errorLike(TypeError, "ERR_INVALID_STATE"));
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
          const view = HostView.zeros(
            shape.map((extent) => 2 * extent),
            type,
          );
          let next = 0;
          const bytes = new Uint8Array(view.nbytes).map(() => next++ % 250);
          const filled = new HostView(bytes, { dtype: type, shape: view.shape });
          const part = filled.slice(...shape.map((_, i) => [null, null, steps[i] as number] as const));
          const size = view.itemSize;
          const pieces = (one: HostView): number[] => {
            const firsts = (at: number, axis: number): number[] =>
              axis === one.ndim
                ? [at]
                : Array.from({ length: one.shape[axis] as number }, (_, i) =>
                    firsts(at + i * (one.strides[axis] as number), axis + 1),
                  ).flat();
            return firsts(one.offset, 0).flatMap((first) => [...bytes.subarray(first, first + size)]);
          };
          const inOrder = (one: HostView, order?: "C" | "F"): number[] => [
            ...new Uint8Array(one.toArray(order).buffer),
          ];
          expect(inOrder(part)).toEqual(pieces(part));
          expect(inOrder(part, "F")).toEqual(pieces(part.transpose()));
        },
      ),
      { numRuns: 300 },
    );
  });

  test("assigns broadcast values, even from overlapping views", () => {
    const view = HostView.zeros([2, 3], "int32").assign([1, 2, 3]);
    expect(view.toNested()).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    view.slice(1).assign(view.slice(0, "::-1"));
    view.slice(0, "::-1").assign(view.slice(0));
    expect(view.toNested()).toEqual([
      [3, 2, 1],
      [3, 2, 1],
    ]);
    expect(() => view.assign([1, 2])).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
    expect(() => view.assign(HostView.zeros([3], "float32"))).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "source"),
    );
    expect(() => view.broadcastTo([4, 2, 3]).assign(0)).toThrow(errorLike(TypeError, "ERR_INVALID_STATE"));
    expect(() => new HostView(counting(4), { shape: [3, 2], strides: [4, 4] }).fill(0)).toThrow(
      errorLike(TypeError, "ERR_INVALID_STATE"),
    );
  });

  test("rejects invalid indices and views outside its memory", () => {
    const view = new HostView(counting(4), { shape: [2, 2] });
    for (const indices of [[], [0], [0, 0, 0], [2, 0], [0, -3], [0.5, 0], [NaN, 0], ["0", 0]] as number[][]) {
      expect(() => view.get(...indices), indices.join()).toThrow("indices");
      expect(() => {
        view.set(...indices, 1);
      }, indices.join()).toThrow("indices");
    }
    for (const options of [
      { shape: [5] },
      { shape: [2], offset: 12 },
      { shape: [2], strides: [-4] },
      { shape: [2, 2], strides: [8, 8] },
      { dtype: "int64", shape: [3] },
    ]) {
      expect(() => new loose(counting(4), options), JSON.stringify(options)).toThrow(
        errorLike(RangeError, "ERR_OUT_OF_RANGE"),
      );
    }
    expect(new loose(new Uint8Array(counting(4).buffer, 4), { dtype: "int32" }).toNested()).toEqual([1, 2, 3]);
    expect(new loose(Buffer.from([1, 2])).toNested()).toEqual([1, 2]);
    expect(() => new loose([1])).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "memory"));
    expect(() => HostView.zeros([2 ** 40], "char")).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  });

  test("throws if its memory is detached", () => {
    const array = counting(4);
    const view = new HostView(array);
    const readonly = new HostView(array, { readonly: true });
    expect(() => {
      readonly.set(0, 1);
    }).toThrow(errorLike(TypeError, "ERR_INVALID_STATE"));
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
    ]) {
      expect(use).toThrow(errorLike(TypeError, "ERR_INVALID_STATE"));
    }
    expect(() => {
      view.set(0, 1);
    }).toThrow(errorLike(TypeError, "ERR_INVALID_STATE"));
    expect(HostView.zeros([0], "int32").detached).toBe(false);
  });
});
