/** Ranges of numbers, computed on the device. */
import { checkOptions, rangeError } from "@cl/base";
import { range } from "../../creation/range.js";
import { checkFinite, geometric, linear, powers, type SpacedOptions } from "../../creation/spaced.js";
import { checkArrayType, type DTypeName } from "../../types/dtype-name.js";
import type { DTypeOptions } from "../../storage/array-ref.js";
import { Arrays, asDeviceArray, type DeviceArray } from "../../array/arrays.js";
import { addComputations } from "../../array/add-methods.js";

/** Functions that make ranges. */
class RangeFunctions {
  /** Returns the integers in [0, stop). */
  arange<D extends DTypeName = "float64">(this: Arrays, stop: number, options?: DTypeOptions<D>): DeviceArray<D>;
  /** Returns evenly spaced values in [start, stop). */
  arange<D extends DTypeName = "float64">(
    this: Arrays,
    start: number,
    stop: number,
    step?: number,
    options?: DTypeOptions<D>,
  ): DeviceArray<D>;
  arange(this: Arrays, ...args: readonly unknown[]): DeviceArray {
    const options = (typeof args.at(-1) === "number" ? undefined : args.at(-1)) as DTypeOptions<DTypeName> | undefined;
    const numbers = options === undefined ? args : args.slice(0, -1);
    const [start, stop, step = 1] = (numbers.length < 2 ? [0, numbers[0]] : numbers) as readonly number[];
    for (const [name, value] of Object.entries({ start, stop, step })) checkFinite(value, name);
    if (step === 0) throw rangeError("step", "a number other than 0", step);
    const count = Math.max(0, Math.ceil(((stop as number) - (start as number)) / step));
    const type = checkArrayType(checkOptions(options, ["dtype"]).dtype ?? "float64", "options.dtype");
    return asDeviceArray(range(this, start as number, count, step, type));
  }

  /** Returns `count` evenly spaced numbers from `start` to `stop`. */
  linspace<D extends DTypeName = "float64">(
    this: Arrays,
    start: number,
    stop: number,
    count: number,
    options?: SpacedOptions<D>,
  ): DeviceArray<D> {
    return linear(this, start, stop, count, options) as DeviceArray<D>;
  }

  /**
   * Returns `count` numbers evenly spaced on a log scale, from `base ** start` to `base ** stop`; `base` defaults to
   * 10.
   */
  logspace<D extends DTypeName = "float64">(
    this: Arrays,
    start: number,
    stop: number,
    count: number,
    options?: SpacedOptions<D> & { readonly base?: number },
  ): DeviceArray<D> {
    return powers(this, start, stop, count, options) as DeviceArray<D>;
  }

  /** Returns `count` numbers in geometric progression from `start` to `stop`. */
  geomspace<D extends DTypeName = "float64">(
    this: Arrays,
    start: number,
    stop: number,
    count: number,
    options?: SpacedOptions<D>,
  ): DeviceArray<D> {
    return geometric(this, start, stop, count, options) as DeviceArray<D>;
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends RangeFunctions {}
}
addComputations(Arrays, RangeFunctions);
