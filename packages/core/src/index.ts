/** The public API of `@cl/core`. */
export { type LayoutOptions, newAxis, type Order, type Shape, type SliceIndex } from "@cl/base";
export type { Allocation, Allocator } from "./allocation/allocator.js";
export { BinaryNotFoundError } from "./binary.js";
export { BoundKernel, type EnqueueOptions } from "./kernel/bound-kernel.js";
export { DeviceBuffer } from "./memory/buffer.js";
export {
  type BufferAccessOptions,
  type BufferMemoryOptions,
  type DeviceBufferOptions,
} from "./memory/buffer-options.js";
export type { BuildDiagnostic } from "./program/build-diagnostics.js";
export { BuildError } from "./program/build-error.js";
export type { CompilerOptions } from "./program/build-options.js";
export { CacheFolder } from "./cache/cache-folder.js";
export { Context, type ContextOptions } from "./platform/context.js";
export { ContextProperties } from "./platform/context-properties.js";
export * from "./binding/constants.js";
export type { CopyOptions, CopyRange } from "./transfer/copy-options.js";
export type { CopyEnd } from "./transfer/copy-side.js";
export { type Complex, DType, type DTypeKind, type DTypeValue, type StructValue } from "./dtype/dtype.js";
export { ElementArray } from "./dtype/element-array.js";
export { BorrowedBuffer } from "./allocation/borrowed-buffer.js";
export { beforeReclaiming, type Lender, reclaimUnreachable } from "./allocation/loans.js";
export { memoryRange, type MemoryRange } from "./allocation/memory-range.js";
export { dtype, type DTypeLike } from "./dtype/registry.js";
export type { FieldLike, StructField, StructOptions } from "./dtype/struct-layout.js";
export { StructType, structType } from "./dtype/struct-type.js";
export { TypedValue } from "./argument/typed-value.js";
export { matchLayout, StructLayoutError, verifyLayout, type VerifyLayoutOptions } from "./layout/verify-layout.js";
export {
  ConstantMemoryType,
  type DeviceMemoryType,
  type DeviceMemoryTypeOptions,
  GlobalMemoryType,
  type GlobalMemoryTypeOptions,
  type StrideRule,
} from "./descriptor/device-memory-type.js";
export { LocalMemoryType } from "./descriptor/local-memory-type.js";
export { type MemoryShape, MemoryType } from "./descriptor/memory-type.js";
export { ArrayView } from "./host-view/array-view.js";
export { DeviceView } from "./view/device-view.js";
export type {
  DeviceViewOptions,
  EmptyViewOptions,
  FromHostOptions,
  SignalOptions,
  ViewMapOptions,
  ViewReadInto,
  ViewReadOptions,
  ViewTransferOptions,
} from "./view/device-view-options.js";
export { HostView, type HostViewOptions } from "./host-view/host-view.js";
export type { Nested } from "./host-view/nested.js";
export { rectangleOf } from "./view/rectangle-of.js";
export type { HostValues } from "./view/view-source.js";
export {
  CommandStatistics,
  type CommandStatisticsOptions,
  type CommandTimes,
  queueNumber,
} from "./profile/command-statistics.js";
export { CommandTrace, hostTime, type TracedCommand } from "./profile/command-trace.js";
export { type TracedQueue, tracedQueue } from "./queue/queue-registry.js";
export type { TimeSketch } from "./profile/sketch.js";
export { type DelayStatistics, mergeTimeStatistics, quantile, type TimeStatistics } from "./profile/time-statistics.js";
export { Device, type Partition } from "./platform/device.js";
export { DisposedError, NoRuntimeError, NotSupportedError, OpenCLError, OutOfMemoryError } from "./binding/errors.js";
export {
  CommandEvent,
  type EventStage,
  type ProfilingField,
  profilingTimes,
  type WaitFor,
  waitForEvents,
  waitForEventsSync,
  type WaitOptions,
} from "./event/event.js";
export type { FillOptions, FillPattern } from "./transfer/fill.js";
export type { ArrayOf, ElementType, HostMemory } from "./dtype/host-array.js";
export type { AdoptOptions } from "./binding/adopt.js";
export { handleCount, handleCounts } from "./binding/handle-count.js";
export type { ChannelKind, ChannelOrderName, ChannelTypeName } from "./image/channel-layout.js";
export type { Color } from "./image/color.js";
export { Image } from "./image/image.js";
export type { PixelBoxOptions, PixelNumbers } from "./image/image-box.js";
export type { ImageFillOptions } from "./image/image-fill.js";
export { type CTypeOptions, ImageFormat, type PixelArray } from "./image/image-format.js";
export {
  type ChannelTypeOf,
  imageFromArray,
  type ImageFromArrayOptions,
  type ShapedArray,
} from "./image/image-from-array.js";
export type { AsyncImageMapOptions, ImageMapOptions } from "./image/image-map.js";
export type { ImageOptions, ImagePitches, ImageShape } from "./image/image-options.js";
export type { AsyncImageReadOptions, ImageReadOptions } from "./image/image-read.js";
export type { AsyncImageWriteOptions, ImageWriteOptions } from "./image/image-write.js";
export { supportedImageFormats, type SupportedFormatsOptions } from "./image/supported-formats.js";
export type { HostFunction, HostFunctionOptions } from "./command-queue/host-function.js";
export type { NativeKernelMemory, NativeKernelOptions } from "./command-queue/native-kernel.js";
export { Kernel, type DeclaredType } from "./kernel/kernel.js";
export { kernelArgument, type KernelArgument, type KernelArgumentValue } from "./argument/kernel-argument.js";
export type { Extent, Extents, LaunchSizes, NamedArguments } from "./kernel/kernel-sizes.js";
export {
  LaunchList,
  type LaunchListCommandOptions,
  type LaunchListEnqueueOptions,
  type LaunchListKernelOptions,
  type LaunchListOptions,
} from "./kernel/launch-list.js";
export type { ListScalarMap, ListValues } from "./kernel/list-scalars.js";
export { LocalMemory } from "./argument/local-memory.js";
export type { AsyncMapOptions, AsyncShapedMapOptions, MapAccess, MapOptions, ShapedMapOptions } from "./mapping/map.js";
export { MappedBuffer } from "./mapping/mapped-buffer.js";
export { MappedImage } from "./image/mapped-image.js";
export type { MappedMemory, UnmapOptions } from "./mapping/mapped-memory.js";
export { MemoryObject } from "./memory/memory-object.js";
// oxlint-disable-next-line import/no-unassigned-import -- connects shared memory to buffers
import "./allocation/host-coherent.js";
export { Svm } from "./svm/svm.js";
export { BorrowedSvm } from "./allocation/borrowed-svm.js";
export { SvmAllocation, type SvmOptions, type SvmReleaseOptions } from "./allocation/svm-allocation.js";
export { type ElementOrder, SvmArray, type SvmArrayLike, type SvmArrayOptions } from "./allocation/svm-array.js";
export type { AsyncSvmMapOptions, SvmMapOptions } from "./svm/svm-map.js";
export { type SvmBufferOptions, SvmPointer } from "./svm/svm-pointer.js";
export type { SvmKind } from "./platform/svm-support.js";
export { MappedSvm } from "./svm/mapped-svm.js";
export type { MemoryLike, MigrateOptions } from "./transfer/migrate.js";
export { getPlatforms, Platform } from "./platform/platform.js";
export { addRuntime, type Runtime, type RuntimeOptions } from "./platform/runtime.js";
export { type Headers, Program } from "./kernel/program.js";
export type { BuildMessage } from "./program/program-build.js";
export { driverBinary } from "./program/framed-binary.js";
export type {
  BuildOptions,
  CompileOptions,
  ProgramBinaryOptions,
  ProgramOptions,
  ProgramSourceOptions,
} from "./program/program-options.js";
export type { DeviceBinaries } from "./program/program-sources.js";
export { CommandQueue, type CommandQueueOptions } from "./command-queue/command-queue.js";
export type { AsyncReadOptions, ReadInto, ReadOptions } from "./transfer/read.js";
export { QueriedResource } from "./binding/queried-resource.js";
export { Resource } from "./binding/resource.js";
export { CommandBuffer, type CommandBufferOptions } from "./command-buffer/command-buffer.js";
export { type BufferImport, type ExternalMemoryOptions, importBuffer } from "./interop/external-memory.js";
export {
  Semaphore,
  type SemaphoreCommandOptions,
  type SemaphoreImport,
  type SemaphoreOptions,
} from "./semaphore/semaphore.js";
export { Pipe, type PipeOptions } from "./pipe/pipe.js";
export { Sampler } from "./sampler/sampler.js";
export type { SamplerOptions, SamplerPropertyList } from "./sampler/sampler-options.js";
export { selectDeviceLists, selectDevices } from "./platform/selector.js";
export type * from "./typed/index.js";
export type { AsyncWriteOptions, WriteOptions } from "./transfer/write.js";
export { UserEvent } from "./event/user-event.js";
