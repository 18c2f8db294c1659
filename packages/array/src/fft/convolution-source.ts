/**
 * OpenCL C of direct convolution of a long line with a short one. On a CPU each work-item computes a range of results,
 * in blocks that stay in registers while it loops over the short line; on a GPU each computes one result.
 */
import { computeType, loaded, loadedApart, stored, storedApart, storedType } from "../kernels/compute-type.js";
import { quiet } from "../kernels/processor-source.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf, realOf } from "../types/promote.js";

/** What the text depends on. */
export interface ConvolutionText {
  readonly dtype: DTypeName;
  /** True for a loop over a range of results, false for one result. */
  readonly loops: boolean;
}

/** Results of a block. */
const blockLength = 64;

/** The program, with one kernel, `convolve`. */
export function convolutionSource({ dtype, loops }: ConvolutionText): string {
  const isComplex = kindOf(dtype) === 4;
  const type = computeType(dtype);
  const part = isComplex ? computeType(realOf(dtype)) : type;
  const add = dtype === "bool" ? "sum | (x & y)" : isComplex ? complexSum : "sum + x * y";
  const one = `  for (long i = single; i < stop; i++) {
    ${type} sum = ${isComplex ? `(${type})(0, 0)` : "0"};
    const long low = max(0L, i - lines.length + 1), high = min(i, lines.taps - 1);
    for (long j = low; j <= high; j++) {
      const ${type} x = ${loaded(dtype, "line", "lines.line + i - j")}, y = ${loaded(dtype, "taps", "lines.tap + j")};
      sum = ${add};
    }
    ${stored(dtype, "out", "lines.out + i - lines.start", "sum")}
  }`;
  const vectorized = `_Pragma("clang loop vectorize(assume_safety) vectorize_width(16)")`;
  const x = loadedApart(dtype, "line", "lines.line + i - j + l");
  const step = isComplex
    ? `const ${type} x = ${x};
        re[l] += x.x * y.x - x.y * y.y;
        im[l] += x.x * y.y + x.y * y.x;`
    : `const ${type} x = ${x}, sum = re[l];
        re[l] = ${add};`;
  const result = isComplex ? `(${type})(re[l], im[l])` : "re[l]";
  const blocks = `  /* Blocks that have all of the short line. */
  long i = min(max(start, lines.taps - 1), end);
  ${range("start", "i")}
  for (; i + ${blockLength} <= min(end, lines.length); i += ${blockLength}) {
    ${part} re[${blockLength}]${isComplex ? `, im[${blockLength}]` : ""};
    for (int l = 0; l < ${blockLength}; l++) re[l] = ${isComplex ? "im[l] = " : ""}0;
    for (long j = 0; j < lines.taps; j++) {
      const ${type} y = ${loaded(dtype, "taps", "lines.tap + j")};
      ${vectorized}
      for (int l = 0; l < ${blockLength}; l++) {
        ${step}
      }
    }
    ${vectorized}
    for (int l = 0; l < ${blockLength}; l++) {
      const ${type} sum = ${result};
      ${storedApart(dtype, "out", "lines.out + i + l - lines.start", "sum")}
    }
  }
  ${range("i", "end")}`;
  const own = loops
    ? `const long start = lines.start + lines.count * (long)get_global_id(0) / (long)get_global_size(0);
  const long end = lines.start + lines.count * (long)(get_global_id(0) + 1) / (long)get_global_size(0);`
    : `const long single = lines.start + (long)get_global_id(0), stop = min(single + 1, lines.start + lines.count);`;
  return `${quiet}
/* Where lines begin and how long they are, in elements; results from \`start\` on of those of all places are asked for. */
typedef struct {
  long line;
  long length;
  long tap;
  long taps;
  long out;
  long start;
  long count;
} Lines;

void results(__global const ${storedType(dtype)} *const line, __global const ${storedType(dtype)} *const taps,
             __global ${storedType(dtype)} *const out, const Lines lines, const long single, const long stop) {
${one}
}

__kernel void convolve(__global const ${storedType(dtype)} *const line, __global const ${storedType(dtype)} *const taps,
                       __global ${storedType(dtype)} *const out, const Lines lines) {
  ${own}
${loops ? blocks : "  results(line, taps, out, lines, single, stop);"}
}
`;
}

const complexSum = "sum; sum.x += x.x * y.x - x.y * y.y; sum.y += x.x * y.y + x.y * y.x";

const range = (from: string, to: string): string => `results(line, taps, out, lines, ${from}, ${to});`;
