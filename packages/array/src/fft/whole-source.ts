/**
 * OpenCL C of transforms of whole lines in one launch, on CPUs: a work-item has a line in local memory, as a matrix of
 * its two factors. It transforms the columns, as many together as a vector has lanes, multiplies them by the twiddle
 * factors, and stores them as contiguous rows, which it transforms in the same way. If the columns or rows are not a
 * multiple of the lanes, the last block begins earlier and repeats some of them. For real lines, the conversion of
 * their half spectra is done in local memory, too.
 */
import { macros } from "../kernels/macros.js";
import { quiet } from "../kernels/processor-source.js";
import { butterflyTypes, type RealType } from "./butterflies-source.js";
import { laneMacros, stagesSource, transposition } from "./lanes-source.js";
import wholeKernel from "./whole.cl";

/** What the text depends on. */
export interface WholeText {
  readonly real: RealType;
  /** Number of columns that are transformed together: 4, 8 or 16. */
  readonly lanes: number;
  readonly radices: readonly number[];
}

/** Bits of the kernel's flags. The first two make the inverse of a transform. */
export const wholeFlags = {
  /** Real and imaginary parts change places on the way in. */
  changeIn: 1,
  /** They do on the way out. */
  changeOut: 2,
  /** Lines that are read are the first halves of spectra of real lines; in their transforms are pairs of real numbers. */
  fromHalf: 4,
  /** Elements that are read are pairs of real numbers; the first half of their spectrum is stored. */
  toHalf: 8,
} as const;

/** Bytes of local memory for a line of two parts. */
export function wholeBytes(
  real: RealType,
  lanes: number,
  [first, second]: readonly [number, number],
  isHalf: boolean,
): number {
  const vectors = 2 * first + 2 * second * Math.ceil(first / lanes);
  // Both parts of a line of one element more.
  const line = isHalf ? 2 * (first * second + 1) : 0;
  return (vectors * lanes + line) * (real === "float" ? 4 : 8);
}

/** The program, with one kernel, `transform`. */
export function wholeSource({ real, lanes, radices }: WholeText): string {
  const reversed = Array.from({ length: lanes }, (_, k) => (lanes - 1 - k).toString(16)).join("");
  const names = {
    "REVERSED(value)": `(value).s${reversed}`,
    FROM_HALF: wholeFlags.fromHalf,
    TO_HALF: wholeFlags.toHalf,
  };
  return `${quiet}
${laneMacros(real, lanes, radices)}
${macros(names)}
${butterflyTypes(`${real}${lanes}`)}
${transposition(lanes)}
${stagesSource(radices, real, "__local")}
${wholeKernel}`;
}
