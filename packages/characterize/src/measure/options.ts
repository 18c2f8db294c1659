/** Options of `characterize`. */
import { checkBoolean, checkFunction, checkInteger, checkOptions, checkSignal, rangeError, typeError } from "@cl/base";

import { type CharacteristicsGroup, groups } from "./characteristics.js";

/** Progress of a measurement. */
export interface CharacterizeProgress {
  /** Current group. */
  readonly group: CharacteristicsGroup;
  /** Current measurement. */
  readonly name: string;
  /** Completed fraction of all groups, from 0 to 1; never decreases. */
  readonly fraction: number;
}

/** Options of `characterize`. */
export interface CharacterizeOptions {
  /** Aborts the measurement; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called after each sample of each measurement. */
  readonly onProgress?: (progress: CharacterizeProgress) => void;
  /** Measures fewer sizes and variants in fewer and shorter rounds, for a rough estimate. @defaultValue false */
  readonly quick?: boolean;
  /** Groups to measure. @defaultValue all */
  readonly only?: readonly CharacteristicsGroup[];
  /** Whether to read and write the cache on disk. @defaultValue true */
  readonly cache?: boolean;
  /** Measures again even if the result is cached. @defaultValue false */
  readonly refresh?: boolean;
  /**
   * Approximate seconds per measurement. Other values than the default disable the cache.
   * @defaultValue 0.05, or 0.015 if `quick`
   */
  readonly duration?: number;
  /**
   * Maximum size of a transfer in bytes, reduced if the device has less memory. Other values than the default disable
   * the cache.
   *
   * @defaultValue 256 MiB, or 64 MiB if `quick`
   */
  readonly maxBytes?: number;
}

/** The checked options with defaults. */
export interface CharacterizePlan {
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: CharacterizeProgress) => void) | undefined;
  readonly quick: boolean;
  readonly groups: readonly CharacteristicsGroup[];
  readonly cache: boolean;
  readonly refresh: boolean;
  readonly duration: number;
  readonly rounds: number;
  readonly maxBytes: number;
}

/** Checks the options. */
export function planOf(options: CharacterizeOptions | undefined): CharacterizePlan {
  const checked = checkOptions(options, [
    "signal",
    "onProgress",
    "quick",
    "only",
    "cache",
    "refresh",
    "duration",
    "maxBytes",
  ]);
  const quick = checkBoolean(checked.quick, "options.quick", false);
  const standard = quick ? { duration: 0.015, maxBytes: 64 * MiB } : { duration: 0.05, maxBytes: 256 * MiB };
  const duration = checkDuration(checked.duration ?? standard.duration);
  const maxBytes = checkInteger(checked.maxBytes ?? standard.maxBytes, "options.maxBytes", MiB);
  const isStandard = duration === standard.duration && maxBytes === standard.maxBytes;
  return {
    signal: checkSignal(checked.signal),
    onProgress: checked.onProgress && checkFunction(checked.onProgress, "options.onProgress"),
    quick,
    groups: checked.only === undefined ? groups : checkGroups(checked.only),
    cache: checkBoolean(checked.cache, "options.cache", true) && isStandard,
    refresh: checkBoolean(checked.refresh, "options.refresh", false),
    duration,
    rounds: quick ? 3 : 5,
    maxBytes,
  };
}

const MiB = 2 ** 20;

function checkDuration(value: unknown): number {
  if (typeof value !== "number") throw typeError("options.duration", "a number of seconds", value);
  if (!(value > 0 && value <= 10)) throw rangeError("options.duration", "greater than 0 and at most 10 seconds", value);
  return value;
}

function checkGroups(only: unknown): readonly CharacteristicsGroup[] {
  const names = groups.join(", ");
  if (!Array.isArray(only) || only.length === 0) {
    throw typeError("options.only", `a non-empty array of ${names}`, only);
  }
  for (const [i, name] of (only as readonly unknown[]).entries()) {
    if (!groups.some((group) => group === name)) throw typeError(`options.only[${i}]`, `one of ${names}`, name);
  }
  return groups.filter((group) => only.includes(group));
}
