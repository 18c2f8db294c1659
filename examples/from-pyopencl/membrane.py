"""A vibrating drum whose skin is heavier in one corner, and its energy over time."""

from dataclasses import dataclass

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel

SOURCE = """
__kernel void leapfrog(__global const float *u, __global const float *before, __global const float *density,
                       __global float *after, float tension) {
  const size_t x = get_global_id(0) + 1, y = get_global_id(1) + 1;  // the rim is fixed
  const size_t i = y * SIZE + x;
  const float pull = u[i - 1] + u[i + 1] + u[i - SIZE] + u[i + SIZE] - 4 * u[i];
  after[i] = 2 * u[i] - before[i] + tension / density[i] * pull;
}
"""

ENERGY = """
float energy_of(__global const float *u, __global const float *before, float density, float tension, long i, long n) {
  const float moved = u[i] - before[i];
  const float right = i % n + 1 < n ? (u[i + 1] - u[i]) * (before[i + 1] - before[i]) : 0;
  const float down = i / n + 1 < n ? (u[i + n] - u[i]) * (before[i + n] - before[i]) : 0;
  return (density * moved * moved + tension * (right + down)) / 2;
}
"""


@dataclass
class Vibration:
    u: np.ndarray  # displacement at the end
    energies: list  # at the start, and after every hundred steps
    nanoseconds: int  # device time of the leapfrog kernel


def struck(size):
    """Returns a dent next to the center."""
    y, x = np.mgrid[0:size, 0:size] / (size - 1)
    u = np.exp(-100 * ((x - 0.4) ** 2 + (y - 0.45) ** 2))
    u[[0, -1], :] = u[:, [0, -1]] = 0
    return u.astype(np.float32)


def patched(size):
    """Returns a density that is four times as high in one corner."""
    density = np.ones((size, size), np.float32)
    density[size // 2 :, size // 2 :] = 4
    return density


def vibrate(start, density, steps, tension=0.4, damping=0.0):
    size = start.shape[0]
    ctx = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(ctx, properties=cl.command_queue_properties.PROFILING_ENABLE)

    program = cl.Program(ctx, SOURCE).build(options=[f"-DSIZE={size}"])
    leapfrog = program.leapfrog
    leapfrog.set_scalar_arg_dtypes([None, None, None, None, np.float32])
    damp = ElementwiseKernel(
        ctx,
        "float *after, const float *u, const float *before, float damping",
        "after[i] -= damping * (u[i] - before[i])",
        name="damp",
    )
    energy = ReductionKernel(
        ctx,
        np.float32,
        neutral="0",
        reduce_expr="a + b",
        map_expr="energy_of(u, before, density[i], tension, i, size)",
        arguments="const float *u, const float *before, const float *density, float tension, int size",
        preamble=ENERGY,
    )

    mf = cl.mem_flags
    density_buf = cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, hostbuf=density)
    density_dev = cl_array.Array(queue, density.shape, density.dtype, data=density_buf)
    u = cl_array.to_device(queue, start)
    before = u.copy()
    after = cl_array.zeros_like(u)

    def energy_now():
        return float(energy(u, before, density_dev, tension, size).get())

    events = []
    energies = [energy_now()]
    for step in range(1, steps + 1):
        sizes = (size - 2, size - 2)
        events.append(leapfrog(queue, sizes, None, u.data, before.data, density_buf, after.data, tension))
        damp(after, u, before, damping)
        before, u, after = u, after, before
        if step % 100 == 0:
            energies.append(energy_now())

    queue.finish()
    nanoseconds = sum(event.profile.end - event.profile.start for event in events)
    return Vibration(u.get(), energies, nanoseconds)


if __name__ == "__main__":
    for damping in (0, 0.002):
        result = vibrate(struck(96), patched(96), steps=600, damping=damping)
        print(f"damping {damping}: energy", *(f"{energy:.2f}" for energy in result.energies))
        print(f"the skin is between {result.u.min():.2f} and {result.u.max():.2f}")
        print(f"leapfrog: {result.nanoseconds / 600 / 1000:.1f} µs per step on the device")
