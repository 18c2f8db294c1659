# Evaluates special functions with SciPy: reads a JSON list of {"theirs", "scale", "inputs"} from standard input, where
# inputs are the bytes of float64 or complex128 in base64, and writes {"values", "scale"} for each, as bytes in base64:
# the expected values, and the scale relative to which errors are measured.
import base64
import json
import sys
import warnings

import numpy as np
import scipy.special as sp

warnings.simplefilter("ignore")
np.seterr(all="ignore")


def array(text, complex_numbers):
    return np.frombuffer(base64.b64decode(text), dtype=np.complex128 if complex_numbers else np.float64)


def text(values):
    return base64.b64encode(np.ascontiguousarray(values).tobytes()).decode()


def answer(case):
    names = dict(zip("xyzvw", [array(one, case["complex"]) for one in case["inputs"]]))
    values = np.asarray(eval(case["theirs"], {"np": np, "sp": sp}, names))
    kind = np.complex128 if np.iscomplexobj(values) else np.float64
    values = np.broadcast_to(values, names["x"].shape).astype(kind)
    scale = np.maximum(np.abs(values), eval(case["scale"], {"np": np, "sp": sp}, names))
    return {"values": text(values), "scale": text(np.broadcast_to(scale, values.shape).astype(np.float64))}


json.dump([answer(case) for case in json.load(sys.stdin)], sys.stdout)
