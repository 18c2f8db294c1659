// The bin of an element that is the number of a bin; others are noted.
//   ELEMENT: the type of elements
//   IS_COUNT(number): whether a number is not negative
//   INDEX_FAULT: the fault of a number of no bin

#define PARAMETERS __global const ELEMENT *const elements, const long first, volatile __global int *const fault
#define ARGUMENTS elements, first, fault

int bin_of(PARAMETERS, const int bins, const long i) {
  const ELEMENT number = elements[first + i];
  if (IS_COUNT(number) && number < (ulong)bins) return (int)number;
  note_fault(fault, INDEX_FAULT, 0, (long)number, bins);
  return -1;
}
