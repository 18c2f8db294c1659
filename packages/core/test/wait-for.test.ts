/** Wait lists of all commands, and abort signals of all promises. */
import { describe, expect, test } from "vitest";
import {
  CommandEvent,
  CommandQueue,
  Context,
  DeviceBuffer,
  DeviceView,
  Image,
  ImageFormat,
  LaunchList,
  OpenCLError,
  SvmAllocation,
  UserEvent,
  type WaitFor,
  waitForEvents,
} from "@cl/core";

import { disposed } from "@cl/testing/core-errors";
import { wrongType, wrongValue } from "@cl/testing/error-like";
import { roundTrip } from "@cl/testing/round-trip";
import { hasSvm } from "@cl/testing/svm";
import { runChild } from "./fixtures/child.js";
import { context, device, ints, kernelOf, queue } from "./support/kernels.js";

const outOfOrder = new CommandQueue(context, { outOfOrder: device.hasQueueOutOfOrderExecMode });
const [x, y] = [ints(1, 2, 3, 4), ints(0, 0, 0, 0)];
const host = new Int32Array(4);
const coherent = DeviceBuffer.empty(context, Int32Array, 4, { hostCoherent: "preferred" });
const box = { region: [4, 2], sourcePitches: [8], targetPitches: [8] } as const;
const count = kernelOf("__kernel void count(__global int *x, int by) { x[get_global_id(0)] += by; }");
const [bound, boundEmpty] = [4, 0].map((global) => count.bind({ global, allowEmpty: true }, x, 1)) as [
  ReturnType<typeof count.bind>,
  ReturnType<typeof count.bind>,
];
const rows = Float64Array.of(1, 2);

interface Options {
  readonly waitFor?: WaitFor;
  readonly signal?: AbortSignal;
}

/** Every command that returns an event. */
const commands: Record<string, (on: CommandQueue, options: { readonly waitFor?: WaitFor }) => CommandEvent> = {
  enqueueMarker: (on, { waitFor }) => on.enqueueMarker(waitFor),
  enqueueBarrier: (on, { waitFor }) => on.enqueueBarrier(waitFor),
  enqueueFill: (on, options) => on.enqueueFill(y, 1, options),
  enqueueMigrate: (on, options) => on.enqueueMigrate(y, options),
  enqueueHostFunction: (on, options) => on.enqueueHostFunction(() => undefined, options),
  "enqueueCopy between buffers": (on, options) => on.enqueueCopy(y, x, options),
  "enqueueCopy from the host": (on, options) => on.enqueueCopy(y, host, options),
  "enqueueCopy to the host": (on, options) => on.enqueueCopy(host, x, options),
  "enqueueCopy of nothing": (on, options) => on.enqueueCopy(y, x, { bytes: 0, ...options }),
  "enqueueCopy of a rectangle": (on, options) => on.enqueueCopy(y, x, { ...box, ...options }),
  "unmap of a buffer": (on, options) => on.mapSync(x, { access: "read" }).unmap(options),
  "a kernel": (on, options) => count.enqueue(on, { global: 4, ...options }, x, 1),
  "a kernel over an empty range": (on, options) => count.enqueue(on, { global: 0, allowEmpty: true, ...options }, x, 1),
  "a bound kernel": (on, options) => bound.enqueue(on, options),
  "a bound kernel over an empty range": (on, options) => boundEmpty.enqueue(on, options),
  "a bound kernel with rows": (on, options) => bound.enqueueRows(on, ["by"], rows, options),
  "a bound kernel without rows": (on, options) => bound.enqueueRows(on, ["by"], new Float64Array(), options),
  "a launch list": (on, options) => new LaunchList(context).push(bound).pushFill(y, 1).enqueue(on, options),
  "an empty launch list": (on, options) => new LaunchList(context).enqueue(on, options),
};

/** Every transfer that returns a promise. */
const transfers: Record<string, (on: CommandQueue, options: Options) => Promise<unknown>> = {
  read: (on, options) => on.read(x, options),
  "read into an array": (on, options) => on.read(x, { into: host, ...options }),
  "read of nothing": (on, options) => on.read(x, { length: 0, ...options }),
  write: (on, options) => on.write(y, host, options),
  map: async (on, options) => (await on.map(x, { access: "read", ...options })).release(),
  "read of a host-coherent buffer": (on, options) => on.read(coherent, options),
};

for (const [kind, view] of Object.entries({
  transposed: new DeviceView(y, { shape: [2, 2] }).transpose(),
  rectangular: new DeviceView(y, { shape: [2, 2] }).slice(":", ":1"),
})) {
  const values = new Int32Array(view.size);
  const other = DeviceView.empty(context, view.shape, Int32Array);
  Object.assign(commands, {
    [`enqueueRead of a ${kind} view`]: (on, options) => view.enqueueRead(on, values, options),
    [`enqueueWrite of a ${kind} view`]: (on, options) => view.enqueueWrite(on, values, options),
    [`enqueueCopyFrom of a ${kind} view`]: (on, options) => view.enqueueCopyFrom(on, other, options),
  } satisfies typeof commands);
  Object.assign(transfers, {
    [`read of a ${kind} view`]: (on, options) => view.read(on, options),
    [`write of a ${kind} view`]: (on, options) => view.write(on, values, options),
    [`copy of a ${kind} view`]: (on, options) => view.copy(on, options),
    [`map of a ${kind} view`]: async (on, options) => (await view.map(on, { access: "read", ...options })).release(),
    [`item of a ${kind} view`]: (on, options) => view.slice(0, 0).item(on, options),
  } satisfies typeof transfers);
}
if (device.imageSupport) {
  const [image, other] = [0, 1].map(() => Image.empty(context, new ImageFormat("RGBA", "UNSIGNED_INT8"), [2, 2])) as [
    Image,
    Image,
  ];
  const pixels = new Uint8Array(16);
  Object.assign(commands, {
    "enqueueFill of an image": (on, options) => on.enqueueFill(image, [1, 2, 3, 4], options),
    "enqueueCopy between images": (on, options) => on.enqueueCopy(image, other, options),
    "enqueueCopy of an image from the host": (on, options) => on.enqueueCopy(image, pixels, options),
    "enqueueCopy of an image to the host": (on, options) => on.enqueueCopy(pixels, image, options),
  } satisfies typeof commands);
  Object.assign(transfers, {
    "read of an image": (on, options) => on.read(image, options),
    "write of an image": (on, options) => on.write(image, pixels, options),
    "map of an image": async (on, options) => (await on.map(image, { access: "read", ...options })).release(),
  } satisfies typeof transfers);
}
if (hasSvm("COARSE_GRAIN_BUFFER")) {
  const svm = new SvmAllocation(context, 16);
  Object.assign(commands, {
    enqueueSvmFill: (on, options) => on.enqueueSvmFill(svm, Uint8Array.of(1), options),
    enqueueSvmMigrate: (on, options) => on.enqueueSvmMigrate(svm, options),
    "enqueueCopy from SVM": (on, options) => on.enqueueCopy(y, svm, options),
    "enqueueRelease of SVM": (on, options) => new SvmAllocation(context, 16).enqueueRelease(on, options),
  } satisfies typeof commands);
  Object.assign(transfers, {
    "read of SVM": (on, options) => on.read(svm, options),
    "write of SVM": (on, options) => on.write(svm, host, options),
    "map of SVM": async (on, options) => (await svm.map(on, { access: "read", ...options })).release(),
  } satisfies typeof transfers);
}

const ended = (result: CommandEvent | Promise<unknown>): Promise<unknown> =>
  result instanceof CommandEvent ? result.wait() : result;

describe.each(Object.entries({ ...commands, ...transfers }))("%s", (name, call) => {
  test("waits for all events of its wait list, on any queue", async () => {
    for (const target of [queue, outOfOrder]) {
      const gates = [new UserEvent(context), new UserEvent(context)] as const;
      const signal = name in transfers ? { signal: new AbortController().signal } : {};
      const result = call(target, { waitFor: [...gates, gates[0]], ...signal });
      let isPending = true;
      const end = ended(result).then(() => (isPending = false));
      target.flush();
      gates[0].complete();
      await roundTrip(context);
      expect(result instanceof CommandEvent ? result.status > 0 : isPending).toBe(true);
      gates[1].complete();
      await end;
    }
  });

  test("fails with an event of its wait list", async () => {
    const gate = new UserEvent(context);
    const result = call(new CommandQueue(context), { waitFor: gate });
    const end = ended(result);
    gate.fail(-5);
    await expect(end).rejects.toThrow(OpenCLError);
    // Views may use several commands.
    const isCall = !(result instanceof CommandEvent) && !/^(read|write|copy) of a \w+ view$/.test(name);
    const routine = isCall ? /^clEnqueue[A-Z]/ : /^[A-Z\d_]+$|^enqueueHostFunction$/;
    await expect(end).rejects.toMatchObject({ routine: expect.stringMatching(routine) as string });
  });
});

/** Every promise that a signal can abort, for work that waits for an event. */
const waits: Record<string, (gate: UserEvent, signal: AbortSignal) => Promise<unknown>> = {
  "event.wait": (gate, signal) => queue.enqueueMarker(gate).wait({ signal }),
  "userEvent.wait": (gate, signal) => gate.wait({ signal }),
  "queue.finish": (gate, signal) => {
    queue.enqueueMarker(gate);
    return queue.finish({ signal });
  },
  waitForEvents: (gate, signal) => waitForEvents([gate, queue.enqueueMarker(gate)], { signal }),
};
for (const [name, transfer] of Object.entries(transfers)) {
  waits[name] = (waitFor, signal) => transfer(queue, { waitFor, signal });
}

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
    await expect(wait(gate, {} as AbortSignal)).rejects.toThrow(wrongType("signal"));
    gate.complete();
    await queue.finish();
    await expect.poll(() => x.mapCount).toBe(0);
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

describe.each(["enqueueMarker", "enqueueBarrier"] as const)("%s", (name) => {
  const enqueue = (waitFor: unknown): CommandEvent => queue[name](waitFor as WaitFor);

  test("accepts one event, or nothing", async () => {
    for (const waitFor of [queue.enqueueMarker(), undefined, null, []]) {
      await expect(enqueue(waitFor).wait()).resolves.toBeUndefined();
    }
  });

  test("throws for anything but events of its context that are not released", () => {
    const released = queue.enqueueMarker();
    released.release();
    for (const wrong of ["x", 0, {}, new Map(), new Set(), { length: 1 }, queue]) {
      expect(() => enqueue(wrong)).toThrow(wrongType("waitFor"));
      expect(() => enqueue([queue.enqueueMarker(), wrong])).toThrow(wrongType("waitFor[1]"));
    }
    for (const [event, error] of [
      [new UserEvent(Context.create(), { label: "stranger" }), wrongValue("waitFor")],
      [released, disposed()],
    ] as const) {
      expect(() => enqueue(event)).toThrow(error);
      expect(() => enqueue([queue.enqueueMarker(), event])).toThrow(error);
    }
  });
});
