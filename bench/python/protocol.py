"""The line protocol of the benchmark children. See native/protocol.h."""

import sys


def serve(device, check, jobs):
    """Answer requests until stdin ends. `jobs` maps names to functions of a count that return ns per unit."""
    for line in sys.stdin:
        words = line.split()
        try:
            if words[0] == "device":
                answer = device()
            elif words[0] == "check":
                answer = "real" if check() else "null"
            elif words[0] == "run":
                answer = repr(jobs[words[1]](int(words[2])))
            else:
                raise ValueError(f"unknown request: {line.strip()}")
            print("ok", answer, flush=True)
        except Exception as problem:  # noqa: BLE001 - every failure is an answer
            print("error", type(problem).__name__, str(problem).replace("\n", " "), flush=True)
