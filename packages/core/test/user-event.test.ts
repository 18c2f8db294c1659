import { expect, test } from "vitest";
import {
  CommandQueue,
  CommandStatus,
  CommandType,
  DisposedError,
  OpenCLError,
  OutOfMemoryError,
  UserEvent,
} from "@cl/core";
import { isPoclBefore } from "@cl/core/internal";
import { errorLike } from "@cl/testing/error-like";
import { sample } from "@cl/testing/level";
import { needs } from "@cl/base/testing";
import { runChild } from "./fixtures/child.js";
import { onFake } from "./support/on-fake.js";
import { context } from "./support/kernels.js";

test("a user event has the status SUBMITTED until the program completes it", async () => {
  const event = new UserEvent(context, { label: "go" });
  expect(event).toMatchObject({ status: CommandStatus.SUBMITTED, commandType: CommandType.USER });
  expect(event.queue).toBeUndefined();
  expect(event.label).toBe("go");
  const wait = event.wait();
  event.complete();
  await wait;
  expect(event.statusName).toBe("COMPLETE");
  event.waitSync();
});

test("a failed user event has the given status, and rejects all waits, before and after", async () => {
  const event = new UserEvent(context);
  const before = event.wait();
  event.fail(-5);
  expect(event).toMatchObject({ status: -5, statusName: "CL_OUT_OF_RESOURCES" });
  await expect(before).rejects.toThrow(OutOfMemoryError);
  await expect(event.wait()).rejects.toThrow(errorLike(OutOfMemoryError, "CL_OUT_OF_RESOURCES"));
  expect(() => event.waitSync()).toThrow(OpenCLError);
});

test("a failure without a status, or with an unnamed status, is an error, too", async () => {
  const [plain, odd] = [new UserEvent(context), new UserEvent(context)];
  plain.fail();
  odd.fail(-123_456);
  await expect(plain.wait()).rejects.toThrow(OpenCLError);
  await expect(odd.wait()).rejects.toThrow(expect.objectContaining({ status: -123_456, code: "CL_STATUS_-123456" }));
});

test.each([
  ["complete", "complete"],
  ["complete", "fail"],
  ["fail", "complete"],
  ["fail", "fail"],
] as const)("after %s, %s throws that the event has ended", (first, second) => {
  const event = new UserEvent(context, { label: "once" });
  event[first]();
  expect(() => event[second]()).toThrow(errorLike(OpenCLError, "ERR_CL_ALREADY_ENDED"));
});

test("a user event that is released before its end fails, so that no command waits for it forever", async () => {
  const queue = new CommandQueue(context);
  const gate = new UserEvent(context);
  const marker = queue.enqueueMarker(gate);
  const wait = marker.wait();
  gate.release();
  await expect(wait).rejects.toThrow(OpenCLError);
  expect(() => gate.complete()).toThrow(DisposedError);
  await queue.finish();
});

test.each(sample(["chain", "barrier", "marker", "fill", "finish", "launches"], 1))(
  "a failing event does not end the process if a dependent %s was released, which would abort PoCL 3.1",
  async (dependent) => {
    for (const end of sample(["fail", "release", "exit"], 2)) {
      const result = await runChild("failing-gate.mjs", { args: [dependent, end] });
      const stdout = end === "exit" ? "" : "alive\n";
      expect(result, result.stderr).toMatchObject({ code: 0, signal: null, stdout });
    }
  },
);

test("an event that is released during a wait still reports how it failed", async () => {
  const gate = new UserEvent(context);
  const marker = new CommandQueue(context).enqueueMarker(gate);
  const wait = marker.wait();
  const reportedStatus = new Promise<number>((resolve) => marker.onStatus("complete", resolve));
  marker.release();
  gate.fail(-5);
  await expect(wait).rejects.toThrow(OpenCLError);
  expect(await reportedStatus).toBeLessThan(0);
  expect(marker.released).toBe(true);
});

test("user events on PoCL's single-threaded device work, or are rejected where they would hang", async (run) => {
  const { platform } = context;
  needs(run, platform.name === "Portable Computing Language", "the platform is not PoCL");
  const { code, stdout } = await runChild("basic-user-event.mjs", { env: { POCL_DEVICES: "basic", CL_DEVICE: "" } });
  const rejection = "NotSupportedError ERR_CL_NOT_SUPPORTED clCreateUserEvent";
  expect(stdout.trim()).toBe(isPoclBefore(platform, 7) ? rejection : "read 7,7");
  expect(code).toBe(0);
});

test("reports a driver's error on creating or completing a user event", async () => {
  const script = `
    for (const act of [() => new UserEvent(context), () => new UserEvent(context).complete()]) console.log(codeOf(act));`;
  const env = { FAKE_CL_FAIL: "clCreateUserEvent@1=-6,clSetUserEventStatus@1=-59" };
  expect((await onFake(script, { env })).lines).toEqual(["CL_OUT_OF_HOST_MEMORY", "CL_INVALID_OPERATION"]);
});
