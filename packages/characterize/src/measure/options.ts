/** What `characterize` can be told, checked. */
import { checkBoolean, checkFunction, checkInteger, checkOptions, checkSignal, rangeError, typeError } from "@cl/base";

import { type CharacteristicsGroup, groups } from "./characteristics.js";

/** Where a measurement stands. */
export interface CharacterizeProgress {
  /** The group at work. */
  readonly group: CharacteristicsGroup;
  /** What of it. */
  readonly name: string;
  /** From 0 to 1, over all groups; it never falls. */
  readonly fraction: number;
}

/** How to measure a device. */
export interface CharacterizeOptions {
  /** Stops measuring; the promise is rejected with its reason. */
  readonly signal?: AbortSignal;
  /** Called after each turn of each measurement. */
  readonly onProgress?: (progress: CharacterizeProgress) => void;
  /** Fewer sizes and forms, fewer and shorter rounds: a first impression. */
  readonly quick?: boolean;
  /** Only these groups. */
  readonly only?: readonly CharacteristicsGroup[];
  /** Whether to look into the cache on disk, and to keep the result there: true if not said. */
  readonly cache?: boolean;
  /** Measure again even if the cache has it. */
  readonly refresh?: boolean;
  /** Seconds to spend on each figure, about: 0.05, or 0.015 if quick. Another value than that is not cached. */
  readonly duration?: number;
  /** Most bytes of a transfer: 256 MiB, or 64 if quick; less if the device has less. Another value is not cached. */
  readonly maxBytes?: number;
}

/** The options with everything filled in. */
export interface CharacterizePlan {
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: CharacterizeProgress) => void) | undefined;
  readonly quick: boolean;
  readonly wanted: readonly CharacteristicsGroup[];
  readonly cache: boolean;
  readonly refresh: boolean;
  readonly duration: number;
  readonly rounds: number;
  readonly maxBytes: number;
}

/** Checks the options. */
export function planOf(options: CharacterizeOptions | undefined): CharacterizePlan {
  const given = checkOptions(options, [
    "signal",
    "onProgress",
    "quick",
    "only",
    "cache",
    "refresh",
    "duration",
    "maxBytes",
  ]);
  const quick = checkBoolean(given.quick, "options.quick", false);
  const standard = quick ? { duration: 0.015, maxBytes: 64 * MiB } : { duration: 0.05, maxBytes: 256 * MiB };
  const duration = checkDuration(given.duration ?? standard.duration);
  const maxBytes = checkInteger(given.maxBytes ?? standard.maxBytes, "options.maxBytes", MiB);
  const usual = duration === standard.duration && maxBytes === standard.maxBytes;
  return {
    signal: checkSignal(given.signal),
    onProgress: given.onProgress && checkFunction(given.onProgress, "options.onProgress"),
    quick,
    wanted: given.only === undefined ? groups : checkGroups(given.only),
    cache: checkBoolean(given.cache, "options.cache", true) && usual,
    refresh: checkBoolean(given.refresh, "options.refresh", false),
    duration,
    rounds: quick ? 3 : 5,
    maxBytes,
  };
}

const MiB = 2 ** 20;

function checkDuration(value: unknown): number {
  if (typeof value !== "number") throw typeError("options.duration", "a number of seconds", value);
  if (!(value > 0 && value <= 10)) throw rangeError("options.duration", "above 0 and at most 10 seconds", value);
  return value;
}

function checkGroups(only: unknown): readonly CharacteristicsGroup[] {
  const names = groups.join(", ");
  if (!Array.isArray(only) || only.length === 0) {
    throw typeError("options.only", `an array with some of ${names}`, only);
  }
  for (const [i, name] of (only as readonly unknown[]).entries()) {
    if (!groups.some((group) => group === name)) throw typeError(`options.only[${i}]`, `one of ${names}`, name);
  }
  return groups.filter((group) => only.includes(group));
}
