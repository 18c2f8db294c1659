/** Work-group sizes to try: supported by the device and the kernel, without idle lanes. */

/** Limits of work-group sizes. */
export interface LocalLimits {
  /** Maximum work-group size of the device and the kernel. */
  readonly maxGroup: number;
  /** Maximum size per dimension. */
  readonly maxSizes: readonly number[];
  /** Preferred multiple of the group size. */
  readonly multiple: number;
  /** Size that the source requires. */
  readonly required?: readonly number[] | undefined;
  /** Whether the last groups may be smaller, so that a size need not divide the global size. */
  readonly nonUniform: boolean;
}

/** Whether a kernel can run with this size. */
export function fits(local: readonly number[], global: readonly number[], limits: LocalLimits): boolean {
  const { maxGroup, maxSizes, required, nonUniform } = limits;
  if (local.length !== global.length || product(local) > maxGroup) return false;
  return local.every(
    (size, i) =>
      Number.isSafeInteger(size) &&
      size >= 1 &&
      size <= (maxSizes[i] ?? 1) &&
      (nonUniform || (global[i] as number) % size === 0) &&
      (required === undefined || size === required[i]),
  );
}

/**
 * Returns the sizes to try for a global size: products of powers of two and of three times these. If only small ones divide the
 * global size, also its other divisors. Sizes below the preferred multiple are omitted if there are larger ones.
 */
export function localSizes(global: readonly number[], limits: LocalLimits): readonly (readonly number[])[] {
  const { required, multiple } = limits;
  if (required !== undefined) {
    const only = required.slice(0, global.length);
    return fits(only, global, limits) ? [only] : [];
  }
  const lists = global.map((extent, i) => sizesForDimension(extent, i, limits));
  const all = combine(lists, limits.maxGroup);
  const largest = all.reduce((max, local) => Math.max(max, product(local)), 1);
  return all.filter((local) => product(local) >= Math.min(multiple, largest));
}

/** Returns the sizes for one dimension, ascending. */
function sizesForDimension(global: number, dimension: number, limits: LocalLimits): readonly number[] {
  const { maxGroup, maxSizes, nonUniform } = limits;
  const maxSize = Math.min(maxGroup, maxSizes[dimension] ?? 1, global);
  const found = new Set<number>();
  const add = (size: number): void => {
    if (size <= maxSize && (nonUniform || global % size === 0)) found.add(size);
  };
  for (let power = 1; power <= maxSize; power *= 2) {
    add(power);
    // 3 · 2ⁿ divides global sizes that powers of two do not. Other sizes between powers are not worth trying.
    if (global % 3 === 0) add(3 * power);
  }
  const largest = Math.max(...found);
  if (SMALL_FACTOR * largest <= maxSize) {
    for (let size = 1; size <= maxSize; size++) if (global % size === 0) found.add(size);
  }
  return [...found].toSorted((a, b) => a - b);
}

/** Other divisors are tried if the largest power is this many times smaller than the limit. */
const SMALL_FACTOR = 4;

/** Returns every combination whose product is at most `maxProduct`, first dimension fastest. */
function combine(lists: readonly (readonly number[])[], maxProduct: number): readonly (readonly number[])[] {
  let all: readonly (readonly number[])[] = [[]];
  for (const list of lists) {
    all = list.flatMap((size) => all.map((local) => [...local, size])).filter((local) => product(local) <= maxProduct);
  }
  return all;
}

export function product(factors: readonly number[]): number {
  return factors.reduce((all, factor) => all * factor, 1);
}
