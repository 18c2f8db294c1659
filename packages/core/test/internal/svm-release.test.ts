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

  test.each<[string, { bound?: boolean; queueFirst?: boolean; fails?: boolean }]>([
    ["completed", {}],
    ["completed on the queue that it is bound to", { bound: true }],
    ["completed on a queue that was released before it", { queueFirst: true }],
    ["failed", { fails: true }],
  ])("is freed once the commands that use it have %s", async (_, { bound, queueFirst, fails }) => {
    const queue = new CommandQueue(context);
    const gate = new UserEvent(context);
    const memory = new SvmAllocation(context, 4096, bound ? { queue } : {});
    queue.enqueueBarrier(gate);
    const filled = queue.enqueueSvmFill(memory, Uint8Array.of(1));
    if (queueFirst) queue.release();
    memory.release();
    if (!fails) expect(waiting()).toBe(1);
    if (fails) gate.fail(-5);
    else gate.complete();
    const end: unknown = await filled.wait().catch((error: unknown) => error);
    expect(end instanceof OpenCLError).toBe(fails === true);
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
