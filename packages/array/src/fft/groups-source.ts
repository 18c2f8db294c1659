/**
 * OpenCL C of transforms on GPUs: a work-group has a tile of some lines, of which each work-item transforms a few
 * elements at a time in registers; between the steps elements are exchanged through local memory. The algorithm is
 * Stockham's autosort: the first step loads adjacent elements and the last one stores them.
 */
import { butterflySource, butterflyTypes, type RealType } from "./butterflies-source.js";
import { passType } from "./pass.js";

/** What the text depends on. */
export interface GroupsText {
  readonly real: RealType;
  /** Elements of a line. */
  readonly length: number;
  /** The elements that a work-item transforms in each step; their product is the length. */
  readonly radices: readonly number[];
  /** Lines of a tile. */
  readonly lanes: number;
  /** Work-items of a group. */
  readonly group: number;
  /** Whether consecutive work-items load and store adjacent lines; otherwise adjacent elements. */
  readonly lanesIn: boolean;
  readonly lanesOut: boolean;
  /** Whether results are turned by roots of the whole length. */
  readonly turned: boolean;
  readonly short: boolean;
}

/**
 * Returns the maximum number of elements of a tile, with padding after each 16, that fits into `localBytes` of local
 * memory, or into 40 KiB.
 */
export function maxInTile(real: RealType, localBytes: number): number {
  const itemSize = real === "float" ? 8 : 16;
  const elements = Math.floor((Math.min(localBytes, 40 * 1024) / itemSize - 1) / (17 / 16));
  return 2 ** Math.floor(Math.log2(elements));
}

/** The radices of steps: with more than 16 elements there are too few registers. */
export const groupRadices: readonly number[] = [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2];

/** The program, with one kernel, `transform`. */
export function groupsSource(text: GroupsText): string {
  const { real, length, radices, lanes, group, turned, short } = text;
  const tile = length * lanes;
  const exchanged = radices.length > 1;
  const steps = radices.map((radix, step) => stepSource(text, radix, step));
  return `typedef ${real} real_t;
typedef ${real}2 real2_t;
${butterflyTypes(real)}
${passType(short)}

${[...new Set(radices)].map((radix) => butterflySource(radix, real)).join("\n\n")}

Pair product(const Pair x, const real_t c, const real_t s) {
  return (Pair){x.re * c - x.im * s, x.re * s + x.im * c};
}

/* A root by its number: that of few steps, times that of whole strides. */
Pair root_of(__global const real2_t *const roots, const int bits, const place_t turn) {
  const real2_t near = roots[turn & (((place_t)1 << bits) - 1)];
  const real2_t far = roots[((place_t)1 << bits) + (turn >> bits)];
  return (Pair){near.x * far.x - near.y * far.y, near.x * far.y + near.y * far.x};
}

/* Places in local memory have gaps, so that those a power of two apart are in different banks. */
#define PADDED(i) ((i) + ((i) >> 4))

/* Flags: 1 to change real and imaginary parts on the way in, 2 on the way out, which makes the inverse of a transform. */
__kernel __attribute__((reqd_work_group_size(${group}, 1, 1)))
void transform(__global const real2_t *const in, __global real2_t *const out, __global const real2_t *const twiddles,
               __global const real2_t *const roots, const int bits, const int flags, const ${real} scale, const Pass pass) {
  ${exchanged ? `__local real2_t tile[PADDED(${tile}) + 1];` : ""}
  const int item = (int)get_local_id(0);
  const place_t blocks = (pass.lanes + ${lanes - 1}) / ${lanes};
  const place_t block = (place_t)get_group_id(0);
  const place_t lane0 = block % blocks * ${lanes};
  const place_t rest = block / blocks;
  const place_t i0 = rest % pass.count[0], i1 = rest / pass.count[0] % pass.count[1];
  const place_t i2 = rest / pass.count[0] / pass.count[1];
  const int valid = (int)min((place_t)${lanes}, pass.lanes - lane0);
  __global const real2_t *const from =
      in + (pass.start_in + i0 * pass.in[0] + i1 * pass.in[1] + i2 * pass.in[2] + lane0 * pass.lane_in);
  __global real2_t *const to =
      out + (pass.start_out + i0 * pass.out[0] + i1 * pass.out[1] + i2 * pass.out[2] + lane0 * pass.lane_out);
${steps.join("\n")}
}
${turned ? "" : "/* No roots of the whole length are needed. */"}
`;
}

/**
 * Loads of a step, its butterflies and its stores. Results may go where the elements were, hence the fence of global memory after
 * the first step.
 */
function stepSource(text: GroupsText, radix: number, step: number): string {
  const { length, radices, lanes, group, lanesOut, turned } = text;
  const isFirst = step === 0;
  const isLast = step === radices.length - 1;
  // Only between steps can elements change work-items.
  const byLanes = isFirst && !isLast ? text.lanesIn : lanesOut;
  const count = length / radix;
  const butterflies = count * lanes;
  const turns = Math.ceil(butterflies / group);
  const partial = butterflies % group !== 0;
  const stride = radices.slice(0, step).reduce((product, one) => product * one, 1);
  const size = length / stride;
  const places = size / radix;
  const where = `const int u = item + c * ${group};
      const int lane = ${byLanes ? `u % ${lanes}` : `u / ${count}`}, t = ${byLanes ? `u / ${lanes}` : `u % ${count}`};`;
  const guard = partial ? `if (item + c * ${group} < ${butterflies}) ` : "";
  const inTile = (place: string): string => (lanesOut ? `(${place}) * ${lanes} + lane` : `lane * ${length} + ${place}`);
  const load = isFirst
    ? `const bool whole = lane < valid;
      __global const real2_t *const line = from + lane * pass.lane_in;
      _Pragma("unroll") for (int j = 0; j < ${radix}; j++) {
        const real2_t value = whole ? line[(t + ${count} * j) * pass.step_in] : (real2_t)(0, 0);
        x[c][j] = (flags & 1) != 0 ? (Pair){value.y, value.x} : (Pair){value.x, value.y};
      }`
    : `_Pragma("unroll") for (int j = 0; j < ${radix}; j++) {
        const real2_t value = tile[PADDED(${inTile(`t + ${count} * j`)})];
        x[c][j] = (Pair){value.x, value.y};
      }`;
  const twiddle =
    places === 1
      ? ""
      : `__global const real2_t *const w = twiddles + ${length - size} + t / ${stride};
      _Pragma("unroll") for (int j = 1; j < ${radix}; j++) {
        const real2_t own = w[(j - 1) * ${places}];
        x[c][j] = product(x[c][j], own.x, own.y);
      }`;
  const turn = turned && isLast ? turnSource(radix, count) : "";
  const store = isLast
    ? `if (lane < valid) {
        __global real2_t *const line = to + lane * pass.lane_out;
        _Pragma("unroll") for (int j = 0; j < ${radix}; j++) {
          const Pair own = x[c][j];
          line[(t + ${count} * j) * pass.step_out] =
              ((flags & 2) != 0 ? (real2_t)(own.im, own.re) : (real2_t)(own.re, own.im)) * scale;
        }
      }`
    : `_Pragma("unroll") for (int j = 0; j < ${radix}; j++) {
        const Pair own = x[c][j];
        tile[PADDED(${inTile(`t % ${stride} + ${stride} * (t / ${stride} * ${radix} + j)`)})] = (real2_t)(own.re, own.im);
      }`;
  return `  {
    Pair x[${turns}][${radix}];
    _Pragma("unroll") for (int c = 0; c < ${turns}; c++) ${guard}{
      ${where}
      ${load}
      butterfly_${radix}(x[c]);
      ${twiddle}
      ${turn}
    }
    ${isFirst || isLast ? "" : "barrier(CLK_LOCAL_MEM_FENCE);"}
    _Pragma("unroll") for (int c = 0; c < ${turns}; c++) ${guard}{
      ${where}
      ${store}
    }
    ${isLast ? "" : `barrier(CLK_LOCAL_MEM_FENCE${isFirst ? " | CLK_GLOBAL_MEM_FENCE" : ""});`}
  }`;
}

/* The root of the first result, times powers of the root between one result and the next. */
function turnSource(radix: number, count: number): string {
  const lines = [
    "const place_t turn = (lane0 + lane) / pass.shared;",
    "Pair w[RADIX];",
    "w[0] = root_of(roots, bits, turn * t);",
    ...(radix > 1 ? [`w[1] = root_of(roots, bits, turn * ${count});`] : []),
  ];
  for (let k = 2; k < radix; k++) {
    const half = Math.floor(k / 2);
    lines.push(`w[${k}] = product(w[${half}], w[${k - half}].re, w[${k - half}].im);`);
  }
  return `if (lane < valid) {
        ${lines.join("\n        ").replace("RADIX", String(radix))}
        x[c][0] = product(x[c][0], w[0].re, w[0].im);
        _Pragma("unroll") for (int j = 1; j < ${radix}; j++) {
          x[c][j] = product(product(x[c][j], w[j].re, w[j].im), w[0].re, w[0].im);
        }
      }`;
}
