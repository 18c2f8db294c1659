/**
 * Small arrays: reductions, scans and selections take one launch, with the results of several.
 *
 * @module-tag ci
 */
import { needs, type Run } from "@cl/base/testing";
import { hasParallelWorkItems } from "@cl/characterize";
import { CommandQueue, Kernel } from "@cl/core";
import { arrays, type DeviceArray, ReductionKernel } from "@cl/array";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";

import { sample } from "@cl/testing/level";
import { context, queue, xp } from "./support/device.js";

const launches = vi.spyOn(Kernel.prototype, "launch");
beforeEach(() => {
  launches.mockClear();
});
afterAll(() => {
  vi.restoreAllMocks();
});

/** Skips a test of kernels in which one work-item loops over all elements. */
function needsLoops(run: Run): void {
  needs(run, !hasParallelWorkItems(queue.device), `'${queue.device.name}' runs work-items in parallel`);
}
const sizes = sample([8193, 1, 1000, 8192, 10_000, 100_000, 1_000_003], 1);

/** Values whose sums depend on the order of additions. */
function valuesOf(size: number): Float32Array {
  return Float32Array.from({ length: size }, (_, k) => Math.sin(k) * 2 ** (k % 20));
}

describe("reductions", () => {
  test.for(sizes)("reduce %i elements by one launch", async (size, run) => {
    needsLoops(run);
    const a = xp.fromHost(valuesOf(size));
    for (const call of sample([() => a.sum(), () => a.max(), () => a.dot(a), () => a.argmin(), () => a.mean()], 2)) {
      await call().data();
      launches.mockClear();
      using result = call();
      expect(launches).toHaveBeenCalledOnce();
      await result.data();
    }
  });

  test.each(sizes)("give the same bits of %i elements as on an out-of-order queue", { tags: "ci" }, async (size) => {
    await using other = new CommandQueue(context, { outOfOrder: true });
    const values = valuesOf(size);
    const [one, two] = [xp.fromHost(values), arrays(other).fromHost(values)];
    expect(await one.sum().data()).toEqual(await two.sum().data());
    expect(await one.var().data()).toEqual(await two.var().data());
    expect(await one.argmax().data()).toEqual(await two.argmax().data());
  });

  test("give the same result again, also after larger and smaller ones", { tags: "ci" }, async () => {
    const kernel = new ReductionKernel("const int *x", { dtype: "int64", map: "x[i]", reduce: "a + b", identity: "0" });
    for (const size of [100, 10_000, 1_000_003, 100_000, 10_000, 300_000, 1_000_003, 10_000, 20_000]) {
      using a = xp.arange(size, { dtype: "int32" });
      const right = (BigInt(size) * BigInt(size - 1)) / 2n;
      expect([await a.sum().item(), await kernel.run(a).item()]).toEqual([right, right]);
    }
  });
});

describe("scans", () => {
  test.for([10_000, 32_768])("scan %i elements by one launch", async (size, run) => {
    needsLoops(run);
    const a = xp.fromHost(valuesOf(size));
    const out = xp.empty([size], { dtype: "float32" });
    await a.cumsum({ out }).data();
    launches.mockClear();
    a.cumsum({ out });
    expect(launches).toHaveBeenCalledOnce();
  });

  test.each([32_768, 32_769])("scan %i elements in place, reversed and by rows", { tags: "ci" }, async (size) => {
    const values = Int32Array.from({ length: size }, (_, k) => (k * 7919) % 101);
    const sums = values.slice();
    for (let k = 1; k < size; k++) sums[k] = (sums[k] as number) + (sums[k - 1] as number);
    const a = xp.fromHost(values);
    const options = { dtype: "int32" } as const;
    const rows = xp.fromHost(values).broadcastTo([3, size]).copy().cumsum({ dtype: "int32", axis: 1 });
    expect(await rows.slice(2).data()).toEqual(sums);
    const exclusive = sums.map((sum, k) => sum - (values[k] as number));
    expect(await a.cumsum({ ...options, exclusive: true }).data()).toEqual(exclusive);
    const fromEnd = exclusive.map((before) => (sums.at(-1) as number) - before);
    expect(await a.cumsum({ ...options, reverse: true }).data()).toEqual(fromEnd);
    expect(await a.cumsum({ ...options, out: a }).data()).toEqual(sums);
  });

  test("give the bits of a longer scan if each work-item loops over its elements", { tags: "ci" }, async (run) => {
    needsLoops(run);
    // The first 4 chunks of 32,768 elements, and as rows of a scan that is too long for one work-item.
    const size = 32_768;
    const values = valuesOf(size);
    const one = await xp.fromHost(values).cumsum().data();
    const rows = xp.fromHost(values).broadcastTo([3, size]).copy();
    expect(await rows.cumsum({ axis: 1 }).slice(1).data()).toEqual(one);
  });
});

describe("masks", () => {
  const total = 131_072;
  const numbers = Int32Array.from({ length: total }, (_, k) => (k * 7919) % 1000);

  test.for([false, true])("select elements by one command, with a mask that is pending: %s", async (pending, run) => {
    needsLoops(run);
    const a = xp.fromHost(numbers);
    using mask = a.less(500).eval();
    const select = (limit: number): Promise<DeviceArray> => a.at(pending ? a.multiply(2).less(limit) : mask);
    // Builds the kernel of the mask, which else is built meanwhile.
    await xp.prepare(() => select(0));
    for (let k = 0; k < 3; k++) (await select(k)).release();
    const commands = [vi.spyOn(Kernel.prototype, "enqueue"), vi.spyOn(CommandQueue.prototype, "enqueueCopy"), launches];
    for (const spy of commands) spy.mockClear();
    using selected = await select(500);
    expect(commands.map((spy) => spy.mock.calls.length)).toEqual([1, 0, 0]);
    const limit = pending ? 250 : 500;
    expect(await selected.data()).toEqual(numbers.filter((one) => one < limit));
  });

  test.each(sample([10, 251, 0, 250, 1000], 2))("select elements below %i of 1000", { tags: "ci" }, async (limit) => {
    for (const size of [1, 17, 64, 1000, total, total + 1]) {
      const host = Int32Array.from({ length: size }, (_, k) => (k * 7919) % 1000);
      const a = xp.fromHost(host);
      const expected = host.filter((one) => one < limit);
      const selected = await a.at(a.less(limit));
      expect(await selected.data()).toEqual(expected);
      expect(a.atSync(a.less(limit)).dataSync()).toEqual(expected);
      // The result is an array like others: views, operators and stores.
      expect(await selected.add(1).sum().item()).toBe(BigInt(expected.reduce((sum, one) => sum + one + 1, 0)));
      expect(await selected.assign(7).data()).toEqual(expected.fill(7));
    }
  });
});

test("repeated reductions of pending values are those of eager arrays", { tags: "full" }, async () => {
  const eager = arrays(queue, { eager: true });
  // Sums are exact, since their order depends on the layout.
  const exact = (size: number): Float32Array => Float32Array.from({ length: size }, (_, k) => ((k * 7919) % 13) - 6);
  const calls = (own: typeof xp, size: number, factor: number): DeviceArray[] => {
    const [a, b] = [exact(size), exact(size).toReversed()].map((values) => own.fromHost(values)) as [
      DeviceArray<"float32">,
      DeviceArray<"float32">,
    ];
    const half = Math.floor(size / 2);
    const [even, odd] = [a.slice(`:${2 * half}:2`), a.slice(`1:${2 * half}:2`)];
    return [
      a.mul(b).sum(),
      a.mul(a).sum(),
      a.sub(b).mul(factor).max(),
      odd.mul(even.mul(factor)).sum({ keepDims: true }),
      b
        .slice(`:${2 * half}`)
        .reshape([2, half])
        .mul(odd)
        .sum({ axis: 1 }),
      a.mul(factor).sum({ initial: factor }),
      a.mul(b).mean(),
    ];
  };
  await xp.prepare(() => calls(xp, 1000, 2));
  for (const size of [1000, 1000, 10_000, 1001, 1000]) {
    for (const factor of [3, -0.5]) {
      for (const [k, one] of calls(xp, size, factor).entries()) {
        const expected = calls(eager, size, factor)[k] as DeviceArray;
        expect(await one.data(), `${size} ${factor} ${k}`).toEqual(await expected.data());
      }
    }
  }
});
