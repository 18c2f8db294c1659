/** Several queues on the same arrays: commands wait for their dependencies, and the host waits for none. */

import { CommandQueue, Context, UserEvent } from "@cl/core";
import { type Arrays, arrays, type DeviceArray, fuse } from "@cl/array";
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { pooled } from "./support/pooled.js";

import { roundTrip } from "@cl/testing/round-trip";
import { context } from "./support/device.js";
import { wrongValue } from "@cl/testing/error-like";
import { caseCount } from "@cl/testing/level";

const inOrder = (): CommandQueue => new CommandQueue(context);
const outOfOrder = (): CommandQueue => new CommandQueue(context, { outOfOrder: true });

test("withQueue shares the memory on another queue", async () => {
  const [first, second] = [inOrder(), inOrder()];
  const { xp } = pooled(first);
  const other = xp.withQueue(second);
  expect([other.queue, other.allocator]).toEqual([second, xp.allocator]);
  expect(xp.withQueue(first)).toBe(xp);
  expect(xp.withQueue(second)).toBe(other);
  expect(other.withQueue(first)).toBe(xp);
  const a = xp.zeros([3], { dtype: "int32" });
  const b = a.slice("1:").withQueue(second);
  expect([b.xp, b.shape]).toEqual([other, [2]]);
  b.assign(7);
  expect(await a.toNested()).toEqual([0, 7, 7]);
  // The memory stays allocated until both arrays are released.
  a.release();
  expect(await b.toNested()).toEqual([7, 7]);
});

test("an operator with operands of two queues uses the left operand's queue", async () => {
  const [first, second] = [inOrder(), outOfOrder()];
  const xp = arrays(first);
  const [a, b] = [xp.ones([2], { dtype: "int32" }), xp.withQueue(second).full([2], 5, { dtype: "int32" })];
  expect([a.add(b).xp.queue, b.add(a).xp.queue]).toEqual([first, second]);
  expect(xp.concatenate([b, a]).xp.queue).toBe(first);
  expect(await b.sub(a).toNested()).toEqual([4, 4]);
});

test("rejects a queue of another context", () => {
  const foreign = new CommandQueue(Context.create());
  const xp = arrays(inOrder());
  expect(() => xp.withQueue(foreign)).toThrow(wrongValue());
  expect(() => xp.zeros([1]).withQueue(foreign)).toThrow(wrongValue());
});

test("commands wait for a blocked queue if they depend on it", async () => {
  for (const [first, second] of [
    [inOrder(), inOrder()],
    [outOfOrder(), inOrder()],
    [inOrder(), outOfOrder()],
    [outOfOrder(), outOfOrder()],
  ] as const) {
    const xp = arrays(first);
    const a = xp.zeros([1000], { dtype: "int32" });
    await first.finish();
    using gate = new UserEvent(context);
    first.enqueueBarrier([gate]);
    a.add(3, { out: a });
    const doubled = a.withQueue(second).mul(2);
    // Reads the result of the second queue, and must not overtake that queue's pending read.
    a.assign(doubled);
    a.add(1, { out: a });
    let done = false;
    const values = a.data().then((host) => {
      done = true;
      return host;
    });
    const others = doubled.data();
    await roundTrip(context);
    expect(done).toBe(false);
    gate.complete();
    expect(new Set(await values)).toEqual(new Set([7]));
    expect(new Set(await others)).toEqual(new Set([6]));
  }
});

test("reads on another queue wait for the results of calls like earlier ones", async () => {
  const [first, second] = [inOrder(), inOrder()];
  const doubled = fuse((x: DeviceArray) => x.mul(2));
  for (const compute of [
    (threes: DeviceArray) => threes.mul(2),
    (threes: DeviceArray) => threes.add(threes),
    (threes: DeviceArray) => doubled(threes),
  ]) {
    const threes = arrays(first, { eager: true }).full([30], 3);
    expect((await compute(threes).data())[0]).toBe(6);
    using gate = new UserEvent(context);
    first.enqueueBarrier([gate]);
    const values = compute(threes).withQueue(second).data();
    await roundTrip(context);
    gate.complete();
    expect(Array.from(await values, Number)).toEqual(Array.from({ length: 30 }, () => 6));
  }
});

test("random programs on several queues give the sequential results", { timeout: 240_000 }, async () => {
  const count = 3;
  const index = fc.nat(count - 1);
  const step = fc.record({
    kind: fc.constantFrom(
      "add" as const,
      "double" as const,
      "assign" as const,
      "increment" as const,
      "concatenate" as const,
    ),
    queue: fc.nat(3),
    target: index,
    source: index,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.boolean(), fc.boolean(), async (steps, isPooled, eager) => {
      const queues = [inOrder(), outOfOrder(), inOrder(), inOrder()] as const;
      const xp = arrays(queues[0], { eager, ...(isPooled ? { allocator: pooled(queues[0]).pool } : {}) });
      const all = Array.from({ length: count }, (_, i) => xp.full([4], i, { dtype: "int32" }));
      const right = Array.from({ length: count }, (_, i) => i);
      using gate = new UserEvent(context);
      for (const queue of queues) queue.enqueueBarrier([gate]);
      for (const { kind, queue, target, source } of steps) {
        const own = queues[queue] as CommandQueue;
        using to = (all[target] as DeviceArray<"int32">).withQueue(own);
        const from = all[source] as DeviceArray<"int32">;
        const [before, value] = [right[target] as number, right[source] as number];
        if (kind === "add") {
          to.add(from, { out: to });
          right[target] = (before + value) | 0;
        } else if (kind === "assign") {
          to.assign(from);
          right[target] = value;
        } else if (kind === "double") {
          all[target] = to.mul(2).withQueue(queues[0]);
          right[target] = (before * 2) | 0;
        } else if (kind === "increment") {
          using more = to.add(1);
          to.assign(more);
          right[target] = (before + 1) | 0;
        } else {
          using halves = to.slice(":2");
          using joined = to.xp.concatenate([halves, halves]);
          from.assign(joined);
          right[source] = before;
        }
      }
      const reads = all.map((array) => array.data());
      gate.complete();
      expect((await Promise.all(reads)).map((host) => [...host])).toEqual(
        right.map((value) => [value, value, value, value]),
      );
    }),
    { numRuns: caseCount(40) },
  );
});

test("needs no markers on one in-order queue, and one marker per batch on two", async () => {
  const queue = new CommandQueue(context);
  const [xp, other] = [queue, new CommandQueue(context)].map((one) => arrays(one, { eager: true })) as [Arrays, Arrays];
  const markers = vi.spyOn(queue, "enqueueMarker");
  const a = xp.zeros([100], { dtype: "int32" });
  for (let i = 0; i < 10; i++) a.add(1, { out: a });
  expect(new Set(await a.slice("::-1").data())).toEqual(new Set([10]));
  expect(markers).not.toHaveBeenCalled();
  const seen = [other.zeros([100], { dtype: "int32" }).add(a), other.zeros([100], { dtype: "int32" }).add(a)];
  expect(markers).toHaveBeenCalledTimes(1);
  // Must not overtake the pending reads of the other queue.
  a.assign(0);
  for (const sum of seen) expect(new Set(await sum.data())).toEqual(new Set([10]));
});
