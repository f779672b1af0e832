package kernelkit

import (
	"maps"
	"slices"

	"github.com/thm-suite/thm/internal/list"
)

// gonumRetest is the day until which gonum's known defects are accepted. By then they are looked at again.
const gonumRetest = "2027-06-30"

// Waivers lists the known defects of gonum v0.17.0. Our own kernels have none.
func Waivers() []Waiver {
	return slices.Concat(gonumWaivers("gonum"), gonumWaivers("gonum-single"), gonumFactorWaivers())
}

// gonumWaivers returns the waivers of a kernel that is gonum's BLAS, the same in both precisions; add here.
func gonumWaivers(kernel string) []Waiver {
	known := map[string]string{
		"gemm/NaN and infinities": "skips products with a zero entry of A (of Bᵀ in one case), and so turns 0·NaN " +
			"into 0 for three of four transposes",
		"gemm/alpha zero":          "with alpha = 0 still multiplies by the entries of A, so that NaN and ∞ in A reach C",
		"syrk/NaN and infinities":  "skips products with a zero entry when A is transposed",
		"syr2k/NaN and infinities": "skips products with a zero entry when A and B are transposed",
		"trmm/NaN and infinities":  "skips products with a zero entry",
		"trsm/NaN and infinities":  "skips products with a zero entry",
		"syr/NaN and infinities":   "skips rows where x is zero",
		"syrk/rounding bound": "a lower triangle and a transposed A: multiplies C by beta = 0 and so keeps NaN, " +
			"where it should overwrite",
	}
	if gonumAssembly {
		const reason = "does nothing for a negative incY, and reads outside x for a negative incX"
		known["ger/rounding bound"], known["ger/exact arithmetic"] = reason, reason
	}
	return waive(kernel, known)
}

// gonumFactorWaivers lists the known defects of gonum's rotations and factorisations; add here.
func gonumFactorWaivers() []Waiver {
	const (
		lasr = "left, top, backward: the loop over a rotation is there twice, one in the other, so that every " +
			"rotation is applied once for each column"
		dsterf = "values without vectors of a matrix with entries below 1e-123: Dsterf calls Dlascl with n for the " +
			"leading dimension of a vector and panics"
		empty = "matrices without rows or columns panic: mat has none, by design"
	)
	return waive("gonum", map[string]string{
		"dlasr/exact integers": lasr,
		"dlasr/rounding bound": lasr,
		"dlasr/inverse":        lasr,
		"dlasr/transposition":  lasr,
		"svd/not finite": "returns NaN without an error, panics on NaN from 3×3 on, and with vectors may " +
			"not return (as LAPACK: Reference-LAPACK issue 1409)",
		"svd/empty":                empty,
		"symeigen/near the limits": dsterf,
		"symeigen/scaling":         dsterf,
		"symeigen/not finite": "returns NaN, and for some 2×2 matrices with a NaN finite eigenvalues, without " +
			"an error",
		"symeigen/empty": empty,
	})
}

// waive makes the waivers of a kernel out of a reason for each check, in the order of the names.
func waive(kernel string, reasons map[string]string) []Waiver {
	return list.Map(slices.Sorted(maps.Keys(reasons)), func(check string) Waiver {
		return Waiver{Kernel: kernel, Check: check, Reason: reasons[check], Expires: gonumRetest}
	})
}
