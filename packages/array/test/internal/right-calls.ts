/** One valid call of each method of arrays and array factories, from which the tests derive invalid ones. */
import type { AnyArray, Arrays, DeviceArray } from "@cl/array";

import { binaryNames, unaryNames } from "../../src/expression/operators.js";
import { specialOfOne, specialOfThree, specialOfTwo } from "../../src/expression/special-operators.js";

export interface Stage {
  readonly xp: Arrays;
  /** A float array of shape [2, 3]. */
  readonly a: DeviceArray<"float32">;
  /** Six floats. */
  readonly line: DeviceArray<"float32">;
  /** An integer array of shape [2, 3]. */
  readonly ints: DeviceArray<"int32">;
  /** Indices from 0 to 1. */
  readonly indices: DeviceArray<"int32">;
  readonly mask: DeviceArray<"bool">;
  /** An invertible matrix. */
  readonly square: DeviceArray<"float32">;
  /** Accepted as `out`. */
  readonly out: DeviceArray<"float32">;
}

export type Arguments = (stage: Stage) => readonly unknown[];
type Table = Readonly<Record<string, Arguments>>;

/** Operators that accept only integers. */
const ofIntegers = /^(?:bitwise|invert|gcd|lcm|leftShift|rightShift)/u;

/** Returns the receiver of a method. */
export function selfOf(name: string, { a, line, ints }: Stage): AnyArray {
  if (ofIntegers.test(name)) return ints;
  return ["dot", "compress", "repeat"].includes(name) ? line : a;
}

const noArguments: Arguments = () => [];
const alongAxis: Arguments = () => [{ axis: 0, keepDims: true }];

export const methodCalls: Table = {
  ...forEachName([...unaryNames.keys()], () => [{}]),
  ...forEachName([...binaryNames.keys()], ({ ints }) => [ints, {}]),
  ...forEachName(["sum", "prod", "mean", "min", "max", "any", "all", "countNonzero"], alongAxis),
  ...forEachName(
    ["var", "std", "ptp", "nanmin", "nanmax", "nansum", "nanprod", "nanmean", "nanvar", "nanstd"],
    alongAxis,
  ),
  ...forEachName(["argmin", "argmax", "nanargmin", "nanargmax"], () => [{ axis: 1 }]),
  ...forEachName(["cumsum", "cumprod", "cummax", "cummin", "nancumsum", "nancumprod"], ({ out }) => [
    { axis: 0, exclusive: true, out },
  ]),
  norm: () => [{ ord: 2, axis: 0 }],
  average: () => [{ axis: 0 }],
  dot: ({ line }) => [line, {}],
  vdot: ({ a }) => [a, {}],
  matmul: ({ a }) => [a.T, {}],
  trace: () => [{ offset: 1 }],
  repeat: () => [2, { axis: 0 }],
  topk: () => [1, { axis: 0, largest: false }],
  ...forEachName(["partition", "argpartition"], () => [1, { axis: 0 }]),
  ...forEachName(["median", "nanmedian"], alongAxis),
  ...forEachName(["quantile", "nanquantile", "percentile", "nanpercentile"], () => [
    [0, 1],
    { axis: 0, keepDims: true, method: "midpoint" },
  ]),
  nonzero: noArguments,
  nonzeroSync: noArguments,
  compress: ({ mask }) => [mask, { axis: 0 }],
  choose: ({ a }) => [[a, a], {}],
  ...forEachName(["addAt", "subtractAt", "multiplyAt", "maximumAt", "minimumAt"], ({ indices }) => [[indices], 1]),
  at: ({ indices }) => [indices, 0],
  atSync: ({ indices }) => [indices, 0],
  setAt: ({ indices }) => [[indices], 1],
  take: ({ indices }) => [indices, { axis: 0, mode: "wrap" }],
  put: ({ indices, line }) => [indices, line, { mode: "clip" }],
  takeAlongAxis: ({ indices }) => [indices.reshape([1, 2]), { axis: 1 }],
  sort: ({ out }) => [{ axis: 0, descending: true, out }],
  argsort: () => [{ axis: 0, descending: true }],
  putAlongAxis: ({ indices }) => [indices.reshape([1, 2]), 1, { axis: 1 }],
  clip: ({ out }) => [0, 1, { out }],
  round: ({ out }) => [1, { out }],
  copy: () => [{ order: "F" }],
  astype: () => ["int32", { order: "C" }],
  assign: ({ a }) => [a],
  data: () => [{}],
  dataSync: noArguments,
  toNested: () => [{}],
  format: () => [{}],
  viewAs: () => ["int32"],
  swapaxes: () => [0, 1],
  moveaxis: () => [0, 1],
  expandDims: () => [0],
  squeeze: noArguments,
  flip: () => [0],
  flipud: noArguments,
  fliplr: noArguments,
  diagonal: () => [{}],
  slidingWindow: () => [[1, 2]],
  slice: () => ["1:", 0],
  reshape: () => [[3, -1], { order: "C" }],
  ravel: () => [{}],
  flatten: () => [{}],
  transpose: () => [[1, 0]],
  broadcastTo: () => [[2, 2, 3]],
};

export const functionCalls: Table = {
  ...forEachName([...unaryNames.keys()], ({ ints, out }) => [ints, { out }]),
  ...forEachName([...binaryNames.keys()], ({ ints }) => [ints, ints, {}]),
  ...forEachName(["divmod", "remquo", "isclose", "allclose", "arrayEqual"], ({ a }) => [a, a, {}]),
  fma: ({ a, out }) => [a, a, 2, { out }],
  ...forEachName(["modf", "frexp", "sincos", "nanToNum"], ({ a }) => [a, {}]),
  matmul: ({ a }) => [a, a.T, {}],
  einsum: ({ a }) => ["ij,kj->ik", [a, a], {}],
  tensordot: ({ a }) => [a, a, { axes: [1, 1] }],
  ...forEachName(["inner", "outer", "vecdot"], ({ a }) => [a, a, {}]),
  kron: ({ a }) => [a, a],
  cross: ({ a }) => [a, a, { axis: 1 }],
  multiDot: ({ a }) => [[a, a.T], {}],
  trace: ({ a }) => [a, { offset: 1 }],
  polyfit: ({ line }) => [line, line, 1, { w: line }],
  polyval: ({ line }) => [line, line],
  roots: ({ line }) => [line],
  where: ({ a, mask, out }) => [mask.reshape([2, 1]), a, 0, { out }],
  concatenate: ({ a }) => [[a, a], { axis: 0 }],
  stack: ({ a }) => [[a, a], { axis: 0 }],
  ...forEachName(["hstack", "vstack", "dstack"], ({ a }) => [[a, a], {}]),
  columnStack: ({ line }) => [[line, line], {}],
  block: ({ a }) => [[a, a]],
  append: ({ a }) => [a, a, { axis: 0 }],
  delete: ({ a }) => [a, 0, { axis: 0 }],
  insert: ({ a }) => [a, 0, 1, { axis: 0 }],
  diff: ({ a }) => [a, { n: 1, axis: 0, prepend: 0 }],
  ediff1d: ({ a }) => [a, { toBegin: 0, toEnd: 1 }],
  gradient: ({ a }) => [a, { spacing: 2, axis: [0], edgeOrder: 1 }],
  unwrap: ({ a }) => [a, { discont: 4, axis: 0, period: 6 }],
  packbits: ({ ints }) => [ints, { axis: 0, bitOrder: "little" }],
  unpackbits: ({ xp }) => [xp.array(Uint8Array.of(1, 2)), { axis: 0, bitOrder: "little", count: 4 }],
  trapezoid: ({ a }) => [a, { dx: 2, axis: 0 }],
  tile: ({ a }) => [a, [2, 1]],
  roll: ({ a }) => [a, 1, { axis: 0 }],
  pad: ({ a }) => [a, 1, { mode: "edge" }],
  ...forEachName(["atleast1d", "atleast2d", "atleast3d"], ({ a }) => [a]),
  cov: ({ a, indices }) => [a.T, { y: a.T, rowVar: true, dtype: "float32", bias: true, ddof: 0, fweights: indices }],
  corrcoef: ({ a }) => [a, { y: a, rowVar: false, dtype: "float32" }],
  unravelIndex: () => [[3, 0], [2, 3], { order: "F" }],
  ravelMultiIndex: ({ indices }) => [[[1, 0], indices], [2, 3], { order: "F", mode: "wrap" }],
  ix: ({ indices }) => [[0, 1], indices],
  ...forEachName(["trilIndices", "triuIndices"], () => [3, { columns: 2, diagonal: 1 }]),
  fillDiagonal: ({ out }) => [out, 1, { wrap: true }],
  ...forEachName(["split", "arraySplit"], ({ a }) => [a, 2, { axis: 0 }]),
  ...forEachName(["vsplit"], ({ a }) => [a, 2]),
  hsplit: ({ a }) => [a, 3],
  broadcastArrays: ({ a, line }) => [a, line.slice(":3")],
  argwhere: ({ a }) => [a],
  flatnonzero: ({ a }) => [a],
  select: ({ a, mask }) => [[mask.reshape([2, 1])], [a], 0],
  piecewise: ({ a, mask }) => [a, [mask.reshape([2, 1])], [a, 1]],
  lexsort: ({ a, ints }) => [[a, ints], { axis: 0 }],
  sortByKey: ({ a, ints }) => [a, ints, { axis: 0, descending: true }],
  listsByKey: ({ indices, mask }) => [indices, mask, 2, { dtype: "int64" }],
  eye: () => [2, { dtype: "int8" }],
  identity: () => [2, { dtype: "int8" }],
  tri: () => [2, { dtype: "int8" }],
  ...forEachName(["tril", "triu"], ({ a }) => [a, { diagonal: 1 }]),
  diag: ({ line }) => [line, { diagonal: 1 }],
  arange: () => [0, 6, 2, { dtype: "int32" }],
  linspace: () => [0, 1, 5, { dtype: "float32" }],
  ...forEachName(["hanning", "hamming", "blackman", "bartlett"], () => [5, { dtype: "float32" }]),
  kaiser: () => [5, 8, { dtype: "float32" }],
  array: () => [[[1, 2]], { dtype: "int32" }],
  fromHost: () => [new Float32Array(6), { shape: [2, 3] }],
  ...forEachName(["empty", "zeros", "ones"], () => [[2, 3], { dtype: "float32" }]),
  full: () => [[2, 3], 7, { dtype: "float32" }],
  ...forEachName(["emptyLike", "zerosLike", "onesLike"], ({ a }) => [a, { dtype: "int32" }]),
  ...forEachName(["convolve", "correlate"], ({ line }) => [line, line, { mode: "same" }]),
  fullLike: ({ a }) => [a, 7, { dtype: "int32" }],
  unique: ({ a }) => [a, { axis: 0, returnIndex: true, returnInverse: true, returnCounts: true, equalNan: false }],
  isin: ({ a, line }) => [a, line, { invert: true }],
  ...forEachName(["union1d", "intersect1d", "setxor1d", "setdiff1d"], ({ a, line }) => [a, line, {}]),
  histogram: ({ a }) => [a, 4, { range: [0, 5], weights: a, density: false }],
  histogram2d: ({ line }) => [line, line, 3, { range: [[0, 5], undefined], weights: line, density: true }],
  histogramdd: ({ line }) => [[line, line], [2, 3], { density: false }],
  histogramBinEdges: ({ a }) => [a, 4, { range: [0, 5] }],
  bincount: ({ ints, indices }) => [indices, { size: 4, minLength: 2, weights: ints.slice(0, ":2") }],
  searchsorted: ({ line, indices }) => [line, 2, { side: "right", sorter: indices.take([0, 0, 0, 0, 0, 0]) }],
  digitize: ({ a, line }) => [a, line, { right: true }],
  interp: ({ a, line }) => [a, line, line, { left: 0, right: 1 }],
  random: () => [[1, 2], { generator: "threefry" }],
  toPng: ({ a }) => [a, { min: 0, max: 1, colormap: "gray" }],
};

export const generatorCalls: Table = {
  ...forEachName(["random", "standardNormal", "standardExponential"], ({ out }) => [[2, 3], { dtype: "float32", out }]),
  uniform: ({ out }) => [[2, 3], { low: 1, high: 2, dtype: "float32", out }],
  normal: ({ out }) => [[2, 3], { loc: 1, scale: 2, dtype: "float32", out }],
  exponential: ({ out }) => [[2, 3], { scale: 2, dtype: "float32", out }],
  integers: () => [[2, 3], { low: 1, high: 2, endpoint: true, dtype: "int32" }],
  poisson: ({ out }) => [[2, 3], { lam: 2, dtype: "float32", out }],
  binomial: ({ a, out }) => [[2, 3], { n: a, p: 0.5, dtype: "float32", out }],
  gamma: ({ a, out }) => [[2, 3], { shape: 2, scale: a, dtype: "float32", out }],
  lognormal: ({ out }) => [[2, 3], { mean: 1, sigma: 2, dtype: "float32", out }],
  beta: ({ a, out }) => [[2, 3], { a: 2, b: a, dtype: "float32", out }],
  dirichlet: ({ out }) => [[2], { alpha: [1, 2, 3], dtype: "float32", out }],
  multinomial: ({ out }) => [[2], { n: 4, pvals: [0.25, 0.25, 0.5], dtype: "float32", out }],
  multivariateNormal: ({ a, out }) => [
    [2],
    { mean: a.slice(0), cov: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype: "float32", out }, // prettier-ignore
  ],
  permutation: ({ a }) => [a, { axis: 1 }],
  shuffle: ({ out }) => [out, { axis: 1 }],
  choice: ({ a }) => [a, [2], { replace: false, p: [0.25, 0.75], axis: 0 }],
  bytes: () => [6],
  advance: () => [6],
  jump: () => [2],
  split: () => [2],
};

const line = { n: 4, axis: -1, norm: "ortho" };
const lines = { s: [2, 4], axes: [0, 1], norm: "forward" };

export const fourierCalls: Table = {
  ...forEachName(["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"], ({ a }) => [a, line]),
  ...forEachName(["fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"], ({ a }) => [a, lines]),
  ...forEachName(["fftfreq", "rfftfreq"], () => [5, { d: 2, dtype: "float32" }]),
  fftconvolve: ({ a }) => [a, a, { mode: "same", axes: [0, 1] }],
  ...forEachName(["fftshift", "ifftshift"], ({ a }) => [a, { axes: [1] }]),
};

export const linalgCalls: Table = {
  ...forEachName(["inv", "det", "slogdet", "luFactor", "eig", "eigvals"], ({ square }) => [square]),
  ...forEachName(["lu"], ({ a }) => [a]),
  cholesky: ({ square }) => [square, { upper: true }],
  qr: ({ a }) => [a, { mode: "r" }],
  svd: ({ a }) => [a, { computeUv: false, fullMatrices: true }],
  ...forEachName(["eigh", "eigvalsh"], ({ square }) => [square, { uplo: "U" }]),
  norm: ({ a }) => [a, { ord: 1, axis: [0, 1], keepDims: true }],
  cond: ({ square }) => [square, { ord: 1 }],
  ...forEachName(["matrixRank", "pinv"], ({ a }) => [a, { rtol: 1e-6 }]),
  matrixPower: ({ square }) => [square, 3],
  lstsq: ({ square }) => [square, square],
  solve: ({ square, indices }) => [square, indices],
  solveTriangular: ({ square, indices }) => [square, indices, { lower: true, trans: "T", unitDiagonal: true }],
};

/**
 * Functions of `xp.special`: one per table and rule, because the others share the code and each is a kernel to build.
 */
export const specialCalls: Table = {
  erf: ({ a, out }) => [a, { out }],
  wofz: ({ a }) => [a, {}],
  jn: ({ a, out }) => [2, a, { out }],
  betainc: ({ a, out }) => [a, a, 0.5, { out }],
  zeta: ({ a, out }) => [a, 2, { out }],
  airy: ({ a, out }) => [a, { out: [out, undefined, undefined, undefined] }],
  sici: ({ a, out }) => [a, { out: [out, undefined] }],
  logsumexp: ({ a }) => [a, { axis: 0, keepDims: true }],
  ...forEachName(["softmax", "logSoftmax"], ({ a, out }) => [a, { axis: -1, out }]),
};

/** All functions that are generated from tables. */
export const specialTables: Table = forEachName(
  Object.keys({ ...specialOfOne, ...specialOfTwo, ...specialOfThree }),
  noArguments,
);

/** Methods tested elsewhere: they take functions, programs or objects of other packages, or release memory. */
export const apart: ReadonlySet<string> = new Set(
  (
    "eval prepare view wrap operand release toString withQueue asDeviceView toScijs toStdlib toArrow item real imag rot90 check checkSync " +
    "asArray readOnly launch scope applyAlongAxis fromFunction mgrid meshgrid indices logspace geomspace dsplit extract place multiTake multiPut " +
    "multiTakePut records recordsFrom asRecords " +
    "uniqueConsecutive uniqueConsecutiveSync copyIf copyIfSync removeIf removeIfSync partitionIf partitionIfSync " +
    "clone toJSON save load loadRecords saveNpz loadNpz openNpy createNpy savePng loadtxt savetxt"
  ).split(" "),
);

function forEachName(names: readonly string[], args: Arguments): Table {
  return Object.fromEntries(names.map((name) => [name, args]));
}
