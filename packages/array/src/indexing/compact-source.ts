/**
 * OpenCL C that finds where a mask is true: parts of it are counted, and once the start of each part's results is
 * known, each part writes its results. A CPU has one chunk for each work-item. A GPU has a block for each work-group,
 * whose work-items read several elements before they write them, adjacent ones to adjacent places.
 */
import { expressionHead, expressionStatements } from "../kernels/expression-code.js";
import { computeType, loaded, storedType } from "../kernels/compute-type.js";
import { operandParameters } from "../kernels/strided-source.js";
import { generated, type Macros, macros } from "../kernels/macros.js";
import type { Expression } from "../expression/expression.js";
import type { DTypeName } from "../types/dtype-name.js";
import { carrierOf } from "./carrier.js";
import { blockSize, type Parts } from "../scan/parts.js";
import { noteFault } from "../faults/device-faults.js";
import { countFault } from "../faults/index-faults.js";
import maskCounts from "./mask-counts.cl";
import maskWrites from "./mask-writes.cl";
import maskedParts from "./masked-parts.cl";

/** What is written for each true element. */
export type EmissionKind =
  /** The element there. */
  | "values"
  /** Its position in C order. */
  | "positions"
  /** Its index along each axis. */
  | "coordinates"
  /** A value is stored there: the first value in the first place, the second in the second, and from the first again. */
  | "store";

/** The parameters of both kernels' source. */
export interface CompactPlan {
  readonly parts: Parts;
  readonly kind: EmissionKind;
  /** Size of the moved elements in bytes. */
  readonly itemSize: number;
  /** Number of axes of the array that is masked; 0 if it is contiguous. */
  readonly rank: number;
  /** Whether it is an error if the number of values differs from that of true elements. */
  readonly exact: boolean;
  readonly short: boolean;
  /** Whether blocks begin at multiples of 16 bytes. */
  readonly aligned: boolean;
  /** Whether the only part counts what it writes, instead of being told. @defaultValue false */
  readonly countsItself?: boolean;
}

/** A mask that kernels compute. */
export interface ComputedFlags {
  readonly value: Expression;
  readonly inputs: readonly DTypeName[];
  readonly scalars: readonly DTypeName[];
  /** The distance between elements of each input, 0 or 1. */
  readonly steps: readonly number[];
  /** The input whose elements are selected, if it need not be read again to be written. */
  readonly held: number | undefined;
}

const groupSize = 256;

/** How many work-items a group has. */
export function groupOf(parts: Parts): number {
  return parts === "blocks" ? groupSize : 1;
}

/** The head of all programs: the parameters of the mask, and the last argument of the kernels. */
function head({ short, rank, parts, aligned }: CompactPlan, flags?: ComputedFlags): string {
  const sizes = { INDEX: short ? "int" : "long", AXES: Math.max(rank, 1), GROUP: groupSize, BLOCK: blockSize };
  const mask = flags === undefined ? { MASK: "__global const uchar *const mask" } : flagMacros(flags, short);
  const names = { ...sizes, ...mask, COMPUTES: flags !== undefined, BLOCKS: parts === "blocks", ALIGNED: aligned };
  return `${macros(names)}${maskedParts}`;
}

/** The program of `count`. */
export function countSource(plan: CompactPlan): string {
  return `${head(plan)}${maskCounts}`;
}

/** The program of `write`. */
export function writeSource(plan: CompactPlan): string {
  return `${carrierHead(plan)}${head(plan)}${writeCode(plan, false)}`;
}

/** The program of `count` and `write` for blocks of a mask that both compute. */
export function computedSource(plan: CompactPlan, flags: ComputedFlags): string {
  const { value, held } = flags;
  const { lines, results } = expressionStatements([value], (k) => (k === held ? "element" : elementOf(flags, k)));
  const element = held === undefined ? [] : [`const ${computeType(flags.inputs[held] as DTypeName)} element`];
  const parameters = [...flagParameters(flags, plan.short), ...element, `const ${plan.short ? "int" : "long"} i`];
  return `${expressionHead([value])}
int is_true(${parameters.join(", ")}) {
${lines.map((line) => `  ${line}`).join("\n")}
  return ${results[0] as string};
}
${carrierHead(plan)}${head(plan, flags)}${maskCounts}${writeCode(plan, held !== undefined)}`;
}

/** The element of an input at position `i`. */
function elementOf({ inputs, steps }: ComputedFlags, k: number): string {
  return loaded(inputs[k] as DTypeName, `in${k}`, steps[k] === 0 ? `start${k}` : `start${k} + (i)`);
}

function flagMacros(flags: ComputedFlags, short: boolean): Macros {
  const { inputs, held } = flags;
  const isTrue = (...rest: readonly string[]): string => `is_true(${[...namesOf(flags), ...rest].join(", ")})`;
  const MASK = flagParameters(flags, short).join(", ");
  if (held === undefined) return { MASK, "IS_TRUE(i)": isTrue("i") };
  return {
    MASK,
    "IS_TRUE(i)": isTrue(elementOf(flags, held), "i"),
    "IS_TRUE_OF(element, i)": isTrue(`as_${storedType(inputs[held] as DTypeName)}(element)`, "i"),
  };
}

/** Memory of inputs, where their elements start, and scalars. */
function flagParameters(flags: ComputedFlags, short: boolean): readonly string[] {
  const { inputs, scalars } = flags;
  const memory = operandParameters({ outputs: [], inputs, scalars: [] });
  const starts = inputs.map((_, k) => `const ${short ? "int" : "long"} start${k}`);
  return [...memory, ...starts, ...scalars.map((type, k) => `const ${computeType(type)} s${k}`)];
}

function namesOf({ inputs, scalars }: ComputedFlags): readonly string[] {
  return [...inputs.map((_, k) => `in${k}`), ...inputs.map((_, k) => `start${k}`), ...scalars.map((_, k) => `s${k}`)];
}

function carrierHead({ kind, itemSize }: CompactPlan): string {
  return kind === "values" || kind === "store" ? `${carrierOf(itemSize).head}\n` : "\n";
}

/** `write`, which follows the head. */
function writeCode(plan: CompactPlan, holds: boolean): string {
  const { kind, exact } = plan;
  const reads = kind === "values" || kind === "store";
  const type = reads ? carrierOf(plan.itemSize).type : kind === "positions" ? "place_t" : "long";
  const names = {
    T: type,
    SIZED: plan.parts === "blocks" ? `__attribute__((reqd_work_group_size(${groupSize}, 1, 1)))` : "",
    SOURCE: reads ? `__global const ${type} *const source,` : "",
    FAULT: exact ? "volatile __global int *const fault," : "",
    NOTES: exact,
    COUNTS: plan.countsItself === true,
    COUNT_FAULT: countFault,
    "READ(i, at)": found(plan),
    "WRITE(i, at, value)": written(plan),
    HOLDS: holds,
    BATCH: holds ? blockSize / groupSize : plan.itemSize <= 16 ? 8 : 1,
    BRANCHLESS: kind !== "store" && plan.rank === 0,
    ...squeezing(plan),
  };
  const functions = `${exact ? noteFault : ""}${reads ? generated(placeCode(plan)) : ""}`;
  return `${functions}${macros(names)}${maskWrites}`;
}

/** The offset of the element at a position. */
function placeCode({ rank }: CompactPlan): string {
  const lines = Array.from({ length: rank }, (_, axis) =>
    axis === rank - 1
      ? `  place += rest * parts->stride[${axis}];`
      : `  place += rest % parts->extent[${axis}] * parts->stride[${axis}];\n  rest /= parts->extent[${axis}];`,
  );
  return `
place_t place_of(const place_t i, const Parts *const parts) {
  place_t place = parts->offset;
${rank === 0 ? "  place += i;" : ["  place_t rest = i;", ...lines].join("\n")}
  return place;
}
`;
}

/** What is written for the place at position `i`, the `at`-th that is true. */
function found({ kind }: CompactPlan): string {
  if (kind === "values") return `source[place_of(i, &parts)]`;
  return kind === "store" ? `source[parts.values + (at) % parts.value_count]` : "i";
}

/** The statements that write it. */
function written({ kind, rank }: CompactPlan): string {
  if (kind === "store") return `target[place_of(i, &parts)] = value;`;
  if (kind !== "coordinates") return `target[at] = value;`;
  const lines = Array.from({ length: rank }, (_, axis) => {
    const target = `target[parts.stride[${axis}] + at]`;
    return axis === rank - 1
      ? `${target} = rest;`
      : `${target} = rest % parts.extent[${axis}]; rest /= parts.extent[${axis}];`;
  });
  return `{ place_t rest = value; ${lines.join(" ")} }`;
}

/** Returns the macros for processors that have an instruction that moves what is kept of a vector to its front. */
function squeezing({ kind, rank, itemSize, short }: CompactPlan): Macros {
  const bytes = kind === "positions" ? (short ? 4 : 8) : itemSize;
  if (kind === "store" || rank > 0 || (bytes !== 4 && bytes !== 8)) return { SQUEEZES: false };
  const [word, name, lanes] = bytes === 4 ? ["int", "si", 16] : ["long", "di", 8];
  const found = (width: number): string =>
    kind === "positions"
      ? `(${word}${width})(i) + (${word}${width})(${Array.from({ length: width }, (_, k) => k).join(", ")})`
      : `vload${width}(0, (__global const ${word} *)source + parts.offset + i)`;
  return {
    SQUEEZES: true,
    VECTOR: `${word}${lanes}`,
    LANES: lanes,
    WORD: word,
    COMPRESS: `__builtin_ia32_compress${name}512_mask`,
    "VSTORE(value, k, to)": `vstore${lanes}(value, k, to)`,
    "FOUND(i)": found(lanes),
    HALF_LANES: lanes / 2,
    "HALF_FOUND(i)": found(lanes / 2),
    "WORD_FLAGS(at)": bytes === 4 ? "vload8(0, at)" : "vload4(0, at).s00112233",
  };
}
