package bench

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/props"
)

// gramRatio holds W₊ᵀW₊ − W_sᵀW_s, for the weights W_s = W − γΓHᵀ, against stableError of the target: one factorisation
// and one rotation.
func gramRatio(p procrustes.Problem, w *mat.Dense) props.Ratio {
	m, n := p.W.Dims()
	if !shaped(w, m, n) {
		return wrong
	}
	gamma, h := mat.DenseCopyOf(p.Gamma), mat.DenseCopyOf(p.H)
	sgd := func(x []twofold) []twofold {
		y := times(p.W, x)
		for i, g := range times(gamma, transposeTimes(h, x)) {
			y[i] = y[i].plus(-p.Rate, g)
		}
		return y
	}
	back := func(y []twofold) []twofold { // W_sᵀy
		x := transposeTimes(p.W, y)
		for i, g := range times(h, transposeTimes(gamma, y)) {
			x[i] = x[i].plus(-p.Rate, g)
		}
		return x
	}
	err := frobenius(n, "gram", func(x []twofold) []twofold {
		return difference(transposeTimes(w, times(w, x)), back(sgd(x)))
	})
	return props.Within(err, stableError(m, n, 1)*math.Pow(mat.Norm(w, 2), 2))
}

// certificateRatio holds the asymmetry of W₊Wᵀ, which vanishes for the nearest weights, against stableError.
func certificateRatio(p procrustes.Problem, w *mat.Dense) props.Ratio {
	m, n := p.W.Dims()
	if !shaped(w, m, n) {
		return wrong
	}
	err := frobenius(m, "certificate", func(x []twofold) []twofold {
		return difference(times(w, transposeTimes(p.W, x)), times(p.W, transposeTimes(w, x)))
	})
	return props.Within(err, stableError(m, n, 1)*mat.Norm(w, 2)*mat.Norm(p.W, 2))
}

// nearly reports that a method leaves a gap to the least distance.
func nearly(method string) bool { return method == "krylov" || method == "rational" }

// StepRatio verifies a method's step by the definition; where the distance is not quite the least, the Gram matrix alone.
func StepRatio(method string, p procrustes.Problem, w *mat.Dense) props.Ratio {
	if method == "sgd" || nearly(method) {
		return gramRatio(p, w)
	}
	return props.Worst(gramRatio(p, w), certificateRatio(p, w))
}
