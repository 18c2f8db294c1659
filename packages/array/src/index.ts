/** The public face of `@cl/array`. */
export type { ArrayScope } from "./array/array-scope.js";
export { arrays, Arrays, type ArraysOptions, DeviceArray } from "./face/face.js";
export type { AnyArray } from "./storage/array-ref.js";
export type { BlockOf } from "./face/functions/joining.js";
export type { ScijsConstructor, StdlibConstructor } from "./face/methods/exports.js";
export type { ArrowVector, ForeignArray, ScijsArray, StdlibArray } from "./creation/foreign.js";
export type { RepeatOptions } from "./face/methods/repeating.js";
export type { EditOptions } from "./face/functions/editing.js";
export type { RollOptions } from "./face/functions/rearranging.js";
export type { AxisOptions } from "./face/functions/splitting.js";
export type { PadMode, PadOptions, PadWidths } from "./creation/pad.js";
export type { PromotedDType } from "./types/promoted-dtype.js";
export type { MeshgridOptions } from "./face/functions/grids.js";
export type { WindowDType } from "./creation/windows.js";
export type { SpacedOptions } from "./creation/spaced.js";
export type { LikeOptions } from "./face/functions/creation.js";
export type { DefaultType } from "./types/default-type.js";
export type { CloseOptions, EqualOptions } from "./face/functions/comparisons.js";
export type { NanToNumOptions, OutPairOptions } from "./face/functions/operators.js";
export type { TraceOptions } from "./face/methods/linear.js";
export type { CorrelationOptions, CovarianceOptions } from "./linear-algebra/covariance.js";
export type { CrossOptions, TensordotOptions, VecdotOptions } from "./linear-algebra/tensor-products.js";
export type { NestedValues } from "./face/methods/values.js";
export { type AdoptOptions, ReadOnlyArgument } from "./face/functions/memory.js";
export type { FormatOptions } from "./text/format.js";
export type {
  CholeskyOptions,
  EighOptions,
  LinearAlgebra,
  MatrixRankOptions,
  QrOptions,
  SvdOptions,
} from "./face/linear-algebra.js";
export type { MatrixNormOptions, MatrixOrder } from "./linear-algebra/decompositions/norms.js";
export type { QrMode } from "./linear-algebra/decompositions/qr.js";
export type { LuFactors } from "./face/lu-factors.js";
export { LinAlgError, type LinAlgErrorCode } from "./faults/solver-faults.js";
export type { TriangularOptions } from "./linear-algebra/decompositions/solve.js";
export { RecordArray } from "./array/record-array.js";
export type { DTypeName, FillValue, HostArrayOf, TypedDType, ValueOf } from "./types/dtype-name.js";
export type { FloatingDType, Promote, PromoteScalar, QuotientDType, WeakScalar } from "./types/promote.js";
export type { TriangleOptions } from "./face/functions/multi-index.js";
export type { FillDiagonalOptions } from "./indexing/fill-diagonal.js";
export type { Piece } from "./indexing/piecewise.js";
export type { AxisIndices, RavelOptions } from "./indexing/multi-index.js";
export type { OutOfRangeMode } from "./indexing/along-axis.js";
export type { StoredValues } from "./face/methods/indexing.js";
export type { IndexArrays } from "./array/index-arrays.js";
export type { RecordSizeOptions, RecordTakeOptions } from "./face/methods/record-indexing.js";
export type { ChooseOptions, CompressOptions } from "./face/methods/selecting.js";
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
export type { CountDType, EdgeDType, WeightedCounts } from "./face/functions/selection.js";
export type { BincountOptions } from "./selection/bincount.js";
export type { PredicateOptions } from "./selection/copy-if.js";
export type { Partitioned, Predicate, UniqueParts, UniqueResult } from "./face/functions/selection.js";
export type { HistogramDdOptions } from "./selection/histogram-dd.js";
export type { BinRule } from "./selection/bin-rules.js";
export type { BinRangeOptions, Bins, HistogramOptions } from "./selection/histogram.js";
export { BuiltList } from "./array/built-list.js";
export {
  type BuiltLists,
  type ListBuildOptions,
  ListOfListsBuilder,
  type ListOfListsOptions,
  type ListTypes,
} from "./selection/list-of-lists-builder.js";
export type { QuantileOf } from "./face/methods/statistics.js";
export type { MedianOptions, QuantileMethod, QuantileOptions } from "./selection/quantile.js";
export type { IsinOptions } from "./selection/set-operations.js";
export type { PartitionOptions } from "./selection/partition.js";
export type { TopkOptions } from "./selection/topk.js";
export type { ConsecutiveOptions } from "./selection/unique-consecutive.js";
export type { UniqueOptions } from "./selection/unique.js";
export type { DigitizeOptions, InterpolateOptions, SearchOptions, SearchValues } from "./selection/search.js";
export type { ListsByKeyOptions, SortByKeyOptions } from "./face/functions/sorting.js";
export type { KeyLists } from "./face/functions/sorting.js";
export { RadixSort, type RadixSortOptions } from "./user-kernels/radix-sort.js";
export type { UserArgument, UserArguments } from "./user-kernels/argument-types.js";
export {
  ElementwiseKernel,
  type ElementwiseKernelOptions,
  type ElementwiseLaunchOptions,
} from "./user-kernels/elementwise-kernel.js";
export type { ArrayParameter, KernelParameter, ValueParameter } from "./user-kernels/kernel-parameter.js";
export type { IndexOptions } from "./user-kernels/launch-plan.js";
export type { UnwrapOptions } from "./scan/unwrap.js";
export type { PackOptions, UnpackOptions } from "./creation/packed-bits.js";
export type { DiffOptions, Ediff1dOptions, TrapezoidOptions } from "./scan/differences.js";
export type { GradientOptions, Spacing } from "./scan/gradient.js";
export type { CreateNpyOptions, LoadNpzOptions, LoadOptions, SaveNpzOptions } from "./face/functions/files.js";
export type { LoadtxtOptions, SavetxtOptions } from "./face/functions/text-files.js";
export type { ColorMap, ColorMapName } from "./files/color-maps.js";
export { NpyFile, NpyWriter } from "./files/npy-file.js";
export type { PolyfitOptions } from "./face/functions/polynomials.js";
export type { Path } from "./files/path.js";
export type { PictureOptions } from "./files/picture.js";
export type { Weights } from "./random/choose-weighted.js";
export type { DrawOptions, VectorDrawOptions, VectorName } from "./random/draw.js";
export type { GeneratorName } from "./random/generators.js";
export type { RandomOptions } from "./face/functions/random.js";
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
} from "./face/random-generator.js";
export type {
  BetaOptions,
  DirichletOptions,
  LognormalOptions,
  MultinomialOptions,
  MultivariateNormalOptions,
} from "./face/distribution-options.js";
export type { RandomState, Seed } from "./random/random-state.js";
export { fuse, type Fused, type FuseOptions, type FuseParameter } from "./fuse/fuse.js";
export type { SumDType, VarianceDType } from "./reductions/result-types.js";
export type { RealOf } from "./types/results.js";
export type { SoftmaxOptions } from "./special/log-sum.js";
export { type OutFourOptions, type OutTwoOptions, SpecialFunctions } from "./face/special-functions.js";
export {
  ReductionKernel,
  type ReductionKernelOptions,
  type ReductionResult,
  type ReductionRunOptions,
} from "./user-kernels/reduction-kernel.js";
export type { ConvolutionDType, ConvolutionMode, ConvolutionOptions, ConvolutionsOptions } from "./fft/convolution.js";
export { FourierTransforms, type FrequencyOptions, type ShiftOptions } from "./face/fourier-transforms.js";
export type {
  FourierDType,
  FourierNorm,
  FourierOptions,
  FourierRealDType,
  FouriersOptions,
} from "./fft/transform-options.js";
export { ScanKernel, type ScanKernelOptions } from "./user-kernels/scan-kernel.js";
export type { SumDTypeOptions } from "./reductions/reduce.js";
export type { OperandLike } from "./storage/operand-like.js";
export type { NewOptions } from "./storage/array-ref.js";
export type { OrderOptions } from "./storage/array-ref.js";
export type { DTypeOptions } from "./storage/array-ref.js";
export type { FromHostOptions } from "./storage/array-ref.js";
export type { Axes } from "./storage/array-ref.js";
export type { OutOptions } from "./storage/operand-like.js";
export type { DiagonalOptions } from "./storage/array-ref.js";
export type { ReadOptions } from "./storage/array-ref.js";
export type { ConcatenateOptions, JoinDTypeOptions, StackOptions } from "./creation/join.js";
export type { BandOptions, MatrixOptions } from "./creation/bands.js";
export type {
  ArgReductionOptions,
  ExtremeOptions,
  MeanOptions,
  NormOptions,
  SumOptions,
  VarianceOptions,
} from "./reductions/reduce.js";
export type { AverageOptions } from "./reductions/average.js";
export type { TakeOptions } from "./indexing/take.js";
export type { SortOptions } from "./sorting/sort-array.js";
export type { CumulativeOptions } from "./scan/cumulate.js";
export type { ArrayRef } from "./storage/array-ref.js";
export type { ArraySource } from "./storage/array-ref.js";
export type { InitialOptions, ReduceOptions, ScanOptions, WhereOptions } from "./expression/passes.js";
export type { FuseResult } from "./fuse/fused-trace.js";
export type { CastingOptions } from "./elementwise/convert.js";
