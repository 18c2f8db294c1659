/**
 * OpenCL C of transforms on GPUs: a work-group has a tile of some lines, of which each work-item transforms a few
 * elements at a time in registers; between the steps elements are exchanged through local memory. The algorithm is
 * Stockham's autosort: the first step loads adjacent elements and the last one stores them.
 */
import { butterflySource, butterflyTypes, type RealType } from "./butterflies-source.js";
import { type Macros, macros } from "../kernels/macros.js";
import groupsHead from "./groups.cl";
import { passType } from "./pass.js";
import step from "./step.cl";

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
  const { real, length, radices, lanes, group, short } = text;
  const names = {
    real_t: real,
    real2_t: `${real}2`,
    LENGTH: length,
    LANES: lanes,
    GROUP: group,
    HAS_TILE: radices.length > 1,
  };
  return `${macros(names)}
${butterflyTypes(real)}
${passType(short)}
${[...new Set(radices)].map((radix) => butterflySource(radix, real)).join("\n")}
${groupsHead}
${radices.map((radix, k) => `${macros(stepMacros(text, radix, k))}${step}`).join("\n")}
}
`;
}

/** The macros of a step. */
function stepMacros({ length, radices, lanes, group, ...text }: GroupsText, radix: number, index: number): Macros {
  const isFirst = index === 0;
  const isLast = index === radices.length - 1;
  const count = length / radix;
  const stride = radices.slice(0, index).reduce((product, one) => product * one, 1);
  const size = length / stride;
  return {
    RADIX: radix,
    BUTTERFLY: `butterfly_${radix}`,
    COUNT: count,
    TURNS: Math.ceil((count * lanes) / group),
    IS_PARTIAL: (count * lanes) % group !== 0,
    STRIDE: stride,
    PLACES: size / radix,
    TWIDDLES: length - size,
    IS_FIRST: isFirst,
    IS_LAST: isLast,
    // Only between steps can elements change work-items.
    BY_LANES: isFirst && !isLast ? text.lanesIn : text.lanesOut,
    LANES_OUT: text.lanesOut,
    IS_TURNED: text.turned,
    ROOT_POWERS: rootPowers(radix),
  };
}

/** Statements that compute each power from two of about half its exponent, so that errors stay small. */
function rootPowers(radix: number): string {
  const lines: string[] = [];
  for (let k = 2; k < radix; k++) {
    const half = Math.floor(k / 2);
    lines.push(`w[${k}] = product(w[${half}], w[${k - half}].re, w[${k - half}].im);`);
  }
  return lines.join(" ");
}
