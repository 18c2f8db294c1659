// Scans columns: each work-item has some adjacent columns, or a chunk of them. Depends on combined-parts.cl.
//   INDEX: the type of positions
//   OPERANDS, WIDTH: the number of operands, and the largest number of columns of a work-item
//   PARAMETERS: the declarations of the operands' memory
//   FIND_ROW: the statements that declare `place0` ..., where each operand's first element of the row `row` is
//   VALUE, STARTS: the item of column `c`, and whether a segment starts there, with the item in `value_`
//   STORE: the statement that stores a result, of `item` or of what is `before` it

/* Counted in elements. */
typedef struct {
  INDEX outer, length, inner, chunks, tiles, width;
  INDEX offset[OPERANDS];
  INDEX outer_stride[OPERANDS];
  INDEX step[OPERANDS];
  INDEX inner_stride[OPERANDS];
} Places;

/* One column is a variable, several are an array. */
#if WIDTH == 1
#define EACH_COLUMN
#define RUNNING running
#define DECLARE_RUNNING \
  const INDEX c = from; \
  Part_ running = NOTHING_;
#else
#define EACH_COLUMN _Pragma("clang loop vectorize(assume_safety)") for (INDEX c = from; c < to; c++)
#define RUNNING running[c - from]
#define DECLARE_RUNNING \
  Part_ running[WIDTH]; \
  EACH_COLUMN RUNNING = NOTHING_;
#endif

#define FIND_CHUNK \
  const INDEX unit = (INDEX)get_global_id(0); \
  if (unit >= places.tiles * places.chunks * places.outer) return; \
  const INDEX tile = unit % places.tiles, piece = unit / places.tiles; \
  const INDEX chunk = piece % places.chunks, block = piece / places.chunks; \
  const INDEX from = tile * places.width, to = min(from + places.width, places.inner); \
  const INDEX first = (INDEX)((long)places.length * chunk / places.chunks); \
  const INDEX end = (INDEX)((long)places.length * (chunk + 1) / places.chunks); \
  DECLARE_RUNNING

__kernel void column_totals(PARAMETERS, __global Part_* const parts, const Places places) {
  FIND_CHUNK
  for (INDEX row = first; row < end; row++) {
    FIND_ROW
    EACH_COLUMN {
      const Item_ value_ = VALUE;
      const Part_ own = PART_(value_, STARTS);
      RUNNING = JOIN_(RUNNING, own);
    }
  }
  EACH_COLUMN parts[piece * places.inner + c] = RUNNING;
}

__kernel void column_items(PARAMETERS, __global Part_* const parts, const Places places) {
  FIND_CHUNK
  for (INDEX earlier = piece - chunk; earlier < piece; earlier++) {
    EACH_COLUMN RUNNING = JOIN_(RUNNING, parts[earlier * places.inner + c]);
  }
  for (INDEX row = first; row < end; row++) {
    FIND_ROW
    EACH_COLUMN {
      const Item_ value_ = VALUE;
#if SEGMENTS_
      if (STARTS) RUNNING = NOTHING_;
#endif
      const Item_ before = VALUE_(RUNNING);
      const Item_ item = combine_(before, value_);
      RUNNING = PART_(item, 0);
      STORE
    }
  }
}
