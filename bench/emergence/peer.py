"""The NumPy side of the benchmarks of bench/emergence: reads arrays from a file, then runs the work named on each line."""
import sys
import time

import numpy as np

BLOCK = 512  # inputs at a time, so that pre-activations stay in the cache


def load(path):
    raw, at, out = np.fromfile(path), 0, []
    while at < len(raw):
        rows, cols = int(raw[at]), int(raw[at + 1])
        out.append(raw[at + 2:at + 2 + rows * cols].reshape(rows, cols).copy())
        at += 2 + rows * cols
    return out


def gradient(w, b, a, x, y, p):
    """The derivative of the hinge loss in w, b and a, without noise."""
    gw, gb, ga = np.zeros_like(w), np.zeros_like(b), np.zeros_like(a)
    for i in range(0, len(y), BLOCK):
        xi, yi, pi = x[i:i + BLOCK], y[i:i + BLOCK], p[i:i + BLOCK]
        z = xi @ w.T
        z += b
        value = np.clip(z, 0, 1)
        weight = np.where(yi * (value @ a) < 1, -pi * yi, 0.0)
        slope = ((z > 0) & (z < 1)) * weight[:, None]
        gw += slope.T @ xi
        gb += slope.sum(axis=0)
        ga += weight @ value
    return gw * a[:, None], gb * a, ga


def steps(w, b, a, first, second, batches):
    """Two steps that forget the weights, then Adam on the output weights from zero."""
    for rate, (x, y, p) in ((1e-3, first), (1.0, second)):
        gw, gb, ga = gradient(w, b, a, x, y, p)
        w, b, a = -rate * gw, b - rate * gb, a - rate * ga
    out, m, v = np.zeros_like(a), np.zeros_like(a), np.zeros_like(a)
    for t, (x, y, p) in enumerate(batches, 1):
        value = np.clip(x @ w.T + b, 0, 1)
        g = np.where(y * (value @ out) < 1, -p * y, 0.0) @ value
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        out = out - 0.05 * m / (1 - 0.9 ** t) / (np.sqrt(v / (1 - 0.999 ** t)) + 1e-8)
    return w, out


def sample(x, y):
    return x, y[:, 0], np.full(len(y), 1 / len(y))


def main():
    work = {}
    arrays = load(sys.argv[1])
    w, b, a = arrays[0], arrays[1][:, 0], arrays[2][:, 0]
    if len(arrays) == 6:
        x, y, p = arrays[3], arrays[4][:, 0], arrays[5][:, 0]
        work["gradient"] = lambda: np.linalg.norm(gradient(w, b, a, x, y, p)[0])
    else:
        samples = [sample(arrays[i], arrays[i + 1]) for i in range(3, len(arrays), 2)]
        work["steps"] = lambda: np.linalg.norm(steps(w, b, a, samples[0], samples[1], samples[2:])[1])
    for line in sys.stdin:
        start = time.process_time()
        result = work[line.strip()]()
        print(time.process_time() - start, repr(float(result)), flush=True)


main()
