/** Fourier transforms and convolutions. */
import { checkInstance, memoizePerObject } from "@cl/base";
import type { PromotedDType } from "../../types/promoted-dtype.js";
import { type ConvolutionOptions, convolveLines } from "../../fft/convolution.js";
import { FourierTransforms } from "../fourier-transforms.js";
import type { AnyArray } from "../../storage/array-ref.js";
import { Arrays, asDeviceArray, type DeviceArray } from "../../array/arrays.js";
import { addMethods } from "../../array/add-methods.js";

const transforms = memoizePerObject((xp: Arrays) => new FourierTransforms(xp));

/** Fourier transforms and convolutions. */
class FourierFunctions {
  /** Discrete Fourier transforms. */
  get fft(): FourierTransforms {
    return transforms(checkInstance(this, Arrays, "this"));
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
    this: Arrays,
    a: A,
    v: B,
    options?: ConvolutionOptions,
  ): DeviceArray<PromotedDType<readonly [A, B]>> {
    return asDeviceArray(convolveLines(this, this.fft, a, v, options, "convolve"));
  }

  /** Returns the cross-correlation of two one-dimensional arrays; the second one is conjugated. */
  correlate<A extends AnyArray, B extends AnyArray>(
    this: Arrays,
    a: A,
    v: B,
    options?: ConvolutionOptions,
  ): DeviceArray<PromotedDType<readonly [A, B]>> {
    return asDeviceArray(convolveLines(this, this.fft, a, v, options, "correlate"));
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends FourierFunctions {}
}
addMethods(Arrays, FourierFunctions);
