/** Runs functions between steps of a run, when all launched steps have ended. */
import { checkBoolean, checkFunction, checkInteger, checkObject, checkString, typeError, wrongValue } from "@cl/base";
import type { CommandQueue } from "@cl/core";

import { MemberStatistics } from "../statistics/member-statistics.js";
import type { Profiler } from "../statistics/profiler.js";
import { StepError } from "./step-error.js";
import type { StepRun } from "./step-run.js";

/** Argument of a periodic host step. */
export interface HostStepInfo {
  /** Number of steps that have ended, including those of earlier runs (`firstStep`). */
  readonly step: number;
  /** Duration of the run, without pauses. */
  readonly seconds: number;
  /** The queue, which is idle. */
  readonly queue: CommandQueue;
  /** Aborted when the run is, for operations that the function awaits. */
  readonly signal: AbortSignal;
  /** Ends the run with the result `"until"`. */
  readonly stop: () => void;
}

/** A function that runs periodically between steps: output, a checkpoint, a convergence test. */
export interface HostStep {
  /** Runs whenever this number of steps has passed, counted from step 0. */
  readonly steps?: number;
  /** Runs when this number of seconds has passed, after the current step. */
  readonly seconds?: number;
  /** Runs before the first step. */
  readonly first?: boolean;
  /** Runs at the end, also of an aborted run, unless it ran after the last step. */
  readonly last?: boolean;
  /** Name in errors. */
  readonly name?: string;
  /** The function. The run waits for its promise, and fails if that is rejected. */
  readonly run: (info: HostStepInfo) => unknown;
}

interface ScheduledStep extends HostStep {
  readonly displayName: string;
  /** Only with a profiler. */
  readonly statistics: MemberStatistics | undefined;
  /** Next step and time at which it runs. */
  step: number;
  due: number;
  /** Step after which it last ran. */
  lastRun: number;
}

const stepKeys = "steps seconds first last name run".split(" ");

export class HostSteps {
  readonly #all: readonly ScheduledStep[];

  constructor(every: unknown, firstStep: number, profiler: Profiler | undefined) {
    const list: unknown = every ?? [];
    if (!Array.isArray(list)) throw typeError("options.every", "an array of host steps", list);
    this.#all = (list as readonly unknown[]).map((value, i) =>
      scheduleStep(value, `options.every[${i}]`, firstStep, profiler),
    );
  }

  /** Returns the first step, at most `to`, after which a host step is due. */
  next(to: number): number {
    return this.#all.reduce((next, { step }) => Math.min(next, step), to);
  }

  /** Time in seconds at which the next host step is due. */
  get deadline(): number {
    return this.#all.reduce((next, { due }) => Math.min(next, due), Infinity);
  }

  /** Runs the host steps with `first`. */
  begin(run: StepRun): Promise<void> {
    return this.#runAll(run, ({ first }) => first === true);
  }

  due(run: StepRun): Promise<void> {
    const { step, seconds } = run;
    return this.#runAll(run, (hostStep) => hostStep.step <= step || hostStep.due <= seconds);
  }

  /** Runs the host steps with `last`. */
  end(run: StepRun): Promise<void> {
    return this.#runAll(run, ({ last, lastRun }) => last === true && lastRun !== run.step);
  }

  async #runAll(run: StepRun, isChosen: (hostStep: ScheduledStep) => boolean): Promise<void> {
    for (const hostStep of this.#all.filter(isChosen)) {
      hostStep.lastRun = run.step;
      if (hostStep.steps !== undefined) hostStep.step = nextMultiple(run.step, hostStep.steps);
      try {
        // In sequence, since they may use the same queue and memory.
        await run.callUser(() => callStep(hostStep, run.info()));
      } catch (error) {
        throw new StepError(run.step, run.step, error, hostStep.displayName);
      }
      if (hostStep.seconds !== undefined) hostStep.due = run.seconds + hostStep.seconds;
    }
  }
}

function callStep({ run, statistics }: ScheduledStep, info: HostStepInfo): unknown {
  return statistics === undefined ? run(info) : statistics.commands.time(() => run(info), { queue: info.queue });
}

function scheduleStep(value: unknown, name: string, firstStep: number, profiler: Profiler | undefined): ScheduledStep {
  const hostStep = checkObject(value as HostStep, name);
  const unknown = Object.keys(hostStep).find((key) => !stepKeys.includes(key));
  if (unknown !== undefined) throw typeError(name, `an object with ${stepKeys.join(", ")}`, { [unknown]: "…" });
  checkFunction(hostStep.run, `${name}.run`);
  checkBoolean(hostStep.first, `${name}.first`, false);
  checkBoolean(hostStep.last, `${name}.last`, false);
  const steps = hostStep.steps === undefined ? undefined : checkInteger(hostStep.steps, `${name}.steps`, 1);
  const { seconds } = hostStep;
  if (seconds !== undefined && !(typeof seconds === "number" && seconds >= 0)) {
    throw typeError(`${name}.seconds`, "a number of at least 0", seconds);
  }
  if (steps === undefined && seconds === undefined && !(hostStep.first ?? false) && !(hostStep.last ?? false)) {
    throw wrongValue(`${name} must have at least one of steps, seconds, first and last`);
  }
  return {
    ...hostStep,
    displayName:
      hostStep.name === undefined ? `host step ${name}` : `host step "${checkString(hostStep.name, `${name}.name`)}"`,
    statistics: profiler === undefined ? undefined : statisticsFor(profiler, hostStep.name ?? name),
    step: steps === undefined ? Infinity : nextMultiple(firstStep, steps),
    due: seconds ?? Infinity,
    lastRun: -1,
  };
}

function statisticsFor(profiler: Profiler, name: string): MemberStatistics {
  const statistics = new MemberStatistics(name, "host");
  statistics.observe(profiler, []);
  return statistics;
}

function nextMultiple(step: number, steps: number): number {
  return (Math.floor(step / steps) + 1) * steps;
}
