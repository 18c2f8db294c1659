// Clears the elements above or below a diagonal of matrices, whose rows follow each other in memory.
//   T: a type of the size of elements
//   IS_CLEARED(distance, diagonal): whether it does so at a distance from the main diagonal

__kernel void band(__global T* const out, const long size, const ulong rows, const ulong columns, const long diagonal) {
  const long i = (long)get_global_id(0);
  if (i >= size) return;
  const ulong row = (ulong)i / columns;
  const long distance = (long)((ulong)i % columns) - (long)(row % rows);
  if (IS_CLEARED(distance, diagonal)) out[i] = 0;
}
