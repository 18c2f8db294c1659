/**
 * Boxes of bytes inside linear memory, as rectangular copies use them: an origin and a region in [bytes, rows, slices],
 * and the distances from row to row and from slice to slice.
 */
import { checkInteger, outOfRange, typeError } from "@cl/base";

/** Bytes, rows and slices; what is left out at the end counts as 0 in an origin and as 1 in a region. */
export type BoxNumbers = readonly [bytes: number, rows?: number, slices?: number];

/** Bytes from row to row and from slice to slice; 0 or nothing for rows and slices without gaps. */
export type Pitches = readonly [row?: number, slice?: number];

/** Three numbers, none left out. */
export type Triple = readonly [number, number, number];

/** One side of a rectangular copy: where the box starts, and the distances between its rows and slices. */
export interface BoxPlace {
  readonly origin: Triple;
  readonly pitches: readonly [row: number, slice: number];
}

/** Up to three numbers with the missing ones added. */
export function triple(value: BoxNumbers | undefined, name: string, missing: 0 | 1): Triple {
  if (value === undefined) return [missing, missing, missing];
  const list = numbers(value, name, 3, "[bytes, rows, slices]");
  return [list[0] ?? missing, list[1] ?? missing, list[2] ?? missing];
}

/** One side of a copy of `region`, checked. */
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
      `${side}Pitches[0], from row to row, must be at least a row's ${region[0]} bytes, received ${row}`,
    );
  }
  const slice = given[1] || row * region[1];
  if (slice < row * region[1] || slice % row !== 0) {
    throw outOfRange(
      `${side}Pitches[1], from slice to slice, must be a multiple of the row pitch ${row} and at least ${row * region[1]}, received ${slice}`,
    );
  }
  return { origin: triple(origin, `${side}Origin`, 0), pitches: [row, slice] };
}

/** The byte at which a box starts. */
export function boxStart({ origin, pitches }: BoxPlace): number {
  return origin[0] + origin[1] * pitches[0] + origin[2] * pitches[1];
}

/** The byte after a box's last one. */
export function boxEnd(place: BoxPlace, region: Triple): number {
  return boxStart(place) + region[0] + (region[1] - 1) * place.pitches[0] + (region[2] - 1) * place.pitches[1];
}

/** True if two boxes of the same region and pitches share a byte; `distance` is from one's first byte to the other's. */
export function boxesOverlap(distance: number, region: Triple, [row, slice]: readonly [number, number]): boolean {
  // They do if distance = x + y * row + z * slice with |x| < region[0], |y| < region[1], |z| < region[2]. As rows do not
  // reach into each other, nor slices, only the two nearest z and for each the two nearest y can do it.
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

function numbers(value: unknown, name: string, most: number, form: string): readonly number[] {
  if (!Array.isArray(value) || value.length > most) {
    throw typeError(name, `an array of up to ${most} numbers, ${form}`, value);
  }
  return Array.from(value as readonly unknown[], (one, i) =>
    one === undefined ? undefined : checkInteger(one, `${name}[${i}]`),
  ) as number[];
}
