/** Garbage collection on demand, without a flag on the command line. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

/** Collects until a condition holds; false if it never does. */
export async function collectUntil(condition: () => boolean): Promise<boolean> {
  for (let round = 0; round < 100 && !condition(); round++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return condition();
}
