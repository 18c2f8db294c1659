# Evaluates expressions with NumPy: reads a JSON list of them from standard input and writes one result for each:
# {"dtype", "shape", "hex"}, {"text"} of a string, or {"error"}. `c(shape, dtype)` is the array of the tests that counts
# from 0, `w(shape, dtype)` the one of pseudo-random numbers, `r(shape, dtype, seed)` the one of seeded random numbers,
# `run(program)` runs statements, and `json` and `scipy` are available.
import json
import sys

import numpy as np

np.seterr(all="ignore")


class LazyScipy:
    """SciPy, imported by those expressions that need it."""

    def __getattr__(self, name):
        import importlib

        return importlib.import_module(f"scipy.{name}")


def c(shape, dtype):
    size = int(np.prod(shape))
    return (np.arange(size) % 100).astype(dtype).reshape(shape)


def w(shape, dtype):
    i = np.arange(int(np.prod(shape))) % 65537
    values = (i * i * 7919 + i * 31) % 65537 % 255 - 127
    if np.dtype(dtype).kind == "c":
        values = values + 1j * ((i * i * 104729 + i * 17) % 65537 % 255 - 127)
    return values.astype(dtype).reshape(shape)


def segmented(function, array, starts, axis):
    """Applies a function such as np.cumsum to each segment of the lines along an axis, or of all elements."""
    if axis is None:
        return segmented(function, array.ravel(), np.broadcast_to(starts, array.shape).ravel(), 0)
    lines = np.moveaxis(array, axis, -1)
    flags = np.moveaxis(np.broadcast_to(starts, array.shape), axis, -1)
    result = np.empty(lines.shape, function(array.ravel()[:1]).dtype)
    for place in np.ndindex(lines.shape[:-1]):
        cuts = np.flatnonzero(flags[place])
        parts = [function(part) for part in np.split(lines[place], cuts)]
        result[place] = np.concatenate(parts)
    return np.moveaxis(result, -1, axis)


def r(shape, dtype, seed):
    def draw(own):
        bits = ((np.arange(int(np.prod(shape)), dtype=np.uint64) + 1 + own * 1000003) * 0x9E3779B1 & 0xFFFFFFFF).astype(np.uint32)
        bits = (bits ^ (bits >> 16)) * np.uint32(0x85EBCA6B)
        bits = (bits ^ (bits >> 13)) * np.uint32(0xC2B2AE35)
        return ((bits ^ (bits >> 16)) / 2.0**32 - 0.5).astype(np.float32)

    values = draw(seed)
    if dtype.startswith("complex"):
        values = values + np.complex64(1j) * draw(seed + 1)
    return values.astype(dtype).reshape(shape)


def conv(a, b, mode, axes):
    """The sums along axes, term by term; along others the arrays are broadcast."""
    a, b = (x.astype(np.complex128 if x.dtype.kind == "c" else np.float64) for x in (a, b))
    full = [n + m - 1 if k in axes else max(n, m) for k, (n, m) in enumerate(zip(a.shape, b.shape))]
    result = np.zeros(full, np.result_type(a, b))
    for place in np.ndindex(*[b.shape[k] for k in axes]):
        own = [slice(None)] * b.ndim
        to = [slice(None)] * b.ndim
        for k, at in zip(axes, place):
            own[k] = slice(at, at + 1)
            to[k] = slice(at, at + a.shape[k])
        result[tuple(to)] += a * b[tuple(own)]
    cut = [slice(None)] * b.ndim
    for k in axes:
        n, m = a.shape[k], b.shape[k]
        count = {"full": full[k], "same": n, "valid": abs(n - m) + 1}[mode]
        cut[k] = slice((full[k] - count) // 2, (full[k] - count) // 2 + count)
    return result[tuple(cut)]


def described(array):
    array = np.asarray(array)
    return {"dtype": array.dtype.name, "shape": list(array.shape), "hex": array.tobytes().hex()}


def run(program):
    """Runs statements. Returns the arrays that they passed to `read`, as JSON."""
    reads = []
    exec(program, {"np": np, "c": c, "read": lambda array: reads.append(described(array))})
    return json.dumps(reads)


def expect(expression):
    try:
        names = {"np": np, "json": json, "c": c, "w": w, "conv": conv, "r": r, "segmented": segmented, "run": run}
        result = eval(expression, {**names, "scipy": LazyScipy()})
        return {"text": result} if isinstance(result, str) else described(result)
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        # Classes of NumPy are derived from TypeError.
        name = "TypeError" if isinstance(error, TypeError) else type(error).__name__
        return {"error": f"{name}: {error}"}


json.dump([expect(expression) for expression in json.load(sys.stdin)], sys.stdout)
