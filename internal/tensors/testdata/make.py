"""Writes the fixtures of this folder: python3 make.py DIRECTORY. Needs NumPy; torch*.npz need PyTorch."""

import sys
import warnings
import zipfile
from pathlib import Path

import numpy as np

out = Path(sys.argv[1])
refused = out / "refused"
folder = out / "folder"
for d in (out, refused, folder):
    d.mkdir(parents=True, exist_ok=True)

grid = np.arange(24).reshape(4, 6)
thirds = grid / 3

# What is accepted. The test knows the formulas.
kinds = {
    "f4": grid.astype("f4") / np.float32(3),
    "f8": thirds,
    "f8_big": thirds.astype(">f8"),
    "f4_big": (grid.astype("f4") / np.float32(3)).astype(">f4"),
    "f8_fortran": np.asfortranarray(thirds),
    "f8_fortran_big": np.asfortranarray(thirds).astype(">f8", order="F"),
    "f8_strided": np.repeat(thirds, 2, axis=1)[:, ::2],
    "bool": grid % 3 == 0,
    "bool_fortran": np.asfortranarray(grid % 3 == 0),
    "i8_big": (grid - 7).astype(">i8"),
    "u2_big": grid.astype(">u2"),
}
for size in (1, 2, 4, 8):
    kinds[f"i{size}"] = (grid - 7).astype(f"i{size}")
    kinds[f"u{size}"] = grid.astype(f"u{size}")
np.savez(out / "matrices.npz", **kinds)
np.savez_compressed(out / "matrices_packed.npz", **kinds)

scalars = {
    "zero_d": np.array(0.1),
    "python_float": 0.1,
    "one_by_one": np.array([[0.1]]),
    "length_one": np.array([0.1]),
    "f4": np.float32(0.1),
    "python_int": 9007199254740993,
    "smallest": np.int64(-(2**63)),
    "whole_float": 3.0,
    "python_bool": True,
    "numpy_bool": np.bool_(False),
    "gelu": "gelu",
    "greek": "σ′",
    "greek_big": np.array("σ′").astype(">U2"),
    "bytes": b"gelu",
    "in_a_list": ["gelu"],
    "nothing": "",
    "tiny": 5e-324,
    "minus_zero": -0.0,
}
np.savez(out / "scalars.npz", **scalars)

np.savez(out / "vectors.npz", plain=np.arange(6) / 3, column=np.arange(6).reshape(6, 1) / 3, row=np.arange(6).reshape(1, 6) / 3)

np.save(folder / "W.npy", thirds)
np.save(folder / "H.npy", np.asfortranarray(np.arange(48).reshape(6, 8) / 3))
np.save(folder / "step.npy", 0.1)
for version in (2, 3):
    with open(out / f"version{version}.npy", "wb") as f, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that old readers do not know the version
        np.lib.format.write_array(f, thirds, version=(version, 0))

# What is refused.
with_nan, with_inf = np.asfortranarray(thirds), thirds.astype("f4")
with_nan[2, 3] = np.nan
with_inf[1, 0] = -np.inf
for name, value in {
    "complex": grid + 1j,
    "float16": grid.astype("f2"),
    "longdouble": grid.astype("g"),
    "structured": np.zeros(3, dtype=[("a", "f8"), ("b", "i4")]),
    "dates": np.array(["2024-01-01"], dtype="datetime64[D]"),
    "raw": np.zeros(3, dtype="V2"),
    "cube": np.zeros((2, 3, 4)),
    "empty": np.zeros((0, 6)),
    "strings": np.array(["relu", "gelu"]),
    "nan": with_nan,
    "inf": with_inf,
    "nan_scalar": np.nan,
    "huge_unsigned": np.array([1, 2**64 - 1], dtype="u8"),
    "latin": np.array("é".encode("latin1")),
}.items():
    np.savez(refused / f"{name}.npz", W=value)
np.savez(refused / "pickled.npz", W=np.array([[1.0], [1.0, 2.0]], dtype=object))
np.savez(refused / "nothing.npz")
with warnings.catch_warnings(), zipfile.ZipFile(refused / "twice.npz", "w") as z:
    warnings.simplefilter("ignore")  # about the second W
    for _ in range(2):
        z.writestr("W.npy", (folder / "W.npy").read_bytes())
with zipfile.ZipFile(refused / "text.npz", "w") as z:
    z.writestr("README", "no array")
with zipfile.ZipFile(refused / "lzma.npz", "w", zipfile.ZIP_LZMA) as z:
    z.writestr("W.npy", (folder / "W.npy").read_bytes())

try:
    import torch
except ImportError:
    print("no torch.npz: PyTorch is missing")
    sys.exit()

# One layer z = W h with gradients by autograd, as a user would export it.
torch.manual_seed(0)
layer = torch.nn.Linear(6, 4, bias=False)
h = torch.randn(8, 6, requires_grad=True)
z = layer(h)
(gamma,) = torch.autograd.grad(torch.tanh(z).square().sum(), z)
np.savez(out / "torch.npz", W=layer.weight.detach().numpy(), H=h.detach().T.numpy(), Gamma=gamma.T.numpy(), step=0.1)
double = torch.arange(24, dtype=torch.float64).reshape(4, 6) / 3
np.savez(
    out / "torch_kinds.npz",
    f8=double.numpy(),
    f4=(torch.arange(24, dtype=torch.float32).reshape(4, 6) / 3).numpy(),
    f8_fortran=double.T.contiguous().T.numpy(),
    i8=(torch.arange(24) - 7).reshape(4, 6).numpy(),
    bool=(torch.arange(24) % 3 == 0).reshape(4, 6).numpy(),
    zero_d=torch.tensor(0.5).numpy(),
)
np.savez(refused / "torch_half.npz", W=double.half().numpy())
torch.save({"W": double}, refused / "torch_save.npz")
