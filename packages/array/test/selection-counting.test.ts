/** Counting in bins and searching sorted values compared with NumPy, for a fixed and a fresh seed. */
import type { AnyArray, DeviceArray, DTypeName } from "@cl/array";
import { beforeEach, describe, expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { hasDoubles, xp } from "./support/device.js";
import { untriedSeed } from "./support/untried-seed.js";
import { sample, testsEveryCase } from "@cl/testing/level";
import { errorLike } from "@cl/testing/error-like";
import { hasNumPy } from "./support/numpy.js";
import { Draw, type EvalCase, evalDifferences } from "./support/numpy-eval.js";

const everyCase = testsEveryCase(import.meta.url);

const real: readonly DTypeName[] = [
  "bool",
  "int8",
  "uint8",
  "int16",
  "int32",
  "uint32",
  "int64",
  "float16",
  "float32",
  ...(hasDoubles ? (["float64"] as const) : []),
];
const sizes = [0, 1, 2, 7, 255, 256, 257, 1023, 1029, 4091, 4096, 4101, 70_000];

/** A comparison; our side may be a promise. */
interface Comparison {
  readonly ours: AnyArray | Promise<AnyArray>;
  readonly theirs: string;
}

async function differences(comparisons: readonly Comparison[], close = 0): Promise<readonly string[]> {
  const cases: EvalCase[] = [];
  for (const { ours, theirs } of comparisons) {
    const array = await ours;
    cases.push({ ours: () => array, theirs });
  }
  const faults = await evalDifferences(cases, close);
  for (const { ours } of comparisons) (await ours).release();
  return faults.map((fault) => fault.slice(0, 600));
}

/** Small numbers in some layout, the same on both sides: `(i * step + start) % modulus - less`. */
interface Drawn {
  readonly ours: DeviceArray;
  readonly theirs: string;
}

function drawn(draw: Draw, size: number, dtype: DTypeName, most = 50): Drawn {
  const [step, start] = [draw.integer(1, 9973), draw.integer(0, 99)];
  const less = dtype === "bool" || dtype.startsWith("u") ? 0 : draw.integer(0, 1) * Math.floor(most / 2);
  const double = 2 * size;
  const layout = draw.integer(0, 2);
  const length = layout === 1 ? double + 1 : size;
  const values = Int32Array.from({ length }, (_, i) => ((i * step + start) % most) - less);
  using plain = xp.fromHost(values);
  const typed = plain.astype(dtype);
  const text = `((np.arange(${length}) * ${step} + ${start}) % ${most} - ${less}).astype("${dtype}")`;
  if (layout === 0) return { ours: typed, theirs: text };
  using whole = typed;
  if (layout === 1) return { ours: whole.slice("1::2"), theirs: `${text}[1::2]` };
  return { ours: whole.slice("::-1"), theirs: `${text}[::-1]` };
}

const seeds = sample([20_261_122, untriedSeed()], 1);

describe("compared with NumPy", () => {
  beforeEach((run) => {
    needs(run, hasNumPy, "NumPy");
  });

  test.each(seeds)("bincount counts and adds weights, seed %i", { timeout: 240_000 }, async (seed) => {
    const draw = new Draw(seed);
    const comparisons: Comparison[] = [];
    for (const size of everyCase
      ? sizes
      : sample(
          sizes.filter((_, i) => i % 2 === 0 || i > 10),
          5,
        )) {
      const dtype =
        everyCase || size > 10_000 ? draw.of(["int8", "uint8", "int32", "int64", "uint16", "bool"] as const) : "int32";
      const most = dtype === "bool" ? 2 : dtype.endsWith("8") ? 100 : draw.of([1, 60, 5000]);
      const [step, start] = [draw.integer(1, 9973), draw.integer(0, 99)];
      const values = Int32Array.from({ length: size }, (_, i) => (i * step + start) % most);
      using plain = xp.fromHost(values);
      const a = plain.astype(dtype);
      const text = `((np.arange(${size}) * ${step} + ${start}) % ${most}).astype("${dtype}")`;
      const least = draw.integer(0, 200);
      comparisons.push({
        ours: xp.bincount(a, { minLength: least }),
        theirs: `np.bincount(${text}, minlength=${least})`,
      });
      comparisons.push({ ours: xp.bincount(a, { size: 6000 }), theirs: `np.bincount(${text}, minlength=6000)` });
      // Without elements, NumPy ignores the dtype of the weights.
      if (!hasDoubles || size === 0) continue;
      const weights = drawn(draw, size, draw.of(real));
      comparisons.push({
        ours: xp.bincount(a, { weights: weights.ours }),
        theirs: `np.bincount(${text}, ${weights.theirs}.astype("float64"))`,
      });
    }
    expect(await differences(comparisons)).toEqual([]);
  });

  test.each(seeds)("histogram counts between edges, seed %i", { timeout: 240_000 }, async (seed) => {
    const draw = new Draw(seed);
    const comparisons: Comparison[] = [];
    for (const dtype of everyCase ? [...real, ...real] : [0, 1].map(() => draw.of(real))) {
      if (!hasDoubles && !["float16", "float32"].includes(dtype)) continue;
      for (const size of everyCase ? sizes : [0, 1, draw.of(sizes), 4101]) {
        const a = drawn(draw, size, dtype);
        // Steps that are exact in every dtype, so that the edges are, too.
        const [bins, low] = [draw.of([1, 2, 16, 64]), draw.integer(-20, 5)];
        const high = low + draw.of([16, 32]);
        const [counts, edges] = xp.histogram(a.ours, bins, { range: [low, high] });
        // NumPy converts booleans to uint8 and warns.
        const theirs = dtype === "bool" ? `${a.theirs}.astype("uint8")` : a.theirs;
        comparisons.push(
          { ours: counts, theirs: `np.histogram(${theirs}, ${bins}, range=(${low}, ${high}))[0]` },
          {
            ours: edges,
            theirs: `np.histogram(${theirs}, ${bins}, range=(${low}, ${high}))[1].astype("${edges.dtype.name}")`,
          },
        );
        const list = Array.from({ length: draw.integer(2, 40) }, () => draw.integer(-30, 30) / 2).sort((x, y) => x - y);
        const weights = drawn(draw, size, "int32");
        const given = xp.histogram(a.ours, list, { weights: weights.ours });
        comparisons.push({
          ours: given[0],
          theirs: `np.histogram(${theirs}, np.array([${list.join()}]), weights=${weights.theirs})[0]`,
        });
        given[1].release();
        const device = xp.histogram(a.ours, xp.array(list, { dtype: "float32" }));
        comparisons.push({
          ours: device[0],
          theirs: `np.histogram(${theirs}, np.array([${list.join()}], "float32"))[0]`,
        });
        device[1].release();
      }
    }
    expect(await differences(comparisons)).toEqual([]);
  });

  test.each(seeds)("bin rules choose the same number of bins, seed %i", async (seed) => {
    const draw = new Draw(seed);
    const comparisons: Comparison[] = [];
    const type = hasDoubles ? "float64" : "float32";
    for (const rule of ["auto", "doane", "fd", "rice", "scott", "sqrt", "stone", "sturges"] as const) {
      // The minimum of many numbers, of which two may differ only by rounding.
      if (rule === "stone" && seed !== seeds[0]) continue;
      for (const size of [0, 1, 2, draw.of([50, 257]), ...(rule === "stone" ? [] : [4101])]) {
        const a = drawn(draw, size, type, 33);
        const range = draw.of([undefined, [-3, 9] as const]);
        const rangeText = range === undefined ? "" : `, range=(${range.join()})`;
        comparisons.push(
          {
            ours: xp.histogramBinEdges(a.ours, rule, { range }),
            theirs: `np.histogram_bin_edges(${a.theirs}, "${rule}"${rangeText}).astype("${type}")`,
          },
          {
            ours: xp.histogram(a.ours, rule, { range }).then(([counts]) => counts),
            theirs: `np.histogram(${a.theirs}, "${rule}"${rangeText})[0]`,
          },
        );
      }
    }
    expect(await differences(comparisons, 1e-6)).toEqual([]);
  });

  test.each(seeds)("histogram ranges and densities match, seed %i", async (seed) => {
    const draw = new Draw(seed);
    const comparisons: Comparison[] = [];
    for (const size of [0, 1, 1000, 4101]) {
      const a = drawn(draw, size, hasDoubles ? draw.of(["float64", "int32"] as const) : "float32", 33);
      const bins = draw.of([1, 7, 10]);
      const type = hasDoubles ? "float64" : "float32";
      const [counts, edges] = xp.histogram(a.ours, bins);
      comparisons.push(
        { ours: counts.astype("int64"), theirs: `np.histogram(${a.theirs}, ${bins})[0]` },
        { ours: edges, theirs: `np.histogram(${a.theirs}, ${bins})[1].astype("${type}")` },
        { ours: xp.histogramBinEdges(a.ours, bins), theirs: `np.histogram(${a.theirs}, ${bins})[1].astype("${type}")` },
      );
      if (size === 0) continue;
      const [density] = xp.histogram(a.ours, bins, { density: true });
      comparisons.push({
        ours: density,
        theirs: `np.histogram(${a.theirs}, ${bins}, density=True)[0].astype("${type}")`,
      });
    }
    expect(await differences(comparisons, 1e-6)).toEqual([]);
  });

  test.each(seeds)("histogramdd counts along several axes, seed %i", { timeout: 240_000 }, async (seed) => {
    const draw = new Draw(seed);
    const comparisons: Comparison[] = [];
    const type = hasDoubles ? "float64" : "float32";
    for (const size of [0, 1, 1000, 4101]) {
      const [x, y, z, weights] = ["float32", "int32", "float32", "int32"].map((dtype) =>
        drawn(draw, size, dtype as DTypeName),
      ) as [Drawn, Drawn, Drawn, Drawn];
      const density = size > 1 && draw.integer(0, 1) === 1;
      const [plane, first, second] = xp.histogram2d(x.ours, y.ours, [4, [-3, 0, 1.5, 20]], {
        range: [[-8, 24], undefined],
        density,
      });
      const theirs = `np.histogram2d(${x.theirs}, ${y.theirs}, [4, [-3, 0, 1.5, 20]], range=[[-8, 24], [0, 1]], density=${density ? "True" : "False"})`;
      comparisons.push(
        { ours: plane, theirs: `${theirs}[0].astype("${type}")` },
        { ours: first, theirs: `${theirs}[1].astype("float32")` },
        { ours: second, theirs: `${theirs}[2].astype("${type}")` },
      );
      const range = [0, 16] as const;
      const all = xp.histogramdd([x.ours, y.ours, z.ours], 2, { weights: weights.ours, range: [range, range, range] });
      const points = [x, y, z].map((one) => `${one.theirs}.astype("float64")`).join(", ");
      comparisons.push({
        ours: all[0],
        theirs: `np.histogramdd([${points}], 2, range=[[0, 16]] * 3, weights=${weights.theirs})[0].astype("${type}")`,
      });
    }
    expect(await differences(comparisons, 1e-6)).toEqual([]);
  });

  test.each(seeds)("searchsorted and digitize find positions, seed %i", { timeout: 240_000 }, async (seed) => {
    const draw = new Draw(seed);
    const comparisons: Comparison[] = [];
    const types = [...real, "complex64"] as const;
    for (const dtype of everyCase ? types : [0, 1].map(() => draw.of(types))) {
      for (const size of [0, 1, 2, draw.of(sizes)]) {
        const a = drawn(draw, size, dtype === "complex64" ? "float32" : dtype);
        const complex = dtype === "complex64";
        const text = `np.sort(${a.theirs})${complex ? '.astype("complex64") * (1 - 1j)' : ""}`;
        const host = Array.from(await a.ours.astype("float32").data()).sort((x, y) => x - y);
        using line = xp.array(host, { dtype: "float32" });
        const sorted = complex
          ? line.astype("complex64").mul({ re: 1, im: -1 })
          : (line.astype(dtype) as AnyArray as DeviceArray);
        const values = drawn(draw, draw.of([1, 63, 257]), complex ? "float32" : draw.of(["int8", "float32"] as const));
        const side = draw.of(["left", "right"] as const);
        comparisons.push({
          ours: xp.searchsorted(sorted, values.ours.reshape([-1, 1]), { side }),
          theirs: `np.searchsorted(${text}, ${values.theirs}.reshape(-1, 1), "${side}")`,
        });
        if (complex || size === 0 || dtype === "bool") continue;
        const right = draw.integer(0, 1) === 1;
        const falls = draw.integer(0, 1) === 1;
        comparisons.push({
          ours: xp.digitize(values.ours, falls ? sorted.slice("::-1") : sorted, { right }),
          theirs: `np.digitize(${values.theirs}, ${text}${falls ? "[::-1]" : ""}, right=${right ? "True" : "False"})`,
        });
      }
    }
    expect(await differences(comparisons)).toEqual([]);
  });

  test.each(seeds)("interp interpolates linearly, seed %i", async (seed) => {
    const draw = new Draw(seed);
    const type = hasDoubles ? "float64" : "float32";
    const comparisons: Comparison[] = [];
    for (const size of [1, 2, 9, 257]) {
      const places = Float64Array.from({ length: size }, (_, i) => i * 2 + (i % 3) / 4);
      const values = Float64Array.from({ length: size }, (_, i) => ((i * 7919) % 31) - 10);
      const x = drawn(draw, draw.of([1, 65, 1000]), "float32", 900);
      const texts = [places, values].map((list) => `np.array([${list.join()}])`);
      const [left, right] = draw.integer(0, 1) === 0 ? [undefined, undefined] : [-5, 1.5];
      const options = left === undefined ? {} : { left, right };
      comparisons.push({
        ours: xp.interp(x.ours, xp.array(places).astype(type), xp.array(values).astype(type), options),
        theirs: `np.interp(${x.theirs}, ${texts.join(", ")}${left === undefined ? "" : `, ${left}, ${right}`}).astype("${type}")`,
      });
    }
    expect(await differences(comparisons, 1e-6)).toEqual([]);
  });
});

test("NaN is in no bin and sorts last", async () => {
  const a = xp.array([NaN, 1, Infinity, -Infinity, 2, NaN], { dtype: "float32" });
  const [counts] = xp.histogram(a, [-1, 1.5, 3]);
  expect(await counts.toNested()).toEqual([1n, 1n]);
  const sorted = xp.array([0, 1, NaN, NaN], { dtype: "float32" });
  expect(await xp.searchsorted(sorted, a).toNested()).toEqual([2n, 1n, 2n, 0n, 2n, 2n]);
  expect(await xp.searchsorted(sorted, a, { side: "right" }).toNested()).toEqual([4n, 2n, 2n, 0n, 2n, 4n]);
  const [none] = xp.histogram(a, 3);
  await expect(none.data()).rejects.toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
});

test("rejects bins narrower than the spacing of numbers", async () => {
  const a = xp.array([3e38, -3e38], { dtype: "float32" });
  const [counts] = xp.histogram(a, 3, { range: [-1, 1] });
  expect(await counts.toNested()).toEqual([0n, 0n, 0n]);
  const most = Number.MAX_VALUE;
  expect(() => xp.histogram(a, 3, { range: [-most, most] })).toThrow(
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.range"),
  );
  expect(() => xp.histogram(a, 3, { range: [0, 1e39] })).toThrow(
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.range"),
  );
  if (!hasDoubles) return;
  const [none] = xp.histogram(xp.array([most, -most]), 3);
  await expect(none.data()).rejects.toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
});

test("bin rules give integers bins at least 1 wide, and require a finite range", async () => {
  const few = xp.arange(1000, { dtype: "int32" }).remainder(4);
  expect((await xp.histogramBinEdges(few, "sqrt")).shape).toEqual([4]);
  const a = xp.array([1, Infinity, 2], { dtype: "float32" });
  await expect(xp.histogram(a, "auto")).rejects.toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  const [counts] = await xp.histogram(a, "auto", { range: [0, 4] });
  expect(await counts.sum().item()).toBe(2n);
  await expect(xp.histogram(a, "auto", { signal: AbortSignal.abort() })).rejects.toThrow("abort");
});

test("too few bins make the next wait throw", async () => {
  const a = xp.array([0, 3, 7], { dtype: "int32" });
  expect(await xp.bincount(a, { size: 8 }).toNested()).toEqual([1n, 0n, 0n, 1n, 0n, 0n, 0n, 1n]);
  expect(() => xp.bincount(a, { size: 0 })).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.size"));
  await expect(xp.bincount(a, { size: 7 }).data()).rejects.toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  await expect(xp.bincount(a.negative())).rejects.toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE"));
  expect(() => xp.bincount(a.reshape([1, 3]))).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "bincount"));
  expect(() => xp.bincount(a.astype("float32"))).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "bincount"));
});

test("searchsorted uses a sorter; host edges must be sorted", async () => {
  const a = xp.array([5, 1, 3], { dtype: "int32" });
  const sorter = xp.array([1, 2, 0], { dtype: "int32" });
  expect(await xp.searchsorted(a, [0, 2, 6], { sorter }).toNested()).toEqual([0n, 1n, 3n]);
  expect(await xp.searchsorted(sorter.slice("::-1").copy().slice("::-1"), 1.5).item()).toBe(1n);
  expect(() => xp.histogram(a, [1, 0, 2])).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "bins"));
  expect(() => xp.histogram(a, "best" as "auto")).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "bins"));
  expect(() => xp.histogram(a, "auto", { weights: a } as object)).toThrow(
    errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
  );
  expect(() => xp.digitize(a, [1, 0, 2])).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "bins"));
  expect(() => xp.interp(a, a, xp.zeros([2]))).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
});
