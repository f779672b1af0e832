# Writes layer.npz for: thm certify vcl/residual layer.npz
# Put your arrays or tensors in place of the random ones. float32 arrays are held to the rounding of float32.
import numpy as np

rng = np.random.default_rng(0)
m, n, B = 4, 6, 8
arrays = {
    "W": rng.standard_normal((m, n)),  # m×n: weights of the layer
    "H": rng.standard_normal((n, B)),  # n×B: inputs of the layer, one sample per column
    "Gamma": rng.standard_normal((m, B)),  # m×B: gradients of the per-sample losses in the pre-activations
    "step": 0.1,  # step size
}
arrays = {k: v.detach().cpu().numpy() if hasattr(v, "detach") else v for k, v in arrays.items()}
np.savez("layer.npz", **arrays)
