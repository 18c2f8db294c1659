/** Complex numbers: host operands, branch cuts, order, parts and conversions, compared with NumPy. */
import type { Complex } from "@cl/core";
import { type AnyArray, type DeviceArray, fuse } from "@cl/array";
import { expect, test } from "vitest";

import { wrongState, wrongType } from "@cl/testing/error-like";
import { needsDoubles, xp } from "./support/device.js";
import { evalDifferences, needsNumPy } from "./support/numpy-eval.js";

type Z = DeviceArray<"complex64">;

const c = (re: number, im: number): Complex => ({ re, im });
const of = (...values: Complex[]): Z => xp.array(values as never, { dtype: "complex64" });
const values = async (array: DeviceArray): Promise<Complex[]> => (await array.toNested()) as unknown as Complex[];

/** On both sides of branch cuts, and of the axes. */
const points = [c(-4, 0), c(-4, -0), c(2, 0), c(2, -0), c(0, 2), c(-0, 2), c(0.5, 0.25), c(-0.75, 1.5)];

test("functions respect the sign of zero at branch cuts", async (run) => {
  needsNumPy(run);
  const names = ["sqrt", "log", "arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh"] as const;
  const text = points.map(({ re, im }) => `complex(${[re, im].map((x) => (Object.is(x, -0) ? "-0.0" : x)).join()})`);
  const results = fuse((z: Z) => names.map((name) => z[name]()))(of(...points));
  const cases = names.map((name, k) => ({
    ours: () => results[k] as Z,
    theirs: `np.${name}(np.complex64([${text.join()}]))`,
  }));
  expect(await evalDifferences(cases, 1e-5)).toEqual([]);
});

/** Calls, and NumPy's expressions for them, in which `z` are [1 + 2j, 3 - 4j]. */
const calls: Readonly<Record<string, (z: Z) => AnyArray>> = {
  "z + 1j": (z) => z.add(c(0, 1)),
  "(1 + 1j) - z": (z) => xp.subtract(c(1, 1), z),
  "np.float32([1, 2]) * 1j": () => xp.array([1, 2], { dtype: "float32" }).mul(c(0, 1)),
  "np.float32([1, 2]) == 2 + 0j": () => xp.array([1, 2], { dtype: "float32" }).equal(c(2, 0)),
  "np.logical_and(np.float32([1, 0]), 1j)": () => xp.array([1, 0], { dtype: "float32" }).logicalAnd(c(0, 1)),
  "np.int64([1]) + 1j": () => xp.array([1n]).add(c(0, 1)),
  "np.complex64([1e30 + 1e30j, 1e-30 + 1e-30j]) / np.complex64([1e30 + 1e30j, 1e-30 + 1e-30j])": () =>
    of(c(1e30, 1e30), c(1e-30, 1e-30)).div(of(c(1e30, 1e30), c(1e-30, 1e-30))),
  "z <= np.complex64([1 + 3j, 3 - 5j])": (z) => z.lessEqual(of(c(1, 3), c(3, -5))),
  "np.maximum(z, np.complex64([1 + 1j, 3]))": (z) => z.maximum(of(c(1, 1), c(3, 0))),
  "np.fmin(np.complex64([complex(np.nan, 1)]), 1)": () => of(c(NaN, 1)).fmin(1),
  "np.clip(z, 1 + 3j, 1 + 4j)": (z) => z.clip(c(1, 3), c(1, 4)),
  "z ** 2": (z) => z.power(2),
  "z ** np.complex64([3, -2])": (z) => z.power(of(c(3, 0), c(-2, 0))),
  "z ** 1j": (z) => z.power(c(0, 1)),
  "np.isnan(np.complex64([complex(np.inf, np.nan), 1]))": () => of(c(Infinity, NaN), c(1, 0)).isnan(),
  "np.abs(np.complex64([complex(np.inf, np.nan), complex(1, -np.inf)]))": () =>
    of(c(Infinity, NaN), c(1, -Infinity)).absolute(),
  "np.exp(np.complex64([complex(-np.inf, 1)]))": () => of(c(-Infinity, 1)).exp(),
  "np.where(z.real > 2, z, 1j)": (z) => xp.where(z.real.greater(2), z, c(0, 1)),
  "np.int8([1, -2]).astype('complex64')": () => xp.array([1, -2], { dtype: "int8" }).astype("complex64"),
  "z * np.float64([0.1])": (z) => z.mul(xp.array([0.1], { dtype: "float64" })),
};

test("operators match NumPy", { tags: "ci" }, async (run) => {
  needsNumPy(run);
  needsDoubles(run);
  const cases = Object.entries(calls).map(([theirs, ours]) => ({
    ours: () => ours(of(c(1, 2), c(3, -4))),
    theirs: `(lambda z: ${theirs})(np.complex64([1 + 2j, 3 - 4j]))`,
  }));
  expect(await evalDifferences(cases, 1e-5)).toEqual([]);
});

test("the sign of a complex number has length 1 or 0", async () => {
  const signs = await values(of(c(3, 4), c(0, 0), c(Infinity, 1)).sign());
  expect(signs).toEqual([c(Math.fround(0.6), Math.fround(0.8)), c(0, 0), c(1, 0)]);
});

test("real and imag are views", async () => {
  const z = of(c(1, 2), c(3, 4), c(5, 6), c(7, 8)).reshape([2, 2]);
  expect(z.real.dtype.name).toBe("float32");
  expect([...(await z.real.data())]).toEqual([1, 3, 5, 7]);
  expect([...(await z.T.imag.slice("::-1").data())]).toEqual([4, 8, 2, 6]);
  z.imag.assign(0);
  z.slice(0).real.mul(10, { out: z.slice(0).real });
  expect(await values(z.ravel())).toEqual([c(10, 0), c(30, 0), c(5, 0), c(7, 0)]);
  const real = xp.array([1, 2], { dtype: "int16" });
  real.real.assign(7);
  expect(await real.toNested()).toEqual([7, 7]);
  expect(await real.imag.toNested()).toEqual([0, 0]);
  expect(() => real.imag.assign(1)).toThrow(wrongState());
});

test("drops the imaginary part only on request", async () => {
  const z = of(c(1.5, 2), c(0, 1));
  expect(() => z.astype("float32")).toThrow(wrongType("complex64"));
  expect(await z.astype("float32", { casting: "unsafe" }).toNested()).toEqual([1.5, 0]);
  expect(await z.astype("bool").toNested()).toEqual([true, true]);
  expect(() => z.astype("int8", { casting: "no" as "safe" })).toThrow(wrongType("options.casting"));
  expect(() => z.add(1, { out: xp.zeros([2], { dtype: "float32" }) })).toThrow(wrongType("options.out"));
});

test("fuses functions of complex numbers and of their parts", async () => {
  const z = of(c(1, 2), c(3, 4));
  const [rotated, length] = fuse(
    (x: Z) => [x.mul(c(0, 1)).conj().add(1), x.real.square().add(x.imag.square())] as const,
  )(z);
  expect(await values(rotated)).toEqual([c(-1, -1), c(-3, -3)]);
  expect(await length.data()).toEqual(Float32Array.of(5, 25));
});

test.each<[string, () => unknown]>([
  ["floor", () => of(c(1, 1)).floor()],
  ["remainder", () => of(c(1, 1)).remainder(xp.zeros([1], { dtype: "float32" }))],
  ["hypot", () => xp.zeros([1], { dtype: "float32" }).hypot(c(1, 1))],
])("%s rejects complex numbers", (name, wrong) => {
  expect(wrong).toThrow(wrongType(name));
});
