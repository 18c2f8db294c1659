/** Tests that memory is released exactly once, in every way, also after its context or queue. */
import { type Allocation, type Allocator, CommandQueue, Context } from "@cl/core";
import { expect, test } from "vitest";

import { collectGarbage, collectUntil } from "@cl/base/testing";
import { allocate, plainSetting, type Subject } from "./subject.js";

export function testReleases(subject: Subject): void {
  test("releases memory once, even if release() is called repeatedly", () => {
    const allocator = subject.make(plainSetting(subject));
    const [memory, other] = [allocate(allocator, 100), allocate(allocator, 100)];
    let calls = 0;
    memory.onReleased(() => calls++);
    for (let i = 0; i < 3; i++) memory.release();
    memory[Symbol.dispose]();
    expect(memory.released).toBe(true);
    expect(calls).toBe(1);
    expect(other.released).toBe(false);
    expect(() => memory.onReleased(() => undefined)).toThrow(/released/);
    other.release();
    expect(subject.usedBytes(allocator)).toBe(0);
  });

  test("allocates again after a release, independently of the previous owner", () => {
    const allocator = subject.make(plainSetting(subject));
    const old = allocate(allocator, 1000);
    old.release();
    const fresh = allocate(allocator, 1000);
    old.release();
    expect(fresh.released).toBe(false);
    fresh.release();
    expect(subject.usedBytes(allocator)).toBe(0);
  });

  test("releases memory at the end of a using block", () => {
    const allocator = subject.make(plainSetting(subject));
    let outer: Allocation;
    {
      using memory = allocate(allocator, 100);
      outer = memory;
      expect(memory.released).toBe(false);
    }
    expect(outer.released).toBe(true);
    expect(subject.usedBytes(allocator)).toBe(0);
  });

  test("releases dropped memory when it is collected, also in large numbers", async () => {
    const allocator = subject.make(plainSetting(subject));
    const dropped = 1000;
    let released = 0;
    (() => {
      for (let i = 0; i < dropped; i++) allocate(allocator, 100 + i).onReleased(() => released++);
    })();
    expect(await collectUntil(() => released === dropped && subject.usedBytes(allocator) === 0)).toBe(true);
    allocate(allocator, 1000).release();
    expect(subject.usedBytes(allocator)).toBe(0);
  });

  test("keeps memory valid after the allocator is collected", async () => {
    const { patterns } = subject.environment();
    const memory = (() => allocate(subject.make(plainSetting(subject)), 1000))();
    patterns.write(memory, 1000, 1);
    await collectGarbage();
    patterns.check(memory, 1000, 1);
    expect(await patterns.wrongBytes()).toBe(0);
    memory.release();
    expect(memory.released).toBe(true);
  });

  test("releases memory after its context and queue, and does not crash in further calls", async () => {
    const context = new Context(subject.environment().context.devices);
    const queue = new CommandQueue(context);
    const allocator = subject.make({ context, queue, upstream: subject.plain(context) });
    const [memory, dropped] = [allocate(allocator, 1000), allocate(allocator, 2000)];
    await queue.finish();
    queue.release();
    context.release();
    memory.release();
    expect(memory.released).toBe(true);
    allocateOrThrow(allocator);
    dropped.release();
    expect(subject.usedBytes(allocator)).toBe(0);
    allocator.freeHeld?.();
  });
}

/** Checks that an allocation succeeds, as in a pool with free blocks, or throws an Error. */
function allocateOrThrow(allocator: Allocator<Allocation>): void {
  try {
    allocator.allocate(1000)?.release();
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
  }
}
