/**
 * Conversion to arrays of other packages, whose constructors the caller passes. The typed array is not copied again.
 */
import { checkFunction, wrongType } from "@cl/base";
import type { DTypeName, HostArrayOf } from "../../types/dtype-name.js";
import type { AnyArray, ReadOptions } from "../../storage/array-ref.js";
import { ArrayMethods } from "../../array/array-methods.js";
import { DeviceArray } from "../../array/arrays.js";
import { addMethods } from "../../array/add-methods.js";

/** The `ndarray` function of scijs. */
export type ScijsConstructor<T, R> = (data: T, shape: number[]) => R;

/** The `ndarray` constructor of @stdlib; strides and offset are in elements. */
export type StdlibConstructor<R> = new (
  dtype: string,
  data: never,
  shape: number[],
  strides: number[],
  offset: number,
  order: string,
) => R;

/** Methods that convert to arrays of other packages. */
class ExportMethods<D extends DTypeName> extends ArrayMethods<D> {
  /** Resolves to a scijs ndarray; `ndarray` is that package's function. */
  async toScijs<R>(ndarray: ScijsConstructor<HostArrayOf<D>, R>, options?: ReadOptions): Promise<R> {
    checkFunction(ndarray, "ndarray");
    refuse(this, "scijs", ["complex64", "complex128", "float16"]);
    return ndarray(await this.data(options), [...this.shape]);
  }

  /** Resolves to an ndarray of `@stdlib`; `ndarray` is the constructor of `@stdlib/ndarray/ctor`. */
  async toStdlib<R>(ndarray: StdlibConstructor<R>, options?: ReadOptions): Promise<R> {
    checkFunction(ndarray as never, "ndarray");
    refuse(this, "@stdlib", ["complex64", "complex128", "float16", "bool"]);
    const strides: number[] = [];
    this.shape.reduceRight((stride, extent, axis) => {
      strides[axis] = stride;
      return stride * Math.max(extent, 1);
    }, 1);
    const data = (await this.data(options)) as never;
    // Without axes it still wants one distance.
    return new ndarray(this.dtype.name, data, [...this.shape], this.ndim === 0 ? [0] : strides, 0, "row-major");
  }

  /**
   * Resolves to an Apache Arrow vector; `makeVector` is that package's function. Throws unless the array has one axis.
   */
  async toArrow<R>(makeVector: (data: HostArrayOf<D>) => R, options?: ReadOptions): Promise<R> {
    checkFunction(makeVector, "makeVector");
    refuse(this, "Arrow's makeVector", ["complex64", "complex128", "float16", "bool"]);
    if (this.ndim !== 1) {
      throw wrongType(`toArrow needs an array of one axis, received shape [${this.shape.join()}]; use ravel()`);
    }
    return makeVector(await this.data(options));
  }
}

declare module "../../array/arrays.js" {
  interface DeviceArray<D extends DTypeName> extends ExportMethods<D> {}
}
addMethods(DeviceArray, ExportMethods);

function refuse(array: AnyArray, whose: string, types: readonly DTypeName[]): void {
  if (!types.includes(array.dtype.name)) return;
  throw wrongType(`${whose} does not support ${array.dtype.name} elements; use astype() or viewAs()`);
}
