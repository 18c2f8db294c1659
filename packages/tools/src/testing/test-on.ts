/** Tests that get a device, and a context and a queue of their own on it. */
import { checkInstance } from "@cl/base";
import { CommandQueue, Context, Device } from "@cl/core";
import { test, type TestAPI } from "vitest";

/** What a test on a device can ask for. */
export interface DeviceFixtures {
  /** The device. */
  readonly device: Device;
  /** A context of the device; made for the test that asks for it, and released after it. */
  readonly context: Context;
  /** An in-order queue with profiling in {@link context}; made for the test that asks for it, and released after it. */
  readonly queue: CommandQueue;
}

/**
 * Vitest's `test` with the fixtures `device`, `context` and `queue`. It can be extended with fixtures of your own.
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
    // Vitest reads from the parameter's pattern which other fixtures this one needs.
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
