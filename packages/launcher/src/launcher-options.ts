/** Options shared by all launchers. */
import { checkInstance, checkString, wrongValue } from "@cl/base";
import { CommandQueue } from "@cl/core";

import { checkProfiler, type Profiler } from "./statistics/profiler.js";
import { checkTracer, type Tracer } from "./statistics/tracer.js";

/** Options shared by all launchers. */
export interface LauncherOptions {
  /** Default queue of launches. Ignored if the launcher is in a list. */
  readonly queue?: CommandQueue;
  /** Records statistics on queues with profiling. On a list, it records all members. */
  readonly profiler?: Profiler;
  /** Receives each launch. On a list, it receives those of all members. */
  readonly tracer?: Tracer;
}

export function checkName(name: unknown): string {
  if (checkString(name, "name") === "") throw wrongValue("name must not be empty");
  return name as string;
}

/** Checks the shared options, and returns only those. */
export function checkShared(options: LauncherOptions): LauncherOptions {
  const queue = options.queue === undefined ? undefined : checkInstance(options.queue, CommandQueue, "options.queue");
  const profiler = checkProfiler(options.profiler);
  const tracer = checkTracer(options.tracer);
  return { ...(queue && { queue }), ...(profiler && { profiler }), ...(tracer && { tracer }) };
}
