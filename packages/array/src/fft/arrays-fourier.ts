/** Fourier transforms and convolutions. */
import { ArraysRandom } from "../random/arrays-random.js";
import type { AnyArray } from "../array/any-array.js";
import type { DeviceArray } from "../array/device-array.js";
import type { PromotedDType } from "../types/promoted-dtype.js";
import { type ConvolutionOptions, convolveLines } from "./convolution.js";
import { FourierTransforms } from "./fourier-transforms.js";

/** The part of `Arrays` with Fourier transforms and convolutions. */
export abstract class ArraysFourier extends ArraysRandom {
  #fft: FourierTransforms | undefined;

  /** Discrete Fourier transforms. */
  get fft(): FourierTransforms {
    this.#fft ??= new FourierTransforms(this);
    return this.#fft;
  }

  /**
   * Returns the discrete, linear convolution of two one-dimensional arrays.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array(Float32Array.of(1, 2, 3));
   * const v = xp.array(Float32Array.of(0, 1, 0.5));
   * console.log(await xp.convolve(a, v).data()); // Float32Array(5) [0, 1, 2.5, 4, 1.5]
   * console.log(await xp.convolve(a, v, { mode: "same" }).data()); // Float32Array(3) [1, 2.5, 4]
   * ```
   */
  convolve<A extends AnyArray, B extends AnyArray>(
    a: A,
    v: B,
    options?: ConvolutionOptions,
  ): DeviceArray<PromotedDType<readonly [A, B]>> {
    return convolveLines(this, a, v, options, "convolve") as AnyArray as DeviceArray<PromotedDType<readonly [A, B]>>;
  }

  /** Returns the cross-correlation of two one-dimensional arrays; the second one is conjugated. */
  correlate<A extends AnyArray, B extends AnyArray>(
    a: A,
    v: B,
    options?: ConvolutionOptions,
  ): DeviceArray<PromotedDType<readonly [A, B]>> {
    return convolveLines(this, a, v, options, "correlate") as AnyArray as DeviceArray<PromotedDType<readonly [A, B]>>;
  }
}
