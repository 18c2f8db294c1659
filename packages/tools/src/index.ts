/** The exports of `@cl/tools`. */
export { Adaptor } from "./adaptors/adaptor.js";
export { AlignedAdaptor } from "./adaptors/aligned-adaptor.js";
export { allocateEventually, type AllocateEventuallyOptions } from "./allocators/allocate-eventually.js";
export type { BufferAllocatorOptions } from "./allocators/buffer-allocator-options.js";
export { DeferredAllocator } from "./allocators/deferred-allocator.js";
export { clearFirstArgCaches, FirstArgCache } from "./memoize/first-arg-cache.js";
export { type Memoized, memoizeByFirstArg, type MemoizeOptions } from "./memoize/memoize-by-first-arg.js";
export { FailureCallbackAdaptor, type FailureCallback } from "./adaptors/failure-callback-adaptor.js";
export { FallbackAdaptor } from "./adaptors/fallback-adaptor.js";
export { generateTrace, type GenerateTraceOptions } from "./trace/generate-trace.js";
export { ImmediateAllocator } from "./allocators/immediate-allocator.js";
export { LimitAdaptor } from "./adaptors/limit-adaptor.js";
export {
  LogAdaptor,
  type LogAllocate,
  type LogFailure,
  type LogHeader,
  type LogLine,
  type LogRelease,
} from "./adaptors/log-adaptor.js";
export { type Binning, leadingBits } from "./pool/binning.js";
export { BlockPool, type PoolOptions } from "./pool/block-pool.js";
export type { Holder } from "./pool/holders.js";
export { MemoryPool, PooledBuffer } from "./pool/memory-pool.js";
export type { PoolScope } from "./pool/pool-scope.js";
export { PooledSvm, SvmPool } from "./pool/svm-pool.js";
export { parseTrace, readTrace, type ReadTraceOptions } from "./trace/parse-trace.js";
export {
  type ReplayAllocator,
  type ReplayMemory,
  type ReplayOptions,
  type ReplayResult,
  replayTrace,
} from "./trace/replay-trace.js";
export { RetryAdaptor, type RetryOptions } from "./adaptors/retry-adaptor.js";
export { type AllocationStatistics, type Counter, StatisticsAdaptor } from "./adaptors/statistics-adaptor.js";
export { SvmAllocator, type SvmAllocatorOptions } from "./allocators/svm-allocator.js";
export type { Trace, TraceAllocate, TraceRelease, TraceStep } from "./trace/trace.js";
export { type OutstandingAllocation, TrackAdaptor, type TrackOptions } from "./adaptors/track-adaptor.js";
export { ArgumentBase } from "./arguments/argument.js";
export { ImageArgument, type ImageAccess, OpaqueArgument } from "./arguments/opaque-argument.js";
export { type Argument, parseArgument, type ParseArgumentOptions } from "./arguments/parse-argument.js";
export {
  argumentExtensions,
  argumentTypes,
  argumentValues,
  declareArguments,
  offsetCode,
  parseArguments,
} from "./arguments/parse-arguments.js";
export { ScalarArgument, type ScalarArgumentOptions } from "./arguments/scalar-argument.js";
export { type AddressSpace, VectorArgument, type VectorArgumentOptions } from "./arguments/vector-argument.js";
export { TypeRegistry } from "./types/type-registry.js";
export {
  type ListedField,
  type MatchedField,
  matchStruct,
  type MatchStructOptions,
  type StructFields,
} from "./types/match-struct.js";
export {
  KernelTemplate,
  type KernelTemplateOptions,
  type RenderedTemplate,
  type TemplateBuildOptions,
} from "./template/kernel-template.js";
export { literal } from "./template/literal.js";
export type { Placeholder, Placeholders, TemplateValues, ValueOf } from "./template/placeholders.js";
