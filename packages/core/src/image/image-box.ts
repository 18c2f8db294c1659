/**
 * Boxes of pixels inside images, and how they lie in host memory. Origins and regions are [x, y, z] in pixels; along the
 * last axis of an array of images they count images.
 */
import { checkInteger, rangeError, typeError } from "@cl/base";

import { writeRectangle } from "../binding/scratch.js";
import { extentOf, type Image, kindOf } from "./image.js";
import { type ImagePitches, twoPitches } from "./image-options.js";

/** Pixels, rows and slices; what is left out at the end counts as 0 in an origin. */
export type PixelNumbers = readonly [x: number, y?: number, z?: number];

/** Which pixels of an image. */
export interface PixelBoxOptions {
  /** Where the box starts; the image's first pixel if not said. */
  readonly origin?: PixelNumbers;
  /** How many pixels along each axis, 1 where left out; all that follow the origin if not said. */
  readonly region?: PixelNumbers;
}

/** Three numbers, none left out. */
export type PixelTriple = readonly [number, number, number];

/** A box inside an image, checked. */
export interface PixelBox {
  readonly origin: PixelTriple;
  readonly region: PixelTriple;
}

/** How a box lies in host memory. */
export interface HostLayout {
  readonly row: number;
  readonly slice: number;
  /** From the first byte to the last. */
  readonly bytes: number;
}

/** The names of the options in messages. */
interface Names {
  readonly origin: string;
  readonly region: string;
}

const usualNames: Names = { origin: "options.origin", region: "options.region" };

/** A box inside an image; throws if it is not inside. */
export function pixelBox(
  image: Image,
  { origin: first, region: size }: PixelBoxOptions,
  names: Names = usualNames,
): PixelBox {
  const extent = extentOf(image);
  const origin = numbers(first, names.origin, 0);
  const left = extent.map((length, i) => length - origin[i as 0]) as unknown as PixelTriple;
  checkInside(image, names.origin, origin, extent);
  if (size === undefined) return { origin, region: left };
  const region = numbers(size, names.region, 1);
  checkInside(image, names.region, region, left);
  return { origin, region };
}

function checkInside(image: Image, name: string, given: PixelTriple, most: PixelTriple): void {
  const axis = given.findIndex((number, i) => number > most[i as 0]);
  if (axis < 0) return;
  const shape = `the image, ${kindOf(image)} of ${image.shape.join(" × ")} pixels`;
  throw rangeError(`${name}[${axis}]`, `at most ${most[axis as 0]} to stay inside ${shape}`, given[axis as 0]);
}

function numbers(value: PixelNumbers | undefined, name: string, missing: 0 | 1): PixelTriple {
  if (value === undefined) return [missing, missing, missing];
  if (!Array.isArray(value) || value.length < 1 || value.length > 3) {
    throw typeError(name, "an array of 1 to 3 numbers, [x, y, z]", value);
  }
  const number = (i: number): number => (value[i] === undefined ? missing : checkInteger(value[i], `${name}[${i}]`));
  return [number(0), number(1), number(2)];
}

/** True if there is no pixel in the box. */
export function isEmpty({ region }: PixelBox): boolean {
  return region.includes(0);
}

/** How a region lies in host memory; without gaps if no pitches are given. */
export function hostLayout(
  image: Image,
  region: PixelTriple,
  pitches: ImagePitches | undefined,
  name = "options.pitches",
): HostLayout {
  const width = region[0] * image.elementSize;
  const [givenRow, givenSlice] = pitches === undefined ? [0, 0] : twoPitches(pitches, name);
  const row = givenRow || width;
  if (row < width) throw rangeError(`${name}[0]`, `at least a row's ${width} bytes`, row);
  const slice = givenSlice || row * region[1];
  if (slice < row * region[1]) throw rangeError(`${name}[1]`, `at least a slice's ${row * region[1]} bytes`, slice);
  const bytes = region.includes(0) ? 0 : width + (region[1] - 1) * row + (region[2] - 1) * slice;
  return { row, slice, bytes };
}

/** Puts a box, and how it lies in host memory, where the native call that follows reads it. */
export function writePixelBox({ origin, region }: PixelBox, host?: HostLayout, second: PixelTriple = origin): void {
  writeRectangle({
    first: origin,
    second,
    region,
    firstPitches: [0, 0],
    secondPitches: [host?.row ?? 0, host?.slice ?? 0],
  });
}
