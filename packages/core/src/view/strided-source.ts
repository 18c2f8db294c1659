/** OpenCL C source for strided copies. */

/** Maximum number of axes: those of a view, and one for the words of an element. */
export const kernelAxes = 33;

/** Types of the copied words, by size in bytes. */
export const wordTypes = { 1: "uchar", 2: "ushort", 4: "uint", 8: "ulong", 16: "uint4" } as const;

/** Size of a word in bytes. */
export type WordSize = keyof typeof wordTypes;

const head = `
/* All numbers count words; the innermost axis comes first. */
typedef struct {
  long fromStart;
  long toStart;
  long count;
  long extent[${kernelAxes}];
  long from[${kernelAxes}];
  long to[${kernelAxes}];
} Axes;
`;

/* The two innermost axes are dimensions of the index space, which avoids most divisions; sizes are rounded up. */
const copyWords = (type: string): string => `
__kernel void copy_${type}(__global const void *from, __global void *to, const Axes axes) {
  const long column = get_global_id(0);
  const long row = get_global_id(1);
  if (column >= axes.extent[0] || row >= axes.extent[1]) return;
  long source = axes.fromStart + column * axes.from[0] + row * axes.from[1];
  long target = axes.toStart + column * axes.to[0] + row * axes.to[1];
  ulong rest = get_global_id(2);
  for (long axis = 2; axis < axes.count; ++axis) {
    const ulong extent = (ulong)axes.extent[axis];
    const long index = (long)(rest % extent);
    rest /= extent;
    source += index * axes.from[axis];
    target += index * axes.to[axis];
  }
  ((__global ${type} *)to)[target] = ((__global const ${type} *)from)[source];
}
`;

/** Source of the program: one kernel per word size, such as `copy_uint`. */
export const stridedSource: string = head + Object.values(wordTypes).map(copyWords).join("");
