"""The CuPy peer of @cl/array. `python3 array_cupy.py 1e8` prints microseconds as JSON instead."""

from functools import partial

import cupy as cp

from array_operators import chain, life, mul_sum, plain
from array_rig_cupy import operands, run, timed
from array_sizes import DEEP, LIMIT, MATRICES, ROWS


@cp.fuse(kernel_name="two_a_three_b_minus_c")
def formula(a, b, c):
    return 2 * a + 3 * b - c


def add(size):
    a, b, _ = operands(size)
    out = cp.empty_like(a)
    return lambda: cp.add(a, b, out=out)


def new_sum(size):
    a, b, _ = operands(size)
    return lambda: a + b


def fused(size):
    a, b, c = operands(size)
    return lambda: formula(a, b, c)


def where(size):
    a, b, c = operands(size)
    condition = c > LIMIT
    return lambda: cp.where(condition, a, b)


def dot(size):
    a, b, _ = operands(size)
    return lambda: cp.dot(a, b)


def over_axis(axis):
    def prepare(size):
        matrix = operands(size)[0].reshape(ROWS, -1)
        return lambda: matrix.sum(axis=axis)

    return prepare


def compact(size):
    a, _, _ = operands(size)
    return lambda: a[a > LIMIT]


def transpose(size):
    source = operands(size)[0].reshape(MATRICES[size]).T
    out = cp.empty(source.shape, cp.float32)
    return lambda: cp.copyto(out, source)


def strided_copy(size):
    source = operands(size)[0][::2]
    out = cp.empty(source.shape, cp.float32)
    return lambda: cp.copyto(out, source)


def view(size):
    a, _, _ = operands(size)
    return lambda: a[10:20]


PREPARE = {
    "add": add,
    "fused": fused,
    "plain": partial(plain, operands),
    "mul-sum": partial(mul_sum, operands),
    "where": where,
    "sum": lambda size: operands(size)[0].sum,
    "dot": dot,
    "max": lambda size: operands(size)[0].max,
    "sum-axis0": over_axis(0),
    "sum-axis1": over_axis(1),
    "compact": compact,
    "transpose": transpose,
    "strided-copy": strided_copy,
}


run(
    PREPARE,
    {
        "dispatch-add": lambda count: timed(new_sum(64), count, DEEP),
        "dispatch-fused": lambda count: timed(fused(64), count, DEEP),
        "chain-5": lambda count: timed(chain(operands, cp.ndarray.get), count, 1),
        "life": lambda count: timed(life(cp), count),
        "views": lambda count: timed(view(64), count),
        "small-add": lambda count: timed(new_sum(1000), count, 1),
    },
)
