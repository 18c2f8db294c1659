"""A loop of launches in a separate process; the counterpart of native/launcher/bounded.cc."""

import re
import sys
from time import perf_counter_ns

import pyopencl as cl

from launcher_rig import SIZE, Rig

rig = Rig()


def launch(count):
    queue, kernel, enqueue = rig.queue, rig.kernels[0], cl.enqueue_nd_range_kernel
    for _ in range(count):
        enqueue(queue, kernel, SIZE, SIZE)
    queue.finish()


def peak():
    """Return the peak resident memory in KiB since the last write to clear_refs."""
    with open("/proc/self/status", encoding="ascii") as status:
        return int(re.search(r"^VmHWM:\s*(\d+)", status.read(), re.M)[1])


name, count = sys.argv[1], int(sys.argv[2])
launch(500)
with open("/proc/self/clear_refs", "w", encoding="ascii") as clear:
    clear.write("5")
before = peak()
start = perf_counter_ns()
launch(count)
elapsed = perf_counter_ns() - start
print("ok", {"bounded-1e6": elapsed / count, "bounded-1e6-growth": peak() - before}[name], flush=True)
