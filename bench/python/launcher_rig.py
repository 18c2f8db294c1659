"""Shared by the jobs of @cl/launcher; the same objects as native/launcher/rig.cc."""

import os

import numpy as np
import pyopencl as cl

from device import choose_device

SIZE = (64,)
KERNELS = os.environ["CL_BENCH_KERNELS"]


class Rig:
    def __init__(self):
        self.device = choose_device()
        self.context = cl.Context([self.device])
        self.queue = cl.CommandQueue(self.context)
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        self.a = cl.Buffer(self.context, flags, hostbuf=np.ones(64, np.float32))
        self.b = cl.Buffer(self.context, flags, hostbuf=np.zeros(64, np.float32))
        twenty = self.build("twenty.cl")
        self.kernels = [self.step_kernel(twenty, f"k{i:02d}") for i in range(20)]
        self.sweep = cl.Kernel(self.build("sweep.cl"), "sweep")
        self.sweep.set_scalar_arg_dtypes([None, np.float32, np.int32])

    def build(self, file):
        with open(os.path.join(KERNELS, file), encoding="ascii") as source:
            return cl.Program(self.context, source.read()).build()

    def step_kernel(self, program, name):
        kernel = cl.Kernel(program, name)
        # Before the types are declared: afterwards PyOpenCL 2022.3 loses the receiver of set_args.
        kernel.set_args(self.a, self.b, np.float32(1.5), np.int32(64))
        kernel.set_scalar_arg_dtypes([None, None, np.float32, np.int32])
        return kernel
