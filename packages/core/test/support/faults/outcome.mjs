/** Running what may fail, and looking at what is left. */
import { handleCount, handleCounts, reclaimDropped } from "@cl/core";

/** What a call threw or rejected with; undefined if it did neither. */
export async function errorOf(run, milliseconds = 3000) {
  let timer;
  try {
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

/** Collects what nobody refers to; a complaint if handles are left then. */
export async function leftovers() {
  for (let i = 0; i < 100 && handleCount() > 0; i++) {
    // What is lent is otherwise looked after when it is older.
    reclaimDropped();
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, i < 5 ? 1 : 20));
  }
  return handleCount() === 0 ? undefined : `handles are left: ${JSON.stringify(handleCounts())}`;
}
