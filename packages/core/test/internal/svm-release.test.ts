/** Released shared virtual memory is always freed, even if the commands that used it fail. */
import { CommandQueue, OpenCLError, SvmAllocation, UserEvent } from "@cl/core";
import { beforeEach, describe, expect, test } from "vitest";

import { until } from "@cl/base/testing";
import { native } from "../../src/binding/native.js";
import { context, needsCoarse } from "@cl/testing/svm";

/** Returns the number of blocks that wait to be freed. */
const waiting = (): number => native.svmReap();

const untilFreed = (): Promise<void> => until(() => waiting() === 0);

beforeEach((run) => needsCoarse(run));

describe("released SVM", () => {
  test("is freed immediately if no command has used it", () => {
    new SvmAllocation(context, 4096).release();
    expect(waiting()).toBe(0);
  });

  test.each([
    ["is not bound", false],
    ["is bound", true],
  ])("that %s is freed automatically once the commands that use it have completed", async (_, bound) => {
    const queue = new CommandQueue(context);
    const gate = new UserEvent(context);
    const memory = new SvmAllocation(context, 4096, bound ? { queue } : {});
    queue.enqueueBarrier(gate);
    queue.enqueueSvmFill(memory, Uint8Array.of(1));
    memory.release();
    expect(waiting()).toBe(1);
    gate.complete();
    await untilFreed();
  });

  test("waits for a queue that was released before it", async () => {
    const queue = new CommandQueue(context);
    const gate = new UserEvent(context);
    const memory = new SvmAllocation(context, 4096);
    queue.enqueueBarrier(gate);
    queue.enqueueSvmFill(memory, Uint8Array.of(1));
    queue.release();
    memory.release();
    expect(waiting()).toBe(1);
    gate.complete();
    await untilFreed();
  });

  test("is freed even if a command that uses it fails", async () => {
    const queue = new CommandQueue(context);
    const gate = new UserEvent(context);
    const memory = new SvmAllocation(context, 4096);
    queue.enqueueBarrier(gate);
    const filled = queue.enqueueSvmFill(memory, Uint8Array.of(1));
    memory.release();
    gate.fail(-5);
    await expect(filled.wait()).rejects.toThrow(OpenCLError);
    await untilFreed();
  });

  test("is freed even if the command that should free it fails", async () => {
    const queue = new CommandQueue(context);
    const gate = new UserEvent(context);
    const memory = new SvmAllocation(context, 4096, { queue });
    const event = memory.enqueueRelease(queue, { waitFor: gate });
    gate.fail(-5);
    await expect(event.wait()).rejects.toThrow(OpenCLError);
    await untilFreed();
  });

  test("with a buffer over it is freed after the buffer, which may be destroyed on a driver thread", async () => {
    const queue = new CommandQueue(context);
    const gate = new UserEvent(context);
    const memory = new SvmAllocation(context, 4096);
    const buffer = memory.asBuffer();
    queue.enqueueBarrier(gate);
    queue.enqueueFill(buffer, Uint8Array.of(1));
    const destroyed = new Promise<void>((resolve) => buffer.onDestroyed(resolve));
    memory.release();
    buffer.release();
    gate.complete();
    queue.finishSync();
    await destroyed;
    await untilFreed();
    expect(buffer.released).toBe(true);
  });
});
