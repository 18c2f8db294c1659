/**
 * The distributions in OpenCL C: uniform, normal, exponential and integer numbers from words of a stream. They only use
 * products, sums and square roots, which all devices round alike, so the numbers are the same on all of them, and CPUs
 * can vectorize the code without calls.
 */
import { type Macros, macros } from "../kernels/macros.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import doubleCircle from "./double-circle.cl";
import doubleLogarithm from "./double-logarithm.cl";
import doubleNumbers from "./double-numbers.cl";
import floatNumbers from "./float-numbers.cl";
import integerNumbers from "./integer-numbers.cl";
import lanesHead from "./lanes.cl";
import { lanes } from "./stream-source.js";

/**
 * A distribution. `unit` is uniform in [0, 1); `integers` have ranges up to 2^32, `wideIntegers` up to 2^64; `words`
 * are the raw stream.
 */
export type Distribution = "unit" | "uniform" | "normal" | "exponential" | "integers" | "wideIntegers" | "words";

/** How a distribution's numbers come from the words of a block. */
export interface DistributionText {
  /** The type in which they are computed. */
  readonly type: "float" | "double" | "uint" | "ulong";
  /** How many a block makes. */
  readonly count: 1 | 2 | 4;
  /** The function `numbers`, and of vectors `numbers8` if `wide`. */
  readonly code: (wide: boolean) => string;
}

/** Returns how many numbers of a distribution and dtype a block yields. */
export function numbersOfBlock(distribution: Distribution, dtype: DTypeName): 1 | 2 | 4 {
  if (distribution === "words") return 4;
  if (distribution === "integers") return 2;
  if (distribution === "wideIntegers") return 1;
  return dtype === "float64" ? 2 : 4;
}

/** The text of a distribution. */
export function distributionOf(distribution: Distribution, dtype: DTypeName): DistributionText {
  const count = numbersOfBlock(distribution, dtype);
  const whole = kindOf(dtype) < 3;
  const type = distribution === "words" ? "uint" : whole ? "ulong" : dtype === "float64" ? "double" : "float";
  const names = {
    IS_WORDS: distribution === "words",
    IS_SHORT: distribution === "integers",
    IS_UNIT: distribution === "unit",
    IS_UNIFORM: distribution === "uniform",
    IS_EXPONENTIAL: distribution === "exponential",
    ...(dtype === "float16" ? { SHIFT: 21, UNIT: "0x1p-11f" } : { SHIFT: 8, UNIT: "0x1p-24f" }),
  };
  const text = whole ? integerNumbers : type === "double" ? doubleText(distribution) : floatNumbers;
  return { type, count, code: (wide) => `${laneTypes}${macros(names)}${ofOne(text)}${wide ? ofLanes(text) : ""}` };
}

function doubleText(distribution: Distribution): string {
  const isLogarithmic = distribution === "exponential" || distribution === "normal";
  return `${isLogarithmic ? doubleLogarithm : ""}${distribution === "normal" ? doubleCircle : ""}${doubleNumbers}`;
}

/** The types that texts of {@link ofOne} and {@link ofLanes} depend on. */
export const laneTypes: string = lanesHead;

/** Functions of one number. */
export function ofOne(text: string): string {
  return of({ "OF(name)": "name", "ONE_IF(condition)": "(ulong)(condition)" }, text);
}

/** Functions of several numbers in vectors, whose names end in how many these are. */
export function ofLanes(text: string): string {
  return of({ "OF(name)": `name##${lanes}`, "ONE_IF(condition)": `as_ulong${lanes}(condition) & 1` }, text);
}

function of(names: Macros, text: string): string {
  return `${macros(names)}${text}#undef OF\n#undef ONE_IF\n`;
}
