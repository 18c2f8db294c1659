/**
 * Boxes of pixels in images, and their layout in host memory. Origins and regions are [x, y, z] in pixels; the last
 * axis of an image array counts images.
 */
import { checkInteger, rangeError, typeError } from "@cl/base";

import { writeRectangle } from "../binding/scratch.js";
import { extentOf, type Image, kindOf } from "./image.js";
import { type ImagePitches, twoPitches } from "./image-options.js";

/** A position or size in pixels. Omitted numbers default to 0 in an origin and to 1 in a region. */
export type PixelNumbers = readonly [x: number, y?: number, z?: number];

/** A box of pixels in an image. */
export interface PixelBoxOptions {
  /**
   * The first pixel of the box.
   *
   * @defaultValue `[0, 0, 0]`
   */
  readonly origin?: PixelNumbers;
  /** The size of the box. Defaults to all pixels from the origin. */
  readonly region?: PixelNumbers;
}

/** Three numbers in pixels. */
export type PixelTriple = readonly [number, number, number];

/** A checked box in an image. */
export interface PixelBox {
  readonly origin: PixelTriple;
  readonly region: PixelTriple;
}

/** The layout of a box in host memory, in bytes. */
export interface HostLayout {
  /** Row pitch. */
  readonly row: number;
  /** Slice pitch. */
  readonly slice: number;
  /** Size from the first byte to the last. */
  readonly bytes: number;
}

/** The names of the options in error messages. */
interface Names {
  readonly origin: string;
  readonly region: string;
}

const defaultNames: Names = { origin: "options.origin", region: "options.region" };

/** Returns the checked box. Throws if it exceeds the image. */
export function pixelBox(
  image: Image,
  { origin: first, region: size }: PixelBoxOptions,
  names: Names = defaultNames,
): PixelBox {
  const extent = extentOf(image);
  const origin = numbers(first, names.origin, 0);
  const remaining = extent.map((length, i) => length - origin[i as 0]) as unknown as PixelTriple;
  checkInside(image, names.origin, origin, extent);
  if (size === undefined) return { origin, region: remaining };
  const region = numbers(size, names.region, 1);
  checkInside(image, names.region, region, remaining);
  return { origin, region };
}

function checkInside(image: Image, name: string, values: PixelTriple, max: PixelTriple): void {
  const axis = values.findIndex((value, i) => value > max[i as 0]);
  if (axis < 0) return;
  const shape = `the image, ${kindOf(image)} of ${image.shape.join(" × ")} pixels`;
  throw rangeError(`${name}[${axis}]`, `at most ${max[axis as 0]} to stay inside ${shape}`, values[axis as 0]);
}

function numbers(value: PixelNumbers | undefined, name: string, defaultValue: 0 | 1): PixelTriple {
  if (value === undefined) return [defaultValue, defaultValue, defaultValue];
  if (!Array.isArray(value) || value.length < 1 || value.length > 3) {
    throw typeError(name, "an array of 1 to 3 numbers, [x, y, z]", value);
  }
  const number = (i: number): number =>
    value[i] === undefined ? defaultValue : checkInteger(value[i], `${name}[${i}]`);
  return [number(0), number(1), number(2)];
}

/** Returns whether the box has no pixels. */
export function isEmpty({ region }: PixelBox): boolean {
  return region.includes(0);
}

/**
 * Returns the layout of a region in host memory, without gaps unless pitches are given. Throws if a pitch is too small.
 */
export function hostLayout(
  image: Image,
  region: PixelTriple,
  pitches: ImagePitches | undefined,
  name = "options.pitches",
): HostLayout {
  const width = region[0] * image.elementSize;
  const [rowPitch, slicePitch] = pitches === undefined ? [0, 0] : twoPitches(pitches, name);
  const row = rowPitch || width;
  if (row < width) throw rangeError(`${name}[0]`, `at least ${width}, the bytes of a row`, row);
  const slice = slicePitch || row * region[1];
  if (slice < row * region[1]) {
    throw rangeError(`${name}[1]`, `at least ${row * region[1]}, the bytes of a slice`, slice);
  }
  const bytes = region.includes(0) ? 0 : width + (region[1] - 1) * row + (region[2] - 1) * slice;
  return { row, slice, bytes };
}

/** Writes a box and its layout in host memory into the scratch block for the next native call. */
export function writePixelBox({ origin, region }: PixelBox, host?: HostLayout, second: PixelTriple = origin): void {
  writeRectangle({
    first: origin,
    second,
    region,
    firstPitches: [0, 0],
    secondPitches: [host?.row ?? 0, host?.slice ?? 0],
  });
}
