/**
 * Spectra of real input. Only the first half is computed, from pairs of real numbers; the second half is its conjugate.
 */
import { axisBack, axisLast } from "../shapes/axis-last.js";
import { filled } from "../storage/filled.js";
import { type ComplexName, placeOf, product, ready, transformAxis, transformLines } from "./transform-axis.js";
import { runRows } from "./run-rows.js";
import { runWhole } from "./run-whole.js";
import { rootsOf, strideBits } from "./tables.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import { realParts } from "../elementwise/complex-parts.js";

/** The real type of a complex one. */
function partOf(dtype: ComplexName): "float32" | "float64" {
  return dtype === "complex64" ? "float32" : "float64";
}

/** The first `length / 2 + 1` elements of the transforms of real lines along an axis. */
export function realSpectrum(
  array: AnyArray,
  dtype: ComplexName,
  axis: number,
  length: number,
  scale: number,
): ArrayRef<ComplexName> {
  const last = array.ndim - 1;
  if (axis !== last) {
    using lines = axisLast(array, axis);
    return axisBack(realSpectrum(lines, dtype, last, length, scale), axis);
  }
  const { xp } = array;
  const half = Math.floor(length / 2);
  if (length % 2 === 1) {
    using whole = transformAxis(array, dtype, last, length, { inverse: false, scale });
    using part = whole.slice("...", [0, half + 1]);
    return part.copy();
  }
  const shape = array.shape.with(last, length);
  const rows = product(shape.slice(0, -1));
  using numbers = pairsOf(array, dtype, shape);
  return filled(xp.empty(shape.with(last, half + 1), { dtype }), (result) => {
    if (rows === 0) return;
    const real = dtype === "complex64" ? "float" : "double";
    const from = placeOf(numbers);
    const pairsFrom = { storage: from.storage, start: from.start / 2 };
    const whole = { real, batch: rows, length: half, half: "target" } as const;
    if (runWhole(xp.queue, whole, pairsFrom, placeOf(result), { inverse: false, scale })) return;
    using between = xp.empty([rows * half], { dtype });
    const middle = placeOf(between);
    const lines = { batch: rows, length: half, inner: 1 };
    transformLines(xp, dtype, lines, pairsFrom, middle, { inverse: false, scale: 1 });
    runRows(xp.queue, {
      name: "unpack",
      real,
      rows,
      source: middle,
      sourceLength: half,
      target: placeOf(result),
      targetLength: half + 1,
      table: rootsOf(xp.queue.context, real, length),
      bits: strideBits(length),
      scale,
    });
  });
}

/** Computes real lines from the first half of their spectra. */
export function realLines(
  array: AnyArray,
  dtype: ComplexName,
  axis: number,
  length: number,
  scale: number,
): ArrayRef<"float32" | "float64"> {
  const last = array.ndim - 1;
  if (axis !== last) {
    using lines = axisLast(array, axis);
    return axisBack(realLines(lines, dtype, last, length, scale), axis);
  }
  const { xp } = array;
  const half = Math.floor(length / 2);
  const rows = product(array.shape.slice(0, -1));
  const real = dtype === "complex64" ? "float" : "double";
  const part = partOf(dtype);
  const shape = array.shape.with(last, length);
  using spectrum = ready(array, dtype, shape.with(last, half + 1));
  const own = { real, rows, source: placeOf(spectrum), sourceLength: half + 1 } as const;
  if (length % 2 === 1) {
    using whole = xp.empty(shape, { dtype });
    if (rows > 0) {
      const place = placeOf(whole);
      const table = rootsOf(xp.queue.context, real, 1);
      runRows(xp.queue, { ...own, name: "mirror", target: place, targetLength: length, table, scale: 1 });
      transformLines(xp, dtype, { batch: rows, length, inner: 1 }, place, place, { inverse: true, scale });
    }
    using numbers = realParts(whole);
    return numbers.copy();
  }
  return filled(xp.empty(shape, { dtype: part }), (result) => {
    if (rows === 0) return;
    // Half as many pairs as there are numbers: the sum is over half as many elements.
    const direction = { inverse: true, scale: 2 * scale };
    const whole = { real, batch: rows, length: half, half: "source" } as const;
    if (runWhole(xp.queue, whole, own.source, placeOf(result), direction)) return;
    using between = xp.empty([rows * half], { dtype });
    const middle = placeOf(between);
    runRows(xp.queue, {
      ...own,
      name: "pack",
      target: middle,
      targetLength: half,
      table: rootsOf(xp.queue.context, real, length),
      bits: strideBits(length),
      scale: 1,
    });
    transformLines(xp, dtype, { batch: rows, length: half, inner: 1 }, middle, placeOf(result), direction);
  });
}

/** Real numbers that can be read as pairs. */
function pairsOf(array: AnyArray, dtype: ComplexName, shape: readonly number[]): ArrayRef {
  using numbers = ready(array, partOf(dtype), shape);
  return placeOf(numbers).start % 2 === 0 ? numbers.slice() : numbers.copy();
}
