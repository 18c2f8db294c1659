// Direct convolution of a long line with a short one.
//   T, R, STORED: the type in which elements are computed, that of their real parts, and that in memory
//   LOADED(array, i), STORE(array, i, value): an element, and the statement that stores one
//   LOADED_APART, STORE_APART: the same, part by part: loops of vectors are not vectorized
//   IS_COMPLEX: whether elements are complex numbers
//   ADDED(sum, x, y): the sum with one more product, of real numbers
//   LOOPS: 1 for a loop over a range of results, in blocks that stay in registers, 0 for one result

// Results of a block.
#define BLOCK 64
#define VECTORIZED _Pragma("clang loop vectorize(assume_safety) vectorize_width(16)")

// Where lines begin and how long they are, in elements; results from `start` on of those of all places are asked for.
typedef struct {
  long line;
  long length;
  long tap;
  long taps;
  long out;
  long start;
  long count;
} Lines;

void results(__global const STORED* const line, __global const STORED* const taps, __global STORED* const out,
             const Lines lines, const long single, const long stop) {
  for (long i = single; i < stop; i++) {
#if IS_COMPLEX
    T sum = (T)(0, 0);
#else
    T sum = 0;
#endif
    const long low = max(0L, i - lines.length + 1), high = min(i, lines.taps - 1);
    for (long j = low; j <= high; j++) {
      const T x = LOADED(line, lines.line + i - j), y = LOADED(taps, lines.tap + j);
#if IS_COMPLEX
      sum = sum;
      sum.x += x.x * y.x - x.y * y.y;
      sum.y += x.x * y.y + x.y * y.x;
#else
      sum = ADDED(sum, x, y);
#endif
    }
    STORE(out, lines.out + i - lines.start, sum)
  }
}

__kernel void convolve(__global const STORED* const line, __global const STORED* const taps, __global STORED* const out,
                       const Lines lines) {
#if LOOPS
  const long start = lines.start + lines.count * (long)get_global_id(0) / (long)get_global_size(0);
  const long end = lines.start + lines.count * (long)(get_global_id(0) + 1) / (long)get_global_size(0);
  // Blocks that have all of the short line.
  long i = min(max(start, lines.taps - 1), end);
  results(line, taps, out, lines, start, i);
  for (; i + BLOCK <= min(end, lines.length); i += BLOCK) {
#if IS_COMPLEX
    R re[BLOCK], im[BLOCK];
    for (int l = 0; l < BLOCK; l++) re[l] = im[l] = 0;
#else
    R re[BLOCK];
    for (int l = 0; l < BLOCK; l++) re[l] = 0;
#endif
    for (long j = 0; j < lines.taps; j++) {
      const T y = LOADED(taps, lines.tap + j);
      VECTORIZED
      for (int l = 0; l < BLOCK; l++) {
#if IS_COMPLEX
        const T x = LOADED_APART(line, lines.line + i - j + l);
        re[l] += x.x * y.x - x.y * y.y;
        im[l] += x.x * y.y + x.y * y.x;
#else
        const T x = LOADED_APART(line, lines.line + i - j + l), sum = re[l];
        re[l] = ADDED(sum, x, y);
#endif
      }
    }
    VECTORIZED
    for (int l = 0; l < BLOCK; l++) {
#if IS_COMPLEX
      const T sum = (T)(re[l], im[l]);
#else
      const T sum = re[l];
#endif
      STORE_APART(out, lines.out + i + l - lines.start, sum)
    }
  }
  results(line, taps, out, lines, i, end);
#else
  const long single = lines.start + (long)get_global_id(0), stop = min(single + 1, lines.start + lines.count);
  results(line, taps, out, lines, single, stop);
#endif
}
