/** Element-wise operations that are computed when their values are needed. */
import { CommandQueue, Context, DeviceBuffer, DisposedError, Kernel, Program } from "@cl/core";
import { arrays, type DeviceArray } from "@cl/array";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { pooled } from "./support/pooled.js";
import { context, queue } from "./support/device.js";

const { pool, xp: lazy } = pooled(queue);

const launches = vi.spyOn(Kernel.prototype, "launch");
beforeEach(() => {
  launches.mockClear();
});
afterAll(() => {
  launches.mockRestore();
});

describe("number of kernels", () => {
  test("a chain of operators is one kernel, which runs when the values are read", async () => {
    const full = (value: number): DeviceArray<"float32"> => lazy.full([100], value, { dtype: "float32" });
    const [a, b, c] = [full(1), full(2), full(3)];
    const formula = (): DeviceArray<"float32"> => a.mul(2).add(b.mul(3)).sub(c).clip(0, 4).round();
    await lazy.prepare(formula);
    launches.mockClear();
    const result = formula();
    expect(launches).not.toHaveBeenCalled();
    expect(new Set(await result.data())).toEqual(new Set([4]));
    expect(launches).toHaveBeenCalledTimes(1);
    await result.data();
    expect(launches).toHaveBeenCalledTimes(1);
  });

  test("reductions and scans compute pending elements themselves", async () => {
    const a = lazy.arange(5, { dtype: "float32" });
    await lazy.prepare(() => [a.mul(2).sum(), a.mul(2).cumsum()]);
    launches.mockClear();
    expect(await a.mul(2).sum().item()).toBe(20);
    expect(launches).toHaveBeenCalledTimes(1);
    const [one, plain] = [await a.mul(2).cumsum().data(), launches.mock.calls.length];
    expect(one).toEqual(Float32Array.of(0, 2, 6, 12, 20));
    expect(plain).toBeLessThanOrEqual(3);
  });

  test("eval computes the elements once", async () => {
    const make = (): DeviceArray<"float32"> => lazy.full([5], 1, { dtype: "float32" }).mul(2);
    await lazy.prepare(() => [make(), make().eval().add(make())]);
    const a = make();
    launches.mockClear();
    expect(a.eval()).toBe(a);
    expect(launches).toHaveBeenCalledTimes(1);
    expect(await a.add(a).data()).toEqual(Float32Array.of(4, 4, 4, 4, 4));
    expect(launches).toHaveBeenCalledTimes(2);
  });

  test("a value may be used as a whole and by a view, though its operands are released", { tags: "ci" }, async () => {
    const divide = (): DeviceArray => {
      const a = lazy.full([2, 2], 4, { dtype: "float32" });
      const halves = a.mul(0.5);
      a.release();
      const quotient = halves.div(halves.diagonal());
      halves.release();
      return quotient;
    };
    await lazy.prepare(divide);
    expect(await divide().data()).toEqual(Float32Array.of(1, 1, 1, 1));
  });

  test("a first use may read a view of what is computed from a view", { tags: "ci" }, async () => {
    const own = arrays(new CommandQueue(new Context([queue.device])));
    const a = own.fromHost(Float32Array.of(0, 1, 2, 3), { shape: [2, 2] });
    const other = a.sub(1).T.add(3);
    expect(await a.mul(2).add(other.T).data()).toEqual(Float32Array.of(2, 5, 8, 11));
  });

  test("a value that two results need is stored when the second is computed", { tags: "ci" }, async () => {
    const from = lazy.arange(4, { dtype: "float32" });
    await lazy.prepare(() => [from.add(1), from.mul(2), from.add(1).mul(2)]);
    const shared = from.add(1);
    const [one, other, third] = [shared.mul(2), shared.mul(3), shared.mul(4)];
    launches.mockClear();
    for (const result of [one, other, third]) await result.data();
    // 1 for the first, 2 for the second, 1 for the third.
    expect(launches).toHaveBeenCalledTimes(4);
    expect(await third.data()).toEqual(Float32Array.of(4, 8, 12, 16));
  });
});

describe("values are those at the time of the call", () => {
  const writes: Record<string, (a: DeviceArray<"float32">) => unknown> = {
    assign: (a) => a.assign(9),
    "assign to a view": (a) => a.slice([1, null]).assign(9),
    out: (a) => a.add(1, { out: a }),
    "out of a reduction": (a) => a.reshape([4, 1]).sum({ axis: 1, out: a }),
    "out of a scan": (a) => a.cumsum({ out: a }),
    put: (a) => a.put([0], [7]),
    "random numbers": (a) => lazy.random(1).uniform([4], { dtype: "float32", out: a }),
    shuffle: (a) => lazy.random(1).shuffle(a),
    "a kernel of the user": (a) => {
      const source = "__kernel void twice(__global float *a) { a[get_global_id(0)] *= 2; }";
      lazy.launch(new Program(context, source).buildSync().kernel("twice"), { global: 4 }, a);
    },
    "a fill of its memory": (a) => queue.enqueueFill(a.asDeviceView().memory, Float32Array.of(5)),
  };
  test.for(Object.entries(writes))("before %s", { tags: "ci" }, async ([, write]) => {
    const a = lazy.arange(4, { dtype: "float32" });
    const doubled = a.mul(2);
    const later = doubled.add(1);
    write(a);
    expect(await later.data()).toEqual(Float32Array.of(1, 3, 5, 7));
    expect(await doubled.data()).toEqual(Float32Array.of(0, 2, 4, 6));
  });

  test("before a write through another queue", { tags: "ci" }, async () => {
    const a = lazy.arange(4, { dtype: "float32" });
    const doubled = a.mul(2);
    a.withQueue(new CommandQueue(context)).assign(9);
    expect(await doubled.data()).toEqual(Float32Array.of(0, 2, 4, 6));
  });

  test("a pending array that is written to itself keeps its other elements", async () => {
    const a = lazy.arange(4, { dtype: "float32" }).mul(2);
    const later = a.add(1);
    a.slice(0).assign(9);
    expect(await a.data()).toEqual(Float32Array.of(9, 2, 4, 6));
    expect(await later.data()).toEqual(Float32Array.of(1, 3, 5, 7));
  });

  test("memory of others may change at any time, so its values are computed at once", async () => {
    using buffer = DeviceBuffer.from(context, Float32Array.of(1, 2));
    const doubled = lazy.asArray(buffer).mul(2);
    queue.enqueueFill(buffer, Float32Array.of(5));
    expect(await doubled.data()).toEqual(Float32Array.of(2, 4));
  });

  const calls: Record<string, (a: DeviceArray<"float32">, b: DeviceArray<"float32">) => DeviceArray<"float32">> = {
    "one operand": (a) => a.negative(),
    "a number": (a) => a.mul(2),
    "an array": (a, b) => a.mul(b),
    "an array first": (a, b) => b.sub(a),
    "the same array": (a) => a.mul(a),
  };
  test.for(Object.entries(calls))("of calls like earlier ones, with %s", { tags: "ci" }, async ([, call]) => {
    const other = lazy.fromHost(Float32Array.of(3, 4));
    const expected = await call(lazy.fromHost(Float32Array.of(1, 2)), other).data();
    using buffer = DeviceBuffer.from(context, Float32Array.of(1, 2));
    const result = call(lazy.asArray(buffer), other);
    queue.enqueueFill(buffer, Float32Array.of(5));
    expect(await result.data()).toEqual(expected);
  });
});

describe("lifetime", () => {
  test("releasing an operand keeps its values until the result is computed", async () => {
    const a = lazy.arange(4, { dtype: "float32" });
    const doubled = a.mul(2);
    a.release();
    expect(() => a.add(1)).toThrow(DisposedError);
    expect(await doubled.data()).toEqual(Float32Array.of(0, 2, 4, 6));
  });

  test("releasing everything frees all memory, computed or not", async () => {
    const before = pool.activeBlocks;
    const a = lazy.arange(4, { dtype: "float32" });
    const b = a.mul(2);
    const c = b.add(1);
    expect(pool.activeBlocks).toBe(before + 1);
    a.release();
    b.release();
    await c.data();
    expect(pool.activeBlocks).toBe(before + 1);
    c.release();
    const dropped = lazy.arange(4).mul(2);
    dropped.release();
    expect(() => dropped.add(1)).toThrow(DisposedError);
  });
});

test("errors are thrown by the operation, not by the read", () => {
  const a = lazy.arange(4).mul(2);
  expect(() => a.add(lazy.arange(3))).toThrow(RangeError);
  expect(() => a.bitwiseAnd(1)).toThrow(TypeError);
});
