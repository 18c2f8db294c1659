// Numbers with a constant step: `start + i * step`. The second one is exact.
//   T, V: the types of elements in memory, and of the numbers
//   INDEX: the type of positions
//   STORE(i, value): the statement that stores a number

__kernel void sequence(__global T* const out, const INDEX size, const V start, const V second, const V step) {
  const INDEX i = (INDEX)get_global_id(0);
  if (i >= size) return;
  const V value = i == 1 ? second : start + (V)i * step;
  STORE(i, value)
}
