"""Shared by the CuPy peers: operands, timing, and running all jobs without the other peers."""

import json
import sys
from functools import cache
from statistics import median
from time import perf_counter_ns

import cupy as cp

from array_sizes import BATCH, SIZES, sized
from protocol import serve

ROUNDS = 15


@cache
def operands(size):
    generator = cp.random.default_rng(size)
    return [generator.random(size, dtype=cp.float32) for _ in range(3)]


def finish():
    cp.cuda.get_current_stream().synchronize()


def timed(run, count, depth=BATCH):
    start = perf_counter_ns()
    for done in range(0, count, depth):
        for _ in range(min(depth, count - done)):
            run()
        finish()
    return (perf_counter_ns() - start) / count


def device_name():
    name = cp.cuda.runtime.getDeviceProperties(cp.cuda.Device().id)["name"]
    return name.decode() if isinstance(name, bytes) else name


def figures(prepare_all, text):
    """Return the median time of each job at one size, or the error of a job that fails."""
    for name, prepare in prepare_all.items():
        try:
            run = prepare(SIZES[text])
            timed(run, BATCH)
            yield name, median(timed(run, 2 * BATCH) for _ in range(ROUNDS)) / 1000
        except Exception as problem:  # noqa: BLE001 - every failure is an answer
            yield name, f"{type(problem).__name__}: {problem}"


def run(prepare_all, more):
    """Serve the jobs (`more` are those without a size), or print microseconds for the sizes on the command line."""
    if len(sys.argv) > 1:
        for text in sys.argv[1:]:
            times = dict(figures(prepare_all, text))
            print(json.dumps({"device": device_name(), "size": text, "unit": "us", "cupy": times}))
        return
    serve(device_name, lambda: True, {**sized(prepare_all)(timed), **more})
