/**
 * OpenCL C that counts elements by bin, or sums their weights. A CPU uses a few chunks, each with separate bins in
 * memory; the work-groups of a GPU use local memory, or share bins in global memory if there are too many. The partial
 * results are then added in order.
 */
import { computeType, loaded, storedType } from "../kernels/compute-type.js";
import { generated, macros } from "../kernels/macros.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import { noteFault } from "../faults/device-faults.js";
import { indexFault, rangeFault } from "../faults/index-faults.js";
import addUp from "./add-up-bins.cl";
import counts from "./bin-counts.cl";
import bins from "./bins.cl";
import edgedBins from "./edged-bins.cl";
import makeEdges from "./edges.cl";
import numberedBins from "./numbered-bins.cl";

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
  const { dtype, edges, weights, parts } = plan;
  const chunks = parts === "chunks";
  const weight = weightType(weights);
  const word = weights === "float64" ? "ulong" : "uint";
  const names = {
    CHUNKS: chunks,
    GROUPS: parts === "groups",
    IS_EDGED: edges !== undefined,
    GROUP: binsGroup,
    MAX_BINS: maxLocalBins,
    WEIGHT: weight,
    IS_WEIGHTED: weights !== "none",
    WEIGHTS: weights === "none" ? "" : `__global const ${weight} *const weights, const long weights_first,`,
    WORD: word,
    EXCHANGE: weights === "float64" ? "atom_cmpxchg" : "atomic_cmpxchg",
    "AS_WORD(value)": `as_${word}(value)`,
    "AS_WEIGHT(value)": `as_${weight}(value)`,
  };
  const doubles = [dtype, edges, weights].includes("float64") ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "";
  const atomics =
    weights === "float64" && !chunks ? "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n" : "";
  const bin = edges === undefined ? numbered(dtype) : edged(dtype, edges, chunks);
  return `${doubles}${atomics}#pragma OPENCL FP_CONTRACT OFF\n${bin}${macros(names)}${counts}`;
}

/** The program of `add_up`: each bin of all parts. */
export function addUpSource(weights: BinsPlan["weights"]): string {
  const weight = weightType(weights);
  const names = { WEIGHT: weight, TOTAL: weights === "none" ? "long" : weight };
  return `${weights === "float64" ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : ""}${macros(names)}${addUp}`;
}

function weightType(weights: BinsPlan["weights"]): string {
  return weights === "none" ? "uint" : computeType(weights);
}

/** The function `bin_of` of elements that are numbers of bins. */
function numbered(dtype: DTypeName): string {
  const isCount = kindOf(dtype) < 2 ? "true" : "number >= 0";
  const names = { ELEMENT: computeType(dtype), "IS_COUNT(number)": isCount, INDEX_FAULT: indexFault };
  return `${noteFault}${macros(names)}${numberedBins}`;
}

/** The function `bin_of` of elements between edges, and on CPUs `bins_of` of several elements. */
function edged(dtype: DTypeName, edges: DTypeName, several: boolean): string {
  const type = computeType(edges);
  const names = {
    STORED: elementType(dtype),
    "LOADED(array, i)": loaded(dtype, "array", "i"),
    EDGE: type,
    SCALE: type === "double" ? "double" : "float",
    PARAMETERS: `__global const ${elementType(dtype)} *const elements, const long first, __global const ${type} *const edges_memory, const long edges_first, const int even`,
    ARGUMENTS: "elements, first, edges_memory, edges_first, even",
  };
  const one = macros({ NAME: "bin_of_one", LANES: 1 });
  const lanes = several ? `${macros({ NAME: "bins_of", LANES: stripLength })}${bins}` : "";
  const again = generated("#undef NAME\n#undef LANES\n");
  return `${macros(names)}${one}${bins}${edgedBins}${again}${lanes}`;
}

/** The type of elements in memory; truth values are bytes. */
function elementType(dtype: DTypeName): string {
  return dtype === "float16" ? storedType(dtype) : computeType(dtype);
}

/** The program of `make_edges`: evenly from the least element to the largest, which are in memory. */
export function edgesSource(dtype: DTypeName, edges: DTypeName, doubles: boolean): string {
  const edge = elementType(edges);
  const names = {
    STORED: elementType(dtype),
    "LOADED(array, i)": loaded(dtype, "array", "i"),
    EDGE: edge,
    "STORE_EDGE(k, edge)": edges === "float16" ? "vstore_half_rte((float)edge, k, edges)" : `edges[k] = (${edge})edge`,
    REAL: doubles ? "double" : "float",
    RANGE_FAULT: rangeFault,
  };
  const head = doubles ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "";
  return `${head}${noteFault}${macros(names)}${makeEdges}`;
}
