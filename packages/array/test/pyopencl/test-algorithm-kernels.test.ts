/** PyOpenCL's test_algorithm.py, re-expressed: custom elementwise kernels and their replacements. */
import { ElementwiseKernel } from "@cl/array";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { hasDoubles, xp } from "../support/device.js";
import { largestDifference, randomFloats } from "../support/numbers.js";

test("a linear combination matches the host's (test_elwise_kernel)", async () => {
  const [x, y] = [randomFloats(50), randomFloats(50, 7)];
  const z = xp.empty([50], { dtype: "float32" });
  const combine = new ElementwiseKernel("float a, float *x, float b, float *y, float *z", "z[i] = a*x[i] + b*y[i]", {
    name: "linear_combination",
  });
  combine.launch(5, xp.array(x), 6, xp.array(y), z);
  const expected = x.map((value, i) => 5 * value + 6 * (y[i] as number));
  expect(largestDifference(await z.data(), expected)).toBeLessThan(1e-5);
});

test("build options apply, and parameters may be const (test_elwise_kernel_with_options)", async () => {
  const operation = "float result = pow(x[i], 2); if (ADD_ONE) result += 1; z[i] = result";
  const x = randomFloats(10_000);
  for (const [options, added] of [
    ["-D ADD_ONE=1", 1],
    [["-D", "ADD_ONE=0"], 0],
  ] as const) {
    const z = xp.empty([10_000], { dtype: "float32" });
    new ElementwiseKernel("const float *x, float *z", operation, { options }).launch(xp.array(x), z);
    const expected = x.map((value) => value * value + added);
    expect(largestDifference(await z.data(), expected)).toBeLessThan(1e-5);
  }
});

test("runs over a slice of the indices, with steps of both signs (test_ranged_elwise_kernel)", async () => {
  const set = new ElementwiseKernel("float *z, float value", "z[i] = value");
  for (const slice of ["5:20000", "5:20000:17", "3000:5:-1", "1000:-1"]) {
    const z = xp.zeros([50_000], { dtype: "float32" });
    set.enqueue({ slice }, z, 7);
    const expected = xp.zeros([50_000], { dtype: "float32" });
    expected.slice(slice).assign(7);
    expect(await z.data(), slice).toEqual(await expected.data());
  }
});

test("take reads elements at indices (test_take)", async () => {
  const indices = Uint32Array.from({ length: 100_000 }, (_, i) => 2 * i);
  const a = xp.arange(0, 600_000, 3, { dtype: "float32" });
  const expected = Float32Array.from(indices, (index) => 3 * index);
  expect(await a.take(indices).data()).toEqual(expected);
  expect(await a.take(xp.array(indices)).data()).toEqual(expected);
});

test("arange counts (test_arange)", async () => {
  const a = xp.arange(5000, { dtype: "float32" });
  expect(await a.data()).toEqual(Float32Array.from({ length: 5000 }, (_, i) => i));
});

test("reverses elements (test_reverse)", async () => {
  const a = xp.arange(5000, { dtype: "float32" });
  expect(await a.flip().data()).toEqual(Float32Array.from({ length: 5000 }, (_, i) => 4999 - i));
});

test("maximum and minimum are exact (test_if_positive)", async () => {
  const [a, b] = [randomFloats(20_000), randomFloats(20_000, 3)];
  const [x, y] = [xp.array(a), xp.array(b)];
  expect(await x.maximum(y).data()).toEqual(a.map((value, i) => Math.max(value, b[i] as number)));
  expect(await x.minimum(y).data()).toEqual(a.map((value, i) => Math.min(value, b[i] as number)));
});

test("takes and puts elements of several arrays (test_take_put)", async () => {
  const to = Int32Array.of(0, 1, 2, 3, 32, 33, 34, 35);
  const from = Int32Array.of(7, 6, 5, 4, 3, 2, 1, 0);
  const arrays = [1, 2, 3].map((factor) => xp.arange(96, { dtype: "float32" }).mul(factor));
  const stored = arrays.map((one) => xp.zeros([96], { dtype: "float32" }).put(to, one.take(from)));
  for (const [k, target] of stored.entries()) {
    const values = await target.data();
    for (const [place, index] of to.entries()) expect(values[index]).toBe((from[place] as number) * (k + 1));
    expect(values.filter((value) => value !== 0)).toHaveLength(7);
  }
});

test("astype converts elements (test_astype)", async (run) => {
  needs(run, hasDoubles, "the device has no float64");
  const floats = randomFloats(2000);
  const wide = xp.array(floats).astype("float64");
  expect(await wide.data()).toEqual(Float64Array.from(floats));
  const doubles = Float64Array.from(floats, (value) => Math.sqrt(value));
  const narrow = xp.array(doubles).astype("float32");
  expect(narrow.dtype.name).toBe("float32");
  expect(await narrow.data()).toEqual(Float32Array.from(doubles));
});
