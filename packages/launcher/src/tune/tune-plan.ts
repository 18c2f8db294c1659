/** Checks the options of `tune`. */
import {
  checkBoolean,
  checkFunction,
  checkIdentifier,
  checkInteger,
  checkSignal,
  checkString,
  rangeError,
  typeError,
  wrongValue,
} from "@cl/base";
import { Program } from "@cl/core";

import { combinations, type Combinations } from "./combinations.js";
import type { TuneOptions, TuningConfig, TuningRunOptions, TuningSpace, TuningValues } from "./tune-types.js";
import { isTuningValue } from "./tuning-cache.js";

/** Local sizes to try. */
export type Locals = "auto" | readonly (readonly number[] | null)[];

/** A checked tuning. */
export interface TunePlan {
  readonly combinations: Combinations;
  readonly global: (values: TuningValues) => readonly number[];
  readonly offset: readonly number[] | undefined;
  readonly locals: (values: TuningValues) => Locals;
  readonly args: (config: TuningConfig) => readonly unknown[];
  readonly limit: number;
  readonly seed: number;
}

/** Checks all options. */
export function planTuning(options: TuneOptions): TunePlan {
  const { source, program, build, args, when, parameters, offset, limit, seed, kernel, key } = options;
  checkRunOptions(options);
  const sources = Object.entries({ source, program, build }).filter(([, value]) => value !== undefined);
  if (sources.length !== 1) {
    const names = sources.map(([name]) => name).join(" and ") || "none";
    throw wrongValue(`options must have one of source, program and build, received ${names}`);
  }
  if (source !== undefined) checkString(source, "options.source");
  if (build !== undefined) checkFunction(build, "options.build");
  if (program !== undefined && !(program instanceof Program)) throw typeError("options.program", "a Program", program);
  if (kernel !== undefined) checkString(kernel, "options.kernel");
  if (key !== undefined) checkString(key, "options.key");
  if (when !== undefined) checkFunction(when, "options.when");
  const space = checkSpace(parameters, program !== undefined);
  const maxCandidates = limit === undefined ? LIMIT : checkInteger(limit, "options.limit", 1, MOST);
  const initialSeed = seed === undefined ? 1 : checkInteger(seed, "options.seed");
  if (typeof args !== "function" && !Array.isArray(args)) {
    throw typeError("options.args", "an array with the kernel's arguments, or a function that returns one", args);
  }
  const chosen = combinations(
    space,
    (values) => when === undefined || checkAnswer(when(values)),
    maxCandidates,
    initialSeed,
  );
  if (chosen.chosen.length === 0) throw wrongValue("options.when must be true for some of options.parameters");
  return {
    combinations: chosen,
    global: sizesFrom(options.global),
    offset: offset === undefined ? undefined : sizeOf(offset, "options.offset", 0),
    locals: localsFrom(options.local),
    args: (config) => argsFrom(args, config),
    limit: maxCandidates,
    seed: initialSeed,
  };
}

/** Default maximum number of candidates. */
export const LIMIT = 64;
const MOST = 4096;

/** Checks the options that all tunings share. */
export function checkRunOptions({ verify, cache, seconds, signal, onProgress }: TuningRunOptions): void {
  if (typeof verify !== "function") checkBoolean(verify, "options.verify", false);
  checkBoolean(cache, "options.cache", true);
  if (seconds !== undefined && !(typeof seconds === "number" && seconds > 0)) {
    throw rangeError("options.seconds", "a number above 0", seconds);
  }
  checkSignal(signal)?.throwIfAborted();
  if (onProgress !== undefined) checkFunction(onProgress, "options.onProgress");
}

function checkSpace(parameters: unknown, fixed: boolean): TuningSpace {
  if (parameters === undefined) return {};
  if (typeof parameters !== "object" || parameters === null || Array.isArray(parameters)) {
    throw typeError("options.parameters", "an object with the values to try of each parameter", parameters);
  }
  const entries = Object.entries(parameters as Readonly<Record<string, unknown>>);
  if (fixed && entries.length > 0) {
    throw wrongValue(
      "options.parameters requires options.source or options.build, since each combination needs a program",
    );
  }
  for (const [name, values] of entries) {
    checkIdentifier(name, `the name of options.parameters.${name}`);
    if (!Array.isArray(values) || values.length === 0 || !values.every(isTuningValue)) {
      throw typeError(`options.parameters.${name}`, "a non-empty array of numbers or strings", values);
    }
    if (new Set(values).size < values.length) {
      throw wrongValue(`options.parameters.${name} must not contain duplicates`);
    }
  }
  return parameters as TuningSpace;
}

function checkAnswer(answer: unknown): boolean {
  if (typeof answer !== "boolean") throw typeError("the result of options.when", "true or false", answer);
  return answer;
}

function sizesFrom(global: unknown): (values: TuningValues) => readonly number[] {
  if (typeof global !== "function") {
    const size = sizeOf(global, "options.global", 1);
    return () => size;
  }
  const compute = global as (values: TuningValues) => unknown;
  return (values) => sizeOf(compute(values), "the result of options.global", 1);
}

function localsFrom(local: unknown): (values: TuningValues) => Locals {
  if (local === undefined || local === "auto") return () => "auto";
  if (typeof local === "function") {
    const compute = local as (values: TuningValues) => unknown;
    return (values) => [sizeOrNull(compute(values), "the result of options.local")];
  }
  if (!Array.isArray(local) || local.length === 0) {
    throw typeError("options.local", '"auto", an array of sizes to try, or a function of the parameters', local);
  }
  const sizes = local.map((size: unknown, i) => sizeOrNull(size, `options.local[${i}]`));
  return () => sizes;
}

function sizeOrNull(size: unknown, name: string): readonly number[] | null {
  return size === null ? null : sizeOf(size, name, 1);
}

/** Checks a size of one to three integers. */
function sizeOf(size: unknown, name: string, min: number): readonly number[] {
  if (typeof size === "number") return [checkInteger(size, name, min)];
  if (!Array.isArray(size) || size.length < 1 || size.length > 3) {
    throw typeError(name, "an integer, or an array of one to three integers", size);
  }
  return size.map((extent: unknown, i) => checkInteger(extent, `${name}[${i}]`, min));
}

function argsFrom(args: TuneOptions["args"], config: TuningConfig): readonly unknown[] {
  if (typeof args !== "function") return args;
  const result: unknown = args(config);
  if (!Array.isArray(result)) throw typeError("the result of options.args", "an array of arguments", result);
  return result;
}
