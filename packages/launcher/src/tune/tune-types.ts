/** Options and results of tuning. */
import type { CompilerOptions, Program } from "@cl/core";

/** Value of a tuning parameter, inserted into the source as a macro. */
export type TuningValue = number | string;

/** Tuning parameters and the values to try. */
export type TuningSpace = Readonly<Record<string, readonly TuningValue[]>>;

/** A value for each tuning parameter. */
export type TuningValues<S extends TuningSpace = TuningSpace> = { readonly [Name in keyof S]: S[Name][number] };

/** Number of work-items per dimension. */
export type TuningSize = number | readonly number[];

/** Configuration of a kernel. */
export interface TuningConfig<S extends TuningSpace = TuningSpace> {
  /** Values of the tuning parameters. */
  readonly parameters: TuningValues<S>;
  /** Work-group size; `null` for the driver's choice. */
  readonly local: readonly number[] | null;
}

/** Result of one configuration. */
export interface TuningCandidate<S extends TuningSpace = TuningSpace> {
  readonly config: TuningConfig<S>;
  /** Median time on the device in nanoseconds; `undefined` if it never ran. */
  readonly medianNs?: number;
  /** Number of rounds in which it was measured. */
  readonly rounds: number;
  /** Why it was rejected, unless it was slower. */
  readonly reason?: string;
}

/** Result of a tuning. */
export interface TuningResult<S extends TuningSpace = TuningSpace> {
  /** The fastest configuration. */
  readonly best: TuningConfig<S>;
  /** All tried configurations, best first. */
  readonly candidates: readonly TuningCandidate<S>[];
  /** Number of possible configurations, before the random selection of `limit` of them. */
  readonly possible: number;
  /** Whether the result was measured now or read from the cache. */
  readonly source: "cache" | "measured";
}

/** Progress of a tuning. */
export interface TuningProgress {
  /** `"build"` while programs are built, `"measure"` while candidates run. */
  readonly phase: "build" | "measure";
  /** Current step or round, starting at 1. */
  readonly step: number;
  /** Number of steps; for `"measure"`, an upper estimate of the rounds. */
  readonly steps: number;
  /** Number of remaining candidates. */
  readonly candidates: number;
}

/** Returns whether an output equals the reference. Called for each argument that the kernel writes. */
export type TuningComparison = (values: ArrayBufferView, reference: ArrayBufferView, argument: number) => boolean;

/** Options of all tunings. */
export interface TuningRunOptions {
  /**
   * Whether to reject candidates whose output differs from that of the first candidate, which is the driver's choice if tried.
   * `true` compares bytes. @defaultValue false
   */
  readonly verify?: boolean | TuningComparison;
  /** Whether to use a cached result. New results are always cached. @defaultValue true */
  readonly cache?: boolean;
  /** Approximate measuring time in seconds of device time. Slow kernels run fewer times, but at least once. @defaultValue 5 */
  readonly seconds?: number;
  /** Aborts the tuning. */
  readonly signal?: AbortSignal;
  /** Called for each step. */
  readonly onProgress?: (progress: TuningProgress) => void;
}

/** Options of `tune`. */
export interface TuneOptions<S extends TuningSpace = {}> extends TuningRunOptions {
  /** OpenCL C source, built once for each combination of tuning parameters, which are defined as macros. */
  readonly source?: string;
  /** A built program, if there are no tuning parameters. */
  readonly program?: Program;
  /** Returns a built program for a combination, instead of `source`. The programs are released at the end. */
  readonly build?: (values: TuningValues<S>) => Program | Promise<Program>;
  /** Cache key of the programs of `build`. Without it, their results are not cached. */
  readonly key?: string;
  /** Compiler options, in addition to the macros. */
  readonly options?: CompilerOptions;
  /** Name of the kernel. @defaultValue the program's only kernel */
  readonly kernel?: string;
  /** Arguments of the kernel in order, or a function that returns them. Written memory is copied. */
  readonly args: readonly unknown[] | ((config: TuningConfig<S>) => readonly unknown[]);
  /** Tuning parameters and the values to try: `{ TILE: [8, 16, 32] }`. */
  readonly parameters?: S;
  /** Returns whether a combination is valid. */
  readonly when?: (values: TuningValues<S>) => boolean;
  /** Global size. */
  readonly global: TuningSize | ((values: TuningValues<S>) => TuningSize);
  /** First global id per dimension. */
  readonly offset?: TuningSize;
  /**
   * Local sizes to try: `"auto"` for promising ones, including the driver's choice; a list; or a function of the tuning parameters
   * for kernels that require a certain size. `null` is the driver's choice. @defaultValue "auto"
   */
  readonly local?: "auto" | readonly (TuningSize | null)[] | ((values: TuningValues<S>) => TuningSize | null);
  /** Maximum number of candidates. If there are more, a random selection is tried. @defaultValue 64 */
  readonly limit?: number;
  /** Seed of the random selection. @defaultValue 1 */
  readonly seed?: number;
}
