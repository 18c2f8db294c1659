/** Comparisons of whole arrays, with results worked out by hand and by NumPy. */
import { arrays, type DeviceArray, fuse } from "@cl/array";
import { CommandQueue, Context, DisposedError } from "@cl/core";
import { expect, expectTypeOf, test } from "vitest";

import { errorLike, outOfRange, wrongType } from "@cl/testing/error-like";
import { sample } from "@cl/testing/level";
import { needsDoubles, xp } from "./support/device.js";
import { counted, countedText, type EvalCase, evalDifferences, needsNumPy, pairsOf } from "./support/numpy-eval.js";

const floats = (...values: number[]): DeviceArray<"float32"> => xp.array(values, { dtype: "float32" });
const bytes = (...values: number[]): DeviceArray<"int8"> => xp.array(values, { dtype: "int8" });
const ones = (...shape: number[]): DeviceArray<"float32"> => xp.ones(shape, { dtype: "float32" });
const functions = ["arrayEqual", "allclose"] as const;

test("both return a boolean array without axes, without waiting", async () => {
  const a = floats(1, 2);
  for (const name of functions) {
    const result = xp[name](a, a);
    expectTypeOf(result).toEqualTypeOf<DeviceArray<"bool">>();
    expect([result.dtype.name, result.shape]).toEqual(["bool", []]);
    expect(await result.item()).toBe(true);
  }
});

test("arrayEqual compares values of different dtypes exactly", { tags: "full" }, async () => {
  expect(await xp.arrayEqual(bytes(1, 2), floats(1, 2)).item()).toBe(true);
  expect(await xp.arrayEqual(bytes(1, 2), floats(1, 2.5)).item()).toBe(false);
  const large = xp.array([2n ** 63n], { dtype: "uint64" });
  expect(await xp.arrayEqual(large, xp.array([-(2n ** 63n)], { dtype: "int64" })).item()).toBe(false);
  expect(await xp.arrayEqual(xp.array([2n ** 53n + 1n]), xp.array([2n ** 53n])).item()).toBe(false);
  expect(await xp.arrayEqual(floats(0), floats(-0)).item()).toBe(true);
});

test("allclose broadcasts, and rejects shapes that cannot be broadcast", { tags: "full" }, async () => {
  const a = ones(2, 3);
  for (const other of [1, floats(1, 1, 1), ones(4, 1, 1), ones(2, 1)]) {
    expect(await xp.allclose(a, other).item()).toBe(true);
    expect(await xp.allclose(other, a).item()).toBe(true);
  }
  expect(await xp.allclose(a, floats(1, 1, 2)).item()).toBe(false);
  expect(await xp.allclose(floats(1, 1, 2), a).item()).toBe(false);
  expect(await xp.allclose(floats(1), a).item()).toBe(true);
  expect(() => xp.allclose(a, ones(2))).toThrow(outOfRange());
});

test("allclose uses both tolerances, the relative one of the second operand", async () => {
  expect(await xp.allclose(floats(100), floats(100.0005)).item()).toBe(true);
  expect(await xp.allclose(floats(100), floats(101)).item()).toBe(false);
  expect(await xp.allclose(floats(9), floats(10), { rtol: 0.1, atol: 0 }).item()).toBe(true);
  expect(await xp.allclose(floats(10), floats(9), { rtol: 0.1, atol: 0 }).item()).toBe(false);
  expect(await xp.allclose(floats(0), floats(0.5), { rtol: 0, atol: 0.5 }).item()).toBe(true);
  // The same kernel with another tolerance.
  expect(await xp.allclose(floats(0), floats(0.5), { rtol: 0, atol: 0.25 }).item()).toBe(false);
});

test("every element of long arrays and of views counts", { tags: "full" }, async () => {
  const a = xp.arange(300_001, { dtype: "float32" });
  const b = a.copy();
  for (const name of functions) {
    expect(await xp[name](a.slice("::-3"), b.slice("::-3")).item()).toBe(true);
    for (const at of [0, 149_999, 300_000]) {
      b.setAt([at], 7_777_777);
      expect(await xp[name](a, b).item()).toBe(false);
      b.setAt([at], at);
    }
    expect(await xp[name](a, b).item()).toBe(true);
  }
});

test("results are stored in out", { tags: "full" }, async () => {
  const out = xp.zeros([], { dtype: "bool" });
  expect(xp.arrayEqual(floats(1), floats(1), { out })).toBe(out);
  expect(await out.item()).toBe(true);
  expect(xp.arrayEqual(floats(1), floats(1, 2), { out })).toBe(out);
  expect(await out.item()).toBe(false);
  const number = xp.zeros([], { dtype: "float32" });
  expect(await xp.allclose(floats(1), floats(1), { out: number }).item()).toBe(1);
  expect(await xp.arrayEqual(floats(1), floats(1, 2), { out: number }).item()).toBe(0);
  const shape = outOfRange("options.out");
  expect(() => xp.allclose(floats(1), floats(1), { out: floats(1) })).toThrow(shape);
  for (const other of [floats(1), floats(1, 2)]) {
    expect(() => xp.arrayEqual(floats(1), other, { out: other })).toThrow(shape);
  }
});

test("a fused function can return allclose, but not arrayEqual", { tags: "full" }, async () => {
  const close = fuse((x: DeviceArray<"float32">, y: DeviceArray<"float32">) => xp.allclose(x.mul(2), y));
  expect(await close(floats(1, 2), floats(2, 4)).item()).toBe(true);
  expect(await close(floats(1, 2), floats(2)).item()).toBe(false);
  const equal = fuse((x: DeviceArray<"float32">) => xp.arrayEqual(x, x));
  expect(() => equal(floats(1))).toThrow(errorLike(Error, "ERR_INVALID_STATE"));
});

test.each(functions)("%s rejects wrong arguments", (name) => {
  const other = arrays(new CommandQueue(Context.create())).zeros([1], { dtype: "float32" });
  const released = ones();
  released.release();
  const compare = xp[name].bind(xp);
  expect(() => compare("1" as never, 2)).toThrow(wrongType("x"));
  expect(() => compare(floats(1), "1" as never)).toThrow(wrongType("y"));
  expect(() => compare({} as never, floats(1, 2))).toThrow(wrongType("x"));
  expect(() => compare(floats(1), other)).toThrow(errorLike(Error, "ERR_INVALID_ARG_VALUE", "y"));
  expect(() => compare(floats(1), released)).toThrow(DisposedError);
  expect(() => compare(floats(1), floats(1), { equalNan: 1 as never })).toThrow(wrongType("options.equalNan"));
  for (const option of ["rtol", "atol"]) {
    expect(() => xp.allclose(floats(1), floats(1), { [option]: "1" })).toThrow(wrongType(`options.${option}`));
  }
});

test("pairs of dtypes, shapes and special values match NumPy", { timeout: 120_000, tags: "ci" }, async (run) => {
  needsNumPy(run);
  needsDoubles(run);
  expect(await evalDifferences([...dtypeCases(), ...shapeCases(), ...valueCases()])).toEqual([]);
});

const theirNames = { arrayEqual: "np.array_equal", allclose: "np.allclose" } as const;

function dtypeCases(): EvalCase[] {
  const pairs = pairsOf(
    "bool int8, int8 uint8, int64 uint64, uint16 float16, float16 float16, float32 float64, complex64 float32, complex128 int32",
  );
  return sample(pairs, 3).flatMap(([one, other]) =>
    functions.map((name) => ({
      ours: () => xp[name](counted([2, 3], one), counted([2, 3], other)),
      theirs: `${theirNames[name]}(${countedText([2, 3], one)}, ${countedText([2, 3], other)})`,
    })),
  );
}

function shapeCases(): EvalCase[] {
  const shapes = [[], [0], [1], [3], [2, 3], [1, 3], [2, 1], [3, 0]];
  return shapes.flatMap((one) =>
    shapes.flatMap((other) =>
      functions.map((name) => ({
        ours: () => xp[name](xp.zeros(one, { dtype: "float32" }), xp.zeros(other, { dtype: "float32" })),
        theirs: `${theirNames[name]}(np.zeros([${one.join()}], "f4"), np.zeros([${other.join()}], "f4"))`,
      })),
    ),
  );
}

function valueCases(): EvalCase[] {
  const values = [0, -0, 1, 1 + 2 ** -20, 1.5, NaN, Infinity, -Infinity, 1e-9, 1e-45];
  return values.flatMap((one) =>
    values.flatMap((other) =>
      functions.flatMap((name) =>
        [false, true].map((equalNan) => ({
          ours: () => xp[name](floats(1, one), floats(1, other), { equalNan }),
          theirs: `${theirNames[name]}(${valuesText(one)}, ${valuesText(other)}, equal_nan=${equalNan ? "True" : "False"})`,
        })),
      ),
    ),
  );
}

function valuesText(value: number): string {
  const text = Object.is(value, -0) ? "-0.0" : String(value).replace("Infinity", "np.inf").replace("NaN", "np.nan");
  return `np.array([1, ${text}], "f4")`;
}
