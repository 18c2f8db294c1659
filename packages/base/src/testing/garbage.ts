/** Garbage collection on demand, without a command-line flag. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let gc: (() => void) | undefined;

/** Collects unreachable objects and lets their finalizers run. */
export async function collectGarbage(): Promise<void> {
  gc ??= exposedGc();
  for (let round = 0; round < 3; round++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Collects garbage until the condition holds, at most 100 times. Returns whether it holds. */
export async function collectUntil(condition: () => boolean): Promise<boolean> {
  for (let round = 0; round < 100 && !condition(); round++) await collectGarbage();
  return condition();
}

function exposedGc(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
