/** Complex numbers: arithmetic, branch cuts, order, parts and conversions, with results worked out by hand. */
import type { Complex } from "@cl/core";
import { type DeviceArray, fuse } from "@cl/array";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { hasDoubles, queue, xp } from "./support/device.js";

const c = (re: number, im: number): Complex => ({ re, im });
const of = (...values: Complex[]): DeviceArray<"complex64"> => xp.array(values as never, { dtype: "complex64" });
const values = async (array: DeviceArray): Promise<Complex[]> => (await array.toNested()) as unknown as Complex[];

/** Maximum absolute error of a part. */
async function largestError(array: DeviceArray, expected: readonly Complex[]): Promise<number> {
  const actual = await values(array);
  return Math.max(
    ...actual.flatMap(({ re, im }, k) => {
      const right = expected[k] as Complex;
      return [Math.abs(re - right.re), Math.abs(im - right.im)];
    }),
  );
}

test("computes sums, products and quotients", async () => {
  const a = of(c(1, 2), c(3, -4));
  const b = of(c(0, 1), c(1, 1));
  expect(await values(a.add(b))).toEqual([c(1, 3), c(4, -3)]);
  expect(await values(a.sub(b))).toEqual([c(1, 1), c(2, -5)]);
  expect(await values(a.mul(b))).toEqual([c(-2, 1), c(7, -1)]);
  expect(await values(a.div(b))).toEqual([c(2, -1), c(-0.5, -3.5)]);
  expect(await values(a.negative())).toEqual([c(-1, -2), c(-3, 4)]);
  expect(await values(a.conj())).toEqual([c(1, -2), c(3, 4)]);
  expect(await values(a.square())).toEqual([c(-3, 4), c(-7, -24)]);
  expect(await values(b.reciprocal())).toEqual([c(0, -1), c(0.5, -0.5)]);
  expect(await a.absolute().toNested()).toEqual([Math.fround(Math.sqrt(5)), 5]);
  expect(await of(c(0, 1), c(-1, 0)).angle().data()).toEqual(Float32Array.of(Math.PI / 2, Math.PI));
  expect(a.absolute().dtype.name).toBe("float32");
});

test("accepts complex numbers of the host as left and right operands", async () => {
  const a = of(c(1, 2));
  expect(await values(a.add(c(0, 1)))).toEqual([c(1, 3)]);
  expect(await values(a.mul(2))).toEqual([c(2, 4)]);
  expect(await values(xp.subtract(c(1, 1), a))).toEqual([c(0, -1)]);
  const floats = xp.array([1, 2], { dtype: "float32" });
  expect(floats.mul(c(0, 1)).dtype.name).toBe("complex64");
  expect(await values(floats.mul(c(0, 1)))).toEqual([c(0, 1), c(0, 2)]);
  expect(await floats.add(1).equal(c(2, 0)).toNested()).toEqual([true, false]);
  expect(await floats.logicalAnd(c(0, 1)).toNested()).toEqual([true, true]);
});

test("division does not overflow or underflow in intermediate results", async () => {
  const large = of(c(1e30, 1e30), c(1e-30, 1e-30));
  expect(await values(large.div(large))).toEqual([c(1, 0), c(1, 0)]);
  const [first] = (await values(of(c(1, -1)).div(0))) as [Complex];
  expect(first).toEqual(c(Infinity, -Infinity));
});

test("orders by the real part, then by the imaginary part", async () => {
  const a = of(c(1, 5), c(1, 2), c(2, 0));
  const b = of(c(2, 0), c(1, 3), c(2, 0));
  expect(await a.less(b).toNested()).toEqual([true, true, false]);
  expect(await a.lessEqual(b).toNested()).toEqual([true, true, true]);
  expect(await a.greater(b).toNested()).toEqual([false, false, false]);
  expect(await a.equal(b).toNested()).toEqual([false, false, true]);
  expect(await a.notEqual(b).toNested()).toEqual([true, true, false]);
  expect(await values(a.maximum(b))).toEqual([c(2, 0), c(1, 3), c(2, 0)]);
  expect(await values(of(c(NaN, 1)).minimum(1))).toEqual([c(NaN, 1)]);
  expect(await values(of(c(NaN, 1)).fmin(1))).toEqual([c(1, 0)]);
  expect(await values(a.clip(c(1, 3), c(1, 4)))).toEqual([c(1, 4), c(1, 3), c(1, 4)]);
});

test("functions respect the sign of zero at branch cuts", async () => {
  const cut = of(c(-4, 0), c(-4, -0));
  expect(await values(cut.sqrt())).toEqual([c(0, 2), c(0, -2)]);
  expect(await largestError(cut.log(), [c(Math.log(4), Math.PI), c(Math.log(4), -Math.PI)])).toBeLessThan(1e-5);
  const outside = of(c(2, 0), c(2, -0));
  expect(
    await largestError(outside.arcsin(), [c(Math.PI / 2, Math.acosh(2)), c(Math.PI / 2, -Math.acosh(2))]),
  ).toBeLessThan(1e-5);
  expect(await largestError(outside.arccos(), [c(0, -Math.acosh(2)), c(0, Math.acosh(2))])).toBeLessThan(1e-5);
  expect(
    await largestError(outside.arctanh(), [c(Math.atanh(0.5), Math.PI / 2), c(Math.atanh(0.5), -Math.PI / 2)]),
  ).toBeLessThan(1e-5);
  expect(
    await largestError(of(c(0, 2), c(-0, 2)).arcsinh(), [
      c(Math.acosh(2), Math.PI / 2),
      c(-Math.acosh(2), Math.PI / 2),
    ]),
  ).toBeLessThan(1e-5);
  expect(
    await largestError(of(c(0, 2), c(-0, 2)).arctan(), [
      c(Math.PI / 2, Math.atanh(0.5)),
      c(-Math.PI / 2, Math.atanh(0.5)),
    ]),
  ).toBeLessThan(1e-5);
  expect(
    await largestError(of(c(-2, 0), c(-2, -0)).arccosh(), [c(Math.acosh(2), Math.PI), c(Math.acosh(2), -Math.PI)]),
  ).toBeLessThan(1e-5);
});

test("inverse functions undo the functions", async () => {
  const z = of(c(0.5, 0.25), c(-0.75, 1.5), c(0.1, -2));
  const same = await values(z);
  expect(await largestError(z.exp().log(), [...same])).toBeLessThan(1e-5);
  expect(await largestError(z.sqrt().square(), [...same])).toBeLessThan(1e-5);
  expect(await largestError(z.sin().arcsin(), [...same])).toBeLessThan(1e-5);
  expect(await largestError(z.tan().arctan(), [...same])).toBeLessThan(1e-5);
  expect(await largestError(z.sinh().arcsinh(), [c(0.5, 0.25), c(-0.75, 1.5), c(-0.1, -(Math.PI - 2))])).toBeLessThan(
    1e-5,
  );
  expect(await largestError(z.tanh().arctanh(), [c(0.5, 0.25), c(-0.75, 1.5), c(0.1, Math.PI - 2)])).toBeLessThan(1e-5);
  expect(await largestError(z.exp2().log2(), [...same])).toBeLessThan(1e-5);
  expect(await largestError(z.expm1().log1p(), [...same])).toBeLessThan(1e-5);
  expect(await largestError(of(c(0, Math.PI)).exp(), [c(-1, 0)])).toBeLessThan(1e-5);
  expect(await largestError(of(c(100, 0)).log10(), [c(2, 0)])).toBeLessThan(1e-5);
});

test("computes powers", async () => {
  const i = of(c(0, 1));
  expect(await values(i.power(2))).toEqual([c(-1, 0)]);
  expect(await values(i.power(of(c(3, 0))))).toEqual([c(-0, -1)]);
  expect(await values(of(c(0, 0)).power(of(c(0, 0))))).toEqual([c(1, 0)]);
  expect(await largestError(i.power(c(0, 1)), [c(Math.exp(-Math.PI / 2), 0)])).toBeLessThan(1e-5);
  expect(await largestError(of(c(2, 0)).power(of(c(-2, 0))), [c(0.25, 0)])).toBeLessThan(1e-5);
});

test("handles infinities and NaN", async () => {
  const a = of(c(Infinity, NaN), c(NaN, 0), c(1, -Infinity), c(1, 1));
  expect(await a.isnan().toNested()).toEqual([true, true, false, false]);
  expect(await a.isinf().toNested()).toEqual([true, false, true, false]);
  expect(await a.isfinite().toNested()).toEqual([false, false, false, true]);
  expect(await a.absolute().slice("::2").toNested()).toEqual([Infinity, Infinity]);
  expect(await values(of(c(-Infinity, 1)).exp())).toEqual([c(0, 0)]);
  expect(await values(of(c(-Infinity, 1)).sqrt())).toEqual([c(0, Infinity)]);
  expect(await values(of(c(3, 4), c(0, 0), c(Infinity, 1)).sign())).toEqual([
    c(Math.fround(0.6), Math.fround(0.8)),
    c(0, 0),
    c(1, 0),
  ]);
});

test("real and imag are views", async () => {
  const z = of(c(1, 2), c(3, 4), c(5, 6), c(7, 8)).reshape([2, 2]);
  expect(z.real.dtype.name).toBe("float32");
  expect(await z.real.toNested()).toEqual([
    [1, 3],
    [5, 7],
  ]);
  expect(await z.T.imag.slice("::-1").toNested()).toEqual([
    [4, 8],
    [2, 6],
  ]);
  z.imag.assign(0);
  z.slice(0).real.mul(10, { out: z.slice(0).real });
  expect(await values(z.ravel())).toEqual([c(10, 0), c(30, 0), c(5, 0), c(7, 0)]);
  const real = xp.array([1, 2], { dtype: "int16" });
  real.real.assign(7);
  expect(await real.toNested()).toEqual([7, 7]);
  expect(await real.imag.toNested()).toEqual([0, 0]);
  expect(() => real.imag.assign(1)).toThrow("is read-only");
  expect(() => xp.zeros([1], { dtype: "int16" }).imag.assign(1)).toThrow("is read-only");
});

test("drops the imaginary part only on request", async () => {
  const z = of(c(1.5, 2), c(0, 1));
  expect(() => z.astype("float32")).toThrow("complex64 cannot be stored as float32: the imaginary part would be lost");
  expect(await z.astype("float32", { casting: "unsafe" }).toNested()).toEqual([1.5, 0]);
  expect(await z.astype("int8", { casting: "unsafe" }).toNested()).toEqual([1, 0]);
  expect(await z.astype("bool").toNested()).toEqual([true, true]);
  expect(await values(xp.array([1, -2], { dtype: "int8" }).astype("complex64"))).toEqual([c(1, 0), c(-2, 0)]);
  expect(() => z.astype("int8", { casting: "no" as "safe" })).toThrow('options.casting must be "safe" or "unsafe"');
  expect(() => z.add(1, { out: xp.zeros([2], { dtype: "float32" }) })).toThrow(
    "options.out must be able to store the complex64 of add, received float32",
  );
});

test("where and in-place operators support complex numbers", async () => {
  const z = of(c(1, 2), c(3, 4));
  expect(await values(xp.where(z.real.greater(2), z, c(0, 1)))).toEqual([c(0, 1), c(3, 4)]);
  z.mul(c(0, 1), { out: z });
  expect(await values(z)).toEqual([c(-2, 1), c(-4, 3)]);
});

test("fuses functions of complex numbers and of their parts", async () => {
  const z = of(c(1, 2), c(3, 4));
  const rotate = fuse((x: DeviceArray<"complex64">) => x.mul(c(0, 1)).conj().add(1));
  expect(await values(rotate(z))).toEqual([c(-1, -1), c(-3, -3)]);
  const length = fuse((x: DeviceArray<"complex64">) => x.real.square().add(x.imag.square()));
  expect(await length(z).data()).toEqual(Float32Array.of(5, 25));
});

test("supports complex128", async (run) => {
  needs(run, hasDoubles, `'${queue.device.name}' has no float64`);
  const z = of(c(1, 2)).mul(xp.array([0.1], { dtype: "float64" }));
  expect(z.dtype.name).toBe("complex128");
  expect(await values(z)).toEqual([c(0.1, 0.2)]);
  expect(await values(z.astype("complex64"))).toEqual([c(Math.fround(0.1), Math.fround(0.2))]);
  expect(xp.array([1n]).add(c(0, 1)).dtype.name).toBe("complex128");
});

test.each<[message: string, wrong: () => unknown]>([
  ["floor does not support complex numbers, received complex64", () => of(c(1, 1)).floor()],
  [
    "remainder does not support complex numbers, received complex64 and float32",
    () => of(c(1, 1)).remainder(xp.zeros([1], { dtype: "float32" })),
  ],
  [
    "hypot does not support complex numbers, received float32 and { re: 1, im: 1 }",
    () => xp.zeros([1], { dtype: "float32" }).hypot(c(1, 1)),
  ],
])("throws: %s", (message, wrong) => {
  expect(wrong).toThrow(message);
});
