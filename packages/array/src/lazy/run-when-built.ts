/** The last steps of functions that have read how many results there are. */
import { attempt, leavesOut, whenBuilt } from "../storage/attempt.js";
import { arraysIn } from "./arrays-in.js";

/** Runs a computation that makes new arrays, immediately or when its kernels are built. */
export async function runWhenBuilt<R>(run: () => R): Promise<R> {
  const once = (): R => {
    const result = run();
    if (leavesOut()) for (const array of arraysIn(result) ?? []) array.release();
    return result;
  };
  const { result, missing } = attempt(once);
  return missing.size === 0 ? result : whenBuilt(missing, once);
}
