/**
 * OpenCL C of distributions that need a variable number of words: each element has a block of the stream, and if that
 * is not enough, the blocks whose counters are larger by multiples of 2^96. So each element is a function of its index.
 */
import { quiet } from "../kernels/processor-source.js";
import { stored, storedType } from "../kernels/compute-type.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import { doubleCircle, doubleLogarithm } from "./distributions.js";
import { readyWords, triedSource } from "./element-lanes-source.js";
import type { GeneratorName } from "./generators.js";
import { lanes, streamHead } from "./stream-source.js";

/** What is made of blocks one by one. */
export type ElementDistribution = "poisson" | "binomial" | "gamma" | "logGamma" | "weighted";

/** More attempts than a rejection takes but once in 10^30 times: loops must end on every device. */
const maxAttempts = 256;

/**
 * Returns the kernel; `p` and `q` are parameters with a stride of 0 or 1. Scalar parameters are kernel arguments and
 * use no memory.
 */
export function elementSource(
  generator: GeneratorName,
  distribution: ElementDistribution,
  dtype: DTypeName,
  loops: boolean,
): string {
  const out = storedType(dtype);
  const parameters =
    distribution === "weighted"
      ? "__global const ulong *const p, const long count"
      : "__global const double *const p, const long p_step, const double p_all, __global const double *const q, const long q_step, const double q_all";
  const store = (place: string, ready: string, known = ""): string => {
    const call = distribution === "weighted" ? "p, count" : "&law";
    const value = `${known}${distribution}(&by, (ulong)(${place}), ${ready}, ${call})`;
    if (distribution !== "weighted") return storedNumber(dtype, place, value);
    return stored(dtype, "out", `by.base + ${place}`, `convert_${out}_sat(${value})`);
  };
  // What depends on parameters only is computed once if they are the same for all.
  const begin = distribution === "weighted" ? "" : "Law law = law_of(p_all, q_all);";
  const next = (place: string): string =>
    distribution === "weighted"
      ? ""
      : `if (p_step != 0 || q_step != 0) {
      law = law_of(p_step == 0 ? p_all : p[${place}], q_step == 0 ? q_all : q[${place}]);
    }`;
  const code = { poisson, binomial, gamma, logGamma, weighted }[distribution];
  const attempts = distribution === "gamma" || distribution === "logGamma" ? 2 : 1;
  // Most first attempts succeed, so they are worth computing together.
  const isTried = loops && distribution !== "weighted" && distribution !== "logGamma";
  const text = isTried ? `${code}${triedSource[distribution]}` : code;
  return `${distribution === "weighted" ? "" : doubles}${attemptSource(generator, loops, attempts)}
${distribution === "weighted" ? "" : realHead}${text}
__kernel void fill_each(__global ${out} *const out, const Stream by, ${parameters}) {
${
  loops
    ? `  const long start = by.end * (long)get_global_id(0) / (long)get_global_size(0);
  const long end = by.end * ((long)get_global_id(0) + 1) / (long)get_global_size(0);
  ${begin}
  long i = start;
  for (const long whole = min(end, by.whole); i + ${lanes} <= whole; i += ${lanes}) {
    uint${lanes} ready[${4 * attempts}];
    make_ready(ready, &by, i);
    ${isTried ? `double${lanes} tried = -1;\n    if (p_step == 0 && q_step == 0) tried = try_lanes(ready, &law);` : ""}
    for (int lane = 0; lane < ${lanes}; lane++) {
    ${next("(i + lane)")}
    ${store("(i + lane)", "(const uint *)ready + lane", isTried ? "((const double *)&tried)[lane] >= 0 ? ((const double *)&tried)[lane] : " : "")}
    }
  }
  for (; i < end; i++) {
    ${next("i")}
    ${store("i", "0")}
  }`
    : `  const long i = (long)get_global_id(0);
  if (i >= by.end) return;
  ${begin}
  ${next("i")}
  ${store("i", "0")}`
}
}
`;
}

/** Enables the type in which most distributions are computed. */
export const doubles = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";

/** The function `random_attempt`, which returns the words of an attempt of a block. */
export function attemptSource(generator: GeneratorName, loops: boolean, attempts: number): string {
  return `${quiet}
${streamHead(generator, loops)}
${loops ? readyWords(attempts) : ""}
uint4 random_attempt(const Stream *const by, const ulong block, const uint attempt, const uint *const ready) {
  ${loops ? `if (ready != 0 && attempt < ${attempts}) return ready_attempt(ready, attempt);` : ""}
  const ulong low = by->low + block;
  const ulong high = by->high + (low < block);
  uint a = (uint)low, b = (uint)(low >> 32), c = (uint)high, d = (uint)(high >> 32) + attempt;
  random_words(&a, &b, &c, &d, by->key);
  return (uint4)(a, b, c, d);
}`;
}

/** Stores a number of type double as an element. Integers out of range become the closest one, and NaN becomes 0. */
export function storedNumber(dtype: DTypeName, place: string, value: string): string {
  const out = storedType(dtype);
  const put = (number: string): string => stored(dtype, "out", `by.base + ${place}`, number);
  if (dtype === "float16") return put(`(float)(${value})`);
  if (kindOf(dtype) === 3) return put(`(${out})(${value})`);
  return `{ const double number = ${value}; ${put(`number == number ? convert_${out}_sat(number) : 0`)} }`;
}

/* 53 bits of two words, in the middle of their interval: neither 0 nor 1. */
export const realHead: string = `
double between(const uint low, const uint high) {
  return ((double)(((ulong)high << 32 | low) >> 11) + 0.5) * 0x1p-53;
}
${doubleLogarithm("")}
/* The logarithm of k!, by Stirling's series. */
double log_factorial(const double k) {
  double x = k + 1;
  double product = 1;
  for (; x < 8; x += 1) product *= x;
  const double z = 1 / (x * x);
  const double series = (0.08333333333333333 - z * (0.002777777777777778 - z * (0.0007936507936507937 - z * 0.0005952380952380953))) / x;
  return (x - 0.5) * log_of(x) - x + 0.9189385332046727 + series - log_of(product);
}
`;

/* Small means by adding up probabilities, others by Hörmann's transformed rejection. */
const poisson = `
typedef struct { double mean, none, a, b, inverse, accepted, log_mean; } Law;
Law law_of(const double mean, const double unused) {
  Law law = { mean, 0, 0, 0, 0, 0, 0 };
  if (mean < 10) {
    law.none = exp(-mean);
    return law;
  }
  law.b = 0.931 + 2.53 * sqrt(mean);
  law.a = -0.059 + 0.02483 * law.b;
  law.inverse = 1.1239 + 1.1328 / (law.b - 3.4);
  law.accepted = 0.9277 - 3.6224 / (law.b - 2);
  law.log_mean = log_of(mean);
  return law;
}
double poisson(const Stream *const by, const ulong block, const uint *const ready, const Law *const law) {
  const double mean = law->mean;
  if (!(mean > 0)) return mean == 0 ? 0 : NAN;
  if (isinf(mean)) return mean;
  if (mean < 10) {
    const uint4 words = random_attempt(by, block, 0, ready);
    double rest = between(words.x, words.y);
    double probability = law->none;
    double k = 0;
    while (rest > probability && k < 200) {
      rest -= probability;
      k += 1;
      probability *= mean / k;
    }
    return k;
  }
  for (uint attempt = 0; attempt < ${maxAttempts}; attempt++) {
    const uint4 words = random_attempt(by, block, attempt, ready);
    const double u = between(words.x, words.y) - 0.5;
    const double v = between(words.z, words.w);
    const double side = 0.5 - fabs(u);
    const double k = floor((2 * law->a / side + law->b) * u + mean + 0.43);
    if (side >= 0.07 && v <= law->accepted) return k;
    if (k < 0 || (side < 0.013 && v > side)) continue;
    const double ratio = k * law->log_mean - mean - log_factorial(k);
    if (log_of(v * law->inverse / (law->a / (side * side) + law->b)) <= ratio) return k;
  }
  return floor(mean);
}
`;

/* The number of successes in a number of trials. */
export const binomial: string = `
typedef struct { double n, chance, p, odds, none, a, b, center, alpha, mode, log_mode, log_odds; } Law;
Law law_of(const double trials, const double chance) {
  Law law = { floor(trials), chance, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
  if (!(trials >= 1 && chance > 0 && chance < 1)) return law;
  const double n = law.n;
  const double p = law.p = chance > 0.5 ? 1 - chance : chance;
  law.odds = p / (1 - p);
  if (n * p < 10) {
    law.none = exp(n * log1p(-p));
    return law;
  }
  const double deviation = sqrt(n * p * (1 - p));
  law.b = 1.15 + 2.53 * deviation;
  law.a = -0.0873 + 0.0248 * law.b + 0.01 * p;
  law.center = n * p + 0.5;
  law.alpha = (2.83 + 5.1 / law.b) * deviation;
  law.mode = floor((n + 1) * p);
  law.log_mode = log_factorial(law.mode) + log_factorial(n - law.mode);
  law.log_odds = log_of(law.odds);
  return law;
}
double binomial(const Stream *const by, const ulong block, const uint *const ready, const Law *const law) {
  const double n = law->n, p = law->p;
  if (!(n >= 0 && law->chance >= 0 && law->chance <= 1) || isinf(n)) return NAN;
  if (n < 1 || law->chance == 0) return 0;
  if (law->chance == 1) return n;
  double k = 0;
  if (n * p < 10) {
    const uint4 words = random_attempt(by, block, 0, ready);
    double rest = between(words.x, words.y);
    double probability = law->none;
    while (rest > probability && k < n && k < 200) {
      rest -= probability;
      k += 1;
      probability *= law->odds * (n - k + 1) / k;
    }
    return law->chance > 0.5 ? n - k : k;
  }
  for (uint attempt = 0; attempt < ${maxAttempts}; attempt++) {
    const uint4 words = random_attempt(by, block, attempt, ready);
    const double u = between(words.x, words.y) - 0.5;
    const double v = between(words.z, words.w);
    const double side = 0.5 - fabs(u);
    k = floor((2 * law->a / side + law->b) * u + law->center);
    if (k < 0 || k > n) continue;
    if (side >= 0.07 && v <= 0.92 - 4.2 / law->b) break;
    const double ratio = law->log_mode - log_factorial(k) - log_factorial(n - k) + (k - law->mode) * law->log_odds;
    if (log_of(v * law->alpha / (law->a / (side * side) + law->b)) <= ratio) break;
    k = law->mode;
  }
  return law->chance > 0.5 ? n - k : k;
}
`;

/* By Marsaglia and Tsang: a cube of a normal number. Shapes below 1 are those above 1 times a power of one more number. */
const gammaOf = (name: "gamma" | "logGamma"): string => {
  const isLog = name === "logGamma";
  const zero = isLog ? "-INFINITY" : "0";
  return `
${doubleCircle("")}
typedef struct { double shape, scale, c, d; } Law;
Law law_of(const double shape, const double scale) {
  Law law = { shape, scale, 0, (shape < 1 ? shape + 1 : shape) - 0.3333333333333333 };
  law.c = 1 / sqrt(9 * law.d);
  return law;
}
double ${name}(const Stream *const by, const ulong block, const uint *const ready, const Law *const law) {
  const double d = law->d;
  if (!(law->shape > 0 && law->scale >= 0)) return law->shape == 0 && law->scale >= 0 ? ${zero} : NAN;
  double result = ${isLog ? "log_of(d)" : "d"};
  for (uint attempt = 0; attempt < ${maxAttempts}; attempt += 2) {
    const uint4 words = random_attempt(by, block, attempt, ready);
    double sine, cosine;
    circle(words.z, words.w, &sine, &cosine);
    const double x = sqrt(-2 * log_of(between(words.x, words.y))) * cosine;
    const double root = 1 + law->c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    const uint4 others = random_attempt(by, block, attempt + 1, ready);
    if (log_of(between(others.x, others.y)) >= 0.5 * x * x + d * (1 - v + log_of(v))) continue;
    result = ${isLog ? "log_of(d * v)" : "d * v"};
    if (law->shape < 1) {
      const double power = log_of(between(others.z, others.w)) / law->shape;
      result ${isLog ? "+= power" : "*= exp(power)"};
    }
    break;
  }
  return result ${isLog ? "+ log(law->scale)" : "* law->scale"};
}
`;
};
const gamma = gammaOf("gamma");
/* Logarithms neither underflow nor lose digits for shapes close to 0. */
const logGamma = gammaOf("logGamma");

/* The first of the sums of weights, in parts of 2^64, that is more than a number of 64 bits. */
const weighted = `
long weighted(const Stream *const by, const ulong block, const uint *const ready, __global const ulong *const sums, const long count) {
  const uint4 words = random_attempt(by, block, 0, ready);
  const ulong number = (ulong)words.y << 32 | words.x;
  long first = 0, last = count - 1;
  while (first < last) {
    const long middle = (first + last) / 2;
    if (number < sums[middle]) last = middle;
    else first = middle + 1;
  }
  return first;
}
`;
