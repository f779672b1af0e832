# Writes instance.npz for: thm certify vcl/residual instance.npz
# Put your arrays or tensors in place of these, for which the claim holds. float32 arrays are held to the
# rounding of float32.
import numpy as np

arrays = {
    # m×n: weights of the layer
    "W": [[1, -0.1],
          [1e-300, 4]],
    # n×B: inputs of the layer, one sample per column
    "H": [[1],
          [2]],
    # m×B: gradients of the per-sample losses in the pre-activations
    "Gamma": [[0.5],
          [-1]],
    # step size
    "step": 0.1,
}
arrays = {k: v.detach().cpu().numpy() if hasattr(v, "detach") else v for k, v in arrays.items()}
np.savez("instance.npz", **arrays)
