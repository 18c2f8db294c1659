/** Memory comes back in every way that there is, once, and whatever has ended before. */
import { type Allocation, type Allocator, CommandQueue, Context } from "@cl/core";
import { expect, test } from "vitest";

import { collectGarbage, collectUntil } from "@cl/base/testing";
import { allocate, plainSetting, type Subject } from "./subject.js";

/** Tests of how memory ends. */
export function testReleases(subject: Subject): void {
  test("memory is released once, however often that is said", () => {
    const allocator = subject.make(plainSetting(subject));
    const [one, other] = [allocate(allocator, 100), allocate(allocator, 100)];
    let told = 0;
    one.onReleased(() => told++);
    for (let i = 0; i < 3; i++) one.release();
    one[Symbol.dispose]();
    expect(one.released).toBe(true);
    expect(told).toBe(1);
    expect(other.released).toBe(false);
    expect(() => one.onReleased(() => undefined)).toThrow(/released/);
    other.release();
    expect(subject.usedBytes(allocator)).toBe(0);
  });

  test("memory that went back can be had again, and is not what its old owner has", () => {
    const allocator = subject.make(plainSetting(subject));
    const old = allocate(allocator, 1000);
    old.release();
    const fresh = allocate(allocator, 1000);
    old.release();
    expect(fresh.released).toBe(false);
    fresh.release();
    expect(subject.usedBytes(allocator)).toBe(0);
  });

  test("memory comes back by using", () => {
    const allocator = subject.make(plainSetting(subject));
    let kept: Allocation;
    {
      using memory = allocate(allocator, 100);
      kept = memory;
      expect(memory.released).toBe(false);
    }
    expect(kept.released).toBe(true);
    expect(subject.usedBytes(allocator)).toBe(0);
  });

  test("memory that nobody released comes back when it is collected, if there is a lot, too", async () => {
    const allocator = subject.make(plainSetting(subject));
    const dropped = 1000;
    let back = 0;
    (() => {
      for (let i = 0; i < dropped; i++) allocate(allocator, 100 + i).onReleased(() => back++);
    })();
    expect(await collectUntil(() => back === dropped && subject.usedBytes(allocator) === 0)).toBe(true);
    allocate(allocator, 1000).release();
    expect(subject.usedBytes(allocator)).toBe(0);
  });

  test("memory outlives its allocator", async () => {
    const { patterns } = subject.place();
    const memory = (() => allocate(subject.make(plainSetting(subject)), 1000))();
    patterns.write(memory, 1000, 1);
    await collectGarbage();
    patterns.check(memory, 1000, 1);
    expect(await patterns.wrongBytes()).toBe(0);
    memory.release();
    expect(memory.released).toBe(true);
  });

  test("memory is released after its context and its queue, and no more is had without a crash", async () => {
    const context = new Context(subject.place().context.devices);
    const queue = new CommandQueue(context);
    const allocator = subject.make({ context, queue, upstream: subject.plain(context) });
    const [memory, dropped] = [allocate(allocator, 1000), allocate(allocator, 2000)];
    await queue.finish();
    queue.release();
    context.release();
    memory.release();
    expect(memory.released).toBe(true);
    refuseOrGive(allocator);
    dropped.release();
    expect(subject.usedBytes(allocator)).toBe(0);
    allocator.freeHeld?.();
  });
}

/** A pool may still have something; who has nothing must say so by an error. */
function refuseOrGive(allocator: Allocator<Allocation>): void {
  try {
    allocator.allocate(1000)?.release();
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
  }
}
