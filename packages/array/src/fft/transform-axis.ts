/** Transforms along one axis of an array: of any view and any length. */
import { hasParallelWorkItems } from "@cl/characterize";
import { assign } from "../elementwise/assign.js";
import { axisBack, axisLast } from "../shapes/axis-last.js";
import { filled } from "../storage/filled.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { runChirp } from "./chirp.js";
import { isSmooth } from "./factors.js";
import type { Lines } from "./pass.js";
import { runPasses } from "./run-passes.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";
import type { Direction, Place } from "./place.js";

/** The dtypes in which transforms are computed. */
export type ComplexName = "complex64" | "complex128";

/** Maximum length of strided lines that are transformed in place: these take few passes on every device. */
const longestBeside = 2 ** 20;

/** A new array of the transforms of lines along an axis, cut or filled up with zeros to `length` elements. */
export function transformAxis(
  array: AnyArray,
  dtype: ComplexName,
  axis: number,
  length: number,
  direction: Direction,
): ArrayRef<ComplexName> {
  const { xp } = array;
  const shape = array.shape.with(axis, length);
  const inner = product(shape.slice(axis + 1));
  // Enough adjacent lines fill the lanes of vectors or a memory segment; fewer are made contiguous first.
  const least = hasParallelWorkItems(xp.queue.device) ? 4 : 16;
  if (inner > 1 && (inner < least || length > longestBeside || !isSmooth(length))) {
    using last = axisLast(array, axis);
    return axisBack(transformAxis(last, dtype, array.ndim - 1, length, direction), axis);
  }
  using source = ready(array, dtype, shape);
  return filled(xp.empty(shape, { dtype }), (result) => {
    const lines = { batch: product(shape.slice(0, axis)), length, inner };
    transformLines(xp, dtype, lines, placeOf(source), placeOf(result), direction);
  });
}

/** Transforms contiguous lines. */
export function transformLines(
  xp: ArraySource,
  dtype: ComplexName,
  lines: Lines,
  source: Place,
  target: Place,
  direction: Direction,
): void {
  if (lines.batch * lines.length * lines.inner === 0) return;
  const run = isSmooth(lines.length) ? runPasses : runChirp;
  run(xp, dtype, lines, source, target, direction);
}

/** Where elements begin. */
export function placeOf(array: AnyArray): Place {
  const { storage, layout, dtype } = array.operand();
  return { storage, start: layout.offset / typeNamed(dtype).itemSize };
}

/**
 * Returns the elements with this dtype and shape, contiguous in C order, truncated or padded with zeros: a view if they
 * are stored that way. The caller releases it.
 */
export function ready<D extends DTypeName>(array: AnyArray, dtype: D, shape: readonly number[]): ArrayRef<D> {
  const { xp } = array;
  const isWhole = array.shape.every((extent, axis) => extent === shape[axis]);
  const aligned = array.operand().layout.offset % typeNamed(dtype).itemSize === 0;
  if (isWhole && aligned && array.dtype.name === dtype && array.isContiguous) {
    return (array as ArrayRef<D>).slice();
  }
  const longer = shape.some((extent, axis) => extent > (array.shape[axis] as number));
  return filled(longer ? xp.zeros(shape, { dtype }) : xp.empty(shape, { dtype }), (target) => {
    const common = shape.map((extent, axis): readonly [number, number] => [
      0,
      Math.min(extent, array.shape[axis] as number),
    ]);
    using from = array.slice(...common);
    using to = target.slice(...common);
    assign(to, from);
  });
}

export function product(extents: readonly number[]): number {
  return extents.reduce((all, extent) => all * extent, 1);
}
