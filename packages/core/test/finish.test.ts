import { roundTrip } from "@cl/testing/round-trip";
import { expect, test } from "vitest";
import { CommandQueue, Context, handleCounts, OpenCLError, UserEvent } from "@cl/core";

const context = Context.create();

test("finish resolves at once on an empty queue, any number of times", async () => {
  const queue = new CommandQueue(context);
  await queue.finish();
  await expect(Promise.all([queue.finish(), queue.finish()])).resolves.toEqual([undefined, undefined]);
});

test("finish resolves after everything that was enqueued before it, and not before", async () => {
  const queue = new CommandQueue(context);
  const gate = new UserEvent(context);
  const marker = queue.enqueueMarker(gate);
  let finished = false;
  const done = queue.finish().then(() => (finished = true));
  await roundTrip(context);
  expect(finished).toBe(false);
  gate.complete();
  await done;
  expect(marker.statusName).toBe("COMPLETE");
});

test("finish needs no flush, and leaves no handle behind", async () => {
  const queue = new CommandQueue(context);
  const before = handleCounts()["event"];
  await queue.finish();
  expect(handleCounts()["event"]).toBe(before);
});

test("finish rejects when what it waited for failed, where the driver hands failures on", async () => {
  const queue = new CommandQueue(context);
  const gate = new UserEvent(context);
  const marker = queue.enqueueMarker(gate);
  const done = queue.finish().then(
    () => "resolved",
    (error: unknown) => error,
  );
  gate.fail(-5);
  const end = await done;
  if (end !== "resolved") {
    expect(end).toBeInstanceOf(OpenCLError);
    expect((end as OpenCLError).routine).toBe("clFinish");
  }
  await expect(marker.wait()).rejects.toThrow(OpenCLError);
  // The queue goes on.
  await queue.finish();
});

test("finishSync blocks until everything has completed", () => {
  const queue = new CommandQueue(context);
  const markers = Array.from({ length: 100 }, () => queue.enqueueMarker());
  queue.finishSync();
  expect(new Set(markers.map((marker) => marker.statusName))).toEqual(new Set(["COMPLETE"]));
});

test("finish takes a signal, and refuses what is none", async () => {
  const queue = new CommandQueue(context);
  await expect(queue.finish({ signal: "x" as unknown as AbortSignal })).rejects.toThrow(
    /^signal must be an AbortSignal/,
  );
  await expect(queue.finish(5 as unknown as object)).rejects.toThrow(/^options must be an object/);
});

test("a queue at the end of its scope finishes first", async () => {
  const marker = await (async () => {
    await using queue = new CommandQueue(context);
    return queue.enqueueMarker();
  })();
  expect(marker.statusName).toBe("COMPLETE");
  expect(marker.queue?.released).toBe(true);
});
