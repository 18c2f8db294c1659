/** The kernels of this example. A pointer is 8 bytes here, so that host and device agree on what a node looks like. */
export const listSource = /* opencl */ `
  typedef struct node {
    long value;
    __global struct node *next;
  } node;

  /* Follows the list and adds the values: one work-item, as nobody knows where the next node is before it is read. */
  __kernel void total(__global const node *first, __global long *result) {
    long sum = 0;
    for (__global const node *one = first; one; one = one->next) sum += one->value;
    *result = sum;
  }

  /* Turns all pointers round, and says which node is the first one now. */
  __kernel void reverse(__global node *first, __global ulong *now_first) {
    __global node *before = 0;
    for (__global node *one = first; one;) {
      __global node *next = one->next;
      one->next = before;
      before = one;
      one = next;
    }
    *now_first = (ulong)before;
  }` as const;
