import { CommandQueue, Context, DeviceView } from "@cl/core";
import { ImmediateAllocator, MemoryPool, type PooledBuffer } from "@cl/tools";
import { expect, test } from "vitest";
import { turns } from "@cl/base/testing";
import { wrongType } from "@cl/testing/error-like";

const context = Context.create();
const queue = new CommandQueue(context);
const make = (): MemoryPool => new MemoryPool(new ImmediateAllocator(queue));

test("a scope releases its allocations at its end, except those it returns", () => {
  const pool = make();
  const before = pool.allocate(100);
  let lost: PooledBuffer | undefined;
  const kept = pool.scope(() => {
    lost = pool.allocate(100);
    const own = pool.allocate(100);
    own.release();
    before.release();
    return pool.allocate(100);
  });
  expect([lost?.released, kept.released]).toEqual([true, false]);
  expect(pool.activeBlocks).toBe(1);
});

test("a scope with thousands of allocations releases those that are left", () => {
  const pool = make();
  let left: PooledBuffer | undefined;
  pool.scope(() => {
    left = pool.allocate(100);
    for (let i = 0; i < 2000; i++) pool.allocate(100).release();
  });
  expect([left?.released, pool.activeBlocks]).toEqual([true, 0]);
});

test("a scope finds returned memory in arrays, objects, maps, views and sub-buffers", () => {
  const pool = make();
  const { list, map, view, part, alias } = pool.scope(() => {
    const allocate = (): PooledBuffer => pool.allocate(4096);
    allocate();
    return {
      list: [allocate(), [allocate()]] as const,
      map: new Map([["x", new Set([allocate()])]]),
      view: new DeviceView(allocate(), { dtype: "float32", shape: [4] }),
      part: allocate().subBuffer(0, 1024),
      alias: allocate().as(Int32Array),
      text: "text",
      nothing: null,
    };
  });
  expect(pool.activeBlocks).toBe(6);
  queue.enqueueFill(part, Uint8Array.of(1));
  queue.enqueueFill(alias, Int32Array.of(1));
  queue.enqueueFill([...(map.get("x") ?? [])][0] as PooledBuffer, Int32Array.of(1));
  expect([list[0].released, list[1][0].released, view.memory.released]).toEqual([false, false, false]);
});

test("scope.keep keeps memory that is not found in the return value", () => {
  const pool = make();
  const holder = pool.scope((scope) => {
    const memory = scope.keep(pool.allocate(100));
    return new (class {
      readonly isReleased = (): boolean => memory.released;
    })();
  });
  expect(holder.isReleased()).toBe(false);
});

test("a scope that throws releases everything", async () => {
  const pool = make();
  expect(() =>
    pool.scope(() => {
      pool.allocate(100);
      throw new Error("in the scope");
    }),
  ).toThrow("in the scope");
  await expect(
    pool.scope(async () => {
      pool.allocate(100);
      await turns(1);
      throw new Error("later in the scope");
    }),
  ).rejects.toThrow("later in the scope");
  expect(pool.activeBlocks).toBe(0);
});

test("concurrent asynchronous scopes track only their allocations", async () => {
  const pool = make();
  const run = (count: number): Promise<PooledBuffer> =>
    pool.scope(async () => {
      pool.allocate(100);
      await turns(count);
      const kept = pool.allocate(200);
      await turns(count);
      pool.allocate(300);
      return kept;
    });
  const outside = turns(3).then(() => pool.allocate(50));
  const kept = await Promise.all([run(2), run(5), run(1)]);
  expect(pool.activeBlocks).toBe(4);
  for (const memory of [...kept, await outside]) expect(memory.released).toBe(false);
});

test("memory returned by an inner scope belongs to the outer one", () => {
  const pool = make();
  let inner: PooledBuffer | undefined;
  const outer = pool.scope(() => {
    inner = pool.scope(() => {
      pool.allocate(100);
      return pool.allocate(100);
    });
    expect(inner.released).toBe(false);
    return pool.allocate(100);
  });
  expect([inner?.released, outer.released]).toEqual([true, false]);
});

test("scopes of different pools are independent", () => {
  const [first, second] = [make(), make()];
  const [one, other] = first.scope(() => {
    const of = second.allocate(100);
    const scoped = second.scope(() => first.allocate(100));
    expect(scoped.released).toBe(false);
    return [scoped, of] as const;
  });
  expect([one.released, other.released]).toEqual([false, false]);
  expect([first.activeBlocks, second.activeBlocks]).toEqual([1, 1]);
});

test("allocations after the end of a scope do not belong to it", async () => {
  const pool = make();
  let late: Promise<PooledBuffer> | undefined;
  pool.scope(() => {
    late = turns(5).then(() => pool.allocate(100));
  });
  expect((await late)?.released).toBe(false);
});

test("a scope requires a function", () => {
  expect(() => make().scope(3 as never)).toThrow(wrongType("run"));
});
