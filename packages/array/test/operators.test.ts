/** Operators of one to three operands, as methods and as functions of `xp`, with results worked out by hand. */
import { type DeviceArray, type DTypeName, fuse } from "@cl/array";
import { expect, expectTypeOf, test } from "vitest";

import { needs } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";
import { hasDoubles, queue, xp } from "./support/device.js";

const of =
  <D extends DTypeName>(dtype: D) =>
  (...values: number[]): DeviceArray<D> =>
    xp.array(values, { dtype });
const ints = of("int32");
const bytes = of("int8");
const floats = of("float32");
const halves = of("float16");

test("every name of an operator is a method and a function", async () => {
  const [a, b] = [ints(7, -8), ints(2, 3)];
  const binary = [
    ["subtract", "sub"],
    ["multiply", "mul"],
    ["divide", "div"],
    ["divide", "trueDivide"],
    ["remainder", "mod"],
    ["power", "pow"],
  ] as const;
  for (const [name, alias] of binary) {
    const expected = await xp[name](a, b).data();
    for (const result of [xp[alias](a, b), a[name](b), a[alias](b)]) expect(await result.data()).toEqual(expected);
  }
  const unary = [
    ["absolute", "abs"],
    ["conj", "conjugate"],
    ["invert", "bitwiseNot"],
  ] as const;
  for (const [name, alias] of unary) {
    const expected = await xp[name](a).data();
    for (const result of [xp[alias](a), a[name](), a[alias]()]) expect(await result.data()).toEqual(expected);
  }
  expect(await floats(180).deg2rad().rad2deg().round(3).toNested()).toEqual([180]);
  expect(
    await xp
      .rad2deg(xp.deg2rad(floats(180)))
      .round(3)
      .toNested(),
  ).toEqual([180]);
});

test("every name of an operator can be traced", async () => {
  const f = fuse((x: DeviceArray<"float32">) => x.subtract(1).multiply(x.sub(1)).pow(2).abs().mod(x));
  expect(await f(floats(2, 4)).toNested()).toEqual([1, 1]);
  expectTypeOf(ints(1).trueDivide(2)).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(xp.sub(bytes(1), 2)).toEqualTypeOf<DeviceArray<"int8">>();
  expectTypeOf(floats(1).abs()).toEqualTypeOf<DeviceArray<"float32">>();
});

test("where selects, and broadcasts all three operands", async () => {
  const a = floats(-1, 2, -3);
  expect(await xp.where(a.less(0), 0, a).toNested()).toEqual([0, 2, 0]);
  const matrix = xp.where(xp.array([[true], [false]]), ints(1, 2), 7);
  expect(matrix.dtype.name).toBe("int32");
  expect(await matrix.toNested()).toEqual([
    [1, 2],
    [7, 7],
  ]);
  expect(xp.where(a, bytes(1, 1, 1), of("uint8")(1, 1, 1)).dtype.name).toBe("int16");
  expect(await xp.where(floats(NaN, 0, -0), true, false).toNested()).toEqual([true, false, false]);
  expect(await xp.where(true, a, 0).toNested()).toEqual([-1, 2, -3]);
  expect(xp.where(a.less(0), 1, 2).dtype.name).toBe("int64");
  xp.where(a.less(0), a.slice("::-1"), a, { out: a });
  expect(await a.toNested()).toEqual([-3, 2, -1]);
});

test("where selects from other operands of cached dtypes", async () => {
  const numbers = (k: number): number[] => Array.from({ length: 67 }, (_one, i) => (i * (k + 3)) % (5 + k));
  for (const [one, other] of [
    ["float32", "float32"],
    ["float32", "int8"],
    ["bool", "float32"],
    ["uint8", "uint8"],
  ] as const) {
    for (const k of [0, 1, 2]) {
      const [x, y] = [numbers(k), numbers(k + 1)];
      const [c, a, b] = [xp.array(numbers(k + 2)).greater(2), xp.array(x).astype(one), xp.array(y).astype(other)];
      const held = (list: number[], dtype: DTypeName): number[] =>
        dtype === "bool" ? list.map((v) => (v === 0 ? 0 : 1)) : list;
      const choice = (first: number[], last: number[]): number[] =>
        numbers(k + 2).map((v, i) => (v > 2 ? first : last)[i] as number);
      const values = async (array: unknown): Promise<number[]> =>
        Array.from(await (array as DeviceArray).data(), Number);
      const [first, last] = [held(x, one), held(y, other)];
      expect(await values(xp.where(c, a, b))).toEqual(choice(first, last));
      expect(await values(xp.where(c, b, a))).toEqual(choice(last, first));
      expect(await values(xp.where(c, a, a))).toEqual(first);
      expect(await values(xp.where(c, c, b))).toEqual(
        choice(
          first.map(() => 1),
          last,
        ),
      );
      expect(await values(xp.where(a, a, b))).toEqual(first.map((v, i) => (v === 0 ? last[i] : v)));
      if (other === "int8") continue;
      const number = [2.5, 1e300, NaN][k] as number;
      const rounded = first.map(() => Math.fround(number));
      if (other === "float32") {
        expect(await values(xp.where(c, number, b))).toEqual(choice(rounded, last));
        expect(await values(xp.where(c, b, number))).toEqual(choice(last, rounded));
        expect(await values(xp.where(c, b, number, { out: b }))).toEqual(choice(last, rounded));
      } else {
        // The dtype of a host number depends on its value.
        expect(await values(xp.where(c, a, k))).toEqual(
          choice(
            first,
            first.map(() => k),
          ),
        );
        expect(() => xp.where(c, a, 256 + k)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "y"));
        if (hasDoubles) expect(xp.where(c, a, 1.5).dtype.name).toBe("float64");
      }
    }
  }
});

test("clip limits values by numbers and by arrays, on one or both sides", async () => {
  const a = floats(-5, NaN, 0.5, 5);
  expect(await a.clip(-1, 1).toNested()).toEqual([-1, NaN, 0.5, 1]);
  expect(await a.clip(0).toNested()).toEqual([0, NaN, 0.5, 5]);
  expect(await a.clip(undefined, 1).toNested()).toEqual([-5, NaN, 0.5, 1]);
  expect(await a.clip(null, floats(0, 0, 0, 9)).toNested()).toEqual([-5, NaN, 0, 5]);
  // The upper bound wins.
  expect(await ints(1, 9).clip(5, 3).toNested()).toEqual([3, 3]);
  expect(bytes(1).clip(of("uint8")(0), 5).dtype.name).toBe("int16");
  expect(await a.clip(-1, 1, { out: a }).slice(0).item()).toBe(-1);
});

test("integer powers are exact and wrap around", async () => {
  expect(await ints(0, 2, -3, 7).power(3).toNested()).toEqual([0, 8, -27, 343]);
  expect(await ints(0, 5, -5).power(0).toNested()).toEqual([1, 1, 1]);
  expect(await xp.power(2, ints(0, 10, 31, 32)).toNested()).toEqual([1, 1024, -(2 ** 31), 0]);
  expect(await xp.array([3n]).power(39n).toNested()).toEqual([4052555153018976267n]);
  expect(
    await bytes(2, -1, 1, 0)
      .power(bytes(-1, -3, -2, -1))
      .toNested(),
  ).toEqual([0, -1, 1, 0]);
  expect(await floats(3, -2, 0.5).power(2).toNested()).toEqual([9, 4, 0.25]);
  expect(await floats(2, -4).power(-1).toNested()).toEqual([0.5, -0.25]);
  expect(await floats(2, 9).power(0.5).toNested()).toEqual([Math.fround(Math.SQRT2), 3]);
  expect(await floats(0).power(0).toNested()).toEqual([1]);
  expect(xp.array([true]).power(xp.array([true])).dtype.name).toBe("int8");
});

test("functions accept a host number as the left operand", async () => {
  const a = ints(1, 2, 4);
  expect(await xp.subtract(1, a).toNested()).toEqual([0, -1, -3]);
  expect(await xp.floorDivide(9, a).toNested()).toEqual([9, 4, 2]);
  expect(await xp.leftShift(1, a).toNested()).toEqual([2, 4, 16]);
  expect(await xp.less(2, a).toNested()).toEqual([false, false, true]);
  expect(await xp.absolute(xp.negative(a)).toNested()).toEqual([1, 2, 4]);
  expect(await xp.divide(1, floats(4)).toNested()).toEqual([0.25]);
  const out = floats(0, 0, 0);
  expect(xp.add(0.5, floats(1, 2, 3), { out })).toBe(out);
  expect(await out.toNested()).toEqual([1.5, 2.5, 3.5]);
});

test("remainder has the sign of the divisor, fmod that of the dividend", async () => {
  expect(
    await ints(7, -7, 7, -7, 5)
      .fmod(ints(3, 3, -3, -3, 0))
      .toNested(),
  ).toEqual([1, -1, 1, -1, 0]);
  expect(await floats(7, -7, 5.5).fmod(3).toNested()).toEqual([1, -1, 2.5]);
  const [quotient, rest] = xp.divmod(ints(7, -7), 3);
  expect(await quotient.toNested()).toEqual([2, -3]);
  expect(await rest.toNested()).toEqual([1, 2]);
  const a = ints(7, -7);
  xp.divmod(a, 3, { out: [undefined, a.slice("::-1")] });
  expect(await a.toNested()).toEqual([2, 1]);
});

test("shifts by any distance drop the bits shifted out", async () => {
  expect(
    await bytes(1, 1, 1, -1, -128)
      .leftShift(bytes(6, 7, 8, 100, -1))
      .toNested(),
  ).toEqual([64, -128, 0, 0, 0]);
  expect(
    await bytes(-128, -128, 64, -1)
      .rightShift(bytes(1, 100, 8, -1))
      .toNested(),
  ).toEqual([-64, -1, 0, -1]);
  expect(await of("uint8")(255, 255).rightShift(of("uint8")(4, 9)).toNested()).toEqual([15, 0]);
  expect(await xp.array([1n, -1n]).leftShift(63n).toNested()).toEqual([-(2n ** 63n), -(2n ** 63n)]);
  expect(await ints(0, 1, -1, 255).bitwiseCount().toNested()).toEqual([0, 1, 1, 8]);
});

test("compares integers with numbers that their dtype cannot hold", async () => {
  const a = of("uint8")(0, 255);
  expect(await a.less(300).toNested()).toEqual([true, true]);
  expect(await a.greater(-1).toNested()).toEqual([true, true]);
  expect(await a.equal(256n).toNested()).toEqual([false, false]);
  expect(await a.notEqual(-1).toNested()).toEqual([true, true]);
  expect(await xp.greaterEqual(-(2 ** 40), ints(1)).toNested()).toEqual([false]);
  expect(
    await xp
      .array([1n])
      .lessEqual(2n ** 70n)
      .toNested(),
  ).toEqual([true]);
});

test("rounds half to even, before and after the decimal point", async () => {
  expect(await floats(0.5, 1.5, -2.5, 2.6).rint().toNested()).toEqual([0, 2, -2, 3]);
  expect(await floats(0.25, 1.75, -0.35).round(1).toNested()).toEqual([0.2, 1.8, -0.4].map(Math.fround));
  expect(await floats(1250, 1350).round(-2).toNested()).toEqual([1200, 1400]);
  expect(await ints(15, 25, -25, -26, 4, 2147483644).round(-1).toNested()).toEqual([20, 20, -20, -30, 0, 2147483640]);
  expect(await bytes(127, -128).round(-2).toNested()).toEqual([100, -100]);
  expect(await bytes(127, -128).round(-3).toNested()).toEqual([0, 0]);
  expect(await ints(7).round(3).toNested()).toEqual([7]);
  expect(await floats(-1.5, 1.5).fix().toNested()).toEqual([-1, 1]);
});

test("sign, signbit, copysign and heaviside respect the sign of zero", async () => {
  expect(await floats(-2, -0, 0, NaN, 3).sign().toNested()).toEqual([-1, 0, 0, NaN, 1]);
  expect(await ints(-2, 0, 3).sign().toNested()).toEqual([-1, 0, 1]);
  expect(await floats(-2, -0, 0, 3).signbit().toNested()).toEqual([true, true, false, false]);
  expect(await ints(-2, 0).signbit().toNested()).toEqual([true, false]);
  expect(await floats(1, -2).copysign(floats(-0, 1)).toNested()).toEqual([-1, 2]);
  expect(await floats(-2, -0, 0, 3).heaviside(0.5).toNested()).toEqual([0, 0.5, 0.5, 1]);
});

test("modf, frexp, ldexp and ilogb split and scale numbers", async () => {
  const a = floats(-1.5, 3.25, Infinity, 0);
  const [fraction, whole] = xp.modf(a);
  expect(await fraction.toNested()).toEqual([-0.5, 0.25, 0, 0]);
  expect(await whole.toNested()).toEqual([-1, 3, Infinity, 0]);
  const [mantissa, exponent] = xp.frexp(a);
  expect(await mantissa.toNested()).toEqual([-0.75, 0.8125, Infinity, 0]);
  expect(await exponent.toNested()).toEqual([1, 2, 0, 0]);
  expect(await mantissa.ldexp(exponent).toNested()).toEqual([-1.5, 3.25, Infinity, 0]);
  expect(
    await floats(1)
      .ldexp(xp.array([2n ** 40n]))
      .toNested(),
  ).toEqual([Infinity]);
  expect(await halves(1).ldexp(-3).toNested()).toEqual([0.125]);
  expect(await floats(8, 9).ilogb().toNested()).toEqual([3, 3]);
});

test("nextafter and spacing return neighboring numbers and their distance", async () => {
  expect(
    await floats(1, 1, 5)
      .nextafter(floats(2, 0, 5))
      .toNested(),
  ).toEqual([1 + 2 ** -23, 1 - 2 ** -24, 5]);
  expect(
    await halves(1, 1, -1, 2)
      .nextafter(halves(2, 0, 0, 2))
      .toNested(),
  ).toEqual([1 + 2 ** -10, 1 - 2 ** -11, -1 + 2 ** -11, 2]);
  expect(await floats(1, -1).spacing().toNested()).toEqual([2 ** -23, -(2 ** -23)]);
  expect(await halves(1).spacing().toNested()).toEqual([2 ** -10]);
});

test("gcd and lcm support signs and zeros", async () => {
  expect(
    await ints(12, -12, 0, 7)
      .gcd(ints(18, 8, 5, 0))
      .toNested(),
  ).toEqual([6, 4, 5, 7]);
  expect(
    await ints(4, -6, 0)
      .lcm(ints(6, 4, 5))
      .toNested(),
  ).toEqual([12, 12, 0]);
});

test("fmax and fmin skip NaN; isnan, isinf and isfinite classify", async () => {
  const a = floats(NaN, 1, -Infinity);
  expect(await a.fmax(floats(1, NaN, 0)).toNested()).toEqual([1, 1, 0]);
  expect(await a.fmin(floats(1, NaN, 0)).toNested()).toEqual([1, 1, -Infinity]);
  expect(await a.isnan().toNested()).toEqual([true, false, false]);
  expect(await a.isinf().toNested()).toEqual([false, false, true]);
  expect(await a.isfinite().toNested()).toEqual([false, true, false]);
  expect(await ints(1).isfinite().toNested()).toEqual([true]);
  expect(await ints(1).isnan().toNested()).toEqual([false]);
});

test("isclose compares with tolerances, and nanToNum replaces NaN and infinities", async () => {
  const a = floats(1, 100, NaN, Infinity, -Infinity);
  const b = floats(1.000001, 101, NaN, Infinity, Infinity);
  expect(await xp.isclose(a, b).toNested()).toEqual([true, false, false, true, false]);
  expect(await xp.isclose(a, b, { rtol: 0.1, equalNan: true }).toNested()).toEqual([true, true, true, true, false]);
  expect(await xp.isclose(halves(0, 0.5), 0, { atol: 1 }).toNested()).toEqual([true, true]);
  expect(await xp.nanToNum(floats(NaN, 1, -Infinity), { nan: 7, neginf: -1 }).toNested()).toEqual([7, 1, -1]);
  expect(await xp.nanToNum(floats(Infinity, -Infinity)).toNested()).toEqual([
    3.4028234663852886e38, -3.4028234663852886e38,
  ]);
  expect(await xp.nanToNum(halves(Infinity)).toNested()).toEqual([65504]);
  const z = xp.array([{ re: NaN, im: Infinity }], { dtype: "complex64" });
  expect(await xp.nanToNum(z, { posinf: 2 }).toNested()).toEqual([{ re: 0, im: 2 }]);
  const whole = ints(3);
  expect(await xp.nanToNum(whole, { out: whole }).toNested()).toEqual([3]);
  expect(() => xp.isclose(a, b, { rtol: "1" as never })).toThrow(
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.rtol"),
  );
});

/** Each function with its equivalent in JavaScript. */
const functions: Readonly<Record<string, (x: number) => number>> = {
  exp2: (x) => 2 ** x,
  exp10: (x) => 10 ** x,
  expm1: Math.expm1,
  log2: Math.log2,
  log10: Math.log10,
  log1p: Math.log1p,
  cbrt: Math.cbrt,
  arcsin: Math.asin,
  arccos: Math.acos,
  arctan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  arcsinh: Math.asinh,
  arctanh: Math.atanh,
  arccosh: (x) => Math.acosh(x),
  sinpi: (x) => Math.sin(Math.PI * x),
  cospi: (x) => Math.cos(Math.PI * x),
  tanpi: (x) => Math.tan(Math.PI * x),
  asinpi: (x) => Math.asin(x) / Math.PI,
  acospi: (x) => Math.acos(x) / Math.PI,
  atanpi: (x) => Math.atan(x) / Math.PI,
  sinc: (x) => Math.sin(Math.PI * x) / (Math.PI * x),
  degrees: (x) => (x * 180) / Math.PI,
  radians: (x) => (x * Math.PI) / 180,
  logb: (x) => Math.floor(Math.log2(x)),
};

test.each(Object.entries(functions))("%s matches JavaScript's value", async (name, expected) => {
  const values = [0.25, 0.375, 0.75];
  const result = floats(...values)[name as "exp2"]();
  expect(result.dtype.name).toBe("float32");
  const actual = await result.data();
  for (const [i, x] of values.entries()) {
    const right = expected(x);
    if (Number.isNaN(right)) expect(actual[i]).toBeNaN();
    else expect(Math.abs((actual[i] as number) - right)).toBeLessThan(4e-6 * Math.max(1, Math.abs(right)));
  }
});

test("hypot, arctan2, atan2pi, logaddexp and logaddexp2 match JavaScript's values", async () => {
  const close = async (result: DeviceArray, right: number): Promise<void> => {
    expect(Math.abs(((await result.toNested()) as number[])[0] as number) - Math.abs(right)).toBeLessThan(2e-6);
  };
  await close(floats(3).hypot(4), 5);
  await close(floats(1).arctan2(-1), Math.atan2(1, -1));
  await close(floats(1).atan2pi(-1), 0.75);
  await close(floats(1).logaddexp(2), Math.log(Math.exp(1) + Math.exp(2)));
  await close(floats(1).logaddexp2(2), Math.log2(6));
  expect(await floats(Infinity, -Infinity).logaddexp(floats(Infinity, -Infinity)).toNested()).toEqual([
    Infinity,
    -Infinity,
  ]);
  expect(bytes(3).hypot(of("uint8")(4)).dtype.name).toBe("float16");
});

test("floatPower computes in float64", async (run) => {
  needs(run, hasDoubles, `'${queue.device.name}' has no float64`);
  const a = floats(2).floatPower(-1.5);
  expect(a.dtype.name).toBe("float64");
  expect((await a.data())[0]).toBeCloseTo(2 ** -1.5, 14);
});

test("scales by a host integer as a floating-point number", async (run) => {
  needs(run, hasDoubles, "the device has no float64");
  expect(await xp.ldexp(3, xp.array([0, 1, -1], { dtype: "int32" })).toNested()).toEqual([3, 6, 1.5]);
});

test("a remainder does not depend on neighboring divisors", async () => {
  const tiny = hasDoubles ? 1e-45 : 1e-37;
  const values = [0, -0, 1, -1, NaN, Infinity, -Infinity, tiny, 3e38, -2.5, 0.5, 1.5, 2.5, 65504, 65520, 6e-8, 3e-8, 7];
  const dtype = hasDoubles ? "float64" : "float32";
  const x = xp.array(values, { dtype });
  const known = [...(await x.data())];
  const rests = [...(await x.slice(":", null).fmod(x).data())];
  expect(rests).toEqual(known.flatMap((a) => known.map((b) => a % b)));
  for (const a of [-2.5, 2.5]) {
    expect([...(await xp.full([18], a, { dtype }).fmod(x).data())]).toEqual(known.map((b) => a % b));
  }
});

test("an operand that overlaps `out` at another offset is read completely first", async () => {
  const line = xp.arange(6, { dtype: "float32" });
  line.slice(":-1").add(10, { out: line.slice("1:") });
  expect(await line.data()).toEqual(Float32Array.of(0, 10, 11, 12, 13, 14));
  line.assign(line.slice("::-1"));
  expect(await line.data()).toEqual(Float32Array.of(14, 13, 12, 11, 10, 0));
});
