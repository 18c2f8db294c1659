import { CommandQueue, Context, UserEvent } from "@cl/core";
import { expect, test } from "vitest";

import { runWithFake } from "./fake-opencl/run.js";

const launches = (options: string, count: number): string => `
  import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";
  const context = Context.create();
  const queue = new CommandQueue(context, ${options});
  const program = await new Program(context, "__kernel void touch(__global int *a) { a[0] = 1; }").build();
  const kernel = program.kernel("touch");
  const buffer = new DeviceBuffer(context, 64);
  for (let i = 0; i < ${count}; i++) kernel.launch(queue, { global: 1 }, buffer);
`;

async function markers(options: string, count: number): Promise<number> {
  const run = await runWithFake(launches(options, count));
  expect(run.stderr).toBe("");
  return run.report?.calls["clEnqueueMarkerWithWaitList"] ?? 0;
}

test("a loop of launches puts a marker behind every 512", async () => {
  expect(await markers("{}", 511)).toBe(0);
  expect(await markers("{}", 5120)).toBe(10);
}, 240_000);

test("the depth is the queue's to say, and Infinity never looks", async () => {
  expect(await markers("{ depth: 100 }", 1000)).toBe(10);
  expect(await markers("{ depth: Infinity }", 5120)).toBe(0);
}, 240_000);

test("a depth that is no count is refused", () => {
  const context = Context.create();
  for (const depth of [0, -1, 1.5, Number.NaN, "8"]) {
    expect(() => new CommandQueue(context, { depth: depth as number })).toThrow(/options\.depth/);
  }
});

test("launches behind an event that nobody has completed still return", async () => {
  const run = await runWithFake(
    `${launches("{ depth: 10 }", 0)}
     process.env.FAKE_CL_EVENTS = "manual";
     for (let i = 0; i < 200; i++) kernel.launch(queue, { global: 1 }, buffer);
     console.log("launched");
     queue.finishSync();`,
  );
  expect(run.stdout.trim()).toBe("launched");
  expect(run.code).toBe(0);
}, 240_000);

test("commands held by a user event run when it completes, however many there are", async () => {
  const context = Context.create();
  const queue = new CommandQueue(context, { depth: 16 });
  const gate = new UserEvent(context);
  queue.enqueueBarrier(gate);
  const last = Array.from({ length: 100 }, () => queue.enqueueMarker()).at(-1);
  gate.complete();
  await last?.wait();
  expect(last?.statusName).toBe("COMPLETE");
});
