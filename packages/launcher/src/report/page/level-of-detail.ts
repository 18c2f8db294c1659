/** What is drawn of a row: things that are narrower than a pixel become one rectangle a pixel, however many they are. */
import type { TimelineRow } from "./timeline-data.js";

/** One rectangle: a single thing, or several together. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  /** The index in the row of the thing, or of the longest of some of them. */
  readonly index: number;
  /** How many things it stands for. */
  readonly count: number;
  /** The share of its time in which one of them ran. */
  readonly share: number;
}

/** What is needed of a row. */
export type RowTimes = Pick<TimelineRow, "started" | "ended" | "busy">;

/**
 * Calls `draw` for each rectangle between two times, from left to right. `pixel` is the time that a pixel is wide. The
 * number of calls is bounded by that of pixels, and the time that it takes by that and the logarithm of the row's length.
 * Pixels are counted from time 0, so that what is seen does not flicker while it moves.
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
    // The last one may be long enough to be drawn alone.
    if (next > index + 1 && (ended[next - 1] as number) - (started[next - 1] as number) >= pixel) next--;
    const time = (busy[next] as number) - (busy[index] as number);
    const share = Math.min(1, time / pixel);
    draw({ from: bucket, to: bucket + pixel, index: longestOf(row, index, next), count: next - index, share });
    index = next;
  }
}

/** The index of what runs at a time, or of the nearest within a distance; -1 if there is none. */
export function indexAt({ started, ended }: RowTimes, time: number, reach: number): number {
  const after = firstEndingAfter(ended, time);
  if (after < started.length && (started[after] as number) <= time) return after;
  const left = after > 0 ? time - (ended[after - 1] as number) : Number.POSITIVE_INFINITY;
  const right = after < started.length ? (started[after] as number) - time : Number.POSITIVE_INFINITY;
  if (Math.min(left, right) > reach) return -1;
  return left < right ? after - 1 : after;
}

/** The share of the time between two in which something of the row runs. */
export function shareBetween({ started, ended, busy }: RowTimes, from: number, to: number): number {
  const first = firstEndingAfter(ended, from);
  const next = firstStartingAt(started, to, first);
  if (next <= first) return 0;
  const whole = (busy[next] as number) - (busy[first] as number);
  const before = Math.max(0, from - (started[first] as number));
  const behind = Math.max(0, (ended[next - 1] as number) - to);
  return Math.min(1, (whole - before - behind) / (to - from));
}

/** The first that ends after a time: `ended` rises, since things of a row do not overlap. */
export function firstEndingAfter(ended: Float64Array, time: number): number {
  let [low, high] = [0, ended.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ended[middle] as number) > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The first that starts at a time or later, looked for from `first` on in growing steps: it is mostly near. */
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

/** Of many only some are looked at. */
function longestOf({ started, ended }: RowTimes, first: number, next: number): number {
  const step = Math.max(1, Math.floor((next - first) / 16));
  let [longest, most] = [first, -1];
  for (let index = first; index < next; index += step) {
    const length = (ended[index] as number) - (started[index] as number);
    if (length > most) [longest, most] = [index, length];
  }
  return longest;
}
