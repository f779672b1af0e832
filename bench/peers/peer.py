"""The NumPy side of thm bench peers; the protocol is described in doc.go."""
import gc
import sys
import time

if sys.path and sys.path[0] == "":
    del sys.path[0]  # a file in the working directory must not pass for a library

import numpy as np


def core():
    """The core type that OpenBLAS runs on, or - without OpenBLAS."""
    import ctypes
    try:
        with open("/proc/self/maps") as maps:
            paths = sorted({line.split()[-1] for line in maps if "openblas" in line})
    except OSError:
        return "-"
    for path in paths:
        for name in ("openblas_get_corename", "openblas_get_corename64_", "scipy_openblas_get_corename64_",
                     "scipy_openblas_get_corename"):
            try:
                function = getattr(ctypes.CDLL(path), name)
            except (OSError, AttributeError):
                continue
            function.restype = ctypes.c_char_p
            return function().decode()
    return "-"


operands = {}
product = None
operations = {
    "matmul": lambda: (np.matmul(operands["a"], operands["b"], out=product),),
    "svd-thin": lambda: np.linalg.svd(operands["a"], full_matrices=False),
    "svd-values": lambda: (np.linalg.svd(operands["a"], compute_uv=False),),
    "eigh": lambda: np.linalg.eigh(operands["a"]),
}


def load(name, rows, cols):
    global product
    rows, cols = int(rows), int(cols)
    raw = sys.stdin.buffer.read(8 * rows * cols)
    operands[name] = np.frombuffer(raw, dtype="<f8").reshape(rows, cols).copy()
    if "a" in operands and "b" in operands:
        product = np.empty((operands["a"].shape[0], operands["b"].shape[1]))
    return b"ok\n"


def run(operation):
    arrays = [np.atleast_2d(x) for x in operations[operation]()]
    out = [b"arrays %d\n" % len(arrays)]
    for x in arrays:
        out += [b"%d %d\n" % x.shape, np.ascontiguousarray(x, dtype="<f8").tobytes()]
    return b"".join(out)


def timed(operation, repeats):
    work, count = operations[operation], range(int(repeats))
    start = time.process_time()
    for _ in count:
        work()
    return b"seconds %.9e\n" % (time.process_time() - start)


requests = {"load": load, "run": run, "time": timed}


def main():
    gc.disable()
    out = sys.stdout.buffer
    out.write(f"thm-peer 1 numpy {np.__version__} {core()}\n".encode())
    out.flush()
    for line in sys.stdin.buffer:
        words = line.decode().split()
        try:
            out.write(requests[words[0]](*words[1:]))
        except Exception as problem:
            text = " ".join(f"{type(problem).__name__}: {problem}".split())
            out.write(f"error {text}\n".encode())
        out.flush()


main()
