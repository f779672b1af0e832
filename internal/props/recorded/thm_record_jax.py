"""A recording of a network in JAX or NumPy: 20 lines. Untried where jax is not installed; the NumPy part is tried.

    layers[k] = dict(W=…, W_next=…, G=…, H=…, Gamma=…, P=…)   # what they are: thm schema thm.recording/v1
    write("run", step, layers, rate=0.1, loss=loss, reduction="mean", batch=64)
"""
import json
import os

import numpy as np


def write(folder, step, layers, rate, optimizer="SGD", **about):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "index.json")
    index = json.load(open(path)) if os.path.exists(path) else {"schema": "thm.recording/v1", "records": []}
    for k, (name, arrays) in enumerate(layers.items()):
        arrays = {key: np.asarray(a) for key, a in arrays.items()}
        file = f"{step:06d}-{k:03d}.npz"
        np.savez(os.path.join(folder, file), **arrays)
        index["records"].append(dict(layer=name, step=step, kind="linear", file=file, rate=float(rate),
                                     optimizer=optimizer, dtype=str(arrays["W"].dtype), **about))
    json.dump(index, open(path, "w"))


def gradients(loss, weights, inputs, activations):
    """H, Gamma, P and G of a chain of layers z = W h: derivatives in W, and in offsets of z and h that are zero."""
    import jax
    zeros = [(np.zeros((w.shape[0], inputs.shape[1]), inputs.dtype), np.zeros((w.shape[1], inputs.shape[1]), inputs.dtype))
             for w in weights]
    def network(weights, offsets):
        h, hidden = inputs, []
        for w, (z, x), activation in zip(weights, offsets, activations):
            hidden.append(h)
            h = activation(w @ (h + x) + z)
        return loss(h), hidden
    (_, hidden), (G, offsets) = jax.value_and_grad(network, argnums=(0, 1), has_aux=True)(weights, zeros)
    return [dict(W=w, G=g, H=h, Gamma=z, P=x) for w, g, h, (z, x) in zip(weights, G, hidden, offsets)]
