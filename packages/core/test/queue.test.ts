import { expect, test } from "vitest";
import {
  CommandQueue,
  CommandQueueInfo,
  type CommandQueueOptions,
  CommandType,
  type Device,
  NotSupportedError,
  OpenCLError,
  UserEvent,
} from "@cl/core";
import { partsOf } from "@cl/testing/halves";
import { needs } from "@cl/base/testing";
import { outOfRange, wrongType } from "@cl/testing/error-like";
import { roundTrip } from "@cl/testing/round-trip";
import { onFake } from "./support/on-fake.js";
import { context, device } from "./support/kernels.js";

const options = (value: unknown): CommandQueueOptions => value as CommandQueueOptions;

test("a queue defaults to the first device of its context, in order, without profiling", () => {
  const queue = new CommandQueue(context);
  expect(queue.context).toBe(context);
  expect(queue.device).toBe(device);
  expect(queue).toMatchObject({ outOfOrder: false, profiling: false });
  expect(queue.referenceCount).toBeGreaterThan(0);
});

test("an out-of-order queue is created if the device supports it, else throws NotSupportedError", () => {
  const make = (): CommandQueue => new CommandQueue(context, { outOfOrder: true });
  if (device.hasQueueOutOfOrderExecMode) expect(make().outOfOrder).toBe(true);
  else expect(make).toThrow(NotSupportedError);
});

test.each(["priority", "throttle"] as const)(
  "a %s hint is used if the device supports it, else throws NotSupportedError",
  (hint) => {
    for (const value of ["low", "medium", "high"] as const) {
      const make = (): CommandQueue => new CommandQueue(context, { [hint]: value });
      if (device.hasExtension(`cl_khr_${hint}_hints`)) expect(make()).toBeInstanceOf(CommandQueue);
      else expect(make).toThrow(NotSupportedError);
    }
  },
);

test.each<[unknown, Error | RegExp]>([
  [{ priority: "toString" }, wrongType("options.priority")],
  [{ throttle: "slow" }, wrongType("options.throttle")],
  [{ properties: [5] }, wrongType("options.properties[0]")],
  [{ properties: [[1, 2, 3]] }, wrongType("options.properties[0]")],
  [{ properties: [[1.5, 2]] }, outOfRange("options.properties[0][0]")],
  [{ properties: [[1, "x"]] }, wrongType("options.properties[0][1]")],
])("rejects options of %j, and names what is wrong", (given, message) => {
  expect(() => new CommandQueue(context, options(given))).toThrow(message);
});

test("rejects a device of another context", (run) => {
  const others = partsOf(device, { equally: 1 }) ?? device.platform.devices.filter((other) => other !== device);
  needs(run, others.length > 0, `'${device.name}' cannot be divided and is the only device of its platform`);
  expect(() => new CommandQueue(context, { device: others[0] as Device })).toThrow(wrongType("options.device"));
});

test("a property that the driver does not know throws the driver's error", (run) => {
  const make = (): CommandQueue => new CommandQueue(context, { properties: [[0x7fff_0000, 1n]] });
  needs(run, !device.platform.name.startsWith("NVIDIA"), "NVIDIA's driver accepts any property of a queue");
  expect(make).toThrow(OpenCLError);
});

test("flush, finish, markers and barriers work", async () => {
  const queue = new CommandQueue(context);
  const gate = new UserEvent(context);
  const marker = queue.enqueueMarker(gate);
  const barrier = queue.enqueueBarrier();
  queue.flush();
  expect(marker.commandType).toBe(CommandType.MARKER);
  expect(barrier.commandType).toBe(CommandType.BARRIER);
  expect(marker.queue).toBe(queue);
  expect(marker.context).toBe(context);
  expect(marker.status).toBeGreaterThan(0);
  expect(["QUEUED", "SUBMITTED", "RUNNING"]).toContain(marker.statusName);
  gate.complete();
  await queue.finish();
  expect([marker.statusName, barrier.statusName]).toEqual(["COMPLETE", "COMPLETE"]);
});

test("enqueueWaitForEvents accepts events, lists of them, or nothing", async () => {
  const queue = new CommandQueue(context);
  const gates = [new UserEvent(context), new UserEvent(context), new UserEvent(context)] as const;
  queue.enqueueWaitForEvents();
  queue.enqueueWaitForEvents([]);
  queue.enqueueWaitForEvents(gates[0], [gates[1], gates[2]]);
  const after = queue.enqueueMarker();
  queue.flush();
  for (const gate of gates) {
    await roundTrip(context);
    expect(after.status).toBeGreaterThan(0);
    gate.complete();
  }
  await after.wait();
});

test("getInfo returns the raw bytes", () => {
  const queue = new CommandQueue(context);
  expect(new DataView(queue.getInfo(CommandQueueInfo.CONTEXT).buffer).getBigUint64(0, true)).toBe(context.pointer);
  expect(() => queue.getInfo(0x7fff_0000)).toThrow(OpenCLError);
});

test("passes hints and further properties to a driver that supports them; throws NotSupportedError before OpenCL 2.0", async () => {
  const script = `
    console.log(codeOf(() => new CommandQueue(context, { properties: [[0x1096, 1]] })));
    console.log(new CommandQueue(context, { profiling: true }).profiling);`;
  const { lines } = await onFake(script, { version: "1.2" });
  expect(lines).toEqual(["ERR_CL_NOT_SUPPORTED", "true"]);
});
