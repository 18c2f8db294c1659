/** Log-sum-exp without overflow, and softmax functions based on it. */
import { checkBoolean, checkOptions, typeError, wrongType } from "@cl/base";
import { checkArray, checkOut, isArray } from "../storage/check-array.js";
import { compute } from "../elementwise/elementwise.js";
import { operation, type Term } from "../expression/build.js";
import type { Expression, ScalarValue } from "../expression/expression.js";
import { fuse } from "../fuse/fuse.js";
import { reducedAxes } from "../reductions/reduce-array.js";
import { checkComputable } from "../types/capabilities.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf, quotientDType } from "../types/promote.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import type { OutOptions } from "../storage/operand-like.js";
import * as reductions from "../reductions/reduce.js";
import { operators } from "../elementwise/operators.js";
import type { ReduceOptions } from "../expression/passes.js";

/** Options of `softmax` and `logSoftmax`. */
export interface SoftmaxOptions extends OutOptions {
  /**
   * The axis or axes to sum over; negative axes count from the last.
   * @defaultValue all axes
   */
  readonly axis?: number | readonly number[] | undefined;
}

/** The logarithm of the sum of exponentials along axes. The largest element is taken out before, so that nothing overflows. */
export function logSumExp(x: AnyArray, options: ReduceOptions | undefined): AnyArray {
  const { axis, keepDims, out } = checkOptions(options, ["axis", "keepDims", "out"]);
  const { array, dtype } = checkReal(x, "logsumexp");
  const keep = checkBoolean(keepDims, "options.keepDims", false);
  const axes = reducedAxes(axis, array.ndim);
  const shape = array.shape.flatMap((length, k) => (axes.includes(k) ? (keep ? [1] : []) : [length]));
  if (out !== undefined) checkOut(out, array.xp, shape, dtype, "logsumexp");
  using parts = partsOf(array, dtype, axis);
  const { shift, sum } = parts;
  using place = sum.reshape(shape);
  using back = shift.reshape(shape);
  return compute("logsumexp", [place, back], out, ["x", "x"], ([a, b], scalars) =>
    operation("add", [operation("log", [a as Term], scalars), b as Term], scalars),
  );
}

/** Exponentials divided by their sum along axes, or the logarithms of that. */
export function softmax(name: "softmax" | "logSoftmax", x: AnyArray, options: SoftmaxOptions | undefined): AnyArray {
  const { axis, out } = checkOptions(options, ["axis", "out"]);
  const { array, dtype } = checkReal(x, name);
  reducedAxes(axis, array.ndim);
  if (out !== undefined) checkOut(out, array.xp, array.shape, dtype, name);
  using parts = partsOf(array, dtype, axis);
  const operands = [array, parts.shift, parts.sum];
  return compute(name, operands, out, ["x", "x", "x"], ([a, b, c], scalars) => {
    // The maximum is subtracted separately: subtracting its sum with the logarithm would be less accurate.
    const rest = operation("subtract", [a as Term, b as Term], scalars);
    if (name === "softmax") return operation("divide", [operation("exp", [rest], scalars), c as Term], scalars);
    return operation("subtract", [rest, operation("log", [c as Term], scalars)], scalars);
  });
}

/** What sums of exponentials are made of; the axes stay, with one element. */
interface Parts extends Disposable {
  /** The largest elements, or 0 where they are infinite. */
  readonly shift: ArrayRef;
  /** The sums of exponentials of what is left. */
  readonly sum: ArrayRef;
}

function partsOf(array: AnyArray, dtype: DTypeName, axis: ReduceOptions["axis"]): Parts {
  using given = array.astype(dtype);
  using top = reductions.max(given, { axis, keepDims: true });
  const shift = compute("logsumexp", [top], undefined, ["x"], finiteOrZero);
  try {
    const summed = fuse((a: ArrayRef<"float64">, b: ArrayRef<"float64">) =>
      reductions.sum(operators.exp(operators.subtract(a, b)), { axis, keepDims: true }),
    );
    const sum = summed(given as ArrayRef<"float64">, shift as ArrayRef<"float64">);
    return {
      shift,
      sum,
      [Symbol.dispose]: () => {
        shift.release();
        sum.release();
      },
    };
  } catch (error) {
    shift.release();
    throw error;
  }
}

function finiteOrZero([term]: readonly Term[], scalars: ScalarValue[]): Expression {
  return operation("where", [operation("isfinite", [term as Term], scalars), term as Term, 0], scalars);
}

/** The array, and in which type is computed. */
function checkReal(x: AnyArray, name: string): { readonly array: AnyArray; readonly dtype: DTypeName } {
  if (!isArray(x)) throw typeError("x", "a DeviceArray", x);
  const array = checkArray(x, x.xp, "x");
  if (kindOf(array.dtype.name) === 4) {
    throw wrongType(`${name} does not support complex numbers, received ${array.dtype.name}`);
  }
  const dtype = quotientDType(array.dtype.name);
  checkComputable(array.xp.queue.device, dtype, name);
  return { array, dtype };
}
