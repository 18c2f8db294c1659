/** A kernel of dependent additions. */

/** The types of the kernel, each with the extension that it requires. */
export const addExtensions = {
  char: undefined,
  short: undefined,
  int: undefined,
  long: undefined,
  half: "cl_khr_fp16",
  float: undefined,
  double: "cl_khr_fp64",
} as const;

/** A type of the additions. */
export type AddType = keyof typeof addExtensions;

/** Number of additions per work-item. */
export const addsPerItem = 512;

/**
 * Returns the source of the kernel `add`. It adds two values to each other alternately, so additions cannot be
 * parallelized.
 */
export function addSource(type: AddType): string {
  const extension = addExtensions[type];
  return `
  ${extension === undefined ? "" : `#pragma OPENCL EXTENSION ${extension} : enable`}
  // The result is never stored, so that memory does not affect the time.
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
