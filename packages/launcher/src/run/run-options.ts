/** What a run is made with, checked. */
import { checkFunction, checkInstance, checkInteger, checkObject, checkSignal, typeError } from "@cl/base";
import { type CommandEvent, CommandQueue } from "@cl/core";

import { Launcher } from "../launcher.js";
import { ParameterTable } from "../list/parameter-table.js";
import type { ParameterValues } from "../parameters/parameter-union.js";
import { checkSignals, type RunSignals } from "./process-signals.js";
import { checkProgress, type ProgressOptions } from "./progress-options.js";
import { RunControl } from "./run-control.js";

/** How to run steps. */
export interface StepOptions {
  /** The queue; the launcher's own if none is named. */
  readonly queue?: CommandQueue;
  /** How many steps. Without it, until `until`, the signal or a host step stops the run. */
  readonly steps?: number;
  /** The number of the first step, 0 if not said: another one after a restart. */
  readonly from?: number;
  /** Asked before each step is launched; true ends the run. Steps before it may still be running: it cannot see their results. */
  readonly until?: (step: number) => boolean;
  /**
   * How many commands the device may have before it at most, 512 if not said; at least one step in any case. The host
   * waits for the device then, without blocking.
   */
  readonly depth?: number;
  /** Shows how far the run is, on stderr where that is a terminal. Nothing, if not said. */
  readonly progress?: boolean | ProgressOptions;
  /** Ends the run: what was launched ends, and the result says `"aborted"`. */
  readonly signal?: AbortSignal;
  /** Pauses the run, or ends it. */
  readonly control?: RunControl;
  /**
   * What signals to the process do while the run lasts: nothing if not said. `true` stands for the usual: SIGINT and
   * SIGTERM stop it, after which they do what they would without; SIGUSR2 pauses it and lets it go on; SIGTSTP, which
   * Ctrl+Z sends, empties the queue before the process stops.
   */
  readonly signals?: boolean | RunSignals;
  /** Milliseconds that only grow: `performance.now` if not said. For tests. */
  readonly now?: () => number;
}

/** The values that the launcher's parameters have in each step, which may be left out where there are none. */
export type StepParameters<P extends object> = {} extends P
  ? { readonly parameters?: P | ((step: number) => P) }
  : {
      /** The values of the parameters: the same for all steps, or asked before each. */
      readonly parameters: P | ((step: number) => P);
    };

/** For the numbers of a table. */
export interface TableParameters {
  /** Called before each step, to write the numbers into the table. */
  readonly parameters?: (step: number) => void;
}

/** What a run came to. */
export interface RunResult {
  /** How many steps were made. */
  readonly steps: number;
  /** How long it took, without pauses. */
  readonly seconds: number;
  /** Steps in a second. */
  readonly rate: number;
  /** Why it ended: all steps were made, `until` or a host step said so, or a signal or `control` did. */
  readonly stopped: "done" | "until" | "aborted";
  /** Of an aborted run: the reason of the AbortSignal, or the name of the system's signal. */
  readonly reason?: unknown;
}

/** Options that were checked. */
export interface Checked {
  readonly launcher: Launcher<never>;
  readonly launch: (queue: CommandQueue, values: ParameterValues | undefined) => void;
  readonly enqueue: (queue: CommandQueue, values: ParameterValues | undefined) => CommandEvent;
  readonly queue: CommandQueue;
  readonly from: number;
  /** The step before which it ends; may be Infinity. */
  readonly to: number;
  readonly parameters: (step: number) => ParameterValues | undefined;
  readonly until: ((step: number) => boolean) | undefined;
  readonly depth: number;
  readonly progress: ProgressOptions | undefined;
  readonly signal: AbortSignal | undefined;
  readonly control: RunControl | undefined;
  readonly signals: RunSignals;
  readonly now: () => number;
}

const known = "queue steps from until depth progress signal control signals now parameters every".split(" ");

/** Throws what is wrong with the options; `more` are the names of others that there are. */
export function checkRun(launcher: unknown, given: StepOptions, more: readonly string[] = []): Checked {
  const ways = waysOf(launcher);
  const options = checkObject<StepOptions & { readonly parameters?: unknown }>(given);
  const unknown = Object.keys(options).find((key) => !known.includes(key) && !more.includes(key));
  if (unknown !== undefined) {
    throw typeError("options", `made of ${[...known, ...more].join(", ")}`, { [unknown]: "…" });
  }
  const { queue = ways.launcher.defaultQueue, steps, until, signal, control, now, progress, signals } = options;
  if (queue === undefined) {
    throw typeError("options.queue", "a CommandQueue, since the launcher has none of its own", queue);
  }
  const from = checkInteger(options.from ?? 0, "options.from");
  return {
    ...ways,
    queue: checkInstance(queue, CommandQueue, "options.queue"),
    from,
    to: steps === undefined ? Infinity : from + checkInteger(steps, "options.steps"),
    parameters: valuesOf(options.parameters),
    until: until === undefined ? undefined : checkFunction(until, "options.until"),
    depth: checkInteger(options.depth ?? 512, "options.depth", 1),
    progress: checkProgress(progress),
    signal: checkSignal(signal),
    control: control === undefined ? undefined : checkInstance(control, RunControl, "options.control"),
    signals: checkSignals(signals),
    now: now === undefined ? () => performance.now() : checkFunction(now, "options.now"),
  };
}

function waysOf(launcher: unknown): Pick<Checked, "launcher" | "launch" | "enqueue"> {
  if (launcher instanceof ParameterTable) {
    return {
      launcher: launcher.list,
      launch: (queue) => launcher.launch(queue),
      enqueue: (queue) => launcher.enqueue(queue),
    };
  }
  if (!(launcher instanceof Launcher)) throw typeError("launcher", "a launcher, or a table of a list's", launcher);
  const open = launcher as Launcher<Record<string, unknown>>;
  return {
    launcher: open,
    launch: (queue, values) => open.launch(queue, values),
    enqueue: (queue, values) => open.enqueue(queue, values),
  };
}

function valuesOf(parameters: unknown): Checked["parameters"] {
  if (typeof parameters === "function") return parameters as Checked["parameters"];
  if (parameters !== undefined && (typeof parameters !== "object" || parameters === null)) {
    throw typeError(
      "options.parameters",
      "an object with a value for each, or a function that returns one",
      parameters,
    );
  }
  return () => parameters as ParameterValues | undefined;
}
