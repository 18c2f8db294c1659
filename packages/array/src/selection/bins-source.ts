/**
 * OpenCL C that counts elements by bin, or sums their weights. A CPU uses a few chunks, each with separate bins in
 * memory; the work-groups of a GPU use local memory, or share bins in global memory if there are too many. The partial
 * results are then added in order.
 */
import { computeType, loaded } from "../kernels/compute-type.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import { noteFault } from "../faults/device-faults.js";
import { indexFault, rangeFault } from "../faults/index-faults.js";

/** What the text depends on. */
export interface BinsPlan {
  readonly parts: "chunks" | "groups" | "shared";
  /** The elements' type. */
  readonly dtype: DTypeName;
  /** In which elements and edges are compared; undefined where elements are the numbers of bins. */
  readonly edges: DTypeName | undefined;
  /** What is added up: elements are counted without weights. */
  readonly weights: "none" | "float32" | "float64";
}

/** Number of bins that fit into the local memory of a work-group, with weights of any type. */
export const maxLocalBins = 4096;
/** Number of adjacent elements whose bins a CPU work-item finds together. */
const stripLength = 16;
/** Work-items of a group. */
export const binsGroup = 256;

/** The program of `count`. */
export function binsSource(plan: BinsPlan): string {
  const { edges, weights, parts } = plan;
  const weight = weights === "none" ? "uint" : computeType(weights);
  const doubles = [plan.dtype, edges, weights].includes("float64");
  return `${doubles ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : ""}
#pragma OPENCL FP_CONTRACT OFF
typedef ${weight} weight_t;
${edges === undefined ? numbered(plan) : edged(plan, edges, parts === "chunks" ? stripLength : 1)}
${parts === "chunks" ? chunks(plan) : `${weights === "none" ? "" : addCode(weight, parts === "groups" ? "__local" : "__global")}${parts === "groups" ? groups(plan) : shared(plan)}`}
`;
}

/** The program of `add_up`: each bin of all parts. */
export function addUpSource(weights: BinsPlan["weights"]): string {
  const weight = weights === "none" ? "uint" : computeType(weights);
  const result = weights === "none" ? "long" : weight;
  return `${weights === "float64" ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : ""}
/* With \`add\`, adds to the existing totals. */
__kernel void add_up(__global const ${weight} *const parts, const int part_count, __global ${result} *const totals,
                     const int bins, const int add) {
  const int bin = (int)get_global_id(0);
  if (bin >= bins) return;
  ${result} total = add ? totals[bin] : 0;
  for (int part = 0; part < part_count; part++) total += parts[(long)part * bins + bin];
  totals[bin] = total;
}
`;
}

/** The parameters of `count` behind its results. */
const common = "const int bins, const long size, const long part";

/* Elements are numbers of bins; others are noted. */
function numbered({ dtype }: BinsPlan): string {
  const type = computeType(dtype);
  return `${noteFault}
#define PARAMETERS __global const ${type} *const elements, const long first, volatile __global int *const fault
#define ARGUMENTS elements, first, fault

int bin_of(PARAMETERS, const int bins, const long i) {
  const ${type} number = elements[first + i];
  if (${kindOf(dtype) === 1 || kindOf(dtype) === 0 ? "" : "number >= 0 && "}number < (ulong)bins) return (int)number;
  note_fault(fault, ${indexFault}, 0, (long)number, bins);
  return -1;
}
`;
}

/*
 * Between equally spaced edges, computes the bin and corrects it where rounding led to an adjacent one, so that it
 * agrees with the edges. Otherwise searches for the last edge that is not above the element. The last bin includes its
 * right edge. Several elements are searched together to overlap their memory latency.
 */
function edged({ dtype }: BinsPlan, edges: DTypeName, lanes: number): string {
  const type = computeType(edges);
  return `
#define PARAMETERS __global const ${dtype === "float16" ? "half" : computeType(dtype)} *const elements, const long first, \\
    __global const ${type} *const edges_memory, const long edges_first, const int even
#define ARGUMENTS elements, first, edges_memory, edges_first, even

${binsOf(lanes, "bins_of", dtype, type)}
${lanes === 1 ? "" : binsOf(1, "bin_of_one", dtype, type)}
int bin_of(PARAMETERS, const int bins, const long i) {
  int found;
  ${lanes === 1 ? "bins_of" : "bin_of_one"}(ARGUMENTS, bins, i, &found);
  return found;
}
`;
}

function binsOf(lanes: number, name: string, dtype: DTypeName, type: string): string {
  const all = `for (int j = 0; j < ${lanes}; j++)`;
  return `
void ${name}(PARAMETERS, const int bins, const long i, int *const found) {
  __global const ${type} *const edges = edges_memory + edges_first;
  const ${type} low = edges[0];
  const ${type} high = edges[bins];
  ${type} x[${lanes}];
  ${all} x[j] = (${type})${loaded(dtype, "elements", "(first + i + j)")};
  if (even) {
    const ${type} scale = (${type})(bins / ${type === "double" ? "(double)" : "(float)"}(high - low));
    int wrong = 0;
    ${all} {
      // What is outside, or no number, is in no bin: any will do here.
      const ${type} place = x[j] > low && x[j] < high ? (x[j] - low) * scale : 0;
      const int bin = place < bins ? (int)place : bins - 1;
      const int less = x[j] < edges[bin] ? 1 : 0;
      const int more = x[j] >= edges[bin + 1] && bin < bins - 1 ? 1 : 0;
      found[j] = max(bin - less + more, 0);
      wrong |= ((x[j] < edges[found[j]]) & (x[j] > low)) | ((x[j] >= edges[found[j] + 1]) & (found[j] < bins - 1) & (x[j] < high));
    }
    // Edges that are rounded themselves may be further away.
    for (int j = 0; wrong && j < ${lanes}; j++) {
      int bin = found[j];
      while (bin > 0 && x[j] < edges[bin]) bin--;
      while (bin < bins - 1 && x[j] < high && x[j] >= edges[bin + 1]) bin++;
      found[j] = bin;
    }
  } else {
    ${all} found[j] = 0;
    for (int left = bins; left > 1;) {
      const int half_left = left / 2;
      ${all} found[j] += x[j] >= edges[found[j] + half_left] ? half_left : 0;
      left -= half_left;
    }
  }
  ${all} {
    found[j] = x[j] == high ? bins - 1 : found[j];
    found[j] = x[j] >= low && x[j] <= high ? found[j] : -1;
  }
}
`;
}

function chunks({ weights, edges }: BinsPlan): string {
  const weighted = weights !== "none";
  const weight = weighted ? "weights[weights_first + i]" : "1";
  const inStrips = `
  for (; i + ${stripLength} <= end;) {
    int found[${stripLength}];
    bins_of(ARGUMENTS, bins, i, found);
    for (int j = 0; j < ${stripLength}; j++, i++) {
      if (found[j] >= 0) own[found[j]] += ${weight};
    }
  }`;
  return `
__kernel void count(PARAMETERS, ${weighted ? "__global const weight_t *const weights, const long weights_first, " : ""}__global weight_t *const counts, ${common}) {
  __global weight_t *const own = counts + (long)get_global_id(0) * bins;
  const long start = (long)get_global_id(0) * part;
  const long end = min(start + part, size);
  for (int bin = 0; bin < bins; bin++) own[bin] = 0;
  long i = start;${edges === undefined ? "" : inStrips}
  for (; i < end; i++) {
    const int bin = bin_of(ARGUMENTS, bins, i);
    if (bin >= 0) own[bin] += ${weight};
  }
}
`;
}

/* Adjacent work-items load adjacent elements. */
function groups({ weights }: BinsPlan): string {
  const weighted = weights !== "none";
  return `
__kernel __attribute__((reqd_work_group_size(${binsGroup}, 1, 1)))
void count(PARAMETERS, ${weighted ? "__global const weight_t *const weights, const long weights_first, " : ""}__global weight_t *const counts, ${common}) {
  __local weight_t own[${maxLocalBins}];
  const int item = (int)get_local_id(0);
  for (int bin = item; bin < bins; bin += ${binsGroup}) own[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (long i = (long)get_global_id(0); i < size; i += part) {
    const int bin = bin_of(ARGUMENTS, bins, i);
    if (bin >= 0) ${weighted ? "add(own + bin, weights[weights_first + i]);" : "atomic_inc((volatile __local uint *)own + bin);"}
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int bin = item; bin < bins; bin += ${binsGroup}) counts[(long)get_group_id(0) * bins + bin] = own[bin];
}
`;
}

function shared({ weights }: BinsPlan): string {
  const weighted = weights !== "none";
  return `
__kernel void count(PARAMETERS, ${weighted ? "__global const weight_t *const weights, const long weights_first, " : ""}__global weight_t *const counts, ${common}) {
  for (long i = (long)get_global_id(0); i < size; i += part) {
    const int bin = bin_of(ARGUMENTS, bins, i);
    if (bin >= 0) ${weighted ? "add(counts + bin, weights[weights_first + i]);" : "atomic_inc((volatile __global uint *)counts + bin);"}
  }
}
`;
}

/* Repeats the compare-and-swap until no other work-item changed the value in between. */
function addCode(weight: string, space: string): string {
  const isDouble = weight === "double";
  const word = isDouble ? "ulong" : "uint";
  const exchange = isDouble ? "atom_cmpxchg" : "atomic_cmpxchg";
  return `${isDouble ? "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable" : ""}
void add(${space} weight_t *const target, const weight_t value) {
  volatile ${space} ${word} *const bits = (volatile ${space} ${word} *)target;
  ${word} seen = ${exchange}(bits, 0, 0);
  while (true) {
    const ${word} found = ${exchange}(bits, seen, as_${word}((weight_t)(as_${weight}(seen) + value)));
    if (found == seen) return;
    seen = found;
  }
}
`;
}

/** The program of `make_edges`: evenly from the least element to the largest, which are in memory. */
export function edgesSource(dtype: DTypeName, edges: DTypeName, doubles: boolean): string {
  const type = doubles ? "double" : "float";
  const target = edges === "float16" ? "half" : computeType(edges);
  const source = dtype === "float16" ? "half" : computeType(dtype);
  const store = edges === "float16" ? "vstore_half_rte((float)edge, k, edges);" : `edges[k] = (${target})edge;`;
  return `${doubles ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable" : ""}
#pragma OPENCL FP_CONTRACT OFF
${noteFault}
__kernel void make_edges(__global const ${source} *const least, __global const ${source} *const largest,
                         __global ${target} *const edges, const int bins, const int empty,
                         volatile __global int *const fault) {
  const int k = (int)get_global_id(0);
  if (k > bins) return;
  ${type} low = empty ? 0 : (${type})${loaded(dtype, "least", "0")};
  ${type} high = empty ? 1 : (${type})${loaded(dtype, "largest", "0")};
  if (!(isfinite(low) && isfinite(high) && isfinite(high - low))) {
    note_fault(fault, ${rangeFault}, 0, 0, 0);
  }
  if (low == high) {
    low -= 0.5f;
    high += 0.5f;
  }
  const ${type} edge = k == bins ? high : low + k * ((high - low) / bins);
  ${store}
}
`;
}
