/** Which work-group sizes promise something: those that the device and the kernel allow, and that waste no lanes. */

/** What decides which sizes are possible. */
export interface LocalLimits {
  /** Most work-items of a group, by the device and by the kernel. */
  readonly maxGroup: number;
  /** Most in each dimension. */
  readonly maxSizes: readonly number[];
  /** What a group's size should be a multiple of. */
  readonly multiple: number;
  /** The size that the source requires. */
  readonly required?: readonly number[] | undefined;
  /** True if groups at the end may be smaller, so that a size need not divide the global size. */
  readonly nonUniform: boolean;
}

/** True if a kernel can run with this size, as far as sizes go. */
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
 * Sizes to try over a global size: products of powers of two, of three times those, and, only small ones of these divide it, of
 * its other divisors. Groups smaller than the multiple are left out unless there is nothing else.
 */
export function localSizes(global: readonly number[], limits: LocalLimits): readonly (readonly number[])[] {
  const { required, multiple } = limits;
  if (required !== undefined) {
    const only = required.slice(0, global.length);
    return fits(only, global, limits) ? [only] : [];
  }
  const lists = global.map((extent, i) => extents(extent, i, limits));
  const all = crossed(lists, limits.maxGroup);
  const largest = all.reduce((most, local) => Math.max(most, product(local)), 1);
  return all.filter((local) => product(local) >= Math.min(multiple, largest));
}

/** Sizes for one dimension, small ones first. */
function extents(global: number, dimension: number, limits: LocalLimits): readonly number[] {
  const { maxGroup, maxSizes, nonUniform } = limits;
  const most = Math.min(maxGroup, maxSizes[dimension] ?? 1, global);
  const found = new Set<number>();
  const add = (size: number): void => {
    if (size <= most && (nonUniform || global % size === 0)) found.add(size);
  };
  for (let power = 1; power <= most; power *= 2) {
    add(power);
    // Three quarters of a power divide what powers do not, and sizes in between are worth a try only there.
    if (global % 3 === 0) add(3 * power);
  }
  const largest = Math.max(...found);
  if (FAR * largest <= most) for (let size = 1; size <= most; size++) if (global % size === 0) found.add(size);
  return [...found].toSorted((a, b) => a - b);
}

/** Where the powers end so far below what could be, other divisors are tried. */
const FAR = 4;

/** Every combination whose product is small enough, the first dimension changing fastest. */
function crossed(lists: readonly (readonly number[])[], most: number): readonly (readonly number[])[] {
  let all: readonly (readonly number[])[] = [[]];
  for (const list of lists) {
    all = list.flatMap((size) => all.map((local) => [...local, size])).filter((local) => product(local) <= most);
  }
  return all;
}

/** All factors multiplied. */
export function product(factors: readonly number[]): number {
  return factors.reduce((all, factor) => all * factor, 1);
}
