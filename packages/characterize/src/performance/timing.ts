/** How long one command takes, found by enqueueing more and more of them. */
import { checkOptions, checkSignal, rangeError, typeError } from "@cl/base";
import type { CommandEvent, CommandQueue } from "@cl/core";

import { breathe, seconds } from "../measure/bench-device.js";

/** How to time something. */
export interface TimingOptions {
  /** Stops; the promise is rejected with its reason. */
  readonly signal?: AbortSignal;
  /** Seconds that the last, decisive run should take: 0.1 if not said. */
  readonly duration?: number;
}

/** The options, checked. */
export interface Timing {
  readonly signal: AbortSignal | undefined;
  readonly duration: number;
}

/** Checks the options. */
export function timingOf(options: TimingOptions | undefined): Timing {
  const given = checkOptions(options, ["signal", "duration"]);
  const signal = checkSignal(given.signal);
  const duration: unknown = given.duration ?? 0.1;
  if (typeof duration !== "number") throw typeError("options.duration", "a number of seconds", duration);
  if (!(duration > 0 && duration <= 10)) {
    throw rangeError("options.duration", "above 0 and at most 10 seconds", duration);
  }
  signal?.throwIfAborted();
  return { signal, duration };
}

/** The seconds of one command: three to warm up, then so many that they fill the time that is asked for. */
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
    await breathe(signal);
    return elapsed;
  };
  await run(3);
  for (let count = 1; ;) {
    const elapsed = await run(count);
    if (elapsed >= duration) return elapsed / count;
    // At least twice as many, at most ten times: an estimate from a short run is a bad one.
    const wanted = elapsed > 0 ? Math.ceil((count * duration) / elapsed) : count * 5;
    count = Math.min(count * 10, Math.max(count * 2, wanted));
  }
}
