"""Record a training run of PyTorch for `thm certify RUN` and `thm observe RUN`.

    from thm_record import recorder

    with recorder(model, "run", every=100, optimizer=optimizer) as rec:
        for x, y in loader:
            with rec.step():                    # or: rec.step(lambda: loss(model(x), y)), which does all of it
                optimizer.zero_grad()
                loss(model(x), y).backward()
                optimizer.step()

Every layer that maps linearly by a parameter is recorded: Linear, Conv2d through its patches, the projections of
attention. A layer that is used several times, by shared weights or by accumulated gradients, has the samples of all
uses side by side. What is left out is named in the index, with the reason. The format is `thm schema thm.recording/v1`.
"""

import concurrent.futures
import contextlib
import json
import os
import sys

import numpy as np
import torch
import torch.nn.functional as F

SCHEMA = "thm.recording/v1"


class recorder:
    """Records steps 0, every, 2·every, … of the training of a model into a new folder.

    A step with more than `samples` columns in a layer (samples times positions) leaves that layer out, and recording
    ends before the folder holds more than `gigabytes`.
    """

    def __init__(self, model, folder, every=100, *, optimizer, samples=1 << 17, gigabytes=4.0, quiet=False):
        if os.path.exists(os.path.join(folder, "index.json")):
            raise FileExistsError(f"{folder} holds a recording: name another folder, or remove it")
        os.makedirs(folder, exist_ok=True)
        self.folder, self.every, self.optimizer = str(folder), int(every), optimizer
        self.samples, self.limit, self.bytes = samples, gigabytes * 1e9, 0
        self.count, self.full, self.previous = 0, False, {}
        self.names = {}
        for name, p in model.named_parameters():
            self.names.setdefault(id(p), (name, p))
        self.left_out, self.seen = {}, set()
        for name, p in self.names.values():
            if p.dim() < 2:
                self.left_out[name] = "a vector, such as a bias or a scale"
        self.records, self.writer, self.pending = [], concurrent.futures.ThreadPoolExecutor(1), []
        layers = [p for _, p in self.names.values() if p.dim() >= 2 and p.requires_grad]
        size = 5 * sum(p.numel() * p.element_size() for p in layers) / 1e6
        if not quiet:
            print(f"thm_record: every step of {every} into {folder}: {len(layers)} weights, {size:.3g} MB a step and the "
                  f"samples; at most {samples} samples a layer and {gigabytes:g} GB", file=sys.stderr)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._write_index()
        self._wait()

    def _wait(self):
        """Waits for the files of the recorded step before, which are written while training goes on."""
        for done in self.pending:
            done.result()
        self.pending.clear()

    def _later(self, path, write):
        self.pending.append(self.writer.submit(_replace, os.path.join(self.folder, path), write))

    def step(self, closure=None):
        """Takes one step: of the closure, which returns the loss, or as a context that the caller's own loop fills."""
        if closure is None:
            return self._context()
        with self._context() as recording:
            self.optimizer.zero_grad()
            loss = closure()
            if recording is not None:
                recording.ask(loss)
            loss.backward()
            self.optimizer.step()
        return loss

    @contextlib.contextmanager
    def _context(self):
        number, self.count = self.count, self.count + 1
        if self.full or number % self.every:
            if not self.full and (number + 1) % self.every == 0:
                self._keep()
            yield None
            return
        recording = _Step(self, number)
        with recording:
            yield recording
        recording.save()
        if self.every == 1:
            self.previous = recording.weights

    def _keep(self):
        """Keeps the weights of the step before a recorded one: with them, a hidden momentum shows."""
        self.previous = {i: p.detach().clone() for i, (_, p) in self.names.items() if p.dim() >= 2}

    def _write_index(self):
        for name, p in self.names.values():
            if p.dim() >= 2 and name not in self.seen and self.records:
                self.left_out.setdefault(name, "no linear map or convolution was seen to use it")
        index = {
            "schema": SCHEMA, "writer": f"thm_record.py with torch {torch.__version__}", "every": self.every,
            "samples": self.samples, "bytes": int(self.limit), "steps": self.count,
            "left_out": [{"name": n, "why": w} for n, w in sorted(self.left_out.items())], "records": self.records,
        }
        text = json.dumps(index, indent=1).encode()
        self._later("index.json", lambda f: f.write(text))


class _Use:
    """One use of a weight in one forward pass."""

    def __init__(self, weight, rows, x, conv):
        self.weight, self.rows, self.x, self.conv = weight, rows, x.detach().clone(), conv
        self.gamma = self.grad_x = None
        self.cast = torch.get_autocast_gpu_dtype() if torch.is_autocast_enabled() else (
            torch.get_autocast_cpu_dtype() if torch.is_autocast_cpu_enabled() else None)

    def add_gamma(self, g):
        self.gamma = g.detach().clone() if self.gamma is None else self.gamma + g

    def add_grad(self, g):
        self.grad_x = g.detach().clone() if self.grad_x is None else self.grad_x + g


class _Step:
    """One recorded step: sees every linear map and convolution by a parameter, the backward pass and the update."""

    def __init__(self, rec, number):
        self.rec, self.number, self.uses, self.tied, self.loss, self.updates = rec, number, [], set(), {}, 0
        self.weights = {i: p.detach().clone() for i, (_, p) in rec.names.items() if p.dim() >= 2}
        self.before = {i: p.grad.detach().clone() for i, (_, p) in rec.names.items()
                       if p.dim() >= 2 and p.grad is not None}
        self.momentum = {i: s.detach().clone() for i, s in
                         ((i, rec.optimizer.state.get(p, {}).get("momentum_buffer")) for i, (_, p) in rec.names.items())
                         if s is not None}

    def __enter__(self):
        """Stands in for what maps linearly, wherever modules and functions of torch look it up."""
        self.replaced = []
        for owner, name, by in ((F, "linear", self._linear), (F, "conv2d", self._conv), (F, "embedding", self._embedding),
                                (torch.Tensor, "backward", self._backward()), (self.rec.optimizer, "step", self._update)):
            self.replaced.append((owner, name, getattr(owner, name), name in vars(owner)))
            setattr(owner, name, by)
        self.linear, self.conv2d, self.embedding, _, self.stepper = (r[2] for r in self.replaced)
        return self

    def __exit__(self, *_):
        for owner, name, by, own in self.replaced:
            if own:
                setattr(owner, name, by)
            else:
                delattr(owner, name)

    def _backward(self):
        backward = torch.Tensor.backward

        def ask(loss, *args, **kwargs):
            self.ask(loss)
            return backward(loss, *args, **kwargs)
        return ask

    def _update(self, *args, **kwargs):
        self.updates += 1
        if self.updates > 1:
            raise RuntimeError("thm_record: two optimiser steps in one rec.step(): give each its own")
        names = self.rec.names.items()
        self.grads = {i: p.grad.detach().clone() for i, (_, p) in names if p.dim() >= 2 and p.grad is not None}
        self.settings = {}
        for group in self.rec.optimizer.param_groups:
            settings = {k: _plain(v) for k, v in group.items() if k != "params" and _plain(v) is not None}
            for p in group["params"]:
                self.settings[id(p)] = settings
        out = self.stepper(*args, **kwargs)
        self.next = {i: p.detach().clone() for i, (_, p) in names if p.dim() >= 2}
        return out

    def _embedding(self, input, weight, *args, **kwargs):
        if id(weight) in self.rec.names:
            self.tied.add(id(weight))
            self.rec.left_out[self.rec.names[id(weight)][0]] = "an embedding, which picks rows"
        return self.embedding(input, weight, *args, **kwargs)

    def _find(self, weight):
        """The parameter that a weight is, or whose rows it is."""
        if id(weight) in self.rec.names:
            return id(weight), None
        base = getattr(weight, "_base", None)
        if base is not None and id(base) in self.rec.names and base.dim() == 2 and weight.dim() == 2 \
                and weight.is_contiguous() and weight.shape[1] == base.shape[1]:
            start = weight.storage_offset() // base.shape[1]
            return id(base), slice(start, start + weight.shape[0])
        return None, None

    def _through(self, weight, x, conv, call):
        """Calls the map on a view of its input, so that the gradient in the input is that of this use alone."""
        found, rows = self._find(weight)
        if found is None or not torch.is_grad_enabled() or not weight.requires_grad:
            return call(x)
        if x.requires_grad:
            x = x.view_as(x)
        use = _Use(found, rows, x, conv)
        if x.requires_grad:
            x.register_hook(use.add_grad)
        z = call(x)
        z.register_hook(use.add_gamma)
        self.uses.append(use)
        return z.clone()  # an activation in place must not reach z

    def _linear(self, input, weight, bias=None):
        return self._through(weight, input, None, lambda x: self.linear(x, weight, bias))

    def _conv(self, input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        call = lambda x: self.conv2d(x, weight, bias, stride, padding, dilation, groups)
        if groups != 1 or isinstance(padding, str):
            if id(weight) in self.rec.names:
                self.rec.left_out[self.rec.names[id(weight)][0]] = "a convolution in groups, or with padding by name"
            return call(input)
        pair = lambda v: [int(v)] * 2 if not isinstance(v, (tuple, list)) else [int(u) for u in v]
        conv = {"kernel": list(weight.shape[2:]), "stride": pair(stride), "padding": pair(padding),
                "dilation": pair(dilation), "image": list(input.shape)}
        return self._through(weight, input, conv, call)

    def ask(self, loss):
        """Asks the gradient of the loss whether it is a mean or a sum, and over how many samples."""
        if self.loss or loss.dim():
            return
        self.loss = {"loss": float(loss.detach())}
        reduction, node, seen = None, loss.grad_fn, 0
        while node is not None and reduction is None and seen < 16:
            name, seen = node.name(), seen + 1
            if name.startswith("NllLoss"):
                z = node._saved_self
                reduction, batch = node._saved_reduction, z.numel() // z.shape[1]
            elif hasattr(node, "_saved_reduction"):
                reduction, batch = node._saved_reduction, node._saved_self.shape[0]
            elif name.startswith(("MeanBackward", "SumBackward")):
                sizes = getattr(node, "_saved_self_sizes", getattr(node, "_saved_self_sym_sizes", None))
                reduction, batch = 1 if name.startswith("Mean") else 2, sizes[0] if sizes else 1
            node = node.next_functions[0][0] if node.next_functions else None
        if reduction in (1, 2):
            self.loss.update(reduction="mean" if reduction == 1 else "sum", batch=int(batch))

    def save(self):
        if not self.updates:
            raise RuntimeError("thm_record: a recorded step without a step of the optimizer that the recorder was given")
        rec, together = self.rec, {}
        rec._wait()
        for use in self.uses:
            if use.gamma is None:
                continue
            rows = (use.rows.start, use.rows.stop) if use.rows else None
            together.setdefault((use.weight, rows), []).append(use)
        for (i, rows), uses in together.items():
            name, p = rec.names[i]
            label = name.removesuffix(".weight") + (f"[{rows[0]}:{rows[1]}]" if rows else "")
            if i in self.tied:
                rec.left_out[name] = "tied to an embedding, which adds to its gradient"
                continue
            if i not in self.grads:
                rec.left_out[name] = "it had no gradient when the optimizer stepped"
                continue
            if i not in self.settings:
                rec.left_out[name] = "the optimizer does not move it"
                continue
            flat = [_flat(u) for u in uses]
            columns = sum(f["H"].shape[1] for f in flat)
            if columns > rec.samples:
                rec.left_out[name] = f"{columns} samples in step {self.number}, more than {rec.samples}"
                continue
            arrays = {k: torch.cat([f[k] for f in flat], 1) for k in ("H", "Gamma")}
            if all("P" in f for f in flat):
                arrays["P"] = torch.cat([f["P"] for f in flat], 1)
            if len(flat) == 1 and "X_grad" in flat[0]:
                arrays["X_grad"] = flat[0]["X_grad"]
            part = slice(*rows) if rows else slice(None)
            matrix = lambda t: t.reshape(t.shape[0], -1)[part]
            arrays.update(W=matrix(self.weights[i]), W_next=matrix(self.next[i]), G=matrix(self.grads[i]))
            extra = {k: matrix(d[i]) for k, d in (("G_before", self.before), ("W_before", rec.previous),
                                                 ("momentum", self.momentum)) if i in d}
            cast = uses[0].cast
            tf32 = p.is_cuda and torch.backends.cuda.matmul.allow_tf32
            self._save(label, arrays, extra, uses, optimizer=type(rec.optimizer).__name__, settings=self.settings[i],
                       dtype=_dtype(p.dtype), device=p.device.type,
                       products=_dtype(cast) if cast else "tf32" if tf32 else _dtype(p.dtype))
            rec.seen.add(name)
        rec._write_index()

    def _save(self, label, arrays, extra, uses, **about):
        rec, stem = self.rec, f"{self.number:06d}-{len([r for r in self.rec.records if r['step'] == self.number]):03d}"
        record = {"layer": label, "step": self.number, "kind": "conv2d" if uses[0].conv else "linear", "uses": len(uses),
                  "file": stem + ".npz", "rate": float(about["settings"].get("lr", 0)), **self.loss, **about}
        if uses[0].conv:
            record["conv"] = uses[0].conv
        size = sum(a.numel() * a.element_size() for d in (arrays, extra) for a in d.values())
        if rec.bytes + size > rec.limit:
            rec.full = True
            rec.left_out[f"steps from {self.number} on"] = "the folder would hold more than its limit of bytes"
            return
        rec.bytes += size
        tags = {}
        for name, content in ((record["file"], arrays), (stem + ".before.npz", extra)):
            content = {k: _numpy(v, k, tags) for k, v in content.items()}
            if content:
                rec._later(name, lambda f, content=content: np.savez(f, **content))
        if extra:
            record["before"] = stem + ".before.npz"
        if tags:
            record["tags"] = tags
        rec.records.append(record)


def _flat(use):
    """A use as matrices whose columns are samples, or samples and positions of a convolution."""
    x, g = use.x, use.gamma
    if use.conv is None:
        out = {"H": x.reshape(-1, x.shape[-1]).t(), "Gamma": g.reshape(-1, g.shape[-1]).t()}
        if use.grad_x is not None:
            out["P"] = use.grad_x.reshape(-1, x.shape[-1]).t()
        return out
    c, wide = use.conv, x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
    patches = F.unfold(wide, c["kernel"], c["dilation"], c["padding"], c["stride"]).to(x.dtype)
    out = {"H": patches.permute(1, 0, 2).reshape(patches.shape[1], -1),
           "Gamma": g.permute(1, 0, 2, 3).reshape(g.shape[1], -1)}
    if use.grad_x is not None:
        out["X_grad"] = use.grad_x.reshape(x.shape[0] * x.shape[1], -1)
    return out


def _numpy(t, name, tags):
    t = t.detach().cpu()
    if t.dtype in (torch.float16, torch.bfloat16):
        tags[name] = _dtype(t.dtype)
        return t.contiguous().view(torch.int16).numpy().view(np.uint16)
    return t.numpy()


def _dtype(d):
    return str(d).removeprefix("torch.")


def _plain(v):
    """A setting of an optimizer as JSON holds it; None for one that it does not."""
    if isinstance(v, torch.Tensor):
        return float(v) if v.numel() == 1 else None
    if isinstance(v, (tuple, list)):
        return [float(u) for u in v] if all(isinstance(u, (int, float)) for u in v) else None
    return v if isinstance(v, (bool, int, float, str)) else None


def _replace(path, write):
    with open(path + ".part", "wb") as f:
        write(f)
    os.replace(path + ".part", path)
