/**
 * OpenCL C that finds the indices where a predicate is true, without a mask in memory. Parts are counted; once the
 * start of each part's results is known, each part computes the predicate again and writes its results. A CPU has a
 * chunk for each work-item; a GPU has a block for each work-group, with the truth values as bits in local memory, so
 * that adjacent work-items write adjacent elements.
 */
import type { StructType } from "@cl/core";
import { type Macros, macros } from "../kernels/macros.js";
import { blockSize, type Parts } from "../scan/parts.js";
import type { Parameter } from "../user-kernels/kernel-parameter.js";
import {
  arrayStatements,
  declared,
  indexType,
  placedText,
  placesType,
  type TextPlan,
} from "../user-kernels/places-source.js";
import { programHead } from "../user-kernels/program-head.js";
import writeBlocks from "./predicate-blocks.cl";
import writeChunks from "./predicate-chunks.cl";
import counts from "./predicate-counts.cl";

/** What somebody wrote. */
export interface PredicateTexts {
  readonly parameters: readonly Parameter[];
  /** An expression of the index `i` and of the parameters. */
  readonly predicate: string;
  /** Statements before it. */
  readonly before?: string;
  readonly preamble: string;
  readonly types: readonly StructType[];
}

/** What is written for each index, in OpenCL C of the index `n`, and of `at`: how many are true before it. */
export interface PredicateEmission {
  /** Declarations behind the others, such as `__global int *const target`. */
  readonly parameters: readonly string[];
  /** A parameter whose element at the index is `item` in the statements. */
  readonly item: Parameter | undefined;
  /** Where it is true. */
  readonly kept: string;
  /**
   * The code where the predicate is false.
   * @defaultValue nothing
   */
  readonly other?: string;
  /**
   * Start indices in `target_` of the selected and of the other elements, if the kernel writes nothing else. Elements can
   * then be written before their predicate is known: a later element overwrites a wrong one.
   */
  readonly targets?: { readonly kept: string; readonly others?: string };
}

/** Work-items of a group. */
export const groupSize = 256;
/** Number of indices whose truths a processor computes together. */
const strip = 256;

/** The program of `count_true_`. */
export function countSource(texts: PredicateTexts, plan: TextPlan, parts: Parts): string {
  return `${head(texts, plan)}${macros(commonMacros(texts, plan, parts))}${counts}`;
}

/** The program of `write_true_`. */
export function writeSource(texts: PredicateTexts, emission: PredicateEmission, plan: TextPlan, parts: Parts): string {
  const { parameters, item, kept, other } = emission;
  const names = {
    ...commonMacros(texts, plan, parts),
    TARGETS_: parameters.map((one) => `, ${one}`).join(""),
    ITEM_: item === undefined ? "" : `const ${itemType(item)} item = item_at_(${namesOf(texts)}, n);`,
    KEPT_: kept,
    HAS_OTHER_: other !== undefined,
    OTHER_: other ?? "",
    ...(parts === "chunks" ? stripMacros(emission, plan) : {}),
  };
  return `${head(texts, plan)}
${itemFunction(texts, emission, plan)}
${macros(names)}${parts === "chunks" ? writeChunks : writeBlocks}`;
}

/** Returns the macros of all kernels. Arguments of kernels must have types that are known: `count_t_` is no `typedef`. */
function commonMacros(texts: PredicateTexts, plan: TextPlan, parts: Parts): Macros {
  return {
    count_t_: indexType(plan),
    BLOCKS_: parts === "blocks",
    GROUP_: groupSize,
    BLOCK_: blockSize,
    PARAMETERS_: outside(texts),
    "IS_TRUE_(n)": `is_true_(${namesOf(texts)}, n)`,
  };
}

/** Names of the kernels' arguments that meet none of somebody's own. */
function namesOf({ parameters }: PredicateTexts): string {
  return [...parameters.map(({ name, isArray }) => (isArray ? `${name}_memory_` : `${name}_value_`)), "places_"].join(
    ", ",
  );
}

function outside({ parameters }: PredicateTexts): string {
  const list = parameters.map((one) => (one.isArray ? declared(one) : `const ${one.cType} ${one.name}_value_`));
  return [...list, "const Places_ places_"].join(", ");
}

/** The text becomes a function of an index. */
function head(texts: PredicateTexts, plan: TextPlan): string {
  const { parameters, preamble, types, predicate } = texts;
  return `${programHead({ parameters, preamble, types, operation: predicate, before: texts.before ?? "", after: "" })}
${placesType(plan)}
int is_true_(${outside(texts)}, const ${indexType(plan)} n_) {
${values(texts)}
${arrayStatements(plan)}
  ${placedText(texts.before ?? "", plan.arrays)}
  return (${placedText(predicate, plan.arrays)}) != 0;
}
`;
}

function values({ parameters }: PredicateTexts): string {
  return parameters
    .filter(({ isArray }) => !isArray)
    .map(({ name, cType }) => `  const ${cType} ${name} = ${name}_value_;`)
    .join("\n");
}

/** The element of an array at an index; halves as floats. */
function itemFunction(texts: PredicateTexts, { item }: PredicateEmission, plan: TextPlan): string {
  if (item === undefined) return "";
  return `${itemType(item)} item_at_(${outside(texts)}, const ${indexType(plan)} n_) {
${values(texts)}
${arrayStatements(plan)}
  return ${placedText(`${item.name}[i]`, plan.arrays)};
}
`;
}

/** The type of a loaded element; halves are floats. */
function itemType({ cType }: Parameter): string {
  return cType === "half" ? "float" : cType;
}

/** Returns the macros of strips, and for processors that have an instruction that moves what is kept of a vector to its front. */
function stripMacros({ item, targets }: PredicateEmission, { arrays }: TextPlan): Macros {
  const strips = { STRIP_: targets === undefined ? 0 : strip, KEEPS_OTHERS_: targets?.others !== undefined };
  const own = arrays.find(({ argument }) => argument.parameter.name === item?.name);
  const bytes = item?.dtype.itemSize;
  if (own?.how !== "direct" || item === undefined || targets === undefined || (bytes !== 4 && bytes !== 8)) {
    return { ...strips, SQUEEZES_: false };
  }
  const [vector, name, lanes, word] = bytes === 4 ? ["int16", "si", 16, "int"] : ["long8", "di", 8, "long"];
  const compress = `__builtin_ia32_compress${name}512_mask`;
  const put = (start: string): string =>
    `vstore${lanes}(${compress}(found, (${vector})0, bits), 0, (__global ${word} *)target_ + ${start});`;
  return {
    ...strips,
    SQUEEZES_: true,
    VECTOR_: vector,
    LANES_: lanes,
    WORD_: word,
    COMPRESS_: compress,
    "VLOAD_(from)": `vload${lanes}(0, from)`,
    ITEMS_: `${item.name}_memory_ + places_.${item.name}_offset`,
    "PUT_KEPT_(found, bits, n, at)": put(`${targets.kept} + at`),
    "PUT_OTHERS_(found, bits, n, at)": targets.others === undefined ? "" : put(`${targets.others} + (n - at)`),
  };
}
