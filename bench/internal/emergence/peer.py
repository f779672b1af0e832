# Operations of the NumPy peer of bench/peers, which has the operands and the protocol, and runs this within its script.
BLOCK = 512  # inputs at a time, so that pre-activations stay in the cache


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


def steps(w, b, a, first, second, batches, rate):
    """Two steps that forget the weights, then Adam on the output weights from zero."""
    for rate, (x, y, p) in ((rate, first), (1.0, second)):
        gw, gb, ga = gradient(w, b, a, x, y, p)
        w, b, a = -rate * gw, b - rate * gb, a - rate * ga
    out, m, v = np.zeros_like(a), np.zeros_like(a), np.zeros_like(a)
    for t, (x, y, p) in enumerate(batches, 1):
        value = np.clip(x @ w.T + b, 0, 1)
        g = np.where(y * (value @ out) < 1, -p * y, 0.0) @ value
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        out = out - 0.05 * m / (1 - 0.9 ** t) / (np.sqrt(v / (1 - 0.999 ** t)) + 1e-8)
    return w, out


def network():
    return operands["w"], operands["bias"][0], operands["out"][0]


def samples(x, y, size):
    return [(operands[x][i:i + size], operands[y][0, i:i + size], np.full(size, 1 / size))
            for i in range(0, len(operands[x]), size)]


def all_inputs():
    return (gradient(*network(), operands["x"], operands["y"][0], operands["p"][0])[0],)


def two_steps():
    first, second = samples("x", "y", len(operands["x"]) // 2)
    return (steps(*network(), first, second, samples("batches", "labels", 500), operands["rate"][0, 0])[1],)


operations.update({"gradient": all_inputs, "steps": two_steps})
