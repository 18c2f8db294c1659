/** What a quick run leaves out. */
import { needs, type Run } from "@cl/base/testing";

/**
 * Skips the test with CL_TEST_LONG=0: of a run on the packed packages, after one on the sources. `why` says why it would
 * find nothing new there.
 */
export function needsMoreThanQuick(run: Run, why: string): void {
  needs(run, process.env["CL_TEST_LONG"] !== "0", `CL_TEST_LONG is 0: ${why}`);
}

/** Why children of the package's own bundle are. */
export const sameBundle = "on the sources, too, this runs in processes of their own on the bundled package";
/** Why draws by fresh seeds are. */
export const freshSeed = "a fresh seed is drawn on the sources; here is the fixed one";
