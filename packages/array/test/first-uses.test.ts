/**
 * First uses of functions: kernels are built without blocking the event loop, and results are those of built kernels.
 *
 * @module-tag ci
 */
import { CommandQueue, Context, Program } from "@cl/core";
import { type Arrays, arrays, type DeviceArray } from "@cl/array";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { pooled } from "./support/pooled.js";

import { outOfRange, wrongState, wrongType } from "@cl/testing/error-like";
import { sample } from "@cl/testing/level";
import { queue as sharedQueue } from "./support/device.js";

const blocking = vi.spyOn(Program.prototype, "buildSync");
const builds = vi.spyOn(Program.prototype, "build");

beforeEach(() => {
  blocking.mockClear();
  builds.mockClear();
});

/** A factory whose context has no kernels yet. */
function newFactory(): Arrays {
  return arrays(new CommandQueue(new Context([sharedQueue.device])));
}

/** An array of such a factory. */
function newArray(): { readonly xp: Arrays; readonly a: DeviceArray<"float32"> } {
  const xp = newFactory();
  return { xp, a: xp.array([3, 1, 2], { dtype: "float32" }) };
}

function matrixOf(xp: Arrays): DeviceArray<"float32"> {
  return xp.fromHost(Float32Array.of(4, 1, 2, 1, 5, 3, 2, 3, 6)).reshape([3, 3]);
}

describe("an awaited first use does not wait for the compiler", () => {
  const calls: readonly (readonly [string, (xp: Arrays, a: DeviceArray<"float32">) => unknown])[] = [
    ["mean", (_, a) => a.mean().item()],
    ["sort", (_, a) => a.sort().data()],
    ["matmul", (_, a) => a.matmul(a).data()],
    ["fft", (xp, a) => xp.fft.fft(a).data()],
    ["svd", async (xp, a) => Promise.all(xp.linalg.svd(a).map((part) => part.data()))],
    ["solve", (xp, a) => xp.linalg.solve(a, a).data()],
    ["cumsum", (_, a) => a.cumsum().data()],
    ["median", (_, a) => a.median().item()],
    ["take", (_, a) => a.take([2, 0]).data()],
    ["operators", (_, a) => a.mul(2).add(a).sub(1).sum().data()],
    ["unique", async (xp, a) => (await xp.unique(a)).data()],
    ["unique rows", async (xp, a) => (await xp.unique(a, { axis: 0 })).data()],
    ["nonzero", async (_, a) => Promise.all((await a.nonzero()).map((axis) => axis.data()))],
    ["a mask", async (_, a) => (await a.at(a.greater(2))).data()],
    ["copyIf", async (xp, a) => (await xp.copyIf(a, "a[i] > 2")).data()],
    ["a view that is not contiguous", (_, a) => a.T.data()],
    ["fft of a prime length", (xp) => xp.fft.fft(xp.array(Float32Array.from({ length: 97 }, (_, k) => k))).data()],
    ["softmax", (xp, a) => xp.special.softmax(a, { axis: 1 }).data()],
    ["random numbers", (xp) => xp.random(1).normal([7], { dtype: "float32" }).data()],
    ["random vectors", (xp) => xp.random(1).uniform([7], { dtype: "float4" }).components.data()],
    ["poisson counts", (xp, a) => xp.random(1).poisson([3, 3], { lam: a, dtype: "int32" }).data()],
    ["permutation", (xp) => xp.random(1).permutation(3000).data()],
    ["operators with out", (_, a) => a.add(1, { out: a }).data()],
    ["cumsum with out", (_, a) => a.cumsum({ axis: 1, out: a }).data()],
    ["assign", (_, a) => a.assign(a.T).data()],
    ["setAt", (_, a) => a.setAt([[0, 2]], 7).data()],
    ["addAt", (_, a) => a.addAt([[0, 2, 2]], 1).data()],
    ["shuffle", (xp, a) => xp.random(1).shuffle(a).data()],
  ];
  test.each(sample(calls, 4))("%s", async (_, run) => {
    const xp = newFactory();
    const value = await run(xp, matrixOf(xp));
    expect(blocking).not.toHaveBeenCalled();
    const eager = arrays(sharedQueue, { eager: true });
    expect(value).toEqual(await run(eager, matrixOf(eager)));
  });
});

describe("a call whose kernels are not built", () => {
  test("computes from the values at the time of the call", async () => {
    const { a } = newArray();
    const sorted = a.sort();
    const doubled = a.sort().mul(2);
    a.assign(0);
    expect([await sorted.data(), await doubled.data()]).toEqual([Float32Array.of(1, 2, 3), Float32Array.of(2, 4, 6)]);
    expect(await a.data()).toEqual(Float32Array.of(0, 0, 0));
  });

  test("keeps arguments that are released or changed", async () => {
    const { a } = newArray();
    const indices = [2, 2, 0];
    const taken = a.take(indices);
    indices.fill(1);
    a.release();
    expect(await taken.data()).toEqual(Float32Array.of(2, 2, 3));
  });

  test("starts one build in each turn of the event loop", async () => {
    const xp = newFactory();
    const parts = xp.linalg.svd(matrixOf(xp));
    expect(builds.mock.calls.length).toBeLessThanOrEqual(1);
    await Promise.all(parts.map((part) => part.data()));
    expect(builds.mock.calls.length).toBeGreaterThan(1);
  });

  test("can be read blocking", () => {
    expect(newArray().a.sort().dataSync()).toEqual(Float32Array.of(1, 2, 3));
    expect(blocking).toHaveBeenCalled();
  });

  test("is read before the result is overwritten", async () => {
    const sorted = newArray().a.sort();
    const reading = sorted.data();
    sorted.assign(0);
    expect(await reading).toEqual(Float32Array.of(1, 2, 3));
    expect(await sorted.data()).toEqual(Float32Array.of(0, 0, 0));
  });

  test("reports errors of its values at the next wait, though its result is released", async () => {
    const { xp, a } = newArray();
    a.take(xp.array([7], { dtype: "int32" })).release();
    await expect(a.data()).rejects.toThrow(outOfRange());
    expect(await a.data()).toEqual(Float32Array.of(3, 1, 2));
  });

  test("that returns a promise prevents changes of its arguments until it has read them", async () => {
    const xp = newFactory();
    const a = xp.array([1, 0, 2], { dtype: "int32" });
    const selected = a.at(a.greater(0));
    expect(() => a.assign(5)).toThrow(wrongState());
    expect(await (await selected).data()).toEqual(Int32Array.of(1, 2));
  });

  test.each<[string, (xp: Arrays, a: DeviceArray<"int32">) => DeviceArray | Promise<DeviceArray | undefined>]>([
    ["at(mask)", (xp, a) => a.at(xp.array([true, false, true, true, true, true]))],
    ["at(mask of rows)", (xp, a) => a.reshape([3, 2]).at(xp.array([true, false, true]))],
    ["nonzero", async (_, a) => (await a.nonzero())[0]],
    ["unique", (xp, a) => xp.unique(a)],
    ["bincount", (xp, a) => xp.bincount(a)],
    ["histogram", (xp, a) => xp.histogram(a, [0, 2, 4, 8])[0]],
    ["setdiff1d", (xp, a) => xp.setdiff1d(a, xp.array([1], { dtype: "int32" }))],
  ])("protects an argument whose own kernels are not built: %s", async (_, read) => {
    const xp = newFactory();
    const sums = xp.array([1, 0, 2, 0, 1, 3], { dtype: "int32" }).cumsum({ dtype: "int32" });
    const result = read(xp, sums);
    // Some have read it already.
    try {
      sums.assign(0);
    } catch (error) {
      expect(error).toEqual(wrongState());
    }
    const expected = await read(xp, xp.array([1, 1, 3, 3, 4, 7], { dtype: "int32" }));
    expect(await (await result)?.toNested()).toEqual(await expected?.toNested());
  });

  test("that changes an array may come before a promise to read it", async () => {
    const { a } = newArray();
    a.sort({ out: a });
    const kept = a.at(a.less(3));
    expect(a.dataSync()).toEqual(Float32Array.of(1, 2, 3));
    expect(await (await kept).toNested()).toEqual([1, 2]);
    const { a: b } = newArray();
    b.assign(b.sort());
    expect(b.atSync(b.less(3)).dataSync()).toEqual(Float32Array.of(1, 2));
  });

  test("that returns a promise may reject before its kernels are built", async () => {
    const xp = newFactory();
    const a = xp.array([1, 0, 2], { dtype: "int32" });
    const reasons: unknown[] = [];
    const listen = (reason: unknown): void => void reasons.push(reason);
    process.on("unhandledRejection", listen);
    try {
      const controller = new AbortController();
      const selected = a.at(a.greater(0), { signal: controller.signal });
      // Starts the call, since it reads the array.
      expect(() => a.assign(5)).toThrow(wrongState());
      controller.abort(new Error("enough"));
      await expect(selected).rejects.toThrow(expect.objectContaining({ message: "enough" }));
    } finally {
      process.off("unhandledRejection", listen);
    }
    expect(reasons).toEqual([]);
  });

  test("that changes an array comes after earlier readers and before later ones", async () => {
    const { a } = newArray();
    const sorted = a.sort();
    const doubled = a.mul(2);
    const reading = a.data();
    expect(a.cumsum({ out: a })).toBe(a);
    const between = a.sub(1);
    a.mul(a, { out: a });
    const largest = a.max();
    a.slice([1, 3]).assign(0);
    expect(blocking).not.toHaveBeenCalled();
    expect(await reading).toEqual(Float32Array.of(3, 1, 2));
    expect(await a.data()).toEqual(Float32Array.of(9, 0, 0));
    expect(await largest.item()).toBe(36);
    expect(await between.data()).toEqual(Float32Array.of(2, 3, 5));
    expect([await sorted.data(), await doubled.data()]).toEqual([Float32Array.of(1, 2, 3), Float32Array.of(6, 2, 4)]);
    expect(blocking).not.toHaveBeenCalled();
  });

  test("that changes an array is enqueued by blocking reads, whatever is read first", () => {
    const { xp, a } = newArray();
    const sorted = a.sort();
    a.cumsum({ out: a });
    const sum = a.sum();
    expect([sum.dataSync(), sorted.dataSync(), a.dataSync()]).toEqual([
      Float32Array.of(13),
      Float32Array.of(1, 2, 3),
      Float32Array.of(3, 4, 6),
    ]);
    const b = xp.array([3, 1, 2], { dtype: "int16" });
    const earlier = b.sort();
    b.cumsum({ out: b });
    expect([earlier.dataSync(), b.dataSync()]).toEqual([Int16Array.of(1, 2, 3), Int16Array.of(3, 4, 6)]);
  });

  test("that changes an array reads its arguments at the time of the call", async () => {
    const { xp, a } = newArray();
    const b = xp.array([1, 1, 1], { dtype: "float32" });
    b.cumsum({ out: b });
    a.add(b, { out: a });
    b.assign(a);
    a.assign(0);
    expect(await b.data()).toEqual(Float32Array.of(4, 3, 5));
    expect(await a.data()).toEqual(Float32Array.of(0, 0, 0));
    expect(blocking).not.toHaveBeenCalled();
  });

  test("that changes an array is enqueued before the array is given to others", async () => {
    const { xp, a } = newArray();
    a.cumsum({ out: a });
    expect(await a.asDeviceView().read(xp.queue)).toEqual(Float32Array.of(3, 4, 6));
    // Others may change the memory from now on.
    blocking.mockClear();
    a.sort();
    expect(blocking).toHaveBeenCalled();
  });

  test("that changes an array through another queue comes in order", async () => {
    const { xp, a } = newArray();
    const b = a.withQueue(new CommandQueue(xp.queue.context));
    a.cumsum({ out: a });
    b.mul(2, { out: b });
    a.add(1, { out: a });
    expect(await b.data()).toEqual(Float32Array.of(7, 9, 13));
  });

  test("draws the same numbers as one whose kernels are built", { tags: "full" }, async () => {
    const draw = async (xp: Arrays): Promise<readonly unknown[]> => {
      const random = xp.random(5);
      const first = random.normal([5], { dtype: "float32" });
      const second = random.uniform([5], { dtype: "float32" });
      const { state } = random;
      const third = random.choice(100, [4]);
      const out = xp.zeros([4], { dtype: "float32" });
      random.exponential([4], { out });
      const again = random.normal([5], { dtype: "float32" });
      const values = [out, third, again, second, first].map((array) => array.data());
      return [...(await Promise.all(values)), state, random.state];
    };
    const xp = newFactory();
    const cold = await draw(xp);
    expect(blocking).not.toHaveBeenCalled();
    expect(cold).toEqual(await draw(xp));
    expect(cold).toEqual(await draw(arrays(sharedQueue, { eager: true })));
  });

  test("is bounded in number in a loop without awaits", () => {
    const { a } = newArray();
    const sums = Array.from({ length: 200 }, () => a.sum());
    expect(blocking).toHaveBeenCalled();
    expect(new Set(sums.map((sum) => sum.dataSync()[0]))).toEqual(new Set([6]));
  });

  test("gives its memory back", { tags: "full" }, async () => {
    const { pool, xp } = pooled();
    const before = pool.activeBytes;
    await xp.scope(async () => {
      const a = xp.arange(1000, { dtype: "int16" });
      const results = [a.sort(), a.cumsum(), ...xp.split(a.mul(2).flip().sort(), 2), a.max()];
      await Promise.all(results.map((result) => result.data()));
    });
    expect(pool.activeBytes).toBe(before);
  });
});

describe("preparation", () => {
  test("builds all kernels of a function", { tags: "full" }, async () => {
    const xp = newFactory();
    const a = matrixOf(xp);
    const compute = (): DeviceArray => xp.linalg.solve(a.mul(2).add(a), a).sum({ axis: 0 });
    await xp.prepare(compute);
    expect(blocking).not.toHaveBeenCalled();
    builds.mockClear();
    const result = compute();
    expect(await result.data()).toEqual(await compute().data());
    expect([blocking.mock.calls.length, builds.mock.calls.length]).toEqual([0, 0]);
  });

  test("builds the kernels of eager factories without blocking", { tags: "full" }, async () => {
    const xp = arrays(new CommandQueue(new Context([sharedQueue.device])), { eager: true });
    const a = matrixOf(xp);
    const compute = (): DeviceArray => {
      const sums = a.mul(2).add(a.T).cumsum({ axis: 0 });
      return sums.sub(xp.random(1).uniform([3, 3], { dtype: "float32" }), { out: sums });
    };
    await xp.prepare(compute);
    expect(blocking).not.toHaveBeenCalled();
    builds.mockClear();
    const result = compute();
    expect([blocking.mock.calls.length, builds.mock.calls.length]).toEqual([0, 0]);
    const other = arrays(sharedQueue, { eager: true });
    const b = matrixOf(other);
    const expected = b
      .mul(2)
      .add(b.T)
      .cumsum({ axis: 0 })
      .sub(other.random(1).uniform([3, 3], { dtype: "float32" }));
    expect(await result.data()).toEqual(await expected.data());
  });

  test("accepts functions that read values, and passes their errors on", async () => {
    const xp = newFactory();
    const a = matrixOf(xp);
    await xp.prepare(async () => a.mul(await a.max().item()));
    expect(blocking).not.toHaveBeenCalled();
    await expect(xp.prepare(() => a.reshape([4]))).rejects.toThrow(RangeError);
    await expect(xp.prepare(1 as never)).rejects.toThrow(wrongType("run"));
  });

  test("xp.eval enqueues several arrays", async () => {
    const xp = newFactory();
    const a = matrixOf(xp);
    const results = [a.add(1), a.sort().mul(3)];
    xp.eval(...results);
    expect(blocking).not.toHaveBeenCalled();
    expect((await results[0]?.data())?.[0]).toBe(5);
    expect((await results[1]?.data())?.[0]).toBe(3);
    expect(() => xp.eval(1 as never)).toThrow(wrongType("list[0]"));
  });
});
