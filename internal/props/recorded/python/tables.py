"""Training runs as people have them, recorded and certified: the tables of doc/recorded.md.

    python3 internal/props/recorded/python/tables.py thm MNIST [DIR]   # MNIST is the folder that thm data list names
    python3 internal/props/recorded/python/tables.py thm MNIST --seeds      # 20 correct runs of two networks in float32
    python3 internal/props/recorded/python/tables.py thm MNIST --overhead   # what recording every 100th step costs

An MLP and a LeNet on MNIST and a transformer of two blocks on copying, in float32 and float64, by SGD and Adam: 200
steps, of which every tenth is recorded. Prints the tables in Markdown; fails if a correct run is refused.
"""

import contextlib
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import thm_record

torch.set_num_threads(1)
STEPS, BATCH = 200, 64


def idx(folder, name):
    path = next(os.path.join(folder, f) for f in sorted(os.listdir(folder)) if f.startswith(name))
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
        data = f.read()
    sizes = np.frombuffer(data, ">i4", data[3], 4)
    return torch.tensor(np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(sizes).copy())


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        n = x.shape[1]
        causal = torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1)
        h = self.first(x)
        x = x + self.attention(h, h, h, attn_mask=causal, need_weights=False)[0]
        return x + self.down(F.gelu(self.up(self.second(x))))


class Copying(nn.Module):
    """Reads a word and its length of blanks, and writes the word into the blanks."""

    def __init__(self, letters=16, width=64, length=16):
        super().__init__()
        self.letters, self.places = nn.Embedding(letters + 1, width), nn.Embedding(length, width)
        self.blocks = nn.Sequential(Block(width, 4), Block(width, 4))
        self.read = nn.Linear(width, letters)

    def forward(self, x):
        return self.read(self.blocks(self.letters(x) + self.places.weight[: x.shape[1]])).flatten(0, 1)


def tasks(mnist):
    images, labels = idx(mnist, "train-images"), idx(mnist, "train-labels").long()
    pick = torch.Generator().manual_seed(1)

    def digits(dtype, shape):
        at = torch.randint(len(images), (BATCH,), generator=pick)
        return (images[at].to(dtype) / 255 - 0.1307).reshape(BATCH, *shape) / 0.3081, labels[at]

    def words(dtype, _):
        word = torch.randint(16, (BATCH, 8), generator=pick)
        return torch.cat([word, torch.full_like(word, 16)], 1), torch.cat([word, word], 1).flatten()

    return {
        "MLP": (lambda: nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10)),
                digits, (784,)),
        "LeNet": (lambda: nn.Sequential(nn.Conv2d(1, 6, 5, padding=2), nn.Tanh(), nn.AvgPool2d(2), nn.Conv2d(6, 16, 5),
                                        nn.Tanh(), nn.AvgPool2d(2), nn.Flatten(), nn.Linear(400, 120), nn.Tanh(),
                                        nn.Linear(120, 84), nn.Tanh(), nn.Linear(84, 10)), digits, (1, 28, 28)),
        "transformer": (Copying, words, None),
    }


OPTIMIZERS = {"SGD": lambda p: torch.optim.SGD(p, lr=0.05), "Adam": lambda p: torch.optim.Adam(p, lr=1e-3)}


def train(build, draw, shape, dtype, optimizer, folder=None, every=10, steps=STEPS, seed=0):
    """The losses, and the seconds of the loop, with what a recorder does before and after it."""
    torch.manual_seed(seed)
    net, start = build().to(dtype), time.perf_counter()
    opt, losses = optimizer(net.parameters()), []
    with contextlib.ExitStack() as stack:
        rec = folder and stack.enter_context(thm_record.recorder(net, folder, every=every, optimizer=opt, quiet=True))
        for _ in range(steps):
            x, y = draw(dtype, shape)
            with rec.step() if rec else contextlib.nullcontext():
                opt.zero_grad()
                loss = F.cross_entropy(net(x), y)
                loss.backward()
                opt.step()
            losses.append(float(loss.detach()))
    return losses, time.perf_counter() - start


def certify(thm, folder):
    out = subprocess.run([thm, "certify", folder, "--json"], capture_output=True, text=True)
    if out.returncode not in (0, 1, 3):
        raise SystemExit(out.stderr)
    return json.loads(out.stdout)


def seeds(thm, mnist, where):
    """Short runs at 20 seeds, of which none may be refused."""
    print("| network | dtype | runs | hold | undecided | refused |\n| --- | --- | ---: | ---: | ---: | ---: |")
    refused = 0
    for name in ("LeNet", "transformer"):
        verdicts = []
        for seed in range(20):
            folder = os.path.join(where, f"{name}-{seed}")
            train(*tasks(mnist)[name], torch.float32, OPTIMIZERS["SGD"], folder, steps=21, seed=seed)
            verdicts.append(certify(thm, folder)["verdict"])
        counts = [verdicts.count(v) for v in ("holds", "undecided", "refuted")]
        refused += counts[2]
        print(f"| {name} | float32 | {len(verdicts)} | " + " | ".join(map(str, counts)) + " |", flush=True)
    return not refused


PAIRS = 12  # the 3rd and the 10th of 12 ratios enclose their median with a probability of 96 %


def overhead(mnist, where):
    """Pairs of the same 200 steps, recorded and not, in alternating order; of their times the median ratio."""
    print("| network | seconds | overhead | 96 % interval |\n| --- | ---: | ---: | ---: |")
    for name in tasks(mnist):
        ratios, plain = [], []
        for pair in range(-1, PAIRS):  # the first warms up
            seconds, losses = {}, {}
            for recorded in (pair % 2 == 0, pair % 2 != 0):
                folder = os.path.join(where, f"{name}-{pair}") if recorded else None
                losses[recorded], seconds[recorded] = train(*tasks(mnist)[name], torch.float32, OPTIMIZERS["SGD"], folder,
                                                            every=100)
            if losses[True] != losses[False]:
                raise SystemExit(f"{name}: recording changes the training")
            if pair >= 0:
                ratios.append(seconds[True] / seconds[False] - 1)
                plain.append(seconds[False])
        ratios.sort()
        print(f"| {name} | {np.median(plain):.2f} | {np.median(ratios):.1%} | {ratios[2]:.1%} to {ratios[9]:.1%} |",
              flush=True)
    return True


def main(thm, mnist, where):
    print("| network | dtype | optimizer | loss, first and last | layers | claim | verdict | coarsest resolution |\n"
          "| --- | --- | --- | ---: | ---: | --- | --- | ---: |")
    refused = False
    for name, (build, draw, shape) in tasks(mnist).items():
        for dtype in (torch.float32, torch.float64):
            for optimizer in OPTIMIZERS:
                folder = os.path.join(where, f"{name}-{str(dtype)[6:]}-{optimizer}")
                losses, _ = train(build, draw, shape, dtype, OPTIMIZERS[optimizer], folder)
                found = certify(thm, folder)
                for claim in found["claims"]:
                    cells = [c for c in found["cells"] if c["claim"] == claim and c["verdict"] != "not applicable"]
                    if not cells:
                        continue
                    verdicts = {c["verdict"] for c in cells}
                    refused |= "refuted" in verdicts
                    notices = max(float(k["notices"]) for c in cells for k in c["criteria"])
                    print(f"| {name} | {str(dtype)[6:]} | {optimizer} | {losses[0]:.2f}, {losses[-1]:.2f} | "
                          f"{len(found['layers'])} | `{claim}` | {' and '.join(sorted(verdicts))} | {notices:.1e} |")
    return not refused


if __name__ == "__main__":
    thm, mnist, *rest = sys.argv[1:]
    with tempfile.TemporaryDirectory() as where:
        if rest == ["--seeds"]:
            raise SystemExit(not seeds(thm, mnist, where))
        if rest == ["--overhead"]:
            raise SystemExit(not overhead(mnist, where))
        raise SystemExit(not main(thm, mnist, *rest or [where]))
