/** Scopes that release arrays. */
import { CommandQueue, structType } from "@cl/core";
import { type AnyArray, arrays, type DeviceArray } from "@cl/array";
import { turns } from "@cl/base/testing";
import { expect, test } from "vitest";
import { pooled } from "./support/pooled.js";
import { context, queue } from "./support/device.js";

const { pool, xp } = pooled(queue);

test("a scope releases the arrays that it makes, except those it returns", async () => {
  const before = pool.activeBlocks;
  using a = xp.arange(4);
  const made: DeviceArray[] = [];
  using sum = xp.scope(() => {
    const squares = a.mul(a);
    made.push(squares, squares.slice("1:"));
    return squares.sum();
  });
  expect(made.map(({ released }) => released)).toEqual([true, true]);
  expect([a.released, await sum.item()]).toEqual([false, 14]);
  expect(pool.activeBlocks).toBe(before + 2);
});

test("a scope keeps arrays in lists, maps, sets and objects of its result", { tags: "ci" }, async () => {
  const before = pool.activeBlocks;
  const pair = structType("pair", { x: "float32", y: "int32" });
  const kept = xp.scope(() => {
    const matrix = xp.array([2, 0, 0, 4]).reshape([2, 2]);
    xp.ones([100]);
    return {
      list: [xp.arange(2), [xp.arange(3).slice("::-1")]] as const,
      map: new Map([["x", new Set([xp.arange(4)])]]),
      records: xp.records(pair, [2]),
      factors: xp.linalg.luFactor(matrix),
      text: "text",
      nothing: null,
    };
  });
  expect(await kept.list[1][0].toNested()).toEqual([2, 1, 0]);
  expect(await [...(kept.map.get("x") ?? [])][0]?.toNested()).toEqual([0, 1, 2, 3]);
  expect((await kept.records.data()).every((byte) => byte === 0)).toBe(true);
  expect(await kept.factors.solve(xp.array([2, 8])).toNested()).toEqual([1, 2]);
  for (const one of [...kept.list[1], kept.list[0], ...(kept.map.get("x") ?? [])]) one.release();
  kept.records.release();
  kept.factors.release();
  // Those of solve().
  expect(pool.activeBlocks).toBeLessThanOrEqual(before + 2);
});

test("a view that a scope returns keeps its memory", async () => {
  const column = xp.scope(() => xp.arange(6).reshape([2, 3]).T.slice(1));
  expect(await column.toNested()).toEqual([1, 4]);
  column.release();
});

test("scope.keep keeps arrays that are not in the result", async () => {
  let kept: AnyArray | undefined;
  xp.scope((scope) => {
    kept = scope.keep(xp.arange(2));
    xp.arange(3);
  });
  expect(await kept?.data()).toEqual(Float64Array.of(0, 1));
  kept?.release();
});

test("the results of an inner scope belong to the outer scope", () => {
  const before = pool.activeBlocks;
  let inner: AnyArray | undefined;
  xp.scope(() => {
    inner = xp.scope(() => xp.arange(2));
    expect(inner.released).toBe(false);
  });
  expect([inner?.released, pool.activeBlocks]).toEqual([true, before]);
});

test("asynchronous scopes run side by side, each with its own arrays", async () => {
  const before = pool.activeBlocks;
  const results = await Promise.all(
    [1, 2, 3].map((factor) =>
      xp.scope(async () => {
        const a = xp.arange(3).mul(factor);
        await turns(factor);
        const b = a.add(1);
        const total = await b.sum().item();
        return { total, b };
      }),
    ),
  );
  expect(results.map(({ total }) => total)).toEqual([6, 9, 12]);
  expect(pool.activeBlocks).toBe(before + 3);
  for (const { b } of results) b.release();
});

test("a scope that throws or rejects releases its arrays", async () => {
  const before = pool.activeBlocks;
  const fail = (): never => {
    xp.arange(3).add(1);
    throw new RangeError("stop");
  };
  expect(() => xp.scope(fail)).toThrow(RangeError);
  await expect(
    xp.scope(async () => {
      await turns(1);
      fail();
    }),
  ).rejects.toThrow(RangeError);
  expect(pool.activeBlocks).toBe(before);
});

test("a scope includes arrays of other queues of the factory, but not those of other allocators", () => {
  const other = xp.withQueue(new CommandQueue(context));
  const apart = arrays(queue);
  const made: AnyArray[] = [];
  xp.scope(() => {
    made.push(other.arange(3), xp.arange(3).withQueue(other.queue), apart.arange(3));
  });
  expect(made.map(({ released }) => released)).toEqual([true, true, false]);
  made[2]?.release();
});

test("a nested scope of another factory returns its result to a scope of that factory", () => {
  const apart = arrays(queue);
  let result: AnyArray | undefined;
  apart.scope(() => {
    xp.scope(() => {
      result = apart.scope(() => apart.arange(3));
    });
    expect(result?.released).toBe(false);
  });
  expect(result?.released).toBe(true);
});

test("a scope needs a function", () => {
  // @ts-expect-error -- not a function
  expect(() => xp.scope(1)).toThrow(TypeError);
});
