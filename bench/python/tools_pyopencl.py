"""The PyOpenCL peer of @cl/tools: its memory pool on its immediate allocator, as documented."""

import os
from functools import cache
from time import perf_counter_ns

import numpy as np
import pyopencl as cl
from pyopencl.tools import ImmediateAllocator, MemoryPool

from device import choose_device
from protocol import serve

LIVE = 64
STEPS = 4096
SMALLEST = 256
LARGEST = 2**20
BYTES = 64 * 2**20
WHOLE = ((BYTES // 4,), (256,))
SUM_LENGTH = 1_000_000
SUM_SIZE = ((SUM_LENGTH,), (64,))
# Maximum number of operations between two finishes, as in src/ours/tools/touch.mjs.
BATCH = 10

device = choose_device()
context = cl.Context([device])
queue = cl.CommandQueue(context)
with open(os.path.join(os.environ["CL_BENCH_KERNELS"], "pool.cl"), encoding="ascii") as source:
    program = cl.Program(context, source.read()).build()
fill = cl.Kernel(program, "fill")
fill.set_scalar_arg_dtypes([None, np.float32])
add = cl.Kernel(program, "add")


def create_pool():
    return MemoryPool(ImmediateAllocator(queue))


def check():
    zeros = np.zeros(64, np.float32)
    memory = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=zeros)
    fill(queue, (64,), (64,), memory, 1)
    cl.enqueue_copy(queue, zeros, memory)
    return zeros[0] != 0


def one_size(size):
    pool = create_pool()

    def run(count):
        pool.allocate(size).release()
        allocate = pool.allocate
        start = perf_counter_ns()
        for _ in range(count):
            allocate(size).release()
        return (perf_counter_ns() - start) / count

    return run


def sequence():
    """Return the slots to release and the sizes to allocate, the same as in src/ours/tools/pool.mjs."""
    state = 1

    def random():
        nonlocal state
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        return state / 2**32

    return [(int(random() * LIVE), int(SMALLEST * (LARGEST / SMALLEST) ** random())) for _ in range(STEPS)]


@cache
def mixed_parts():
    pool = create_pool()
    steps = sequence()
    blocks = [pool.allocate(size) for _, size in steps[:LIVE]]
    return pool, steps, blocks


def mixed(count):
    pool, steps, blocks = mixed_parts()
    allocate = pool.allocate

    def run(times):
        for start in range(0, times, STEPS):
            for slot, size in steps[: times - start]:
                blocks[slot].release()
                blocks[slot] = allocate(size)

    run(STEPS)
    start = perf_counter_ns()
    run(count)
    return (perf_counter_ns() - start) / count


def fill_temporary(pool):
    temporary = pool.allocate(BYTES)
    fill(queue, *WHOLE, temporary, 1)
    queue.finish()
    temporary.release()


def first_touch(count):
    pool = create_pool()
    fill_temporary(pool)
    start = perf_counter_ns()
    for _ in range(count):
        fill_temporary(pool)
    elapsed = perf_counter_ns() - start
    pool.free_held()
    return elapsed / count


def very_first_touch(count):
    elapsed = 0
    for _ in range(count):
        pool = create_pool()
        start = perf_counter_ns()
        fill_temporary(pool)
        elapsed += perf_counter_ns() - start
        pool.free_held()
    return elapsed / count


def pooled_add(count):
    pool = create_pool()
    a = pool.allocate(4 * SUM_LENGTH)
    b = pool.allocate(4 * SUM_LENGTH)
    for operand in (a, b):
        fill(queue, *SUM_SIZE, operand, 1)

    def total():
        result = pool.allocate(4 * SUM_LENGTH)
        add(queue, *SUM_SIZE, a, b, result)
        result.release()

    total()
    queue.finish()
    start = perf_counter_ns()
    for _ in range(0, count, BATCH):
        for _ in range(BATCH):
            total()
        queue.finish()
    elapsed = perf_counter_ns() - start
    a.release()
    b.release()
    pool.free_held()
    return elapsed / count


serve(
    lambda: device.name,
    check,
    {
        "pool-4KiB": one_size(4096),
        "pool-1MiB": one_size(2**20),
        "pool-64MiB": one_size(BYTES),
        "pool-mixed": mixed,
        "pool-first-touch": first_touch,
        "pool-first-touch-first": very_first_touch,
        "pool-add": pooled_add,
    },
)
