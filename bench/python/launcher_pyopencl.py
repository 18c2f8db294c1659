"""The PyOpenCL peer of @cl/launcher: the jobs of native/launcher, in the style of PyOpenCL's documentation."""

import itertools
from functools import cache
from time import perf_counter_ns

import numpy as np
import pyopencl as cl

from launcher_rig import SIZE, Rig
from protocol import serve

BATCH = 500
STEP = 20

rig = Rig()
queue = rig.queue
enqueue = cl.enqueue_nd_range_kernel


def check():
    rig.kernels[0](queue, SIZE, SIZE, rig.a, rig.b, 1.5, 64)
    first = np.empty(1, np.float32)
    cl.enqueue_copy(queue, first, rig.b)
    return first[0] != 0


def timed(count, step, on=queue, ended=None):
    start = perf_counter_ns()
    steps = itertools.count()
    for done in range(0, count, BATCH):
        for _ in range(min(BATCH, count - done) // STEP):
            step(next(steps))
        on.finish()
        if ended is not None:
            ended()
    return (perf_counter_ns() - start) / count


def fixed(count):
    kernels = rig.kernels

    def step(_):
        for kernel in kernels:
            enqueue(queue, kernel, SIZE, SIZE)

    return timed(count, step)


def patched(count):
    """Call with all arguments, because in PyOpenCL setting one scalar separately takes longer than four in a call."""
    kernels, a, b = rig.kernels, rig.a, rig.b

    def step(t):
        for i, kernel in enumerate(kernels):
            kernel(queue, SIZE, SIZE, a, b, i + (t & 1), 64)

    return timed(count, step)


def shared(count):
    kernels, a, b = rig.kernels, rig.a, rig.b

    def step(t):
        for kernel in kernels:
            kernel(queue, SIZE, SIZE, a, b, t & 1, 64)

    return timed(count, step)


@cache
def chain(elements):
    """Return twenty dependent element-wise kernels."""
    program = rig.build("chain.cl")
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    a = cl.Buffer(rig.context, flags, hostbuf=np.ones(elements, np.float32))
    b = cl.Buffer(rig.context, flags, hostbuf=np.zeros(elements, np.float32))
    kernels = [cl.Kernel(program, f"k{i:02d}") for i in range(STEP)]
    for kernel in kernels:
        kernel.set_args(a, b, np.float32(1.5), np.int32(elements))
    # Kernels do not keep references to their buffers.
    return kernels, a, b


def one_by_one(elements, depth):
    def run(count):
        (kernels, _a, _b), size = chain(elements), (elements,)
        start = perf_counter_ns()
        for done in range(0, count, depth):
            for _ in range(min(depth, count - done) // STEP):
                for kernel in kernels:
                    enqueue(queue, kernel, size, SIZE)
            queue.finish()
        return (perf_counter_ns() - start) / count

    return run


def iterate(count):
    kernel, table = rig.sweep, rig.b
    start = perf_counter_ns()
    for _ in range(0, count, 1000):
        for s, n in itertools.product((i / 4 for i in range(10)), range(100)):
            kernel(queue, SIZE, SIZE, table, s, n)
        queue.finish()
    return (perf_counter_ns() - start) / count


@cache
def profiling_queue():
    return cl.CommandQueue(rig.context, properties=cl.command_queue_properties.PROFILING_ENABLE)


def profiled(count):
    profiling = profiling_queue()
    kernels = rig.kernels
    events = []
    totals = [0] * STEP

    def step(_):
        for kernel in kernels:
            events.append(enqueue(profiling, kernel, SIZE, SIZE))

    def read():
        for i, event in enumerate(events):
            profile = event.profile
            totals[i % STEP] += profile.end - profile.start
        events.clear()

    return timed(count, step, profiling, read)


serve(
    lambda: rig.device.name,
    check,
    {
        "step-20-fixed": fixed,
        "step-20-patched": patched,
        "step-20-shared": shared,
        "step-20-profiled": profiled,
        "step-20-fused": one_by_one(64, BATCH),
        "step-20-fused-large": one_by_one(1 << 20, STEP),
        "iterate-1000": iterate,
    },
)
