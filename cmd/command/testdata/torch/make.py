"""Writes the tensors that certify.txtar holds against the claims: python3 make.py DIRECTORY.

Needs PyTorch and NumPy; made with PyTorch 1.13.0 and NumPy 1.24.2. Other versions give other numbers, and the same
verdicts. Every network is trained for one step, in float64, on a batch of 6 samples: no power of two, so that a
forgotten 1/6 cannot hide and dividing by it rounds.
"""

import sys
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

out = Path(sys.argv[1])
out.mkdir(parents=True, exist_ok=True)
torch.set_default_dtype(torch.float64)
BATCH, STEP = 6, 0.5


def save(name, **arrays):
    np.savez(out / f"{name}.npz", **{k: v.detach().numpy() if hasattr(v, "detach") else v for k, v in arrays.items()})


def train(**options):
    """One step of SGD on the mean loss of three layers; what vcl/residual wants of the middle one, which is square.

    .grad of a hidden tensor is that of the mean loss, so that the per-sample gradients are BATCH times it.
    """
    torch.manual_seed(1)
    first, layer, last = torch.nn.Linear(3, 4), torch.nn.Linear(4, 4), torch.nn.Linear(4, 2)
    x, y = torch.randn(BATCH, 3), torch.randn(BATCH, 2)
    h = F.gelu(first(x))
    z = layer(h)
    h.retain_grad()
    z.retain_grad()
    loss = (last(F.gelu(z)) - y).square().sum(1).mean()
    optimizer = torch.optim.SGD(layer.parameters(), lr=STEP, **options)
    loss.backward()
    before = layer.weight.detach().clone()
    optimizer.step()
    return dict(W=before, W_next=layer.weight, H=h.T, Gamma=BATCH * z.grad.T, P=BATCH * h.grad.T,
                step=STEP, a=1 / BATCH, b=1.0, c=1 / BATCH)


def equation(stale):
    """Gradients of one layer. If stale, the weights' is the sum over two batches: zero_grad was forgotten."""
    torch.manual_seed(2)
    layer, last = torch.nn.Linear(5, 3), torch.nn.Linear(3, 2)
    for _ in range(2):
        h = torch.randn(BATCH, 5, requires_grad=True)
        z = layer(h)
        z.retain_grad()
        if not stale:
            layer.zero_grad()
        F.cross_entropy(last(torch.tanh(z)), torch.randint(2, (BATCH,))).backward()
    return dict(W=layer.weight, H=h.T, Gamma=z.grad.T, grad_W=layer.weight.grad, grad_H=h.grad.T)


def convolution(mistake=None):
    """One step of SGD of a convolution, and its patches by unfold. A second forward pass, in which the convolution is a
    product with the patches, gives every patch its own gradient."""
    torch.manual_seed(3)
    conv, last = torch.nn.Conv2d(2, 3, 2, bias=False), torch.nn.Linear(12, 2)
    x, y = torch.randn(BATCH, 2, 3, 3, requires_grad=True), torch.randn(BATCH, 2)

    def loss(z, reduction="mean"):
        return F.mse_loss(last(torch.relu(z).flatten(1)), y, reduction=reduction)

    conv_out = conv(x)
    conv_out.retain_grad()
    before = conv.weight.detach().clone().flatten(1)
    optimizer = torch.optim.SGD(conv.parameters(), lr=STEP)
    loss(conv_out).backward()
    patches = F.unfold(x.detach(), 2).requires_grad_()  # BATCH × 8 × 4
    z = before @ patches
    loss(z, "sum" if mistake == "sum" else "mean").backward()
    optimizer.step()

    def columns(t):  # one per site and sample
        return t.transpose(0, 1).flatten(1)

    gamma = conv_out.grad * (y.numel() if mistake == "sum" else 1)
    grads = F.unfold(x.grad, 2) if mistake == "image" else patches.grad
    return dict(W=before, W_next=conv.weight.flatten(1), H=columns(patches), Gamma=columns(gamma.flatten(2)),
                P=columns(grads), step=STEP, a=1.0, b=1.0, c=1.0)


# What the claims certify.
save("residual", **train())
save("equation", **equation(stale=False))
save("convolution", **convolution())

# Mistakes, each in an export that is otherwise right.
step = train()
save("residual-transposed", **{**step, "W": step["W"].T, "W_next": step["W_next"].T})
save("residual-uphill", **train(maximize=True))
save("equation-stale", **equation(stale=True))
save("convolution-sum", **convolution("sum"))  # gradients of the summed loss, weights moved by the mean: a 1/n forgotten
save("convolution-image", **convolution("image"))  # the image's gradient cut into patches: overlaps are counted twice

# What is no instance.
good = equation(stale=False)
save("missing", **{k: v for k, v in good.items() if k != "grad_H"})
save("shape", **{**good, "H": good["H"].T})
save("nan", **{**good, "grad_W": good["grad_W"] * float("nan")})
save("half", **{**good, "W": good["W"].half()})
save("text", **{**good, "W": "weights"})
(out / "cut.npz").write_bytes((out / "equation.npz").read_bytes()[:1000])
