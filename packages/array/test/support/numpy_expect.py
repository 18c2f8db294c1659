# Computes NumPy's results for the differential test. Reads a JSON list of cases from standard input and writes one
# result per case: {"dtype", "shape", "hex"}. Operands are given as the bytes of a base array and the views taken of it.
import json
import sys

import numpy as np

np.seterr(all="ignore")


def view(operand):
    base = np.frombuffer(bytes.fromhex(operand["hex"]), dtype=operand["dtype"]).reshape(operand["shape"])
    layout = operand["layout"]
    if layout == "transposed":
        return base.T
    if layout == "reversed":
        return base[::-1, ::-1]
    if layout == "sliced":
        return base[1:, ::2]
    if layout == "row":
        return base[1]
    if layout == "broadcast":
        return np.broadcast_to(base[:, :1], base.shape)
    return base


def expect(case):
    try:
        # "modf:1" is the second of several results.
        name, _, part = case["operator"].partition(":")
        result = getattr(np, name)(*[view(operand) for operand in case["operands"]])
        if part:
            result = result[int(part)]
    except TypeError:
        return {"error": "TypeError"}
    result = np.asarray(result)
    result = np.ascontiguousarray(result).reshape(result.shape)
    return {"dtype": result.dtype.name, "shape": list(result.shape), "hex": result.tobytes().hex()}


if json.loads(sys.argv[1]) == "promotions":
    names = json.load(sys.stdin)
    json.dump({a: {b: np.promote_types(a, b).name for b in names} for a in names}, sys.stdout)
else:
    json.dump([expect(case) for case in json.load(sys.stdin)], sys.stdout)
