/** The kernel that only adds. */

/** Types that can be added, each with the extension that it needs. */
export const addExtensions = {
  char: undefined,
  short: undefined,
  int: undefined,
  long: undefined,
  half: "cl_khr_fp16",
  float: undefined,
  double: "cl_khr_fp64",
} as const;

/** A type that can be added. */
export type AddType = keyof typeof addExtensions;

/** Additions of a work-item. */
export const addsPerItem = 512;

/** `add`: two values that are added to each other in turn, so that no compiler can do several additions at once. */
export function addSource(type: AddType): string {
  const extension = addExtensions[type];
  return `
  ${extension === undefined ? "" : `#pragma OPENCL EXTENSION ${extension} : enable`}
  // Only a sum that never comes up is stored: the memory must not be what is measured.
  __kernel void add(__global int *never, int seed, int unlikely) {
    ${type} a = (${type})seed;
    ${type} b = (${type})get_global_id(0);
    #pragma unroll 16
    for (int i = 0; i < ${addsPerItem / 2}; i++) {
      a += b;
      b += a;
    }
    if ((int)b == unlikely) *never = 1;
  }`;
}
