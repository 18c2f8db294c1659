/** Functions that run between steps, now and then, when what was launched has ended. */
import { checkBoolean, checkFunction, checkInteger, checkObject, checkString, typeError, wrongValue } from "@cl/base";
import type { CommandQueue } from "@cl/core";

import { MemberStatistics } from "../statistics/member-statistics.js";
import type { Profiler } from "../statistics/profiler.js";
import { StepError } from "./step-error.js";
import type { StepRun } from "./step-run.js";

/** What a periodic host step is told. */
export interface HostStepInfo {
  /** How many steps have been made, those of earlier runs (`from`) included. All of them have ended. */
  readonly step: number;
  /** How long the run has lasted, without pauses. */
  readonly seconds: number;
  /** The queue, on which nothing is running. */
  readonly queue: CommandQueue;
  /** Aborted when the run is, for what the function waits for. */
  readonly signal: AbortSignal;
  /** Ends the run; its result says `"until"`. */
  readonly stop: () => void;
}

/** A function that runs now and then between two steps: output, a checkpoint, a test for convergence. */
export interface HostStep {
  /** After each so many steps, counted from step 0. */
  readonly steps?: number;
  /** After so many seconds, when the step of that moment has ended. */
  readonly seconds?: number;
  /** Also before the first step. */
  readonly first?: boolean;
  /** Also at the end, unless it has just run: when all steps are made, and when the run is aborted. */
  readonly last?: boolean;
  /** What errors call it. */
  readonly name?: string;
  /** What runs. The run goes on when its promise has been fulfilled, and ends with an error if that is rejected. */
  readonly run: (info: HostStepInfo) => unknown;
}

interface Planned extends HostStep {
  readonly displayName: string;
  /** Only if a profiler counts it. */
  readonly statistics: MemberStatistics | undefined;
  /** When it is due. */
  step: number;
  due: number;
  /** After which step it ran. */
  ran: number;
}

const keys = "steps seconds first last name run".split(" ");

/** The host steps of a run. */
export class HostSteps {
  readonly #all: readonly Planned[];

  constructor(every: unknown, from: number, profiler: Profiler | undefined) {
    const list: unknown = every ?? [];
    if (!Array.isArray(list)) throw typeError("options.every", "an array of host steps", list);
    this.#all = (list as readonly unknown[]).map((one, i) => planned(one, `options.every[${i}]`, from, profiler));
  }

  /** The first step, at most `to`, after which one is due. */
  next(to: number): number {
    return this.#all.reduce((next, { step }) => Math.min(next, step), to);
  }

  /** The second after which one is due. */
  get deadline(): number {
    return this.#all.reduce((next, { due }) => Math.min(next, due), Infinity);
  }

  /** Runs those that begin the run. */
  begin(run: StepRun): Promise<void> {
    return this.#runAll(run, ({ first }) => first === true);
  }

  /** Runs those that are due. */
  due(run: StepRun): Promise<void> {
    const { step, seconds } = run;
    return this.#runAll(run, (one) => one.step <= step || one.due <= seconds);
  }

  /** Runs those that end the run. */
  end(run: StepRun): Promise<void> {
    return this.#runAll(run, ({ last, ran }) => last === true && ran !== run.step);
  }

  async #runAll(run: StepRun, chosen: (one: Planned) => boolean): Promise<void> {
    for (const one of this.#all.filter(chosen)) {
      one.ran = run.step;
      if (one.steps !== undefined) one.step = following(run.step, one.steps);
      try {
        // One after the other: they may use the same queue, and the same memory.
        await run.outside(() => called(one, run.info()));
      } catch (error) {
        throw new StepError(run.step, run.step, error, one.displayName);
      }
      if (one.seconds !== undefined) one.due = run.seconds + one.seconds;
    }
  }
}

function called({ run, statistics }: Planned, info: HostStepInfo): unknown {
  return statistics === undefined ? run(info) : statistics.commands.time(() => run(info), { queue: info.queue });
}

function planned(value: unknown, name: string, from: number, profiler: Profiler | undefined): Planned {
  const one = checkObject(value as HostStep, name);
  const unknown = Object.keys(one).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw typeError(name, `made of ${keys.join(", ")}`, { [unknown]: "…" });
  checkFunction(one.run, `${name}.run`);
  checkBoolean(one.first, `${name}.first`, false);
  checkBoolean(one.last, `${name}.last`, false);
  const steps = one.steps === undefined ? undefined : checkInteger(one.steps, `${name}.steps`, 1);
  const { seconds } = one;
  if (seconds !== undefined && !(typeof seconds === "number" && seconds >= 0)) {
    throw typeError(`${name}.seconds`, "a number that is not negative", seconds);
  }
  if (steps === undefined && seconds === undefined && !(one.first ?? false) && !(one.last ?? false)) {
    throw wrongValue(`${name} never runs: say when, with steps, seconds, first or last`);
  }
  return {
    ...one,
    displayName: one.name === undefined ? `host step ${name}` : `host step "${checkString(one.name, `${name}.name`)}"`,
    statistics: profiler === undefined ? undefined : countedBy(profiler, one.name ?? name),
    step: steps === undefined ? Infinity : following(from, steps),
    due: seconds ?? Infinity,
    ran: -1,
  };
}

function countedBy(profiler: Profiler, name: string): MemberStatistics {
  const statistics = new MemberStatistics(name, "host");
  statistics.observe(profiler, []);
  return statistics;
}

/** The next multiple. */
function following(step: number, steps: number): number {
  return (Math.floor(step / steps) + 1) * steps;
}
