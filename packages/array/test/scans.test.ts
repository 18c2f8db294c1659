/** Scans without an equivalent in NumPy: segmented, exclusive and reverse sums, products and extremes. */
import { type DeviceArray, fuse } from "@cl/array";
import { expect, test } from "vitest";

import { sample } from "@cl/testing/level";

import { hasDoubles, xp } from "./support/device.js";
import { outOfRange, wrongState, wrongType, wrongValue } from "@cl/testing/error-like";

const five = xp.array([1, 2, 3, 4, 5], { dtype: "float32" });

test("writes into the operand itself", { tags: "ci" }, async () => {
  for (const n of sample([300, 5, 60_000], 1)) {
    const a = xp.ones([n], { dtype: "int32" });
    expect(a.cumsum({ out: a, dtype: "int32" })).toBe(a);
    expect(await a.slice([n - 1, n]).item()).toBe(n);
    a.cumsum({ out: a, dtype: "int32", exclusive: true });
    expect(await a.slice([n - 1, n]).item()).toBe(((n - 1) * n) / 2);
  }
});

test("reads shifted, overlapping views first, and writes another dtype and layout", { tags: "ci" }, async () => {
  const a = xp.arange(70_001, { dtype: "int64" });
  a.slice(":-1").cumsum({ out: a.slice("1:") });
  expect(await a.slice([4, 5]).item()).toBe(6n);
  expect(await a.slice("-1:").item()).toBe((69_999n * 70_000n) / 2n);
  const out = xp.zeros([5, 2], { dtype: "float32" });
  five.astype("int8").cumsum({ out: out.slice("::-1", 1) });
  expect([...(await out.data())]).toEqual([0, 15, 0, 10, 0, 6, 0, 3, 0, 1]);
});

test("exclusive scans start at the identity: 0, 1, or the lowest or highest value", async () => {
  expect(await five.cumprod({ exclusive: true }).toNested()).toEqual([1, 1, 2, 6, 24]);
  expect(await five.cummax({ exclusive: true }).toNested()).toEqual([-Infinity, 1, 2, 3, 4]);
  const starts = xp.array([false, false, true, false, false]);
  expect(await five.cumsum({ starts }).toNested()).toEqual([1, 3, 3, 7, 12]);
});

test("segments begin at `starts`, in both directions and along each axis", { tags: "ci" }, async () => {
  const starts = xp.array([false, false, true, false, true]);
  expect(await five.cumsum({ starts }).toNested()).toEqual([1, 3, 3, 7, 5]);
  expect(await five.cumsum({ starts, exclusive: true }).toNested()).toEqual([0, 1, 0, 3, 0]);
  expect(await five.astype("uint8").cummin({ exclusive: true }).toNested()).toEqual([255, 1, 1, 1, 1]);
  // Backward, each segment begins at the same element.
  expect(await five.cumsum({ starts, reverse: true }).toNested()).toEqual([6, 5, 3, 9, 5]);
  const square = five.broadcastTo([5, 5]);
  expect(await square.cumsum({ starts, axis: 1 }).slice(4).toNested()).toEqual([1, 3, 3, 7, 5]);
  const down = square.cumsum({ starts: starts.reshape([5, 1]), axis: 0 });
  expect(await down.slice(":", 1).toNested()).toEqual([2, 4, 2, 4, 2]);
});

test("computes fused operands in the same pass", { tags: "full" }, async () => {
  const weighted = fuse((a: DeviceArray<"float32">, b: DeviceArray<"float32">, k: number) => a.mul(b).add(k).cumsum());
  const along = fuse((a: DeviceArray<"float32">, b: DeviceArray<"float32">) => ({
    sums: a.sub(b).cumsum({ axis: 0, reverse: true }),
    most: a.cummax({ axis: 1 }),
    plain: a.add(b),
  }));
  for (const n of [6, 300, 20_001]) {
    const a = xp
      .arange(2 * n, { dtype: "float32" })
      .remainder(7)
      .reshape([2, n]);
    const row = xp.arange(n, { dtype: "float32" }).remainder(3);
    const right = a.mul(row).add(2).cumsum();
    expect(await weighted(a, row, 2).equal(right).all().item(), String(n)).toBe(true);
    const out = xp.zeros([2 * n], { dtype: "float32" });
    expect(weighted(a.slice("::-1"), row, 3, { out })).toBe(out);
    expect(await out.equal(a.slice("::-1").mul(row).add(3).cumsum()).all().item(), String(n)).toBe(true);
    const { sums, most, plain } = along(a, row);
    const expectedSums = a.sub(row).cumsum({ axis: 0, reverse: true });
    expect(await sums.equal(expectedSums).all().item(), String(n)).toBe(true);
    expect(
      await most
        .equal(a.cummax({ axis: 1 }))
        .all()
        .item(),
      String(n),
    ).toBe(true);
    expect(await plain.equal(a.add(row)).all().item(), String(n)).toBe(true);
  }
  const further = fuse((a: DeviceArray<"float32">) => a.cumsum().add(1));
  expect(() => further(five)).toThrow(wrongState());
  const starts = xp.zeros([5], { dtype: "bool" });
  const segments = fuse((a: DeviceArray<"float32">) => a.cumsum({ starts }));
  expect(() => segments(five)).toThrow(wrongState());
});

test("a sum of ten million float32 is precise", { tags: "full" }, async (run) => {
  if (!hasDoubles) run.skip("the device has no float64 to compare with");
  const n = 10_000_000;
  const a = xp.arange(n, { dtype: "float32" }).mul(0.1).remainder(1).add(0.1);
  const sums = a.cumsum();
  const exact = a.cumsum({ dtype: "float64" });
  const error = await sums.astype("float64").div(exact).sub(1).fabs().max().item();
  // Sequential summation, as in NumPy, is off by 1e-2.
  expect(error).toBeLessThan(2e-5);
});

test("gradient works along all or some axes, by spacing or coordinates", async () => {
  const a = xp.array([1, 2, 4, 3, 6, 12], { dtype: "float32" }).reshape([2, 3]);
  const all = xp.gradient(a, { spacing: [2, xp.array([0, 1, 3], { dtype: "float32" })] });
  expect(all).toHaveLength(2);
  expect(await all[0]?.data()).toEqual(Float32Array.of(1, 2, 4, 1, 2, 4));
  expect(await xp.gradient(a, { axis: [1] })[0]?.data()).toEqual(Float32Array.of(1, 1.5, 2, 3, 4.5, 6));
  expect(xp.gradient(xp.zeros([], { dtype: "float32" }))).toEqual([]);
  const half = xp.gradient(five.astype("float16"), { axis: 0, edgeOrder: 2 });
  expect(half.dtype.name).toBe("float16");
  expect(xp.gradient(xp.zeros([0, 3], { dtype: "float32" }), { axis: 1 }).shape).toEqual([0, 3]);
  expect(await xp.trapezoid(xp.ones([2, 3]), { axis: 0, x: xp.array([1, 5]) }).toNested()).toEqual([4, 4, 4]);
});

test("rejects invalid arguments", () => {
  expect(() => five.cumsum({ axis: 1 })).toThrow(outOfRange("options.axis"));
  expect(() => five.cumsum({ starts: five })).toThrow(wrongType("options.starts"));
  expect(() => five.cumsum({ starts: xp.zeros([4], { dtype: "bool" }) })).toThrow(outOfRange());
  expect(() => five.cumsum({ out: xp.zeros([4], { dtype: "float32" }) })).toThrow(outOfRange("options.out"));
  expect(() => five.cumsum({ out: xp.zeros([5], { dtype: "int32" }) })).toThrow(wrongType("options.out"));
  expect(() => xp.array([{ re: 1, im: 2 }], { dtype: "complex64" }).cumsum({ dtype: "float32" })).toThrow(
    wrongType("options.dtype"),
  );
  expect(() => xp.diff(five, { prepend: xp.zeros([2, 2]) as never })).toThrow(wrongValue("options.prepend"));
  expect(() => xp.diff(five, { append: 0.5 }).cumsum({ axis: 2 })).toThrow(outOfRange("options.axis"));
  expect(() => xp.diff(five.astype("int32"), { append: 0.5 })).toThrow(wrongValue("options.append"));
  expect(() => xp.gradient(five, { axis: 1 })).toThrow(outOfRange("options.axis"));
  expect(() => xp.gradient(five, { edgeOrder: 3 as 2 })).toThrow(outOfRange("options.edgeOrder"));
  expect(() => xp.gradient(five, { spacing: [1, 2] })).toThrow(outOfRange("options.spacing"));
  expect(() => xp.gradient(five, { spacing: xp.zeros([4]) })).toThrow(outOfRange("options.spacing"));
  expect(() => xp.gradient(five.slice(":2"), { edgeOrder: 2 })).toThrow(outOfRange());
  expect(() => xp.gradient(five.equal(1))).toThrow(wrongType("gradient"));
  expect(() => xp.trapezoid(five, { x: xp.zeros([4]) })).toThrow(outOfRange("options.x"));
});

test.each(sample(["uint64", "int8", "float32"] as const, 1))(
  "diff and ediff1d extend arrays of %s by numbers",
  async (dtype) => {
    const a = xp.array([5, 9], { dtype: "int8" }).astype(dtype);
    const read = async (array: DeviceArray): Promise<number[]> => Array.from(await array.data(), Number);
    expect(await read(xp.diff(a, { prepend: 3, append: 10n }))).toEqual([2, 4, 1]);
    expect(await read(xp.ediff1d(a, { toBegin: 2, toEnd: 1n }))).toEqual([2, 4, 1]);
    expect(await read(xp.diff(a.slice([0, 1]), { prepend: true, n: 1 }))).toEqual([4]);
  },
);

test("diff prepends and appends complex and real numbers to complex elements", { tags: "ci" }, async () => {
  const a = xp.array([{ re: 1, im: 2 }], { dtype: "complex64" });
  expect(await xp.diff(a, { prepend: { re: 0, im: 1 }, append: 3 }).data()).toEqual(Float32Array.of(1, 1, 2, -2));
});
