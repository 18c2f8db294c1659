/** PyOpenCL's test_array.py and test_arrays_in_structs.py, re-expressed: struct and vector elements. */
import { structType } from "@cl/core";
import { ElementwiseKernel, ReductionKernel } from "@cl/array";
import { expect, test } from "vitest";

import { xp } from "../support/device.js";

const collector = structType("mmc_type", { cur_min: "int32", cur_max: "int32", pad: "int32" });

test("structs are initialized to zeros (test_custom_type_zeros)", async () => {
  const all = xp.records(collector, 1000);
  expect((await all.data()).every((byte) => byte === 0)).toBe(true);
});

test("fills with structs (test_custom_type_fill)", async () => {
  const all = xp.records(collector, 1000);
  const one = xp.recordsFrom([{ cur_min: 1, cur_max: -2, pad: 0 }] as never, collector);
  all.assign(one);
  expect(await all.slice(999).item()).toEqual({ cur_min: 1, cur_max: -2, pad: 0 });
});

test("fills with vectors (test_vector_fill)", async () => {
  const all = xp.records("float4", 100);
  all.assign(xp.recordsFrom(Float32Array.of(0, 0, 1, 0), "float4"));
  expect(await all.slice(99).item()).toEqual([0, 0, 1, 0]);
});

test("kernels read arrays in structs (test_struct_with_array_fields)", async () => {
  const record = structType("my_record", { x: ["uint32", 2], y: "int32", z: ["uint32", 3, 4] });
  const values = [1, 2, 3, 4].map((k) => ({
    x: [k, 2 * k],
    y: -k,
    z: [0, 1, 2].map((row) => [0, 1, 2, 3].map((column) => k * (row * 4 + column))),
  }));
  const all = xp.recordsFrom(values, record);
  const sums = xp.empty([4], { dtype: "int32" });
  new ElementwiseKernel(
    "const my_record *r, int *sum",
    `int total = r[i].x[0] + r[i].x[1] + r[i].y;
     for (int k = 0; k < 3; k++) for (int l = 0; l < 4; l++) total += r[i].z[k][l];
     sum[i] = total`,
    { types: [record] },
  ).launch(all, sums);
  expect(await sums.toNested()).toEqual([1, 2, 3, 4].map((k) => 3 * k - k + 66 * k));
});

test("reductions return structs that can be operands (test_struct_reduce)", async () => {
  const kernel = new ReductionKernel("const mmc_type *x", {
    dtype: collector,
    reduce: "joined(a, b)",
    identity: "nothing()",
    preamble: `
      mmc_type nothing(void) { mmc_type m; m.cur_min = INT_MAX; m.cur_max = INT_MIN; m.pad = 0; return m; }
      mmc_type joined(mmc_type a, mmc_type b) {
        a.cur_min = min(a.cur_min, b.cur_min); a.cur_max = max(a.cur_max, b.cur_max); return a;
      }`,
    types: [collector],
  });
  const all = xp.records(collector, 10_000);
  all.field("cur_min").assign(xp.arange(10_000, { dtype: "int32" }).sub(77));
  all.field("cur_max").assign(all.field("cur_min"));
  const out = xp.records(collector, 3);
  kernel.runWith({ out: out.slice(1) }, all.slice("::-3"));
  expect(await out.slice(1).item()).toEqual({ cur_min: -77, cur_max: 9922, pad: 0 });
  expect(await kernel.run(all).item()).toEqual({ cur_min: -77, cur_max: 9922, pad: 0 });
});
