// A kernel whose work-groups stay on the device and run several kernels one after another.
//   WAY: how groups see what others wrote: CPU, PTX or ATOMICS
//   GROUPS: how many groups are launched

/* The position of a work-item in the launch that it stands for. */
typedef struct {
  size_t global_size[3];
  size_t group_size[3];
  size_t offset[3];
  size_t group[3];
  size_t place[3];
  uint dimensions;
} resident_item;

size_t resident_get_global_id(const resident_item* const item, const uint d) {
  return d < 3 ? item->offset[d] + item->group[d] * item->group_size[d] + item->place[d] : 0;
}
size_t resident_get_local_id(const resident_item* const item, const uint d) { return d < 3 ? item->place[d] : 0; }
size_t resident_get_group_id(const resident_item* const item, const uint d) { return d < 3 ? item->group[d] : 0; }
size_t resident_get_global_size(const resident_item* const item, const uint d) {
  return d < 3 ? item->global_size[d] : 1;
}
size_t resident_get_local_size(const resident_item* const item, const uint d) {
  return d < 3 ? item->group_size[d] : 1;
}
size_t resident_get_enqueued_local_size(const resident_item* const item, const uint d) {
  return d < 3 ? item->group_size[d] : 1;
}
size_t resident_get_num_groups(const resident_item* const item, const uint d) {
  return d < 3 ? item->global_size[d] / item->group_size[d] : 1;
}
size_t resident_get_global_offset(const resident_item* const item, const uint d) { return d < 3 ? item->offset[d] : 0; }
uint resident_get_work_dim(const resident_item* const item) { return item->dimensions; }
size_t resident_get_local_linear_id(const resident_item* const item) {
  return (item->place[2] * item->group_size[1] + item->place[1]) * item->group_size[0] + item->place[0];
}
size_t resident_get_global_linear_id(const resident_item* const item) {
  const size_t x = item->group[0] * item->group_size[0] + item->place[0];
  const size_t y = item->group[1] * item->group_size[1] + item->place[1];
  const size_t z = item->group[2] * item->group_size[2] + item->place[2];
  return (z * item->global_size[1] + y) * item->global_size[0] + x;
}

/* A word that all groups use: read after everything that was written before it was changed, and added to after
   everything that this work-item and those before the last barrier of its group wrote. */
#define CPU 0
#define PTX 1
#define ATOMICS 2
#if WAY == PTX
uint resident_read(volatile __global uint* const word) {
  uint value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"((ulong)word) : "memory");
  return value;
}
uint resident_add(volatile __global uint* const word, const uint value) {
  uint before;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;"
               : "=r"(before)
               : "l"((ulong)word), "r"(value)
               : "memory");
  return before;
}
#elif WAY == ATOMICS
uint resident_read(volatile __global uint* const word) {
  return atomic_load_explicit((volatile __global atomic_uint*)word, memory_order_acquire, memory_scope_device);
}
uint resident_add(volatile __global uint* const word, const uint value) {
  return atomic_fetch_add_explicit((volatile __global atomic_uint*)word, value, memory_order_acq_rel,
                                   memory_scope_device);
}
#else
/* Atomic functions order memory on CPUs. */
uint resident_read(volatile __global uint* const word) {
  const uint value = atomic_or(word, 0u);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  return value;
}
uint resident_add(volatile __global uint* const word, const uint value) {
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  return atomic_add(word, value);
}
#endif

/* Words, in separate cache lines: how many groups take part, with the highest bit when no more may; and how many have
   reached a barrier. */
#define TAKING_PART 0
#define ARRIVED 32
#define CLOSED 0x80000000u
/* How often the first group looks for others without seeing a new one before it begins. */
#define PATIENCE 64u

/*
 * No group may wait for one that only starts when another one ends. So only those take part that begin while the first
 * one waits for them; all others leave. Returns the number of this group, and how many take part: 0 for a group that
 * leaves.
 */
uint2 resident_enter(volatile __global uint* const words, __local uint* const shared) {
  if (get_local_id(0) == 0) {
    volatile __global uint* const taking_part = words + TAKING_PART;
    const uint number = resident_add(taking_part, 1);
    uint seen = number + 1;
    if (number == 0) {
      for (uint idle = 0; seen < GROUPS && idle < PATIENCE; idle++) {
        const uint now = resident_read(taking_part);
        if (now != seen) idle = 0;
        seen = now;
      }
      seen = resident_add(taking_part, CLOSED);
    } else if ((number & CLOSED) == 0) {
      // The count may go on after it was closed, so the next word has the one at that time.
      while (resident_read(words + TAKING_PART + 1) == 0) {
      }
      seen = resident_read(words + TAKING_PART + 1);
    }
    if (number == 0) resident_add(words + TAKING_PART + 1, seen);
    shared[0] = number;
    shared[1] = (number & CLOSED) != 0 ? 0 : seen;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return (uint2)(shared[0], shared[1]);
}

/* Waits until all groups that take part have been here; `total` is how many times that is. */
void resident_wait(volatile __global uint* const words, const uint total) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    resident_add(words + ARRIVED, 1);
    while (resident_read(words + ARRIVED) < total) {
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
