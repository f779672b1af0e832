# Operations of the NumPy peer of bench/peers, which has the operands and the protocol, and runs this within its script.
def point():
    x, w, y, u = (operands[k] for k in ("x", "w", "y", "u"))
    lam, n = 0.1, len(x)
    f = np.tanh(x @ w.T)
    gram = f @ f.T
    gram[np.diag_indices(n)] += lam * n
    r = np.linalg.inv(gram)
    columns = np.stack([u, u * u])                     # 2, teachers, n
    ry, rc = y @ r, columns @ r
    small = np.einsum("atn,btn->tab", columns, rc)
    x2 = np.linalg.solve(small, np.einsum("atn,tn->ta", rc, y)[:, :, None])[:, :, 0]
    ry -= np.einsum("ta,atn->tn", x2, rc)
    diagonal = np.diag(r) - np.einsum("atn,tab,btn->tn", rc, np.linalg.inv(small), rc, optimize=True)
    return (np.stack([lam * (y * ry).sum(1), lam * lam * n * (ry * ry).sum(1), ((ry / diagonal) ** 2).mean(1)], axis=1),)


operations["point"] = point
