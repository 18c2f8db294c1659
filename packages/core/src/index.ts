/** The public face of `@cl/core`. */
export { BinaryNotFoundError } from "./binary.js";
export { BoundKernel, type EnqueueOptions } from "./bound-kernel.js";
export { DeviceBuffer } from "./buffer.js";
export type { BufferAccessOptions, DeviceBufferOptions } from "./buffer-options.js";
export type { BuildDiagnostic } from "./build-diagnostics.js";
export { BuildError } from "./build-error.js";
export type { CompilerOptions } from "./build-options.js";
export { Context, type ContextOptions } from "./context.js";
export { ContextProperties } from "./context-properties.js";
export * from "./constants.js";
export type { CopyOptions, CopyRange } from "./copy-options.js";
export type { CopyEnd } from "./copy-side.js";
export { Device, type Partition } from "./device.js";
export { DisposedError, NoRuntimeError, NotSupportedError, OpenCLError, OutOfMemoryError } from "./errors.js";
export {
  CommandEvent,
  type EventStage,
  type ProfilingField,
  profilingTimes,
  type WaitFor,
  waitForEvents,
  waitForSync,
  type WaitOptions,
} from "./event.js";
export type { FillOptions, FillPattern } from "./fill.js";
export type { ArrayOf, ElementType, HostMemory } from "./host-array.js";
export { handleCount, handleCounts } from "./handle-count.js";
export { Kernel, type DeclaredType } from "./kernel.js";
export { kernelArgument, type KernelArgument, type KernelArgumentValue } from "./kernel-argument.js";
export type { Extent, Extents, LaunchSizes, NamedArguments } from "./kernel-sizes.js";
export { LaunchList } from "./launch-list.js";
export { LocalMemory } from "./local-memory.js";
export type { AsyncMapOptions, MapOptions } from "./map.js";
export { MappedBuffer, type UnmapOptions } from "./mapped-buffer.js";
export { type AdoptOptions, MemoryObject } from "./memory-object.js";
export type { MemoryLike, MigrateOptions } from "./migrate.js";
export { getPlatforms, Platform } from "./platform.js";
export { Program } from "./program.js";
export type { BuildMessage } from "./program-build.js";
export type { Headers } from "./program-compile.js";
export type { AdoptProgramOptions, BuildOptions, CompileOptions, ProgramOptions } from "./program-options.js";
export type { DeviceBinaries } from "./program-sources.js";
export { CommandQueue, type CommandQueueOptions } from "./queue.js";
export type { AsyncReadOptions, ReadInto, ReadOptions } from "./read.js";
export type { Resource } from "./resource.js";
export { selectDeviceLists, selectDevices } from "./selector.js";
export type * from "./typed/index.js";
export type { AsyncWriteOptions, WriteOptions } from "./write.js";
export { UserEvent } from "./user-event.js";
