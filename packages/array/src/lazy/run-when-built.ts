/** Computations that are enqueued immediately or when their kernels are built. */
import { attempt, leavesOut, whenBuilt } from "../storage/attempt.js";
import { releaseArraysIn } from "./arrays-in.js";

/** Runs a computation immediately or when its kernels are built. Arrays that it returns are new. */
export async function runWhenBuilt<R>(run: () => R): Promise<R> {
  const once = (): R => {
    const result = run();
    if (leavesOut()) releaseArraysIn(result);
    return result;
  };
  const { result, missing } = attempt(once);
  return missing.size === 0 ? result : whenBuilt(missing, once);
}
