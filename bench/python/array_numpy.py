"""The NumPy peer of @cl/array."""

from functools import partial

from array_operators import chain, life, mul_sum, plain
from array_rig_numpy import np, operands, timed
from array_sizes import LIMIT, MATRICES, ROWS, sized
from protocol import serve


def add(size):
    a, b, _ = operands(size)
    out = np.empty_like(a)
    return lambda: np.add(a, b, out=out)


def new_sum(size):
    a, b, _ = operands(size)
    return lambda: a + b


def where(size):
    a, b, c = operands(size)
    condition = c > LIMIT
    return lambda: np.where(condition, a, b)


def dot(size):
    a, b, _ = operands(size)
    return lambda: a.dot(b)


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
    out = np.empty(source.shape, np.float32)
    return lambda: np.copyto(out, source)


def strided_copy(size):
    source = operands(size)[0][::2]
    out = np.empty(source.shape, np.float32)
    return lambda: np.copyto(out, source)


def view(size):
    a, _, _ = operands(size)
    return lambda: a[10:20]


plain_of = partial(plain, operands)

jobs = sized(
    {
        "add": add,
        "fused": plain_of,
        "plain": plain_of,
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
)

serve(
    lambda: "host",
    lambda: True,
    {
        **jobs(timed),
        "dispatch-add": lambda count: timed(new_sum(64), count),
        "dispatch-fused": lambda count: timed(plain_of(64), count),
        "chain-5": lambda count: timed(chain(operands, lambda total: total), count),
        "life": lambda count: timed(life(np), count),
        "views": lambda count: timed(view(64), count),
        "small-add": lambda count: timed(new_sum(1000), count),
    },
)
