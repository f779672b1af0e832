# Operations of the NumPy peer of bench/peers, which has the operands and the protocol, and runs this within its script.
SIZES = (784, 256, 256, 1)


def layers(theta):
    out, at = [], 0
    for cols, rows in zip(SIZES[:-1], SIZES[1:]):
        w = theta[at:at + rows * cols].reshape(rows, cols)
        at += rows * cols
        out.append((w, theta[at:at + rows]))
        at += rows
    return out


def forward(net, x):
    inputs, pre, h = [], [], x
    for l, (w, b) in enumerate(net):
        inputs.append(h)
        z = h @ w.T + b
        pre.append(z)
        h = np.maximum(z, 0) if l < len(net) - 1 else z
    return inputs, pre, h


def backward(net, pre, last):
    grads = [last]
    for l in range(len(net) - 1, 0, -1):
        grads.insert(0, (grads[0] @ net[l][0]) * (pre[l - 1] > 0))
    return grads


def averaged_kernel():
    x, nodes = operands["x"], 50
    n = len(x)
    start, end = operands["start"][0], operands["end"][0]
    ds = [[], [], []]
    hs = [[], [], []]
    for k in range(nodes):
        t = (k + 0.5) / nodes
        net = layers((1 - t) * start + t * end)
        inputs, pre, _ = forward(net, x)
        for l, d in enumerate(backward(net, pre, np.ones((n, 1)))):
            ds[l].append(d / nodes)
            hs[l].append(inputs[l])
    first = sum(ds[0])
    kernel = (first @ first.T) * (x @ x.T + 1)
    last = np.concatenate([sum(h for h in hs[2]) / nodes, np.ones((n, 1))], axis=1)
    kernel += last @ last.T
    d = np.stack(ds[1], axis=2)
    h = np.concatenate([np.stack(hs[1], axis=1), np.ones((n, nodes, 1))], axis=2)
    features = np.matmul(d, h).reshape(n, -1)
    return (kernel + features @ features.T,)


def training():
    x, y, batch = operands["x"], operands["y"], 100
    batches = operands["order"].astype(int).reshape(-1, batch)
    steps = len(batches)
    net = [(w.copy(), b.copy()) for w, b in layers(operands["start"][0])]
    speeds = [(np.zeros_like(w), np.zeros_like(b)) for w, b in net]
    for step, rows in enumerate(batches):
        rate = 0.1 * (1 + np.cos(np.pi * step / steps)) / 2
        inputs, pre, f = forward(net, x[rows])
        for (w, b), (vw, vb), h, d in zip(net, speeds, inputs, backward(net, pre, (f - y[rows]) / batch)):
            vw *= 0.9
            vw += d.T @ h
            vb *= 0.9
            vb += d.sum(axis=0)
            w -= rate * vw
            b -= rate * vb
    return (forward(net, x)[2],)


def turn():
    b, features, y = operands["b"], operands["features"], operands["y"][:, 0]
    m, k = b.shape
    u, sigma, _ = np.linalg.svd(b, full_matrices=False)
    excess = np.minimum(sigma ** 2, np.sqrt(sigma))
    for _ in range(60):  # e(1+e)³ = σ² by Newton's method
        z = 1 + excess
        excess = excess - (excess * z ** 3 - sigma ** 2) / (z * z * (1 + 4 * excess))
    a = np.eye(m) + (u * excess) @ u.T
    moved = np.matmul(a.T, features.reshape(-1, m, k)).reshape(len(y), -1)
    weights = np.linalg.solve(moved @ moved.T, y)
    return (a @ (weights @ moved).reshape(m, k),)


def peak():
    return (operands["square"] @ operands["square"],)


operations.update({"averaged-kernel": averaged_kernel, "training": training, "turn": turn, "peak": peak})
