/** Derivatives along axes by finite differences. */
import { outOfRange, rangeError, wrongType } from "@cl/base";
import { checkArray, isArray } from "../storage/check-array.js";
import { checkAxes } from "../shapes/check-axes.js";
import { filled } from "../storage/filled.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered, wholeGroups } from "../kernels/launch.js";
import { contiguousAs, firstOf } from "../elementwise/contiguous-as.js";
import { checkComputable } from "../types/capabilities.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf, promote, quotientDType, realOf } from "../types/promote.js";
import { gradientSource } from "./gradient-source.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";

/** Spacing along an axis, or a one-dimensional array with the coordinate of each element. */
export type Spacing = number | AnyArray;

/** Options of `gradient`. */
export interface GradientOptions {
  /**
   * Spacing for all axes, or a list with one for each axis. An array of coordinates is for a single axis.
   * @defaultValue 1
   */
  readonly spacing?: Spacing | readonly Spacing[] | undefined;
  /**
   * The axis or axes.
   * @defaultValue all axes, in order
   */
  readonly axis?: number | readonly number[] | undefined;
  /**
   * Order of accuracy at the ends: 1 uses two elements, 2 uses three.
   * @defaultValue 1
   */
  readonly edgeOrder?: 1 | 2 | undefined;
}

/** The derivatives along an axis, or a list of them along several. */
export function gradient(array: ArrayRef, options: GradientOptions): ArrayRef | ArrayRef[] {
  const { spacing = 1, axis, edgeOrder = 1 } = options;
  const { xp, ndim, shape } = array;
  const dtype = array.dtype.name;
  if (dtype === "bool") throw wrongType("gradient does not support bool; convert with astype()");
  if (![1, 2].includes(edgeOrder)) throw rangeError("options.edgeOrder", "1 or 2", edgeOrder);
  const axes = axis === undefined ? shape.map((_, k) => k) : checkAxes(axis, ndim, "options.axis");
  const isList = Array.isArray(spacing);
  const list: readonly unknown[] = isList ? spacing : axes.map(() => spacing);
  if (list.length !== axes.length) {
    throw outOfRange(`options.spacing must have ${axes.length} elements, one for each axis, received ${list.length}`);
  }
  const steps = axes.map((along, k) => {
    const extent = shape[along] as number;
    if (extent <= edgeOrder) {
      throw outOfRange(
        `axis ${along} must have at least ${edgeOrder + 1} elements for options.edgeOrder ${edgeOrder}, received ${extent}`,
      );
    }
    return checkSpacing(list[k], array, along, isList ? `options.spacing[${k}]` : "options.spacing");
  });
  for (const step of steps) checkComputable(xp.queue.device, computedType(dtype, step), "gradient");
  const made: ArrayRef[] = [];
  try {
    for (const [k, along] of axes.entries()) made.push(derivative(array, along, steps[k] as Spacing, edgeOrder));
  } catch (error) {
    for (const one of made) one.release();
    throw error;
  }
  return typeof axis === "number" ? (made[0] as ArrayRef) : made;
}

function checkSpacing(value: unknown, { xp, shape }: ArrayRef, along: number, name: string): Spacing {
  if (!isArray(value)) {
    if (typeof value === "number" && Number.isFinite(value)) return value;
    throw rangeError(name, "a finite number or an array of coordinates", value);
  }
  const places = checkArray(value, xp, name);
  const extent = shape[along] as number;
  if (places.ndim !== 1 || places.size !== extent) {
    throw outOfRange(`${name} must have the shape [${extent}] of axis ${along}, received [${places.shape.join()}]`);
  }
  if (kindOf(places.dtype.name) === 4) throw wrongType(`${name} must be real numbers, received ${places.dtype.name}`);
  return places;
}

/** Results have the type of the array, but may be computed in that of the places. */
function computedType(dtype: DTypeName, step: Spacing): DTypeName {
  const own = quotientDType(dtype);
  const type = isArray(step) ? promote(own, quotientDType(step.dtype.name)) : own;
  return type === "float16" ? "float32" : type;
}

function derivative(array: ArrayRef, along: number, step: Spacing, edges: 1 | 2): ArrayRef {
  const { xp, shape, size } = array;
  const { queue } = xp;
  const result = quotientDType(array.dtype.name);
  const dtype = computedType(array.dtype.name, step);
  const real = realOf(dtype);
  using elements = contiguousAs(array, dtype);
  using places = isArray(step) ? contiguousAs(step, real) : undefined;
  const plan = { dtype, places: places !== undefined, edges };
  const kernel = kernelOf(queue.context, `gradient ${JSON.stringify(plan)}`, "gradient", () => gradientSource(plan));
  const inner = shape.slice(along + 1).reduce((a, b) => a * b, 1);
  const computed = filled(xp.empty(shape, { dtype }), (target) => {
    if (size === 0) return;
    const [from, into] = [elements.operand().storage, target.operand().storage];
    const coordinates = places?.operand().storage;
    const numbers = [firstOf(elements), BigInt(size), BigInt(shape[along] as number), BigInt(inner)];
    const spaced = coordinates === undefined ? [step] : [coordinates.memory, firstOf(places as ArrayRef)];
    launchOrdered(
      queue,
      kernel,
      wholeGroups(queue.device, size),
      [from.memory, ...numbers, ...spaced, into.memory],
      coordinates === undefined ? [from] : [from, coordinates],
      [into],
    );
  });
  if (dtype === result) return computed;
  using longer = computed;
  return longer.astype(result);
}
