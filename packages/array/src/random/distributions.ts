/**
 * The distributions in OpenCL C: uniform, normal, exponential and integer numbers from words of a stream. They only use
 * products, sums and square roots, which all devices round alike, so the numbers are the same on all of them, and CPUs
 * can vectorize the code without calls.
 */
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";

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
  /** The function `numbers`, or of vectors of a width. */
  readonly code: (width: string) => string;
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
  const of = whole ? integerText : type === "double" ? doubleText : floatText;
  return { type, count, code: (width) => of(distribution, dtype, width) };
}

/** The head of `numbers`: words, three parameters, and where results go. */
function head(type: string, parameter: string, count: number, width: string): string {
  const results = Array.from({ length: count }, (_, k) => `${type}${width} *const v${k}`);
  return `void numbers${width}(const uint${width} a, const uint${width} b, const uint${width} c, const uint${width} d, const ${parameter} p, const ${parameter} q, const ${parameter} r, ${results.join(", ")})`;
}

function integerText(distribution: Distribution, _dtype: DTypeName, width: string): string {
  const word = `uint${width}`;
  const long = `ulong${width}`;
  const wide = (name: string): string => `convert_ulong${width}(${name})`;
  if (distribution === "words") {
    return `${head("uint", "ulong", 4, width)} { *v0 = a; *v1 = b; *v2 = c; *v3 = d; }`;
  }
  if (distribution === "integers") {
    return `
/* The integer part of the range (q, up to 2^32) times a fraction of 64 bits. */
${long} in_range${width}(const ${word} low, const ${word} high, const ulong q) {
  const ${long} lower = ${wide("low")} * q;
  const ${long} upper = ${wide("high")} * q;
  /* The sum is less than 2^64: the first factor is at most 2^32 - 1. */
  return (upper + (lower >> 32)) >> 32;
}
${head("ulong", "ulong", 2, width)} {
  *v0 = p + in_range${width}(a, b, q);
  *v1 = p + in_range${width}(c, d, q);
}`;
  }
  return `
/* The integer part of the range (q, or 2^64 for 0) times a fraction of 128 bits. */
${head("ulong", "ulong", 1, width)} {
  const ${long} low = ${wide("a")} | ${wide("b")} << 32;
  const ${long} high = ${wide("c")} | ${wide("d")} << 32;
  const ${long} lower = mul_hi(low, (${long})(q));
  const ${long} middle = high * q;
  const ${long} sum = middle + lower;
  const ${long} carry = ${width === "" ? "(ulong)(sum < middle)" : `as_ulong${width}(sum < middle) & 1`};
  *v0 = p + (q == 0 ? high : mul_hi(high, (${long})(q)) + carry);
}`;
}

function floatText(distribution: Distribution, dtype: DTypeName, width: string): string {
  const float = `float${width}`;
  const each = (of: (word: string) => string): string =>
    ["a", "b", "c", "d"].map((word, k) => `*v${k} = ${of(word)};`).join(" ");
  const [shift, unit] = dtype === "float16" ? [21, "0x1p-11f"] : [8, "0x1p-24f"];
  const fraction = (word: string): string => `convert_float${width}(as_int${width}(${word} >> ${shift})) * ${unit}`;
  if (distribution === "unit") return `${head("float", "float", 4, width)} { ${each(fraction)} }`;
  if (distribution === "uniform") {
    return `${head("float", "float", 4, width)} {
  /* Rounding may reach the exclusive upper bound; r is the largest number below it. */
  ${each((word) => `min(p + ${fraction(word)} * q, (${float})(r))`)}
}`;
  }
  const logarithm = logarithmOfFloat(width);
  if (distribution === "exponential") {
    return `${logarithm}
${head("float", "float", 4, width)} {
  ${each((word) => `logarithm${width}(${word}) * -q`)}
}`;
  }
  return `${logarithm}
/* The sine and cosine of 2^-32 turns. */
void circle${width}(const uint${width} word, ${float} *const sine, ${float} *const cosine) {
  /* The nearest quarter, and how many eighths of a turn it is away, from -1 to 1. */
  const uint${width} quarter = (word + 0x20000000u) >> 30;
  const ${float} x = convert_float${width}(as_int${width}(word - (quarter << 30))) * 0x1p-29f;
  const ${float} z = x * x;
  const ${float} s = x * (0.785398161f + z * (-0.08074543471f + z * (0.002490006801f + z * -3.595429073e-5f)));
  const ${float} c = 1 + z * (-0.3084251373f + z * (0.01585433815f + z * (-0.0003259613803f + z * 3.541952728e-6f)));
  const int${width} swapped = as_int${width}(quarter << 31);
  const uint${width} signs = (quarter & 2) << 30;
  const ${float} first = swapped < 0 ? c : s;
  const ${float} second = swapped < 0 ? s : c;
  *sine = as_float${width}(as_uint${width}(first) ^ signs);
  *cosine = as_float${width}(as_uint${width}(second) ^ signs ^ (quarter << 31));
}
/* By Box and Muller. */
void pair${width}(const uint${width} a, const uint${width} b, const float p, const float q, ${float} *const one, ${float} *const other) {
  const ${float} radius = q * sqrt(-2 * logarithm${width}(a));
  ${float} sine, cosine;
  circle${width}(b, &sine, &cosine);
  *one = p + radius * cosine;
  *other = p + radius * sine;
}
${head("float", "float", 4, width)} {
  pair${width}(a, b, p, q, v0, v1);
  pair${width}(c, d, p, q, v2, v3);
}`;
}

/** Of a number from 0 to 1, both left out. */
const logarithmOfFloat = (width: string): string => {
  const float = `float${width}`;
  return `
/* The logarithm of (word + 1/2) / 2^32. */
${float} logarithm${width}(const uint${width} word) {
  const ${float} u = (convert_float${width}(word) + 0.5f) * 0x1p-32f;
  /* A power of 2, and a number from sqrt(1/2) to sqrt(2). */
  const int${width} exponent = (as_int${width}(u) - 0x3f3504f3) >> 23;
  const ${float} x = as_float${width}(as_int${width}(u) - (exponent << 23)) - 1;
  const ${float} z = x * x;
  const ${float} low = 0.3333333073f + x * (-0.2500030642f + x * (0.2000104509f + x * -0.1664128146f));
  const ${float} high = 0.1421449592f + x * (-0.1299818376f + x * (0.1262231985f + x * -0.07902743772f));
  return convert_float${width}(exponent) * 0.693147181f + (x + z * (-0.5f + x * (low + z * z * high)));
}`;
};

function doubleText(distribution: Distribution, _dtype: DTypeName, width: string): string {
  const double = `double${width}`;
  const long = `ulong${width}`;
  const both = (of: (low: string, high: string) => string): string => `*v0 = ${of("a", "b")}; *v1 = ${of("c", "d")};`;
  const bits = `
/* 53 bits of two words, as a number. */
${double} fraction${width}(const uint${width} low, const uint${width} high) {
  /* The exponent of 2^52 stands before 52 bits; the last one is added. */
  const ${long} word = convert_ulong${width}(low) | convert_ulong${width}(high) << 32;
  const ${double} most = as_double${width}((word >> 12) | 0x4330000000000000UL) - 0x1p52;
  return most * 2 + convert_double${width}(as_int${width}((low >> 11) & 1));
}`;
  if (distribution === "unit") {
    return `${bits}
${head("double", "double", 2, width)} { ${both((low, high) => `fraction${width}(${low}, ${high}) * 0x1p-53`)} }`;
  }
  if (distribution === "uniform") {
    return `${bits}
${head("double", "double", 2, width)} {
  ${both((low, high) => `min(p + fraction${width}(${low}, ${high}) * 0x1p-53 * q, (${double})(r))`)}
}`;
  }
  const logarithm = `${bits}
${doubleLogarithm(width)}
/* The logarithm of (53 bits + 1/2) / 2^53. */
${double} logarithm${width}(const uint${width} low, const uint${width} high) {
  return log_of${width}((fraction${width}(low, high) + 0.5) * 0x1p-53);
}`;
  if (distribution === "exponential") {
    return `${logarithm}
${head("double", "double", 2, width)} {
  ${both((low, high) => `logarithm${width}(${low}, ${high}) * -q`)}
}`;
  }
  return `${logarithm}
${doubleCircle(width)}
${head("double", "double", 2, width)} {
  /* By Box and Muller. */
  const ${double} radius = q * sqrt(-2 * logarithm${width}(a, b));
  ${double} sine, cosine;
  circle${width}(c, d, &sine, &cosine);
  *v0 = p + radius * cosine;
  *v1 = p + radius * sine;
}`;
}

/** The logarithm of a number that is neither 0 nor subnormal. */
export const doubleLogarithm = (width: string): string => {
  const double = `double${width}`;
  const long = `ulong${width}`;
  return `
${double} log_of${width}(const ${double} u) {
  /* A power of 2, and a number from sqrt(1/2) to sqrt(2), which is (1 + s) / (1 - s). */
  const ${long} moved = as_ulong${width}(u) - 0x3fe6a09e667f3bcdUL;
  const int${width} exponent = as_int${width}(convert_uint${width}(moved >> 32)) >> 20;
  const ${double} x = as_double${width}(as_ulong${width}(u) - (convert_ulong${width}(as_uint${width}(exponent)) << 52)) - 1;
  const ${double} s = x / (2 + x);
  const ${double} z = s * s;
  const ${double} series = 0.6666666666666669688 + z * (0.399999999998994473 + z * (0.2857142862600142557
    + z * (0.2222221113056072644 + z * (0.1818288943375751642 + z * (0.1533171134667299597 + z * 0.1461657642164438607)))));
  return convert_double${width}(exponent) * 0.693147180559945309 + (2 * s + s * z * series);
}`;
};

/** The sine and cosine of a part of a turn, in two words. */
export const doubleCircle = (width: string): string => {
  const double = `double${width}`;
  const long = `ulong${width}`;
  return `
/* The sine and cosine of (high + low / 2^32) / 2^32 turns. */
void circle${width}(const uint${width} low, const uint${width} high, ${double} *const sine, ${double} *const cosine) {
  const uint${width} quarter = (high + 0x20000000u) >> 30;
  const ${double} x = (convert_double${width}(as_int${width}(high - (quarter << 30))) + convert_double${width}(low) * 0x1p-32) * 0x1p-29;
  const ${double} z = x * x;
  const ${double} s = x * (0.7853981633974483071 + z * (-0.08074551218828053947 + z * (0.002490394570188843848
    + z * (-3.657620415891387493e-5 + z * (3.133616225433416221e-7 + z * (-1.757150074698393409e-9 + z * 6.877360573166325625e-12))))));
  const ${double} c = 1 + z * (-0.3084251375340424567 + z * (0.01585434424381548895 + z * (-0.0003259918869271995706
    + z * (3.590860447448611792e-6 + z * (-2.461136623830974229e-8 + z * (1.150067970094049586e-10 + z * -3.863156948832655951e-13))))));
  const ${long} turned = convert_ulong${width}(quarter) << 63;
  const ${long} signs = convert_ulong${width}(quarter & 2) << 62;
  const ${double} first = as_long${width}(turned) < 0 ? c : s;
  const ${double} second = as_long${width}(turned) < 0 ? s : c;
  *sine = as_double${width}(as_ulong${width}(first) ^ signs);
  *cosine = as_double${width}(as_ulong${width}(second) ^ signs ^ turned);
}`;
};
