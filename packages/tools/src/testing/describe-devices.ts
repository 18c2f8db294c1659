/** Suites of tests that run once for each device. */
import { checkFunction, checkInstance, checkOptions, checkString, typeError } from "@cl/base";
import { CommandQueue, type CommandQueueOptions, Context, Device, NoRuntimeError } from "@cl/core";
import { afterAll, describe, test, type TestAPI } from "vitest";

import { testDevices } from "./test-devices.js";
import { type DeviceFixtures, testOn } from "./test-on.js";

/** What a suite on a device has. */
export interface DeviceSuite {
  /** The device. */
  readonly device: Device;
  /** Vitest's `test` with the fixtures `device`, `context` and `queue`, new ones for each test. */
  readonly test: TestAPI<DeviceFixtures>;
  /** Makes a context of the device, for several tests; it is released after the suite's last one. */
  context(): Context;
  /** Makes a queue, in a context of its own if none is given; it is released after the suite's last test. */
  queue(context?: Context, options?: CommandQueueOptions): CommandQueue;
}

/** How to run a suite on devices. */
export interface DescribeDevicesOptions {
  /** On which devices; those of `testDevices()` if not said. */
  readonly devices?: readonly Device[];
  /** Why a device cannot run the suite, if so: the suite is then left out there, and says why. */
  readonly lacks?: (device: Device) => string | undefined;
  /**
   * What becomes of the suite where there is no OpenCL runtime or no device: a test that fails, if not said, or one that is
   * skipped. `CL_TEST_NO_DEVICE` in the environment overrides it.
   */
  readonly noDevice?: "fail" | "skip";
}

/**
 * Runs a suite once for each device that `CL_TEST_DEVICES` names. The device stands in the suite's name.
 *
 * @example
 * ```typescript
 * describeDevices("a buffer", ({ test }) => {
 *   test("comes back as it was written", async ({ context, queue }) => {
 *     const buffer = DeviceBuffer.from(context, Float32Array.of(1, 2, 3));
 *     expect(await queue.read(buffer)).toEqual(Float32Array.of(1, 2, 3));
 *   });
 * });
 * ```
 */
export function describeDevices(
  name: string,
  body: (suite: DeviceSuite) => void | Promise<void>,
  options?: DescribeDevicesOptions,
): void {
  checkString(name, "name");
  checkFunction(body, "body");
  const { devices, lacks, noDevice } = checkOptions(options, ["devices", "lacks", "noDevice"]);
  if (devices !== undefined) checkDevices(devices);
  if (lacks !== undefined) checkFunction(lacks, "options.lacks");
  checkNoDevice(noDevice, "options.noDevice");
  let chosen: readonly Device[];
  try {
    chosen = devices ?? testDevices();
  } catch (error) {
    reportNoDevice(name, error, noDevice);
    return;
  }
  chosen.forEach((device, i) => {
    const twin = chosen.some((other) => other !== device && other.name === device.name);
    describe(`${name} on ${device.name}${twin ? ` (number ${i + 1})` : ""}`, () => {
      const reason = lacks?.(device);
      if (reason === undefined) return body(suiteOn(device));
      test("can run here", (run) => run.skip(reason));
    });
  });
}

function suiteOn(device: Device): DeviceSuite {
  const made: (Context | CommandQueue)[] = [];
  afterAll(() => {
    for (const one of made.splice(0).toReversed()) one.release();
  });
  const context = (): Context => {
    const one = new Context(device);
    made.push(one);
    return one;
  };
  const queue = (given?: Context, options?: CommandQueueOptions): CommandQueue => {
    const one = new CommandQueue(given ?? context(), { device, ...options });
    made.push(one);
    return one;
  };
  return { device, test: testOn(device), context, queue };
}

/** A test says it, since a file that throws while it is read says less, and takes its other suites with it. */
function reportNoDevice(name: string, error: unknown, given: DescribeDevicesOptions["noDevice"]): void {
  describe(name, () => {
    test("has a device to run on", (run) => {
      const said = process.env["CL_TEST_NO_DEVICE"] || undefined;
      checkNoDevice(said, "CL_TEST_NO_DEVICE");
      const skips = (said ?? given) === "skip";
      // A selector that names nothing is a mistake wherever it stands.
      if (skips && error instanceof NoRuntimeError) run.skip(error.message.split("\n", 1)[0]);
      throw error;
    });
  });
}

function checkNoDevice(value: unknown, name: string): void {
  if (value === undefined || value === "fail" || value === "skip") return;
  throw typeError(name, '"fail" or "skip"', value);
}

function checkDevices(devices: unknown): void {
  if (!Array.isArray(devices) || devices.length === 0) {
    throw typeError("options.devices", "an array of at least one Device", devices);
  }
  devices.forEach((device, i) => checkInstance(device, Device, `options.devices[${i}]`));
}
