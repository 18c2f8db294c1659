/** The exports of `@cl/characterize`. */
export { fastInaccurateBuildOptions } from "./questions/build-options.js";
export { CharacterizationWarning } from "./device/characterization-warning.js";
export { nvComputeCapability } from "./questions/compute-capability.js";
export {
  hasAmdDoubleSupport,
  hasCoarseGrainBufferSvm,
  hasDoubleSupport,
  hasFineGrainBufferSvm,
  hasFineGrainBufferSvmAtomics,
  hasFineGrainSystemSvm,
  hasFineGrainSystemSvmAtomics,
} from "./questions/features.js";
export { type LocalAccessConflict, whyNotLocalAccessConflictFree } from "./questions/local-access-conflicts.js";
export { launchShape, type LaunchShapeOptions } from "./launch/launch-shape.js";
export type { KernelKind, LaunchShape, LoopForm } from "./launch/shape.js";
export {
  localMemoryAccessGranularity,
  localMemoryBankCount,
  simultaneousWorkItemsOnLocalAccess,
  usableLocalMemorySize,
} from "./questions/local-memory.js";
export type { Measured } from "./questions/measured.js";
export { poclVersion, type Version } from "./questions/pocl-version.js";
export { ShapedKernels, type ShapedKernelsOptions } from "./launch/shaped-kernels.js";
export { shapedSource, type ShapedSourceOptions } from "./launch/shaped-source.js";
export { simdGroupSize } from "./questions/simd-group-size.js";
export type { KernelQuestionOptions } from "./questions/small-kernel.js";
export { hasSourceBuildCache } from "./questions/source-build-cache.js";
export {
  hasStructArgumentCountBug,
  hasStructArgumentCountBugSync,
  type StructArgumentBug,
} from "./questions/struct-argument-bug.js";
export { hasCoherentCaches, hasParallelWorkItems, loopWorkItemCount } from "./questions/work-items.js";
export {
  reasonableWorkGroupSizeMultiple,
  reasonableWorkGroupSizeMultipleSync,
} from "./questions/work-group-size-multiple.js";
export { characterize } from "./measure/characterize.js";
export { isCharacteristics } from "./cache/validate.js";
export type * from "./measure/characteristics.js";
export type { CharacterizeOptions, CharacterizeProgress } from "./measure/options.js";
export type { Quantity, Unit } from "./measure/quantity.js";
export { formatQuantity, formatSpread } from "./report/format.js";
export { bandwidthPlot, launchPlot, rooflinePlot } from "./report/plots.js";
export { characteristicsTable } from "./report/table.js";
export type { AddType } from "./performance/add-kernel.js";
export { addRate, emptyKernelTime } from "./performance/kernel-speed.js";
export type { TimingOptions } from "./performance/timing.js";
export {
  type ProfilingOverhead,
  profilingOverhead,
  transferBandwidth,
  transferLatency,
} from "./performance/transfer-speed.js";
