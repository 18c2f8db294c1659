/** The options of `tune`, checked. */
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

/** Sizes of a work-group to try for some values. */
export type Locals = "auto" | readonly (readonly number[] | null)[];

/** What is to be done. */
export interface TunePlan {
  readonly combinations: Combinations;
  readonly global: (values: TuningValues) => readonly number[];
  readonly offset: readonly number[] | undefined;
  readonly locals: (values: TuningValues) => Locals;
  readonly args: (config: TuningConfig) => readonly unknown[];
  readonly limit: number;
  readonly seed: number;
}

/** Checks everything; throws a sentence that names what is wrong. */
export function planTuning(options: TuneOptions): TunePlan {
  const { source, program, build, args, when, parameters, offset, limit, seed, kernel, key } = options;
  checkRunOptions(options);
  const given = Object.entries({ source, program, build }).filter(([, value]) => value !== undefined);
  if (given.length !== 1) {
    const names = given.map(([name]) => name).join(" and ") || "none";
    throw wrongValue(`options must have one of source, program and build, received ${names}`);
  }
  if (source !== undefined) checkString(source, "options.source");
  if (build !== undefined) checkFunction(build, "options.build");
  if (program !== undefined && !(program instanceof Program)) throw typeError("options.program", "a Program", program);
  if (kernel !== undefined) checkString(kernel, "options.kernel");
  if (key !== undefined) checkString(key, "options.key");
  if (when !== undefined) checkFunction(when, "options.when");
  const space = checkSpace(parameters, program !== undefined);
  const most = limit === undefined ? LIMIT : checkInteger(limit, "options.limit", 1, MOST);
  const start = seed === undefined ? 1 : checkInteger(seed, "options.seed");
  if (typeof args !== "function" && !Array.isArray(args)) {
    throw typeError("options.args", "an array with the kernel's arguments, or a function that gives one", args);
  }
  const chosen = combinations(space, (values) => when === undefined || checkAnswer(when(values)), most, start);
  if (chosen.chosen.length === 0) throw wrongValue("options.when is false for all of options.parameters");
  return {
    combinations: chosen,
    global: sizesFrom(options.global),
    offset: offset === undefined ? undefined : sizeOf(offset, "options.offset", 0),
    locals: localsFrom(options.local),
    args: (config) => argsFrom(args, config),
    limit: most,
    seed: start,
  };
}

/** Most candidates, if nobody says how many. */
export const LIMIT = 64;
const MOST = 4096;

/** What is the same for all tunings. */
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
      "options.parameters need a program for each choice of values: give options.source or options.build",
    );
  }
  for (const [name, values] of entries) {
    checkIdentifier(name, `the name of options.parameters.${name}`);
    if (!Array.isArray(values) || values.length === 0 || !values.every(isTuningValue)) {
      throw typeError(`options.parameters.${name}`, "an array of numbers or strings, at least one", values);
    }
    if (new Set(values).size < values.length) throw wrongValue(`options.parameters.${name} has a value twice`);
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

/** One to three whole numbers. */
function sizeOf(size: unknown, name: string, least: number): readonly number[] {
  if (typeof size === "number") return [checkInteger(size, name, least)];
  if (!Array.isArray(size) || size.length < 1 || size.length > 3) {
    throw typeError(name, "a whole number, or an array of one to three", size);
  }
  return size.map((one: unknown, i) => checkInteger(one, `${name}[${i}]`, least));
}

function argsFrom(args: TuneOptions["args"], config: TuningConfig): readonly unknown[] {
  if (typeof args !== "function") return args;
  const given: unknown = args(config);
  if (!Array.isArray(given)) throw typeError("the result of options.args", "an array of arguments", given);
  return given;
}
