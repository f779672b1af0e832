"""The NumPy side of thm bench peers; the protocol is described in doc.go."""
import gc
import os
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


# One thread is timed by what it computed, several by the clock on the wall.
clock = time.perf_counter if os.environ.get("THM_PEER_CLOCK") == "wall" else time.process_time
operands = {}
product = None


def polar(a):
    u, _, vt = np.linalg.svd(a, full_matrices=False)
    return (u @ vt,)


def stack(x):
    """The square matrices that x holds one below the other."""
    return x.reshape(-1, x.shape[1], x.shape[1])


def below(x):
    """A stack of matrices, or of rows, as one matrix."""
    return x.reshape(-1, x.shape[-1])


def thin(a):
    return np.linalg.svd(a, full_matrices=False)


penalties = 1e-4 * 1e6 ** (np.arange(13) / 12)


def tangent_gram(x):
    """The Gram matrix of the neural tangent kernel of a two-layer ReLU network."""
    g = x @ x.T
    length = np.sqrt(np.diag(g))
    size = np.outer(length, length)
    cos = np.clip(g / size, -1, 1)
    return (size * (np.sqrt((1 - cos) * (1 + cos)) + 2 * (np.pi - np.arccos(cos)) * cos) / np.pi,)


def ridge_path(k, y, shifts):
    """The solutions of (K + λI)a = y as rows, by one factorisation."""
    values, q = np.linalg.eigh(k)
    return ((q.T @ y) / (values + shifts[:, None])) @ q.T


def algorithm_1(samples, rest):
    """Algorithm 1 of Damian, Lee and Soltanolkotabi; the operands are described in learning.go."""
    n, d = samples.shape[0], samples.shape[1] - 1
    half = max(1, n // 10)
    x, y = samples[:, :d], samples[:, d]
    alpha, beta = y.mean(), x.T @ y / n
    left = y - alpha - x @ beta
    check, start, biases = rest[:500], rest[500:500 + half], rest[500 + half:, 0]
    mask = (x @ start[:, :d].T >= 0) * np.outer(left, -2 / n * start[:, d])
    gradient = mask.T @ x
    w = np.vstack([-gradient, gradient])
    w *= np.sqrt(2 * half) / np.linalg.norm(w)
    phi = np.maximum(x @ w.T + biases, 0)
    heads = ridge_path(phi.T @ phi, phi.T @ left, n / 2 * penalties)
    out = heads @ np.maximum(check[:, :d] @ w.T + biases, 0).T + alpha + check[:, :d] @ beta
    return w, heads[np.argmin(((out - check[:, d]) ** 2).sum(axis=1))]


operations = {
    "tangent-gram": lambda: tangent_gram(operands["a"]),
    "ridge-path": lambda: (ridge_path(operands["a"], operands["b"][:, 0], penalties),),
    "algorithm-1": lambda: algorithm_1(operands["a"], operands["b"]),
    "matmul": lambda: (np.matmul(operands["a"], operands["b"], out=product),),
    "svd-thin": lambda: thin(operands["a"]),
    "svd-values": lambda: (np.linalg.svd(operands["a"], compute_uv=False),),
    "eigh": lambda: np.linalg.eigh(operands["a"]),
    "eigvalsh": lambda: (np.linalg.eigvalsh(operands["a"]),),
    "qr": lambda: np.linalg.qr(operands["a"]),
    "cholesky": lambda: (np.linalg.cholesky(operands["a"]),),
    "polar": lambda: polar(operands["a"]),
    "matmul-stack": lambda: (below(np.matmul(stack(operands["a"]), stack(operands["b"]), out=stack(product))),),
    "svd-thin-stack": lambda: tuple(below(x) for x in thin(stack(operands["a"]))),
}
for square in ("svd-thin", "svd-values", "qr", "polar"):
    operations[square + "-tall"] = operations[square + "-wide"] = operations[square]


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
    start = clock()
    for _ in count:
        work()
    return b"seconds %.9e\n" % (clock() - start)


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
