/** Convolutions and correlations: directly if one line is short, by FFT if both are long. */
import { checkOptions, outOfRange, rangeError } from "@cl/base";
import { hasParallelWorkItems } from "@cl/characterize";
import { checkArray } from "../storage/check-array.js";
import { checkAxes } from "../shapes/check-axes.js";
import { filled } from "../storage/filled.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered, wholeGroups } from "../kernels/launch.js";
import { checkComputable } from "../types/capabilities.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf, promote } from "../types/promote.js";
import { convolutionSource } from "./convolution-source.js";
import { nextFast } from "./factors.js";
import { placeOf, ready } from "./transform-axis.js";
import { type FourierDType, type FourierRealDType, type FouriersOptions, fourierDType } from "./transform-options.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";
import { operators } from "../elementwise/operators.js";

/**
 * Size of a convolution: all overlaps (`"full"`), the central part of the size of the longer array (`"same"`), or only
 * complete overlaps (`"valid"`).
 */
export type ConvolutionMode = "full" | "same" | "valid";

/** Options of `convolve` and `correlate`. */
export interface ConvolutionOptions {
  /**
   * Size of the result.
   * @defaultValue "full" for `convolve`, "valid" for `correlate`
   */
  readonly mode?: ConvolutionMode;
}

/** Options of `fftconvolve`. */
export interface ConvolutionsOptions {
  /**
   * Size of the result; `"same"` is the size of the first array.
   * @defaultValue "full"
   */
  readonly mode?: ConvolutionMode;
  /**
   * The axes to convolve along.
   * @defaultValue all axes
   */
  readonly axes?: number | readonly number[];
}

/** Dtype of convolutions by FFT. */
export type ConvolutionDType<D extends DTypeName> = D extends "complex64" | "complex128"
  ? FourierDType<D>
  : FourierRealDType<D>;

/** What is needed of those that make arrays. */
type Makers = Pick<ArraySource, "queue" | "empty">;

/** The transforms that long convolutions are computed with. */
export interface Transforms {
  /** Returns the spectrum along axes, of complex numbers. */
  fftn(array: AnyArray, options: FouriersOptions): AnyArray;
  /** Returns the inverse of `fftn`. */
  ifftn(array: AnyArray, options: FouriersOptions): AnyArray;
  /** Returns half of the spectrum of real numbers. */
  rfftn(array: AnyArray, options: FouriersOptions): AnyArray;
  /** Returns the inverse of `rfftn`. */
  irfftn(array: AnyArray, options: FouriersOptions): AnyArray;
}

/** Results from one on, of those of all places at which two lines meet. */
interface Range {
  readonly start: number;
  readonly count: number;
}

/** The convolution of two lines; of the second one turned around and conjugated for a correlation. */
export function convolveLines<R extends DTypeName>(
  xp: Makers,
  transforms: Transforms,
  a: AnyArray,
  v: AnyArray,
  options: ConvolutionOptions | undefined,
  kind: "convolve" | "correlate",
): ArrayRef<R> {
  checkLine(a, xp, "a");
  checkLine(v, xp, "v");
  const mode = checkMode(checkOptions(options, ["mode"]).mode ?? (kind === "convolve" ? "full" : "valid"));
  const dtype = promote(a.dtype.name, v.dtype.name);
  checkComputable(xp.queue.device, dtype, kind);
  const range = rangeOf(mode, a.size, v.size, kind === "correlate");
  using turned = kind === "correlate" ? conjugatedBack(v) : v.slice();
  const [line, taps] = a.size < turned.size ? [turned, a] : [a, turned];
  if (isWorthSpectra(xp, dtype, taps.size)) {
    using whole = throughSpectra(transforms, line, taps, [0]);
    using part = whole.slice([range.start, range.start + range.count]);
    return part.astype(dtype as R);
  }
  return direct(xp, line, taps, dtype as R, range);
}

/** The convolution of two arrays along some axes, by way of their spectra. */
export function convolveArrays(
  xp: Makers,
  transforms: Transforms,
  a: AnyArray,
  b: AnyArray,
  options: ConvolutionsOptions | undefined,
): ArrayRef {
  checkArray(a, xp, "a");
  checkArray(b, xp, "b");
  const { mode: given, axes } = checkOptions(options, ["mode", "axes"]);
  const mode = checkMode(given ?? "full");
  if (a.ndim !== b.ndim) {
    throw outOfRange(
      `a and b must have the same number of axes, received shapes [${a.shape.join()}] and [${b.shape.join()}]`,
    );
  }
  const along = checkAxes(axes ?? a.shape.map((_, axis) => axis), a.ndim, "options.axes");
  if (along.length === 0) throw outOfRange("options.axes must have at least one axis");
  const [one, other] = [a.shape, b.shape] as const;
  for (const axis of one.keys()) {
    const [n, m] = [one[axis] as number, other[axis] as number];
    if (along.includes(axis) ? n > 0 && m > 0 : n === m || n === 1 || m === 1) continue;
    throw outOfRange(
      `a and b must be broadcastable along axis ${axis}, received shapes [${one.join()}] and [${other.join()}]`,
    );
  }
  const isWithin = (outer: readonly number[], inner: readonly number[]): boolean =>
    along.every((axis) => (outer[axis] as number) >= (inner[axis] as number));
  if (mode === "valid" && !isWithin(one, other) && !isWithin(other, one)) {
    throw outOfRange(
      `one array must be at least as long as the other along every axis for options.mode "valid", received shapes [${one.join()}] and [${other.join()}]`,
    );
  }
  checkComputable(xp.queue.device, fourierDType(promote(a.dtype.name, b.dtype.name)), "fftconvolve");
  using whole = throughSpectra(transforms, a, b, along);
  const ranges = one.map((n, axis): readonly [number, number] => {
    const m = other[axis] as number;
    if (!along.includes(axis)) return [0, Math.max(n, m)];
    const full = n + m - 1;
    const count = mode === "full" ? full : mode === "same" ? n : Math.abs(n - m) + 1;
    const start = Math.floor((full - count) / 2);
    return [start, start + count];
  });
  using part = whole.slice(...ranges);
  return part.copy();
}

/**
 * Minimum number of taps for which FFTs are faster. A CPU with two cores takes for a million float32 5 ms with 128 taps
 * and 17 ms with 256, and 9 ms by FFT for any number of taps. The value for GPUs is a guess.
 */
const worthSpectra = { loops: 192, items: 512 } as const;

/** Integers are added up as integers, which spectra cannot do. */
function isWorthSpectra({ queue }: Makers, dtype: DTypeName, taps: number): boolean {
  return kindOf(dtype) > 2 && taps >= worthSpectra[hasParallelWorkItems(queue.device) ? "items" : "loops"];
}

/** All sums along some axes, in memory that is longer than they are. */
function throughSpectra(fft: Transforms, a: AnyArray, b: AnyArray, axes: readonly number[]): ArrayRef {
  const type = promote(a.dtype.name, b.dtype.name);
  const s = axes.map((axis) => nextFast((a.shape[axis] as number) + (b.shape[axis] as number) - 1));
  const isComplex = kindOf(type) === 4;
  const wide = fourierDType(type) === "complex128";
  const spectrumOf = (array: ArrayRef): ArrayRef => {
    const isSame = fourierDType(array.dtype.name) === fourierDType(type);
    using own = isSame ? array.slice() : array.astype(wide ? (isComplex ? "complex128" : "float64") : type);
    return isComplex ? fft.fftn(own, { s, axes }) : fft.rfftn(own, { s, axes });
  };
  using first = spectrumOf(a);
  using second = spectrumOf(b);
  using both = operators.multiply(first, second);
  return isComplex ? fft.ifftn(both, { s, axes }) : fft.irfftn(both, { s, axes });
}

function direct<R extends DTypeName>(
  xp: Makers,
  line: AnyArray,
  taps: AnyArray,
  dtype: R,
  { start, count }: Range,
): ArrayRef<R> {
  using lines = ready(line, dtype, line.shape);
  using short = ready(taps, dtype, taps.shape);
  return filled(xp.empty([count], { dtype }), (result) => {
    const { queue } = xp;
    const loops = !hasParallelWorkItems(queue.device);
    const kernel = kernelOf(queue.context, `convolve ${dtype} ${loops}`, "convolve", () =>
      convolutionSource({ dtype, loops }),
    );
    const [from, by, to] = [placeOf(lines), placeOf(short), placeOf(result)];
    const numbers = BigInt64Array.from([from.start, line.size, by.start, taps.size, to.start, start, count], BigInt);
    const work = Math.ceil((count * taps.size) / 4096);
    const sizes = loops
      ? { global: Math.max(1, Math.min(work, queue.device.maxComputeUnits * 8)), local: 1 }
      : wholeGroups(queue.device, count);
    const reads = [from.storage, by.storage];
    const args = [from.storage.memory, by.storage.memory, to.storage.memory, numbers];
    launchOrdered(queue, kernel, sizes, args, reads, [to.storage]);
  });
}

/** The places that a mode asks for. A correlation with a longer line is that of the longer one, turned around. */
function rangeOf(mode: ConvolutionMode, n: number, m: number, isCorrelation: boolean): Range {
  const [long, short] = [Math.max(n, m), Math.min(n, m)];
  if (mode === "full") return { start: 0, count: n + m - 1 };
  if (mode === "valid") return { start: short - 1, count: long - short + 1 };
  const start = Math.floor((short - 1) / 2);
  return { start: isCorrelation && n < m ? short - 1 - start : start, count: long };
}

function conjugatedBack(v: AnyArray): ArrayRef {
  using back = v.slice("::-1");
  return kindOf(v.dtype.name) === 4 ? operators.conj(back) : back.slice();
}

function checkLine(array: AnyArray, xp: Makers, name: string): void {
  checkArray(array, xp, name);
  if (array.ndim !== 1) throw outOfRange(`${name} must have one axis, received shape [${array.shape.join()}]`);
  if (array.size === 0) throw outOfRange(`${name} must have at least one element`);
}

function checkMode(mode: unknown): ConvolutionMode {
  if (mode === "full" || mode === "same" || mode === "valid") return mode;
  throw rangeError("options.mode", '"full", "same" or "valid"', mode);
}
