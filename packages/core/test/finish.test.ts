import { roundTrip } from "@cl/testing/round-trip";
import { expect, test } from "vitest";
import { CommandQueue, handleCounts, OpenCLError, UserEvent } from "@cl/core";
import { context } from "./support/kernels.js";

test("finish resolves repeatedly on an empty queue and leaks no handle", async () => {
  const queue = new CommandQueue(context);
  const before = handleCounts()["event"];
  await expect(Promise.all([queue.finish(), queue.finish()])).resolves.toEqual([undefined, undefined]);
  expect(handleCounts()["event"]).toBe(before);
});

test("finish resolves only after all commands enqueued before it", async () => {
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

test("finish rejects if a command failed, where the driver propagates failures", async () => {
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
  // The queue still works.
  await queue.finish();
});

test("finishSync blocks until all commands have completed", () => {
  const queue = new CommandQueue(context);
  const markers = Array.from({ length: 100 }, () => queue.enqueueMarker());
  queue.finishSync();
  expect(new Set(markers.map((marker) => marker.statusName))).toEqual(new Set(["COMPLETE"]));
});

test("`await using` finishes a queue before it is released", async () => {
  const marker = await (async () => {
    await using queue = new CommandQueue(context);
    return queue.enqueueMarker();
  })();
  expect(marker.statusName).toBe("COMPLETE");
  expect(marker.queue?.released).toBe(true);
});
