/**
 * OpenCL C of distributions that need a variable number of words: each element has a block of the stream, and if that
 * is not enough, the blocks whose counters are larger by multiples of 2^96. So each element is a function of its index.
 */
import { macros } from "../kernels/macros.js";
import { quiet } from "../kernels/processor-source.js";
import { stored, storedType } from "../kernels/compute-type.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import binomial from "./binomial.cl";
import countLanes from "./count-lanes.cl";
import { laneTypes, ofLanes, ofOne } from "./distributions.js";
import doubleCircle from "./double-circle.cl";
import doubleLogarithm from "./double-logarithm.cl";
import fillEach from "./fill-each.cl";
import gammaLanes from "./gamma-lanes.cl";
import gamma from "./gamma.cl";
import type { GeneratorName } from "./generators.js";
import poisson from "./poisson.cl";
import randomAttempt from "./random-attempt.cl";
import realLanes from "./real-lanes.cl";
import realNumbers from "./real-numbers.cl";
import { streamHead } from "./stream-source.js";
import weighted from "./weighted.cl";

/** What is made of blocks one by one. */
export type ElementDistribution = "poisson" | "binomial" | "gamma" | "logGamma" | "weighted";

/** More attempts than a rejection takes but once in 10^30 times: loops must end on every device. */
const maxAttempts = 256;

/** Returns the kernel `fill_each`. */
export function elementSource(
  generator: GeneratorName,
  distribution: ElementDistribution,
  dtype: DTypeName,
  loops: boolean,
): string {
  const isWeighted = distribution === "weighted";
  const attempts = distribution === "gamma" || distribution === "logGamma" ? 2 : 1;
  // Most first attempts succeed, so they are worth computing together.
  const isTried = loops && !isWeighted && distribution !== "logGamma";
  const names = {
    ...storeMacros(dtype),
    ...(isWeighted ? { "STORE(i, number)": storedIndex(dtype) } : {}),
    IS_WEIGHTED: isWeighted,
    IS_TRIED: isTried,
    "DRAWN(i, ready)": `${distribution}(&by, (ulong)(i), ready, ${isWeighted ? "p, count" : "&law"})`,
  };
  const law = isWeighted ? weighted : `${realHead}${lawOf(distribution, isTried)}`;
  return `${isWeighted ? "" : doubles}${attemptSource(generator, loops, attempts)}${law}${macros(names)}${fillEach}`;
}

/** The function of a distribution, and those of first attempts computed together. */
function lawOf(distribution: Exclude<ElementDistribution, "weighted">, isTried: boolean): string {
  const head = isTried ? `${ofLanes(doubleLogarithm)}${realLanes}` : "";
  const lanes = isTried ? `${macros({ IS_POISSON: distribution === "poisson" })}${head}${countLanes}` : "";
  switch (distribution) {
    case "poisson":
      return `${poisson}${lanes}`;
    case "binomial":
      return `${binomial}${lanes}`;
    case "gamma":
    case "logGamma": {
      const names = macros({ IS_LOG: distribution === "logGamma", GAMMA: distribution });
      return `${ofOne(doubleCircle)}${names}${gamma}${isTried ? `${head}${ofLanes(doubleCircle)}${gammaLanes}` : ""}`;
    }
    default:
      return distribution satisfies never;
  }
}

/** Enables the type in which most distributions are computed. */
export const doubles = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";

/** The function `random_attempt`, which returns the words of an attempt of a block. */
export function attemptSource(generator: GeneratorName, loops: boolean, attempts: number): string {
  const names = macros({ ATTEMPTS: attempts, MAX_ATTEMPTS: maxAttempts });
  return `${quiet}\n${streamHead(generator, loops)}${names}${randomAttempt}`;
}

/** Functions of single numbers of type double. */
export const realHead: string = `${laneTypes}${ofOne(doubleLogarithm)}${realNumbers}`;

/**
 * Returns the macros that store a number of type double as an element. Integers out of range become the closest one, and
 * NaN becomes 0.
 */
export function storeMacros(dtype: DTypeName): Readonly<Record<"T" | "STORE(i, number)", string>> {
  return { T: storedType(dtype), "STORE(i, number)": storedNumber(dtype) };
}

function storedNumber(dtype: DTypeName): string {
  const out = storedType(dtype);
  const put = (number: string): string => stored(dtype, "out", "by.base + i", number);
  if (dtype === "float16") return put("(float)(number)");
  if (kindOf(dtype) === 3) return put(`(${out})(number)`);
  return `{ const double drawn_ = number; ${put(`drawn_ == drawn_ ? convert_${out}_sat(drawn_) : 0`)} }`;
}

function storedIndex(dtype: DTypeName): string {
  return stored(dtype, "out", "by.base + i", `convert_${storedType(dtype)}_sat(number)`);
}
