/** What a test needs of the machine that it runs on. Where that is not there, the test is left out and says why. */
import { Context, type Device, type Partition } from "@cl/core";

/** The part of vitest's test context that is used here. */
interface Run {
  skip(reason?: string): never;
}

/** Leaves the test out unless `condition` holds. */
export function needs(run: Run, condition: boolean, reason: string): void {
  if (condition) return;
  // The end of the run lists the reasons: SkipSummary of @cl/tools/testing.
  run.skip(reason);
}

/**
 * Leaves the test out with CL_TEST_LONG=0: of a run on the packed packages, after one on the sources. `why` says why it would
 * find nothing new there.
 */
export function needsMoreThanQuick(run: Run, why: string): void {
  needs(run, process.env["CL_TEST_LONG"] !== "0", `CL_TEST_LONG is 0: ${why}`);
}

/** Why children of the package's own bundle are. */
export const sameBundle = "on the sources, too, this runs in processes of their own on the bundled package";
/** Why draws by fresh seeds are. */
export const freshSeed = "a fresh seed is drawn on the sources; here is the fixed one";

/** The parts of a device; nothing if it cannot be divided like that. */
export function partsOf(device: Device, partition: Partition): readonly Device[] | undefined {
  try {
    return device.createSubDevices(partition);
  } catch {
    return undefined;
  }
}

/** Two parts of a device in a context of their own. */
export interface Halves {
  readonly shared: Context;
  readonly first: Device;
  readonly second: Device;
}

/** Two parts of a device; the reason why there are none otherwise. */
export function halvesOf(device: Device): Halves | string {
  const [first, second] = partsOf(device, { byCounts: [1, 1] }) ?? [];
  if (first === undefined || second === undefined) return `'${device.name}' cannot be divided into two parts`;
  return { shared: new Context([first, second]), first, second };
}

/** The halves, for a test that needs them. */
export function needsHalves(run: Run, halves: Halves | string): Halves {
  if (typeof halves === "string") {
    needs(run, false, halves);
    throw new Error(halves);
  }
  return halves;
}
