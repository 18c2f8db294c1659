/** Public API of `@cl/launcher`. */
export { type LaunchArguments, Launcher, type LauncherEnqueueOptions, type ParametersOf } from "./launcher.js";
export type { LauncherOptions } from "./launcher-options.js";
export { KernelLauncher } from "./kernel/kernel-launcher.js";
export type {
  FixedArguments,
  KernelLauncherOptions,
  KernelParametersOf,
  LauncherSizes,
  LaunchOverrides,
  ParameterMap,
} from "./kernel/launcher-types.js";
export {
  IterativeLauncher,
  type IterativeLauncherOptions,
  type RemainingParameters,
} from "./kernel/iterative-launcher.js";
export { type ParameterFactory, type ParameterSource, ParameterYielder } from "./kernel/parameter-yielder.js";
export {
  ListLauncher,
  type ListLauncherOptions,
  type ParametersOfAll,
  type Pushable,
  type ResultsOfAll,
} from "./list/list-launcher.js";
export { ParameterTable } from "./list/parameter-table.js";
export type { ListOrder } from "./member.js";
export type { HostType } from "./parameters/parameter-type.js";
export type { ParameterInfo, ParameterValues } from "./parameters/parameter-union.js";
export { iterateSteps, type IterateOptions } from "./run/iterate-steps.js";
export type { HostStep, HostStepInfo } from "./run/host-steps.js";
export type { RunSignals } from "./run/process-signals.js";
export { ProgressBar } from "./run/progress-bar.js";
export type { ProgressBarOptions, ProgressOptions, ProgressStream } from "./run/progress-options.js";
export { RunControl } from "./run/run-control.js";
export type { RunResult, StepOptions, StepParameters, TableParameters } from "./run/run-options.js";
export { type RunOptions, runSteps } from "./run/run-steps.js";
export { StepError } from "./run/step-error.js";
export { CommandLauncher, type CommandLauncherOptions } from "./steps/command-launcher.js";
export { CopyLauncher, type CopyLauncherOptions } from "./steps/copy-launcher.js";
export type { CopyLauncherEnd, CopyLauncherRange } from "./steps/copy-ends.js";
export {
  FillLauncher,
  type FillLauncherOptions,
  type ImageFillLauncherOptions,
  type ViewFillLauncherOptions,
} from "./steps/fill-launcher.js";
export {
  type HostAnswer,
  HostLauncher,
  type HostLauncherOptions,
  type HostParameters,
  type HostResultTypes,
  type HostValues,
} from "./steps/host-launcher.js";
export { ElementwiseLauncher, type ElementwiseParameters } from "./fuse/elementwise-launcher.js";
export type { ElementwiseOptions } from "./fuse/elementwise-options.js";
export type { Fusion } from "./fuse/fusion.js";
export type { Residency } from "./resident/residency.js";
export { tune } from "./tune/tune.js";
export type { LauncherTuneOptions, LauncherTuning, ListTuneOptions } from "./tune/tune-launchers.js";
export type {
  TuneOptions,
  TuningCandidate,
  TuningComparison,
  TuningConfig,
  TuningProgress,
  TuningResult,
  TuningRunOptions,
  TuningSize,
  TuningSpace,
  TuningValue,
  TuningValues,
} from "./tune/tune-types.js";
export type {
  LauncherEvent,
  LauncherEvents,
  LauncherSnapshot,
  LauncherStatistics,
} from "./statistics/launcher-statistics.js";
export { mergeStatistics } from "./statistics/merge-statistics.js";
export type { NameFilter } from "./statistics/name-filter.js";
export { Profiler, type ProfilerOptions, type ProfilerTraceOptions } from "./statistics/profiler.js";
export { statisticsRows } from "./statistics/statistics-rows.js";
export { formatLaunch, type LaunchDescription, Tracer, type TracerOptions } from "./statistics/tracer.js";
