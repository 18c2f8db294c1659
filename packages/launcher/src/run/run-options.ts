/** Checks the options of runs. */
import { checkFunction, checkInstance, checkInteger, checkObject, checkSignal, typeError } from "@cl/base";
import { type CommandEvent, CommandQueue } from "@cl/core";

import { Launcher } from "../launcher.js";
import { ParameterTable } from "../list/parameter-table.js";
import type { ParameterValues } from "../parameters/parameter-union.js";
import { checkSignals, type RunSignals } from "./process-signals.js";
import { checkProgress, type ProgressOptions } from "./progress-options.js";
import { RunControl } from "./run-control.js";

/** Options of runs. */
export interface StepOptions {
  /** Queue. @defaultValue the launcher's queue */
  readonly queue?: CommandQueue;
  /** Number of steps. Without it, the run continues until `until`, a signal or a host step ends it. */
  readonly steps?: number;
  /** Number of the first step, for restarts. @defaultValue 0 */
  readonly firstStep?: number;
  /** Called before each launch; true ends the run. Earlier steps may still be running, so their results are not available. */
  readonly until?: (step: number) => boolean;
  /**
   * Maximum number of commands in flight, but at least one step. The host then waits without blocking the event loop.
   * @defaultValue 512
   */
  readonly depth?: number;
  /** Whether to show progress, on stderr if it is a terminal. @defaultValue false */
  readonly progress?: boolean | ProgressOptions;
  /** Ends the run with the result `"aborted"` after the launched steps. */
  readonly signal?: AbortSignal;
  /** Pauses or stops the run. */
  readonly control?: RunControl;
  /**
   * Process signals to handle during the run. `true` handles SIGINT and SIGTERM, which stop the run and then have their default
   * effect; SIGUSR2, which pauses and resumes it; and SIGTSTP (Ctrl+Z), which waits for the queue to be idle before the process
   * is suspended.
   * @defaultValue false
   */
  readonly signals?: boolean | RunSignals;
  /** Monotonic clock in milliseconds, for tests. @defaultValue `performance.now` */
  readonly now?: () => number;
}

/** Parameter values of the steps; optional if the launcher has no parameters. */
export type StepParameters<P extends object> = {} extends P
  ? { readonly parameters?: P | ((step: number) => P) }
  : {
      /** Parameter values: the same for all steps, or a function that is called before each step. */
      readonly parameters: P | ((step: number) => P);
    };

/** Options for runs with a parameter table. */
export interface TableParameters {
  /** Called before each step to write the table's values. */
  readonly parameters?: (step: number) => void;
}

/** Result of a run. */
export interface RunResult {
  /** Number of steps. */
  readonly steps: number;
  /** Duration without pauses. */
  readonly seconds: number;
  /** Steps per second. */
  readonly rate: number;
  /** Why it ended: all steps were run (`"done"`), `until` or a host step ended it, or a signal or `control` aborted it. */
  readonly stopped: "done" | "until" | "aborted";
  /** For an aborted run, the reason of the AbortSignal, or the name of the process signal. */
  readonly reason?: unknown;
}

export interface CheckedRunOptions {
  readonly launcher: Launcher<never>;
  readonly launch: (queue: CommandQueue, values: ParameterValues | undefined) => void;
  readonly enqueue: (queue: CommandQueue, values: ParameterValues | undefined) => CommandEvent;
  readonly queue: CommandQueue;
  readonly firstStep: number;
  /** End of the steps, exclusive; may be Infinity. */
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

const optionNames = "queue steps firstStep until depth progress signal control signals now parameters every".split(" ");

/** Checks the options. `more` contains names of further allowed options. */
export function checkRun(launcher: unknown, input: StepOptions, more: readonly string[] = []): CheckedRunOptions {
  const target = targetOf(launcher);
  const options = checkObject<StepOptions & { readonly parameters?: unknown }>(input);
  const unknown = Object.keys(options).find((key) => !optionNames.includes(key) && !more.includes(key));
  if (unknown !== undefined) {
    throw typeError("options", `an object with ${[...optionNames, ...more].join(", ")}`, { [unknown]: "…" });
  }
  const { queue = target.launcher.defaultQueue, steps, until, signal, control, now, progress, signals } = options;
  if (queue === undefined) {
    throw typeError("options.queue", "a CommandQueue, since the launcher has no default queue", queue);
  }
  const firstStep = checkInteger(options.firstStep ?? 0, "options.firstStep");
  return {
    ...target,
    queue: checkInstance(queue, CommandQueue, "options.queue"),
    firstStep,
    to: steps === undefined ? Infinity : firstStep + checkInteger(steps, "options.steps"),
    parameters: parametersOf(options.parameters),
    until: until === undefined ? undefined : checkFunction(until, "options.until"),
    depth: checkInteger(options.depth ?? 512, "options.depth", 1),
    progress: checkProgress(progress),
    signal: checkSignal(signal),
    control: control === undefined ? undefined : checkInstance(control, RunControl, "options.control"),
    signals: checkSignals(signals),
    now: now === undefined ? () => performance.now() : checkFunction(now, "options.now"),
  };
}

function targetOf(launcher: unknown): Pick<CheckedRunOptions, "launcher" | "launch" | "enqueue"> {
  if (launcher instanceof ParameterTable) {
    return {
      launcher: launcher.list,
      launch: (queue) => launcher.launch(queue),
      enqueue: (queue) => launcher.enqueue(queue),
    };
  }
  if (!(launcher instanceof Launcher)) throw typeError("launcher", "a launcher or a ParameterTable", launcher);
  const untyped = launcher as Launcher<Record<string, unknown>>;
  return {
    launcher: untyped,
    launch: (queue, values) => untyped.launch(queue, values),
    enqueue: (queue, values) => untyped.enqueue(queue, values),
  };
}

function parametersOf(parameters: unknown): CheckedRunOptions["parameters"] {
  if (typeof parameters === "function") return parameters as CheckedRunOptions["parameters"];
  if (parameters !== undefined && (typeof parameters !== "object" || parameters === null)) {
    throw typeError(
      "options.parameters",
      "an object with a value for each parameter, or a function that returns one",
      parameters,
    );
  }
  return () => parameters as ParameterValues | undefined;
}
