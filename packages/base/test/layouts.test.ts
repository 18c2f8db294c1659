import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  boxCopy,
  broadcastLayout,
  byteRange,
  checkInside,
  checkShape,
  completeShape,
  contiguousLayout,
  isContiguous,
  type Layout,
  layoutsOverlap,
  overlapsItself,
  reshapeLayout,
  type SliceIndex,
  sliceLayout,
  sizeOf,
  stridedCopy,
  transposeLayout,
} from "@cl/base";
import { outOfRange, wrongType } from "@cl/testing/error-like";

/** Naive model: the offset of every element, in C order. */
function offsetsOf({ shape, strides, offset }: Layout): number[] {
  if (shape.length === 0) return [offset];
  return Array.from({ length: shape[0] as number }, (_, i) =>
    offsetsOf({ shape: shape.slice(1), strides: strides.slice(1), offset: offset + i * (strides[0] as number) }),
  ).flat();
}

/** Slices nested arrays as Python does, by testing every index. */
function naiveSlice(nested: unknown, indices: readonly SliceIndex[]): unknown {
  const [index, ...rest] = indices;
  if (indices.length === 0) return nested;
  if (index === null) return [naiveSlice(nested, rest)];
  const list = nested as readonly unknown[];
  if (typeof index === "number") return naiveSlice(list.at(index), rest);
  const [start, stop, step = 1] = index as readonly [number | null, number | null, number?];
  const at = (bound: number): number => (bound < 0 ? bound + list.length : bound);
  const picked: unknown[] = [];
  for (let i = -list.length; i < 2 * list.length; i++) {
    const first = start === null ? (step > 0 ? 0 : list.length - 1) : at(start);
    const place = step > 0 ? i : list.length - 1 - i;
    const inside = step > 0 ? place >= Math.max(first, 0) : place <= Math.min(first, list.length - 1);
    const before = stop === null ? true : step > 0 ? place < at(stop) : place > at(stop);
    const origin = step > 0 ? Math.max(first, 0) : Math.min(first, list.length - 1);
    if (inside && before && place >= 0 && place < list.length && (place - origin) % step === 0) {
      picked.push(list[place]);
    }
  }
  return picked.map((item) => naiveSlice(item, rest));
}

function nestedOffsets({ shape, strides, offset }: Layout): unknown {
  if (shape.length === 0) return offset;
  return Array.from({ length: shape[0] as number }, (_, i) =>
    nestedOffsets({ shape: shape.slice(1), strides: strides.slice(1), offset: offset + i * (strides[0] as number) }),
  );
}

const extents = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 5 });
const bound = fc.option(fc.integer({ min: -8, max: 8 }));
const step = fc.integer({ min: -4, max: 4 }).filter((value) => value !== 0);
const order = fc.constantFrom("C" as const, "F" as const);

/** Valid indices for a shape. */
function indicesOf(shape: readonly number[]): fc.Arbitrary<SliceIndex[]> {
  const each = shape.map((extent) => {
    const ranges: fc.Arbitrary<SliceIndex> = fc.tuple(bound, bound, step);
    return extent === 0 ? ranges : fc.oneof(ranges, fc.integer({ min: -extent, max: extent - 1 }));
  });
  return fc
    .tuple(fc.tuple(...each), fc.array(fc.nat(shape.length), { maxLength: 2 }))
    .map(([list, axes]) => axes.reduce<SliceIndex[]>((all, at) => all.toSpliced(at, 0, null), [...list]));
}

/** Layouts produced by slicing and transposing. */
const sliced = fc
  .tuple(extents, order)
  .chain(([shape, way]) => indicesOf(shape).map((indices) => sliceLayout(contiguousLayout(shape, 4, way), indices)));

/** Layouts with arbitrary strides. */
const wild: fc.Arbitrary<Layout> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: -20, max: 20 })), { maxLength: 4 })
  .chain((axes) =>
    fc.integer({ min: 0, max: 20 }).map((offset) => ({
      shape: axes.map(([extent]) => extent),
      strides: axes.map(([, stride]) => stride),
      offset,
    })),
  );

describe("layout functions", () => {
  test("slice like nested arrays", () => {
    const cases = fc
      .tuple(extents, order)
      .chain(([shape, way]) => fc.tuple(fc.constant(shape), fc.constant(way), indicesOf(shape)));
    fc.assert(
      fc.property(cases, ([shape, way, indices]) => {
        const layout = contiguousLayout(shape, 4, way, 12);
        expect(nestedOffsets(sliceLayout(layout, indices))).toEqual(naiveSlice(nestedOffsets(layout), indices));
      }),
      { numRuns: 1000 },
    );
  });

  test("accept slices as text and lists, and fewer indices than axes", () => {
    const layout = contiguousLayout([6, 5, 4], 2);
    const same = (one: readonly SliceIndex[], other: readonly SliceIndex[]): void => {
      expect(sliceLayout(layout, one)).toEqual(sliceLayout(layout, other));
    };
    same(["1:5:2"], [[1, 5, 2], ":", ":"]);
    same([" -1 : : -1 "], [[-1, null, -1]]);
    same(["...", 1], [":", "::", 1]);
    same([2, "..."], [2]);
    same(["...", null], [":", ":", ":", null]);
    same(["+1:+3"], [[1, 3]]);
  });

  test("reject indices that are invalid, out of range or too many", () => {
    const layout = contiguousLayout([3, 0], 4);
    const outside: SliceIndex[][] = [[3], [-4], [0.5], [NaN], ["::0"], ["1"], ["1:2:3:4"], ["a:b"]];
    for (const indices of outside) {
      expect(() => sliceLayout(layout, indices), String(indices)).toThrow(outOfRange("indices[0]"));
    }
    const tooMany: SliceIndex[][] = [["...", "..."], [0, ":", 0], Array<null>(40).fill(null)];
    for (const indices of tooMany) expect(() => sliceLayout(layout, indices)).toThrow(outOfRange("indices"));
    expect(() => sliceLayout(layout, [0, 0])).toThrow(outOfRange("indices[1]"));
    for (const [index, error] of [
      [[1], outOfRange("indices[0]")],
      [[1, 2, 3, 4], outOfRange("indices[0]")],
      [[0.5, 2], outOfRange("indices[0][0]")],
      [["1", 2], wrongType("indices[0][0]")],
      [undefined, wrongType("indices[0]")],
      [{}, wrongType("indices[0]")],
    ] as const) {
      expect(() => sliceLayout(layout, [index as SliceIndex]), JSON.stringify(index)).toThrow(error);
    }
  });

  test("isContiguous agrees with the model", () => {
    fc.assert(
      fc.property(fc.oneof(sliced, wild), (layout) => {
        const first = byteRange(layout, 4)[0];
        const all = offsetsOf(layout);
        const line = all.every((place, i) => place === first + 4 * i);
        const turned = offsetsOf(transposeLayout(layout));
        expect(isContiguous(layout, 4)).toBe(line);
        expect(isContiguous(layout, 4, "F")).toBe(turned.every((place, i) => place === first + 4 * i));
      }),
      { numRuns: 1000 },
    );
    expect(isContiguous({ shape: [], strides: [], offset: 3 }, 8)).toBe(true);
    expect(isContiguous({ shape: [1, 3, 1], strides: [77, 4, -5], offset: 0 }, 4)).toBe(true);
  });

  test("byteRange covers exactly the elements", () => {
    fc.assert(
      fc.property(wild, (layout) => {
        const all = offsetsOf(layout);
        const [low, high] = byteRange(layout, 4);
        if (all.length === 0) expect(high).toBe(low);
        else expect([low, high]).toEqual([Math.min(...all), Math.max(...all) + 4]);
      }),
    );
    const far = { shape: [2], strides: [2 ** 53 - 8], offset: 2 ** 53 - 8 };
    const below = { shape: [3], strides: [-4], offset: 4 };
    const above = { shape: [0], strides: [4], offset: 101 };
    expect(() => checkInside(far, 4, 2 ** 53 - 1, "it")).toThrow(outOfRange());
    for (const layout of [below, above]) expect(() => checkInside(layout, 4, 100, "it")).toThrow(outOfRange());
  });

  test("reshapeLayout returns a view exactly if one exists", () => {
    const cases = sliced.chain((layout) => fc.tuple(fc.constant(layout), factorings(sizeOf(layout.shape))));
    fc.assert(
      fc.property(cases, ([layout, shape]) => {
        const all = offsetsOf(layout);
        const reshaped = reshapeLayout(layout, shape, 4);
        if (reshaped === undefined) expect(evenly(all, shape)).toBe(false);
        else expect(offsetsOf(reshaped)).toEqual(all);
      }),
      { numRuns: 2000 },
    );
  });

  test.each<[string, Layout, number[]]>([
    ["fewer strides than extents", { shape: [128, 12], strides: [31], offset: -2 }, [8]],
    ["fewer elements than the shape", { shape: [3], strides: [4], offset: 0 }, [6]],
    ["more elements than the shape", { shape: [6, 2], strides: [8, 4], offset: 0 }, [3]],
    ["elements for an empty shape", { shape: [6], strides: [4], offset: 0 }, [3, 0]],
    ["no elements for a shape with some", { shape: [0], strides: [4], offset: 0 }, [1]],
    ["extents that are not numbers", { shape: [NaN], strides: [4], offset: 0 }, [NaN]],
    ["negative extents", { shape: [2, -3, -1], strides: [4, 4, 4], offset: 0 }, [-6, -1]],
    ["fractions", { shape: [0.5, 4], strides: [4, 4], offset: 0 }, [0.25, 8]],
  ])("reshapeLayout terminates for a layout with %s", (_, layout, shape) => {
    let result: unknown;
    try {
      result = reshapeLayout(layout, shape, 4);
    } catch (error) {
      expect(error).toMatchObject({ name: "RangeError", code: "ERR_OUT_OF_RANGE" });
      return;
    }
    // Invalid extents: the result is meaningless, but the call must return.
    expect(layout.shape.every((extent) => Number.isInteger(extent) && extent >= 0)).toBe(false);
    expect(result === undefined || typeof result === "object").toBe(true);
  });

  test("completeShape infers one extent", () => {
    expect(completeShape([2, -1], 12, "shape")).toEqual([2, 6]);
    expect(completeShape(-1, 12, "shape")).toEqual([12]);
    expect(completeShape([-1], 0, "shape")).toEqual([0]);
    for (const shape of ["5,-1", "-1,-1", "0,-1", "-2,6", "3,3", "2.5,2"]) {
      expect(() => completeShape(shape.split(",").map(Number), 12, "shape"), shape).toThrow(outOfRange());
    }
  });

  test("transposeLayout accepts any order of axes", () => {
    const layout = contiguousLayout([2, 3, 4], 4);
    expect(transposeLayout(layout)).toEqual({ shape: [4, 3, 2], strides: [4, 16, 48], offset: 0 });
    expect(transposeLayout(layout, [-1, 0, 1]).shape).toEqual([4, 2, 3]);
    expect(() => transposeLayout(layout, [0, 1])).toThrow(outOfRange());
    for (const axis of [1, 3, -4, 0.5, -3]) {
      expect(() => transposeLayout(layout, [0, 1, axis]), String(axis)).toThrow(outOfRange());
    }
  });

  test("broadcastLayout repeats axes of length 1, aligned at the last axis", () => {
    const layout = contiguousLayout([3, 1], 4);
    expect(broadcastLayout(layout, [2, 3, 4])).toEqual({ shape: [2, 3, 4], strides: [0, 4, 0], offset: 0 });
    expect(broadcastLayout(layout, [3, 0]).shape).toEqual([3, 0]);
    const scalar = { shape: [], strides: [], offset: 8 };
    expect(broadcastLayout(scalar, [2])).toEqual({ shape: [2], strides: [0], offset: 8 });
    for (const shape of [[3], [2, 1], [4, 3], [0, 1]]) {
      expect(() => broadcastLayout(layout, shape), String(shape)).toThrow(outOfRange());
    }
  });

  test("overlapsItself and layoutsOverlap agree with the model", () => {
    const share = (all: readonly number[]): boolean =>
      all.toSorted((a, b) => a - b).some((place, i, sorted) => i > 0 && place - (sorted[i - 1] as number) < 4);
    fc.assert(
      fc.property(fc.oneof(wild, sliced), (layout) => {
        expect(overlapsItself(layout, 4)).toBe(share(offsetsOf(layout)));
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(wild, wild, (one, other) => {
        const [mine, others] = [offsetsOf(one), offsetsOf(other)];
        const shared = mine.some((place) => others.some((far) => Math.abs(place - far) < 4));
        expect(layoutsOverlap(one, other, 4)).toBe(shared);
      }),
      { numRuns: 2000 },
    );
  });

  test("overlapsItself gives up early if the exact answer would take too long", () => {
    const primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29].map((prime) => 1e6 * prime + prime ** 4);
    const awkward = { shape: primes.map(() => 50), strides: primes, offset: 0 };
    expect(typeof overlapsItself(awkward, 1)).toBe("boolean");
  });

  test("checkShape rejects invalid and too large shapes", () => {
    for (const shape of [-1, 0.5, [1, -1], [2 ** 27, 2 ** 27], [2 ** 53], [0, 2 ** 30, 2 ** 30], Array(33).fill(1)]) {
      expect(() => checkShape(shape, "shape"), String(shape)).toThrow(RangeError);
    }
    for (const shape of ["3", null, undefined, {}, [1, "2"], [undefined]]) {
      expect(() => checkShape(shape, "shape"), JSON.stringify(shape)).toThrow(TypeError);
    }
    expect(checkShape(3, "shape")).toEqual([3]);
  });
});

describe("stridedCopy", () => {
  test("copies every element, as a box if possible", () => {
    let boxes = 0;
    const cases = sliced.chain((from) =>
      fc.tuple(fc.constant(from), order, fc.boolean(), fc.option(fc.array(fc.nat(), { minLength: 7, maxLength: 7 }))),
    );
    fc.assert(
      fc.property(cases, ([from, way, packedFrom, keys]) => {
        if (from.shape.includes(0)) return;
        const axes = from.shape.map((_, i) => i).sort((a, b) => (keys?.[a] ?? a) - (keys?.[b] ?? b));
        const source = transposeLayout(from, axes);
        const packed = contiguousLayout(source.shape, 4, way);
        const [one, other] = packedFrom ? [packed, source] : [source, packed];
        const copy = stridedCopy(one, other, 4, packedFrom ? "from" : "to");
        const pairs = new Map<number, number>();
        const bytesOf = (first: number): number[] => Array.from({ length: copy.run }, (_, i) => first + i);
        const froms = offsetsOf({ shape: copy.shape, ...copy.from }).flatMap(bytesOf);
        const tos = offsetsOf({ shape: copy.shape, ...copy.to }).flatMap(bytesOf);
        froms.forEach((place, i) => pairs.set(tos[i] as number, place));
        const expected = offsetsOf(one).map((place, i) => [place, offsetsOf(other)[i] as number] as const);
        expect(pairs.size).toBe(4 * expected.length);
        for (const [place, target] of expected) expect(pairs.get(target)).toBe(place);
        const box = boxCopy(copy);
        if (box === undefined) return;
        boxes++;
        for (const [side, plain] of [
          [box.from, copy.from],
          [box.to, copy.to],
        ] as const) {
          const { origin, pitches } = side;
          expect(origin[0] + origin[1] * pitches[0] + origin[2] * pitches[1]).toBe(plain.offset);
          expect(pitches[0]).toBeGreaterThanOrEqual(copy.run);
          expect(pitches[1] % pitches[0]).toBe(0);
        }
      }),
      { numRuns: 3000 },
    );
    expect(boxes).toBeGreaterThan(20);
  });

  test("joins contiguous axes", () => {
    const from = contiguousLayout([2, 3, 4, 5, 6, 7], 8);
    const start = { offset: 0, strides: [] };
    expect(stridedCopy(from, from, 8)).toEqual({ run: 8 * 5040, shape: [], from: start, to: start });
    const part = sliceLayout(from, [":", ":", ":", ":", ":", "1:3"]);
    const copy = stridedCopy(part, contiguousLayout(part.shape, 8), 8);
    expect([copy.run, copy.shape, copy.from]).toEqual([16, [720], { offset: 8, strides: [56] }]);
    expect(boxCopy(copy)?.region).toEqual([16, 720, 1]);
  });
});

/** Shapes with `size` elements. */
function factorings(size: number): fc.Arbitrary<readonly number[]> {
  return fc.array(fc.nat(100), { maxLength: 5 }).map((keys) => {
    const shape: number[] = [];
    let left = size;
    for (const key of keys) {
      const divisors =
        left === 0 ? [0, 1, 2] : Array.from({ length: left }, (_, i) => i + 1).filter((n) => left % n === 0);
      const pick = divisors[key % divisors.length] as number;
      shape.push(pick);
      if (pick !== 0) left /= pick;
      else left = 0;
    }
    return size === 0 && !shape.includes(0) ? [...shape, 0] : [...shape, ...(left === 1 || size === 0 ? [] : [left])];
  });
}

/** Returns whether strides exist that give the elements of `shape` these offsets. */
function evenly(all: readonly number[], shape: readonly number[]): boolean {
  const strides = shape.map((extent, i) => {
    const one = sizeOf(shape.slice(i + 1));
    return extent > 1 ? (all[one] as number) - (all[0] as number) : 0;
  });
  const model = offsetsOf({ shape, strides, offset: all[0] ?? 0 });
  return model.every((place, i) => place === all[i]);
}
