/** Helpers that run calls that may fail, and that check for leaks. */
import { collectUntil } from "@cl/base/testing";
import { handleCount, handleCounts, reclaimUnreachable } from "@cl/core";

/** Returns the error that a call threw or rejected with, or `undefined`. */
export async function errorOf(run, milliseconds = 3000) {
  let timer;
  try {
    // A call that never settles is a finding.
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error("it did not end")), milliseconds);
    });
    const result = run();
    await (result instanceof Promise ? Promise.race([result, late]) : result);
    return undefined;
  } catch (error) {
    return error ?? new Error("it threw nothing");
  } finally {
    clearTimeout(timer);
  }
}

/** Collects garbage and returns a description of the handles left, or `undefined`. */
export async function leftovers() {
  const isClean = await collectUntil(() => {
    // Reclaims dropped borrowed memory now instead of after a delay.
    reclaimUnreachable();
    return handleCount() === 0;
  });
  return isClean ? undefined : `handles are left: ${JSON.stringify(handleCounts())}`;
}
