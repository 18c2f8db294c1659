/**
 * Vectorized OpenCL C for CPUs of the functions in element-source.ts: words of several blocks, and the first attempts,
 * with which most numbers are found. A vector takes hardly longer than one number.
 */
import { doubleCircle, doubleLogarithm } from "./distributions.js";
import { lanes } from "./stream-source.js";

/**
 * The words of the first attempts, of several blocks together; the words of a block are strided by the number of
 * blocks.
 */
export const readyWords = (attempts: number): string => `
void make_ready(uint${lanes} *const ready, const Stream *const by, const long block) {
  const ulong${lanes} steps = (ulong${lanes})(${Array.from({ length: lanes }, (_, k) => k).join(", ")});
  for (int attempt = 0; attempt < ${attempts}; attempt++) {
    random_lanes(ready + 4 * attempt, by->low + (ulong)block + steps, by->high + ((ulong)attempt << 32), by->key);
  }
}
uint4 ready_attempt(const uint *const ready, const uint attempt) {
  const uint *const own = ready + ${4 * lanes} * attempt;
  return (uint4)(own[0], own[${lanes}], own[${2 * lanes}], own[${3 * lanes}]);
}`;

const [double, long, uint] = [`double${lanes}`, `long${lanes}`, `uint${lanes}`];

/*
 * Several attempts together, by the same operations as single ones, so that the numbers are the same; -1 where an
 * attempt is rejected.
 */
const triedHead = `
${double} between${lanes}(const ${uint} low, const ${uint} high) {
  const u${long} word = convert_ulong${lanes}(high) << 32 | convert_ulong${lanes}(low);
  return (convert_double${lanes}(word >> 11) + 0.5) * 0x1p-53;
}
${doubleLogarithm(String(lanes))}
${double} log_factorial${lanes}(const ${double} k) {
  ${double} x = k + 1, product = 1;
  for (${long} small = x < 8; any(small); small = x < 8) {
    product = select(product, product * x, small);
    x = select(x, x + 1, small);
  }
  const ${double} z = 1 / (x * x);
  const ${double} series = (0.08333333333333333 - z * (0.002777777777777778 - z * (0.0007936507936507937 - z * 0.0005952380952380953))) / x;
  return (x - 0.5) * log_of${lanes}(x) - x + 0.9189385332046727 + series - log_of${lanes}(product);
}
`;

/* Of small means, all lanes take the same steps, until the last of them has its number. */
const inverted = (most: string, factor: string): string => `
    ${double} rest = between${lanes}(ready[0], ready[1]), found = 0;
    double probability = law->none, k = 0;
    ${long} active = -1;
    while (${most}k < 200) {
      active &= rest > probability;
      if (!any(active)) break;
      rest = select(rest, rest - probability, active);
      k += 1;
      found = select(found, (${double})(k), active);
      probability *= ${factor};
    }`;

/* An attempt by transformed rejection. What is not between the least and the most is computed with as if it were. */
const rejected = (center: string, accepted: string, clamped: string, inverse: string, ratio: string): string => `
  const ${double} u = between${lanes}(ready[0], ready[1]) - 0.5, v = between${lanes}(ready[2], ready[3]);
  const ${double} side = 0.5 - fabs(u);
  const ${double} number = floor((2 * law->a / side + law->b) * u + ${center});
  const ${double} k = ${clamped};
  const ${double} ratio = ${ratio};
  const ${long} squeezed = side >= 0.07 && v <= ${accepted};
  const ${long} slow = log_of${lanes}(v * ${inverse} / (law->a / (side * side) + law->b)) <= ratio;
  const ${long} good = k == number && (squeezed || slow)`;

/** The function `try_lanes`: the numbers whose first attempts succeed, and -1 for others. */
export const triedSource: Readonly<Record<"poisson" | "binomial" | "gamma", string>> = {
  poisson: `${triedHead}${double} try_lanes(const ${uint} *const ready, const Law *const law) {
  const double mean = law->mean;
  if (!(mean > 0)) return -1;
  if (mean < 10) {${inverted("", "mean / k")}
    return found;
  }${rejected("mean + 0.43", "law->accepted", `max(number, (${double})(0))`, "law->inverse", `k * law->log_mean - mean - log_factorial${lanes}(k)`)}
      && (squeezed || !(side < 0.013 && v > side));
  return select((${double})(-1), k, good);
}
`,
  binomial: `${triedHead}${double} try_lanes(const ${uint} *const ready, const Law *const law) {
  const double n = law->n, p = law->p;
  if (!(n >= 1 && law->chance > 0 && law->chance < 1)) return -1;
  if (n * p < 10) {${inverted("k < n && ", "law->odds * (n - k + 1) / k")}
    return law->chance > 0.5 ? n - found : found;
  }${rejected(
    "law->center",
    "0.92 - 4.2 / law->b",
    `min(max(number, (${double})(0)), (${double})(n))`,
    "law->alpha",
    `law->log_mode - log_factorial${lanes}(k) - log_factorial${lanes}(n - k) + (k - law->mode) * law->log_odds`,
  )};
  return select((${double})(-1), law->chance > 0.5 ? n - k : k, good);
}
`,
  gamma: `${triedHead}${doubleCircle(String(lanes))}
${double} try_lanes(const ${uint} *const ready, const Law *const law) {
  if (!(law->shape >= 1)) return -1;
  ${double} sine, cosine;
  circle${lanes}(ready[2], ready[3], &sine, &cosine);
  const ${double} x = sqrt(-2 * log_of${lanes}(between${lanes}(ready[0], ready[1]))) * cosine;
  const ${double} root = 1 + law->c * x;
  const ${double} v = root * root * root;
  const ${double} most = 0.5 * x * x + law->d * (1 - v + log_of${lanes}(v));
  const ${long} failed = root <= 0 || log_of${lanes}(between${lanes}(ready[4], ready[5])) >= most;
  return select(law->d * v * law->scale, (${double})(-1), failed);
}
`,
};
