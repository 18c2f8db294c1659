// Copies the lines of a matrix, rows or columns, to panels of some lines: the elements at the same position are
// contiguous, converted, and padded with zeros.
//   PART, PARTS: the type of a sum's parts, and how many there are: 2 for complex sums
//   FROM, FROM_REAL, FROM_IMAGINARY: the type of an element in memory, and its parts
//   LINES: lines of a panel
//   COPY_LENGTH: number of elements of a line that are copied between two branches

typedef struct {
  long offset, apart, step, count, length, extent[3], batch[3];
} Lines;

#if PARTS == 2
#define COPY(k, i, index) \
  to[place + (k * PARTS + 0) * LINES + i] = FROM_REAL(from, index); \
  to[place + (k * PARTS + 1) * LINES + i] = FROM_IMAGINARY(from, index)
#else
#define COPY(k, i, index) to[place + (k * PARTS + 0) * LINES + i] = FROM_REAL(from, index)
#endif

__kernel void pack(__global const FROM* const from, __global PART* const to, const Lines lines) {
  const long panels = (lines.count + LINES - 1) / LINES, pieces = (lines.length + COPY_LENGTH - 1) / COPY_LENGTH;
  const long all = panels * pieces * lines.extent[0] * lines.extent[1] * lines.extent[2];
  const long last = all * (long)(get_global_id(0) + 1) / (long)get_global_size(0);
  for (long unit = all * (long)get_global_id(0) / (long)get_global_size(0); unit < last; unit++) {
    const long start = unit % pieces * COPY_LENGTH, panel = unit / pieces % panels, matrix = unit / pieces / panels;
    const long rest = matrix / lines.extent[0];
    const long at = lines.offset + matrix % lines.extent[0] * lines.batch[0] + rest % lines.extent[1] * lines.batch[1] +
                    rest / lines.extent[1] * lines.batch[2] + panel * LINES * lines.apart + start * lines.step;
    const long place = ((matrix * panels + panel) * lines.length + start) * (PARTS * LINES);
    const int length = (int)min((long)COPY_LENGTH, lines.length - start);
    const int count = (int)min((long)LINES, lines.count - panel * LINES);
    if (count == LINES && lines.apart == 1) {
      for (int k = 0; k < length; k++) {
        _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < LINES; i++) {
          COPY(k, i, at + i + k * lines.step);
        }
      }
      continue;
    }
    for (int i = 0; i < count; i++) {
      for (int k = 0; k < length; k++) {
        COPY(k, i, at + i * lines.apart + k * lines.step);
      }
    }
    for (int k = 0; k < length * PARTS; k++) {
      for (int i = count; i < LINES; i++) to[place + k * LINES + i] = 0;
    }
  }
}
