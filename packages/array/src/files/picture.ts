/** Arrays as pictures; numbers are mapped to colors on the device. */
import { outOfRange, wrongType } from "@cl/base";
import { checkFinite } from "../creation/spaced.js";
import { fuse } from "../fuse/fuse.js";
import { kindOf } from "../types/promote.js";
import { type ColorMap, colorsOf } from "./color-maps.js";
import { encodePng } from "./png.js";
import type { ArrayRef, ArraySource } from "../storage/array-ref.js";
import { clip, operators, where } from "../elementwise/operators.js";
import * as reductions from "../reductions/reduce.js";

/** Options of pictures. */
export interface PictureOptions {
  /**
   * Color map of numbers.
   * @defaultValue "viridis"
   */
  readonly colormap?: ColorMap;
  /**
   * The number with the first color.
   * @defaultValue the smallest finite element
   */
  readonly min?: number;
  /**
   * The number with the last color.
   * @defaultValue the largest finite element
   */
  readonly max?: number;
  /** Signal that ends the wait. */
  readonly signal?: AbortSignal;
}

/** Colors in a palette, whose first entry is no color. */
const colorCount = 255;

/** Returns an array as a PNG file. Throws synchronously if an argument is invalid. */
export function pictureOf(
  xp: ArraySource,
  array: ArrayRef,
  { colormap, min, max }: PictureOptions,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const { ndim, shape } = array;
  const [height = 0, width = 0, parts = 1] = shape;
  const isColored = ndim === 3 && (parts === 3 || parts === 4);
  if (ndim !== 2 && !isColored) {
    throw outOfRange(
      `array must have the shape [height, width], or with colors [height, width, 3 or 4], received [${shape.join()}]`,
    );
  }
  if (height === 0 || width === 0) {
    throw outOfRange(`array must have at least one pixel, received ${height} × ${width}`);
  }
  if (height >= 2 ** 31 || width >= 2 ** 31) throw outOfRange("array must have less than 2^31 rows and columns");
  if (isColored) {
    if (array.dtype.name !== "uint8") {
      throw wrongType(`array must be uint8 to contain colors, received ${array.dtype.name}`);
    }
    if (colormap !== undefined || min !== undefined || max !== undefined) {
      throw wrongType("options.colormap, min and max cannot be combined with an array of colors");
    }
    return encoded(array, { width, height, bytes: parts }, undefined, signal);
  }
  if (kindOf(array.dtype.name) > 3) {
    throw wrongType(`array must be real numbers, received ${array.dtype.name}; use abs() or real`);
  }
  const colors = new Uint8Array(3 * (colorCount + 1));
  colors.set(colorsOf(colormap ?? "viridis", colorCount), 3);
  if (min !== undefined) checkFinite(min, "options.min");
  if (max !== undefined) checkFinite(max, "options.max");
  if (min !== undefined && max !== undefined && max < min) {
    throw outOfRange(`options.max must be at least options.min (${min}), received ${max}`);
  }
  using places = placesOf(xp, array, min, max);
  return encoded(places, { width, height, bytes: 1 }, { colors, opacities: Uint8Array.of(0) }, signal);
}

async function encoded(
  array: ArrayRef,
  head: Omit<Parameters<typeof encodePng>[0], "data">,
  palette: Parameters<typeof encodePng>[1],
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const data = await array.data(signal === undefined ? undefined : { signal });
  return encodePng({ ...head, data: data as Uint8Array }, palette);
}

/** The places of elements in the palette: 0 for NaN, 1 for the least number, 255 for the largest. */
function placesOf(
  xp: ArraySource,
  array: ArrayRef,
  min: number | undefined,
  max: number | undefined,
): ArrayRef<"uint8"> {
  const { name } = array.dtype;
  // Integers of 32 bits and more have too many digits for float32.
  const wide = name === "float64" || (kindOf(name) < 3 && array.itemSize > 2);
  const type = wide && xp.queue.device.doubleFpConfig !== 0 ? "float64" : "float32";
  using numbers = array.astype(type as "float32");
  using finite = operators.isfinite(numbers);
  using known = where(finite, numbers, NaN);
  using low = min === undefined ? reductions.nanmin(known) : xp.full([], min, { dtype: type as "float32" });
  using high = max === undefined ? reductions.nanmax(known) : xp.full([], max, { dtype: type as "float32" });
  using places = place(numbers, low, high);
  return places.astype("uint8");
}

type Numbers = ArrayRef<"float32">;

/** In halves, so that the largest numbers have a difference. */
const place = fuse((numbers: Numbers, low: Numbers, high: Numbers) => {
  const length = operators.subtract(operators.multiply(high, 0.5), operators.multiply(low, 0.5));
  const distance = operators.subtract(operators.multiply(numbers, 0.5), operators.multiply(low, 0.5));
  // Without a length, what is infinite is still beyond the ends.
  const fraction = where(operators.greater(length, 0), operators.divide(distance, length), distance);
  const clipped = clip(fraction, 0, 1);
  const index = operators.floor(operators.add(operators.multiply(clipped, colorCount - 1), 1.5));
  return where(operators.isnan(distance), 0, index);
});
