/**
 * OpenCL C of distributions with a fixed number of results per block: four of 32 bits, two of 64, or one. The mapping
 * of numbers to words of the stream does not depend on the work-item.
 */
import { kindOf } from "../types/promote.js";
import { computeType, stored, storedType } from "../kernels/compute-type.js";
import { type Macros, macros } from "../kernels/macros.js";
import { pastCaches, quiet } from "../kernels/processor-source.js";
import type { DTypeName } from "../types/dtype-name.js";
import { type Distribution, distributionOf } from "./distributions.js";
import fillRandom from "./fill-random.cl";
import type { GeneratorName } from "./generators.js";
import inTurn from "./in-turn.cl";
import { streamHead } from "./stream-source.js";

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

/** The program, with one kernel, `fill_random`. */
export function fillSource({ generator, distribution, dtype, loops, past }: FillText): string {
  const { type, count, code } = distributionOf(distribution, dtype);
  const out = storedType(dtype);
  const variables = Array.from({ length: count }, (_, k) => `v${k}`);
  const wanted = variables.map(
    (name, k) => `if (IS_WANTED(${k})) { ${stored(dtype, "out", `at + ${k}`, `(${computeType(dtype)})${name}`)} }`,
  );
  // Memory of others begins anywhere.
  const hasWhole = count === 1 || dtype === "float16" ? "1" : `(((size_t)out & (sizeof(${out}${count}) - 1)) == 0)`;
  const names = {
    T: out,
    V: type,
    P: kindOf(dtype) < 3 ? "ulong" : computeType(dtype),
    COUNT: count,
    NUMBERS: variables.join(", "),
    ADDRESSES: variables.map((name) => `&${name}`).join(", "),
    "HAS_WHOLE(out)": hasWhole,
    "STORE_WHOLE(at)": storedBlock(dtype, variables),
    "STORE_WANTED(at)": wanted.join(" "),
    LOOPS: loops,
    BLOCKS_OF_ITEM: blocksOfItem,
    ...(loops ? { LANES: `${type}8`, PAIRS: `${type}16`, ...laneMacros(dtype, type, count, past) } : {}),
  };
  const head = `${type === "double" ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : ""}${quiet}`;
  const numbers = `${streamHead(generator, loops)}${code(loops)}`;
  return `${head}\n${numbers}${loops ? `${pastCaches}\n` : ""}${macros(names)}${loops ? inTurn : ""}${fillRandom}`;
}

/** Numbers of one block in one piece. */
function storedBlock(dtype: DTypeName, variables: readonly string[]): string {
  const { length } = variables;
  if (length === 1) return stored(dtype, "out", "at", `(${computeType(dtype)})v0`);
  if (dtype === "float16") return `vstore_half${length}_rte((float${length})(${variables.join(", ")}), 0, out + at);`;
  const own = storedType(dtype);
  const values = variables.map((name) => `(${own})${name}`).join(", ");
  return `*(__global ${own}${length} *)(out + at) = (${own}${length})(${values});`;
}

/** Returns the macros that store the numbers of eight blocks, of each of which the variables have one. */
function laneMacros(dtype: DTypeName, type: string, count: number, past: boolean): Macros {
  const [own, width] = [storedType(dtype), count === 1 ? 8 : 16];
  const vectors = {
    1: ["v0"],
    2: ["in_turn(v0, v1)"],
    4: ["in_turn(even.lo, odd.lo)", "in_turn(even.hi, odd.hi)"],
  }[count] as readonly string[];
  const isHalf = dtype === "float16";
  const stores = vectors.map((value, k) => {
    const place = `to + ${k * width}`;
    if (isHalf) return `{ const float${width} stored_ = ${value}; vstore_half${width}_rte(stored_, 0, ${place}); }`;
    const vector = `${own}${width}`;
    const store = past
      ? `PAST_CACHES(stored_, (__global ${vector} *)(${place}));`
      : `vstore${width}(stored_, 0, ${place});`;
    return `{ const ${vector} stored_ = ${own === type ? value : `convert_${vector}(${value})`}; ${store} }`;
  });
  return {
    TURN_LANES: count === 4 ? "const PAIRS even = in_turn(v0, v2), odd = in_turn(v1, v3);" : "",
    "STORE_LANES(to)": stores.join(" "),
  };
}
