"""The PyOpenCL peer of @cl/core: the jobs of native/core, in the style of PyOpenCL's documentation."""

import os
import threading
from functools import cache
from time import perf_counter_ns

import numpy as np
import pyopencl as cl

from device import choose_device
from protocol import serve

WORK_ITEMS = 64
BATCH = 500
KERNELS = os.environ["CL_BENCH_KERNELS"]

device = choose_device()
context = cl.Context([device])
queue = cl.CommandQueue(context)


def build(file):
    with open(os.path.join(KERNELS, file), encoding="ascii") as source:
        return cl.Program(context, source.read()).build()


program = build("launch.cl")
a = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.ones(WORK_ITEMS, np.float32))
b = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.zeros(WORK_ITEMS, np.float32))
SIZE = (WORK_ITEMS,)


def typed_kernel(prg, name):
    kernel = cl.Kernel(prg, name)
    # Before the types are declared: afterwards PyOpenCL 2022.3 loses the receiver of set_args.
    kernel.set_args(a, b, np.float32(1.5), np.int32(64))
    kernel.set_scalar_arg_dtypes([None, None, np.float32, np.int32])
    return kernel


def check():
    typed_kernel(program, "scale")(queue, SIZE, SIZE, a, b, 1.5, 64)
    first = np.empty(1, np.float32)
    cl.enqueue_copy(queue, first, b)
    return first[0] != 0


def batches(count):
    """Return the sizes of the batches, each of which ends with a finish."""
    return [min(BATCH, count - done) for done in range(0, count, BATCH)]


@cache
def scale():
    return typed_kernel(program, "scale")


def launch_typed(count):
    kernel = scale()
    start = perf_counter_ns()
    for depth in batches(count):
        for _ in range(depth):
            kernel(queue, SIZE, SIZE, a, b, 1.5, 64)
        queue.finish()
    return (perf_counter_ns() - start) / count


@cache
def scale_untyped():
    return cl.Kernel(program, "scale")


def launch_untyped(count):
    """Default use without declared argument types, so each scalar must be a NumPy scalar."""
    kernel = scale_untyped()
    s, n = np.float32(1.5), np.int32(64)
    start = perf_counter_ns()
    for depth in batches(count):
        for _ in range(depth):
            kernel(queue, SIZE, SIZE, a, b, s, n)
        queue.finish()
    return (perf_counter_ns() - start) / count


def launch_bound(count):
    kernel = scale()
    enqueue = cl.enqueue_nd_range_kernel
    start = perf_counter_ns()
    for depth in batches(count):
        for _ in range(depth):
            enqueue(queue, kernel, SIZE, SIZE)
        queue.finish()
    return (perf_counter_ns() - start) / count


@cache
def twenty():
    prg = build("twenty.cl")
    return [typed_kernel(prg, f"k{i:02d}") for i in range(20)]


def launch_list(count):
    kernels = twenty()
    enqueue = cl.enqueue_nd_range_kernel
    start = perf_counter_ns()
    for depth in batches(count):
        for _ in range(depth // 20):
            for kernel in kernels:
                enqueue(queue, kernel, SIZE, SIZE)
        queue.finish()
    return (perf_counter_ns() - start) / count


def launch_finish(count):
    kernel = scale()
    start = perf_counter_ns()
    for _ in range(count):
        kernel(queue, SIZE, SIZE, a, b, 1.5, 64)
        queue.finish()
    return (perf_counter_ns() - start) / count


@cache
def large_pair():
    host = np.ones(64 << 18, np.float32)
    buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, host.nbytes)
    cl.enqueue_copy(queue, buffer, host)
    cl.enqueue_copy(queue, host, buffer)
    return host, buffer


def write_large(count):
    host, buffer = large_pair()
    start = perf_counter_ns()
    for _ in range(count):
        cl.enqueue_copy(queue, buffer, host)
    return (perf_counter_ns() - start) / count


def read_large(count):
    host, buffer = large_pair()
    start = perf_counter_ns()
    for _ in range(count):
        cl.enqueue_copy(queue, host, buffer)
    return (perf_counter_ns() - start) / count


def callbacks(count):
    kernel = scale()
    left = count
    done = threading.Event()
    lock = threading.Lock()

    def arrived(_status):
        nonlocal left
        with lock:
            left -= 1
            if left == 0:
                done.set()

    start = perf_counter_ns()
    for _ in range(count):
        event = kernel(queue, SIZE, SIZE, a, b, 1.5, 64)
        event.set_callback(cl.command_execution_status.COMPLETE, arrived)
    queue.flush()
    done.wait()
    elapsed = perf_counter_ns() - start
    queue.finish()
    return elapsed / count


@cache
def profiled_events():
    profiling = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    kernel = scale()
    events = [kernel(profiling, SIZE, SIZE, a, b, 1.5, 64) for _ in range(1000)]
    profiling.finish()
    return events, np.empty((1000, 2), np.int64)


def profile_read(count):
    events, times = profiled_events()
    rounds = max(1, count // len(events))
    start = perf_counter_ns()
    for _ in range(rounds):
        for i, event in enumerate(events):
            profile = event.profile
            times[i, 0] = profile.start
            times[i, 1] = profile.end
    return (perf_counter_ns() - start) / (rounds * len(events))


serve(
    lambda: device.name,
    check,
    {
        "launch-4args": launch_typed,
        "launch-4args-untyped": launch_untyped,
        "launch-bound": launch_bound,
        "list-20": launch_list,
        "launch-finish": launch_finish,
        "write-64MiB": write_large,
        "read-64MiB": read_large,
        "promise-per-event": callbacks,
        "profile-read": profile_read,
    },
)
