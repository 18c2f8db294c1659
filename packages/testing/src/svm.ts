/** Requirements of tests of shared virtual memory. */
import { Context, DeviceSvmCapabilities, OpenCLError } from "@cl/core";

import { needs, type Run } from "@cl/base/testing";

export const context: Context = Context.create();
const [device] = context.devices;

function capabilities(): number {
  try {
    return device?.svmCapabilities ?? 0;
  } catch (error) {
    if (error instanceof OpenCLError) return 0;
    throw error;
  }
}

/** Returns true if the device has all of these capabilities. */
export function hasSvm(...kinds: readonly (keyof typeof DeviceSvmCapabilities)[]): boolean {
  return kinds.every((kind) => (capabilities() & DeviceSvmCapabilities[kind]) !== 0);
}

/** Skips the test unless the device has coarse-grained shared virtual memory. */
export function needsCoarse(run: Run): void {
  needs(run, hasSvm("COARSE_GRAIN_BUFFER"), "the device has no coarse-grained SVM");
}

/** Skips the test unless the device has fine-grained buffers. */
export function needsFine(run: Run): void {
  needs(run, hasSvm("FINE_GRAIN_BUFFER"), "the device has no fine-grained buffer SVM");
}
