/** Small arrays: reductions, scans and selections take one launch, with the results of several. */
import { needs, type Run } from "@cl/base/testing";
import { hasParallelWorkItems } from "@cl/characterize";
import { CommandQueue, Kernel } from "@cl/core";
import { arrays, type DeviceArray, ReductionKernel } from "@cl/array";
import { ImmediateAllocator, MemoryPool } from "@cl/tools";
import { beforeEach, describe, expect, test, vi } from "vitest";

import { context, queue, xp } from "./support/device.js";

const launches = vi.spyOn(Kernel.prototype, "launch");
beforeEach(() => {
  launches.mockClear();
});

/** Skips a test of kernels in which one work-item loops over all elements. */
function needsLoops(run: Run): void {
  needs(run, !hasParallelWorkItems(queue.device), `'${queue.device.name}' runs work-items in parallel`);
}
const sizes = [1, 1000, 8192, 8193, 10_000, 100_000, 1_000_003] as const;

/** Values whose sums depend on the order of additions. */
function valuesOf(size: number): Float32Array {
  return Float32Array.from({ length: size }, (_, k) => Math.sin(k) * 2 ** (k % 20));
}

describe("reductions", () => {
  test.for(sizes)("reduce %i elements by one launch", async (size, run) => {
    needsLoops(run);
    const a = xp.fromHost(valuesOf(size));
    const calls = [() => a.sum(), () => a.max(), () => a.dot(a), () => a.argmin(), () => a.mean()];
    for (const call of calls) await call().data();
    for (const call of calls) {
      launches.mockClear();
      using result = call();
      expect(launches).toHaveBeenCalledOnce();
      await result.data();
    }
  });

  test.each(sizes)("give the same bits of %i elements as on an out-of-order queue", async (size) => {
    await using other = new CommandQueue(context, { outOfOrder: true });
    const values = valuesOf(size);
    const [one, two] = [xp.fromHost(values), arrays(other).fromHost(values)];
    expect(await one.sum().data()).toEqual(await two.sum().data());
    expect(await one.var().data()).toEqual(await two.var().data());
    expect(await one.argmax().data()).toEqual(await two.argmax().data());
  });

  test("give the same result again, also after larger and smaller ones", async () => {
    const expected = new Map<number, number>();
    for (const size of [10_000, 1_000_003, 100_000, 10_000, 20_000, 1_000_003, 10_000, 100_000, 20_000]) {
      using a = xp.fromHost(Int32Array.from({ length: size }, (_, k) => k % 7));
      const sum = Number(await a.sum().item());
      expect(sum).toBe(expected.get(size) ?? Array.from({ length: size }, (_, k) => k % 7).reduce((x, y) => x + y, 0));
      expected.set(size, sum);
    }
  });

  test("of user kernels combine large accumulators", async () => {
    const kernel = new ReductionKernel("const int *x", { dtype: "int64", map: "x[i]", reduce: "a + b", identity: "0" });
    for (const size of [100, 20_000, 300_000, 20_000]) {
      using x = xp.arange(size, { dtype: "int32" });
      expect(await kernel.run(x).item()).toBe(BigInt((size * (size - 1)) / 2));
    }
  });
});

describe("scans", () => {
  test.for([1000, 10_000, 32_768])("scan %i elements by one launch", async (size, run) => {
    needsLoops(run);
    const a = xp.fromHost(valuesOf(size));
    const out = xp.empty([size], { dtype: "float32" });
    await a.cumsum({ out }).data();
    launches.mockClear();
    a.cumsum({ out });
    expect(launches).toHaveBeenCalledOnce();
  });

  test.each([10_000, 32_768, 32_769])(
    "give the same results of %i elements in place, reversed and by rows",
    async (size) => {
      const values = Int32Array.from({ length: size }, (_, k) => (k * 7919) % 101);
      const sums = values.slice();
      for (let k = 1; k < size; k++) sums[k] = (sums[k] as number) + (sums[k - 1] as number);
      const a = xp.fromHost(values);
      const options = { dtype: "int32" } as const;
      expect(await a.cumsum(options).data()).toEqual(sums);
      const rows = xp.fromHost(values).reshape([1, size]).broadcastTo([3, size]).copy();
      expect(
        await rows
          .cumsum({ ...options, axis: 1 })
          .slice(2)
          .data(),
      ).toEqual(sums);
      const exclusive = Int32Array.from(sums, (sum, k) => sum - (values[k] as number));
      expect(await a.cumsum({ ...options, exclusive: true }).data()).toEqual(exclusive);
      const fromEnd = exclusive.map((before) => (sums.at(-1) as number) - before);
      expect(await a.cumsum({ ...options, reverse: true }).data()).toEqual(fromEnd);
      expect(await a.cumsum({ ...options, out: a }).data()).toEqual(sums);
    },
  );

  test("give the bits of a longer scan if each work-item loops over its elements", async (run) => {
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

  test("select elements by one command", async (run) => {
    needsLoops(run);
    const a = xp.fromHost(numbers);
    using mask = a.less(500).eval();
    (await a.at(mask)).release();
    const commands = [vi.spyOn(Kernel.prototype, "enqueue"), launches, vi.spyOn(CommandQueue.prototype, "enqueueCopy")];
    for (const spy of commands) spy.mockClear();
    using selected = await a.at(mask);
    expect(commands.map((spy) => spy.mock.calls.length)).toEqual([1, 0, 0]);
    expect(await selected.data()).toEqual(numbers.filter((one) => one < 500));
  });

  test("compute a pending mask by the same command", async (run) => {
    needsLoops(run);
    const a = xp.fromHost(numbers);
    const select = (limit: number): Promise<DeviceArray> => a.at(a.multiply(2).less(limit));
    for (let k = 0; k < 3; k++) (await select(k)).release();
    const commands = [vi.spyOn(Kernel.prototype, "enqueue"), launches];
    for (const spy of commands) spy.mockClear();
    using selected = await select(500);
    expect(commands.map((spy) => spy.mock.calls.length)).toEqual([1, 0]);
    expect(await selected.data()).toEqual(numbers.filter((one) => 2 * one < 500));
  });

  test("a pending mask may depend on views and broadcast arrays, and keeps its values", async () => {
    const calls = (own: typeof xp): [DeviceArray, DeviceArray<"bool">][] => {
      const a = own.fromHost(numbers).reshape([256, 512]);
      const limits = own.fromHost(Int32Array.from({ length: 512 }, (_, k) => 2 * k));
      const masks = [a.less(limits), a.less(a.slice("::-1")), a.T.less(500).T, a.less(a.add(limits).remainder(700))];
      return masks.map((mask) => [a, mask]);
    };
    const expected = calls(arrays(queue, { eager: true }));
    for (const [k, [a, mask]] of calls(xp).entries()) {
      const [same, flags] = expected[k] as (typeof expected)[number];
      for (let round = 0; round < 3; round++) {
        expect(await a.at(mask).then((one) => one.data())).toEqual(same.atSync(flags).dataSync());
      }
      expect(await mask.data()).toEqual(await flags.data());
    }
  });

  test("a mask has the values before its operands change", async () => {
    const a = xp.fromHost(numbers);
    const values = xp.fromHost(numbers);
    const mask = values.less(500);
    const selected = a.at(mask);
    values.assign(0);
    expect(await selected.then((one) => one.data())).toEqual(numbers.filter((one) => one < 500));
    expect(await mask.sum().item()).toBe(BigInt(numbers.filter((one) => one < 500).length));
  });

  test.each([0, 1, 10, 249, 250, 251, 500, 999, 1000])("select elements below %i of 1000", async (limit) => {
    for (const size of [1, 17, 64, 1000, total, total + 1]) {
      const host = Int32Array.from({ length: size }, (_, k) => (k * 7919) % 1000);
      const a = xp.fromHost(host);
      const expected = host.filter((one) => one < limit);
      const selected = await a.at(a.less(limit));
      expect(await selected.data()).toEqual(expected);
      expect(selected.shape).toEqual([expected.length]);
      expect(a.atSync(a.less(limit)).dataSync()).toEqual(expected);
      // The result is an array like others: views, operators and stores.
      expect(await selected.add(1).sum().item()).toBe(BigInt(expected.reduce((sum, one) => sum + one + 1, 0)));
      expect(await selected.assign(7).data()).toEqual(expected.fill(7));
    }
  });

  test.each(["bool", "uint8", "float16", "float32", "complex64"] as const)("select elements of %s", async (dtype) => {
    const a = xp.fromHost(numbers).remainder(2).astype(dtype);
    const flags = xp.fromHost(numbers).less(700);
    const kept = [...numbers.keys()].filter((k) => (numbers[k] as number) < 700);
    expect(await a.at(flags).then((one) => one.data())).toEqual(await a.take(kept).data());
    const square = [a, flags].map((one) => one.reshape([256, 512])) as [DeviceArray, DeviceArray<"bool">];
    expect(await square[0].at(square[1]).then((one) => one.data())).toEqual(await a.take(kept).data());
  });

  test("keep the memory of few elements only", async () => {
    const pool = new MemoryPool(new ImmediateAllocator(queue));
    const own = arrays(queue, { allocator: pool });
    const a = own.fromHost(numbers);
    using mask = a.less(3).eval();
    const before = pool.activeBytes;
    using few = await a.at(mask);
    expect(pool.activeBytes - before).toBeLessThan(4096);
    expect(few.size).toBe(numbers.filter((one) => one < 3).length);
  });
});

describe("reductions of pending values", () => {
  test("give the values of eager arrays when they are repeated with other arrays, scalars and layouts", async () => {
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
        a.mul(factor).sum(),
        a.sub(b).mul(factor).max(),
        even.mul(odd).sum(),
        odd.mul(even.mul(factor)).sum({ keepDims: true }),
        a
          .slice(`:${2 * half}`)
          .reshape([2, half])
          .mul(b.slice(`:${half}`))
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

  test("make no views when they are repeated", async () => {
    const [a, b] = [xp.fromHost(valuesOf(1000)), xp.fromHost(valuesOf(1000))];
    const call = (): DeviceArray => a.mul(b).sum();
    await xp.prepare(call);
    call().release();
    launches.mockClear();
    // Makes every array; the published types do not name it.
    const views = vi.spyOn(Object.getPrototypeOf(xp) as { wrap: () => DeviceArray }, "wrap");
    call().release();
    expect(launches).toHaveBeenCalledOnce();
    // The product and its sum.
    expect(views).toHaveBeenCalledTimes(2);
    views.mockRestore();
  });
});
