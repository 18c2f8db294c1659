"""Warm starts of PyOpenCL, one job per process. The time to the first kernel includes the import of PyOpenCL."""

from time import perf_counter_ns

start = perf_counter_ns()

import os  # noqa: E402
import sys  # noqa: E402

import pyopencl as cl  # noqa: E402

from device import choose_device  # noqa: E402


def read(file):
    with open(os.path.join(os.environ["CL_BENCH_KERNELS"], file), encoding="ascii") as source:
        return source.read()


def first_kernel():
    import numpy as np

    context = cl.Context([choose_device()])
    queue = cl.CommandQueue(context)
    program = cl.Program(context, read("launch.cl")).build()
    flags = cl.mem_flags
    host = np.full(64, 2, np.float32)
    a = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=host)
    b = cl.Buffer(context, flags.READ_WRITE, host.nbytes)
    program.scale(queue, (64,), (64,), a, b, np.float32(1.5), np.int32(64))
    cl.enqueue_copy(queue, host, b)
    elapsed = perf_counter_ns() - start
    assert host[-1] == 3
    return elapsed


def build_twenty():
    context = cl.Context([choose_device()])
    source = read("twenty.cl")
    begin = perf_counter_ns()
    cl.Program(context, source).build()
    return perf_counter_ns() - begin


print("ok", {"first-kernel-warm": first_kernel, "build-20-warm": build_twenty}[sys.argv[1]](), flush=True)
