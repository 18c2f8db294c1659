/**
 * Internal interface between launchers and lists. A launcher is the public object; its member checks and stores the parameter
 * values, and either records its commands into a list or enqueues them itself.
 */
import type { BoundKernel, CommandEvent, CommandQueue, CopyRange, DeviceBuffer, FillPattern } from "@cl/core";

import type { Accesses } from "./list/access.js";
import type { ParameterUse, ParameterValues } from "./parameters/parameter-union.js";
import type { ListStatistics, MemberStatistics } from "./statistics/member-statistics.js";
import type { LaunchDetails } from "./statistics/tracer.js";
import type { Tunable } from "./tune/tunable.js";

/** Order of a list's members on an out-of-order queue. */
export type ListOrder = "sequential" | "parallel" | "graph";

/** The internal implementation of a launcher. */
export interface Member {
  /** Name in errors: `launcher "advect"`. */
  readonly displayName: string;
  /** Parameters that need values. */
  readonly uses: readonly ParameterUse[];
  /** Whether a launch can omit the global size. */
  readonly globalSizeConfigured: boolean;
  /** Whether the number of commands is only known at the launch, and may be thousands. */
  readonly manyCommands?: boolean;
  /** Whether {@link prepare} may change the recorded commands. */
  readonly adapts?: boolean;
  /** Changes whenever the recorded commands or the parameters change. */
  readonly version: number;
  /** Adapts to the queue of the next launches. Called before they are recorded. */
  prepare?(queue: CommandQueue): void;
  /** Kernels whose local sizes are tunable, with parameter values. */
  tunables?(values: ParameterValues): readonly Tunable[];
  /** Checks and stores the values of all parameters for the next launches. Enqueues nothing. */
  setParameters(values: ParameterValues): void;
  /** Enqueues with the stored values. */
  launch(queue: CommandQueue): void;
  /** Like {@link launch}, but waits for `waitFor` and returns an event. */
  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent;
  /** Appends its commands to a list's recording. Called after the parameters were set. */
  record(recorder: Recorder): void;
  /** Memory that its commands access. */
  accesses(): Accesses;
  /** Statistics of its commands. */
  readonly statistics: MemberStatistics | ListStatistics;
  /** Values that a host step gives to later members of its list. */
  readonly results?: HostResults | undefined;
  /** Members of a list. */
  readonly members?: readonly Member[];
  /** Describes a launch with these values, for tracers. */
  describe(values: ParameterValues): LaunchDetails;
  /** Releases its resources. */
  release(): void;
}

/** Values that a host step gives to later members of its list. */
export interface HostResults {
  /** The names and types. */
  readonly uses: readonly ParameterUse[];
  /** Like {@link Member.enqueue}, but the event completes with the promise of `next`. Then calls `end`, also after a failure. */
  enqueue(
    queue: CommandQueue,
    waitFor: readonly CommandEvent[],
    next: (results: ParameterValues) => Promise<void>,
    end: () => void,
  ): CommandEvent;
}

/** Something that enqueues its commands itself, with the values that its member stored. */
export type Step = Pick<Member, "launch" | "enqueue" | "manyCommands" | "members">;

/** Receives the commands of members. */
export interface Recorder {
  /** Order of the innermost list. */
  readonly order: ListOrder;
  /**
   * Records a kernel whose arguments may still change. With `numbers`, all its parameters are numbers that the list passes with
   * each launch; the member's `setParameters` is no longer called for it.
   */
  kernel(kernel: BoundKernel, label: string, numbers?: readonly NumberParameter[]): void;
  /** Records a copy between buffers. */
  copy(target: DeviceBuffer, source: DeviceBuffer, range: CopyRange, label: string): void;
  /** Records a fill of a buffer. */
  fill(target: DeviceBuffer, pattern: FillPattern, range: { offset?: number; bytes?: number }, label: string): void;
  /** Records a step that enqueues its commands at each launch. If it may fail, later commands must not run after a failure. */
  step(step: Step, mayFail: boolean): void;
  /** Records the members of a nested list. */
  nested(order: ListOrder, members: readonly Member[]): void;
}

/** A numeric parameter, and the position of its argument. */
export interface NumberParameter {
  readonly name: string;
  readonly index: number;
}

/** Prefixes an error's message with its origin. Each enclosing list adds a prefix. */
export function prefixError(displayName: string, error: unknown): unknown {
  if (error instanceof Error) error.message = `${displayName}: ${error.message}`;
  return error;
}
