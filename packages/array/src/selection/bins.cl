// The bins of adjacent elements between edges. Between equally spaced edges, computes the bin and corrects it where
// rounding led to an adjacent one, so that it agrees with the edges. Otherwise searches for the last edge that is not
// above the element. The last bin includes its right edge. Several elements are searched together to overlap their
// memory latency.
//   NAME, LANES: the name of the function, and its number of elements
//   STORED, LOADED: the type of elements in memory, and the value of an element
//   EDGE, SCALE: the type in which elements and edges are compared, and that of the bins of a unit

void NAME(PARAMETERS, const int bins, const long i, int* const found) {
  __global const EDGE* const edges = edges_memory + edges_first;
  const EDGE low = edges[0];
  const EDGE high = edges[bins];
  EDGE x[LANES];
  for (int j = 0; j < LANES; j++) x[j] = (EDGE)LOADED(elements, (first + i + j));
  if (even) {
    const EDGE scale = (EDGE)(bins / (SCALE)(high - low));
    int wrong = 0;
    for (int j = 0; j < LANES; j++) {
      // What is outside, or no number, is in no bin: any will do here.
      const EDGE place = x[j] > low && x[j] < high ? (x[j] - low) * scale : 0;
      const int bin = place < bins ? (int)place : bins - 1;
      const int less = x[j] < edges[bin] ? 1 : 0;
      const int more = x[j] >= edges[bin + 1] && bin < bins - 1 ? 1 : 0;
      found[j] = max(bin - less + more, 0);
      wrong |= ((x[j] < edges[found[j]]) & (x[j] > low)) |
               ((x[j] >= edges[found[j] + 1]) & (found[j] < bins - 1) & (x[j] < high));
    }
    // Edges that are rounded themselves may be further away.
    for (int j = 0; wrong && j < LANES; j++) {
      int bin = found[j];
      while (bin > 0 && x[j] < edges[bin]) bin--;
      while (bin < bins - 1 && x[j] < high && x[j] >= edges[bin + 1]) bin++;
      found[j] = bin;
    }
  } else {
    for (int j = 0; j < LANES; j++) found[j] = 0;
    for (int left = bins; left > 1;) {
      const int half_left = left / 2;
      for (int j = 0; j < LANES; j++) found[j] += x[j] >= edges[found[j] + half_left] ? half_left : 0;
      left -= half_left;
    }
  }
  for (int j = 0; j < LANES; j++) {
    found[j] = x[j] == high ? bins - 1 : found[j];
    found[j] = x[j] >= low && x[j] <= high ? found[j] : -1;
  }
}
