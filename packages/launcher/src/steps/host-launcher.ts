import { checkFunction, checkObject, checkOptions, checkSignal, typeError } from "@cl/base";
import type { CommandEvent, CommandQueue } from "@cl/core";

import { Launcher } from "../launcher.js";
import { checkName, checkShared, type LauncherOptions } from "../launcher-options.js";
import type { Accesses } from "../list/access.js";
import { type HostResults, type Member, prefixError, type Recorder } from "../member.js";
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

/** Results of a host step and their types. */
export type HostResultTypes = Readonly<Record<string, "number" | "bigint">>;

/** What the function of a host step returns. */
export type HostAnswer<R extends HostResultTypes> = {} extends R ? unknown : HostValues<R> | PromiseLike<HostValues<R>>;

/** Options of a host step. */
export interface HostLauncherOptions<
  T extends HostParameters = HostParameters,
  R extends HostResultTypes = HostResultTypes,
> extends LauncherOptions {
  /** Parameters that each launch passes to the function. */
  readonly parameters?: T;
  /**
   * Numbers that the function returns by name. In a list, they are parameters of the later members, which are enqueued when the
   * function has returned.
   */
  readonly results?: R;
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
 *
 * @example A parameter of later members
 * ```ts
 * const largest = new Float32Array(1);
 * const step = new ListLauncher("step")
 *   .pushCopyDeviceToHost("largest", x, largest, { bytes: 4 })
 *   .push(new HostLauncher("factor", () => ({ a: 1 / (1 + largest[0]!) }), { results: { a: "number" } }))
 *   .push(new KernelLauncher("scale", program.kernel("saxpy"), { args: [x, y], parameters: ["a"], global: 64 }));
 * step.launch(queue);
 * ```
 */
export class HostLauncher<const T extends HostParameters = {}, const R extends HostResultTypes = {}> extends Launcher<
  HostValues<T>
> {
  /** For type inference only; does not exist at run time. */
  declare readonly "~results": HostValues<R>;

  constructor(
    name: string,
    run: (parameters: HostValues<T>) => HostAnswer<NoInfer<R>>,
    options?: HostLauncherOptions<T, R>,
  ) {
    const { parameters, results, signal, ...others } = checkOptions(options as HostLauncherOptions | undefined, [
      "parameters",
      "results",
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
      new HostMember(name, run as (parameters: ParameterValues) => unknown, parameters ?? {}, results ?? {}, signal),
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

const resultTypes: ReadonlySet<string> = new Set(["number", "bigint"] satisfies HostType[]);

class HostMember implements Member {
  readonly displayName: string;
  readonly uses: readonly ParameterUse[];
  readonly version = 0;
  readonly globalSizeConfigured = true;
  readonly statistics: MemberStatistics;
  readonly results: HostResults | undefined;
  readonly #name: string;
  readonly #run: (parameters: ParameterValues) => unknown;
  readonly #signal: AbortSignal | undefined;
  #values: ParameterValues = {};

  constructor(
    name: string,
    run: (parameters: ParameterValues) => unknown,
    parameters: HostParameters,
    results: HostResultTypes,
    signal: AbortSignal | undefined,
  ) {
    this.displayName = `host step "${name}"`;
    this.#name = name;
    this.#run = run;
    this.#signal = signal;
    const usesOf = (
      types: Readonly<Record<string, string>>,
      option: string,
      allowed: ReadonlySet<string>,
    ): readonly ParameterUse[] =>
      Object.entries(checkObject(types, option)).map(([key, type]) => {
        if (!allowed.has(type)) throw typeError(`${option}.${key}`, [...allowed].join(", "), type);
        return { name: key, type, launcher: name };
      });
    this.uses = usesOf(parameters, "options.parameters", hostTypes);
    const resultUses = usesOf(results, "options.results", resultTypes);
    if (resultUses.length > 0) {
      this.results = {
        uses: resultUses,
        enqueue: (queue, waitFor, next, end) => this.#enqueue(queue, waitFor, next, end),
      };
    }
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

  /** Returns the checked results in what the function has returned. */
  #resultsIn(answer: unknown): ParameterValues {
    const values = checkObject(answer as Record<string, unknown>, "the result of the function");
    const uses = this.results?.uses ?? [];
    for (const { name, type } of uses) {
      if (typeof values[name] !== type) throw typeError(`the result "${name}"`, `of type ${type}`, values[name]);
    }
    return Object.fromEntries(uses.map(({ name }) => [name, values[name]]));
  }

  launch(queue: CommandQueue): void {
    this.enqueue(queue, []).release();
  }

  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent {
    return this.#enqueue(
      queue,
      waitFor,
      async () => undefined,
      () => undefined,
    );
  }

  #enqueue(
    queue: CommandQueue,
    waitFor: readonly CommandEvent[],
    next: (results: ParameterValues) => Promise<void>,
    end: () => void,
  ): CommandEvent {
    const values = this.#values;
    const signal = this.#signal === undefined ? {} : { signal: this.#signal };
    const runWithResults = async (): Promise<void> => {
      try {
        await next(this.#resultsIn(await this.#timed(queue, values)));
      } finally {
        end();
      }
    };
    const run = this.results === undefined ? () => this.#timed(queue, values) : runWithResults;
    try {
      return queue.enqueueHostFunction(run, { waitFor, label: this.#name, ...signal });
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
