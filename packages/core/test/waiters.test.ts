/**
 * Threads that wait for events, for drivers whose callbacks are not safe. `CL_WAITERS=always` uses them on any device;
 * it is read on first use of the package, so each test runs in a separate process.
 */
import { describe, expect, test } from "vitest";

import { sample } from "@cl/testing/level";
import { runModule } from "@cl/testing/run-module";
import { onFake } from "./support/on-fake.js";

const env = { CL_WAITERS: "always" };
const prelude = `
  import { CommandQueue, Context, DeviceBuffer, UserEvent } from "@cl/core";
  import { strict as assert } from "node:assert";
  const context = Context.create();
  const queue = new CommandQueue(context);
  const buffer = new DeviceBuffer(context, 4096);
`;

/** How a script ended, with its output. */
async function run(source: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await runModule({ source: prelude + source, env });
  return { code, stdout, stderr };
}

const success = { code: 0, stderr: "" };

describe("with waiter threads", () => {
  test("thousands of events settle in order", async () => {
    const source = `
      const settled = [];
      const all = Array.from({ length: 3000 }, (_, i) =>
        queue.enqueueFill(buffer, Uint8Array.of(i & 255)).wait().then(() => settled.push(i)));
      await Promise.all(all);
      assert.deepEqual(settled, Array.from({ length: 3000 }, (_, i) => i));
      assert.equal((await queue.read(buffer, Uint8Array))[0], 2999 & 255);`;
    expect(await run(source)).toMatchObject(success);
  });

  test("events of different queues do not wait for each other", { tags: "ci" }, async () => {
    const source = `
      const gate = new UserEvent(context);
      const held = queue.enqueueFill(buffer, Uint8Array.of(1), { waitFor: gate }).wait();
      for (let i = 0; i < 50; i++) {
        const other = new CommandQueue(context);
        await other.enqueueFill(new DeviceBuffer(context, 16), Uint8Array.of(1)).wait();
        other.release();
      }
      gate.complete();
      await held;`;
    expect(await run(source)).toMatchObject(success);
  });

  test("a queue may be released before its last event has settled", { tags: "ci" }, async () => {
    const source = `
      const gate = new UserEvent(context);
      const other = new CommandQueue(context);
      const last = other.enqueueFill(buffer, Uint8Array.of(1), { waitFor: gate }).wait();
      other.release();
      gate.complete();
      await last;`;
    expect(await run(source)).toMatchObject(success);
  });

  test("a failed command rejects", { tags: "ci" }, async () => {
    const source = `
      const gate = new UserEvent(context);
      const last = queue.enqueueFill(buffer, Uint8Array.of(1), { waitFor: gate }).wait();
      gate.fail();
      await assert.rejects(last, { name: "OpenCLError" });`;
    expect(await run(source)).toMatchObject(success);
  });

  test("the process exits while a thread still waits", { tags: "ci" }, async () => {
    const source = `
      const gate = new UserEvent(context);
      queue.enqueueFill(buffer, Uint8Array.of(1), { waitFor: gate }).wait().catch(() => undefined);
      // Another thread has been waiting by then.
      await new CommandQueue(context).enqueueMarker().wait();
      process.exit(7);`;
    expect(await run(source)).toMatchObject({ code: 7, stderr: "" });
  });
});

describe("NVIDIA's driver, whose callbacks may hang", () => {
  test.each(sample(["auto", "always", "never"], 1))("is never asked to call back (CL_WAITERS=%s)", async (waiters) => {
    const { report } = await onFake(
      `
        import { Worker } from "node:worker_threads";
        const buffer = new DeviceBuffer(context, 4096);
        const gate = new UserEvent(context);
        const stages = [];
        const filled = queue.enqueueFill(buffer, Uint8Array.of(7), { waitFor: gate });
        for (const stage of ["submitted", "running", "complete"]) filled.onStatus(stage, (status) => stages.push(stage + " " + status));
        gate.onStatus("complete", () => stages.push("gate"));
        setImmediate(() => gate.complete());
        await Promise.all([gate.wait(), filled.wait()]);
        while (stages.length < 4) await new Promise(setImmediate);
        assert.deepEqual(stages.filter((stage) => stage !== "gate"), ["submitted 2", "running 1", "complete 0"]);
        const host = new Uint8Array(4096);
        queue.enqueueCopy(host, buffer);
        await queue.finish();
        assert.equal(host[4095], 7);
        const mapped = await queue.map(buffer, Uint8Array);
        await mapped.unmap();
        const failing = new UserEvent(context);
        const failed = queue.enqueueFill(buffer, Uint8Array.of(1), { waitFor: failing }).wait();
        failing.fail();
        await assert.rejects(failed, { name: "OpenCLError" });
        const open = new UserEvent(context);
        open.wait().catch(() => undefined);
        const worker = new Worker(
          'import("@cl/core").then(({ Context, UserEvent }) => { new UserEvent(Context.create()).wait().catch(() => 0); process.exit(); })',
          { eval: true },
        );
        await new Promise((resolve) => worker.on("exit", resolve));
        // Waits for events that never complete keep the process alive.
        process.exit();
      `,
      { env: { FAKE_CL_PLATFORM_NAME: "NVIDIA CUDA", CL_WAITERS: waiters } },
    );
    expect(report.calls).not.toHaveProperty("clSetEventCallback");
  });
});
