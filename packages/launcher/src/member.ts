/**
 * What a launcher is to the list that it is in. Launchers are the users' face; a member takes the parameters' values,
 * which checks them, and then either says what to record or puts its commands on a queue itself.
 */
import type { BoundKernel, CommandEvent, CommandQueue, CopyRange, DeviceBuffer, FillPattern } from "@cl/core";

import type { Accesses } from "./list/access.js";
import type { ParameterUse, ParameterValues } from "./parameters/parameter-union.js";
import type { ListStatistics, MemberStatistics } from "./statistics/member-statistics.js";
import type { LaunchWords } from "./statistics/tracer.js";
import type { Tunable } from "./tune/tunable.js";

/** How the members of a list stand to each other on a queue that may reorder. */
export type ListOrder = "sequential" | "parallel" | "graph";

/** The working half of a launcher. */
export interface Member {
  /** How errors call it: `launcher "advect"`. */
  readonly words: string;
  /** The parameters that it needs values for. */
  readonly uses: readonly ParameterUse[];
  /** False if a launch has to say the global size. */
  readonly globalSizeConfigured: boolean;
  /** True if only a launch knows how many commands it is, and they may be thousands. */
  readonly manyCommands?: boolean;
  /** True if {@link prepare} may change what it records. */
  readonly adapts?: boolean;
  /** Changes when what it records, or needs, does. */
  readonly version: number;
  /** Adapts to the queue of the launches to come; called before they are recorded. */
  prepare?(queue: CommandQueue): void;
  /** The kernels in it whose local sizes are left to tuning, with values of their parameters. */
  tunables?(values: ParameterValues): readonly Tunable[];
  /** Checks the values, all of which are there, and keeps them for the launches to come. Enqueues nothing. */
  take(values: ParameterValues): void;
  /** Enqueues with the values that it took. */
  launch(queue: CommandQueue): void;
  /** Like {@link launch}, after `waitFor` and with an event. */
  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent;
  /** Appends its commands to a list's recording; it has taken values before. */
  record(recorder: Recorder): void;
  /** The memory that its commands reach. */
  accesses(): Accesses;
  /** What its commands are counted in. */
  readonly statistics: MemberStatistics | ListStatistics;
  /** Of a list: its members. */
  readonly members?: readonly Member[];
  /** What a launch with these values works on. */
  describe(values: ParameterValues): LaunchWords;
  /** Gives back what it holds. */
  release(): void;
}

/** What enqueues its commands itself, with the values that its member took. */
export type Step = Pick<Member, "launch" | "enqueue" | "manyCommands">;

/** What members append their commands to. */
export interface Recorder {
  /** The order of the innermost list. */
  readonly order: ListOrder;
  /**
   * A kernel whose arguments may still change. With `numbers`, all its parameters are numbers: the list brings them with
   * each launch, and the member takes no more values for it.
   */
  kernel(kernel: BoundKernel, label: string, numbers?: readonly NumberParameter[]): void;
  /** A copy between buffers. */
  copy(target: DeviceBuffer, source: DeviceBuffer, range: CopyRange, label: string): void;
  /** A fill of a buffer. */
  fill(target: DeviceBuffer, pattern: FillPattern, range: { offset?: number; bytes?: number }, label: string): void;
  /** What has to enqueue its commands itself, each time. What comes after one that may fail must not run then. */
  step(step: Step, mayFail: boolean): void;
  /** The members of a list inside. */
  nested(order: ListOrder, members: readonly Member[]): void;
}

/** A parameter that is a number, and the position of the argument that gets it. */
export interface NumberParameter {
  readonly name: string;
  readonly index: number;
}

/** Says whose error it is; an error is told by each list that it passes. */
export function named(words: string, error: unknown): unknown {
  if (error instanceof Error) error.message = `${words}: ${error.message}`;
  return error;
}
