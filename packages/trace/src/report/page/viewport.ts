/** Calculations with visible ranges. */

/** A time range. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Minimum visible range in nanoseconds. */
const minLength = 10;

/** Returns the range, shifted and shortened to fit into the limits. */
export function clamped({ from, to }: Range, limits: Range): Range {
  const maxLength = limits.to - limits.from;
  // Return the exact limits, so that "All" does not depend on the previous range.
  if (to - from >= maxLength) return limits;
  const length = Math.min(maxLength, Math.max(Math.min(minLength, maxLength), to - from));
  const middle = (from + to) / 2;
  const start = Math.min(limits.to - length, Math.max(limits.from, middle - length / 2));
  return { from: start, to: start + length };
}

/** Scales the range by a factor around a time. */
export function zoomed(range: Range, factor: number, around: number, limits: Range): Range {
  const length = Math.min(limits.to - limits.from, Math.max(minLength, (range.to - range.from) * factor));
  const position = (around - range.from) / (range.to - range.from);
  const from = around - position * length;
  return clamped({ from, to: from + length }, limits);
}

/** Shifts the range by a fraction of its length. */
export function panned(range: Range, share: number, limits: Range): Range {
  const offset = share * (range.to - range.from);
  return clamped({ from: range.from + offset, to: range.to + offset }, limits);
}

/** Interpolates between two ranges. The length changes exponentially, so that the zoom appears uniform. */
export function between(a: Range, b: Range, progress: number): Range {
  const [lengthA, lengthB] = [a.to - a.from, b.to - b.from];
  const length = lengthA * (lengthB / lengthA) ** progress;
  // Keep the time that is at the same position in both ranges, or move linearly without such a time.
  const weight = Math.abs(lengthB - lengthA) < 1e-9 * lengthA ? progress : (length - lengthA) / (lengthB - lengthA);
  const from = a.from + (b.from - a.from) * weight;
  return { from, to: from + length };
}

/** Returns a range centered on an item if the item is not clearly visible. */
export function showing(range: Range, item: Range, limits: Range): Range {
  const length = range.to - range.from;
  const isVisible = item.from >= range.from && item.to <= range.to && item.to - item.from > length / 400;
  if (isVisible) return range;
  const preferredLength = Math.max(item.to - item.from, minLength) * 8;
  const middle = (item.from + item.to) / 2;
  const newLength = Math.min(
    Math.max(length, (item.to - item.from) * 1.2),
    Math.max(preferredLength, (item.to - item.from) * 50),
  );
  return clamped({ from: middle - newLength / 2, to: middle + newLength / 2 }, limits);
}
