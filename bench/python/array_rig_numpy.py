"""Shared by the NumPy peers: operands and timing. NumPy uses one thread."""

import os

for library in ("OPENBLAS", "MKL", "OMP", "BLIS"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

from functools import cache  # noqa: E402 - the number of threads must be set before NumPy is imported
from time import perf_counter_ns  # noqa: E402

import numpy as np  # noqa: E402


@cache
def operands(size):
    generator = np.random.default_rng(size)
    return [generator.random(size, np.float32) for _ in range(3)]


def timed(run, count):
    start = perf_counter_ns()
    for _ in range(count):
        run()
    return (perf_counter_ns() - start) / count
