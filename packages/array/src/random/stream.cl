// A stream of random numbers, for all kernels that draw.

// Results are those of the operations one by one, on each device.
#pragma OPENCL FP_CONTRACT OFF

// PoCL's compiler finds the rounds too long to be part of a loop. Called, they have their words in memory and prepare
// their keys each time, which takes as long as themselves.
#ifdef __clang__
#define INLINED static __attribute__((always_inline))
#else
#define INLINED
#endif

// A stream from some block on, and the elements that it fills.
typedef struct {
  // The counter of the first block.
  ulong low, high;
  uint key[4];
  // The index in memory of the first number of the first block, and how many of its numbers are skipped.
  long base, skip;
  // One past the last number, counted from the first block; and the number of blocks.
  long end, blocks;
  // Number of complete blocks (except for skipped numbers of the first) that share the upper half of the counter.
  long whole;
  // Whether blocks are where vectors can be stored.
  long aligned;
} Stream;
