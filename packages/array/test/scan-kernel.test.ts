/** Custom scans: element types, indices, ordering, and errors. */
import { CommandQueue, dtype, structType, UserEvent } from "@cl/core";
import { ScanKernel } from "@cl/array";
import { describe, expect, test } from "vitest";

import { sample } from "@cl/testing/level";
import { context, xp } from "./support/device.js";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { Draw } from "./support/numpy-eval.js";

const sums = new ScanKernel("const int *x, int *out", { dtype: "int32", scan: "a + b", identity: "0" });

describe("elements", () => {
  test("may have one byte or two", { tags: "ci" }, async () => {
    for (const type of sample(["uint8", "int8", "int16", "uint16"] as const, 2)) {
      const { cName } = dtype(type);
      const kernel = new ScanKernel(`const ${cName} *x, ${cName} *out`, {
        dtype: type,
        scan: "a > b ? a : b",
        identity: "0",
      });
      for (const n of [1, 300, 5001]) {
        const x = xp.arange(n, { dtype: "int32" }).remainder(97).astype(type);
        const out = xp.zeros([n], { dtype: type });
        kernel.launch(x, out);
        expect(await out.slice("-1:").item()).toBe(Math.min(n - 1, 96));
        expect(await out.slice([n >> 1, (n >> 1) + 1]).item()).toBe(Math.min(n >> 1, 96));
      }
    }
  });

  test("may be structs, small and large", { tags: "ci" }, async () => {
    const extremes = structType("Extremes", { low: "int32", high: "int32", at: "int64" });
    const kernel = new ScanKernel("const int *x, Extremes *out", {
      dtype: extremes,
      types: [extremes],
      preamble: `
Extremes of(const int low, const int high, const long at) { Extremes e; e.low = low; e.high = high; e.at = at; return e; }
Extremes both(const Extremes a, const Extremes b) {
  return of(min(a.low, b.low), max(a.high, b.high), b.high > a.high ? b.at : a.at);
}`,
      input: "of(x[i], x[i], i)",
      scan: "both(a, b)",
      identity: "of(INT_MAX, INT_MIN, -1)",
    });
    const counters = structType("Counters", { of: ["int32", 64] });
    const histogram = new ScanKernel("const int *x, int *out", {
      dtype: counters,
      preamble: `
Counters one(const int k) { Counters c; for (int j = 0; j < 64; j++) c.of[j] = j == k; return c; }
Counters add(Counters a, const Counters b) { for (int j = 0; j < 64; j++) a.of[j] += b.of[j]; return a; }`,
      input: "one(x[i] % 64)",
      scan: "add(a, b)",
      identity: "one(-1)",
      output: "out[i] = item.of[5]",
    });
    const n = 3001;
    const host = Int32Array.from({ length: n }, (_, i) => (i * 7919) % 10_007);
    const x = xp.array(host);
    const records = xp.records(extremes, [n]);
    kernel.launch(x, records);
    const high = Math.max(...host);
    expect(await records.slice(-1).item()).toEqual({ low: 0, high, at: BigInt(host.indexOf(high)) });
    const out = xp.zeros([n], { dtype: "int32" });
    histogram.launch(x, out);
    expect(await out.slice("-1:").item()).toBe(host.filter((value) => value % 64 === 5).length);
  });

  test("may be complex numbers", { tags: "ci" }, async () => {
    const kernel = new ScanKernel("const cfloat_t *x, cfloat_t *out", {
      dtype: "complex64",
      scan: "cfloat_mul(a, b)",
      identity: "cfloat_new(1, 0)",
    });
    const x = xp.full([10], { re: 0, im: 1 }, { dtype: "complex64" });
    const out = xp.emptyLike(x);
    kernel.launch(x, out);
    expect(await out.slice(":4").data()).toEqual(Float32Array.of(0, 1, -1, 0, -0, -1, 1, -0));
  });
});

/** Lengths around vector, chunk and group limits. */
const lengths = sample([1029, 1, 10, 255, 256, 257, 4091, 4096, 4101, 2 ** 18 + 5], 1);

describe.each(lengths)("scans of %i elements match the host's", (n) => {
  const draw = new Draw(n + 17);
  const host = Int32Array.from({ length: n }, () => draw.integer(0, 999));
  const x = xp.array(host);

  test("segments begin at their flags, of inclusive sums and those before", async () => {
    const kernel = new ScanKernel("const int *x, const uchar *starts, int *sums, int *before", {
      dtype: "int32",
      input: "x[i]",
      scan: "a + b",
      identity: "0",
      segmentStart: "starts[i]",
      output: "sums[i] = item; before[i] = prev",
    });
    const starts = Uint8Array.from({ length: n }, () => Number(draw.integer(0, 99) === 0));
    // Views with offsets and strides.
    const [sums, before] = [xp.zeros([n, 3], { dtype: "int32" }), xp.zeros([n], { dtype: "int32" })];
    kernel.launch(x.slice("::-1"), xp.array(starts), sums.slice(":", 1), before);
    let sum = 0;
    const pairs = host.toReversed().map((value, i) => (sum = (starts[i] === 1 ? 0 : sum) + value));
    expect(await sums.slice(":", 1).data()).toEqual(pairs);
    expect(await before.data()).toEqual(pairs.map((all, i) => all - (host.at(-1 - i) as number)));
  });

  test("elements are moved to the position that the sum before them is", { tags: "ci" }, async () => {
    const kernel = new ScanKernel("const int *x, int *selected, int *others, int limit, int *count", {
      dtype: "int32",
      input: "x[i] > limit ? 1 : 0",
      scan: "a + b",
      identity: "0",
      output: "if (prev != item) selected[prev] = x[i]; else others[i - item] = x[i]; if (i == 0) count[0] = last;",
    });
    const [selected, others] = [xp.zeros([n], { dtype: "int32" }), xp.zeros([n], { dtype: "int32" })];
    const count = xp.zeros([1], { dtype: "int32" });
    kernel.enqueue({ range: n }, x, selected, others, 300, count);
    const [above, below] = [host.filter((value) => value > 300), host.filter((value) => value <= 300)];
    expect(await count.item()).toBe(above.length);
    expect((await selected.data()).slice(0, above.length)).toEqual(above);
    expect((await others.data()).slice(0, below.length)).toEqual(below);
  });

  test("operations that do not commute keep their order", { tags: "ci" }, async () => {
    // Composes maps x → ax + b, modulo a prime.
    const kernel = new ScanKernel("const int *x, uint2 *out", {
      dtype: "uint32x2",
      input: "(uint2)(x[i] + 1, x[i])",
      scan: "(uint2)((uint)((ulong)a.x * b.x % 65521), (uint)(((ulong)a.y * b.x + b.y) % 65521))",
      identity: "(uint2)(1, 0)",
    });
    const out = xp.records("uint32x2", [n]);
    kernel.launch(x, out);
    let [a, b] = [1, 0];
    for (const value of host) [a, b] = [(a * (value + 1)) % 65_521, (b * (value + 1) + value) % 65_521];
    expect(await out.slice(-1).item()).toEqual([a, b]);
  });
});

describe("indices", () => {
  test("may be empty", async () => {
    const none = xp.zeros([0], { dtype: "int32" });
    sums.launch(none, none);
    await expect(sums.enqueue({}, none, none).wait()).resolves.toBeUndefined();
  });

  test("may be a range or a slice", async () => {
    const x = xp.ones([100], { dtype: "int32" });
    const out = xp.zeros([100], { dtype: "int32" });
    sums.enqueue({ range: [10, 20] }, x, out);
    expect(await out.slice("9:21").toNested()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0]);
    sums.enqueue({ slice: "::-10" }, x, out);
    expect(await out.slice("9::10").toNested()).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  test("support matrices in C order, transposed ones, and broadcast values", async () => {
    const x = xp.arange(6, { dtype: "int32" }).reshape([2, 3]);
    const out = xp.zeros([3, 2], { dtype: "int32" });
    sums.launch(x.T, out);
    expect(await out.data()).toEqual(Int32Array.of(0, 3, 4, 8, 10, 15));
    sums.launch(xp.full([1, 2], 1, { dtype: "int32" }), out);
    expect(await out.ravel().toNested()).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

test("prev is identity at the start of a segment, last is the final total", { tags: "ci" }, async () => {
  const kernel = new ScanKernel("const int *x, int *before, int *all", {
    dtype: "int32",
    scan: "max(a, b)",
    identity: "-7",
    segmentStart: "i % 4 == 0",
    output: "before[i] = prev; all[i] = last;",
  });
  const [before, all] = [xp.zeros([10], { dtype: "int32" }), xp.zeros([10], { dtype: "int32" })];
  kernel.launch(xp.arange(10, { dtype: "int32" }), before, all);
  expect(await before.toNested()).toEqual([-7, 0, 1, 2, -7, 4, 5, 6, -7, 8]);
  expect(await all.toNested()).toEqual(Array.from({ length: 10 }, () => 9));
});

test("waits for events, other queues and out-of-order queues", async () => {
  const other = new CommandQueue(context, { outOfOrder: true });
  const event = new UserEvent(context);
  const x = xp.zeros([50_000], { dtype: "int32" });
  x.assign(xp.ones([50_000], { dtype: "int32" }));
  const out = xp.zeros([50_000], { dtype: "int32" });
  const done = sums.enqueue({ queue: other, waitFor: event }, x, out);
  x.assign(xp.zeros([50_000], { dtype: "int32" }));
  event.complete();
  await done.wait();
  expect(await out.slice("-1:").item()).toBe(50_000);
});

test("rejects invalid arguments", () => {
  const plain = { dtype: "int32", scan: "a + b", identity: "0" } as const;
  expect(() => new ScanKernel("int n", plain)).toThrow(wrongValue("parameters"));
  expect(() => new ScanKernel("int k", plain)).toThrow(wrongValue("parameters"));
  expect(() => new ScanKernel("const int *x", plain)).toThrow(wrongValue("options.output"));
  expect(() => new ScanKernel("const int *x, int *y", { ...plain, exclusive: true, output: "y[i] = prev" })).toThrow(
    wrongValue("options.exclusive"),
  );
  expect(() => new ScanKernel("int *x", { ...plain, dtype: "float16" })).toThrow(wrongType("options.dtype"));
  expect(() => new ScanKernel("int *x", { ...plain, scan: 5 as never })).toThrow(wrongType("options.scan"));
  const x = xp.zeros([5], { dtype: "int32" });
  expect(() => sums.launch(x, xp.zeros([5]) as never)).toThrow(wrongType());
  expect(() => sums.launch(x, xp.zeros([4], { dtype: "int32" }))).toThrow(outOfRange());
  const far = new ScanKernel("const int *x, int *y", { ...plain, input: "x[i] - (i > 0 ? x[i - 1] : 0)" });
  expect(() => far.launch(x, x)).toThrow(wrongValue());
});
