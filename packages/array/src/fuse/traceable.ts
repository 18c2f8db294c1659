/** The methods that placeholders have: operators, and the reductions and scans that need one pass over the elements. */
import { apply } from "../elementwise/elementwise.js";
import { clip, round } from "../elementwise/operators.js";
import { binaryNames, unaryNames } from "../expression/operators.js";
import * as reductions from "../reductions/reduce.js";
import * as scans from "../scan/cumulate.js";
import type { AnyArray } from "../storage/array-ref.js";
import type { OperandLike, OutOptions } from "../storage/operand-like.js";

type Method = (this: AnyArray, ...args: never[]) => unknown;

const { sum, prod, mean, min, max, ptp, norm, any, all, countNonzero } = reductions;
const { nanmin, nanmax, nansum, nanprod, nanmean } = reductions;
const { cumsum, cumprod, cummax, cummin, nancumsum, nancumprod } = scans;
const onePass = {
  sum,
  prod,
  mean,
  min,
  max,
  ptp,
  norm,
  any,
  all,
  countNonzero,
  nanmin,
  nanmax,
  nansum,
  nanprod,
  nanmean,
};
const functions: Readonly<Record<string, (array: AnyArray, ...args: never[]) => unknown>> = {
  ...onePass,
  cumsum,
  cumprod,
  cummax,
  cummin,
  nancumsum,
  nancumprod,
  clip,
  round,
};

const methods = new Map<string, Method>([
  ...Object.entries(functions).map(([name, call]): [string, Method] => [
    name,
    function (...args) {
      return call(this, ...args);
    },
  ]),
  ...[...unaryNames].map(([name, operator]): [string, Method] => [
    name,
    function (options?: OutOptions) {
      return apply(operator, [this], options);
    },
  ]),
  ...[...binaryNames].map(([name, operator]): [string, Method] => [
    name,
    function (other: OperandLike, options?: OutOptions) {
      return apply(operator, [this, other], options);
    },
  ]),
]);

/** Returns the method with this name that a placeholder has, or undefined. */
export function traceable(name: string): Method | undefined {
  return methods.get(name);
}
