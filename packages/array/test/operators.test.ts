/** Operators of one to three operands, as methods and as functions of `xp`, compared with NumPy and JavaScript. */
import { type AnyArray, type DeviceArray, type DTypeName, fuse, type OperandLike } from "@cl/array";
import { NotSupportedError } from "@cl/core";
import { expect, expectTypeOf, test } from "vitest";

import { needs } from "@cl/base/testing";
import { outOfRange, wrongState, wrongType, wrongValue } from "@cl/testing/error-like";
import { sample } from "@cl/testing/level";
import { hasDoubles, needsDoubles, queue, xp } from "./support/device.js";
import { evalDifferences, needsNumPy } from "./support/numpy-eval.js";

type Floats = DeviceArray<"float32">;

const of =
  <D extends DTypeName>(dtype: D) =>
  (...values: number[]): DeviceArray<D> =>
    xp.array(values, { dtype });
const [ints, bytes, unsigned] = [of("int32"), of("int8"), of("uint8")];
const [floats, halves] = [of("float32"), of("float16")];

const aliases = {
  sub: "subtract",
  mul: "multiply",
  div: "divide",
  trueDivide: "divide",
  mod: "remainder",
  pow: "power",
} as const;

test("every name of an operator is a method and a function, and can be traced", async () => {
  const pairs = Object.entries(aliases) as ["sub", "subtract"][];
  const results = fuse((x: Floats, y: Floats) =>
    pairs.flatMap(([alias, name]) => [x[name](y), x[alias](y), xp[name](x, y), xp[alias](x, y)]),
  )(floats(7, -8), floats(2, 3));
  const values = await Promise.all(results.map((result) => result.data()));
  // GPUs round powers and quotients differently.
  expect(values.map((pair) => Array.from(pair, (value) => value.toPrecision(5)).join())).toEqual(
    ["5.0000,-11.000", "14.000,-24.000", "3.5000,-2.6667", "3.5000,-2.6667", "1.0000,1.0000", "49.000,-512.00"].flatMap(
      (text) => Array.from({ length: 4 }, () => text),
    ),
  );
  const names = ["absolute", "abs", "conj", "conjugate", "invert", "bitwiseNot"] as const;
  const unary = fuse((x: DeviceArray<"int32">) => names.flatMap((name) => [x[name](), xp[name](x)]))(ints(-8));
  expect(await Promise.all(unary.map((result) => result.item()))).toEqual([8, 8, 8, 8, -8, -8, -8, -8, 7, 7, 7, 7]);
  expectTypeOf(() => ints(1).trueDivide(2)).returns.toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(xp.sub(bytes(1), 2)).toEqualTypeOf<DeviceArray<"int8">>();
  expectTypeOf(floats(1).abs()).toEqualTypeOf<Floats>();
});

/** Functions of float32 numbers, with their equivalents in JavaScript. */
const functions = {
  exp: Math.exp,
  exp2: (x) => 2 ** x,
  exp10: (x) => 10 ** x,
  expm1: Math.expm1,
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  log1p: Math.log1p,
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  arcsin: Math.asin,
  arccos: Math.acos,
  arctan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  arcsinh: Math.asinh,
  arctanh: Math.atanh,
  sinpi: (x) => Math.sin(Math.PI * x),
  cospi: (x) => Math.cos(Math.PI * x),
  tanpi: (x) => Math.tan(Math.PI * x),
  asinpi: (x) => Math.asin(x) / Math.PI,
  acospi: (x) => Math.acos(x) / Math.PI,
  atanpi: (x) => Math.atan(x) / Math.PI,
  sinc: (x) => Math.sin(Math.PI * x) / (Math.PI * x),
  degrees: (x) => (x * 180) / Math.PI,
  rad2deg: (x) => (x * 180) / Math.PI,
  radians: (x) => (x * Math.PI) / 180,
  deg2rad: (x) => (x * Math.PI) / 180,
  logb: (x) => Math.floor(Math.log2(x)),
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  fix: Math.trunc,
} as const satisfies Readonly<Record<string, (x: number) => number>>;
/** Functions of numbers outside [-1, 1]. */
const outer = { arccosh: Math.acosh, floor: Math.floor, ceil: Math.ceil, trunc: Math.trunc, fix: Math.trunc } as const;

test.each([
  [[0.25, 0.375, 0.75], functions],
  [[1.5, 3.25], outer],
] as const)("functions of %j match JavaScript's", async (values, table) => {
  const list = Object.entries(table) as ["sqrt", (x: number) => number][];
  const results = fuse((x: Floats) => list.map(([name]) => x[name]()))(floats(...values));
  for (const [k, [name, expected]] of list.entries()) {
    const actual = await (results[k] as Floats).data();
    for (const [i, x] of values.entries()) {
      const right = expected(x);
      expect(Math.abs((actual[i] as number) - right), `${name}(${x})`).toBeLessThan(
        4e-6 * Math.max(1, Math.abs(right)),
      );
    }
  }
});

/** Calls, and NumPy's expressions for them. */
const calls: Readonly<Record<string, () => AnyArray>> = {
  "np.where([[True], [False]], np.int32([1, 2]), 7)": () => xp.where(xp.array([[true], [false]]), ints(1, 2), 7),
  "np.where([1, 0], np.int8([1, 2]), np.uint8([3, 4]))": () => xp.where(ints(1, 0), bytes(1, 2), unsigned(3, 4)),
  "np.where(np.float32([np.nan, 0, -0.0]), True, False)": () => xp.where(floats(NaN, 0, -0), true, false),
  "np.where(True, np.float32([1, 2]), 0)": () => xp.where(true, floats(1, 2), 0),
  "np.where([True, False], 1, 2)": () => xp.where(xp.array([true, false]), 1, 2),
  "np.clip(np.float32([-5, np.nan, 0.5, 5]), -1, 1)": () => floats(-5, NaN, 0.5, 5).clip(-1, 1),
  "np.clip(np.float32([-5, np.nan, 0.5, 5]), 0, None)": () => floats(-5, NaN, 0.5, 5).clip(0),
  "np.clip(np.float32([-5, np.nan, 0.5, 5]), None, 1)": () => floats(-5, NaN, 0.5, 5).clip(undefined, 1),
  "np.clip(np.float32([-5, 5]), None, np.float32([0, 9]))": () => floats(-5, 5).clip(null, floats(0, 9)),
  "np.clip(np.int32([1, 9]), 5, 3)": () => ints(1, 9).clip(5, 3),
  "np.clip(np.int8([1]), np.uint8([0]), 5)": () => bytes(1).clip(unsigned(0), 5),
  "np.power(np.int32([0, 2, -3, 7]), 3)": () => ints(0, 2, -3, 7).power(3),
  "np.power(np.int32([0, 5, -5]), 0)": () => ints(0, 5, -5).power(0),
  "np.power(2, np.int32([0, 10, 31, 32]))": () => xp.power(2, ints(0, 10, 31, 32)),
  "np.power(np.int64([3]), 39)": () => xp.array([3n]).power(39n),
  "np.power(np.float32([3, -2, 0.5]), 2)": () => floats(3, -2, 0.5).power(2),
  "np.power(np.float32([2, -4]), -1)": () => floats(2, -4).power(-1),
  "np.power(np.float32([2, 9]), 0.5)": () => floats(2, 9).power(0.5),
  "np.power(np.array([True]), np.array([True]))": () => xp.array([true]).power(xp.array([true])),
  "np.subtract(1, np.int32([1, 2, 4]))": () => xp.subtract(1, ints(1, 2, 4)),
  "np.floor_divide(9, np.int32([1, 2, -4]))": () => xp.floorDivide(9, ints(1, 2, -4)),
  "np.left_shift(1, np.int32([1, 2, 40]))": () => xp.leftShift(1, ints(1, 2, 40)),
  "np.less(2, np.int32([1, 2, 4]))": () => xp.less(2, ints(1, 2, 4)),
  "np.divide(1, np.float32([4]))": () => xp.divide(1, floats(4)),
  "np.divide(np.int32([7, -7, 0]), 2)": () => ints(7, -7, 0).div(2),
  "np.divmod(np.int32([7, -7]), 3)[0]": () => xp.divmod(ints(7, -7), 3)[0],
  "np.divmod(np.int32([7, -7]), 3)[1]": () => xp.divmod(ints(7, -7), 3)[1],
  "np.remainder(np.int32([5, -2**31]), np.int32([0, -1]))": () => ints(5, -(2 ** 31)).remainder(ints(0, -1)),
  "np.floor_divide(np.int32([5, -2**31]), np.int32([0, -1]))": () => ints(5, -(2 ** 31)).floorDivide(ints(0, -1)),
  "np.remainder(np.float32([7, -7, 7, -6]), np.float32([3, 3, -3, 3]))": () =>
    floats(7, -7, 7, -6).remainder(floats(3, 3, -3, 3)),
  "np.less(np.int32([-1, 0, 1]), 0.5)": () => ints(-1, 0, 1).less(0.5),
  "np.equal(np.int32([-1, 0, 1]), 0.5)": () => ints(-1, 0, 1).equal(0.5),
  "np.add(np.int32([1, 2]), 0.5)": () => ints(1, 2).add(0.5),
  "np.add(np.int32([1, 2]), 0)": () => ints(1, 2).add(0),
  "np.divide(np.int32([1, 2]), 1)": () => ints(1, 2).div(1),
  "np.less(np.uint8([0, 255]), 300)": () => unsigned(0, 255).less(300),
  "np.equal(np.uint8([0, 255]), 256)": () => unsigned(0, 255).equal(256n),
  "np.not_equal(np.uint8([0, 255]), -1)": () => unsigned(0, 255).notEqual(-1),
  "np.greater_equal(-2**40, np.int32([1]))": () => xp.greaterEqual(-(2 ** 40), ints(1)),
  "np.less_equal(np.int64([1]), 2**70)": () => xp.array([1n]).lessEqual(2n ** 70n),
  "np.round(np.float32([0.25, 1.75, -0.35]), 1)": () => floats(0.25, 1.75, -0.35).round(1),
  "np.round(np.float32([1250, 1350]), -2)": () => floats(1250, 1350).round(-2),
  "np.round(np.int32([15, 25, -25, -26, 4, 2147483644]), -1)": () => ints(15, 25, -25, -26, 4, 2147483644).round(-1),
  "np.round(np.int32([7]), 3)": () => ints(7).round(3),
  "np.sign(np.float32([-2, -0.0, 0, np.nan, 3]))": () => floats(-2, -0, 0, NaN, 3).sign(),
  "np.isinf(np.float32([np.nan, 1, -np.inf]))": () => floats(NaN, 1, -Infinity).isinf(),
  "np.isfinite(np.int32([1]))": () => ints(1).isfinite(),
  "np.modf(np.float32([-1.5, 3.25, np.inf, 0]))[0]": () => xp.modf(floats(-1.5, 3.25, Infinity, 0))[0],
  "np.frexp(np.float32([-1.5, 3.25, np.inf, 0]))[0]": () => xp.frexp(floats(-1.5, 3.25, Infinity, 0))[0],
  "np.frexp(np.float32([-1.5, 3.25]))[1]": () => xp.frexp(floats(-1.5, 3.25))[1],
  "np.ldexp(np.float32([1, 3]), np.int32([200, -2]))": () => floats(1, 3).ldexp(ints(200, -2)),
  "np.ldexp(np.float16([1]), -3)": () => halves(1).ldexp(-3),
  "np.float64([3, 6, 1.5])": () => xp.ldexp(3, ints(0, 1, -1)),
  "np.spacing(np.float16([1]))": () => halves(1).spacing(),
  "np.nextafter(np.float16([1, 1, -1, 2]), np.float16([2, 0, 0, 2]))": () =>
    halves(1, 1, -1, 2).nextafter(halves(2, 0, 0, 2)),
  "np.isclose(np.float32([1, 100, np.nan]), np.float32([1.000001, 101, np.nan]))": () =>
    xp.isclose(floats(1, 100, NaN), floats(1.000001, 101, NaN)),
  "np.isclose(np.float32([np.nan, np.inf]), np.float32([np.nan, -np.inf]), rtol=0.1, equal_nan=True)": () =>
    xp.isclose(floats(NaN, Infinity), floats(NaN, -Infinity), { rtol: 0.1, equalNan: true }),
  "np.isclose(np.float16([0, 0.5]), 0, atol=1)": () => xp.isclose(halves(0, 0.5), 0, { atol: 1 }),
  "np.nan_to_num(np.float32([np.nan, 1, -np.inf]), nan=7, neginf=-1)": () =>
    xp.nanToNum(floats(NaN, 1, -Infinity), { nan: 7, neginf: -1 }),
  "np.nan_to_num(np.float16([np.inf, -np.inf]))": () => xp.nanToNum(halves(Infinity, -Infinity)),
  "np.nan_to_num(np.complex64([complex(np.nan, np.inf)]), posinf=2)": () =>
    xp.nanToNum(xp.array([{ re: NaN, im: Infinity }], { dtype: "complex64" }), { posinf: 2 }),
  "np.hypot(np.int8([3]), np.uint8([4]))": () => bytes(3).hypot(unsigned(4)),
  "np.arctan2(np.float32([1, -0.0]), -1)": () => floats(1, -0).arctan2(-1),
  "np.arctan2(np.float32([1, 2]), -1) / np.float32(np.pi)": () => floats(1, 2).atan2pi(-1),
  "np.logaddexp(np.float32([1, np.inf]), np.float32([2, np.inf]))": () =>
    floats(1, Infinity).logaddexp(floats(2, Infinity)),
  "np.logaddexp2(np.float32([1, -np.inf]), np.float32([2, -np.inf]))": () =>
    floats(1, -Infinity).logaddexp2(floats(2, -Infinity)),
  "np.float_power(np.float32([2]), -1.5)": () => floats(2).floatPower(-1.5),
  "np.less(np.int64([-1, 5]), np.uint64([2**64 - 1, 5]))": () =>
    xp.array([-1n, 5n]).less(xp.array([2n ** 64n - 1n, 5n], { dtype: "uint64" })),
  "np.maximum(np.zeros(1, bool), 2)": () => xp.zeros([1], { dtype: "bool" }).maximum(2),
  "np.floor_divide(np.ones(1, bool), True)": () => xp.ones([1], { dtype: "bool" }).floorDivide(true),
  "np.add(np.float16([1, 2048, 0.1]), 1)": () => halves(1, 2048, 0.1).add(1),
};

test("calls match NumPy", { tags: "ci" }, async (run) => {
  needsNumPy(run);
  needsDoubles(run);
  const cases = sample(Object.entries(calls), 13).map(([theirs, ours]) => ({ theirs, ours }));
  expect(await evalDifferences(cases, 1e-6)).toEqual([]);
});

test("integers have powers and roundings where NumPy has none", { tags: "ci" }, async () => {
  expect([...(await bytes(2, -1, 1, 0).power(bytes(-1, -3, -2, -1)).data())]).toEqual([0, -1, 1, 0]); // prettier-ignore
  expect([...(await bytes(127, -128).round(-2).data())]).toEqual([100, -100]);
  expect([...(await bytes(127, -128).round(-3).data())]).toEqual([0, 0]);
  expect([...(await ints(0, 1, -1, 255).bitwiseCount().data())]).toEqual([0, 1, 1, 8]);
  expect([...(await floats(8, 9).ilogb().data())]).toEqual([3, 3]);
  expect([...(await floats(1).ldexp(xp.array([2n ** 40n])).data())]).toEqual([Infinity]); // prettier-ignore
});

test("where selects from other operands of cached dtypes", { tags: "ci" }, async () => {
  const numbers = (k: number): number[] => Array.from({ length: 67 }, (_one, i) => (i * (k + 3)) % (5 + k));
  const values = async (array: unknown): Promise<number[]> => Array.from(await (array as DeviceArray).data(), Number);
  for (const [one, other] of [
    ["float32", "float32"],
    ["float32", "int8"],
    ["bool", "float32"],
    ["uint8", "uint8"],
  ] as const) {
    for (const k of [0, 1, 2]) {
      const [x, y] = [numbers(k), numbers(k + 1)];
      const [c, a, b] = [xp.array(numbers(k + 2)).greater(2), xp.array(x).astype(one), xp.array(y).astype(other)];
      const choice = (first: number[], last: number[]): number[] =>
        numbers(k + 2).map((v, i) => (v > 2 ? first : last)[i] as number);
      const [first, last] = [one === "bool" ? x.map((v) => Math.sign(v)) : x, y];
      expect(await values(xp.where(c, a, b))).toEqual(choice(first, last));
      expect(await values(xp.where(c, b, a))).toEqual(choice(last, first));
      expect(await values(xp.where(a, a, b))).toEqual(first.map((v, i) => (v === 0 ? last[i] : v)));
      if (other === "int8") continue;
      const number = [2.5, 1e300, NaN][k] as number;
      const rounded = first.map(() => Math.fround(number));
      if (other === "float32") {
        expect(await values(xp.where(c, number, b))).toEqual(choice(rounded, last));
        expect(await values(xp.where(c, b, number, { out: b }))).toEqual(choice(last, rounded));
      } else {
        // The dtype of a host number depends on its value.
        expect(await values(xp.where(c, a, k))).toEqual(choice(first, Array<number>(67).fill(k)));
        expect(() => xp.where(c, a, 256 + k)).toThrow(outOfRange("y"));
        if (hasDoubles) expect(xp.where(c, a, 1.5).dtype.name).toBe("float64");
      }
    }
  }
});

test("supports more axes than a kernel has dimensions", { tags: "ci" }, async () => {
  const a = xp.arange(144, { dtype: "int32" }).reshape([2, 3, 2, 3, 2, 2]);
  const one = a.transpose([5, 0, 3, 1, 4, 2]);
  const other = a.reshape([2, 2, 2, 3, 3, 2]).transpose([0, 1, 3, 4, 2, 5]).reshape(one.shape);
  const [expected, added] = [await one.data(), await other.data()];
  expect(await one.add(other).data()).toEqual(expected.map((value, i) => value + (added[i] as number)));
});

test("a remainder does not depend on neighboring divisors", { tags: "ci" }, async () => {
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

test("division by a number does not multiply by the reciprocal", { tags: "full" }, async (run) => {
  needs(run, (queue.device.singleFpConfig & 0x80) !== 0, "the device does not round division correctly");
  const quotients = await xp.arange(1000, { dtype: "float32" }).div(3).data();
  expect(quotients).toEqual(Float32Array.from({ length: 1000 }, (_, i) => i / 3));
});

test("rounds float16 after each operation", { tags: "ci" }, async () => {
  const a = xp.array([1, 2048, 0.1], { dtype: "float16" });
  expect(await a.add(a.mul(0.0004884)).slice(0).item()).toBe(1);
});

test("writes results into `out`: an operand, or overlapping parts of operands", async () => {
  const a = floats(1, 2, 3, 4);
  const out = a.add(a, { out: a });
  expect(out).toBe(a);
  a.slice("1:").add(a.slice(":-1"), { out: a.slice("1:") });
  expect([...(await a.data())]).toEqual([2, 6, 10, 14]);
});

test("writes results into reversed views, several outputs and operands of where", { tags: "ci" }, async () => {
  const a = floats(2, 6, 10, 14);
  const wide = xp.zeros([2, 4], { dtype: "float32" });
  a.add(a, { out: wide.slice(1, "::-1") });
  expect([...(await wide.data())]).toEqual([0, 0, 0, 0, 28, 20, 12, 4]);
  a.assign(a.slice("::-1"));
  expect([...(await a.data())]).toEqual([14, 10, 6, 2]);
  const b = ints(7, -7);
  xp.divmod(b, 3, { out: [undefined, b.slice("::-1")] });
  expect([...(await b.data())]).toEqual([2, 1]);
  const z = floats(-1, 2, -3);
  xp.where(z.less(0), z.slice("::-1"), z, { out: z });
  expect([...(await z.data())]).toEqual([-3, 2, -1]);
});

test.each<[name: string, wrong: () => unknown, error: Error]>([
  ["different shapes in where", () => xp.where(ints(1, 2).less(2), ints(1, 2, 3), ints(1)), outOfRange()],
  ["a number outside the dtype", () => unsigned(0).add(256), outOfRange("other")],
  ["a bound outside the dtype", () => ints(1).clip(0, 2 ** 31), outOfRange("high")],
  ["booleans for subtract", () => xp.array([true]).sub(true), wrongType("subtract")],
  ["booleans for gcd", () => xp.array([true]).gcd(xp.array([true])), wrongType("gcd")],
  ["floats as exponents of ldexp", () => floats(1).ldexp(floats(1)), wrongType("ldexp")],
  ["a negative exponent of integers", () => ints(2).power(-1), wrongValue("power")],
  ["a string", () => ints(1).add("1" as unknown as OperandLike), wrongType("other")],
  ["an object", () => ints(1).add({} as OperandLike), wrongType("other")],
  ["a string as tolerance", () => xp.isclose(floats(1), 1, { rtol: "1" as never }), wrongType("options.rtol")],
  ["clip without bounds", () => ints(1).clip(null), wrongValue("clip")],
  ["equal outputs", () => pairInto(ints(1, 2)), wrongValue("options.out")],
  ["too few outputs", () => xp.divmod(ints(1), 1, { out: [ints(1)] as never }), outOfRange("options.out")],
])("rejects %s", (_name, wrong, error) => {
  expect(wrong).toThrow(error);
});

function pairInto(out: DeviceArray): unknown {
  return xp.divmod(ints(1, 2), 1, { out: [out, out] });
}

test("rejects float64 on devices without it", (run) => {
  needs(run, !hasDoubles, `'${queue.device.name}' has float64`);
  expect(() => ints(1).div(2)).toThrow(NotSupportedError);
});

test("arrays are not converted to numbers, which would be NaN", () => {
  const a = ints(1, 2);
  expect(() => Number(a)).toThrow(wrongState());
  expect(() => (a as never as number) + 1).toThrow(wrongState());
  expect(String(a)).toBe("DeviceArray { int32 [2] }");
});
