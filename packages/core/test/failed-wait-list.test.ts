/**
 * Commands that wait for an event that has already failed. PoCL 3.1 would neither run nor fail them and would block the
 * queue, so each case runs in a separate process.
 */
import { expect, test } from "vitest";
import { CommandQueue, OpenCLError, UserEvent } from "@cl/core";

import { runChild } from "./fixtures/child.js";
import { needs } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";
import { hasSvm } from "@cl/testing/svm";
import { context, device, queue } from "./support/kernels.js";

const hasOutOfOrder = device.hasQueueOutOfOrderExecMode;

const rejecting = ["read", "readInto", "write", "map", "viewRead", "viewWrite", "viewCopy", "viewMap"];
const throwing = (
  "marker barrier waitForEvents hostFunction readSync writeSync copy copyFromHost copyToHost copySync copyRegion " +
  "copyRegionFromHost copyRegionSync fill migrate mapSync unmap launch launchOfNothing launchBound launchList viewReadSync"
).split(" ");
if (device.imageSupport) {
  rejecting.push("imageRead", "imageWrite", "imageMap");
  throwing.push("imageReadSync", "imageWriteSync", "imageCopy", "imageFromBuffer", "imageToBuffer", "imageFill");
  throwing.push("imageUnmap");
}
if (hasSvm("COARSE_GRAIN_BUFFER")) {
  rejecting.push("svmRead", "svmWrite", "svmMap");
  throwing.push("svmReadSync", "svmCopy", "svmFill", "svmMigrate", "svmMapSync", "svmUnmap", "svmRelease");
}
if (device.hasNativeKernel) throwing.push("nativeKernel");

const code = "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST";
const expected = [
  ...rejecting.map((name) => `${name} rejected with ${code}; 1,2,3,4; nothing made`),
  ...throwing.map((name) => `${name} threw ${code}; 1,2,3,4; nothing made`),
].toSorted();

/** The failing member of a wait list: a user event, a command or a host function. */
const failures = ["failed", "command", "function"];

test.for(failures.flatMap((how) => [[how, "in-order"] as const, [how, "out-of-order"] as const]))(
  "with an event in its wait list that has failed (%s), every call throws or rejects, enqueues nothing and leaves its " +
    "%s queue working",
  { tags: "ci" },
  async ([how, order], run) => {
    needs(run, order === "in-order" || hasOutOfOrder, `'${device.name}' has no out-of-order queues`);
    const { code: exit, hung, stdout, stderr, trace } = await runChild("failed-wait-list.mjs", { args: [how, order] });
    expect({ exit, hung, stderr, trace: hung ? trace : "" }).toEqual({ exit: 0, hung: false, stderr: "", trace: "" });
    expect(stdout.trim().split("\n").toSorted()).toEqual(expected);
  },
);

test("the error names the failed event and its status", () => {
  const gate = new UserEvent(context);
  gate.fail(-5);
  const wait = (): unknown => queue.enqueueMarker([queue.enqueueMarker(), gate]);
  expect(wait).toThrow(errorLike(OpenCLError, code, "waitFor[1]"));
  expect(wait).toThrow("CL_OUT_OF_RESOURCES");
});

test("commands that were waiting when the event failed do not block later commands", async (run) => {
  needs(run, hasOutOfOrder, `'${device.name}' has no out-of-order queues`);
  for (const outOfOrder of [false, true]) {
    const own = new CommandQueue(context, { outOfOrder });
    const gate = new UserEvent(context);
    const barrier = own.enqueueBarrier(gate);
    const behind = own.enqueueMarker();
    own.flush();
    gate.fail();
    await expect(barrier.wait()).rejects.toThrow(OpenCLError);
    await behind.wait().catch(() => undefined);
    await expect(own.enqueueMarker().wait()).resolves.toBeUndefined();
    await own.finish();
  }
});
