/** Detects whether a driver reorders commands of an out-of-order queue, which OpenCL does not require. */
import { type CommandQueue, DeviceBuffer, UserEvent } from "@cl/core";
import { until } from "@cl/base/testing";

/** Returns true if a command completes while an earlier one waits. */
export async function overtakes(queue: CommandQueue): Promise<boolean> {
  const [gate, buffer] = [new UserEvent(queue.context), new DeviceBuffer(queue.context, 16)];
  queue.enqueueFill(buffer, Uint8Array.of(1), { waitFor: gate });
  const free = queue.enqueueFill(buffer, Uint8Array.of(2));
  queue.flush();
  // A driver that runs commands in order never completes it.
  await until(() => free.status <= 0, 500).catch(() => undefined);
  const overtaken = free.status === 0;
  gate.complete();
  await queue.finish();
  return overtaken;
}
