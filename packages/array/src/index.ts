/** The public face of `@cl/array`. */
export type { AnyArray } from "./array/any-array.js";
export { arrays, Arrays, type ArraysOptions } from "./array/arrays.js";
export type { BlockOf, ConcatenateOptions, JoinDTypeOptions, StackOptions } from "./array/arrays-joining.js";
export type { ScijsConstructor, StdlibConstructor } from "./array/array-exports.js";
export type { ArrowVector, ForeignArray, ScijsArray, StdlibArray } from "./creation/foreign.js";
export type { RepeatOptions } from "./array/array-repeating.js";
export type { EditOptions } from "./array/arrays-editing.js";
export type { RollOptions } from "./array/arrays-rearranging.js";
export type { AxisOptions } from "./array/arrays-splitting.js";
export type { PadMode, PadOptions, PadWidths } from "./array/pad.js";
export type { PromotedDType } from "./types/promoted-dtype.js";
export type { BandOptions, MatrixOptions, MeshgridOptions } from "./array/arrays-grids.js";
export type { SpacedOptions } from "./creation/spaced.js";
export type { DTypeOptions, FromHostOptions, LikeOptions, NewOptions } from "./array/arrays-creation.js";
export type { DefaultType } from "./array/default-type.js";
export type { CloseOptions, EqualOptions } from "./array/arrays-comparisons.js";
export type { NanToNumOptions, OutPairOptions } from "./array/arrays-operators.js";
export type { TraceOptions } from "./linear-algebra/array-linear.js";
export type { CrossOptions, TensordotOptions, VecdotOptions } from "./linear-algebra/tensor-products.js";
export type { OperandLike, OutOptions } from "./array/array-operators.js";
export type {
  ArgReductionOptions,
  AverageOptions,
  ExtremeOptions,
  MeanOptions,
  NormOptions,
  SumDTypeOptions,
  SumOptions,
  VarianceOptions,
} from "./array/array-reductions.js";
export type { CastingOptions, NestedValues } from "./array/array-values.js";
export { type AdoptOptions, ReadOnlyArgument } from "./array/arrays-memory.js";
export type { Axes, DiagonalOptions } from "./array/array-axes.js";
export type { OrderOptions } from "./array/array-views.js";
export { DeviceArray } from "./array/device-array.js";
export type { FormatOptions } from "./array/format.js";
export type {
  CholeskyOptions,
  EighOptions,
  LinearAlgebra,
  MatrixRankOptions,
  QrOptions,
  SvdOptions,
} from "./linear-algebra/linear-algebra.js";
export type { MatrixNormOptions, MatrixOrder } from "./linear-algebra/decompositions/norms.js";
export type { QrMode } from "./linear-algebra/decompositions/qr.js";
export type { LuFactors } from "./linear-algebra/decompositions/lu.js";
export { LinAlgError, type LinAlgErrorCode } from "./linear-algebra/decompositions/solver-faults.js";
export type { TriangularOptions } from "./linear-algebra/decompositions/solve.js";
export { RecordArray } from "./records/record-array.js";
export type { ReadOptions } from "./array/read.js";
export type { DTypeName, FillValue, HostArrayOf, TypedDType, ValueOf } from "./types/dtype-name.js";
export type { FloatingDType, Promote, PromoteScalar, QuotientDType, WeakScalar } from "./types/promote.js";
export type { OutOfRangeMode } from "./indexing/along-axis.js";
export type { StoredValues, TakeOptions } from "./indexing/array-indexing.js";
export type { IndexArrays } from "./indexing/nonzero.js";
export type { ChooseOptions, CompressOptions } from "./indexing/array-selecting.js";
export type {
  ArrayIndex,
  HostIndices,
  IntegerArray,
  IntegerName,
  IntegerTypedArray,
  MaskArray,
  NestedBooleans,
  NestedIntegers,
  SizeOptions,
  StoredIndices,
  WaitOptions,
} from "./indexing/index-types.js";
export type { SortOptions } from "./sorting/array-sorting.js";
export type { CountDType, EdgeDType, WeightedCounts } from "./selection/arrays-selection.js";
export type { BincountOptions } from "./selection/bincount.js";
export type { Partitioned, Predicate, PredicateOptions } from "./selection/copy-if.js";
export type { HistogramDdOptions } from "./selection/histogram-dd.js";
export type { BinRule } from "./selection/bin-rules.js";
export type { BinRangeOptions, Bins, HistogramOptions } from "./selection/histogram.js";
export { BuiltList } from "./selection/build-lists.js";
export {
  type BuiltLists,
  type ListBuildOptions,
  ListOfListsBuilder,
  type ListOfListsOptions,
  type ListTypes,
} from "./selection/list-of-lists-builder.js";
export type { QuantileOf } from "./selection/array-statistics.js";
export type { MedianOptions, QuantileMethod, QuantileOptions } from "./selection/quantile.js";
export type { IsinOptions } from "./selection/set-operations.js";
export type { PartitionOptions } from "./selection/partition.js";
export type { TopkOptions } from "./selection/topk.js";
export type { ConsecutiveOptions } from "./selection/unique-consecutive.js";
export type { UniqueOptions, UniqueParts, UniqueResult } from "./selection/unique.js";
export type { DigitizeOptions, InterpolateOptions, SearchOptions, SearchValues } from "./selection/search.js";
export type { ListsByKeyOptions, SortByKeyOptions } from "./sorting/arrays-sorting.js";
export type { KeyLists } from "./sorting/lists-by-key.js";
export { RadixSort, type RadixSortOptions } from "./sorting/radix-sort.js";
export type { UserArgument, UserArguments } from "./user-kernels/argument-types.js";
export {
  ElementwiseKernel,
  type ElementwiseKernelOptions,
  type ElementwiseLaunchOptions,
} from "./user-kernels/elementwise-kernel.js";
export type { ArrayParameter, KernelParameter, ValueParameter } from "./user-kernels/kernel-parameter.js";
export type { IndexOptions } from "./user-kernels/launch-plan.js";
export type { CumulativeOptions } from "./scan/array-scans.js";
export type { DiffOptions, Ediff1dOptions, TrapezoidOptions } from "./scan/differences.js";
export type { GradientOptions, Spacing } from "./scan/gradient.js";
export type { ScanOptions } from "./scan/scan-array.js";
export type { InitialOptions, ReduceOptions, WhereOptions } from "./reductions/reduce-array.js";
export type { CreateNpyOptions, LoadNpzOptions, LoadOptions, SaveNpzOptions } from "./files/arrays-files.js";
export type { ColorMap, ColorMapName } from "./files/color-maps.js";
export { NpyFile, NpyWriter } from "./files/npy-file.js";
export type { Path } from "./files/path.js";
export type { PictureOptions } from "./files/picture.js";
export type { Weights } from "./random/choose-weighted.js";
export type { DrawOptions, VectorDrawOptions, VectorName } from "./random/draw.js";
export type { GeneratorName } from "./random/generators.js";
export type { RandomOptions } from "./random/arrays-random.js";
export {
  type BinomialOptions,
  type ChoiceOptions,
  type ExponentialOptions,
  type FloatName,
  type GammaOptions,
  type InexactName,
  type IntegerOrBoolName,
  type IntegersOptions,
  type NormalOptions,
  type PoissonOptions,
  RandomGenerator,
  type UniformOptions,
} from "./random/random-generator.js";
export type { RandomState, Seed } from "./random/random-state.js";
export { fuse, type Fused, type FuseOptions, type FuseParameter, type FuseResult } from "./fuse/fuse.js";
export type { SumDType, VarianceDType } from "./reductions/result-types.js";
export type { RealOf } from "./types/results.js";
export type { SoftmaxOptions } from "./special/log-sum.js";
export { type OutFourOptions, type OutTwoOptions, SpecialFunctions } from "./special/special-functions.js";
export {
  ReductionKernel,
  type ReductionKernelOptions,
  type ReductionResult,
  type ReductionRunOptions,
} from "./user-kernels/reduction-kernel.js";
export type { ConvolutionDType, ConvolutionMode, ConvolutionOptions, ConvolutionsOptions } from "./fft/convolution.js";
export { FourierTransforms, type FrequencyOptions, type ShiftOptions } from "./fft/fourier-transforms.js";
export type {
  FourierDType,
  FourierNorm,
  FourierOptions,
  FourierRealDType,
  FouriersOptions,
} from "./fft/transform-options.js";
export { ScanKernel, type ScanKernelOptions } from "./user-kernels/scan-kernel.js";
