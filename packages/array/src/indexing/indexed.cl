// Gathers, scatters or updates elements at arrays of indices: a work-item for each index, without a loop.
//   INDEX: the type of positions
//   OPERANDS, AXES, BOUNDS: the number of operands, of axes, and of axes that indices count over
//   PARAMETERS: the declarations of the operands' memory
//   FIND_OPERANDS: the statements that declare `at0` ..., where the operands' elements of index `i` are
//   IS_MASKED_OUT: whether the mask is false there
//   FIND_PLACE: the statements that add the steps of all indices to `place`, or make `inside` false; they use the
//   macros of
//     this file
//   ACT: the statement for an element `place` of the array

/* Counted in elements, the innermost axis first; then what the indices count over, and their steps in the array. */
typedef struct {
  INDEX size;
  INDEX offset[OPERANDS];
  INDEX extent[AXES];
  INDEX stride[OPERANDS][AXES];
  INDEX bound[BOUNDS];
  INDEX step[BOUNDS];
} Places;

/* What becomes of an index `number` by its mode. */
#define RAISE(T, axis, limit) \
  const T named = number; \
  if (number < 0) number += limit; \
  if (number < 0 || number >= limit) { \
    note_fault(fault, INDEX_FAULT, axis, named, limit); \
    inside = false; \
    number = 0; \
  }
#define WRAP(T, axis, limit) \
  number %= limit; \
  if (number < 0) number += limit;
#define CLIP(T, axis, limit) number = clamp(number, (T)0, (T)(limit - 1));
#define MISS(T, axis, limit) \
  if (number < 0) { \
    inside = false; \
    number = 0; \
  }
#define TRUST(T, axis, limit)

__kernel void indexed(PARAMETERS) {
  const INDEX i = (INDEX)get_global_id(0);
  if (i >= places.size) return;
  FIND_OPERANDS
  if (IS_MASKED_OUT) return;
  INDEX place = at0;
  bool inside = true;
  FIND_PLACE
  ACT
}
