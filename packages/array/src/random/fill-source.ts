/**
 * OpenCL C of distributions with a fixed number of results per block: four of 32 bits, two of 64, or one. The mapping
 * of numbers to words of the stream does not depend on the work-item.
 */
import { kindOf } from "../types/promote.js";
import { computeType, stored, storedType } from "../kernels/compute-type.js";
import { pastCaches, quiet } from "../kernels/processor-source.js";
import type { DTypeName } from "../types/dtype-name.js";
import { type Distribution, distributionOf } from "./distributions.js";
import type { GeneratorName } from "./generators.js";
import { lanes, streamHead } from "./stream-source.js";

/** What a kernel makes. */
export interface FillText {
  readonly generator: GeneratorName;
  readonly distribution: Distribution;
  readonly dtype: DTypeName;
  /** Whether work-items have loops over parts, as on processors. */
  readonly loops: boolean;
  /** Whether those write past the caches, for results that are not read soon. */
  readonly past: boolean;
}

/** Number of blocks computed by a GPU work-item. */
export const blocksOfItem = 4;

/** The kernel. */
export function fillSource({ generator, distribution, dtype, loops, past }: FillText): string {
  const { type, count, code } = distributionOf(distribution, dtype);
  const out = storedType(dtype);
  const parameter = kindOf(dtype) < 3 ? "ulong" : computeType(dtype);
  const variables = Array.from({ length: count }, (_, k) => `v${k}`).join(", ");
  const given = `const ${parameter} p, const ${parameter} q, const ${parameter} r`;
  // Memory of others begins anywhere.
  const startsWhole = count === 1 || dtype === "float16" ? "" : ` && ((size_t)out & (sizeof(${out}${count}) - 1)) == 0`;
  const head = `${type === "double" ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : ""}${quiet}
${streamHead(generator, loops)}
${code("")}
${loops ? code(String(lanes)) : ""}
/* All numbers of a block, which can be stored in one piece. */
void store_whole(__global ${out} *const out, const long at, const uint4 words, ${given}) {
  ${type} ${variables};
  numbers(words.x, words.y, words.z, words.w, p, q, r, ${addresses(count)});
  ${storedBlock(dtype, count, variables)}
}

/* Those numbers of a block that are wanted. */
void store_block(__global ${out} *const out, const Stream *const by, const long block, ${given}) {
  const uint4 words = random_block(by, (ulong)block);
  const long first = block * ${count};
  const long at = by->base + first;
  if (by->aligned${startsWhole} && first >= by->skip && first + ${count} <= by->end) {
    store_whole(out, at, words, p, q, r);
    return;
  }
  ${type} ${variables};
  numbers(words.x, words.y, words.z, words.w, p, q, r, ${addresses(count)});
  ${Array.from({ length: count }, (_, k) => `if (first + ${k} >= by->skip && first + ${k} < by->end) { ${stored(dtype, "out", `at + ${k}`, `(${computeType(dtype)})v${k}`)} }`).join("\n  ")}
}
`;
  const parameters = `__global ${out} *const out, const Stream by, ${given}`;
  return loops
    ? `${head}${pastCaches}${interleaved(type)}
__kernel void fill_random(${parameters}) {
${loopBody(dtype, type, count, past)}
}
`
    : `${head}
__kernel void fill_random(${parameters}) {
  const long from = (long)get_group_id(0) * (long)get_local_size(0) * ${blocksOfItem};
  const long first = from + (long)get_local_id(0);
  const long end = from + (long)get_local_size(0) * ${blocksOfItem};
  /* All blocks of a work-group together, without a branch for each: takes 0.7 times as long on an H200. */
  if (by.aligned${startsWhole} && (by.skip == 0 || from > 0) && end <= by.whole) {
    _Pragma("unroll") for (int k = 0; k < ${blocksOfItem}; k++) {
      const long block = first + (long)k * (long)get_local_size(0);
      store_whole(out, by.base + block * ${count}, random_block(&by, (ulong)block), p, q, r);
    }
    return;
  }
  for (long block = first; block < min(end, by.blocks); block += (long)get_local_size(0)) store_block(out, &by, block, p, q, r);
}
`;
}

const addresses = (count: number): string => Array.from({ length: count }, (_, k) => `&v${k}`).join(", ");

/** Numbers of one block in one piece. */
function storedBlock(dtype: DTypeName, count: number, variables: string): string {
  if (count === 1) return stored(dtype, "out", "at", `(${computeType(dtype)})v0`);
  if (dtype === "float16") return `vstore_half${count}_rte((float${count})(${variables}), 0, out + at);`;
  const own = storedType(dtype);
  const values = variables
    .split(", ")
    .map((name) => `(${own})${name}`)
    .join(", ");
  return `*(__global ${own}${count} *)(out + at) = (${own}${count})(${values});`;
}

/** Two vectors, one element of each at a time. */
const interleaved = (type: string): string => `
${type}16 in_turn(const ${type}8 a, const ${type}8 b) {
  return (${type}16)(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3, a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7);
}
`;

/** The part of a work-item, eight blocks at a time, and one by one where memory begins and ends. */
function loopBody(dtype: DTypeName, type: string, count: number, past: boolean): string {
  const [own, width] = [storedType(dtype), count === 1 ? 8 : 16];
  const variables = Array.from({ length: count }, (_, k) => `v${k}`).join(", ");
  const vectors = {
    1: ["v0"],
    2: ["in_turn(v0, v1)"],
    4: ["in_turn(even.lo, odd.lo)", "in_turn(even.hi, odd.hi)"],
  }[count] as readonly string[];
  const turns = count === 4 ? `const ${type}16 even = in_turn(v0, v2), odd = in_turn(v1, v3);` : "";
  const store = (name: string, k: number): string =>
    dtype === "float16"
      ? `vstore_half${width}_rte(${name}, 0, to + ${k * width});`
      : `vstore${width}(${name}, 0, to + ${k * width});`;
  const convert = (value: string): string =>
    dtype === "float16" || own === type ? value : `convert_${own}${width}(${value})`;
  const wide = vectors.map(
    (value, k) => `const ${dtype === "float16" ? "float" : own}${width} w${k} = ${convert(value)};`,
  );
  const pastStores = vectors.map((_, k) => `PAST_CACHES(w${k}, (__global ${own}${width} *)(to + ${k * width}));`);
  return `  const long units = (by.blocks + ${lanes - 1}) / ${lanes};
  const long start = units * (long)get_global_id(0) / (long)get_global_size(0) * ${lanes};
  const long end = min(units * (long)(get_global_id(0) + 1) / (long)get_global_size(0) * ${lanes}, by.blocks);
  /* The upper half of the counter stays what it is: what depends on nothing else is computed once. */
  const ulong high = by.high;
  const uint key[4] = {by.key[0], by.key[1], by.key[2], by.key[3]};
  const ulong8 steps = (ulong8)(0, 1, 2, 3, 4, 5, 6, 7);
  long block = start;
  if (block < end && by.skip > 0 && block == 0) store_block(out, &by, block++, p, q, r);
  for (const long whole = min(end, by.whole); block + ${lanes} <= whole; block += ${lanes}) {
    uint8 words[4];
    random_lanes(words, by.low + (ulong)block + steps, high, key);
    ${type}8 ${variables};
    numbers8(words[0], words[1], words[2], words[3], p, q, r, ${addresses(count)});
    ${turns}
    ${wide.join("\n    ")}
    __global ${own} *const to = out + by.base + block * ${count};
    ${(past && dtype !== "float16" ? pastStores : vectors.map((_, k) => store(`w${k}`, k))).join("\n    ")}
  }
  for (; block < end; block++) store_block(out, &by, block, p, q, r);`;
}
