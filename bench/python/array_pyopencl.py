"""The PyOpenCL peer of @cl/array: pyopencl.array on its memory pool, used as documented."""

from time import perf_counter_ns

import numpy as np
import pyopencl.array as cla
from pyopencl.algorithm import copy_if
from pyopencl.elementwise import ElementwiseKernel

from array_rig_pyopencl import context, device, operands, pool, queue, timed
from array_sizes import DEEP, LIMIT, sized
from protocol import serve


def add(size):
    a, b, _ = operands(size)
    return lambda: a + b


def fused(size):
    a, b, c = operands(size)
    return lambda: 2 * a + 3 * b - c


def fused_elementwise(size):
    a, b, c = operands(size)
    out = cla.empty_like(a)
    kernel = ElementwiseKernel(
        context, "float *out, const float *a, const float *b, const float *c", "out[i] = 2*a[i] + 3*b[i] - c[i]"
    )
    return lambda: kernel(out, a, b, c)


def where(size):
    a, b, c = operands(size)
    condition = cla.to_device(queue, (c.get() > LIMIT).astype(np.int8), allocator=pool)
    return lambda: cla.if_positive(condition, a, b)


def total(size):
    a, _, _ = operands(size)
    return lambda: cla.sum(a)


def dot(size):
    a, b, _ = operands(size)
    return lambda: cla.dot(a, b)


def maximum(size):
    a, _, _ = operands(size)
    return lambda: cla.max(a)


def compact(size):
    a, _, _ = operands(size)
    limit = np.float32(LIMIT)
    return lambda: copy_if(a, "ary[i] > limit", extra_args=[("limit", limit)], queue=queue)[1].get()


def views(count):
    a, _, _ = operands(64)
    start = perf_counter_ns()
    for _ in range(count):
        a[10:20]
    return (perf_counter_ns() - start) / count


jobs = sized(
    {
        "add": add,
        "fused": fused,
        "fused-elementwise": fused_elementwise,
        "where": where,
        "sum": total,
        "dot": dot,
        "max": maximum,
        "compact": compact,
    }
)

serve(
    lambda: device.name,
    lambda: True,
    {
        **jobs(timed),
        "dispatch-add": lambda count: timed(add(64), count, DEEP),
        "dispatch-fused": lambda count: timed(fused(64), count, DEEP),
        "views": views,
        "small-add": lambda count: timed(add(1000), count, 1),
    },
)
