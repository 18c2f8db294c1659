"""The CuPy peer of the algorithms. `python3 algorithms_cupy.py 1e8` prints microseconds as JSON instead."""

from math import log2

import cupy as cp

from array_rig_cupy import operands, run, timed


def cumsum(size):
    a, _, _ = operands(size)
    return lambda: cp.cumsum(a)


def keys(size):
    return cp.random.default_rng(size).integers(0, 2**32, size, cp.uint32)


def sort_u32(size):
    a = keys(size)
    return lambda: cp.sort(a)


def sort_f32(size):
    a = (keys(size) / 2**32).astype(cp.float32)
    return lambda: cp.sort(a)


def argsort(size):
    a = keys(size)
    return lambda: cp.argsort(a)


def random_numbers(draw):
    def job(size):
        generator = cp.random.Generator(cp.random.Philox4x3210(size))
        out = cp.empty(size, cp.float32)
        return lambda: getattr(generator, draw)(dtype=cp.float32, out=out)

    return job


def complex_values(length):
    values = (cp.arange(2 * length) * 7919 % 65537 / 65537 - 0.5).astype(cp.float32)
    return values.view(cp.complex64)


def fft(size):
    a = complex_values(2 ** round(log2(size)))
    return lambda: cp.fft.fft(a)


def fft_decimal(size):
    a = complex_values(size)
    return lambda: cp.fft.fft(a)


def matmul(extent):
    prepared = []

    def job(count):
        if not prepared:
            a, b, _ = (array.reshape(extent, extent) for array in operands(extent * extent))
            out = cp.empty_like(a)
            prepared.append(lambda: cp.matmul(a, b, out=out))
        return timed(prepared[0], count, 1)

    return job


run({"cumsum": cumsum, "sort-u32": sort_u32, "sort-f32": sort_f32, "argsort": argsort, "uniform": random_numbers("random"), "normal": random_numbers("standard_normal"), "fft": fft, "fft-decimal": fft_decimal}, {f"matmul-{extent}": matmul(extent) for extent in (1024, 2048, 4096, 8192)})
