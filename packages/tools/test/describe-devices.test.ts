import { type CommandQueue, type Context, type Device, DeviceBuffer } from "@cl/core";
import { describeDevices, testDevices, testOn } from "@cl/tools/testing";
import { describe, expect, test } from "vitest";

import { runSuite } from "./support/run-suites.js";
import { wrongType } from "@cl/testing/error-like";

const [device] = testDevices() as [Device];
const count = testDevices().length;
const contexts = new Set<Context>();
const queues = new Set<CommandQueue>();

describeDevices("a suite that describeDevices runs", (suite) => {
  const shared = suite.context();
  const sharedQueue = suite.queue(shared, { outOfOrder: true });
  const own = suite.queue();
  contexts.add(shared).add(own.context);
  queues.add(sharedQueue).add(own);

  suite.test(
    "has the device in its name, and provides new contexts and queues for each test",
    async ({ context, queue, task }) => {
      expect(task.suite?.name).toContain(suite.device.name);
      expect(context.devices).toEqual([suite.device]);
      expect(queue.context).toBe(context);
      expect(contexts.has(context)).toBe(false);
      contexts.add(context);
      queues.add(queue);
      const buffer = DeviceBuffer.from(context, Float32Array.of(1, 2, 3));
      expect(await queue.read(buffer)).toEqual(Float32Array.of(1, 2, 3));
    },
  );

  suite.test(
    "provides different ones for the next test and has released those of the previous one",
    ({ context, queue, device: its }) => {
      expect(its).toBe(suite.device);
      expect(contexts.has(context)).toBe(false);
      expect(queues.has(queue)).toBe(false);
      expect([...contexts].filter((one) => !one.released).length).toBeLessThanOrEqual(2 * count);
    },
  );

  suite.test("creates contexts and queues that several tests share", () => {
    expect([shared.released, sharedQueue.released, own.released]).toEqual([false, false, false]);
    expect(sharedQueue.context).toBe(shared);
    expect(own.device).toBe(suite.device);
  });
});

describe("after the suites", () => {
  test("all their objects are released", () => {
    expect([...contexts, ...queues].filter((one) => !one.released)).toEqual([]);
    expect(contexts.size).toBeGreaterThanOrEqual(3);
  });
});

const ran: string[] = [];
describeDevices(
  "a suite for a device twice",
  ({ test: on }) => {
    on("runs", ({ device: its, task }) => {
      expect(its).toBe(device);
      ran.push(task.suite?.name ?? "");
    });
  },
  { devices: [device] },
);
test("a suite runs on the given devices", () => expect(ran).toEqual([`a suite for a device twice on ${device.name}`]));

testOn(device).extend<{ memory: DeviceBuffer }>({
  memory: async ({ context }, use) => {
    using memory = new DeviceBuffer(context, 64);
    await use(memory);
  },
})("testOn can be extended with fixtures that use its fixtures", ({ memory, context }) => {
  expect(memory.size).toBe(64);
  expect(memory.context).toBe(context);
});

describe("in a user's project", () => {
  test("skipped tests are listed with their reasons, also those of a suite whose device lacks a feature", async () => {
    const { outcomes, said } = await runSuite(["plain", "lacking"], {});
    expect(Object.fromEntries(outcomes.map(({ name, status }) => [name, status]))).toMatchObject({
      [`a suite on ${device.name} runs`]: "passed",
      [`a suite on ${device.name} needs what is not there`]: "skipped",
      [`a suite on ${device.name} can run here`]: "skipped",
    });
    expect(said).toContain(`${count} × there is no such thing`);
    expect(said).toContain(`1 × '${device.name}' is no good`);
  });

  test("a selector without a match is a failed test that lists the devices", { tags: "ci" }, async () => {
    const { outcomes } = await runSuite("plain", { CL_TEST_DEVICES: "no such thing", CL_TEST_NO_DEVICE: "skip" });
    expect(outcomes).toEqual([
      { name: "a suite has a device to run on", status: "failed", messages: [expect.stringContaining(device.name)] },
    ]);
    expect(outcomes[0]?.messages[0]).toMatch(/CL_TEST_DEVICES: the device selector "no such thing" selects nothing/);
  });

  test.each<[Record<string, string>, string[]]>([
    [{}, ["failed", "skipped"]],
    [{ CL_TEST_NO_DEVICE: "skip" }, ["skipped", "skipped"]],
    [{ CL_TEST_NO_DEVICE: "fail", CL_TEST_DEVICES: "gpu" }, ["failed", "failed"]],
    [{ CL_TEST_NO_DEVICE: "perhaps" }, ["failed", "failed"]],
  ])("without a runtime, with %j, a plain and an optional suite are %j", { tags: "ci" }, async (env, expected) => {
    const { outcomes, said } = await runSuite(["plain", "optional"], {
      CL_LIBRARY_PATH: "/nonexistent/libOpenCL.so",
      ...env,
    });
    const statuses = Object.fromEntries(outcomes.map(({ name, status }) => [name, status]));
    expect(statuses).toEqual({
      "a suite has a device to run on": expected[0],
      "an optional suite has a device to run on": expected[1],
    });
    for (const { status, messages } of outcomes) {
      if (env["CL_TEST_NO_DEVICE"] === "perhaps") expect(messages[0]).toMatch(/CL_TEST_NO_DEVICE must be/);
      else if (status === "failed") expect(messages[0]).toMatch(/No OpenCL library could be opened/);
      else expect(said).toContain(" × No OpenCL library could be opened");
    }
  });
});

describe("errors name the wrong argument:", () => {
  const body = (): void => undefined;
  test.each<[string, unknown[]]>([
    ["name", [1, body]],
    ["body", ["x", {}]],
    ["options", ["x", body, 1]],
    ["options.devices", ["x", body, { devices: [] }]],
    ["options.devices", ["x", body, { devices: device }]],
    ["options.devices[1]", ["x", body, { devices: [device, {}] }]],
    ["options.lacks", ["x", body, { lacks: "all" }]],
    ["options.noDevice", ["x", body, { noDevice: true }]],
  ])("%s of describeDevices (%#)", (argument, args) => {
    expect(() => describeDevices(...(args as Parameters<typeof describeDevices>))).toThrow(wrongType(argument));
  });

  test("device of testOn", () => {
    expect(() => testOn({} as never)).toThrow(wrongType("device"));
  });
});
