import {
  type CommandEvent,
  CommandQueue,
  Context,
  DeviceBuffer,
  type Kernel,
  LaunchList,
  Program,
  UserEvent,
} from "@cl/core";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { outOfRange } from "@cl/testing/error-like";
import { onFake } from "./support/on-fake.js";

const launches = (options: string, count: number): string => `
  const own = new CommandQueue(context, ${options});
  const program = await new Program(context, "__kernel void touch(__global int *a) { a[0] = 1; }").build();
  const kernel = program.kernel("touch");
  const buffer = new DeviceBuffer(context, 64);
  for (let i = 0; i < ${count}; i++) kernel.launch(own, { global: 1 }, buffer);
`;

async function markers(options: string, count: number): Promise<number> {
  const { report } = await onFake(launches(options, count));
  return report.calls["clEnqueueMarkerWithWaitList"] ?? 0;
}

test("a loop of launches enqueues a marker after every 512", async () => {
  expect(await markers("{}", 511)).toBe(0);
  expect(await markers("{}", 5120)).toBe(10);
});

test("the queue's depth option sets the limit, and Infinity disables it", { tags: "ci" }, async () => {
  expect(await markers("{ depth: 100 }", 1000)).toBe(10);
  expect(await markers("{ depth: Infinity }", 5120)).toBe(0);
});

test.each([0, -1, 1.5, Number.NaN])("rejects a depth of %d", (depth) => {
  expect(() => new CommandQueue(Context.create(), { depth })).toThrow(outOfRange("options.depth"));
});

const rounds = 400_000;

/** A kernel that takes about a millisecond on a CPU with these rounds. */
function slowKernel(context: Context): Kernel {
  const source = `
    __kernel void work(__global uint *x, uint n) {
      uint s = x[0];
      for (uint i = 0; i < n; i++) s = s * 1664525u + 1013904223u + (s >> 7);
      x[0] = s;
    }`;
  return new Program(context, source).buildSync().kernel("work");
}

function slowLaunches(queue: CommandQueue): (waitFor?: CommandEvent) => CommandEvent {
  const kernel = slowKernel(queue.context);
  const x = DeviceBuffer.empty(queue.context, Uint32Array, 1);
  return (waitFor) => kernel.enqueue(queue, { global: 1, ...(waitFor === undefined ? {} : { waitFor }) }, x, rounds);
}

// Not in processes that test files share: adopted events of another file shorten the waits.
test.for(["in-order", "out-of-order"])(
  "a synchronous loop on an %s queue keeps at most twice the depth in flight, even with a slow kernel",
  { tags: "ci" },
  async (order, run) => {
    const context = Context.create();
    const outOfOrder = order === "out-of-order";
    needs(
      run,
      !outOfOrder || context.devices[0]?.hasQueueOutOfOrderExecMode === true,
      "the device does not support out-of-order queues",
    );
    const depth = 8;
    const queue = new CommandQueue(context, { depth, outOfOrder });
    const launch = slowLaunches(queue);
    const events: CommandEvent[] = [];
    let inFlight = 0;
    for (let i = 0; i < 100; i++) {
      events.push(launch());
      inFlight = Math.max(inFlight, events.filter(({ status }) => status > 0).length);
    }
    expect(inFlight).toBeLessThanOrEqual(2 * depth);
    await queue.finish();
  },
);

test("a loop over a list that is longer than the depth keeps at most two runs in flight", { tags: "ci" }, async () => {
  const context = Context.create();
  const queue = new CommandQueue(context, { depth: 4 });
  const bound = slowKernel(context).bind({ global: 1 }, DeviceBuffer.empty(context, Uint32Array, 1), rounds);
  const list = new LaunchList(context);
  for (let i = 0; i < 6; i++) list.push(bound);
  const events: CommandEvent[] = [];
  for (let i = 0; i < 20; i++) {
    events.push(list.enqueue(queue));
    expect(events.filter(({ status }) => status > 0).length).toBeLessThanOrEqual(2);
  }
  await queue.finish();
});

test("a loop does not wait for a user event that its own thread completes later", async () => {
  const context = Context.create();
  const queue = new CommandQueue(context, { depth: 8 });
  const launch = slowLaunches(queue);
  const gate = new UserEvent(context);
  const events = [launch(gate), ...Array.from({ length: 60 }, () => launch())];
  expect(events.every(({ status }) => status > 0)).toBe(true);
  gate.complete();
  await queue.finish();
  expect(events.every(({ statusName }) => statusName === "COMPLETE")).toBe(true);
});

test("a loop does not wait for a host function on the same thread", async () => {
  const context = Context.create();
  const queue = new CommandQueue(context, { depth: 8 });
  const launch = slowLaunches(queue);
  let called = false;
  queue.enqueueHostFunction(() => {
    called = true;
  });
  const events = Array.from({ length: 60 }, () => launch());
  expect(called).toBe(false);
  await queue.finish();
  expect([called, events.at(-1)?.statusName]).toEqual([true, "COMPLETE"]);
});

test("a loop stops waiting for commands that may depend on other code", { tags: "ci" }, async () => {
  const { lines } = await onFake(
    `${launches("{ depth: 10 }", 0)}
     process.env.FAKE_CL_EVENTS = "manual";
     const adopted = CommandEvent.fromPointer(context, kernel.enqueue(own, { global: 1 }, buffer).pointer);
     for (let i = 0; i < 200; i++) kernel.launch(own, { global: 1 }, buffer);
     console.log("launched", adopted.status > 0);
     own.finishSync();`,
  );
  expect(lines).toEqual(["launched true"]);
});
