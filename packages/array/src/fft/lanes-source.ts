/**
 * OpenCL C of transforms on CPUs: as many lines as a vector has lanes are transformed together, so that all arithmetic
 * uses whole vectors. A work-item has scratch memory for the lines, which stays in its core's caches; real and
 * imaginary parts are separate vectors there. If adjacent lines are contiguous in memory, they are loaded and stored
 * directly; otherwise they are transposed in registers.
 */
import { generated, macros } from "../kernels/macros.js";
import { quiet } from "../kernels/processor-source.js";
import { butterflySource, butterflyTypes, type RealType } from "./butterflies-source.js";
import lanesKernel from "./lanes.cl";
import { passType } from "./pass.js";
import stage from "./stage.cl";

/** Returns the number of lines that are transformed together. */
export function lanesOf(real: RealType): number {
  return real === "float" ? 16 : 8;
}

/** Sets of radices that kernels are built with; the first that is enough is taken. */
export const laneRadices: readonly (readonly number[])[] = [
  [8, 4, 2],
  [8, 5, 4, 3, 2],
  [13, 11, 8, 7, 5, 4, 3, 2],
];

/** Where in the table of integers the places of results begin, after the radices and their number. */
export const radicesRoom = 16;

/** What the text depends on. */
export interface LanesText {
  readonly real: RealType;
  readonly radices: readonly number[];
  readonly short: boolean;
}

/** The program, with one kernel, `transform`. */
export function lanesSource({ real, radices, short }: LanesText): string {
  const lanes = lanesOf(real);
  return `${quiet}
${laneMacros(real, lanes, radices)}
${butterflyTypes(`${real}${lanes}`)}
${passType(short)}
${transposition(lanes)}
${stagesSource(radices, real, "__global")}
${lanesKernel}`;
}

/** The macros of vectors of `lanes` numbers and of a switch by radix. */
export function laneMacros(real: RealType, lanes: number, radices: readonly number[]): string {
  const stages = radices.map((radix) => `case ${radix}: stage_${radix}(rows, length, size, twiddles); break;`);
  return macros({
    real_t: real,
    real2_t: `${real}2`,
    LANES: lanes,
    "LOAD(from)": `vload${lanes}(0, from)`,
    "STORE(value, to)": `vstore${lanes}(value, 0, to)`,
    RADICES_ROOM: radicesRoom,
    "STAGES(rows, length, size, twiddles)": stages.join(" "),
  });
}

/** A function for a stage of each radix. */
export function stagesSource(radices: readonly number[], real: RealType, space: "__global" | "__local"): string {
  const sources = radices.map((radix) => {
    const names = { RADIX: radix, STAGE: `stage_${radix}`, BUTTERFLY: `butterfly_${radix}`, SPACE: space };
    return `${butterflySource(radix, real)}\n${macros(names)}${stage}`;
  });
  return sources.join("\n");
}

/** Halves, then fours, pairs and single ones of the rows change places with those of the row so far below. */
export function transposition(lanes: number): string {
  const digits = Array.from({ length: lanes }, (_, k) => k.toString(16));
  const steps: string[] = [];
  for (let by = lanes / 2; by >= 1; by /= 2) {
    const list = (shift: number): string =>
      digits.map((_, e) => ((e & by) === 0 ? `a.s${digits[e + shift]}` : `b.s${digits[e - by + shift]}`)).join(", ");
    steps.push(`  _Pragma("unroll") for (int i = 0; i < LANES; i++) {
    if ((i & ${by}) != 0) continue;
    const V a = rows[i], b = rows[i + ${by}];
    rows[i] = (V)(${list(0)});
    rows[i + ${by}] = (V)(${list(by)});
  }`);
  }
  return generated(`void transpose_block(__private V *const rows) {
${steps.join("\n")}
}`);
}
