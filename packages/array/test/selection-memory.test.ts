/** Selection, counting and searching release their memory, also after an abort. */
import { CommandQueue } from "@cl/core";
import { type AnyArray, arrays } from "@cl/array";
import { ImmediateAllocator, MemoryPool } from "@cl/tools";
import { expect, test } from "vitest";

import { context } from "./support/device.js";
import { testsEveryCase } from "@cl/testing/level";
import { BuildError } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";

const everyCase = testsEveryCase(import.meta.url);

const queue = new CommandQueue(context);
const pool = new MemoryPool(new ImmediateAllocator(queue));
const xp = arrays(queue, { allocator: pool });

test("releases all memory except the results", { timeout: 240_000 }, async () => {
  const a = xp.fromHost(Float32Array.from({ length: 5000 }, (_, i) => i % 97));
  const ints = a.astype("int32");
  const limit = { parameters: "float limit", args: [50] } as const;
  const calls: readonly (() => unknown)[] = [
    () => xp.copyIf(a.slice("::2"), "a[i] > limit", limit),
    () => xp.copyIf(a, "a[i] > limit", { ...limit, size: 10 }),
    () => xp.partitionIf(a, "a[i] > limit", limit),
    () => xp.bincount(ints),
    () => xp.bincount(ints, { size: 5000, weights: a }),
    () => xp.histogram(a, 7, { weights: a }),
    () => xp.histogram(a, [1, 2, 50], { density: true }),
    () => xp.histogram(a, "doane", { range: [3, 90] }),
    () => xp.histogramBinEdges(ints, "auto"),
    () => xp.searchsorted(a, [1, 2]),
    () => xp.digitize(a, [1, 2]),
    () => xp.interp(a, a, a),
    async () => Object.values(await xp.unique(ints, { returnInverse: true, returnIndex: true, returnCounts: true })),
    () => xp.unique(ints.reshape([100, 50]), { axis: 1 }),
    () => xp.intersect1d(ints, ints.slice("::3")),
    () => xp.setdiff1d(ints, ints.slice(":9")),
    () => xp.uniqueConsecutive(ints),
    () => a.reshape([50, 100]).quantile([0.1, 0.2], { axis: 0 }),
    () => a.nanmedian(),
    () => a.reshape([50, 100]).topk(3, { axis: 0 }),
  ];
  const round = async (): Promise<void> => {
    for (const call of calls) {
      const result = (await call()) as AnyArray | readonly AnyArray[];
      for (const one of [result].flat() as readonly AnyArray[]) one.release();
    }
    await queue.finish();
  };
  await round();
  const views = pool.activeBytes;
  for (let k = 0; k < (everyCase ? 50 : 3); k++) await round();
  expect(pool.activeBytes).toBe(views);
  await expect(xp.copyIf(a, "a[i] > 1", { signal: AbortSignal.abort() })).rejects.toThrow("abort");
  await expect(xp.unique(a, { signal: AbortSignal.abort() })).rejects.toThrow("abort");
  await expect(xp.bincount(ints.negative())).rejects.toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE"));
  expect(() => xp.copyIfSync(a, "no such thing")).toThrow(errorLike(BuildError, "CL_BUILD_PROGRAM_FAILURE"));
});
