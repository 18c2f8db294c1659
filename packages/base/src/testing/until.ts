/** Waits for what neither an event nor a promise reports. */

/** Resolves when the condition holds. Rejects if it does not within `limit` milliseconds. */
export async function until(condition: () => boolean | Promise<boolean>, limit = 60_000): Promise<void> {
  const end = Date.now() + limit;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`after ${limit} ms, this does not hold: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Resolves after the work that is due now: callbacks, finalizers and what promises and `setImmediate` deferred. */
export async function turns(count = 3): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}
