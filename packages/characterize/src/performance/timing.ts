/** Measures the time of a command by enqueueing increasing numbers of it. */
import { checkOptions, checkSignal, rangeError, typeError } from "@cl/base";
import type { CommandEvent, CommandQueue } from "@cl/core";

import { yieldToEventLoop, seconds } from "../measure/bench-device.js";

/** Options of timing functions. */
export interface TimingOptions {
  /** Aborts the measurement; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Minimum duration of the final run in seconds. @defaultValue 0.1 */
  readonly duration?: number;
}

/** Checked {@link TimingOptions}. */
export interface Timing {
  readonly signal: AbortSignal | undefined;
  readonly duration: number;
}

/** Checks the options. */
export function timingOf(options: TimingOptions | undefined): Timing {
  const checked = checkOptions(options, ["signal", "duration"]);
  const signal = checkSignal(checked.signal);
  const duration: unknown = checked.duration ?? 0.1;
  if (typeof duration !== "number") throw typeError("options.duration", "a number of seconds", duration);
  if (!(duration > 0 && duration <= 10)) {
    throw rangeError("options.duration", "greater than 0 and at most 10 seconds", duration);
  }
  signal?.throwIfAborted();
  return { signal, duration };
}

/** Returns the seconds per command. Runs three for warm-up, then as many as fill the requested duration. */
export async function secondsOf(
  queue: CommandQueue,
  timing: Timing,
  enqueue: () => CommandEvent | void,
): Promise<number> {
  const { signal, duration } = timing;
  const run = async (count: number): Promise<number> => {
    const start = seconds();
    for (let i = 0; i < count; i++) enqueue()?.release();
    await queue.finish(signal === undefined ? {} : { signal });
    const elapsed = seconds() - start;
    await yieldToEventLoop(signal);
    return elapsed;
  };
  await run(3);
  for (let count = 1; ;) {
    const elapsed = await run(count);
    if (elapsed >= duration) return elapsed / count;
    // Estimates from short runs are inaccurate, so the count grows by a factor of 2 to 10.
    const estimate = elapsed > 0 ? Math.ceil((count * duration) / elapsed) : count * 5;
    count = Math.min(count * 10, Math.max(count * 2, estimate));
  }
}
