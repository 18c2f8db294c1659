import { expect, test } from "vitest";
import {
  CommandQueue,
  Context,
  ContextInfo,
  type ContextOptions,
  ContextProperties,
  type Device,
  DeviceType,
  getPlatforms,
  OpenCLError,
} from "@cl/core";
import { runWithFake } from "@cl/testing/fake-opencl/run";
import { errorLike } from "@cl/testing/error-like";

const [platform] = getPlatforms() as [ReturnType<typeof getPlatforms>[0]];
const [device] = platform.devices as [Device];

test("a context can be created from a device or a list of devices", () => {
  expect(new Context(device).devices).toEqual([device]);
  const context = new Context([device]);
  expect(context.devices).toEqual([device]);
  expect(context.numDevices).toBe(1);
  expect(context.platform).toBe(platform);
});

test("a context's list of devices is frozen", () => {
  const list = [device];
  const context = new Context(list);
  list.length = 0;
  expect(context.devices).toEqual([device]);
  expect(() => (context.devices as Device[]).pop()).toThrow(TypeError);
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
  else expect(() => Context.fromType(type)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "type"));
});

test.each<[string, () => unknown, Error | RegExp]>([
  ["an empty list of devices", () => new Context([]), errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "devices")],
  [
    "undefined",
    () => new Context(undefined as unknown as Device),
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "devices"),
  ],
  [
    "a string as device",
    () => new Context("gpu" as unknown as Device),
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "devices"),
  ],
  [
    "a platform as device",
    () => new Context(platform as unknown as Device),
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "devices"),
  ],
  [
    "a list with something other than devices",
    () => new Context([device, 1 as unknown as Device]),
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "devices[1]"),
  ],
  [
    "a number as options",
    () => new Context(device, 5 as unknown as ContextOptions),
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options"),
  ],
  [
    "null as selector",
    () => Context.create(null as unknown as string),
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "selector"),
  ],
  [
    "a number as selector",
    () => Context.create(5 as unknown as string),
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "selector"),
  ],
  [
    "a number as label",
    () => new Context(device, { label: 5 as unknown as string }),
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.label"),
  ],
  [
    "a plain object as properties",
    () => new Context(device, { properties: {} as ContextProperties }),
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.properties"),
  ],
  [
    "a string as onMessage",
    () => new Context(device, { onMessage: "log" as unknown as () => void }),
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.onMessage"),
  ],
  ["a string as type", () => Context.fromType("gpu" as unknown as number), /^type must be an integer/],
  ["a type of 0", () => Context.fromType(0), /^type must be an integer/],
])("%s throws and names the argument", (_, make, message) => {
  expect(make).toThrow(message);
});

test("the reference count includes the object and each adoption by fromPointer", () => {
  const context = new Context(device);
  const before = context.referenceCount;
  expect(before).toBeGreaterThan(0);
  const adopted = Context.fromPointer(context.pointer);
  expect(context.referenceCount).toBe(before + 1);
  const queue = new CommandQueue(context);
  // NVIDIA's driver does not count the references that queues hold on their context.
  expect(context.referenceCount).toBeGreaterThanOrEqual(before + 1);
  queue.release();
  adopted.release();
  expect(context.referenceCount).toBe(before);
});

test("a property that the driver does not know throws an OpenCLError", () => {
  const properties = new ContextProperties().set("odd", 0x7fff_0000, 1);
  expect(() => new Context(device, { properties })).toThrow(OpenCLError);
});

test("getInfo returns raw bytes", () => {
  const context = new Context(device);
  const bytes = context.getInfo(ContextInfo.NUM_DEVICES);
  expect(new DataView(bytes.buffer).getUint32(0, true)).toBe(1);
  expect(() => context.getInfo(0x7fff_0000)).toThrow(OpenCLError);
});

test("driver messages reach onMessage on the JavaScript thread, and an error it throws is an uncaught exception", async () => {
  const { stdout, stderr, code, report } = await runWithFake(
    `
    import { CommandQueue, Context } from "@cl/core";
    const alive = setInterval(() => undefined, 1000);
    let reports = 0;
    const report = (...text) => {
      console.log(...text);
      if (++reports === 2) clearInterval(alive);
    };
    process.on("uncaughtException", (error) => report("uncaught", error.message));
    const queues = [
      new Context(Context.create().devices, { onMessage: (message) => report("message", typeof message, message.length > 0) }),
      new Context(Context.create().devices, { onMessage: () => { throw new Error("mine"); } }),
    ].map((context) => new CommandQueue(context));
    process.env.FAKE_CL_CONTEXT_ERROR = "1";
    for (const queue of queues) queue.enqueueMarker();
    `,
  );
  expect(stderr).toBe("");
  expect(stdout.trim().split("\n").toSorted()).toEqual(["message string true", "uncaught mine"]);
  expect(code).toBe(0);
  expect(report?.misuse).toBe(0);
});

test("a failed context creation leaks no handle", async () => {
  const { stdout, report } = await runWithFake(
    `
    import { Context, handleCount } from "@cl/core";
    for (const make of [() => Context.create({ onMessage() {} }), () => Context.fromType(0xffffffff, { onMessage() {} })]) {
      try { make(); } catch (error) { console.log(error.code, error.routine); }
    }
    console.log(handleCount());
    `,
    { env: { FAKE_CL_FAIL: "clCreateContext=-6,clCreateContextFromType=-2" } },
  );
  expect(stdout.trim().split("\n")).toEqual([
    "CL_OUT_OF_HOST_MEMORY clCreateContext",
    "CL_DEVICE_NOT_AVAILABLE clCreateContextFromType",
    "0",
  ]);
  expect(report?.live["context"]).toBe(0);
});
