/** Arrays are printed as NumPy prints them; the expected text is NumPy's. */
import type { DeviceArray, FormatOptions } from "@cl/array";
import { expect, test } from "vitest";

import { outOfRange } from "@cl/testing/error-like";
import { xp } from "./support/device.js";
import { Draw, evalTexts, needsNumPy } from "./support/numpy-eval.js";
import { testSeed } from "@cl/testing/level";

test.each<[expected: string, array: DeviceArray]>([
  ["0.25", xp.array(0.25)],
  ["[0.1 0.2]", xp.array([0.1, 0.2], { dtype: "float32" })],
  ["[1. -2.j 0.5+3.j]", xp.fromHost(Float32Array.of(1, -2, 0.5, 3), { dtype: "complex64" })],
  ["[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]", xp.arange(8, { dtype: "int32" }).reshape([2, 2, 2])],
  ["[]", xp.zeros([0, 2])],
  ["[   0    1    2 ... 1997 1998 1999]", xp.arange(2000, { dtype: "int32" })],
])("prints %j as NumPy does", async (expected, array) => {
  expect(await array.format()).toBe(expected);
});

test("options control how much is shown, and how", async () => {
  const a = xp.array([0.000_012_345_678_9, 1, -22.123_456], { dtype: "float32" });
  expect(await a.format({ precision: 3, suppress: true })).toBe("[  0.      1.    -22.123]");
  expect(await a.format({ precision: 2 })).toBe("[ 1.23e-05  1.00e+00 -2.21e+01]");
  const long = xp.arange(20, { dtype: "int32" });
  expect(await long.format({ threshold: 10, edgeItems: 2 })).toBe("[ 0  1 ... 18 19]");
  expect(await long.format({ lineWidth: 32 })).toBe("[ 0  1  2  3  4  5  6  7  8  9\n 10 11 12 13 14 15 16 17 18 19]");
  await expect(async () => long.format({ precision: -1 })).rejects.toThrow(outOfRange("options.precision"));
  await expect(async () => long.format({ edgeItems: 0 })).rejects.toThrow(outOfRange("options.edgeItems"));
});

interface Printed {
  readonly array: DeviceArray;
  readonly options: FormatOptions;
  readonly theirs: string;
}

/** Numbers of all magnitudes and special values, of any dtype. */
function printed(draw: Draw): Printed {
  const dtype = draw.of(["float32", "float64", "float16", "int32", "complex64", "complex128", "bool"] as const);
  const shape = draw.of([[draw.integer(1, 8)], [draw.integer(1, 4), draw.integer(1, 5)], [40], [7, 9, 3]] as const);
  const size = shape.reduce((product, extent) => product * extent, 1);
  const digits = draw.of([1, 10, 1000, 12_345]);
  const scale = dtype === "float16" ? draw.of([1, 1e-4]) : draw.of([1, 1, 1, 1e-6, 1e9]);
  const number = (): number => {
    const special = [NaN, Infinity, -Infinity, 0][draw.integer(0, 60)];
    return special ?? (draw.integer(-digits * 3, digits * 3) / digits) * scale;
  };
  const parts = dtype.startsWith("complex") ? 2 : 1;
  const values = Float64Array.from({ length: size * parts }, number);
  const whole = dtype === "int32" || dtype === "bool";
  for (const [i, value] of values.entries()) if (whole) values[i] = Math.trunc(value) | 0;
  const view = new DataView(values.buffer);
  const bytes = xp.empty([1], { dtype }).dtype;
  const own = new DataView(new ArrayBuffer(size * bytes.itemSize));
  for (let i = 0; i < size; i++) {
    const [re, im] = [view.getFloat64(i * parts * 8, true), view.getFloat64((i * parts + parts - 1) * 8, true)];
    bytes.set(own, i * bytes.itemSize, parts === 2 ? { re, im } : dtype === "bool" ? re !== 0 : re);
  }
  const precision = draw.of([undefined, 2, 4]);
  const suppress = draw.integer(0, 2) === 0;
  const [threshold, edgeItems, lineWidth] = [draw.of([1000, 30]), draw.of([2, 3]), draw.of([75, 40])];
  const hex = Buffer.from(own.buffer).toString("hex");
  const array = `np.frombuffer(bytes.fromhex("${hex}"), "${dtype}").reshape(${shape.join()})`;
  const theirs = `np.array2string(${array}, max_line_width=${lineWidth}, precision=${precision ?? 8}, suppress_small=${
    suppress ? "True" : "False"
  }, threshold=${threshold}, edgeitems=${edgeItems})`;
  return {
    array: xp.fromHost(new Uint8Array(own.buffer), { dtype, shape }) as DeviceArray,
    options: { threshold, edgeItems, lineWidth, suppress, ...(precision === undefined ? {} : { precision }) },
    theirs,
  };
}

test("matches NumPy's text", { timeout: 240_000, tags: "full" }, async (run) => {
  needsNumPy(run);
  const draw = new Draw(testSeed(20_261_121));
  const all = Array.from({ length: 200 }, () => printed(draw));
  const right = evalTexts(all.map(({ theirs }) => theirs));
  for (const [i, { array, options, theirs }] of all.entries()) {
    expect(await array.format(options), theirs).toBe(right[i]);
  }
});
