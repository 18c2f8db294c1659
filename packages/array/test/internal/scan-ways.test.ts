/**
 * Scans give the same results with CPU chunks and GPU work-groups.
 *
 * @module-tag full
 */
import { CommandQueue, Context, DeviceType } from "@cl/core";
import { type Arrays, arrays, type DeviceArray, type DTypeName, type ScanOptions } from "@cl/array";
import { expect, test } from "vitest";

import { hasDoubles } from "../support/device.js";
import { treatAs } from "../support/treat-as.js";
import { testsEveryCase } from "@cl/testing/level";

const all: readonly DTypeName[] = [
  "float32",
  "int32",
  "bool",
  "uint8",
  "complex64",
  "float16",
  ...(hasDoubles ? (["float64", "complex128"] as const) : []),
];
/** Each dtype is a dozen kernels to build; families/ tests others. */
const types = testsEveryCase ? all : all.slice(0, 1);
const sizes = testsEveryCase
  ? [1, 255, 2047, 2048, 2049, 4095, 4096, 4097, 8200, 1_100_003]
  : [1, 257, 4095, 4097, 20_011];

/** A separate context, because built kernels are cached per context. */
function on<T>(type: number, run: (xp: Arrays) => T): T {
  using _override = treatAs(type);
  return run(arrays(new CommandQueue(Context.create())));
}

function results(xp: Arrays): ReadonlyMap<string, string> {
  const made = new Map<string, string>();
  for (const dtype of types) {
    // Running sums of float16 are exact while they are small.
    for (const n of dtype === "float16" ? sizes.filter((size) => size < 4100) : sizes) {
      const host = Uint8Array.from({ length: n + 8 }, (_, i) =>
        dtype === "float16" ? Number(i % 17 === 5) : (i * 37) % 11,
      );
      const whole: DeviceArray = xp.fromHost(host).astype<DTypeName>(dtype);
      const starts = xp.fromHost(Uint8Array.from({ length: n }, (_, i) => Number(i % 301 === 7))).astype("bool");
      const note = (name: string, array: DeviceArray): void => {
        const { buffer, byteOffset, byteLength } = array.dataSync();
        made.set(`${dtype} ${n} ${name}`, Buffer.from(buffer, byteOffset, byteLength).toString("base64").slice(-4000));
      };
      const ways: readonly ScanOptions[] = [{}, { exclusive: true }, { starts }, { starts, exclusive: true }];
      for (const options of ways) {
        note(`from 4 ${JSON.stringify(Object.keys(options))}`, whole.slice([4, n + 4]).cumsum(options));
      }
      note("from 1", whole.slice([1, n + 1]).cumsum());
      note("backwards", whole.slice([0, n]).cumsum({ reverse: true }));
      note("max", whole.slice([0, n]).cummax());
      const rows = whole.slice([0, n - (n % 5)]).reshape([-1, 5]);
      note("rows", rows.cumsum({ axis: 1 }));
      note("columns", rows.cumsum({ axis: 0, exclusive: true }));
    }
  }
  return made;
}

test("CPU and GPU scans give the same results for all types, sizes and options", { timeout: 600_000 }, () => {
  const chunks = on(DeviceType.CPU, results);
  const groups = on(DeviceType.GPU, results);
  const different = [...chunks].filter(([name, bytes]) => groups.get(name) !== bytes).map(([name]) => name);
  expect(chunks.size).toBeGreaterThan(8 * types.length);
  expect(different).toEqual([]);
});
