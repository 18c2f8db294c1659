/**
 * OpenCL C that finds where a mask is true: parts of it are counted, and once the start of each part's results is
 * known, each part writes its results. A CPU has one chunk for each work-item. A GPU has a block for each work-group,
 * which first lists the selected elements in local memory, so that adjacent work-items write adjacent elements.
 */
import { carrierOf } from "./carrier.js";
import { blockSize, type Parts } from "../scan/parts.js";
import { noteFault } from "../faults/device-faults.js";
import { countFault } from "../faults/index-faults.js";

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
}

const groupSize = 256;

/** How many work-items a group has. */
export function groupOf({ parts }: CompactPlan): number {
  return parts === "blocks" ? groupSize : 1;
}

/** The head of both programs: the last argument of the kernels. All is counted in elements. */
function head({ short, rank }: CompactPlan): string {
  const index = short ? "int" : "long";
  return `
typedef ${index} place_t;
typedef struct {
  place_t size;
  place_t part;
  place_t mask;
  place_t limit;
  place_t offset;
  place_t values;
  place_t value_count;
  place_t extent[${Math.max(rank, 1)}];
  place_t stride[${Math.max(rank, 1)}];
} Parts;
`;
}

/** The program of `count`. */
export function countSource(plan: CompactPlan): string {
  return head(plan) + (plan.parts === "chunks" ? countChunks : flagsCode(plan) + countBlocks);
}

/* Bytes are added up before they could overflow. */
const countChunks = `
__kernel void count(__global const uchar *const mask, __global place_t *const counts, const Parts parts) {
  __global const uchar *const flags = mask + parts.mask;
  const place_t start = (place_t)get_global_id(0) * parts.part;
  const place_t end = min((place_t)(start + parts.part), parts.size);
  place_t count = 0;
  place_t i = start;
  for (; i + 2048 <= end; i += 2048) {
    uchar16 sums = 0;
    for (int k = 0; k < 128; k++) sums -= as_uchar16(vload16(k, flags + i) != (uchar16)0);
    const ushort8 eight = convert_ushort8(sums.lo) + convert_ushort8(sums.hi);
    const ushort4 four = eight.lo + eight.hi;
    count += four.x + four.y + four.z + four.w;
  }
  for (; i < end; i++) count += flags[i] != 0;
  counts[get_global_id(0)] = count;
}
`;

const countBlocks = `
__kernel __attribute__((reqd_work_group_size(${groupSize}, 1, 1)))
void count(__global const uchar *const mask, __global place_t *const counts, const Parts parts) {
  __local int total;
  if (get_local_id(0) == 0) total = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const place_t start = (place_t)get_group_id(0) * ${blockSize} + (place_t)get_local_id(0) * 16;
  const int own = popcount(flags_of(mask + parts.mask, start, parts.size));
  if (own != 0) atomic_add(&total, own);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) counts[get_group_id(0)] = total;
}
`;

/** One bit for each of 16 bytes that is not 0. */
function flagsCode({ aligned }: CompactPlan): string {
  const wide = `
  if (i + 16 <= size && ((size_t)mask & 15) == 0) {
    const uint4 bytes = *(__global const uint4 *)(mask + i);
    const uint4 bits = (((((bytes & 0x7f7f7f7f) + 0x7f7f7f7f) | bytes) & 0x80808080) >> 7) * 0x01020408 >> 24;
    return bits.x | bits.y << 4 | bits.z << 8 | bits.w << 12;
  }`;
  return `
uint flags_of(__global const uchar *const mask, const place_t i, const place_t size) {${aligned ? wide : ""}
  uint flags = 0;
  for (int k = 0; k < 16; k++) {
    if (i + k < size && mask[i + k] != 0) flags |= 1u << k;
  }
  return flags;
}
`;
}

/** The program of `write`. */
export function writeSource(plan: CompactPlan): string {
  const { kind, parts, exact } = plan;
  const carrier =
    kind === "positions"
      ? { type: "place_t", head: "" }
      : kind === "coordinates"
        ? { type: "long", head: "" }
        : carrierOf(plan.itemSize);
  const parameters = [
    "__global const uchar *const mask",
    "__global const place_t *const offsets",
    ...(kind === "values" || kind === "store" ? [`__global const ${carrier.type} *const source`] : []),
    `__global ${carrier.type} *const target`,
    ...(exact ? ["volatile __global int *const fault"] : []),
    "const int part_count",
    "const Parts parts",
  ];
  // Work-items of a group must reach the barriers together, so nothing returns here.
  const check = `
  const place_t limit = offsets[part_count] == parts.value_count ? parts.limit : 0;
  if (get_global_id(0) == 0 && offsets[part_count] != parts.value_count) {
    note_fault(fault, ${countFault}, 0, offsets[part_count], parts.value_count);
  }`;
  const limit = "\n  const place_t limit = parts.limit;";
  return `${carrier.head}
${head(plan)}
${exact ? noteFault : ""}
${parts === "blocks" ? flagsCode(plan) : ""}
${kind === "values" || kind === "store" ? placeCode(plan) : ""}
__kernel ${parts === "blocks" ? `__attribute__((reqd_work_group_size(${groupSize}, 1, 1)))` : ""}
void write(${parameters.join(", ")}) {${exact ? check : limit}
${parts === "blocks" ? writeBlocks(plan) : writeChunks(plan)}
}
`;
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

/** The statements for the place at position `i`, the `at`-th that is true. */
function emission({ kind, rank }: CompactPlan, i: string, at: string): string {
  switch (kind) {
    case "values":
      return `target[${at}] = source[place_of(${i}, &parts)];`;
    case "positions":
      return `target[${at}] = ${i};`;
    case "store":
      return `target[place_of(${i}, &parts)] = source[parts.values + ${at} % parts.value_count];`;
    case "coordinates": {
      const lines = Array.from({ length: rank }, (_, axis) => {
        const target = `target[parts.stride[${axis}] + ${at}]`;
        return axis === rank - 1
          ? `${target} = rest;`
          : `${target} = rest % parts.extent[${axis}]; rest /= parts.extent[${axis}];`;
      });
      return `{ place_t rest = ${i}; ${lines.join(" ")} }`;
    }
    default:
      return kind satisfies never;
  }
}

/*
 * Without branches each element goes where the next one that is kept belongs, and the next overwrites it if it is not. This
 * must not reach into the next chunk's share, so the last few are written with branches.
 */
function writeChunks(plan: CompactPlan): string {
  const branches = plan.kind === "store" || plan.rank > 0;
  const fast = `
  for (; i + 64 <= end && at + 64 <= stop; i += 64) {
    for (int k = 0; k < 64; k++) {
      ${emission(plan, "i + k", "at")}
      at += flags[i + k] != 0;
    }
  }`;
  return `  __global const uchar *const flags = mask + parts.mask;
  const int part = (int)get_global_id(0);
  const place_t start = part * parts.part;
  const place_t end = min((place_t)(start + parts.part), parts.size);
  const place_t stop = min(offsets[part + 1], limit);
  place_t at = offsets[part];
  place_t i = start;${branches ? "" : squeezed(plan) + fast}
  while (i < end && at < stop) {
    // Long runs without anything are passed over.
    if (i + 16 <= end && !any(vload16(0, flags + i) != (uchar16)0)) {
      i += 16;
      continue;
    }
    const place_t next = min((place_t)(i + 16), end);
    for (; i < next && at < stop; i++) {
      if (flags[i] == 0) continue;
      ${emission(plan, "i", "at")}
      at++;
    }
  }`;
}

/* Processors with AVX-512 have an instruction that moves what is kept of a vector to its front. */
function squeezed({ kind, itemSize, short }: CompactPlan): string {
  const bytes = kind === "positions" ? (short ? 4 : 8) : itemSize;
  if (bytes !== 4 && bytes !== 8) return "";
  const [vector, name, lanes] = bytes === 4 ? ["int16", "si", 16] : ["long8", "di", 8];
  const element = bytes === 4 ? "int" : "long";
  const numbers = Array.from({ length: lanes }, (_, k) => String(k)).join(", ");
  const found =
    kind === "positions"
      ? `(${vector})(i + first) + (${vector})(${numbers})`
      : `vload${lanes}(0, (__global const ${element} *)source + parts.offset + i + first)`;
  return `
#if defined(__AVX512F__) && defined(__has_builtin)
#if __has_builtin(__builtin_ia32_compress${name}512_mask)
  for (; i + 16 <= end && at + 16 <= stop; i += 16) {
    const uint bits = (ushort)__builtin_ia32_pmovmskb128(vload16(0, flags + i) != (uchar16)0);
    for (int first = 0; first < 16; first += ${lanes}) {
      const uint own = bits >> first & ${bytes === 4 ? "0xffff" : "0xff"};
      const ${vector} found = ${found};
      const ${vector} kept = __builtin_ia32_compress${name}512_mask(found, (${vector})0, own);
      vstore${lanes}(kept, 0, (__global ${element} *)target + at);
      at += popcount(own);
    }
  }
#endif
#endif`;
}

function writeBlocks(plan: CompactPlan): string {
  return `  __local ushort kept[${blockSize}];
  __local ushort sums[${groupSize}];
  const int item = (int)get_local_id(0);
  const place_t start = (place_t)get_group_id(0) * ${blockSize};
  const place_t first = offsets[get_group_id(0)];
  const place_t stop = min(offsets[get_group_id(0) + 1], limit);
  uint flags = flags_of(mask + parts.mask, start + item * 16, parts.size);
  const ushort own = (ushort)popcount(flags);
  ushort sum = own;
  sums[item] = sum;
  for (int step = 1; step < ${groupSize}; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const ushort before = item >= step ? sums[item - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += before;
    sums[item] = sum;
  }
  for (int at = sum - own; flags != 0; flags &= flags - 1) {
    kept[at++] = (ushort)(item * 16 + 31 - clz(flags & -flags));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // Negative behind the limit; never more than there are, should somebody have changed the mask meanwhile.
  const int count = (int)min((place_t)(stop - first), (place_t)sums[${groupSize - 1}]);
  for (int j = item; j < count; j += ${groupSize}) {
    const place_t i = start + kept[j];
    const place_t at = first + j;
    ${emission(plan, "i", "at")}
  }`;
}
