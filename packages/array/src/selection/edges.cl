// Makes edges: evenly from the least element to the largest, which are in memory.
//   STORED, LOADED: the type of elements in memory, and the value of an element
//   EDGE, STORE_EDGE: the type of edges in memory, and a statement that stores one
//   REAL: the type in which edges are computed
//   RANGE_FAULT: the fault of a range that is not finite

#pragma OPENCL FP_CONTRACT OFF

__kernel void make_edges(__global const STORED* const least, __global const STORED* const largest,
                         __global EDGE* const edges, const int bins, const int empty,
                         volatile __global int* const fault) {
  const int k = (int)get_global_id(0);
  if (k > bins) return;
  REAL low = empty ? 0 : (REAL)LOADED(least, 0);
  REAL high = empty ? 1 : (REAL)LOADED(largest, 0);
  if (!(isfinite(low) && isfinite(high) && isfinite(high - low))) {
    note_fault(fault, RANGE_FAULT, 0, 0, 0);
  }
  if (low == high) {
    low -= 0.5f;
    high += 0.5f;
  }
  const REAL edge = k == bins ? high : low + k * ((high - low) / bins);
  STORE_EDGE(k, edge);
}
