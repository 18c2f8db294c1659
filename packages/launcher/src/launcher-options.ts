/** What all launchers are made with, and its checks. */
import { checkInstance, checkString, wrongValue } from "@cl/base";
import { CommandQueue } from "@cl/core";

import { checkProfiler, type Profiler } from "./statistics/profiler.js";
import { checkTracer, type Tracer } from "./statistics/tracer.js";

/** What all launchers can be made with. */
export interface LauncherOptions {
  /** The queue for launches that name none. A list that the launcher is in does not use it. */
  readonly queue?: CommandQueue;
  /** Counts what the launcher does on queues with profiling; a list's counts all its members. */
  readonly profiler?: Profiler;
  /** Is told of each launch; a list's of each member's. */
  readonly tracer?: Tracer;
}

/** A launcher's name. */
export function checkName(name: unknown): string {
  if (checkString(name, "name") === "") throw wrongValue("name must not be empty");
  return name as string;
}

/** What all launchers are made with. */
export function checkShared(options: LauncherOptions): LauncherOptions {
  const queue = options.queue === undefined ? undefined : checkInstance(options.queue, CommandQueue, "options.queue");
  const profiler = checkProfiler(options.profiler);
  const tracer = checkTracer(options.tracer);
  return { ...(queue && { queue }), ...(profiler && { profiler }), ...(tracer && { tracer }) };
}
