/** Test suites that run once per device. */
import { checkFunction, checkInstance, checkOptions, checkString, typeError } from "@cl/base";
import { CommandQueue, type CommandQueueOptions, Context, Device, NoRuntimeError } from "@cl/core";
import { afterAll, describe, test, type TestAPI } from "vitest";

import { testDevices } from "./test-devices.js";
import { type DeviceFixtures, testOn } from "./test-on.js";

/** The device of a suite, with fixtures and factories. */
export interface DeviceSuite {
  /** The device. */
  readonly device: Device;
  /** Vitest's `test` with the fixtures `device`, `context` and `queue`, created for each test. */
  readonly test: TestAPI<DeviceFixtures>;
  /** Creates a context of the device to share between tests. It is released after the suite's last test. */
  context(): Context;
  /** Creates a queue, in a new context unless one is given. It is released after the suite's last test. */
  queue(context?: Context, options?: CommandQueueOptions): CommandQueue;
}

/** Options of {@link describeDevices}. */
export interface DescribeDevicesOptions {
  /** Devices to test. @defaultValue `testDevices()` */
  readonly devices?: readonly Device[];
  /** Returns the reason why a device cannot run the suite, which skips it there, or `undefined`. */
  readonly lacks?: (device: Device) => string | undefined;
  /**
   * Whether the suite fails or is skipped if no OpenCL runtime or no device is found. The environment variable
   * `CL_TEST_NO_DEVICE` takes precedence.
   *
   * @defaultValue `"fail"`
   */
  readonly noDevice?: "fail" | "skip";
}

/**
 * Runs a suite once for each device that `CL_TEST_DEVICES` selects. The suite's name contains the device's name.
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
    const isAmbiguous = chosen.some((other) => other !== device && other.name === device.name);
    describe(`${name} on ${device.name}${isAmbiguous ? ` (number ${i + 1})` : ""}`, () => {
      const reason = lacks?.(device);
      if (reason === undefined) return body(suiteOn(device));
      test("can run here", (run) => run.skip(reason));
    });
  });
}

function suiteOn(device: Device): DeviceSuite {
  const resources: (Context | CommandQueue)[] = [];
  afterAll(() => {
    for (const resource of resources.splice(0).toReversed()) resource.release();
  });
  const context = (): Context => {
    const newContext = new Context(device);
    resources.push(newContext);
    return newContext;
  };
  const queue = (parent?: Context, options?: CommandQueueOptions): CommandQueue => {
    const newQueue = new CommandQueue(parent ?? context(), { device, ...options });
    resources.push(newQueue);
    return newQueue;
  };
  return { device, test: testOn(device), context, queue };
}

/** Reports the error in a test, since an error at module level would hide the file's other suites. */
function reportNoDevice(name: string, error: unknown, option: DescribeDevicesOptions["noDevice"]): void {
  describe(name, () => {
    test("has a device to run on", (run) => {
      const variable = process.env["CL_TEST_NO_DEVICE"] || undefined;
      checkNoDevice(variable, "CL_TEST_NO_DEVICE");
      const skips = (variable ?? option) === "skip";
      // A selector that matches no device is always an error.
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
    throw typeError("options.devices", "a non-empty array of Devices", devices);
  }
  devices.forEach((device, i) => checkInstance(device, Device, `options.devices[${i}]`));
}
