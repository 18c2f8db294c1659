/** Radix sort for GPUs. A work-group gets the counts of preceding blocks by look-back or from a separate counting pass. */
import { macros } from "../kernels/macros.js";
import counts from "./block-counts.cl";
import moves from "./block-moves.cl";
import blocks from "./blocks.cl";
import { keySource, keyTypeOf, type KeyPlan } from "./key-source.js";
import type { DTypeName } from "../types/dtype-name.js";
import { placeMacros, type PlacePlan } from "./places.js";

/** How a work-group gets the counts of preceding blocks and the ranks of its work-items. */
export interface BlocksWay {
  /**
   * `look-back`: from blocks before that run at the same time, which needs groups to go on whatever others wait for. `counts`:
   * from a kernel that counted before.
   */
  readonly before: "look-back" | "counts";
  /** `warps`: 32 work-items in lockstep show each other their digits, in NVIDIA's PTX. `masks`: by way of local memory. */
  readonly ranks: "warps" | "masks";
}

/** What the text depends on. */
export interface BlocksPlan extends KeyPlan, BlocksWay {
  readonly places: PlacePlan;
}

/** Work-items of each group: one for each value of a digit. */
export const blocksGroup = 256;

/**
 * Returns the number of elements of a block: as many as fit into 32 KiB of local memory together with the counts. Places need
 * registers besides: an argsort of 1e8 uint32 on an H100 takes 5.0 ms with 16 for each work-item, 7.1 ms with 20.
 */
export function blockSize({ dtype, places }: Pick<BlocksPlan, "dtype" | "places">): number {
  const width = widest(dtype, places);
  return blocksGroup * (width <= 4 ? (places.kind === "none" ? 20 : 16) : width === 8 ? 10 : 4);
}

/** Returns the bytes of the widest of what is moved. */
function widest(dtype: DTypeName, { kind, type }: PlacePlan): number {
  return Math.max(keyTypeOf(dtype).itemSize, kind === "none" ? 0 : type === "ulong" ? 8 : 4);
}

/** The program of `histogram`, `plan` and `move`, and of `count` and `scan` where blocks are counted. */
export function blocksSource(given: BlocksPlan): string {
  const { places, before, ranks, ...keys } = given;
  const bytes = widest(keys.dtype, places);
  const looks = before === "look-back";
  const names = {
    ...placeMacros(places),
    ITEMS: blockSize(given) / blocksGroup,
    BLOCK: blockSize(given),
    WARPS: ranks === "warps",
    LOOKS_BACK: looks,
    COUNTS: looks
      ? "volatile __global uint *const tickets, __global uint *const words, __global uint *const other_words,"
      : "__global const uint *const counts,",
    WORDS_START: looks ? ", const ulong words_start" : "",
    WIDEST: bytes === 16 ? "ulong2" : bytes === 8 ? "ulong" : "uint",
  };
  return `${keySource(keys)}${macros(names)}${blocks}${before === "counts" ? counts : ""}${moves}`;
}
