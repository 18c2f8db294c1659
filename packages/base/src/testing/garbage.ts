/** Garbage collection on demand, without a flag on the command line. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let gc: (() => void) | undefined;

/** Collects what nobody refers to, and lets finalizers run. */
export async function collectGarbage(): Promise<void> {
  gc ??= exposedGc();
  for (let round = 0; round < 3; round++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Collects until a condition holds; false if it never does. */
export async function collectUntil(condition: () => boolean): Promise<boolean> {
  for (let round = 0; round < 100 && !condition(); round++) await collectGarbage();
  return condition();
}

function exposedGc(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
