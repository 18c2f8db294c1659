/** Arrays are joined, split, repeated, rolled and padded as in NumPy. */
import { CommandQueue } from "@cl/core";
import { type AnyArray, arrays, type DeviceArray, type DTypeName, type PadMode } from "@cl/array";
import { ImmediateAllocator, MemoryPool } from "@cl/tools";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { caseCount, freshSeed, needsFull, testsEveryCase } from "@cl/testing/level";
import { errorLike } from "@cl/testing/error-like";
import { context, hasDoubles, xp } from "./support/device.js";
import { untriedSeed } from "./support/untried-seed.js";
import { hasNumPy } from "./support/numpy.js";
import { counted, countedText, Draw, type EvalCase, evalDifferences } from "./support/numpy-eval.js";

const everyCase = testsEveryCase(import.meta.url);

const rows = (): DeviceArray<"int32"> => counted([2, 3], "int32");
const line = (): DeviceArray<"int32"> => counted([3], "int32");

test.each([
  [
    "concatenate",
    () => xp.concatenate([rows(), rows().slice(":1")]),
    [
      [0, 1, 2],
      [3, 4, 5],
      [0, 1, 2],
    ],
  ],
  [
    "concatenate columns",
    () => xp.concatenate([rows(), rows().slice(":", ":1")], { axis: -1 }),
    [
      [0, 1, 2, 0],
      [3, 4, 5, 3],
    ],
  ],
  ["concatenate all elements", () => xp.concatenate([rows().T, line()], { axis: null }), [0, 3, 1, 4, 2, 5, 0, 1, 2]],
  [
    "stack",
    () => xp.stack([line(), line().flip()]),
    [
      [0, 1, 2],
      [2, 1, 0],
    ],
  ],
  [
    "stack columns",
    () => xp.stack([line(), line().flip()], { axis: -1 }),
    [
      [0, 2],
      [1, 1],
      [2, 0],
    ],
  ],
  ["hstack", () => xp.hstack([line(), line().slice(":1")]), [0, 1, 2, 0]],
  [
    "vstack",
    () => xp.vstack([line(), rows()]),
    [
      [0, 1, 2],
      [0, 1, 2],
      [3, 4, 5],
    ],
  ],
  [
    "dstack",
    () => xp.dstack([line(), line()]),
    [
      [
        [0, 0],
        [1, 1],
        [2, 2],
      ],
    ],
  ],
  [
    "columnStack",
    () => xp.columnStack([line(), rows().T]),
    [
      [0, 0, 3],
      [1, 1, 4],
      [2, 2, 5],
    ],
  ],
  [
    "block",
    () =>
      xp.block([
        [rows(), rows().slice(":", ":1")],
        [line(), xp.array([9], { dtype: "int32" })],
      ]),
    [
      [0, 1, 2, 0],
      [3, 4, 5, 3],
      [0, 1, 2, 9],
    ],
  ],
  ["append", () => xp.append(rows(), line()), [0, 1, 2, 3, 4, 5, 0, 1, 2]],
  [
    "tile",
    () => xp.tile(line(), [2, 2]),
    [
      [0, 1, 2, 0, 1, 2],
      [0, 1, 2, 0, 1, 2],
    ],
  ],
  [
    "roll",
    () => xp.roll(rows(), 1),
    [
      [5, 0, 1],
      [2, 3, 4],
    ],
  ],
  [
    "roll of axes",
    () => xp.roll(rows(), [1, -1], { axis: [0, 1] }),
    [
      [4, 5, 3],
      [1, 2, 0],
    ],
  ],
  ["repeat", () => line().repeat(2), [0, 0, 1, 1, 2, 2]],
  [
    "repeat of rows by their counts",
    () => rows().repeat([2, 1], { axis: 0 }),
    [
      [0, 1, 2],
      [0, 1, 2],
      [3, 4, 5],
    ],
  ],
  ["delete", () => xp.delete(line(), -2), [0, 2]],
  ["delete several", () => xp.delete(rows(), [2, 0], { axis: 1 }), [[1], [4]]],
  ["insert", () => xp.insert(line(), 1, 9), [0, 9, 1, 2]],
  ["insert several", () => xp.insert(line(), [3, 0], xp.array([8, 9], { dtype: "int8" })), [9, 0, 1, 2, 8]],
  ["insert a row", () => xp.insert(rows(), 1, line(), { axis: 0 }).slice(1), [0, 1, 2]],
  ["pad", () => xp.pad(line(), [1, 2], { value: 7 }), [7, 0, 1, 2, 7, 7]],
  [
    "pad with 0",
    () =>
      xp.pad(rows(), [
        [0, 1],
        [1, 0],
      ]),
    [
      [0, 0, 1, 2],
      [0, 3, 4, 5],
      [0, 0, 0, 0],
    ],
  ],
  ["pad by the edge", () => xp.pad(line(), 2, { mode: "edge" }), [0, 0, 0, 1, 2, 2, 2]],
  ["pad by reflection", () => xp.pad(line(), 3, { mode: "reflect" }), [1, 2, 1, 0, 1, 2, 1, 0, 1]],
  ["pad symmetrically", () => xp.pad(line(), 4, { mode: "symmetric" }), [2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0]],
  ["pad by wrapping", () => xp.pad(line(), 4, { mode: "wrap" }), [2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0]],
] as const)("%s returns the expected elements", async (_name, make, expected) => {
  expect(await make().toNested()).toEqual(expected);
});

test("splits into views", async () => {
  const a = rows();
  const [left, right] = xp.hsplit(a, [1]) as [DeviceArray<"int32">, DeviceArray<"int32">];
  expect([left.shape, right.shape]).toEqual([
    [2, 1],
    [2, 2],
  ]);
  right.assign(0);
  expect(await a.toNested()).toEqual([
    [0, 0, 0],
    [3, 0, 0],
  ]);
  expect(xp.arraySplit(counted([5], "int8"), 3).map(({ shape }) => shape[0])).toEqual([2, 2, 1]);
  expect(xp.vsplit(a, 2).map(({ shape }) => shape)).toEqual([
    [1, 3],
    [1, 3],
  ]);
  expect(xp.dsplit(a.reshape([1, 1, 6]), 3).map(({ shape }) => shape)).toEqual([
    [1, 1, 2],
    [1, 1, 2],
    [1, 1, 2],
  ]);
});

test("broadcastArrays returns read-only views of a common shape", async () => {
  const [a, b] = xp.broadcastArrays(rows(), line());
  expect([a.shape, b.shape, a.readonly, b.readonly]).toEqual([[2, 3], [2, 3], false, true]);
  expect(await b.toNested()).toEqual([
    [0, 1, 2],
    [0, 1, 2],
  ]);
});

test("promotes parts to a common dtype or the requested one", () => {
  const [bytes, words] = [counted([2], "uint8"), counted([2], "int16")];
  expect(xp.concatenate([bytes, words]).dtype.name).toBe("int16");
  expect(xp.concatenate([bytes, words], { dtype: "float32" }).dtype.name).toBe("float32");
  expect(xp.stack([bytes, bytes]).dtype.name).toBe("uint8");
});

test("writes into `out`, also if a part is a view of it", async () => {
  const out = xp.zeros([6], { dtype: "int32" });
  expect(xp.concatenate([line(), line()], { out })).toBe(out);
  expect(await out.toNested()).toEqual([0, 1, 2, 0, 1, 2]);
  xp.concatenate([out.slice("3:"), out.slice("2::-1")], { out });
  expect(await out.toNested()).toEqual([0, 1, 2, 2, 1, 0]);
});

test.each([
  ["an empty list", () => xp.concatenate([]), errorLike(RangeError, "ERR_OUT_OF_RANGE", "arrays")],
  [
    "a number in place of an array",
    () => xp.concatenate([1] as unknown as AnyArray[]),
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "arrays[0]"),
  ],
  [
    "parts of different lengths",
    () => xp.concatenate([rows(), rows().T]),
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "arrays[0]"),
  ],
  [
    "parts of different dimensions",
    () => xp.concatenate([rows(), line()]),
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "arrays[0]"),
  ],
  [
    "zero-dimensional parts",
    () => xp.concatenate([xp.array(1)]),
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "arrays[0]"),
  ],
  [
    "stacked arrays of different shapes",
    () => xp.stack([rows(), line()]),
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "arrays[0]"),
  ],
  [
    "an output of another shape",
    () => xp.stack([line()], { out: line() }),
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.out"),
  ],
  [
    "an output of another dtype",
    () => xp.stack([counted([2], "float32")], { out: xp.zeros([1, 2], { dtype: "int32" }) }),
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.out"),
  ],
  ["blocks of different heights", () => xp.block([rows(), rows().T]), errorLike(RangeError, "ERR_OUT_OF_RANGE")],
  [
    "blocks nested to different depths",
    () => xp.block([rows(), [rows()]]),
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "blocks"),
  ],
  ["a split into unequal parts", () => xp.split(line(), 2), errorLike(RangeError, "ERR_OUT_OF_RANGE")],
  [
    "vsplit of a one-dimensional array",
    () => xp.vsplit(line(), 1),
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "vsplit"),
  ],
  ["too few repeat counts", () => line().repeat([1, 2]), errorLike(RangeError, "ERR_OUT_OF_RANGE")],
  [
    "an index out of range",
    () => xp.delete(rows(), 3, { axis: 1 }),
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "indices"),
  ],
  ["more values than indices", () => xp.insert(line(), [0, 1], line()), errorLike(RangeError, "ERR_OUT_OF_RANGE")],
  [
    "more shifts than axes",
    () => xp.roll(rows(), [1, 2, 3], { axis: [0, 1] }),
    errorLike(RangeError, "ERR_OUT_OF_RANGE"),
  ],
  ["pad widths for too few axes", () => xp.pad(rows(), [[1, 1]]), errorLike(RangeError, "ERR_OUT_OF_RANGE", "widths")],
  [
    "an unknown pad mode",
    () => xp.pad(rows(), 1, { mode: "mean" as "wrap" }),
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.mode"),
  ],
  [
    "a pad value that the mode does not use",
    () => xp.pad(rows(), 1, { mode: "edge", value: 1 }),
    errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.value"),
  ],
  [
    "padding an empty array by wrapping",
    () => xp.pad(xp.zeros([0], { dtype: "int8" }), 1, { mode: "wrap" }),
    errorLike(RangeError, "ERR_OUT_OF_RANGE"),
  ],
] as const)("rejects %s", (_name, make, sentence) => {
  expect(make).toThrow(sentence);
});

/** The source index of an element of a padded axis. */
function origin(i: number, extent: number, mode: Exclude<PadMode, "constant">): number {
  const modulo = (a: number, b: number): number => ((a % b) + b) % b;
  if (mode === "edge" || extent === 1) return Math.min(Math.max(i, 0), extent - 1);
  if (mode === "wrap") return modulo(i, extent);
  const period = mode === "reflect" ? 2 * extent - 2 : 2 * extent;
  const at = modulo(i, period);
  return at < extent ? at : period - at - (mode === "reflect" ? 0 : 1);
}

test("pads by any width in every mode", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 13 })),
        { minLength: 1, maxLength: 3 },
      ),
      fc.constantFrom("edge" as const, "reflect" as const, "symmetric" as const, "wrap" as const),
      async (axes, mode) => {
        const shape = axes.map(([extent]) => extent);
        const a = counted(shape, "int16");
        const padded = xp.pad(
          a,
          axes.map(([, before, after]) => [before, after] as const),
          { mode },
        );
        let [at, rest] = [0, 0];
        const right = Int16Array.from({ length: padded.size }, (_, i) => {
          [at, rest] = [0, i];
          let step = 1;
          for (const axis of [...axes.keys()].toReversed()) {
            const [extent, before] = axes[axis] as readonly [number, number, number];
            const length = padded.shape[axis] as number;
            at += step * origin((rest % length) - before, extent, mode);
            rest = Math.floor(rest / length);
            step *= extent;
          }
          return at % 100;
        });
        expect(await padded.data()).toEqual(right);
      },
    ),
    { numRuns: caseCount(40) },
  );
});

const types: readonly DTypeName[] = ["bool", "int8", "int32", "int64", "uint16", "float32", "complex64"];

function cases(seed: number, count: number): readonly EvalCase[] {
  const draw = new Draw(seed);
  return Array.from({ length: count }, () => drawCase(draw));
}

function drawCase(draw: Draw): EvalCase {
  const shape = draw.shape(draw.integer(1, 3));
  const dtype = draw.of(types);
  // Two different dtypes may promote to float64.
  const second = hasDoubles ? draw.of(types) : dtype;
  const transposed = draw.integer(0, 1) === 1;
  const along = draw.integer(0, shape.length - 1);
  const own = transposed ? shape.toReversed() : shape;
  const a = transposed ? counted(own, dtype).T : counted(own, dtype);
  const text = countedText(own, dtype) + (transposed ? ".T" : "");
  const otherShape = shape.with(along, draw.integer(0, 3));
  const [b, other] = [counted(otherShape, second), countedText(otherShape, second)];
  const [like, likeText] = [counted(otherShape, dtype), countedText(otherShape, dtype)];
  const [c, same] = [counted(shape, second), countedText(shape, second)];
  const list = (values: readonly unknown[]): string => `(${values.join(", ")},)`;
  const axis = draw.integer(-shape.length - 1, shape.length);
  const counts = draw.shape(draw.integer(1, 4), 3);
  const shifts = shape.map(() => draw.integer(-6, 6));
  const widths = shape.map(() => [draw.integer(0, 2), draw.integer(0, 2)] as const);
  const mode = draw.of(["constant", "edge", "reflect", "symmetric"] as const);
  const parts = draw.integer(1, 4);
  const lengths = Array.from({ length: shape[along] as number }, () => draw.integer(0, 3));
  const evalCase = (ours: () => AnyArray, theirs: string): EvalCase => ({ ours, theirs });
  return draw.of([
    evalCase(() => xp.concatenate([a, b], { axis: along }), `np.concatenate((${text}, ${other}), ${along})`),
    evalCase(() => xp.concatenate([a, b, a], { axis }), `np.concatenate((${text}, ${other}, ${text}), ${axis})`),
    evalCase(() => xp.concatenate([a, b], { axis: null }), `np.concatenate((${text}, ${other}), None)`),
    evalCase(() => xp.stack([a, c], { axis }), `np.stack((${text}, ${same}), ${axis})`),
    evalCase(() => xp.hstack([a, b]), `np.hstack((${text}, ${other}))`),
    evalCase(() => xp.vstack([a, b]), `np.vstack((${text}, ${other}))`),
    evalCase(() => xp.dstack([a, c]), `np.dstack((${text}, ${same}))`),
    evalCase(() => xp.columnStack([a, c]), `np.column_stack((${text}, ${same}))`),
    evalCase(
      () =>
        xp.block([
          [a, c],
          [c, a],
        ]),
      `np.block([[${text}, ${same}], [${same}, ${text}]])`,
    ),
    evalCase(() => xp.append(a, b), `np.append(${text}, ${other})`),
    evalCase(() => xp.tile(a, counts), `np.tile(${text}, ${list(counts)})`),
    evalCase(() => a.repeat(parts), `np.repeat(${text}, ${parts})`),
    evalCase(() => a.repeat(parts - 1, { axis: along }), `np.repeat(${text}, ${parts - 1}, ${along})`),
    evalCase(
      () => a.repeat(lengths, { axis: along }),
      `np.repeat(${text}, np.array([${lengths.join()}], int), ${along})`,
    ),
    evalCase(() => xp.delete(a, axis, { axis: along }), `np.delete(${text}, ${axis}, ${along})`),
    evalCase(() => xp.delete(a, [parts - 1, -parts]), `np.delete(${text}, [${parts - 1}, ${-parts}])`),
    evalCase(() => xp.insert(a, axis, like, { axis: along }), `np.insert(${text}, ${axis}, ${likeText}, ${along})`),
    evalCase(() => xp.insert(a, [0, parts, 0], counted([1], dtype)), `np.insert(${text}, [0, ${parts}, 0], [0])`),
    evalCase(() => xp.roll(a, shifts[0] as number), `np.roll(${text}, ${shifts[0]})`),
    evalCase(
      () => xp.roll(a, shifts, { axis: [...shape.keys()] }),
      `np.roll(${text}, ${list(shifts)}, ${list([...shape.keys()])})`,
    ),
    evalCase(
      () => xp.pad(a, widths, { mode }),
      `np.pad(${text}, ${list(widths.map((pair) => list(pair)))}, mode="${mode}")`,
    ),
    evalCase(
      () => xp.arraySplit<DTypeName>(a, parts, { axis: along })[parts - 1] as DeviceArray,
      `np.array_split(${text}, ${parts}, ${along})[${parts - 1}]`,
    ),
    evalCase(
      () => xp.split(a, shifts, { axis: along })[shifts.length] as DeviceArray,
      `np.split(${text}, [${shifts.join()}], ${along})[${shifts.length}]`,
    ),
  ]);
}

test("matches NumPy for a fixed seed", { timeout: 300_000 }, async (run) => {
  needs(run, hasNumPy, "NumPy is not installed (apt install python3-numpy)");
  expect(await evalDifferences(cases(20_261_121, everyCase ? 250 : 100))).toEqual([]);
});

test("matches NumPy for a fresh seed", { timeout: 300_000 }, async (run) => {
  needsFull(run, freshSeed);
  needs(run, hasNumPy, "NumPy is not installed (apt install python3-numpy)");
  const seed = untriedSeed();
  expect(await evalDifferences(cases(seed, everyCase ? 200 : 50)), `seed ${seed}`).toEqual([]);
});

test("joining and padding allocate nothing but their results", () => {
  const queue = new CommandQueue(context);
  const pool = new MemoryPool(new ImmediateAllocator(queue));
  const own = arrays(queue, { allocator: pool });
  using a = own.zeros([64, 64], { dtype: "int32" });
  for (const make of [
    () => own.concatenate([a, a.T]),
    () => own.stack([a, a]),
    () => own.tile(a, 2),
    () => own.pad(a, 8, { mode: "reflect" }),
    () => own.roll(a, 3, { axis: 1 }),
  ]) {
    const before = pool.activeBytes;
    const result = make();
    expect(pool.activeBytes - before).toBeLessThanOrEqual(Math.ceil(result.nbytes * 1.25));
    result.release();
    expect(pool.activeBytes).toBe(before);
  }
});
