/**
 * Shared virtual memory is never freed while a command uses it; internal/svm-release.test.ts checks that it is freed.
 */
import { CommandQueue, handleCounts, type Kernel, Program, SvmAllocation, UserEvent } from "@cl/core";
import { beforeEach, describe, expect, test } from "vitest";

import { collectGarbage, collectUntil } from "@cl/base/testing";
import { context, needsCoarse, needsFine } from "@cl/testing/svm";

const bytes = 4096;
const add = new Program(context, "__kernel void add(__global uint *x, uint a) { x[get_global_id(0)] += a; }")
  .buildSync()
  .kernel("add") as Kernel;

const svmCount = (): number => handleCounts()["svm"] ?? 0;

/** Repeatedly allocates and overwrites memory of the same size, which would include memory that was freed too early. */
function reuseFreedMemory(): SvmAllocation[] {
  const queue = new CommandQueue(context);
  const taken = Array.from({ length: 30 }, () => new SvmAllocation(context, bytes));
  for (const one of taken) queue.enqueueSvmFill(one, Uint8Array.of(0xff));
  queue.finishSync();
  return taken;
}

const ones = (): SvmAllocation => {
  const queue = new CommandQueue(context);
  const memory = new SvmAllocation(context, bytes);
  queue.writeSync(memory, new Uint32Array(bytes / 4).fill(1));
  return memory;
};

beforeEach((run) => needsCoarse(run));

describe("memory that is released before a kernel that uses it has run", () => {
  const expected = new Uint32Array(bytes / 4).fill(42);
  const release = (memory: SvmAllocation): void => memory.release();
  const { hasQueueOutOfOrderExecMode: outOfOrder = false } = context.devices[0] ?? {};

  interface Case {
    readonly outOfOrder?: boolean;
    prepare?(memory: SvmAllocation, queue: CommandQueue): unknown;
    release(memory: SvmAllocation, queue: CommandQueue): unknown;
  }
  test.each<[string, Case]>([
    ["", { release }],
    ["by the queue that it is bound to", { prepare: (memory, queue) => memory.bindToQueue(queue), release }],
    ["if bound to another queue", { prepare: (memory) => memory.bindToQueue(new CommandQueue(context)), release }],
    ["if the queue is released before", { release: (memory, queue) => [queue.release(), memory.release()] }],
    ["on an out-of-order queue", { outOfOrder, release }],
    ["by an enqueued release", { release: (memory) => memory.enqueueRelease(new CommandQueue(context)) }],
  ])("is freed after the kernel %s", async (_, { prepare, release: end, ...options }) => {
    const queue = new CommandQueue(context, options);
    const memory = ones();
    prepare?.(memory, queue);
    const out = new Uint32Array(bytes / 4);
    const gate = new UserEvent(context);
    queue.enqueueBarrier(gate);
    add.launch(queue, { global: bytes / 4 }, memory, 41);
    const copied = queue.enqueueCopy(out, memory, { waitFor: queue.enqueueBarrier() });
    queue.flush();
    end(memory, queue);
    const taken = reuseFreedMemory();
    gate.complete();
    await copied.wait();
    expect(out).toEqual(expected);
    for (const one of taken) one.release();
  });

  test("is freed after the kernel if it is unreachable and collected", async () => {
    const out = new Uint32Array(bytes / 4);
    const queue = new CommandQueue(context);
    const gate = new UserEvent(context);
    const before = svmCount();
    const copied = (() => {
      const memory = ones();
      queue.enqueueBarrier(gate);
      add.launch(queue, { global: bytes / 4 }, memory, 41);
      return queue.enqueueCopy(out, memory);
    })();
    // The kernel stores its arguments by handle, not the objects.
    expect(await collectUntil(() => svmCount() <= before)).toBe(true);
    const taken = reuseFreedMemory();
    gate.complete();
    await copied.wait();
    expect(out).toEqual(expected);
    for (const one of taken) one.release();
  });
});

describe("arrays over fine-grained memory", () => {
  beforeEach((run) => needsFine(run));
  const fine = (): SvmAllocation => new SvmAllocation(context, bytes, { kind: "fine-buffer" });

  test("keep it alive after the allocation is collected, and free it when they are", async () => {
    const before = svmCount();
    const arrays = [fine().array(Uint32Array).fill(7)];
    await collectGarbage();
    const taken = reuseFreedMemory();
    expect(arrays[0]?.every((one) => one === 7)).toBe(true);
    for (const one of taken) one.release();
    arrays.length = 0;
    expect(await collectUntil(() => svmCount() <= before)).toBe(true);
  });

  test("are read by a pending transfer even if they are detached meanwhile", async () => {
    const queue = new CommandQueue(context);
    const memory = fine();
    const gate = new UserEvent(context);
    const target = new SvmAllocation(context, bytes);
    const written = queue.enqueueCopy(target, memory.array(Uint32Array).fill(9), { waitFor: gate });
    memory.release();
    const taken = reuseFreedMemory();
    gate.complete();
    await written.wait();
    expect(queue.readSync(target, Uint32Array).every((one) => one === 9)).toBe(true);
    for (const one of [target, ...taken]) one.release();
  });
});
