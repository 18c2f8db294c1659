/** The kernels. Pointers must have 8 bytes, so that nodes have the same layout on host and device. */
export const listSource = /* opencl */ `
  typedef struct node {
    long value;
    __global struct node *next;
  } node;

  /* Follows the list and sums the values. One work-item, because the address of a node is in the one before it. */
  __kernel void total(__global const node *first, __global long *result) {
    long sum = 0;
    for (__global const node *current = first; current; current = current->next) sum += current->value;
    *result = sum;
  }

  /* Reverses the list and returns the new first node. */
  __kernel void reverse(__global node *first, __global ulong *new_first) {
    __global node *previous = 0;
    for (__global node *current = first; current;) {
      __global node *next = current->next;
      current->next = previous;
      previous = current;
      current = next;
    }
    *new_first = (ulong)previous;
  }` as const;
