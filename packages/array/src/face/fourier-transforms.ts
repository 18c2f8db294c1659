/** The namespace `xp.fft`: discrete Fourier transforms, modeled on NumPy's. */
import { checkInteger, checkOptions, outOfRange, rangeError, wrongType } from "@cl/base";
import { deferMethods } from "../array/add-methods.js";
import { type Arrays, asDeviceArray, type DeviceArray } from "../array/arrays.js";
import { checkArray } from "../storage/check-array.js";
import { checkAxes } from "../shapes/check-axes.js";
import { checkComputable } from "../types/capabilities.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf, type Promote } from "../types/promote.js";
import { type ConvolutionsOptions, type ConvolutionDType, convolveArrays } from "../fft/convolution.js";
import { realLines, realSpectrum } from "../fft/half-spectrum.js";
import { type ComplexName, transformAxis } from "../fft/transform-axis.js";
import {
  checkLength,
  checkLine,
  checkLines,
  directionOf,
  type FourierDType,
  fourierDType,
  type FourierOptions,
  type FourierRealDType,
  type FouriersOptions,
  swappedNorm,
} from "../fft/transform-options.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import { operators } from "../elementwise/operators.js";

/** Options of `fftfreq` and `rfftfreq`. */
export interface FrequencyOptions {
  /**
   * Sample spacing.
   * @defaultValue 1
   */
  readonly d?: number;
  /**
   * Dtype of the frequencies.
   * @defaultValue "float64"
   */
  readonly dtype?: "float32" | "float64";
}

/** Options of `fftshift` and `ifftshift`. */
export interface ShiftOptions {
  /**
   * The axis or axes to shift.
   * @defaultValue all axes
   */
  readonly axes?: number | readonly number[];
}

/** The members of `Arrays` that transforms need. */
/** Discrete Fourier transforms, available as `xp.fft`. */
export class FourierTransforms {
  /** @internal */
  readonly xp: Arrays;

  /** @internal */
  constructor(xp: Arrays) {
    this.xp = xp;
  }

  /**
   * Returns the discrete Fourier transform along an axis: element k is the sum of `x[j] * exp(-2 pi i j k / n)`.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const x = xp.array(Float32Array.of(1, 0, -1, 0));
   * console.log(await xp.fft.fft(x).real.data()); // Float32Array(4) [0, 2, 0, 2]
   * ```
   */
  fft<D extends DTypeName>(array: DeviceArray<D>, options?: FourierOptions): DeviceArray<FourierDType<D>> {
    return this.#line(array, options, false);
  }

  /** Returns the inverse of {@link fft}. */
  ifft<D extends DTypeName>(array: DeviceArray<D>, options?: FourierOptions): DeviceArray<FourierDType<D>> {
    return this.#line(array, options, true);
  }

  /**
   * Returns the discrete Fourier transform of real input: the first n / 2 + 1 elements; the others are their
   * conjugates.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const x = xp.array(Float32Array.of(1, 2, 3, 4));
   * console.log(await xp.fft.rfft(x).toNested()); // [ { re: 10, im: 0 }, { re: -2, im: 2 }, { re: -2, im: 0 } ]
   * ```
   */
  rfft<D extends DTypeName>(array: DeviceArray<D>, options?: FourierOptions): DeviceArray<FourierDType<D>> {
    using own = taken(this.xp, array);
    const { axis, n, norm } = checkLine(array.shape, options);
    const type = this.#realType(array, "rfft");
    const length = checkLength(n ?? (array.shape[axis] as number), axis, array.shape);
    return result(realSpectrum(own, type, axis, length, directionOf(false, norm, length).scale));
  }

  /** Returns the inverse of {@link rfft}: `n` real numbers, by default 2 (m - 1) for input of length m. */
  irfft<D extends DTypeName>(array: DeviceArray<D>, options?: FourierOptions): DeviceArray<FourierRealDType<D>> {
    using own = taken(this.xp, array);
    const { axis, n, norm } = checkLine(array.shape, options);
    const type = this.#type(array, "irfft");
    const length = checkLength(n ?? 2 * ((array.shape[axis] as number) - 1), axis, array.shape);
    return result(realLines(own, type, axis, length, directionOf(true, norm, length).scale));
  }

  /** Returns the real transform of Hermitian-symmetric input, of which the first half is given. */
  hfft<D extends DTypeName>(array: DeviceArray<D>, options?: FourierOptions): DeviceArray<FourierRealDType<D>> {
    using own = taken(this.xp, array);
    const { axis, n, norm } = checkLine(array.shape, options);
    const type = this.#type(array, "hfft");
    const length = checkLength(n ?? 2 * ((array.shape[axis] as number) - 1), axis, array.shape);
    using conjugated = own.conj();
    return result(realLines(conjugated, type, axis, length, directionOf(true, swappedNorm(norm), length).scale));
  }

  /** Returns the inverse of {@link hfft}. */
  ihfft<D extends DTypeName>(array: DeviceArray<D>, options?: FourierOptions): DeviceArray<FourierDType<D>> {
    using own = taken(this.xp, array);
    const { axis, n, norm } = checkLine(array.shape, options);
    const type = this.#realType(array, "ihfft");
    const length = checkLength(n ?? (array.shape[axis] as number), axis, array.shape);
    const { scale } = directionOf(false, swappedNorm(norm), length);
    using spectrum = realSpectrum(own, type, axis, length, scale);
    return result(operators.conj(spectrum));
  }

  /** Returns the transform along two axes, by default the last two. */
  fft2<D extends DTypeName>(array: DeviceArray<D>, options?: FouriersOptions): DeviceArray<FourierDType<D>> {
    return this.#lines(array, options, false, [-2, -1]);
  }

  /** Returns the inverse of {@link fft2}. */
  ifft2<D extends DTypeName>(array: DeviceArray<D>, options?: FouriersOptions): DeviceArray<FourierDType<D>> {
    return this.#lines(array, options, true, [-2, -1]);
  }

  /** Returns the transform of real input along two axes; the last of them has the first n / 2 + 1 elements. */
  rfft2<D extends DTypeName>(array: DeviceArray<D>, options?: FouriersOptions): DeviceArray<FourierDType<D>> {
    return this.#realLines(array, options, "rfft2", [-2, -1]);
  }

  /** Returns the inverse of {@link rfft2}. */
  irfft2<D extends DTypeName>(array: DeviceArray<D>, options?: FouriersOptions): DeviceArray<FourierRealDType<D>> {
    return this.#toReal(array, options, "irfft2", [-2, -1]);
  }

  /** Returns the transform along several axes, by default all. */
  fftn<D extends DTypeName>(array: DeviceArray<D>, options?: FouriersOptions): DeviceArray<FourierDType<D>> {
    return this.#lines(array, options, false);
  }

  /** Returns the inverse of {@link fftn}. */
  ifftn<D extends DTypeName>(array: DeviceArray<D>, options?: FouriersOptions): DeviceArray<FourierDType<D>> {
    return this.#lines(array, options, true);
  }

  /** Returns the transform of real input along several axes; the last of them has the first n / 2 + 1 elements. */
  rfftn<D extends DTypeName>(array: DeviceArray<D>, options?: FouriersOptions): DeviceArray<FourierDType<D>> {
    return this.#realLines(array, options, "rfftn");
  }

  /** Returns the inverse of {@link rfftn}. */
  irfftn<D extends DTypeName>(array: DeviceArray<D>, options?: FouriersOptions): DeviceArray<FourierRealDType<D>> {
    return this.#toReal(array, options, "irfftn");
  }

  /**
   * Returns the sample frequencies of {@link fft}, in cycles per unit of the sample spacing `d`.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * console.log(await xp.fft.fftfreq(4, { d: 0.5, dtype: "float32" }).data()); // Float32Array(4) [0, 0.5, -1, -0.5]
   * ```
   */
  fftfreq(n: number, options?: FrequencyOptions): DeviceArray<"float32" | "float64"> {
    const { step, dtype } = frequencies(n, options);
    using rising = this.xp.arange(0, Math.ceil(n / 2), 1, { dtype });
    using negative = this.xp.arange(-Math.floor(n / 2), 0, 1, { dtype });
    using numbers = this.xp.concatenate([rising, negative]);
    return numbers.mul(step);
  }

  /** Returns the sample frequencies of {@link rfft}. */
  rfftfreq(n: number, options?: FrequencyOptions): DeviceArray<"float32" | "float64"> {
    const { step, dtype } = frequencies(n, options);
    using numbers = this.xp.arange(0, Math.floor(n / 2) + 1, 1, { dtype });
    return numbers.mul(step);
  }

  /**
   * Returns the convolution of two N-dimensional arrays along axes, computed by FFT; other axes are broadcast. For
   * one-dimensional arrays see `xp.convolve`.
   */
  fftconvolve<A extends DTypeName, B extends DTypeName>(
    a: DeviceArray<A>,
    b: DeviceArray<B>,
    options?: ConvolutionsOptions,
  ): DeviceArray<ConvolutionDType<Promote<A, B>>> {
    return result(convolveArrays(this.xp, this, a, b, options));
  }

  /** Returns a copy with the zero-frequency element moved from the start of axes to their center. */
  fftshift<D extends DTypeName>(array: DeviceArray<D>, options?: ShiftOptions): DeviceArray<D> {
    return this.#shifted(array, options, (extent) => Math.floor(extent / 2));
  }

  /** Returns the inverse of {@link fftshift}. */
  ifftshift<D extends DTypeName>(array: DeviceArray<D>, options?: ShiftOptions): DeviceArray<D> {
    return this.#shifted(array, options, (extent) => -Math.floor(extent / 2));
  }

  #line<R extends DTypeName>(array: AnyArray, options: FourierOptions | undefined, inverse: boolean): DeviceArray<R> {
    using own = taken(this.xp, array);
    const { axis, n, norm } = checkLine(array.shape, options);
    const type = this.#type(array, inverse ? "ifft" : "fft");
    const length = checkLength(n ?? (array.shape[axis] as number), axis, array.shape);
    return result(transformAxis(own, type, axis, length, directionOf(inverse, norm, length)));
  }

  #lines<R extends DTypeName>(
    array: AnyArray,
    options: FouriersOptions | undefined,
    inverse: boolean,
    missing?: readonly number[],
  ): DeviceArray<R> {
    using own = taken(this.xp, array);
    const { axes, s, norm } = checkLines(array.shape, options, missing);
    const type = this.#type(array, inverse ? "ifftn" : "fftn");
    const lengths = axes.map((axis, k) => checkLength(s[k] ?? (array.shape[axis] as number), axis, array.shape));
    if (axes.length === 0) return result(own.astype(type));
    return result(along(own, type, axes, lengths, (length) => directionOf(inverse, norm, length)));
  }

  #realLines<R extends DTypeName>(
    array: AnyArray,
    options: FouriersOptions | undefined,
    name: string,
    missing?: readonly number[],
  ): DeviceArray<R> {
    using own = taken(this.xp, array);
    const { axes, s, norm } = checkLines(array.shape, options, missing);
    if (axes.length === 0) throw outOfRange(`${name} needs at least one axis`);
    const type = this.#realType(array, name);
    const lengths = axes.map((axis, k) => checkLength(s[k] ?? (array.shape[axis] as number), axis, array.shape));
    const [last, length] = [axes.at(-1) as number, lengths.at(-1) as number];
    const half = realSpectrum(own, type, last, length, directionOf(false, norm, length).scale);
    if (axes.length === 1) return result(half);
    using first = half;
    return result(along(first, type, axes.slice(0, -1), lengths.slice(0, -1), (one) => directionOf(false, norm, one)));
  }

  #toReal<R extends DTypeName>(
    array: AnyArray,
    options: FouriersOptions | undefined,
    name: string,
    missing?: readonly number[],
  ): DeviceArray<R> {
    using own = taken(this.xp, array);
    const { axes, s, norm } = checkLines(array.shape, options, missing);
    if (axes.length === 0) throw outOfRange(`${name} needs at least one axis`);
    const type = this.#type(array, name);
    const lengths = axes.map((axis, k) => {
      const extent = array.shape[axis] as number;
      return checkLength(s[k] ?? (k === axes.length - 1 ? 2 * (extent - 1) : extent), axis, array.shape);
    });
    const [last, length] = [axes.at(-1) as number, lengths.at(-1) as number];
    const { scale } = directionOf(true, norm, length);
    if (axes.length === 1) return result(realLines(own, type, last, length, scale));
    using first = along(own, type, axes.slice(0, -1), lengths.slice(0, -1), (one) => directionOf(true, norm, one));
    return result(realLines(first, type, last, length, scale));
  }

  #shifted<D extends DTypeName>(
    array: DeviceArray<D>,
    options: ShiftOptions | undefined,
    by: (extent: number) => number,
  ): DeviceArray<D> {
    checkArray(array, this.xp, "array");
    const { axes = array.shape.map((_, axis) => axis) } = checkOptions(options, ["axes"]);
    const list = checkAxes(axes, array.ndim, "options.axes");
    if (list.length === 0) return array.copy();
    return this.xp.roll(
      array,
      list.map((axis) => by(array.shape[axis] as number)),
      { axis: list },
    );
  }

  /** The type of results, if the device has it. */
  #type(array: AnyArray, what: string): ComplexName {
    const type = fourierDType(array.dtype.name);
    checkComputable(this.xp.queue.device, type, what);
    return type;
  }

  #realType(array: AnyArray, what: string): ComplexName {
    if (kindOf(array.dtype.name) === 4) {
      throw wrongType(`${what} needs real numbers, received ${array.dtype.name}; use .real or fft()`);
    }
    return this.#type(array, what);
  }
}

deferMethods(FourierTransforms);

/** Returns the array as a view on this factory's queue, so that results use its queue and allocator. */
function taken(xp: Arrays, value: AnyArray): DeviceArray {
  const array = checkArray(value, xp, "array");
  const { storage, layout } = array.operand();
  return xp.wrap(storage, array.dtype, layout);
}

/** One axis after another, the last first. */
function along(
  array: AnyArray,
  type: ComplexName,
  axes: readonly number[],
  lengths: readonly number[],
  directionOfLength: (length: number) => ReturnType<typeof directionOf>,
): ArrayRef<ComplexName> {
  let value: ArrayRef<ComplexName> | undefined;
  for (let k = axes.length - 1; k >= 0; k--) {
    using before = value;
    const length = lengths[k] as number;
    value = transformAxis(before ?? array, type, axes[k] as number, length, directionOfLength(length));
  }
  return value as ArrayRef<ComplexName>;
}

/** The type that the caller's element type stands for. */
function result<R extends DTypeName>(array: AnyArray): DeviceArray<R> {
  return asDeviceArray(array) as DeviceArray<R>;
}

function frequencies(n: number, options: FrequencyOptions | undefined): { step: number; dtype: "float32" | "float64" } {
  checkInteger(n, "n", 1);
  const { d = 1, dtype = "float64" } = checkOptions(options, ["d", "dtype"]);
  if (typeof d !== "number" || !Number.isFinite(d) || d === 0) {
    throw rangeError("options.d", "a number other than 0", d);
  }
  if (dtype !== "float32" && dtype !== "float64") throw rangeError("options.dtype", '"float32" or "float64"', dtype);
  return { step: 1 / (n * d), dtype };
}
