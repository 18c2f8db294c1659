/**
 * Shared virtual memory is never freed while a command uses it; internal/svm-release.test.ts checks that it is freed.
 */
import { CommandQueue, handleCounts, type Kernel, Program, SvmAllocation, UserEvent } from "@cl/core";
import { beforeEach, describe, expect, test } from "vitest";

import { collectGarbage, collectUntil, needs } from "@cl/base/testing";
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
  /**
   * Enqueues a kernel that waits, and a read of its result; calls `between` and `release`, then lets the kernel run.
   */
  async function withPendingKernel(
    queue: CommandQueue,
    memory: SvmAllocation,
    between: (launched: Kernel) => unknown,
    release: () => unknown,
  ): Promise<Uint32Array> {
    const out = new Uint32Array(bytes / 4);
    const gate = new UserEvent(context);
    queue.enqueueBarrier(gate);
    add.launch(queue, { global: bytes / 4 }, memory, 41);
    const barrier = queue.enqueueBarrier();
    const copied = queue.enqueueCopy(out, memory, { waitFor: barrier });
    queue.flush();
    await between(add);
    release();
    const taken = reuseFreedMemory();
    gate.complete();
    await copied.wait();
    for (const one of taken) one.release();
    return out;
  }
  const expected = new Uint32Array(bytes / 4).fill(42);

  test("is freed after the kernel", async () => {
    const memory = ones();
    const out = await withPendingKernel(
      new CommandQueue(context),
      memory,
      () => undefined,
      () => memory.release(),
    );
    expect(out).toEqual(expected);
  });

  test("is freed after the kernel by the queue that it is bound to", async () => {
    const queue = new CommandQueue(context);
    const memory = ones();
    memory.bindToQueue(queue);
    expect(
      await withPendingKernel(
        queue,
        memory,
        () => undefined,
        () => memory.release(),
      ),
    ).toEqual(expected);
  });

  test("is freed after the kernel although it is bound to another queue", async () => {
    const memory = ones();
    memory.bindToQueue(new CommandQueue(context));
    const out = await withPendingKernel(
      new CommandQueue(context),
      memory,
      () => undefined,
      () => memory.release(),
    );
    expect(out).toEqual(expected);
  });

  test("is freed after the kernel although the kernel's queue has been released before", async () => {
    const memory = ones();
    const queue = new CommandQueue(context);
    const out = await withPendingKernel(
      queue,
      memory,
      () => queue.release(),
      () => memory.release(),
    );
    expect(out).toEqual(expected);
  });

  test("is freed after the kernel on an out-of-order queue", async (run) => {
    needs(
      run,
      context.devices[0]?.hasQueueOutOfOrderExecMode ?? false,
      "the device does not support out-of-order queues",
    );
    const queue = new CommandQueue(context, { outOfOrder: true });
    const memory = ones();
    expect(
      await withPendingKernel(
        queue,
        memory,
        () => undefined,
        () => memory.release(),
      ),
    ).toEqual(expected);
  });

  test("is freed after the kernel by an enqueued release", async () => {
    const memory = ones();
    const queue = new CommandQueue(context);
    let event: ReturnType<SvmAllocation["enqueueRelease"]> | undefined;
    const release = (): unknown => (event = memory.enqueueRelease(new CommandQueue(context)));
    expect(await withPendingKernel(queue, memory, () => undefined, release)).toEqual(expected);
    await event?.wait();
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
