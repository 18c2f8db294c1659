import { checkFunction, checkObject, checkOptions, checkSignal, typeError } from "@cl/base";
import type { CommandEvent, CommandQueue } from "@cl/core";

import { Launcher } from "../launcher.js";
import { checkName, checkShared, type LauncherOptions } from "../launcher-options.js";
import type { Accesses } from "../list/access.js";
import { type Member, prefixError, type Recorder } from "../member.js";
import { MemberStatistics } from "../statistics/member-statistics.js";
import { type LaunchDetails, describeValue } from "../statistics/tracer.js";
import type { HostType } from "../parameters/parameter-type.js";
import type { ParameterUse, ParameterValues } from "../parameters/parameter-union.js";

/** JavaScript types of host parameters. */
interface HostTypes {
  number: number;
  bigint: bigint;
  string: string;
  boolean: boolean;
  object: object;
  any: unknown;
}

/** Parameters of a host step and their types. */
export type HostParameters = Readonly<Record<string, HostType>>;

/** Parameter values of a host step. */
export type HostValues<T extends HostParameters> = { readonly [Name in keyof T]: HostTypes[T[Name]] };

/** Options of a host step. */
export interface HostLauncherOptions<T extends HostParameters = HostParameters> extends LauncherOptions {
  /** Parameters that each launch passes to the function. */
  readonly parameters?: T;
  /** Cancels steps that have not started: the function is not called, and dependent commands fail. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a synchronous or asynchronous JavaScript function in queue order; later commands wait for it. If it throws or rejects,
 * the following commands of the list fail.
 *
 * The function runs on the event loop, so a loop of launches must await regularly: a launch throws if 10,000 host functions
 * are pending.
 *
 * @example
 * ```ts
 * const log: number[] = [];
 * const note = new HostLauncher("note", ({ t }) => log.push(t), { parameters: { t: "number" } });
 * await note.enqueue(queue, { t: 0.5 }).wait();
 * console.log(log); // [ 0.5 ]
 * ```
 */
export class HostLauncher<const T extends HostParameters = {}> extends Launcher<HostValues<T>> {
  constructor(name: string, run: (parameters: HostValues<T>) => unknown, options?: HostLauncherOptions<T>) {
    const { parameters, signal, ...others } = checkOptions(options as HostLauncherOptions | undefined, [
      "parameters",
      "signal",
      "queue",
      "profiler",
      "tracer",
    ]);
    checkName(name);
    checkFunction(run, "run");
    const shared = checkShared(others);
    checkSignal(signal);
    super(
      name,
      new HostMember(name, run as (parameters: ParameterValues) => unknown, parameters ?? {}, signal),
      shared,
    );
  }
}

const hostTypes: ReadonlySet<string> = new Set([
  "number",
  "bigint",
  "string",
  "boolean",
  "object",
  "any",
] satisfies HostType[]);

class HostMember implements Member {
  readonly displayName: string;
  readonly uses: readonly ParameterUse[];
  readonly version = 0;
  readonly globalSizeConfigured = true;
  readonly statistics: MemberStatistics;
  readonly #name: string;
  readonly #run: (parameters: ParameterValues) => unknown;
  readonly #signal: AbortSignal | undefined;
  #values: ParameterValues = {};

  constructor(
    name: string,
    run: (parameters: ParameterValues) => unknown,
    parameters: HostParameters,
    signal: AbortSignal | undefined,
  ) {
    this.displayName = `host step "${name}"`;
    this.#name = name;
    this.#run = run;
    this.#signal = signal;
    this.uses = Object.entries(checkObject(parameters, "options.parameters")).map(([parameter, type]) => {
      if (!hostTypes.has(type)) throw typeError(`options.parameters.${parameter}`, [...hostTypes].join(", "), type);
      return { name: parameter, type, launcher: name };
    });
    this.statistics = new MemberStatistics(name, "host");
  }

  /** Copies the values, since the function runs later, when the next launch may have set others. */
  setParameters(values: ParameterValues): void {
    this.#values = Object.fromEntries(
      this.uses.map(({ name, type }) => {
        const value = values[name];
        const fits = type === "any" || (typeof value === type && value !== null);
        if (!fits) throw prefixError(this.displayName, typeError(`parameter "${name}"`, `of type ${type}`, value));
        return [name, value];
      }),
    );
  }

  #timed(queue: CommandQueue, values: ParameterValues): unknown {
    if (!queue.profiling) return this.#run(values);
    return this.statistics.commands.time(() => this.#run(values), { queue });
  }

  launch(queue: CommandQueue): void {
    this.enqueue(queue, []).release();
  }

  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent {
    const values = this.#values;
    const signal = this.#signal === undefined ? {} : { signal: this.#signal };
    try {
      return queue.enqueueHostFunction(() => this.#timed(queue, values), { waitFor, label: this.#name, ...signal });
    } catch (error) {
      throw prefixError(this.displayName, error);
    }
  }

  record(recorder: Recorder): void {
    recorder.step(this, true);
  }

  accesses(): Accesses {
    // A function can access anything.
    return undefined;
  }

  describe(values: ParameterValues): LaunchDetails {
    return { args: this.uses.map(({ name }) => `${name}: ${describeValue(values[name])}`) };
  }

  release(): void {
    // No resources.
  }
}
