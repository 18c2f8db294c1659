"""Shared by the PyOpenCL peers: device, memory pool, operands and timing."""

from functools import cache
from time import perf_counter_ns

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from pyopencl.tools import ImmediateAllocator, MemoryPool

from array_sizes import BATCH
from device import choose_device

device = choose_device()
context = cl.Context([device])
queue = cl.CommandQueue(context)
pool = MemoryPool(ImmediateAllocator(queue))


@cache
def operands(size):
    generator = np.random.default_rng(size)
    return [cla.to_device(queue, generator.random(size, np.float32), allocator=pool) for _ in range(3)]


def timed(run, count, depth=BATCH):
    start = perf_counter_ns()
    for done in range(0, count, depth):
        for _ in range(min(depth, count - done)):
            run()
        queue.finish()
    return (perf_counter_ns() - start) / count
