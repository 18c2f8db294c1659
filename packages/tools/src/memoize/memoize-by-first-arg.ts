/** Functions of an OpenCL object that compute each result once. */
import { checkFunction, checkOptions } from "@cl/base";
import type { Resource } from "@cl/core";

import { FirstArgCache } from "./first-arg-cache.js";

/** A function that remembers its results. */
export interface Memoized<A extends readonly [Resource, ...unknown[]], R> {
  (...args: A): R;
  /** Forgets all results. */
  clear(): void;
}

/** How to remember. */
export interface MemoizeOptions<A extends readonly [Resource, ...unknown[]]> {
  /** The values to remember a result by, instead of all arguments after the first. */
  readonly key?: (...args: A) => readonly unknown[];
}

/**
 * A function that computes each result once for its first argument, an OpenCL object, and its other arguments. The rules
 * are those of {@link FirstArgCache}: results end with the object, equal arguments are the same argument, promises that
 * reject are forgotten.
 *
 * @example
 * ```ts
 * const waveSize = memoizeByFirstArg((device: Device, bytes: number) => device.maxWorkGroupSize / bytes);
 * waveSize(context.devices[0]!, 4);
 * ```
 */
export function memoizeByFirstArg<A extends readonly [Resource, ...unknown[]], R>(
  compute: (...args: A) => R,
  options?: MemoizeOptions<A>,
): Memoized<A, R> {
  checkFunction(compute, "compute");
  const { key } = checkOptions(options, ["key"]);
  if (key !== undefined) checkFunction(key, "options.key");
  const cache = new FirstArgCache<R>();
  const memoized = (...args: A): R => {
    const [first, ...rest] = args;
    return cache.get(first, key === undefined ? rest : key(...args), () => compute(...args));
  };
  return Object.assign(memoized, { clear: () => cache.clear() });
}
