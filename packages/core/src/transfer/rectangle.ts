/**
 * Boxes of bytes in linear memory, for rectangular copies: an origin and a region in [bytes, rows, slices], and the row
 * and slice pitch.
 */
import { checkInteger, outOfRange, typeError } from "@cl/base";

/** Bytes, rows and slices; omitted numbers default to 0 in an origin and to 1 in a region. */
export type BoxNumbers = readonly [bytes: number, rows?: number, slices?: number];

/** Row and slice pitch, in bytes; 0 or omitted for contiguous rows and slices. */
export type Pitches = readonly [row?: number, slice?: number];

/** Bytes, rows and slices. */
export type Triple = readonly [number, number, number];

/** One side of a rectangular copy: origin and pitches of the box. */
export interface BoxPlace {
  readonly origin: Triple;
  readonly pitches: readonly [row: number, slice: number];
}

/** Returns checked numbers, with missing ones replaced by `missing`. */
export function triple(value: BoxNumbers | undefined, name: string, missing: 0 | 1): Triple {
  if (value === undefined) return [missing, missing, missing];
  const list = numbers(value, name, 3, "[bytes, rows, slices]");
  return [list[0] ?? missing, list[1] ?? missing, list[2] ?? missing];
}

/** Returns the checked box on one side of a copy of `region`. */
export function boxPlace(
  region: Triple,
  origin: BoxNumbers | undefined,
  pitches: Pitches | undefined,
  side: string,
): BoxPlace {
  const given = pitches === undefined ? [] : numbers(pitches, `${side}Pitches`, 2, "[row, slice]");
  const row = given[0] || region[0];
  if (row < region[0]) {
    throw outOfRange(
      `${side}Pitches[0], the row pitch, must be at least the ${region[0]} bytes of a row, received ${row}`,
    );
  }
  const slice = given[1] || row * region[1];
  if (slice < row * region[1] || slice % row !== 0) {
    throw outOfRange(
      `${side}Pitches[1], the slice pitch, must be a multiple of the row pitch ${row} and at least ${row * region[1]}, received ${slice}`,
    );
  }
  return { origin: triple(origin, `${side}Origin`, 0), pitches: [row, slice] };
}

/** Returns the offset of a box's first byte. */
export function boxStart({ origin, pitches }: BoxPlace): number {
  return origin[0] + origin[1] * pitches[0] + origin[2] * pitches[1];
}

/** Returns the offset after a box's last byte. */
export function boxEnd(place: BoxPlace, region: Triple): number {
  return boxStart(place) + region[0] + (region[1] - 1) * place.pitches[0] + (region[2] - 1) * place.pitches[1];
}

/** Returns whether two boxes of the same region and pitches overlap; `distance` is between their first bytes. */
export function boxesOverlap(distance: number, region: Triple, [row, slice]: readonly [number, number]): boolean {
  // They overlap if distance = x + y * row + z * slice with |x| < region[0], |y| < region[1], |z| < region[2]. Since
  // rows and slices do not overlap, only the two nearest z, and for each the two nearest y, have to be tested.
  const bottom = Math.floor(distance / slice);
  for (const z of [bottom, bottom + 1]) {
    if (Math.abs(z) >= region[2]) continue;
    const rest = distance - z * slice;
    const left = Math.floor(rest / row);
    for (const y of [left, left + 1]) {
      if (Math.abs(y) < region[1] && Math.abs(rest - y * row) < region[0]) return true;
    }
  }
  return false;
}

function numbers(value: unknown, name: string, maxLength: number, form: string): readonly number[] {
  if (!Array.isArray(value) || value.length > maxLength) {
    throw typeError(name, `an array of up to ${maxLength} numbers, ${form}`, value);
  }
  return Array.from(value as readonly unknown[], (item, i) =>
    item === undefined ? undefined : checkInteger(item, `${name}[${i}]`),
  ) as number[];
}
