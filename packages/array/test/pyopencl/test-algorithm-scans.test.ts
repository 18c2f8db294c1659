/** PyOpenCL's test_algorithm.py, re-expressed: scans and the algorithms built on them. */
import { type DeviceArray, ScanKernel } from "@cl/array";
import { describe, expect, test } from "vitest";

import { hasDoubles, xp } from "../support/device.js";
import { testsEveryCase } from "@cl/testing/level";
import { Draw } from "../support/numpy-eval.js";

const everyCase = testsEveryCase(import.meta.url);

const few = [1, 10, 255, 256, 257, 1019, 1024, 1029, 4091, 4096, 4101];
const many = [2 ** 20 - 2 ** 18, 2 ** 20 - 2 ** 18 + 5, 2 ** 20 + 1, 2 ** 20, 2 ** 23 + 3];
const counts = everyCase ? [...few, ...many] : [...few, 2 ** 18 + 5];

function digits(n: number, below = 10): Int32Array {
  const draw = new Draw(n + 17);
  return Int32Array.from({ length: n }, () => draw.integer(0, below - 1));
}

/** The first index at which two lists differ. */
function difference(actual: ArrayLike<number | bigint>, right: ArrayLike<number | bigint>): string | undefined {
  if (actual.length !== right.length) return `${actual.length} elements instead of ${right.length}`;
  for (let i = 0; i < right.length; i++) {
    if (Number(actual[i]) !== Number(right[i])) return `[${i}] is ${actual[i]} instead of ${right[i]}`;
  }
  return undefined;
}

function sumsOf(values: Int32Array, exclusive: boolean, starts: (i: number) => boolean = () => false): Int32Array {
  let sum = 0;
  return values.map((value, i) => {
    if (starts(i)) sum = 0;
    const before = sum;
    sum += value;
    return exclusive ? before : sum;
  });
}

test("inclusive and exclusive sums (test_scan)", { timeout: 300_000 }, async () => {
  for (const dtype of ["int32", "int64"] as const) {
    const type = dtype === "int32" ? "int" : "long";
    const options = { dtype, scan: "a + b", identity: "0" } as const;
    const inclusive = new ScanKernel(`const ${type} *x, ${type} *out`, options);
    const exclusive = new ScanKernel(`const ${type} *x, ${type} *out`, { ...options, exclusive: true });
    for (const n of counts) {
      const host = digits(n);
      const x = xp.array(host).astype(dtype) as DeviceArray<never>;
      const out: DeviceArray<never> = xp.emptyLike(x);
      inclusive.launch(x, out);
      expect(difference(await out.data(), sumsOf(host, false)), `${dtype} ${n}`).toBeUndefined();
      exclusive.launch(x, out);
      expect(difference(await out.data(), sumsOf(host, true)), `${dtype} ${n}`).toBeUndefined();
    }
  }
});

test("supports arrays with offsets and strides (test_scan_with_vectorargs_with_offsets)", async (run) => {
  if (!hasDoubles) run.skip("the device has no float64");
  const kernel = new ScanKernel("const double *values, double *result, const int *starts", {
    dtype: "float64",
    input: "values[i]",
    scan: "a + b",
    identity: "0",
    segmentStart: "starts[i] != 0",
    output: "result[i] = item",
  });
  const n = 20;
  const base = xp.arange(3 * n, { dtype: "float64" });
  const right = (first: number, step: number): number[] => {
    let sum = 0;
    return Array.from({ length: n }, (_, i) => (sum += first + i * step));
  };
  const starts = xp.zeros([n], { dtype: "int32" });
  const results = xp.zeros([n, 3], { dtype: "float64" });
  for (const [part, first, step] of [
    [`5:${5 + n}`, 5, 1],
    [`1:${1 + 2 * n}:2`, 1, 2],
    [`${n - 1}::-1`, n - 1, -1],
  ] as const) {
    for (const result of [xp.zeros([n], { dtype: "float64" }), results.slice(":", 1), results.slice("::-1", 2)]) {
      kernel.launch(base.slice(part), result, starts);
      expect(await result.toNested(), part).toEqual(right(first, step));
    }
  }
});

test("compacts selected elements (test_copy_if, test_partition)", { timeout: 300_000 }, async () => {
  const kernel = new ScanKernel("const int *ary, int *selected, int *others, int limit, int *count", {
    dtype: "int32",
    input: "ary[i] > limit ? 1 : 0",
    scan: "a + b",
    identity: "0",
    output: "if (prev != item) selected[prev] = ary[i]; else others[i - item] = ary[i]; if (i == 0) count[0] = last;",
  });
  for (const n of counts) {
    const host = digits(n, 1000);
    const [selected, others] = [xp.zeros([n], { dtype: "int32" }), xp.zeros([n], { dtype: "int32" })];
    const count = xp.zeros([1], { dtype: "int32" });
    kernel.enqueue({ range: n }, xp.array(host), selected, others, 300, count);
    const right = host.filter((value) => value > 300);
    expect(await count.item(), String(n)).toBe(right.length);
    expect(difference((await selected.data()).slice(0, right.length), right), String(n)).toBeUndefined();
    const rest = host.filter((value) => value <= 300);
    expect(difference((await others.data()).slice(0, rest.length), rest), String(n)).toBeUndefined();
  }
});

test("reads the previous element (test_unique)", async () => {
  const kernel = new ScanKernel("const int *x, int *out, int *count", {
    dtype: "int32",
    input: "i == 0 || x[i] != x[i - 1] ? 1 : 0",
    scan: "a + b",
    identity: "0",
    output: "if (prev != item) out[prev] = x[i]; if (i == n - 1) count[0] = item;",
  });
  for (const n of counts) {
    const host = digits(n, 1000).toSorted();
    const [out, count] = [xp.zeros([n], { dtype: "int32" }), xp.zeros([1], { dtype: "int32" })];
    kernel.enqueue({ range: n }, xp.array(host), out, count);
    const right = [...new Set(host)];
    expect(await count.item()).toBe(right.length);
    expect(difference((await out.data()).slice(0, right.length), right), String(n)).toBeUndefined();
  }
});

describe("non-commutative operations", () => {
  test("keep the last of two (test_index_preservation)", async () => {
    const kernel = new ScanKernel("int *out", { dtype: "int32", input: "i", scan: "b", identity: "0" });
    for (const n of counts) {
      const out = xp.zeros([n], { dtype: "int32" });
      kernel.launch(out);
      expect(
        difference(
          await out.data(),
          Int32Array.from({ length: n }, (_, i) => i),
        ),
        String(n),
      ).toBeUndefined();
    }
  });

  test("compose maps x → ax + b, modulo a prime", async () => {
    const kernel = new ScanKernel("const uint *x, uint2 *out", {
      dtype: "uint32x2",
      input: "(uint2)(x[i] + 1, x[i])",
      scan: "(uint2)((uint)((ulong)a.x * b.x % 65521), (uint)(((ulong)a.y * b.x + b.y) % 65521))",
      identity: "(uint2)(1, 0)",
    });
    for (const n of few) {
      const host = digits(n);
      const out = xp.records("uint32x2", [n]);
      kernel.launch(xp.array(Uint32Array.from(host)), out);
      let [a, b] = [1n, 0n];
      const right = [...host].flatMap((value) => {
        const [x, y] = [BigInt(value) + 1n, BigInt(value)];
        [a, b] = [(a * x) % 65_521n, (b * x + y) % 65_521n];
        return [a, b];
      });
      expect(difference(new Uint32Array((await out.data()).buffer as ArrayBuffer), right), String(n)).toBeUndefined();
    }
  });
});

test("segments begin at their flags (test_segmented_scan)", { timeout: 300_000 }, async () => {
  const options = { dtype: "int32", input: "x[i]", scan: "a + b", identity: "0", segmentStart: "starts[i]" } as const;
  const parameters = "const int *x, const uchar *starts, int *out";
  const kernels = [
    new ScanKernel(parameters, { ...options, output: "out[i] = item" }),
    new ScanKernel(parameters, { ...options, output: "out[i] = prev" }),
  ];
  for (const n of counts) {
    const host = digits(n);
    const draw = new Draw(n);
    const sets =
      n === 10
        ? [
            [0, 9],
            [0, 3],
            [4, 6],
          ]
        : Array.from({ length: n > 10_000 ? 2 : 10 }, () => [
            ...Array.from({ length: draw.integer(0, 20) }, () => draw.integer(0, n - 1)),
            ...(n >= 1029 ? [1028] : []),
          ]);
    for (const set of sets) {
      const starts = new Uint8Array(n);
      for (const i of set) starts[i] = 1;
      const [x, flags, out] = [xp.array(host), xp.array(starts), xp.zeros([n], { dtype: "int32" })];
      for (const [k, kernel] of kernels.entries()) {
        kernel.launch(x, flags, out);
        const right = sumsOf(host, k === 1, (i) => starts[i] === 1);
        expect(difference(await out.data(), right), `${n}: ${set.join()}`).toBeUndefined();
      }
    }
  }
});
