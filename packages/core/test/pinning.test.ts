// Host memory stays allocated and in place while a device uses it, even if the array is transferred or collected. A
// failure would access dangling memory and may crash; so this file runs in a separate process.
import { expect, test } from "vitest";
import { type CommandEvent, DeviceBuffer, UserEvent } from "@cl/core";

import { caseCount } from "@cl/testing/level";
import { runWithFake } from "@cl/testing/fake-opencl/run";
import { collectGarbage } from "@cl/base/testing";
import { context, queue } from "./support/kernels.js";

const rounds = caseCount(40);
const size = 1 << 16;
const region = [size / 4, 4] as const;
const filled = (value: number): Uint8Array => new Uint8Array(size).fill(value);

/** Transfers an array's memory, so that it can be collected. */
function transferAway(array: Uint8Array): void {
  structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] });
}

/** Each enqueues commands on memory that it drops, and returns the last one and the buffer that receives the round. */
const uses: Record<string, (waitFor: UserEvent, round: number) => [last: CommandEvent, target?: DeviceBuffer]> = {
  "an array that is written": (waitFor, round) => {
    const target = new DeviceBuffer(context, size);
    const source = filled(round);
    const event = queue.enqueueCopy(target, source, { waitFor });
    transferAway(source);
    return [event, target];
  },
  "an array that is read": (waitFor) => {
    const target = new Uint8Array(size);
    const event = queue.enqueueCopy(target, DeviceBuffer.from(context, filled(0xab)), { waitFor });
    transferAway(target);
    return [event];
  },
  "arrays of rectangles": (waitFor, round) => {
    const target = new DeviceBuffer(context, size);
    const [source, copy] = [filled(round), new Uint8Array(size)];
    const written = queue.enqueueCopy(target, source, { region, waitFor });
    const event = queue.enqueueCopy(copy, target, { region, waitFor: written });
    for (const array of [source, copy]) transferAway(array);
    return [event, target];
  },
  "an array that backs a buffer": (waitFor, round) => {
    const target = new DeviceBuffer(context, size);
    const host = filled(round);
    const buffer = new DeviceBuffer(context, { host, hostPointer: "use" });
    const event = queue.enqueueCopy(target, buffer, { waitFor });
    buffer.release();
    transferAway(host);
    return [event, target];
  },
  "the array of an aborted read": (waitFor) => {
    const controller = new AbortController();
    const buffer = DeviceBuffer.from(context, filled(0xab));
    queue.read(buffer, Uint8Array, { waitFor, signal: controller.signal }).catch(() => undefined);
    controller.abort();
    return [queue.enqueueMarker()];
  },
};

test.each(Object.entries(uses))("the memory of %s is kept until the last command completes", async (_, use) => {
  for (let round = 0; round < rounds; round++) {
    const gate = new UserEvent(context);
    const [last, target] = use(gate, round);
    if (round % 5 === 0) await collectGarbage();
    // These would reuse freed memory.
    const bystanders = Array.from({ length: 20 }, () => filled(0xee));
    gate.complete();
    await last.wait();
    expect(bystanders.every((array) => array.every((value) => value === 0xee))).toBe(true);
    if (target === undefined) continue;
    expect(queue.readSync(target, Uint8Array).every((value) => value === round)).toBe(true);
    target.release();
  }
});

test.each([
  ["of a callback and of clFinish", {}, "clSetEventCallback=-6,clFinish=-36"],
  ["of an event's reference", { FAKE_CL_PLATFORM_NAME: "NVIDIA CUDA" }, "clRetainEvent=-6,clFinish=-36"],
])("memory of an enqueued read stays allocated after a failure %s", async (_, env, failures) => {
  const run = await runWithFake(
    `
      import { CommandQueue, Context, DeviceBuffer } from "@cl/core";
      const size = 64 << 20;
      const context = Context.create();
      const queue = new CommandQueue(context);
      const x = DeviceBuffer.empty(context, Uint8Array, size);
      await queue.finish();
      const before = process.memoryUsage().arrayBuffers;
      process.env.FAKE_CL_EVENTS = "manual";
      process.env.FAKE_CL_FAIL = "${failures}";
      (() => void queue.read(x, { into: new Uint8Array(size) }).catch(() => undefined))();
      process.env.FAKE_CL_FAIL = "";
      for (let i = 0; i < 5; i++) {
        globalThis.gc();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      const held = process.memoryUsage().arrayBuffers - before;
      process.env.FAKE_CL_EVENTS = "";
      queue.finishSync();
      console.log(held > size / 2);
      process.exit();
    `,
    { env, nodeFlags: ["--expose-gc"] },
  );
  expect(run).toMatchObject({ code: 0, stdout: "true\n", stderr: "" });
});
