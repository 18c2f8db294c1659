/** The part of the trace that is seen, and how it moves. */

/** A part of the trace. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** So much is seen at least: ten nanoseconds. */
const shortest = 10;

/** The range, moved into the limits and no longer than they are. */
export function clamped({ from, to }: Range, limits: Range): Range {
  const most = limits.to - limits.from;
  // Exactly, so that "all" is the same whatever was seen before.
  if (to - from >= most) return limits;
  const length = Math.min(most, Math.max(Math.min(shortest, most), to - from));
  const middle = (from + to) / 2;
  const start = Math.min(limits.to - length, Math.max(limits.from, middle - length / 2));
  return { from: start, to: start + length };
}

/** Longer (more than 1) or shorter, while the time `around` stays where it is seen. */
export function zoomed(range: Range, factor: number, around: number, limits: Range): Range {
  const length = Math.min(limits.to - limits.from, Math.max(shortest, (range.to - range.from) * factor));
  const place = (around - range.from) / (range.to - range.from);
  const from = around - place * length;
  return clamped({ from, to: from + length }, limits);
}

/** Moved by a share of its length. */
export function panned(range: Range, share: number, limits: Range): Range {
  const by = share * (range.to - range.from);
  return clamped({ from: range.from + by, to: range.to + by }, limits);
}

/** Between two ranges; lengths change by factors, since that looks even. */
export function between(a: Range, b: Range, progress: number): Range {
  const [one, other] = [a.to - a.from, b.to - b.from];
  const length = one * (other / one) ** progress;
  // The place that both show at the same spot stays; where there is none, middles move.
  const weight = Math.abs(other - one) < 1e-9 * one ? progress : (length - one) / (other - one);
  const from = a.from + (b.from - a.from) * weight;
  return { from, to: from + length };
}

/** With a thing of another range in the middle, if it is not seen well now. */
export function showing(range: Range, thing: Range, limits: Range): Range {
  const length = range.to - range.from;
  const seen = thing.from >= range.from && thing.to <= range.to && thing.to - thing.from > length / 400;
  if (seen) return range;
  const wanted = Math.max(thing.to - thing.from, shortest) * 8;
  const middle = (thing.from + thing.to) / 2;
  const kept = Math.min(
    Math.max(length, (thing.to - thing.from) * 1.2),
    Math.max(wanted, (thing.to - thing.from) * 50),
  );
  return clamped({ from: middle - kept / 2, to: middle + kept / 2 }, limits);
}
