/**
 * Indexing compared with NumPy: random combinations of integers, slices, lists, masks and new axes over arrays of every
 * layout, for a fixed and a fresh seed. Some indices are out of range, which both must reject.
 */
import type { ArrayIndex, DeviceArray, DTypeName, IntegerArray, IntegerName, MaskArray } from "@cl/array";
import { expect, test } from "vitest";

import { isFull, sample, testSeed, testsEveryCase } from "@cl/testing/level";
import { hasDoubles, queue, xp } from "./support/device.js";
import { counted, countedText, Draw, type EvalCase, evalDifferences, needsNumPy } from "./support/numpy-eval.js";

const integers = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"] as const;
const types: readonly DTypeName[] = [
  "bool",
  ...integers,
  "float16",
  "float32",
  "complex64",
  ...(hasDoubles ? (["float64", "complex128"] as const) : []),
];
/** Dtypes that support atomic operations and add small integers exactly. */
const addable: readonly DTypeName[] = queue.device.hasExtension("cl_khr_int64_base_atomics")
  ? [...integers, "float16", "float32", ...(hasDoubles ? (["float64"] as const) : [])]
  : ["int8", "int16", "int32", "uint8", "uint16", "uint32", "float16", "float32"];

interface Pair<T> {
  readonly ours: T;
  readonly theirs: string;
}

function arrayOf(draw: Draw, shape: readonly number[], dtype: DTypeName): Pair<DeviceArray> {
  const part = shape.map(() => ":").join(", ");
  const larger = shape.map((extent) => 2 * extent + 1);
  const layouts: readonly (() => Pair<DeviceArray>)[] = [
    () => ({ ours: counted(shape, dtype), theirs: countedText(shape, dtype) }),
    () => ({ ours: counted(shape.toReversed(), dtype).T, theirs: `${countedText(shape.toReversed(), dtype)}.T` }),
    () => ({
      ours: counted(larger, dtype).slice(...shape.map(() => "1::2")),
      theirs: `${countedText(larger, dtype)}[${part.replaceAll(":", "1::2")}]`,
    }),
    () => ({
      ours: counted(shape, dtype).slice(...shape.map(() => "::-1")),
      theirs: `${countedText(shape, dtype)}[${part.replaceAll(":", "::-1")}]`,
    }),
  ];
  return shape.length === 0 ? (layouts[0] as () => Pair<DeviceArray>)() : draw.of(layouts)();
}

const nested = (values: readonly number[], shape: readonly number[]): never => {
  const [first = 0, ...rest] = shape;
  if (shape.length === 0) return values[0] as never;
  const step = rest.reduce((a, b) => a * b, 1);
  return Array.from({ length: first }, (_, i) => nested(values.slice(i * step, (i + 1) * step), rest)) as never;
};

/** Indices on the host or the device. */
function listOf(draw: Draw, values: readonly number[], shape: readonly number[]): Pair<ArrayIndex> {
  const theirs = `np.array([${values.join()}], "int64").reshape([${shape.join()}])`;
  if (shape.length > 0 && draw.integer(0, 1) === 0) return { ours: nested(values, shape), theirs };
  const signed = values.some((value) => value < 0);
  const dtype: IntegerName = draw.of(signed ? (["int8", "int16", "int32", "int64"] as const) : integers);
  const ours = xp.fromHost(Int32Array.from(values), { shape }).astype(dtype);
  return { ours: draw.integer(0, 2) === 0 ? reversed(ours) : ours, theirs };
}

/** The same elements with a negative stride. */
function reversed<D extends DTypeName>(array: DeviceArray<D>): DeviceArray<D> {
  if (array.ndim === 0) return array;
  return array.slice("::-1").copy().slice("::-1");
}

function different(draw: Draw, count: number, extent: number): readonly number[] {
  const rest = Array.from({ length: extent }, (_, i) => i);
  return Array.from({ length: count }, () => rest.splice(draw.integer(0, rest.length - 1), 1)[0] as number);
}

interface IndexKind {
  /** Whether no element is indexed twice. */
  readonly once: boolean;
  /** Whether device masks are allowed: at most one, and without lists, if values are stored. */
  readonly masks: "any" | "alone";
}

function indicesOf(draw: Draw, shape: readonly number[], kind: IndexKind): Pair<readonly (ArrayIndex | MaskArray)[]> {
  const ours: (ArrayIndex | MaskArray)[] = [];
  const theirs: string[] = [];
  const add = (index: ArrayIndex | MaskArray, text: string): void => {
    ours.push(index);
    theirs.push(text);
  };
  const alone = kind.masks === "alone" && draw.integer(0, 2) === 0;
  let hasMask = false;
  const count = draw.integer(1, 3);
  const listShape = draw.of([[count], [count], [1], [2, count]]);
  const mayFail = !kind.once && !shape.includes(0) && draw.integer(0, 9) === 0;
  const skipped = draw.integer(0, 3) === 0 ? draw.integer(0, shape.length) : -1;
  let axis = 0;
  while (axis < shape.length) {
    const extent = shape[axis] as number;
    if (draw.integer(0, 7) === 0) add(null, "None");
    if (axis === skipped) {
      add("...", "...");
      axis += draw.integer(0, shape.length - axis);
      if (axis === shape.length) break;
    }
    const choice = draw.integer(0, 9);
    if (choice < 2 && extent > 0) {
      const index = draw.integer(-extent, mayFail ? extent : extent - 1);
      add(index, String(index));
    } else if (choice < 4) {
      const slice = draw.of([":", "1:", ":-1", "::-1", "-2:", "::2", "5:"]);
      add(slice, slice);
    } else if (choice < 6 && kind.masks === (alone ? "alone" : "any") && !(alone && hasMask)) {
      hasMask = true;
      const axes = axis + 1 < shape.length && draw.integer(0, 1) === 0 ? 2 : 1;
      const masked = shape.slice(axis, axis + axes);
      const size = masked.reduce((a, b) => a * b, 1);
      const chosen = new Set(different(draw, Math.min(size, listShape.at(-1) as number), size));
      const flags = Array.from({ length: size }, (_, i) => (chosen.has(i) ? 1 : 0));
      const theirMask = `np.array([${flags.join()}], "bool").reshape([${masked.join()}])`;
      const mask = xp.fromHost(Uint8Array.from(flags), { shape: masked, dtype: "bool" });
      add(draw.integer(0, 1) === 0 ? mask : reversed(mask), theirMask);
      axis += axes - 1;
    } else if (!alone) {
      const own = draw.of([listShape, listShape, listShape.slice(1), listShape.map(() => 1)]);
      const size = own.reduce((a, b) => a * b, 1);
      // One list contains all distinct numbers, so that no index repeats.
      if (kind.once && (size > extent || own !== listShape)) {
        add(":", ":");
      } else {
        const values = kind.once
          ? different(draw, size, extent)
          : Array.from({ length: size }, () => draw.integer(-extent, mayFail ? extent : extent - 1));
        if (extent === 0) {
          add(":", ":");
        } else {
          const list = listOf(draw, values, own);
          add(list.ours, list.theirs);
        }
      }
    } else {
      add(":", ":");
    }
    axis++;
    if (draw.integer(0, 5) === 0) break;
  }
  if (theirs.length === 0) add("...", "...");
  return { ours, theirs: theirs.join(", ") };
}

/** Runs a call and waits: an error on the device must surface here. */
const checked = (run: () => DeviceArray) => (): DeviceArray => {
  try {
    return run();
  } finally {
    xp.checkSync();
  }
};

const after = (array: string, change: string): string => `(lambda a: (${change}, a)[1])(${array}.copy())`;

function cases(seed: number, times: number): readonly EvalCase[] {
  const draw = new Draw(seed);
  const list: EvalCase[] = [];
  const add = (run: () => DeviceArray, theirs: string): void => void list.push({ ours: checked(run), theirs });
  for (let i = 0; i < times; i++) {
    reading(draw, add);
    storing(draw, add);
    along(draw, add);
  }
  return list;
}

type Add = (run: () => DeviceArray, theirs: string) => void;

function reading(draw: Draw, add: Add): void {
  const shape = draw.shape(draw.integer(1, 4));
  const a = arrayOf(draw, shape, draw.of(types));
  const index = indicesOf(draw, shape, { once: false, masks: "any" });
  add(() => a.ours.atSync(...index.ours), `${a.theirs}[${index.theirs}]`);
}

function storing(draw: Draw, add: Add): void {
  const shape = draw.shape(draw.integer(1, 3));
  const dtype = draw.of(types);
  const real = !dtype.startsWith("complex");
  const a = arrayOf(draw, shape, dtype);
  const index = indicesOf(draw, shape, { once: true, masks: "alone" });
  // Values of the indexed shape, with some dimensions 1 and some leading ones omitted.
  const named = a.ours.atSync(...index.ours).shape;
  const valueShape = named
    .map((extent) => (draw.integer(0, 3) === 0 ? 1 : extent))
    .slice(draw.integer(0, 4) === 0 ? 1 : 0);
  const values = arrayOf(draw, valueShape, draw.of(real ? types.filter((type) => !type.startsWith("complex")) : types));
  add(
    () => a.ours.copy().setAt(index.ours, values.ours),
    after(a.theirs, `a.__setitem__(np.s_[${index.theirs},], ${values.theirs})`),
  );

  const number = draw.of(addable);
  const b = arrayOf(draw, shape, number);
  const twice = indicesOf(draw, shape, { once: false, masks: "alone" });
  const operator = draw.of([
    ["addAt", "add"],
    ["subtractAt", "subtract"],
    ["maximumAt", "maximum"],
    ["minimumAt", "minimum"],
  ] as const);
  const one = xp.ones([], { dtype: number });
  add(
    () => b.ours.copy()[operator[0]](twice.ours, one),
    after(b.theirs, `np.${operator[1]}.at(a, np.s_[${twice.theirs},], np.array(1, "${number}"))`),
  );
}

function along(draw: Draw, add: Add): void {
  const shape = draw.shape(draw.integer(1, 3)).map((extent) => Math.max(1, extent));
  const a = arrayOf(draw, shape, draw.of(types));
  const axis = draw.integer(-shape.length, shape.length - 1);
  const extent = shape.at(axis) as number;
  const size = shape.reduce((x, y) => x * y, 1);
  const mode = draw.of(["raise", "wrap", "clip"] as const);
  const reach = mode === "raise" ? 0 : 5;
  const draws = (count: number, limit: number): readonly number[] =>
    Array.from({ length: count }, () => draw.integer(-limit - reach, limit - 1 + reach));

  const taken = listOf(draw, draws(4, extent), [2, 2]) as Pair<IntegerArray>;
  add(() => a.ours.take(taken.ours, { axis, mode }), `${a.theirs}.take(${taken.theirs}, axis=${axis}, mode="${mode}")`);
  const flat = listOf(draw, draws(3, size), [3]) as Pair<IntegerArray>;
  add(() => a.ours.take(flat.ours, { mode }), `${a.theirs}.take(${flat.theirs}, mode="${mode}")`);

  const places = listOf(draw, different(draw, Math.min(size, 3), size), [Math.min(size, 3)]) as Pair<IntegerArray>;
  const values = arrayOf(draw, [draw.integer(1, 4)], a.ours.dtype.name);
  add(() => a.ours.copy().put(places.ours, values.ours), after(a.theirs, `a.put(${places.theirs}, ${values.theirs})`));

  const paired = shape.with(axis < 0 ? axis + shape.length : axis, 2);
  const count = paired.reduce((x, y) => x * y, 1);
  const each = listOf(
    draw,
    Array.from({ length: count }, () => draw.integer(-extent, extent - 1)),
    paired,
  ) as Pair<IntegerArray>;
  add(() => a.ours.takeAlongAxis(each.ours, { axis }), `np.take_along_axis(${a.theirs}, ${each.theirs}, axis=${axis})`);

  const positive = `(${a.theirs} != 0)`;
  add(() => a.ours.nonzeroSync()[0], `${positive}.nonzero()[0]`);
  add(
    () => a.ours.nonzero({ size: size + 1, fill: -1n }).at(-1) as DeviceArray,
    `np.append(${positive}.nonzero()[-1], [-1] * 99)[:${size + 1}]`,
  );
}

for (const { kind, options, count } of [
  { kind: "a few", options: {}, count: 6 },
  { kind: "random", options: { tags: "ci" }, count: testsEveryCase ? 200 : isFull ? 100 : 30 },
]) {
  test(`${kind} calls match NumPy`, { timeout: 600_000, ...options }, async (run) => {
    needsNumPy(run);
    const list = cases(testSeed(20_261_121), Math.ceil(count / 10));
    expect(await evalDifferences(sample(list, count))).toEqual([]);
  });
}
