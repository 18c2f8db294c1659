"""The PyOpenCL peer of the algorithms: pyopencl.array, pyopencl.scan and pyopencl.algorithm, used as documented."""

import numpy as np
import pyopencl.array as cla
from pyopencl.algorithm import RadixSort
from pyopencl.clrandom import PhiloxGenerator
from pyopencl.scan import InclusiveScanKernel

from array_rig_pyopencl import context, device, operands, pool, queue, timed
from array_sizes import sized
from protocol import serve


def cumsum(size):
    a, _, _ = operands(size)
    out = cla.empty_like(a)
    kernel = InclusiveScanKernel(context, a.dtype, "a+b", neutral="0")
    return lambda: kernel(a, out, queue=queue)


def keys(size):
    return cla.to_device(queue, np.random.default_rng(size).integers(0, 2**32, size, np.uint32), allocator=pool)


def sort_u32(size):
    a = keys(size)
    sort = RadixSort(context, "unsigned int *ary", "ary[i]", ["ary"])
    return lambda: sort(a, queue=queue)


def argsort(size):
    a = keys(size)
    places = cla.arange(queue, 0, size, dtype=np.int32, allocator=pool)
    sort = RadixSort(context, "unsigned int *ary, int *places", "ary[i]", ["ary", "places"])
    return lambda: sort(a, places, queue=queue)


def random_numbers(fill):
    def job(size):
        generator = PhiloxGenerator(context, seed=size)
        out = cla.empty(queue, size, np.float32, allocator=pool)
        return lambda: getattr(generator, fill)(out, queue=queue)

    return job


jobs = sized({"cumsum": cumsum, "sort-u32": sort_u32, "argsort": argsort, "uniform": random_numbers("fill_uniform"), "normal": random_numbers("fill_normal")})

serve(lambda: device.name, lambda: True, jobs(timed))
