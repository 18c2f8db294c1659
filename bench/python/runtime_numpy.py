"""The NumPy peer of the jobs that compare OpenCL runtimes."""

from array_rig_numpy import np, operands, timed
from array_sizes import sized
from protocol import serve


def function(compute):
    def prepare(size):
        a, _, _ = operands(size)
        out = np.empty_like(a)
        return lambda: compute(a, out=out)

    return prepare


def power(size):
    a, b, _ = operands(size)
    out = np.empty_like(a)
    return lambda: np.power(a, b, out=out)


jobs = sized({"sin": function(np.sin), "exp": function(np.exp), "log": function(np.log), "pow": power})

serve(lambda: "host", lambda: True, jobs(timed))
