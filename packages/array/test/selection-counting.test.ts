/** Counting in bins and searching sorted values compared with NumPy. */
import type { DeviceArray, DTypeName } from "@cl/array";
import { beforeEach, describe, expect, test } from "vitest";

import { hasDoubles, xp } from "./support/device.js";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { isFull, sample, testSeed, testsEveryCase } from "@cl/testing/level";
import { casesOf, Draw, type EvalCase, evalDifferences, needsNumPy } from "./support/numpy-eval.js";

const doubles = hasDoubles ? (["float64"] as const) : [];
const real = ["bool", "int8", "uint8", "int16", "int32", "uint32", "int64", "float16", "float32", ...doubles] as const;
const sizes = [0, 1, 2, 7, 255, 256, 257, 1023, 1029, 4091, 4096, 4101, 70_000];
/** The dtype of edges and of weighted counts. */
const type = hasDoubles ? "float64" : "float32";

/** Small numbers in some layout, the same on both sides. */
interface Drawn {
  readonly ours: DeviceArray;
  readonly theirs: string;
}

function drawn(draw: Draw, size: number, dtype: DTypeName, most = 50, low?: number): Drawn {
  const [step, start] = [draw.integer(1, 9973), draw.integer(0, 99)];
  const less = low ?? (dtype === "bool" || dtype.startsWith("u") ? 0 : draw.integer(0, 1) * Math.floor(most / 2));
  const layout = draw.integer(0, 2);
  const length = layout === 1 ? 2 * size + 1 : size;
  const values = Int32Array.from({ length }, (_, i) => ((i * step + start) % most) - less);
  const whole: DeviceArray = xp.fromHost(values).astype(dtype);
  const text = `((np.arange(${length}) * ${step} + ${start}) % ${most} - ${less}).astype("${dtype}")`;
  if (layout === 0) return { ours: whole, theirs: text };
  const index = layout === 1 ? "1::2" : "::-1";
  return { ours: whole.slice(index), theirs: `${text}[${index}]` };
}

describe("compared with NumPy", () => {
  beforeEach(needsNumPy);
  let draw: Draw;
  beforeEach(() => {
    draw = new Draw(testSeed(20_261_122));
  });

  test.each(isFull ? sizes : [257, 4101])("bincount of %i elements, with weights", { tags: "ci" }, async (size) => {
    const dtype = draw.of(["int8", "uint8", "int32", "int64", "uint16", "bool"] as const);
    const a = drawn(draw, size, dtype, dtype === "bool" ? 2 : dtype.endsWith("8") ? 100 : draw.of([1, 60, 5000]), 0);
    const weights = drawn(draw, size, draw.of(real));
    const minLength = draw.integer(0, 200);
    const cases = casesOf({ a: a.theirs, w: weights.theirs }, [
      [`np.bincount(a, minlength=${minLength})`, () => xp.bincount(a.ours, { minLength })],
      ["np.bincount(a, minlength=6000)", () => xp.bincount(a.ours, { size: 6000 })],
      ['np.bincount(a, w.astype("float64"))', () => xp.bincount(a.ours, { weights: weights.ours })],
    ]);
    // Without elements, NumPy ignores the dtype of the weights.
    expect(await evalDifferences(cases.slice(0, hasDoubles && size > 0 ? 3 : 2))).toEqual([]);
  });

  test("histogram counts between edges", { tags: "full" }, async () => {
    const cases: EvalCase[] = [];
    for (const dtype of testsEveryCase ? [...real, ...real] : [0, 1].map(() => draw.of(real))) {
      if (!hasDoubles && !["float16", "float32"].includes(dtype)) continue;
      for (const size of testsEveryCase ? sizes : [0, 1, draw.of(sizes), 4101]) {
        const [{ ours: a, theirs }, weights] = [drawn(draw, size, dtype), drawn(draw, size, "int32")];
        // Steps that are exact in every dtype, so that the edges are, too.
        const [bins, low] = [draw.of([1, 2, 16, 64]), draw.integer(-20, 5)];
        const range = [low, low + draw.of([16, 32])] as const;
        const list = Array.from({ length: draw.integer(2, 40) }, () => draw.integer(-30, 30) / 2).sort((x, y) => x - y);
        const edges = xp.array(list, { dtype: "float32" });
        // NumPy converts booleans to uint8 and warns.
        const text = dtype === "bool" ? `${theirs}.astype("uint8")` : theirs;
        const edgeType = dtype.startsWith("float") ? dtype : "float64";
        cases.push(
          ...casesOf({ a: text, w: weights.theirs, edges: `np.array([${list.join()}])` }, [
            [`np.histogram(a, ${bins}, range=(${range.join()}))[0]`, () => xp.histogram(a, bins, { range })[0]],
            [
              `np.histogram(a, ${bins}, range=(${range.join()}))[1].astype("${edgeType}")`,
              () => xp.histogram(a, bins, { range })[1].astype(edgeType),
            ],
            ["np.histogram(a, edges, weights=w)[0]", () => xp.histogram(a, list, { weights: weights.ours })[0]],
            ['np.histogram(a, edges.astype("float32"))[0]', () => xp.histogram(a, edges)[0]],
          ]),
        );
      }
    }
    expect(await evalDifferences(cases)).toEqual([]);
  });

  const rules = ["auto", "doane", "fd", "rice", "scott", "sqrt", "stone", "sturges"] as const;
  test.each(sample(rules, 2))("the bin rule %s chooses the same number of bins", { tags: "ci" }, async (rule) => {
    // The minimum of many numbers for "stone", of which two may differ only by rounding.
    const cases = [0, 1, 2, draw.of([50, 257]), ...(rule === "stone" ? [] : [4101])].flatMap((size) => {
      const { ours, theirs } = drawn(draw, size, type, 33);
      const range = draw.of([undefined, [-3, 9] as const]);
      const options = range === undefined ? "" : `, range=(${range.join()})`;
      return casesOf({ a: theirs }, [
        [
          `np.histogram_bin_edges(a, "${rule}"${options}).astype("${type}")`,
          () => xp.histogramBinEdges(ours, rule, { range }),
        ],
        [
          `np.histogram(a, "${rule}"${options})[0]`,
          () => xp.histogram(ours, rule, { range }).then(([counts]) => counts),
        ],
      ]);
    });
    expect(await evalDifferences(cases, 1e-6)).toEqual([]);
  });

  test("histogram ranges and densities match", { tags: "ci" }, async () => {
    const cases = (isFull ? [0, 1, 1000, 4101] : [1000]).flatMap((size) => {
      const { ours, theirs } = drawn(draw, size, draw.of([type, "int32"] as const), 33);
      const bins = draw.of([7, 1, 10]);
      const list = casesOf({ a: theirs }, [
        [`np.histogram(a, ${bins})[0]`, () => xp.histogram(ours, bins)[0].astype("int64")],
        [`np.histogram(a, ${bins})[1].astype("${type}")`, () => xp.histogram(ours, bins)[1]],
        [`np.histogram_bin_edges(a, ${bins}).astype("${type}")`, () => xp.histogramBinEdges(ours, bins)],
        [
          `np.histogram(a, ${bins}, density=True)[0].astype("${type}")`,
          () => xp.histogram(ours, bins, { density: true })[0],
        ],
      ]);
      return size === 0 ? list.slice(0, 3) : list;
    });
    expect(await evalDifferences(cases, 1e-6)).toEqual([]);
  });

  test("histogram2d and histogramdd count along several axes", { tags: "ci" }, async () => {
    const cases = (isFull ? [0, 1, 1000, 4101] : [1000]).flatMap((size) => {
      const [x, y, z, weights] = (["float32", "int32", "float32", "int32"] as const).map((dtype) =>
        drawn(draw, size, dtype),
      ) as [Drawn, Drawn, Drawn, Drawn];
      const density = size > 1 && draw.integer(0, 1) === 1;
      const plane = `np.histogram2d(x, y, [4, [-3, 0, 1.5, 20]], range=[[-8, 24], [0, 1]], density=${Number(density)})`;
      const own = xp.histogram2d(x.ours, y.ours, [4, [-3, 0, 1.5, 20]], { range: [[-8, 24], undefined], density });
      const range = [0, 16] as const;
      const options = { weights: weights.ours, range: [range, range, range] };
      const points = '[p.astype("float64") for p in (x, y, z)]';
      return casesOf({ x: x.theirs, y: y.theirs, z: z.theirs, w: weights.theirs }, [
        [`${plane}[0].astype("${type}")`, () => own[0]],
        [`${plane}[1].astype("float32")`, () => own[1]],
        [
          `np.histogramdd(${points}, 2, range=[[0, 16]] * 3, weights=w)[0].astype("${type}")`,
          () => xp.histogramdd([x.ours, y.ours, z.ours], 2, options)[0],
        ],
        [`np.histogram2d(x, y, [4, [-3, 0, 1.5, 20]])[2].astype("${type}")`, () => own[2]],
      ]);
    });
    expect(await evalDifferences(cases, 1e-6)).toEqual([]);
  });

  test("searchsorted and digitize find positions", { tags: "ci" }, async () => {
    const cases: EvalCase[] = [];
    const types = [...real, "complex64"] as const;
    for (const dtype of testsEveryCase ? types : sample([draw.of(types), draw.of(types)], 1)) {
      for (const size of sample([257, 0, 1, 2, draw.of(sizes)], 1)) {
        const complex = dtype === "complex64";
        const a = drawn(draw, size, complex ? "float32" : dtype);
        const text = `np.sort(${a.theirs})${complex ? '.astype("complex64") * (1 - 1j)' : ""}`;
        const host = Array.from(await a.ours.astype("float32").data()).sort((x, y) => x - y);
        const line = xp.array(host, { dtype: "float32" });
        const sorted = (complex ? line.mul({ re: 1, im: -1 }) : line.astype(dtype)) as DeviceArray;
        const values = drawn(draw, draw.of([1, 63, 257]), complex ? "float32" : draw.of(["int8", "float32"] as const));
        const side = draw.of(["left", "right"] as const);
        const [right, falls] = [draw.integer(0, 1) === 1, draw.integer(0, 1) === 1];
        const list = casesOf({ a: text, values: values.theirs }, [
          [
            `np.searchsorted(a, values.reshape(-1, 1), "${side}")`,
            () => xp.searchsorted(sorted, values.ours.reshape([-1, 1]), { side }),
          ],
          [
            `np.digitize(values, a${falls ? "[::-1]" : ""}, right=${Number(right)})`,
            () => xp.digitize(values.ours, falls ? sorted.slice("::-1") : sorted, { right }),
          ],
        ]);
        cases.push(...list.slice(0, complex || size === 0 || dtype === "bool" ? 1 : 2));
      }
    }
    expect(await evalDifferences(cases)).toEqual([]);
  });

  test("interp interpolates linearly", async () => {
    const cases = (isFull ? [1, 2, 9, 257] : [257]).flatMap((size) => {
      const places = Float64Array.from({ length: size }, (_, i) => i * 2 + (i % 3) / 4);
      const values = Float64Array.from({ length: size }, (_, i) => ((i * 7919) % 31) - 10);
      const x = drawn(draw, draw.of([1, 65, 1000]), "float32", 900);
      const options = draw.of([{}, { left: -5, right: 1.5 }]);
      const operands = { x: x.theirs, places: `np.array([${places.join()}])`, values: `np.array([${values.join()}])` };
      return casesOf(operands, [
        [
          `np.interp(x, places, values, **${JSON.stringify(options)}).astype("${type}")`,
          () => xp.interp(x.ours, xp.array(places).astype(type), xp.array(values).astype(type), options),
        ],
      ]);
    });
    expect(await evalDifferences(cases, 1e-6)).toEqual([]);
  });
});

test("NaN is in no bin and sorts last", async () => {
  const a = xp.array([NaN, 1, Infinity, -Infinity, 2, NaN], { dtype: "float32" });
  const [counts] = xp.histogram(a, [-1, 1.5, 3]);
  expect(await counts.toNested()).toEqual([1n, 1n]);
  const sorted = xp.array([0, 1, NaN, NaN], { dtype: "float32" });
  expect(await xp.searchsorted(sorted, a).toNested()).toEqual([2n, 1n, 2n, 0n, 2n, 2n]);
  expect(await xp.searchsorted(sorted, a, { side: "right" }).toNested()).toEqual([4n, 2n, 2n, 0n, 2n, 4n]);
});

test("rejects bins narrower than the spacing of numbers", { tags: "ci" }, async () => {
  const a = xp.array([3e38, -3e38], { dtype: "float32" });
  const [counts] = xp.histogram(a, 3, { range: [-1, 1] });
  expect(await counts.toNested()).toEqual([0n, 0n, 0n]);
  const most = Number.MAX_VALUE;
  expect(() => xp.histogram(a, 3, { range: [-most, most] })).toThrow(outOfRange("options.range"));
  expect(() => xp.histogram(a, 3, { range: [0, 1e39] })).toThrow(outOfRange("options.range"));
  await expect(xp.histogram(xp.array([NaN, 1], { dtype: "float32" }), 3)[0].data()).rejects.toThrow(outOfRange());
  if (hasDoubles) await expect(xp.histogram(xp.array([most, -most]), 3)[0].data()).rejects.toThrow(outOfRange());
});

test("bin rules give integers bins at least 1 wide, and require a finite range", { tags: "ci" }, async () => {
  const few = xp.arange(1000, { dtype: "int32" }).remainder(4);
  expect((await xp.histogramBinEdges(few, "sqrt")).shape).toEqual([4]);
  const a = xp.array([1, Infinity, 2], { dtype: "float32" });
  await expect(xp.histogram(a, "auto")).rejects.toThrow(outOfRange());
  const [counts] = await xp.histogram(a, "auto", { range: [0, 4] });
  expect(await counts.sum().item()).toBe(2n);
  const aborted = xp.histogram(a, "auto", { signal: AbortSignal.abort() });
  await expect(aborted).rejects.toMatchObject({ name: "AbortError" });
});

test("too few bins make the next wait throw", async () => {
  const a = xp.array([0, 3, 7], { dtype: "int32" });
  expect(await xp.bincount(a, { size: 8 }).toNested()).toEqual([1n, 0n, 0n, 1n, 0n, 0n, 0n, 1n]);
  expect(await xp.bincount(a.less(5), { size: 2 }).toNested()).toEqual([1n, 2n]);
  await expect(xp.bincount(a, { size: 7 }).data()).rejects.toThrow(outOfRange());
  await expect(xp.bincount(a.negative())).rejects.toThrow(wrongValue());
});

test("searchsorted uses a sorter; host edges must be sorted", async () => {
  const a = xp.array([5, 1, 3], { dtype: "int32" });
  const sorter = xp.array([1, 2, 0], { dtype: "int32" });
  expect(await xp.searchsorted(a, [0, 2, 6], { sorter }).toNested()).toEqual([0n, 1n, 3n]);
  expect(await xp.searchsorted(sorter.slice("::-1").copy().slice("::-1"), 1.5).item()).toBe(1n);
  expect(() => xp.bincount(a, { size: 0 })).toThrow(outOfRange("options.size"));
  expect(() => xp.bincount(a.reshape([1, 3]))).toThrow(outOfRange("bincount"));
  expect(() => xp.bincount(a.astype("float32"))).toThrow(wrongType("bincount"));
  expect(() => xp.histogram(a, [1, 0, 2])).toThrow(wrongValue("bins"));
  expect(() => xp.histogram(a, "best" as "auto")).toThrow(outOfRange("bins"));
  expect(() => xp.histogram(a, "auto", { weights: a } as object)).toThrow(wrongValue());
  expect(() => xp.digitize(a, [1, 0, 2])).toThrow(wrongValue("bins"));
  expect(() => xp.interp(a, a, xp.zeros([2]))).toThrow(outOfRange());
});
