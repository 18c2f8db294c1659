import { expect, test } from "vitest";
import { UserEvent, waitForEvents } from "@cl/core";
import { runChild } from "./fixtures/child.js";
import { context, queue } from "./support/kernels.js";

/** Every asynchronous wait, applied to an event that has not completed. */
const waits: Record<string, (gate: UserEvent, signal: AbortSignal) => Promise<void>> = {
  "event.wait": (gate, signal) => queue.enqueueMarker(gate).wait({ signal }),
  "userEvent.wait": (gate, signal) => gate.wait({ signal }),
  "queue.finish": (gate, signal) => {
    queue.enqueueMarker(gate);
    return queue.finish({ signal });
  },
  waitForEvents: (gate, signal) => waitForEvents([gate, queue.enqueueMarker(gate)], { signal }),
};

test.each(Object.entries(waits))(
  "%s rejects with the reason of a signal that aborts or has aborted, and leaves the command running",
  async (_, wait) => {
    const gate = new UserEvent(context);
    const controller = new AbortController();
    const reason = new Error("enough");
    const done = wait(gate, controller.signal);
    controller.abort(reason);
    await expect(done).rejects.toBe(reason);
    await expect(wait(gate, controller.signal)).rejects.toBe(reason);
    gate.complete();
    await queue.finish();
  },
);

test("an aborted wait no longer keeps the process alive", async () => {
  const end = await runChild("event-loop.mjs", { args: ["aborted"] });
  expect(end).toMatchObject({ code: 0, hung: false, stdout: "aborted\n" });
});

test("one signal can abort many waits without a listener warning", async () => {
  const warnings: string[] = [];
  const warned = (warning: Error): void => void warnings.push(warning.name);
  process.on("warning", warned);
  const gate = new UserEvent(context);
  const controller = new AbortController();
  const held = queue.enqueueMarker(gate);
  const waiting = Array.from({ length: 30 }, () => held.wait({ signal: controller.signal }));
  const early = queue.finish({ signal: controller.signal });
  controller.abort(new Error("enough"));
  const results = await Promise.allSettled([...waiting, early]);
  expect(results.every(({ status }) => status === "rejected")).toBe(true);
  gate.complete();
  await queue.finish();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", warned);
  expect(warnings).toEqual([]);
});
