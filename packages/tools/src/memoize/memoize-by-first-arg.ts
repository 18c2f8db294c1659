/** Memoization of functions of an OpenCL object. */
import { checkFunction, checkOptions } from "@cl/base";
import type { Resource } from "@cl/core";

import { FirstArgCache } from "./first-arg-cache.js";

/** A memoized function. */
export interface Memoized<A extends readonly [Resource, ...unknown[]], R> {
  (...args: A): R;
  /** Clears the cached results. */
  clear(): void;
}

/** Options of {@link memoizeByFirstArg}. */
export interface MemoizeOptions<A extends readonly [Resource, ...unknown[]]> {
  /** Returns the values that identify a result. @defaultValue all arguments after the first */
  readonly key?: (...args: A) => readonly unknown[];
}

/**
 * Memoizes a function by its first argument, an OpenCL object, and its other arguments. The rules are those of {@link
 * FirstArgCache}: results are collected with the object, arguments are compared by value, and rejected promises are not
 * cached.
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
