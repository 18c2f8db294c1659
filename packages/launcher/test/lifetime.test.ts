/** Lists and launchers that are released or garbage-collected while they are in use. */
import { CommandQueue, DeviceBuffer, DisposedError, handleCounts, UserEvent } from "@cl/core";
import { HostLauncher, IterativeLauncher, KernelLauncher, ListLauncher } from "@cl/launcher";
import { beforeEach, describe, expect, test } from "vitest";

import { collectGarbage, collectUntil } from "@cl/base/testing";
import { context, ints, needsUserEvents, program, queue, readNow, targets } from "./support/device.js";
import { adding, plus } from "./support/launchers.js";
import { disposed } from "@cl/testing/core-errors";
import { wrongValue } from "@cl/testing/error-like";

const add = program.kernel("add");

beforeEach(needsUserEvents);

describe.each(targets)("on %s", (_, target) => {
  test("a released buffer does not affect pending launches, but makes the next launch throw", async () => {
    const [x, y] = [ints(1), ints(0)];
    const list = new ListLauncher("list").push(plus(x, 1, "one")).pushCopyDeviceToDevice("out", x, y);
    const gate = new UserEvent(context);
    const event = list.enqueue(target, {}, { waitFor: gate });
    x.release();
    gate.complete();
    await event.wait();
    expect(await readNow(y)).toEqual([2]);
    expect(() => list.launch(target)).toThrow(disposed());
    await target.finish();
  });

  test("a list whose host array was transferred cannot be launched", async () => {
    const [x, host] = [ints(7), new Int32Array(1)];
    const list = new ListLauncher("list").pushCopyDeviceToHost("out", x, host);
    await list.enqueue(target).wait();
    expect([...host]).toEqual([7]);
    structuredClone(host.buffer, { transfer: [host.buffer] });
    expect(() => list.launch(target)).toThrow(wrongValue());
    await target.finish();
  });
});

describe("a queue", () => {
  test.each([false, true])(
    "with outOfOrder: %s completes pending lists after its release, and rejects new launches",
    async (order) => {
      const own = new CommandQueue(context, { outOfOrder: order });
      const x = ints(0);
      const list = new ListLauncher("list").push(plus(x, 1, "one"));
      for (let n = 0; n < 50; n++) list.launch(own);
      const event = list.enqueue(own);
      own.release();
      await event.wait();
      expect(await readNow(x)).toEqual([51]);
      expect(() => list.launch(own)).toThrow(DisposedError);
      // The list works on another queue.
      await list.enqueue(queue).wait();
      expect(await readNow(x)).toEqual([52]);
    },
  );
});

describe("garbage collection", () => {
  test("frees unreferenced lists, launchers, kernels and recordings", async () => {
    const before = handleCounts();
    const make = async (): Promise<void> => {
      const x = DeviceBuffer.from(context, Int32Array.of(0));
      const options = { args: [x], parameters: ["a"], global: 1 } as const;
      const one = new KernelLauncher("one", add, options);
      const inner = new ListLauncher("inner").push(
        one,
        new IterativeLauncher("sweep", add, { ...options, iterate: { a: [1] } }),
      );
      const list = new ListLauncher("list").push(inner, one).pushCopyDeviceToDevice("copy", x, ints(0));
      list.push(new HostLauncher("host", () => undefined)).parameterTable();
      for (const [, target] of targets) {
        list.launch(target, { a: 1 });
        await list.enqueue(target, { a: 2 }).wait();
      }
    };
    for (let n = 0; n < 10; n++) await make();
    const kinds = ["kernel", "list", "memory", "event"];
    const grown = (): boolean => kinds.some((kind) => (handleCounts()[kind] ?? 0) > (before[kind] ?? 0));
    expect(await collectUntil(() => !grown()), JSON.stringify([before, handleCounts()])).toBe(true);
  });

  test("does not free the members of a referenced list or their buffers", async () => {
    const make = (): { list: ListLauncher<{ readonly a: number }>; out: Int32Array } => {
      const out = new Int32Array(1);
      const x = DeviceBuffer.from(context, Int32Array.of(40));
      const list = new ListLauncher("list").push(adding(x, "one")).pushCopyDeviceToHost("out", x, out);
      return { list, out };
    };
    const { list, out } = make();
    await collectGarbage();
    await collectGarbage();
    await list.enqueue(queue, { a: 2 }).wait();
    expect([...out]).toEqual([42]);
  });
});
