/**
 * Threads that wait for events, where a driver is slow to call back. `CL_WAITERS=always` takes them on any device; it is
 * read when the package is first used, so each test has a process of its own.
 */
import { describe, expect, test } from "vitest";

import { runFault } from "./support/fault-child.js";

const env = { CL_WAITERS: "always" };
const prelude = `
  import { CommandQueue, Context, DeviceBuffer, UserEvent } from "@cl/core";
  import { strict as assert } from "node:assert";
  const context = Context.create();
  const queue = new CommandQueue(context);
  const buffer = new DeviceBuffer(context, 4096);
`;

/** How a script ended, with what it wrote. */
async function run(source: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await runFault({ source: prelude + source, env });
  return { code, stdout, stderr };
}

const well = { code: 0, stderr: "" };

describe("with threads that wait", () => {
  test("thousands of events settle, each in its turn", async () => {
    const source = `
      const settled = [];
      const all = Array.from({ length: 3000 }, (_, i) =>
        queue.enqueueFill(buffer, Uint8Array.of(i & 255)).wait().then(() => settled.push(i)));
      await Promise.all(all);
      assert.deepEqual(settled, Array.from({ length: 3000 }, (_, i) => i));
      assert.equal((await queue.read(buffer, Uint8Array))[0], 2999 & 255);`;
    expect(await run(source)).toMatchObject(well);
  });

  test("events of many queues do not wait for each other", async () => {
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
    expect(await run(source)).toMatchObject(well);
  });

  test("a queue may be released before its last event has been told", async () => {
    const source = `
      const gate = new UserEvent(context);
      const other = new CommandQueue(context);
      const last = other.enqueueFill(buffer, Uint8Array.of(1), { waitFor: gate }).wait();
      other.release();
      gate.complete();
      await last;`;
    expect(await run(source)).toMatchObject(well);
  });

  test("a command that fails rejects", async () => {
    const source = `
      const gate = new UserEvent(context);
      const last = queue.enqueueFill(buffer, Uint8Array.of(1), { waitFor: gate }).wait();
      gate.fail();
      await assert.rejects(last, { name: "OpenCLError" });`;
    expect(await run(source)).toMatchObject(well);
  });

  test("the process ends while a thread still waits", async () => {
    const source = `
      const gate = new UserEvent(context);
      queue.enqueueFill(buffer, Uint8Array.of(1), { waitFor: gate }).wait().catch(() => undefined);
      setTimeout(() => process.exit(7), 20);`;
    expect(await run(source)).toMatchObject({ code: 7, stderr: "" });
  });
});
