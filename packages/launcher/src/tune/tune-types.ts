/** What tuning is told, and what it answers. */
import type { CompilerOptions, Program } from "@cl/core";

/** A value of a tuning parameter, as it is written into the source. */
export type TuningValue = number | string;

/** Tuning parameters, each with the values to try. */
export type TuningSpace = Readonly<Record<string, readonly TuningValue[]>>;

/** One value for each of them. */
export type TuningValues<S extends TuningSpace = TuningSpace> = { readonly [Name in keyof S]: S[Name][number] };

/** Work-items in each dimension. */
export type TuningSize = number | readonly number[];

/** One way to run the kernel. */
export interface TuningConfig<S extends TuningSpace = TuningSpace> {
  /** The values of the tuning parameters. */
  readonly parameters: TuningValues<S>;
  /** The work-group's size; null leaves it to the driver. */
  readonly local: readonly number[] | null;
}

/** How one way did. */
export interface TuningCandidate<S extends TuningSpace = TuningSpace> {
  readonly config: TuningConfig<S>;
  /** The median of its times on the device, in nanoseconds; undefined if it never ran. */
  readonly medianNs?: number;
  /** The rounds that it was in. */
  readonly rounds: number;
  /** Why it dropped out, other than by being slower. */
  readonly reason?: string;
}

/** What was found. */
export interface TuningResult<S extends TuningSpace = TuningSpace> {
  /** The fastest way. */
  readonly best: TuningConfig<S>;
  /** All that were tried, the best first. */
  readonly candidates: readonly TuningCandidate<S>[];
  /** How many ways there are, and were before some were left out by chance, since there were more than `limit`. */
  readonly possible: number;
  /** Whether it was measured now, or by an earlier call that found the same. */
  readonly from: "cache" | "measured";
}

/** How far it is. */
export interface TuningProgress {
  /** `"build"` while programs are built, `"measure"` while candidates run. */
  readonly phase: "build" | "measure";
  /** From 1; for `"measure"`, of the rounds. */
  readonly step: number;
  /** The last step; for `"measure"`, an estimate that failures make smaller. */
  readonly steps: number;
  /** The candidates that are left. */
  readonly candidates: number;
}

/** True for outputs that may count as the same; for each argument that the kernel writes. */
export type TuningComparison = (values: ArrayBufferView, reference: ArrayBufferView, argument: number) => boolean;

/** What every tuning takes. */
export interface TuningRunOptions {
  /**
   * Drops candidates whose output is not that of the first one, the driver's choice where that competes: to the bit, or as
   * the function says. Nothing is compared if not said.
   */
  readonly verify?: boolean | TuningComparison;
  /** False to measure again what the disk has; the result is kept in any case. */
  readonly cache?: boolean;
  /** About how many seconds of the device's time measuring may take: 5 if not said. Slow kernels run fewer times, but once. */
  readonly seconds?: number;
  /** Ends it. Nothing is left behind. */
  readonly signal?: AbortSignal;
  /** Is told of each step. */
  readonly onProgress?: (progress: TuningProgress) => void;
}

/** What to tune. */
export interface TuneOptions<S extends TuningSpace = {}> extends TuningRunOptions {
  /** OpenCL C, built once for each combination of the tuning parameters' values, which it sees as macros. */
  readonly source?: string;
  /** A built program, where there are no tuning parameters. */
  readonly program?: Program;
  /** Makes the program for some values, built; instead of `source`. Programs that it makes are released in the end. */
  readonly build?: (values: TuningValues<S>) => Program | Promise<Program>;
  /** What the disk knows the programs of `build` by; if not said, results are not kept there. */
  readonly key?: string;
  /** Options for the compiler, besides the macros. */
  readonly options?: CompilerOptions;
  /** The kernel's name; the only one of the program if not said. */
  readonly kernel?: string;
  /** The kernel's arguments in order, or what gives them for a candidate. What it writes to are copies. */
  readonly args: readonly unknown[] | ((config: TuningConfig<S>) => readonly unknown[]);
  /** The tuning parameters, each with the values to try: `{ TILE: [8, 16, 32] }`. */
  readonly parameters?: S;
  /** False for values that do not go together. */
  readonly when?: (values: TuningValues<S>) => boolean;
  /** Over what the kernel runs. */
  readonly global: TuningSize | ((values: TuningValues<S>) => TuningSize);
  /** The first global id in each dimension. */
  readonly offset?: TuningSize;
  /**
   * The work-groups to try: `"auto"`, if not said, for all that promise something, the driver's choice among them; a list;
   * or a function of the tuning parameters, for kernels that know only one. Null is the driver's choice.
   */
  readonly local?: "auto" | readonly (TuningSize | null)[] | ((values: TuningValues<S>) => TuningSize | null);
  /** Most candidates: 64 if not said. Of more, so many are chosen by chance. */
  readonly limit?: number;
  /** Decides what chance chooses: 1 if not said. */
  readonly seed?: number;
}
