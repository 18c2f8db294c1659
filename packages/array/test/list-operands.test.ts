/** Lists and scalars as operands of operators. Expected dtypes and values are NumPy's. */
import { type AnyArray, type DeviceArray, fuse } from "@cl/array";
import { expect, expectTypeOf, test } from "vitest";

import { outOfRange, wrongType } from "@cl/testing/error-like";
import { sample } from "@cl/testing/level";
import { needsDoubles, xp } from "./support/device.js";
import { counted, countedText, type EvalCase, evalDifferences, needsNumPy } from "./support/numpy-eval.js";

const ints = (): DeviceArray<"int32"> => counted([2, 3], "int32");
const floats = (): DeviceArray<"float32"> => counted([2, 3], "float32");

test("lists match NumPy", { tags: "ci" }, async (run) => {
  needsNumPy(run);
  needsDoubles(run);
  const [i, f] = [countedText([2, 3], "int32"), countedText([2, 3], "float32")];
  const cases: EvalCase[] = [
    { ours: () => ints().mul([1, 2, 3]), theirs: `${i} * [1, 2, 3]` },
    { ours: () => ints().add([[1], [2]]), theirs: `${i} + [[1], [2]]` },
    { ours: () => xp.subtract([1, 2.5, 3], ints()), theirs: `[1, 2.5, 3] - ${i}` },
    { ours: () => floats().mul([1, 2, 3]), theirs: `${f} * [1, 2, 3]` },
    { ours: () => floats().mul(Float32Array.of(1, 2, 3)), theirs: `${f} * np.float32([1, 2, 3])` },
    { ours: () => ints().add(Int8Array.of(1, 2, 3)), theirs: `${i} + np.int8([1, 2, 3])` },
    { ours: () => ints().add([true, false, true]), theirs: `${i} + [True, False, True]` },
    { ours: () => ints().add([true, 2, 3n]), theirs: `${i} + [True, 2, 3]` },
    { ours: () => ints().add([1, true, NaN]), theirs: `${i} + [1, True, np.nan]` },
    { ours: () => ints().add([1, 2.5, { re: 0, im: 1 }]), theirs: `${i} + [1, 2.5, 1j]` },
    { ours: () => xp.add([2n ** 63n, 1n], [1, 2]), theirs: "np.add([2 ** 63, 1], [1, 2])" },
    { ours: () => xp.add([2n ** 63n], [2n ** 63n]), theirs: "np.add([2 ** 63], [2 ** 63])" },
    {
      ours: () => xp.where([true, false, true], ints(), [7, 8, 9]),
      theirs: `np.where([True, False, True], ${i}, [7, 8, 9])`,
    },
    { ours: () => xp.where(ints().greater(2), [1, 2, 3], 0), theirs: `np.where(${i} > 2, [1, 2, 3], 0)` },
    { ours: () => ints().clip([1, 2, 3], 4), theirs: `${i}.clip([1, 2, 3], 4)` },
    { ours: () => floats().clip(null, [[1], [2.5]]), theirs: `${f}.clip(None, [[1], [2.5]])` },
    { ours: () => ints().clip([0, 1, 2], [1, 2, 3.5]), theirs: `${i}.clip([0, 1, 2], [1, 2, 3.5])` },
    {
      ours: () => xp.select([ints().less(2), ints().less(4)], [[1, 2, 3], 9], { otherwise: [[4], [5]] }),
      theirs: `np.select([${i} < 2, ${i} < 4], [[1, 2, 3], 9], [[4], [5]])`,
    },
    {
      ours: () => ints().choose([[1, 2, 3], ints(), 7, 8, 9.5, -1]),
      theirs: `${i}.choose([[1, 2, 3], ${i}, 7, 8, 9.5, -1])`,
    },
    { ours: () => xp.maximum([1, 2], [[0], [3]]), theirs: "np.maximum([1, 2], [[0], [3]])" },
    { ours: () => xp.add([], 1), theirs: "np.add([], 1)" },
    { ours: () => xp.hypot([3], [4]), theirs: "np.hypot([3], [4])" },
    { ours: () => xp.sqrt([1, 4, 9]), theirs: "np.sqrt([1, 4, 9])" },
    { ours: () => xp.divmod([7, 8], 3)[1], theirs: "np.divmod([7, 8], 3)[1]" },
    { ours: () => xp.modf([1.5, -2.5])[0], theirs: "np.modf([1.5, -2.5])[0]" },
    { ours: () => xp.nanToNum([1, NaN]), theirs: "np.nan_to_num([1, np.nan])" },
    { ours: () => xp.isclose([1, 2], [1, 2.000001]), theirs: "np.isclose([1, 2], [1, 2.000001])" },
    { ours: () => xp.special.erf(floats()).less([[1], [2]]), theirs: `np.less(${f} * 0, [[1], [2]])` },
  ];
  expect(await evalDifferences(sample(cases, 14))).toEqual([]);
});

test("operators of host scalars return arrays without axes, as in NumPy", { tags: "full" }, async (run) => {
  needsNumPy(run);
  needsDoubles(run);
  const cases: EvalCase[] = [
    { ours: () => xp.add(2, 3), theirs: "np.add(2, 3)" },
    { ours: () => xp.add(2, 3.5), theirs: "np.add(2, 3.5)" },
    { ours: () => xp.add(true, 3), theirs: "np.add(True, 3)" },
    { ours: () => xp.add(true, false), theirs: "np.add(True, False)" },
    { ours: () => xp.divide(1, 4), theirs: "np.divide(1, 4)" },
    { ours: () => xp.sqrt(2), theirs: "np.sqrt(2)" },
    { ours: () => xp.less(2, 3.5), theirs: "np.less(2, 3.5)" },
    { ours: () => xp.where(true, 1, 2.5), theirs: "np.where(True, 1, 2.5)" },
    { ours: () => xp.hypot(3, 4), theirs: "np.hypot(3, 4)" },
    { ours: () => xp.multiply({ re: 0, im: 1 }, { re: 0, im: 1 }), theirs: "np.multiply(1j, 1j)" },
    { ours: () => xp.allclose(1, 1.0000001), theirs: "np.allclose(1, 1.0000001)" },
    { ours: () => xp.arrayEqual([1, 2], [1, 2]), theirs: "np.array_equal([1, 2], [1, 2])" },
    { ours: () => xp.arrayEqual([1, 2], [[1, 2]]), theirs: "np.array_equal([1, 2], [[1, 2]])" },
  ];
  expect(await evalDifferences(cases)).toEqual([]);
});

test("results of lists can be stored in existing arrays and combined with pending values", async () => {
  const out = xp.zeros([2, 3], { dtype: "float32" });
  floats().add(Float32Array.of(1, 2, 3), { out });
  expect([...(await out.data())]).toEqual([1, 3, 5, 4, 6, 8]);
  const twice = floats()
    .add(Float32Array.of(1, 1, 1))
    .mul(Float32Array.of(2, 2, 2));
  expect(await twice.slice(1).toNested()).toEqual([8, 10, 12]);
});

test("TypeScript knows the dtype of lists of literals", () => {
  const numbers: number[] = [1, 2, 3];
  const results = (): AnyArray[] => {
    const [i, f] = [ints(), floats()];
    expectTypeOf(i.mul([1, 2, 3])).toEqualTypeOf<DeviceArray<"int64">>();
    expectTypeOf(i.mul([1, 2.5, 3])).toEqualTypeOf<DeviceArray<"float64">>();
    expectTypeOf(i.mul([[true], [false]])).toEqualTypeOf<DeviceArray<"int32">>();
    expectTypeOf(i.mul(numbers)).toEqualTypeOf<DeviceArray<"int64" | "float64">>();
    expectTypeOf(f.mul(numbers)).toEqualTypeOf<DeviceArray<"float64">>();
    expectTypeOf(f.mul(Float32Array.of(1))).toEqualTypeOf<DeviceArray<"float32">>();
    expectTypeOf(xp.add([1], [2n])).toEqualTypeOf<DeviceArray<"int64">>();
    expectTypeOf(xp.where([true], i, 0)).toEqualTypeOf<DeviceArray<"int32">>();
    expectTypeOf(xp.sqrt([1, 2])).toEqualTypeOf<DeviceArray<"float64">>();
    // @ts-expect-error a list of texts is no operand
    return [f.mul(["a"])];
  };
  expect(results).toThrow(TypeError);
});

test("a wrong list is rejected by the name of its argument", () => {
  const wrong = ["a", 1] as never;
  expect(() => ints().add(wrong)).toThrow(wrongType("other"));
  expect(() => xp.add(ints(), wrong)).toThrow(wrongType("y"));
  expect(() => xp.where(wrong, 1, 2)).toThrow(wrongType("condition"));
  expect(() => ints().add([[1, 2], [3]])).toThrow(wrongType("other[1]"));
  expect(() => ints().add([ints() as never])).toThrow(wrongType("other"));
  expect(() => ints().add([2n ** 64n])).toThrow(outOfRange("other"));
  expect(() => ints().add([1, 2])).toThrow(outOfRange("[2,3]"));
  expect(() => xp.add("2" as never, 3)).toThrow(wrongType("x"));
  expect(() => xp.special.jn([1], [2])).toThrow(wrongType("x or y"));
});

test("a list in a fused function is rejected", () => {
  const method = fuse((x: DeviceArray<"float32">) => x.mul([1, 2, 3]));
  expect(() => method(floats())).toThrow(wrongType("other"));
  const called = fuse((x: DeviceArray<"float32">) => xp.multiply(x, [1, 2, 3]));
  expect(() => called(floats())).toThrow(wrongType("y"));
});
