"""The NumPy peer of the algorithms."""

from array_rig_numpy import np, operands, timed
from array_sizes import sized
from protocol import serve


def cumsum(size):
    a, _, _ = operands(size)
    out = np.empty_like(a)
    return lambda: np.cumsum(a, out=out)


def keys(size):
    return np.random.default_rng(size).integers(0, 2**32, size, np.uint32)


def sort_u32(size):
    a = keys(size)
    return lambda: np.sort(a)


def sort_f32(size):
    a = (keys(size) / 2**32).astype(np.float32)
    return lambda: np.sort(a)


def argsort(size):
    a = keys(size)
    return lambda: np.argsort(a)


def random_numbers(draw):
    def job(size):
        generator = np.random.Generator(np.random.Philox(size))
        out = np.empty(size, np.float32)
        return lambda: getattr(generator, draw)(dtype=np.float32, out=out)

    return job


def complex_values(length):
    values = (np.arange(2 * length) * 7919 % 65537 / 65537 - 0.5).astype(np.float32)
    return values.view(np.complex64)


def fft(size):
    a = complex_values(2 ** round(np.log2(size)))
    return lambda: np.fft.fft(a)


def fft_decimal(size):
    a = complex_values(size)
    return lambda: np.fft.fft(a)


def matmul(extent):
    prepared = []

    def run(count):
        if not prepared:
            a, b, _ = (array.reshape(extent, extent) for array in operands(extent * extent))
            out = np.empty_like(a)
            prepared.append(lambda: np.matmul(a, b, out=out))
        return timed(prepared[0], count)

    return run


jobs = sized({"cumsum": cumsum, "sort-u32": sort_u32, "sort-f32": sort_f32, "argsort": argsort, "uniform": random_numbers("random"), "normal": random_numbers("standard_normal"), "fft": fft, "fft-decimal": fft_decimal})

serve(lambda: "host", lambda: True, {**jobs(timed), **{f"matmul-{extent}": matmul(extent) for extent in (1024, 2048, 4096, 8192)}})
