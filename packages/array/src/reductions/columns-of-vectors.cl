// Reduces columns on CPUs by vectors: each work-item keeps vectors of adjacent results in registers, and reads a
// segment of every row. The last tile begins earlier, so that it is complete, and stores only the remaining results.
//   PARAMETERS_: the declarations of the parameters
//   TILE_: adjacent results of a work-item
//   KEPT_PLACES_(k): the statements that find where results `k` begin
//   REDUCED_PLACES_(i): the statements that find row `i`
//   DECLARE_TOTALS_, COMBINE_TOTALS_(column): a vector for each segment of results, and the statements that combine
//   them
//     with the elements from a column of the row on
//   COPY_TOTALS_: the statements that copy the vectors to the array `total`
//   STORE_(accumulator, c): the statement that stores the result of column `c`, or a part of it

__kernel void reduce(PARAMETERS_) {
  const Index item = (Index)get_global_id(0);
  const Index first = item % places.tiles * TILE_;
  const Index column = min(first, places.kept_extent[0] - TILE_);
  const Index part = item / places.tiles % places.parts;
  const Index outer = item / places.tiles / places.parts;
  KEPT_PLACES_(outer)
  const Index end = min((part + 1) * places.chunk, places.count);
  DECLARE_TOTALS_
  for (Index i = part * places.chunk; i < end; i++) {
    REDUCED_PLACES_(i)
    COMBINE_TOTALS_(column)
  }
  Accumulator total[TILE_];
  COPY_TOTALS_
  for (Index c = first - column; c < TILE_; c++) {
    STORE_(total[c], c)
  }
}
