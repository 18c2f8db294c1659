/** Detects elements that share bytes, within one layout or between two. */
import { byteRange, type Layout } from "./layout.js";

/** A term of a byte offset: `stride` times any integer from `low` to `high`. */
interface Term {
  readonly stride: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Maximum number of partial sums to try before an overlap is assumed, which is the safe answer. Layouts made by slicing
 * need a few per axis; only contrived strides need more.
 */
const maxSteps = 100_000;

/** Returns true if two elements of the layout share a byte. */
export function overlapsItself({ shape, strides }: Layout, itemSize: number): boolean {
  if (shape.includes(0)) return false;
  const axes = shape.flatMap((extent, i) => (extent > 1 ? [{ extent, stride: Math.abs(strides[i] as number) }] : []));
  axes.sort((a, b) => b.stride - a.stride);
  // Two elements have a first axis in which their indices differ; take the pair in the order that makes this difference
  // positive.
  return axes.some(({ extent, stride }, first) => {
    const rest = axes
      .slice(first + 1)
      .map((axis) => ({ stride: axis.stride, low: 1 - axis.extent, high: axis.extent - 1 }));
    return canReach([{ stride, low: 1, high: extent - 1 }, ...rest], 0, itemSize);
  });
}

/**
 * Returns true if an element of one layout shares a byte with one of the other. Both layouts are of the same memory.
 */
export function layoutsOverlap(one: Layout, other: Layout, itemSize: number): boolean {
  if (one.shape.includes(0) || other.shape.includes(0)) return false;
  const [[low, high], [otherLow, otherHigh]] = [byteRange(one, itemSize), byteRange(other, itemSize)];
  if (low >= otherHigh || otherLow >= high) return false;
  const terms = [...positiveTerms(one), ...positiveTerms(other)].sort((a, b) => b.stride - a.stride);
  // Offsets of `other` are subtracted: starting from its highest element makes every term positive.
  return canReach(terms, low - (otherHigh - itemSize), itemSize);
}

function positiveTerms({ shape, strides }: Layout): readonly Term[] {
  return shape.flatMap((extent, i) =>
    extent > 1 ? [{ stride: Math.abs(strides[i] as number), low: 0, high: extent - 1 }] : [],
  );
}

/**
 * Returns true if `start` plus a sum of the terms can be closer to 0 than `near`. Terms are sorted by descending
 * stride.
 */
function canReach(terms: readonly Term[], start: number, near: number): boolean {
  const least = new Float64Array(terms.length + 1);
  const most = new Float64Array(terms.length + 1);
  for (let i = terms.length - 1; i >= 0; i--) {
    const { stride, low, high } = terms[i] as Term;
    least[i] = (least[i + 1] as number) + stride * low;
    most[i] = (most[i + 1] as number) + stride * high;
  }
  let steps = 0;
  const from = (i: number, sum: number): boolean => {
    if (i === terms.length) return Math.abs(sum) < near;
    if (++steps > maxSteps) return true;
    const { stride, low, high } = terms[i] as Term;
    if (stride === 0) return from(i + 1, sum);
    // Only factors from which the remaining terms can still get close to 0.
    const first = Math.max(low, Math.floor((-near - (most[i + 1] as number) - sum) / stride) + 1);
    const last = Math.min(high, Math.ceil((near - (least[i + 1] as number) - sum) / stride) - 1);
    for (let factor = first; factor <= last; factor++) {
      if (from(i + 1, sum + factor * stride)) return true;
    }
    return false;
  };
  return from(0, start);
}
