/** What a host function can enqueue and wait for. */
import { afterEach, describe, expect, test } from "vitest";
import type { CommandQueue } from "@cl/core";

import { turns } from "@cl/base/testing";
import { errorOf } from "./support/error-of.js";
import { number, other, queue } from "./support/host-functions.js";

afterEach(async () => {
  await Promise.all([queue.finish(), other.finish()]);
});

describe("inside a host function", () => {
  test("a synchronous one can enqueue commands on its own queue", async () => {
    const x = number();
    const inner: Promise<unknown>[] = [];
    await queue
      .enqueueHostFunction(() => {
        queue.enqueueFill(x, 7);
        // Returns nothing: the test awaits these promises outside of the function.
        inner.push(queue.read(x), queue.finish());
        inner.push(queue.enqueueHostFunction(() => undefined).wait());
      })
      .wait();
    const [values] = await Promise.all(inner);
    expect([...(values as Int32Array)]).toEqual([7]);
  });

  test("an asynchronous one can await other queues and enqueue on its own", async () => {
    const x = number();
    let inner: Promise<unknown> | undefined;
    await queue
      .enqueueHostFunction(async () => {
        await other.enqueueFill(x, 8).wait();
        await other.finish();
        const event = queue.enqueueHostFunction(() => undefined);
        event.onStatus("complete", () => undefined);
        inner = Promise.resolve(event);
      })
      .wait();
    await (await (inner as Promise<ReturnType<CommandQueue["enqueueMarker"]>>)).wait();
    expect([...queue.readSync(x)]).toEqual([8]);
  });

  test.each([
    ["queue.finish()", () => queue.finish()],
    ["a read behind it", () => queue.read(number())],
    ["a write behind it", () => queue.write(number(), Int32Array.of(1))],
    ["a map behind it", () => queue.map(number())],
    ["a marker behind it", () => queue.enqueueMarker().wait()],
    ["a marker behind it, with a signal", () => queue.enqueueMarker().wait({ signal: new AbortController().signal })],
    ["another queue that waits for it", () => other.enqueueMarker(queue.enqueueMarker()).wait()],
    ["another function behind it", () => queue.enqueueHostFunction(() => undefined).wait()],
  ])("awaiting %s throws a deadlock error instead of hanging", async (_, wait) => {
    for (const run of [wait, () => turns(1).then<unknown>(wait)]) {
      const error = await errorOf(queue.enqueueHostFunction(run).wait());
      expect(error.cause).toMatchObject({ code: "ERR_CL_DEADLOCK" });
      // Commands after it may fail too and propagate the failure to later ones.
      await queue.finish().catch(() => undefined);
    }
  });

  test("awaiting its own event throws, but other code can wait for it", async () => {
    const event = queue.enqueueHostFunction(async () => {
      await turns(1);
      await expect(event.wait()).rejects.toMatchObject({ code: "ERR_CL_DEADLOCK" });
    });
    await event.wait();
  });
});
