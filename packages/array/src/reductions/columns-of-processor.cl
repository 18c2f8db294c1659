// Reduces columns on CPUs: each work-item has some adjacent results, and all rows or a part of them. Some rows are read
// together: their sum is then combined with the accumulator.
//   PARAMETERS_: the declarations of the parameters
//   IDENTITY_: the identity element
//   TILE_, ROWS_: adjacent results of a work-item, and rows that are read together
//   KEPT_PLACES_(k): the statements that find where results `k` begin
//   REDUCED_PLACES_(i), PLACES_OF_ROWS_(i): the statements that find row `i`, or the rows from there on
//   ELEMENT_(c): the element of column `c` of the row, as an accumulator
//   LOAD_ROWS_(c), SUM_OF_ROWS_: the statements that load those of the rows into variables, and their combination
//   STORE_(accumulator, c): the statement that stores the result of column `c`, or a part of it

__kernel void reduce(PARAMETERS_) {
  const Index item = (Index)get_global_id(0);
  const Index column = item % places.tiles * TILE_;
  const Index part = item / places.tiles % places.parts;
  const Index outer = item / places.tiles / places.parts;
  const Index width = min(places.kept_extent[0] - column, (Index)TILE_);
  KEPT_PLACES_(outer)
  const Index end = min((part + 1) * places.chunk, places.count);
  Accumulator total[TILE_];
  for (Index c = 0; c < width; c++) total[c] = IDENTITY_;
  Index i = part * places.chunk;
  for (; i + ROWS_ <= end; i += ROWS_) {
    PLACES_OF_ROWS_(i)
    for (Index c = 0; c < width; c++) {
      LOAD_ROWS_(c)
      total[c] = reduction_combine(total[c], SUM_OF_ROWS_);
    }
  }
  for (; i < end; i++) {
    REDUCED_PLACES_(i)
    for (Index c = 0; c < width; c++) total[c] = reduction_combine(total[c], ELEMENT_(c));
  }
  for (Index c = 0; c < width; c++) {
    STORE_(total[c], c)
  }
}
