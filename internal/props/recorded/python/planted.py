"""Mistakes planted in a training loop or in its recorder, and correct runs at twenty seeds: what thm certify says.

    python3 internal/props/recorded/python/planted.py thm [DIR]    # thm is the command; DIR is where runs are kept

Prints a table in Markdown, and fails unless every mistake is refused, at least 18 are named, and no correct run is refused.
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import thm_record

WIDTH, BATCH, STEPS, EVERY = 48, 32, 6, 2


def sgd(update):
    """An optimizer that says it is SGD and steps by update(p, gradient, step size, state)."""
    class SGD(torch.optim.SGD):
        @torch.no_grad()
        def step(self, closure=None):
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        update(p, p.grad, group["lr"], self.own.setdefault(id(p), {}))
    SGD.own = {}
    return lambda params: SGD(params, lr=0.1)


def momentum(p, g, rate, state):
    state["v"] = 0.9 * state.get("v", 0) + g
    p.sub_(rate * state["v"])


def adam(p, g, rate, state):
    state["m"] = 0.9 * state.get("m", 0) + 0.1 * g
    state["v"] = 0.999 * state.get("v", 0) + 0.001 * g * g
    state["t"] = state.get("t", 0) + 1
    m, v = state["m"] / (1 - 0.9 ** state["t"]), state["v"] / (1 - 0.999 ** state["t"])
    p.sub_(rate * m / (v.sqrt() + 1e-8))


def stale_step(p, g, rate, state):
    p.sub_(rate * state.get("g", g))
    state["g"] = g.clone()


def transposed(p, g, rate, state):
    p.sub_(rate * (g.t() if p.dim() == 2 and p.shape[0] == p.shape[1] else g))


class WrongBack(torch.autograd.Function):
    """A linear map whose backward pass multiplies by the weight where it should by its transpose."""

    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        return x @ weight.t() + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        wrong = weight.t() if weight.shape[0] == weight.shape[1] else weight
        return g @ wrong, g.t() @ x, g.sum(0)


def edit(**changes):
    """A recorder that writes something else: by array, a function of all arrays of a layer."""
    def planted(arrays):
        return {**arrays, **{k: f(arrays) for k, f in changes.items() if k in arrays}}
    return planted


MISTAKES = {  # name: (what is planted, what the diagnosis says)
    "gradient times B": (dict(grad=lambda p: p.grad * BATCH), "gradient without 1/B"),
    "gradient divided by B again": (dict(grad=lambda p: p.grad / BATCH), "1/B taken twice"),
    "gradients never set to zero": (dict(zero=False), "stale gradient"),
    "the step uses the gradient of the step before": (dict(optimizer=sgd(stale_step)), "stale gradient"),
    "step uphill": (dict(optimizer=sgd(lambda p, g, r, s: p.add_(r * g))), "uphill"),
    "loss of the opposite sign in the gradient": (dict(grad=lambda p: -p.grad), "opposite sign"),
    "momentum that the optimizer does not mention": (dict(optimizer=sgd(momentum)), "momentum"),
    "weight decay that the optimizer does not mention":
        (dict(optimizer=sgd(lambda p, g, r, s: p.sub_(r * (g + 0.01 * p)))), "weight decay in the step"),
    "penalty on the weights in the loss": (dict(penalty=0.01), "weight decay in the gradient"),
    "gradient clipped to norm 0.1": (dict(grad=lambda p: p.grad * min(1, 0.1 / float(p.grad.norm()))), "clipped"),
    "step twice as long": (dict(optimizer=sgd(lambda p, g, r, s: p.sub_(2 * r * g))), "times as long"),
    "no step": (dict(optimizer=sgd(lambda p, g, r, s: None)), "no step"),
    "step by the sign of the gradient": (dict(optimizer=sgd(lambda p, g, r, s: p.sub_(r * g.sign()))), "sign of the gradient"),
    "Adam under the name SGD": (dict(optimizer=sgd(adam)), "Adam"),
    "gradient transposed in the step": (dict(optimizer=sgd(transposed)), "transposed gradient"),
    "transposed weight in the backward pass": (dict(backward=WrongBack), "transposed weight"),
    "gradient rounded to bfloat16 on its way": (dict(grad=lambda p: p.grad.bfloat16().float()), "rounded to bfloat16"),
    "recorder: weights after the step as those before":
        (dict(edit=edit(W=lambda a: a["W_next"])), "weights after the step"),
    "gradient by centred hidden states":
        (dict(edit=edit(G=lambda a: a["Gamma"] @ (a["H"] - a["H"].mean(1, keepdims=True)).T)), "centred hidden states"),
    "recorder: inputs shifted by one sample": (dict(edit=edit(H=lambda a: np.roll(a["H"], 1, 1))), "different samples"),
    "gradient of half of the batch":
        (dict(edit=edit(G=lambda a: 2 * a["Gamma"][:, :BATCH // 2] @ a["H"][:, :BATCH // 2].T)), "half of the batch"),
    "noise in the gradient": (dict(grad=lambda p: p.grad + 1e-3 * torch.randn_like(p)), None),
}


def train(folder, seed, grad=None, optimizer=None, zero=True, penalty=0.0, backward=None, edit=None, dtype=torch.float32):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Linear(20, WIDTH), nn.Tanh(), nn.Linear(WIDTH, WIDTH), nn.Tanh(), nn.Linear(WIDTH, 10)).to(dtype)
    teacher = torch.randn(10, 20, dtype=dtype)
    opt = optimizer(net.parameters()) if optimizer else torch.optim.SGD(net.parameters(), lr=0.1)
    opt.own = {}
    linear = F.linear
    if backward:
        F.linear = lambda x, w, b=None: backward.apply(x, w, b)
    save = thm_record.np.savez
    if edit:
        thm_record.np.savez = lambda f, **a: save(f, **edit(a))
    try:
        with thm_record.recorder(net, folder, every=EVERY, optimizer=opt, quiet=True) as rec:
            for _ in range(STEPS):
                x = torch.randn(BATCH, 20, dtype=dtype) + 0.5
                y = (x @ teacher.t()).argmax(1)
                with rec.step():
                    if zero:
                        opt.zero_grad()
                    loss = F.cross_entropy(net(x), y)
                    if penalty:
                        loss = loss + penalty / 2 * sum((p ** 2).sum() for p in net.parameters() if p.dim() == 2)
                    loss.backward()
                    if grad:
                        for p in net.parameters():
                            if p.dim() == 2:
                                p.grad = grad(p)
                    opt.step()
    finally:
        F.linear, thm_record.np.savez = linear, save


def certify(thm, folder):
    out = subprocess.run([thm, "certify", folder, "--json"], capture_output=True, text=True)
    if out.returncode not in (0, 1, 3):
        raise SystemExit(out.stderr)
    found = json.loads(out.stdout)
    red = [k for c in found["cells"] for k in c["criteria"] if k["verdict"] == "refuted"]
    named = [k["agrees"] for k in red if k.get("agrees")]
    return found["verdict"], named[0] if named else "", named


def main(thm, where):
    refused = named = 0
    print("| planted | verdict | your numbers agree with |\n| --- | --- | --- |")
    for i, (name, (how, wanted)) in enumerate(MISTAKES.items()):
        folder = os.path.join(where, f"mistake-{i:02d}")
        train(folder, i, **how)
        verdict, says, all_said = certify(thm, folder)
        refused += verdict == "refuted"
        right = wanted is not None and any(wanted in s for s in all_said)
        named += right
        says = next((s for s in all_said if right and wanted in s), says)
        print(f"| {name} | {verdict} | {says or '–'}{'' if right or wanted is None else ' (wanted: ' + wanted + ')'} |")
    wrongly = 0
    for seed in range(20):
        for dtype in (torch.float32, torch.float64):
            folder = os.path.join(where, f"right-{seed:02d}-{str(dtype)[-2:]}")
            train(folder, seed, dtype=dtype)
            verdict, says, all_said = certify(thm, folder)
            if verdict != "holds" or all_said:
                wrongly += 1
                print(f"seed {seed}, {dtype}: {verdict} {says}")
    print(f"\n{refused} of {len(MISTAKES)} mistakes refused, {named} named; {wrongly} of 40 correct runs not green")
    return refused == len(MISTAKES) and named >= 18 and wrongly == 0


if __name__ == "__main__":
    if len(sys.argv) > 2:
        raise SystemExit(not main(sys.argv[1], sys.argv[2]))
    with tempfile.TemporaryDirectory() as where:
        raise SystemExit(not main(sys.argv[1], where))
