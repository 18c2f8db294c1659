/**
 * OpenCL C that finds the indices where a predicate is true, without a mask in memory. Parts are counted; once the
 * start of each part's results is known, each part computes the predicate again and writes its results. A CPU has a
 * chunk for each work-item; a GPU has a block for each work-group, with the truth values as bits in local memory, so
 * that adjacent work-items write adjacent elements.
 */
import type { StructType } from "@cl/core";
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

export const groupSize = 256;
const perItem = blockSize / groupSize;

/** The program of `count_true_`. */
export function countSource(texts: PredicateTexts, plan: TextPlan, parts: Parts): string {
  const kernel = parts === "chunks" ? countChunks(texts) : countBlocks(texts);
  return `${head(texts, plan)}
${counted(kernel, plan)}`;
}

/** The program of `write_true_`. */
export function writeSource(texts: PredicateTexts, emission: PredicateEmission, plan: TextPlan, parts: Parts): string {
  const kernel = parts === "chunks" ? writeChunks(texts, emission, plan) : writeBlocks(texts, emission);
  return `${head(texts, plan)}
${itemFunction(texts, emission, plan)}
${counted(kernel, plan)}`;
}

/** With the type of positions in place of `count_t_`: arguments of kernels must have types that are known. */
function counted(text: string, plan: TextPlan): string {
  return text.replaceAll("count_t_", indexType(plan));
}

/** Names of the kernels' arguments that meet none of somebody's own. */
function names({ parameters }: PredicateTexts): string {
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
  const type = item.cType === "half" ? "float" : item.cType;
  return `${type} item_at_(${outside(texts)}, const ${indexType(plan)} n_) {
${values(texts)}
${arrayStatements(plan)}
  return ${placedText(`${item.name}[i]`, plan.arrays)};
}
`;
}

function countChunks(texts: PredicateTexts): string {
  return `__kernel void count_true_(${outside(texts)}, __global count_t_ *const counts_, const count_t_ part_) {
  const count_t_ start = (count_t_)get_global_id(0) * part_;
  const count_t_ end = min((count_t_)(start + part_), places_.size);
  count_t_ count = 0;
  for (count_t_ n = start; n < end; n++) count += is_true_(${names(texts)}, n);
  counts_[get_global_id(0)] = count;
}
`;
}

function countBlocks(texts: PredicateTexts): string {
  return `__kernel __attribute__((reqd_work_group_size(${groupSize}, 1, 1)))
void count_true_(${outside(texts)}, __global count_t_ *const counts_, const count_t_ part_) {
  __local int total;
  if (get_local_id(0) == 0) total = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const count_t_ first = (count_t_)get_group_id(0) * ${blockSize} + (count_t_)get_local_id(0);
  int own = 0;
  for (int k = 0; k < ${perItem}; k++) {
    const count_t_ n = first + k * ${groupSize};
    if (n < places_.size) own += is_true_(${names(texts)}, n);
  }
  if (own != 0) atomic_add(&total, own);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) counts_[get_group_id(0)] = total;
}
`;
}

function itemStatement(texts: PredicateTexts, { item }: PredicateEmission): string {
  if (item === undefined) return "";
  return `const ${item.cType === "half" ? "float" : item.cType} item = item_at_(${names(texts)}, n);`;
}

function parametersOf(texts: PredicateTexts, { parameters }: PredicateEmission): string {
  return [
    outside(texts),
    "__global const count_t_ *const offsets_",
    "const count_t_ part_",
    "const count_t_ limit_",
    ...parameters,
  ].join(", ");
}

function writeChunks(texts: PredicateTexts, emission: PredicateEmission, plan: TextPlan): string {
  const { kept, other, targets } = emission;
  const item = itemStatement(texts, emission);
  return `__kernel void write_true_(${parametersOf(texts, emission)}) {
  const int part = (int)get_global_id(0);
  const count_t_ start = part * part_;
  const count_t_ end = min((count_t_)(start + part_), places_.size);
  const count_t_ stop = min(offsets_[part + 1], limit_);
  count_t_ at = offsets_[part];
  count_t_ n_ = start;${targets === undefined ? "" : strips(texts, emission, plan, targets)}
  for (; n_ < end${other === undefined ? " && at < stop" : ""}; n_++) {
    const count_t_ n = n_;
    if (is_true_(${names(texts)}, n)) {
      ${other === undefined ? "" : "if (at >= stop) continue;"}
      ${item}
      ${kept}
      at++;
    }${
      other === undefined
        ? ""
        : ` else {
      ${item}
      ${other}
    }`
    }
  }
}
`;
}

const strip = 256;

/*
 * The truths of a strip are computed first, as vectors. Then without branches each goes where the next one that is kept
 * belongs, and the next overwrites it if it is not. This must not reach into the next chunk's share, so the last strips are
 * written with branches.
 */
function strips(
  texts: PredicateTexts,
  emission: PredicateEmission,
  plan: TextPlan,
  { others }: NonNullable<PredicateEmission["targets"]>,
): string {
  const item = itemStatement(texts, emission);
  const room = others === undefined ? "" : ` && n_ + ${strip} - at <= others_stop`;
  const wide = squeezed(emission, plan);
  const single = `for (int k = 0; k < ${strip}; k++) {
      const count_t_ n = n_ + k;
      ${item}
      ${emission.kept}
      ${emission.other ?? ""}
      at += truths[k];
    }`;
  return `
  const count_t_ others_stop = end - offsets_[part + 1];
  uchar truths[${strip}] __attribute__((aligned(64)));
  for (; n_ + ${strip} <= end && at + ${strip} <= stop${room}; n_ += ${strip}) {
    _Pragma("clang loop vectorize(assume_safety)")
    for (int k = 0; k < ${strip}; k++) truths[k] = (uchar)is_true_(${names(texts)}, n_ + k);
    ${
      wide === ""
        ? single
        : `${wide}
#else
    ${single}
#endif`
    }
  }`;
}

/* Processors with AVX-512 have an instruction that moves what is kept of a vector to its front. */
function squeezed({ item, targets }: PredicateEmission, { arrays }: TextPlan): string {
  const own = arrays.find(({ argument }) => argument.parameter.name === item?.name);
  const bytes = item?.dtype.itemSize;
  if (own?.how !== "direct" || item === undefined || targets === undefined || (bytes !== 4 && bytes !== 8)) return "";
  const [vector, name, lanes, element] = bytes === 4 ? ["int16", "si", 16, "int"] : ["long8", "di", 8, "long"];
  const put = (bits: string, at: string): string =>
    `vstore${lanes}(__builtin_ia32_compress${name}512_mask(found, (${vector})0, ${bits}), 0, (__global ${element} *)target_ + ${at});`;
  const others = targets.others === undefined ? "" : `\n        ${put("~own", `${targets.others} + (n - at)`)}`;
  return `
#if defined(__AVX512F__) && defined(__has_builtin)
#if __has_builtin(__builtin_ia32_compress${name}512_mask)
#define SQUEEZES_
#endif
#endif
#ifdef SQUEEZES_
    __global const ${element} *const items =
        (__global const ${element} *)(${item.name}_memory_ + places_.${item.name}_offset) + n_;
    for (int k = 0; k < ${strip}; k += 16) {
      const uint bits = (ushort)__builtin_ia32_pmovmskb128(vload16(0, truths + k) != (uchar16)0);
      for (int first = 0; first < 16; first += ${lanes}) {
        const count_t_ n = n_ + k + first;
        const uint own = bits >> first & ${bytes === 4 ? "0xffff" : "0xff"};
        const ${vector} found = vload${lanes}(0, items + k + first);
        ${put("own", `${targets.kept} + at`)}${others}
        at += popcount(own);
      }
    }`;
}

function writeBlocks(texts: PredicateTexts, emission: PredicateEmission): string {
  const { kept, other } = emission;
  const item = itemStatement(texts, emission);
  return `__kernel __attribute__((reqd_work_group_size(${groupSize}, 1, 1)))
void write_true_(${parametersOf(texts, emission)}) {
  __local uchar truths[${blockSize}];
  __local ushort bits[${groupSize}];
  __local ushort sums[${groupSize}];
  const int own = (int)get_local_id(0);
  const count_t_ start = (count_t_)get_group_id(0) * ${blockSize};
  for (int j = own; j < ${blockSize}; j += ${groupSize}) {
    const count_t_ n = start + j;
    truths[j] = n < places_.size ? (uchar)is_true_(${names(texts)}, n) : (uchar)0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // Each work-item packs the truth values of ${perItem} adjacent elements, and computes how many true ones precede them.
  uint flags = 0;
  for (int k = 0; k < ${perItem}; k++) flags |= (uint)truths[own * ${perItem} + k] << k;
  const ushort mine = (ushort)popcount(flags);
  ushort sum = mine;
  bits[own] = (ushort)flags;
  sums[own] = sum;
  for (int step = 1; step < ${groupSize}; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const ushort before = own >= step ? sums[own - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += before;
    sums[own] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sums[own] = sum - mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  const count_t_ first = offsets_[get_group_id(0)];
  const count_t_ stop = min(offsets_[get_group_id(0) + 1], limit_);
  const int length = (int)min((count_t_)${blockSize}, (count_t_)(places_.size - start));
  for (int j = own; j < length; j += ${groupSize}) {
    const count_t_ n = start + j;
    const uint flag_bits = bits[j / ${perItem}];
    const count_t_ at = first + sums[j / ${perItem}] + popcount(flag_bits & ((1u << j % ${perItem}) - 1));
    if (flag_bits >> j % ${perItem} & 1) {
      if (at >= stop) continue;
      ${item}
      ${kept}
    }${
      other === undefined
        ? ""
        : ` else {
      ${item}
      ${other}
    }`
    }
  }
}
`;
}
