/**
 * Slices layouts as NumPy does, with bounds checks: integers, ranges with positive or negative steps, ellipsis and new
 * axes.
 */
import { describe, outOfRange, rangeError, typeError } from "../checks/check.js";
import { type Layout, maxAxes } from "./layout.js";

/** A part of a range in a {@link SliceIndex}. */
type Bound = number | null | undefined;

/**
 * One index of a slice. An integer selects one element of an axis (negative integers count from the end) and removes
 * the axis. `"start:stop:step"` or `[start, stop, step]` selects a range; each part may be omitted (`null`). `"..."`
 * stands for all remaining axes. `null` ({@link newAxis}) inserts an axis of extent 1.
 */
export type SliceIndex = number | string | null | readonly [start: Bound, stop: Bound, step?: Bound];

/** A slice index that inserts an axis of extent 1. */
export const newAxis: null = null;

/** Returns the layout of a slice. Axes without an index are selected completely. */
export function sliceLayout(layout: Layout, indices: readonly SliceIndex[]): Layout {
  const axes = indices.filter((index) => index !== null && index !== "...").length;
  const ellipses = indices.filter((index) => index === "...").length;
  if (ellipses > 1) throw outOfRange(`indices must have at most one "...", received ${ellipses}`);
  if (axes > layout.shape.length) {
    throw outOfRange(
      `indices must be for at most the ${layout.shape.length} axes of the shape [${layout.shape.join()}], received ${axes}`,
    );
  }
  const shape: number[] = [];
  const strides: number[] = [];
  let { offset } = layout;
  let axis = 0;
  const takeAxes = (count: number): void => {
    for (let i = 0; i < count; i++, axis++) {
      shape.push(layout.shape[axis] as number);
      strides.push(layout.strides[axis] as number);
    }
  };
  for (const [i, index] of indices.entries()) {
    const name = `indices[${i}]`;
    if (index === null) {
      shape.push(1);
      strides.push(0);
    } else if (index === "...") {
      takeAxes(layout.shape.length - axes);
    } else {
      const extent = layout.shape[axis] as number;
      const stride = layout.strides[axis] as number;
      if (typeof index === "number") {
        offset += elementIndex(index, extent, name) * stride;
      } else {
        const { start, count, step } = range(index, extent, name);
        // The start of an empty range may be out of bounds, so the offset is unchanged.
        if (count > 0) offset += start * stride;
        shape.push(count);
        strides.push(count > 1 ? step * stride : stride);
      }
      axis++;
    }
  }
  takeAxes(layout.shape.length - axis);
  if (shape.length > maxAxes) {
    throw outOfRange(`indices must result in at most ${maxAxes} axes, received ${shape.length}`);
  }
  return { shape, strides, offset };
}

/** Returns an element's index counted from the start. Throws if it is out of bounds. */
export function elementIndex(index: number, extent: number, name: string): number {
  if (!Number.isInteger(index)) throw rangeError(name, "an integer", index);
  if (index < -extent || index >= extent) {
    throw extent === 0
      ? outOfRange(`${name} is ${index}, but the axis is empty`)
      : rangeError(name, `from ${-extent} to ${extent - 1}`, index);
  }
  return index < 0 ? index + extent : index;
}

interface Range {
  readonly start: number;
  readonly count: number;
  readonly step: number;
}

const rangePattern = /^\s*(?<start>[+-]?\d+)?\s*:\s*(?<stop>[+-]?\d+)?\s*(?::\s*(?<step>[+-]?\d+)?\s*)?$/u;

/**
 * Returns the result of Python's `slice(start, stop, step).indices(extent)`, with the number of elements in place of
 * the stop.
 */
function range(index: string | readonly unknown[], extent: number, name: string): Range {
  const [start, stop, explicitStep] = bounds(index, name);
  const step = explicitStep ?? 1;
  if (step === 0) throw rangeError(name, "a range whose step is not 0", index);
  const clamp = (bound: number | null, defaultValue: number): number => {
    if (bound === null) return defaultValue;
    const fromStart = bound < 0 ? bound + extent : bound;
    return step > 0 ? Math.min(Math.max(fromStart, 0), extent) : Math.min(Math.max(fromStart, -1), extent - 1);
  };
  const first = clamp(start, step > 0 ? 0 : extent - 1);
  const end = clamp(stop, step > 0 ? extent : -1);
  return { start: first, count: Math.max(0, Math.ceil((end - first) / step)), step };
}

function bounds(index: unknown, name: string): readonly [number | null, number | null, number | null] {
  if (typeof index === "string") {
    const parts = rangePattern.exec(index)?.groups;
    if (parts === undefined) {
      throw outOfRange(`${name} must be a range such as "1:10:2", ":" or "...", received ${describe(index)}`);
    }
    const text = (part: string | undefined): number | null => bound(part === undefined ? null : Number(part), name);
    return [text(parts["start"]), text(parts["stop"]), text(parts["step"])];
  }
  if (!Array.isArray(index)) {
    throw typeError(name, 'an integer, a range such as "1:10:2" or [1, 10, 2], "..." or null', index);
  }
  if (index.length < 2 || index.length > 3) {
    throw rangeError(name, "[start, stop] or [start, stop, step], with null for omitted parts", index);
  }
  const list = index as readonly unknown[];
  return [bound(list[0], `${name}[0]`), bound(list[1], `${name}[1]`), bound(list[2], `${name}[2]`)];
}

function bound(value: unknown, name: string): number | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== "number") throw typeError(name, "an integer or null", value);
  if (!Number.isSafeInteger(value)) throw rangeError(name, "an integer or null", value);
  return value;
}
