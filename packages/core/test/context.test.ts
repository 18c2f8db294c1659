import { expect, test } from "vitest";
import { Context, ContextInfo, ContextProperties, type Device, DeviceType, getPlatforms, OpenCLError } from "@cl/core";
import { wrongType } from "@cl/testing/error-like";
import { onFake } from "./support/on-fake.js";

const [platform] = getPlatforms() as [ReturnType<typeof getPlatforms>[0]];
const [device] = platform.devices as [Device];

test("a context has a frozen copy of its devices", () => {
  expect(new Context(device).devices).toEqual([device]);
  const list = [device];
  const context = new Context(list);
  list.length = 0;
  expect(context.devices).toEqual([device]);
  expect(() => (context.devices as Device[]).pop()).toThrow(TypeError);
  expect(context.numDevices).toBe(1);
  expect(context.platform).toBe(platform);
});

test("Context.create accepts a selector, options or neither", () => {
  expect(Context.create("0:0").devices).toEqual([device]);
  expect(Context.create({ device: "0:0", label: "mine" }).label).toBe("mine");
  expect(Context.create("0:0", { label: "mine" }).label).toBe("mine");
  expect(Context.create({}).numDevices).toBe(1);
});

test("Context.fromType creates a context from a device type", () => {
  const context = Context.fromType(DeviceType.ALL);
  expect(context.devices).toEqual(platform.devices);
  const properties = new ContextProperties({ platform });
  expect(Context.fromType(device.type & ~DeviceType.DEFAULT, { properties }).devices).toContain(device);
});

test("Context.fromType throws and names the argument if no device has the type", () => {
  const type = [DeviceType.GPU, DeviceType.CUSTOM, DeviceType.ACCELERATOR].find((one) =>
    getPlatforms().every((each) => each.getDevices(one).length === 0),
  );
  if (type === undefined) expect(getPlatforms().length).toBeGreaterThan(0);
  else expect(() => Context.fromType(type)).toThrow(wrongType("type"));
});

test("a property that the driver does not know throws an OpenCLError", () => {
  const properties = new ContextProperties().set("odd", 0x7fff_0000, 1);
  expect(() => new Context(device, { properties })).toThrow(OpenCLError);
});

test("getInfo returns raw bytes, and referenceCount counts references", () => {
  const context = new Context(device);
  const bytes = context.getInfo(ContextInfo.NUM_DEVICES);
  expect(new DataView(bytes.buffer).getUint32(0, true)).toBe(1);
  expect(() => context.getInfo(0x7fff_0000)).toThrow(OpenCLError);
  expect(context.referenceCount).toBeGreaterThan(0);
});

test("driver messages reach onMessage on the JavaScript thread, and an error it throws is an uncaught exception", async () => {
  const { lines } = await onFake(`
    const alive = setInterval(() => undefined, 1000);
    let reports = 0;
    const report = (...text) => {
      console.log(...text);
      if (++reports === 2) clearInterval(alive);
    };
    process.on("uncaughtException", (error) => report("uncaught", error.message));
    const queues = [
      new Context(context.devices, { onMessage: (message) => report("message", typeof message, message.length > 0) }),
      new Context(context.devices, { onMessage: () => { throw new Error("mine"); } }),
    ].map((context) => new CommandQueue(context));
    process.env.FAKE_CL_CONTEXT_ERROR = "1";
    for (const queue of queues) queue.enqueueMarker();`);
  expect(lines.toSorted()).toEqual(["message string true", "uncaught mine"]);
});
