import { setTimeout as sleep } from "node:timers/promises";

import { afterEach, describe, expect, test } from "vitest";
import { CommandQueue, Context, DeviceBuffer, handleCounts, OpenCLError, UserEvent } from "@cl/core";

import { needs } from "./support/needs.js";
import { overtakes } from "./support/overtaking.js";

const context = Context.create();
const queue = new CommandQueue(context);
const other = new CommandQueue(context);
const hasOutOfOrder = queue.device.hasQueueOutOfOrderExecMode;
const outOfOrder = new CommandQueue(context, { outOfOrder: hasOutOfOrder });
const number = (value = 0): DeviceBuffer<Int32Array> => DeviceBuffer.from(context, Int32Array.of(value));

/** The error that a promise is rejected with. */
async function errorOf(promise: Promise<unknown>): Promise<OpenCLError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OpenCLError);
  return error as OpenCLError;
}

/** A function that does not end before it is told. */
function lasting(): { readonly begun: Promise<void>; readonly end: () => void; readonly run: () => Promise<void> } {
  const [begun, begin] = promise();
  const [ended, end] = promise();
  const run = (): Promise<void> => {
    begin();
    return ended;
  };
  return { begun, end, run };
}

function promise(): readonly [Promise<void>, () => void] {
  let settle = (): void => undefined;
  const made = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return [made, settle];
}

afterEach(async () => {
  await Promise.all([queue.finish(), other.finish(), outOfOrder.finish()]);
});

describe("on an in-order queue", () => {
  test("it runs after what is before it, and before what follows", async () => {
    const x = number();
    const seen: number[] = [];
    queue.enqueueFill(x, 1);
    queue.enqueueHostFunction(() => {
      // Another queue, which waits for nothing of this one.
      seen.push(other.readSync(x)[0] as number);
      other.writeSync(x, Int32Array.of(seen.length + 10));
    });
    const after = new Int32Array(1);
    const copied = queue.enqueueCopy(after, x);
    queue.enqueueFill(x, 2);
    await queue.enqueueHostFunction(() => seen.push(other.readSync(x)[0] as number)).wait();
    expect(seen).toEqual([1, 2]);
    expect(copied.statusName).toBe("COMPLETE");
    expect([...after]).toEqual([11]);
  });

  test("a promise that it returns holds what follows until it is settled", async () => {
    const { begun, end, run } = lasting();
    const event = queue.enqueueHostFunction(run);
    const after = queue.enqueueMarker();
    queue.flush();
    await begun;
    await sleep(20);
    expect([event.statusName, after.statusName].includes("COMPLETE")).toBe(false);
    end();
    await after.wait();
    expect(event.statusName).toBe("COMPLETE");
    await event.wait();
    event.waitSync();
  });

  test("functions run one after the other, also where earlier ones take longer", async () => {
    const seen: string[] = [];
    for (const [name, time] of [
      ["a", 20],
      ["b", 0],
      ["c", 5],
      ["d", -1],
    ] as const) {
      queue.enqueueHostFunction(async () => {
        seen.push(`${name} begins`);
        if (time >= 0) await sleep(time);
        seen.push(`${name} ends`);
      });
    }
    await queue.finish();
    expect(seen.join()).toBe("a begins,a ends,b begins,b ends,c begins,c ends,d begins,d ends");
  });

  test("it is not called in the turn in which it is enqueued, and needs no flush", async () => {
    let called = false;
    const done = new Promise<void>((resolve) => {
      queue.enqueueHostFunction(() => {
        called = true;
        resolve();
      });
    });
    expect(called).toBe(false);
    await done;
  });

  test("waitFor holds it besides its turn", async () => {
    const gate = new UserEvent(context);
    const seen: string[] = [];
    const event = queue.enqueueHostFunction(() => seen.push("called"), { waitFor: [gate] });
    await sleep(20);
    expect(seen).toEqual([]);
    gate.complete();
    await event.wait();
    expect(seen).toEqual(["called"]);
  });

  test("a command of another queue that it waits for may be released and is flushed", async () => {
    const filled = other.enqueueFill(number(), 1);
    const event = queue.enqueueHostFunction(() => undefined, { waitFor: filled });
    filled.release();
    await expect(event.wait()).resolves.toBeUndefined();
  });
});

describe("on an out-of-order queue", () => {
  test("it runs after what it waits for, and holds only what waits for it", async (vitest) => {
    needs(vitest, hasOutOfOrder, `'${queue.device.name}' has no out-of-order queues`);
    needs(vitest, await overtakes(outOfOrder), `'${queue.device.name}' runs out-of-order queues in order`);
    const gate = new UserEvent(context);
    const closed = outOfOrder.enqueueMarker(gate);
    const first = outOfOrder.enqueueFill(number(), 1);
    const { begun, end, run } = lasting();
    const event = outOfOrder.enqueueHostFunction(run, { waitFor: first });
    const held = outOfOrder.enqueueFill(number(), 1, { waitFor: event });
    await outOfOrder.enqueueFill(number(), 2).wait();
    await begun;
    // No barrier: what does not wait for it runs, also when it is enqueued later.
    await outOfOrder.enqueueFill(number(), 3, { waitFor: first }).wait();
    expect(held.status).toBeGreaterThan(0);
    expect(closed.status).toBeGreaterThan(0);
    end();
    await held.wait();
    gate.complete();
    await closed.wait();
  });

  test("without waitFor it runs after everything before it", async (vitest) => {
    needs(vitest, hasOutOfOrder, `'${queue.device.name}' has no out-of-order queues`);
    const gate = new UserEvent(context);
    const before = outOfOrder.enqueueMarker(gate);
    let status = -1;
    const event = outOfOrder.enqueueHostFunction(() => (status = before.status));
    await sleep(20);
    expect(status).toBe(-1);
    gate.complete();
    await event.wait();
    expect(status).toBe(0);
  });
});

test("it orders commands of several queues", async () => {
  const x = number();
  const filled = queue.enqueueFill(x, 5);
  let seen = 0;
  const called = other.enqueueHostFunction(async () => (seen = (await other2.read(x))[0] as number), {
    waitFor: filled,
  });
  const other2 = new CommandQueue(context);
  const back = queue.enqueueFill(x, 6, { waitFor: called });
  await back.wait();
  expect(seen).toBe(5);
  expect([...queue.readSync(x)]).toEqual([6]);
});

describe("a function that fails", () => {
  test.each([
    [
      "throws",
      (error: Error) => () => {
        throw error;
      },
    ],
    [
      "is rejected",
      (error: Error) => async () => {
        throw error;
      },
    ],
    [
      "is rejected later",
      (error: Error) => async () => {
        await sleep(5);
        throw error;
      },
    ],
  ])("and %s rejects its event, with what it threw as the cause", async (_, make) => {
    const cause = new Error("no such luck");
    const event = queue.enqueueHostFunction(make(cause), { label: "wheel" });
    const error = await errorOf(event.wait());
    expect(error.message).toBe('host function "wheel" failed: no such luck');
    expect(error).toMatchObject({ code: "ERR_CL_HOST_FUNCTION", status: 0, routine: "enqueueHostFunction" });
    expect(error.cause).toBe(cause);
    // Before and after, in every way of waiting.
    expect(await errorOf(event.wait())).toBe(error);
    expect(await errorOf(event.wait({ signal: new AbortController().signal }))).toBe(error);
    expect(() => event.waitSync()).toThrow(error);
    expect(event.status).toBeLessThan(0);
  });

  test("fails what waits for it, on its queue and on others", async () => {
    const x = number(1);
    const event = queue.enqueueHostFunction(() => {
      throw new Error("on purpose");
    });
    const there = other.enqueueFill(x, 2, { waitFor: event });
    const function2 = other.enqueueHostFunction(() => expect.unreachable(), { waitFor: event });
    await errorOf(there.wait());
    const error = await errorOf(function2.wait());
    expect(error.message).toMatch(/^host function \(anonymous\) was not called, since what it waited for has failed/);
    await errorOf(event.wait());
    expect([...queue.readSync(x)]).toEqual([1]);
  });

  test("fails what is behind it on an in-order queue, where the driver hands failures on; the queue itself goes on", async () => {
    const x = number(1);
    const event = queue.enqueueHostFunction(async () => {
      await sleep(5);
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

  test("does no harm when nobody looks at it or at what is behind it", async () => {
    for (let i = 0; i < 20; i++) {
      queue
        .enqueueHostFunction(() => {
          throw new Error("on purpose");
        })
        .release();
      queue.enqueueFill(number(), 2).release();
      queue.enqueueWaitForEvents(queue.enqueueMarker());
    }
    await queue.finish().catch(() => undefined);
    await expect(queue.finish()).resolves.toBeUndefined();
  });

  test("because what it waits for failed is not called, and lets nothing overtake what is before it", async () => {
    const [slow, bad] = [new UserEvent(context), new UserEvent(context)];
    const before = queue.enqueueMarker(slow);
    const event = queue.enqueueHostFunction(() => expect.unreachable(), { waitFor: bad, label: "never" });
    bad.fail(-5);
    const after = queue.enqueueMarker();
    queue.flush();
    await sleep(20);
    expect([before, event, after].map(({ status }) => status > 0)).toEqual([true, true, true]);
    slow.complete();
    const error = await errorOf(event.wait());
    expect(error.message).toMatch(/^host function "never" was not called, since what it waited for has failed: USER/);
    expect((error.cause as OpenCLError).status).toBe(-5);
  });

  test("may throw anything", async () => {
    const event = queue.enqueueHostFunction(() => {
      // oxlint-disable-next-line only-throw-error -- users do
      throw "a string";
    });
    const error = await errorOf(event.wait());
    expect(error.message).toBe("host function (anonymous) failed: a string");
    expect(error.cause).toBe("a string");
  });
});

describe("a signal", () => {
  test("that is aborted already throws, and nothing is enqueued", () => {
    const before = handleCounts();
    const signal = AbortSignal.abort(new Error("too late"));
    expect(() => queue.enqueueHostFunction(() => undefined, { signal })).toThrow("too late");
    expect(handleCounts()).toEqual(before);
  });

  test("cancels a function that has not begun, when its turn comes", async () => {
    const gate = new UserEvent(context);
    queue.enqueueMarker(gate);
    const controller = new AbortController();
    const event = queue.enqueueHostFunction(() => expect.unreachable(), { signal: controller.signal, label: "late" });
    controller.abort();
    await sleep(10);
    expect(event.status).toBeGreaterThan(0);
    gate.complete();
    const error = await errorOf(event.wait());
    expect(error.message).toMatch(/^host function "late" was cancelled before it began/);
    expect((error.cause as Error).name).toBe("AbortError");
  });

  test("does nothing to one that has begun", async () => {
    const controller = new AbortController();
    const event = queue.enqueueHostFunction(
      async () => {
        controller.abort();
        await sleep(5);
      },
      { signal: controller.signal },
    );
    await expect(event.wait()).resolves.toBeUndefined();
  });
});

test.each([
  ["in order", () => queue],
  ["out of order", () => outOfOrder],
])(
  "ten thousand are in flight at once, %s",
  async (_, on) => {
    const before = handleCounts()["event"];
    const order: number[] = [];
    const gate = new UserEvent(context);
    const all = Array.from({ length: 10_000 }, (_unused, i) => i);
    const events = all.map((i) => on().enqueueHostFunction(() => void order.push(i), { waitFor: gate }));
    expect(order).toEqual([]);
    gate.complete();
    await Promise.all(events.map((event) => event.wait()));
    expect(on().outOfOrder ? order.toSorted((a, b) => a - b) : order).toEqual(all);
    for (const event of events) event.release();
    gate.release();
    expect(handleCounts()["event"]).toBeLessThanOrEqual(before as number);
  },
  60_000,
);

test("the first of thousands fails, and with it all that wait for it", async () => {
  // NVIDIA's driver was seen to need more than a minute for ten thousand.
  const count = queue.device.hostUnifiedMemory ? 10_000 : 500;
  const events = [queue.enqueueHostFunction(() => Promise.reject(new Error("first")))];
  for (let i = 1; i < count; i++) events.push(queue.enqueueHostFunction(() => undefined, { waitFor: events[0] }));
  const ends = await Promise.allSettled(events.map((event) => event.wait()));
  expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(["rejected"]));
}, 60_000);

describe("inside a host function", () => {
  test("work may be put on the same queue, behind it", async () => {
    const x = number();
    const inner: Promise<unknown>[] = [];
    await queue
      .enqueueHostFunction(() => {
        queue.enqueueFill(x, 7);
        // It returns nothing, so that whoever is outside can wait.
        inner.push(queue.read(x), queue.finish());
        inner.push(queue.enqueueHostFunction(() => undefined).wait());
      })
      .wait();
    const [values] = await Promise.all(inner);
    expect([...(values as Int32Array)]).toEqual([7]);
  });

  test("an asynchronous one may await other queues, and put work on its own", async () => {
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
  ])("awaiting %s is refused, at once and later, since neither would ever end", async (_, wait) => {
    for (const run of [
      wait,
      async () => {
        await wait();
      },
      async () => {
        await sleep(1);
        await wait();
      },
    ]) {
      const error = await errorOf(queue.enqueueHostFunction(run, { label: "loop" }).wait());
      expect(error.message).toMatch(
        /^host function "loop" failed: host function "loop" awaits a command that waits for/,
      );
      expect(error.cause).toMatchObject({ code: "ERR_CL_DEADLOCK" });
    }
    await queue.finish();
  });

  test("awaiting its own event is refused, and nobody else's wait for it", async () => {
    const event = queue.enqueueHostFunction(async () => {
      await sleep(1);
      await expect(event.wait()).rejects.toMatchObject({ code: "ERR_CL_DEADLOCK" });
    });
    await event.wait();
  });

  test("what it awaits after it was refused still works", async () => {
    const event = queue.enqueueHostFunction(async () => {
      await queue.finish().catch(() => undefined);
      await other.finish();
    });
    await expect(event.wait()).resolves.toBeUndefined();
  });
});

test("a queue, a context and its event may be released while it is pending", async () => {
  const own = Context.create();
  const ownQueue = new CommandQueue(own);
  let called = 0;
  const gate = new UserEvent(own);
  const first = ownQueue.enqueueHostFunction(() => called++, { waitFor: gate });
  ownQueue
    .enqueueHostFunction(async () => {
      await sleep(1);
      called++;
    })
    .release();
  const wait = first.wait();
  const last = ownQueue.enqueueMarker();
  first.release();
  ownQueue.release();
  own.release();
  gate.complete();
  await Promise.all([wait, last.wait()]);
  expect(called).toBe(2);
});

test("a queue at the end of its scope waits for its functions", async () => {
  let called = false;
  {
    await using scoped = new CommandQueue(context);
    scoped.enqueueHostFunction(async () => {
      await sleep(5);
      called = true;
    });
  }
  expect(called).toBe(true);
});

test("its event tells what it is", async () => {
  const event = queue.enqueueHostFunction(() => undefined, { label: "named" });
  expect(event.label).toBe("named");
  expect(event.queue).toBe(queue);
  expect(String(event)).toMatch(/^CommandEvent "named" \{ BARRIER, /);
  const stages: number[] = [];
  await new Promise<void>((resolve) => {
    event.onStatus("complete", (status) => {
      stages.push(status);
      resolve();
    });
  });
  expect(stages).toEqual([0]);
});

test.each([undefined, null, 5, "f", {}, Promise.resolve()])("%o is no function", (wrong) => {
  expect(() => queue.enqueueHostFunction(wrong as () => void)).toThrow(/^fn must be a function/);
});

test("options that are none throw", () => {
  const run = (): void => undefined;
  const wrong = (options: unknown) => () => queue.enqueueHostFunction(run, options as object);
  expect(wrong(5)).toThrow(/^options must be an object/);
  expect(wrong({ label: 5 })).toThrow(/^options.label must be a string/);
  expect(wrong({ signal: 5 })).toThrow(/^signal must be an AbortSignal/);
  expect(wrong({ waitFor: 5 })).toThrow(/^waitFor must be a CommandEvent/);
});
