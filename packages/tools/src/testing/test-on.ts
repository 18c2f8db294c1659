/** Tests with a device, context and queue as fixtures. */
import { checkInstance } from "@cl/base";
import { CommandQueue, Context, Device } from "@cl/core";
import { test, type TestAPI } from "vitest";

/** Fixtures of a test on a device. */
export interface DeviceFixtures {
  /** The device. */
  readonly device: Device;
  /** A context of the device, created for the test and released after it. */
  readonly context: Context;
  /** An in-order queue with profiling in {@link context}, created for the test and released after it. */
  readonly queue: CommandQueue;
}

/**
 * Returns Vitest's `test` with the fixtures `device`, `context` and `queue`. It can be extended with further fixtures.
 *
 * @example
 * ```typescript
 * const test = testOn(testDevices()[0]!);
 * test("the queue is on the device", ({ device, queue }) => expect(queue.device).toBe(device));
 * ```
 */
export function testOn(device: Device): TestAPI<DeviceFixtures> {
  checkInstance(device, Device, "device");
  return test.extend<DeviceFixtures>({
    device,
    // Vitest requires an object pattern here: it lists the fixtures that this one needs.
    // oxlint-disable-next-line no-empty-pattern
    context: async ({}, use) => {
      const context = new Context(device);
      try {
        await use(context);
      } finally {
        context.release();
      }
    },
    queue: async ({ context }, use) => {
      const queue = new CommandQueue(context, { profiling: true });
      try {
        await use(queue);
      } finally {
        queue.release();
      }
    },
  });
}
