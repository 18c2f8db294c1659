/** Level of detail: items narrower than a pixel are merged into one rectangle per pixel. */
import type { TimelineRow } from "./timeline-data.js";

/** A rectangle: a single item, or several merged ones. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  /** Index in the row of the item, or of the longest merged item. */
  readonly index: number;
  /** Number of items. */
  readonly count: number;
  /** Fraction of the rectangle's time in which an item ran. */
  readonly share: number;
}

export type RowTimes = Pick<TimelineRow, "started" | "ended" | "busy">;

/**
 * Calls `draw` for each rectangle between two times, from left to right. `pixel` is the time per pixel. The number of calls is
 * bounded by the number of pixels, and the running time by that times the logarithm of the row's length. Pixels are aligned to
 * time 0, so that panning does not flicker.
 */
export function visiblePieces(
  row: RowTimes,
  from: number,
  to: number,
  pixel: number,
  draw: (piece: Piece) => void,
): void {
  const { started, ended, busy } = row;
  let index = firstEndingAfter(ended, from);
  while (index < started.length && (started[index] as number) <= to) {
    const start = started[index] as number;
    const end = ended[index] as number;
    if (end - start >= pixel) {
      draw({ from: start, to: end, index, count: 1, share: 1 });
      index++;
      continue;
    }
    const bucket = Math.floor(start / pixel) * pixel;
    let next = firstStartingAt(started, bucket + pixel, index + 1);
    // The last item may be wide enough for a separate rectangle.
    if (next > index + 1 && (ended[next - 1] as number) - (started[next - 1] as number) >= pixel) next--;
    const time = (busy[next] as number) - (busy[index] as number);
    const share = Math.min(1, time / pixel);
    draw({ from: bucket, to: bucket + pixel, index: longestOf(row, index, next), count: next - index, share });
    index = next;
  }
}

/** Returns the index of the item at a time, or of the nearest one within `reach`, or -1. */
export function indexAt({ started, ended }: RowTimes, time: number, reach: number): number {
  const after = firstEndingAfter(ended, time);
  if (after < started.length && (started[after] as number) <= time) return after;
  const left = after > 0 ? time - (ended[after - 1] as number) : Number.POSITIVE_INFINITY;
  const right = after < started.length ? (started[after] as number) - time : Number.POSITIVE_INFINITY;
  if (Math.min(left, right) > reach) return -1;
  return left < right ? after - 1 : after;
}

/** Returns the fraction of the time range in which an item of the row runs. */
export function shareBetween({ started, ended, busy }: RowTimes, from: number, to: number): number {
  const first = firstEndingAfter(ended, from);
  const next = firstStartingAt(started, to, first);
  if (next <= first) return 0;
  const total = (busy[next] as number) - (busy[first] as number);
  const before = Math.max(0, from - (started[first] as number));
  const after = Math.max(0, (ended[next - 1] as number) - to);
  return Math.min(1, (total - before - after) / (to - from));
}

/** Returns the first item that ends after a time. `ended` is sorted, since items of a row do not overlap. */
export function firstEndingAfter(ended: Float64Array, time: number): number {
  let [low, high] = [0, ended.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ended[middle] as number) > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the first item from `first` on that starts at a time or later. Uses galloping search, since it is usually near. */
function firstStartingAt(started: Float64Array, time: number, first: number): number {
  let [low, step] = [first, 1];
  while (low + step < started.length && (started[low + step] as number) < time) {
    low += step;
    step *= 2;
  }
  let high = Math.min(started.length, low + step);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((started[middle] as number) >= time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the longest of a sample of items. */
function longestOf({ started, ended }: RowTimes, first: number, next: number): number {
  const step = Math.max(1, Math.floor((next - first) / 16));
  let [longest, most] = [first, -1];
  for (let index = first; index < next; index += step) {
    const length = (ended[index] as number) - (started[index] as number);
    if (length > most) [longest, most] = [index, length];
  }
  return longest;
}
