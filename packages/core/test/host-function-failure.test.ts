/** Host functions that throw, reject or are never called. */
import { afterEach, describe, expect, test } from "vitest";
import { CommandQueue, handleCounts, OpenCLError, UserEvent } from "@cl/core";

import { turns } from "@cl/base/testing";
import { roundTrip } from "@cl/testing/round-trip";
import { errorOf } from "./support/error-of.js";
import { context, number, other, queue } from "./support/host-functions.js";

afterEach(async () => {
  await Promise.all([queue.finish(), other.finish()]);
});

const fail = (): never => {
  throw new Error("on purpose");
};

describe("a failing function", () => {
  const throws = (error: Error) => (): never => {
    throw error;
  };
  const rejects = (error: Error) => async (): Promise<never> => {
    throw error;
  };
  const rejectsLater = (error: Error) => async (): Promise<never> => {
    await turns();
    throw error;
  };

  test.each(Object.entries({ throws, rejects, rejectsLater }))("that %s rejects its event", async (_, make) => {
    const cause = new Error("no such luck");
    const event = queue.enqueueHostFunction(make(cause));
    const error = await errorOf(event.wait());
    expect(error).toMatchObject({ code: "ERR_CL_HOST_FUNCTION", status: 0, routine: "enqueueHostFunction" });
    expect(error.cause).toBe(cause);
    // The same error before and after the end, for every kind of wait.
    expect(await errorOf(event.wait())).toBe(error);
    expect(await errorOf(event.wait({ signal: new AbortController().signal }))).toBe(error);
    expect(() => event.waitSync()).toThrow(error);
    expect(event.status).toBeLessThan(0);
  });

  test("fails the commands that wait for it, on any queue", async () => {
    const x = number(1);
    const event = queue.enqueueHostFunction(fail);
    const there = other.enqueueFill(x, 2, { waitFor: event });
    const dependent = other.enqueueHostFunction(() => expect.unreachable(), { waitFor: event });
    await errorOf(there.wait());
    const error = await errorOf(dependent.wait());
    expect(error.message).toContain("was not called");
    await errorOf(event.wait());
    expect([...queue.readSync(x)]).toEqual([1]);
  });

  test("fails later commands of an in-order queue if the driver propagates failures, and the queue keeps working", async () => {
    const x = number(1);
    const event = queue.enqueueHostFunction(async () => {
      await turns();
      throw new Error("on purpose");
    });
    const behind = queue.enqueueFill(x, 2);
    queue.enqueueFill(x, 3).release();
    const finished = queue.finish().then(
      () => "resolved",
      (error: unknown) => error,
    );
    await errorOf(event.wait());
    const end = await behind.wait().then(
      () => "complete",
      (error: unknown) => error,
    );
    if (end === "complete") {
      expect(await finished).toBe("resolved");
      expect([...queue.readSync(x)]).toEqual([3]);
    } else {
      expect(end).toBeInstanceOf(OpenCLError);
      expect(await finished).toBeInstanceOf(OpenCLError);
      expect([...queue.readSync(x)]).toEqual([1]);
    }
    await queue.enqueueFill(x, 4).wait();
    expect([...(await queue.read(x))]).toEqual([4]);
    await queue.enqueueHostFunction(() => undefined).wait();
  });

  test("has also failed in the driver when its event rejects, so later commands are unaffected", async () => {
    for (let i = 0; i < 20; i++) {
      const event = queue.enqueueHostFunction(fail);
      await errorOf(i % 2 === 0 ? event.wait() : event.wait({ signal: new AbortController().signal }));
      expect(event.status).toBeLessThan(0);
      await expect(queue.enqueueMarker().wait()).resolves.toBeUndefined();
    }
  });

  test("is not called if its wait list fails, and earlier commands still run first", async () => {
    const [slow, bad] = [new UserEvent(context), new UserEvent(context)];
    const before = queue.enqueueMarker(slow);
    const event = queue.enqueueHostFunction(() => expect.unreachable(), { waitFor: bad, label: "never" });
    bad.fail(-5);
    const after = queue.enqueueMarker();
    queue.flush();
    await roundTrip(context);
    expect([before, event, after].map(({ status }) => status > 0)).toEqual([true, true, true]);
    slow.complete();
    const error = await errorOf(event.wait());
    expect(error).toMatchObject({ code: "ERR_CL_HOST_FUNCTION" });
    expect((error.cause as OpenCLError).status).toBe(-5);
  });

  test("can throw any value", async () => {
    const event = queue.enqueueHostFunction(() => {
      // oxlint-disable-next-line only-throw-error -- users do
      throw "a string";
    });
    const error = await errorOf(event.wait());
    expect(error.cause).toBe("a string");
  });
});

describe("an abort signal", () => {
  test("throws if it is already aborted, and nothing is enqueued", () => {
    const before = handleCounts();
    const signal = AbortSignal.abort(new Error("too late"));
    expect(() => queue.enqueueHostFunction(() => undefined, { signal })).toThrow("too late");
    expect(handleCounts()).toEqual(before);
  });

  test("cancels a function that has not begun, when it would run", async () => {
    const gate = new UserEvent(context);
    queue.enqueueMarker(gate);
    const controller = new AbortController();
    const event = queue.enqueueHostFunction(() => expect.unreachable(), { signal: controller.signal });
    controller.abort();
    await roundTrip(context);
    expect(event.status).toBeGreaterThan(0);
    gate.complete();
    const error = await errorOf(event.wait());
    expect((error.cause as Error).name).toBe("AbortError");
  });

  test("does not affect a function that has begun", async () => {
    const controller = new AbortController();
    const event = queue.enqueueHostFunction(
      async () => {
        controller.abort();
        await turns();
      },
      { signal: controller.signal },
    );
    await expect(event.wait()).resolves.toBeUndefined();
  });
});

test("a failure reaches thousands of functions that wait for it", { tags: "ci" }, async () => {
  // NVIDIA's driver needed more than a minute for ten thousand.
  const count = queue.device.hostUnifiedMemory ? 10_000 : 500;
  const events = [queue.enqueueHostFunction(() => Promise.reject(new Error("first")))];
  for (let i = 1; i < count; i++) events.push(queue.enqueueHostFunction(() => undefined, { waitFor: events[0] }));
  const ends = await Promise.allSettled(events.map((event) => event.wait()));
  expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(["rejected"]));
});

describe("a failing function's error", () => {
  /** Collects host function warnings emitted while `work` runs. */
  const warningsOf = async (work: () => Promise<unknown>): Promise<readonly Error[]> => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void (warning.name === "HostFunctionWarning" && warnings.push(warning));
    process.on("warning", note);
    try {
      await work();
      // Warnings are emitted in a later turn.
      await roundTrip(context);
      await turns();
    } finally {
      process.off("warning", note);
    }
    return warnings;
  };
  const reason = 'host function "bad" failed: on purpose';
  const outOfOrder = new CommandQueue(context, { outOfOrder: true });

  test.each([
    ["in order", queue],
    ["out of order", outOfOrder],
  ])("reaches markers, barriers and functions that wait for it (%s)", async (__, target) => {
    const bad = target.enqueueHostFunction(fail, { label: "bad" });
    const marker = target.enqueueMarker([bad]);
    const barrier = other.enqueueBarrier(bad);
    const second = target.enqueueMarker([marker, barrier]);
    const after = target.enqueueHostFunction(() => expect.unreachable(), { waitFor: marker, label: "after" });
    for (const event of [bad, marker, barrier, second]) {
      const error = await errorOf(event.wait());
      expect(error.message).toBe(reason);
      expect((error.cause as Error).message).toBe("on purpose");
    }
    expect((await errorOf(after.wait())).message).toContain(reason);
    await target.finish().catch(() => undefined);
  });

  test("is emitted as one process warning if no event is left to report it", async () => {
    const warnings = await warningsOf(async () => {
      const bad = queue.enqueueHostFunction(fail, { label: "bad" });
      const marker = other.enqueueMarker(bad);
      queue.enqueueHostFunction(() => expect.unreachable(), { waitFor: bad, label: "after" }).release();
      bad.release();
      marker.release();
      await queue.finish().catch(() => undefined);
      await other.finish().catch(() => undefined);
    });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.message).toContain(`${reason} (its event is not awaited)`);
    expect(warnings[0]).toMatchObject({ code: "CL_HOST_FUNCTION" });
  });

  test("is not emitted as a warning if an event reports it or the function was aborted", async () => {
    const warnings = await warningsOf(async () => {
      const bad = queue.enqueueHostFunction(fail, { label: "bad" });
      const end = bad.wait();
      bad.release();
      expect((await errorOf(end)).message).toBe(reason);
      const held = queue.enqueueHostFunction(fail, { label: "bad" });
      await queue.finish().catch(() => undefined);
      held.release();
      const passed = queue.enqueueHostFunction(fail, { label: "bad" });
      const marker = queue.enqueueMarker(passed);
      passed.release();
      expect((await errorOf(marker.wait())).message).toBe(reason);
      // An aborted function is not a failure.
      const stop = new AbortController();
      const gate = new UserEvent(context);
      queue.enqueueHostFunction(() => undefined, { waitFor: gate, signal: stop.signal }).release();
      stop.abort();
      gate.complete();
      await queue.finish().catch(() => undefined);
    });
    expect(warnings).toEqual([]);
  });

  test("reaches finish() if the driver reports the failure there", async () => {
    let end: unknown;
    await warningsOf(async () => {
      queue.enqueueHostFunction(fail, { label: "bad" }).release();
      end = await queue.finish().catch((error: unknown) => error);
    });
    if (end !== undefined) expect((end as { cause?: Error }).cause?.message).toBe(reason);
    await expect(queue.finish()).resolves.toBeUndefined();
  });
});
