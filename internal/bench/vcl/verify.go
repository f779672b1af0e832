package vcl

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/bench/probe"
	"github.com/thm-suite/thm/internal/doubledouble"
	"github.com/thm-suite/thm/props"
)

// gramRatio holds W₊ᵀW₊ − W_sᵀW_s, for the weights W_s = W − γΓHᵀ, against stableError of the target: one factorisation
// and one rotation.
func gramRatio(p procrustes.Problem, w *mat.Dense) props.Ratio {
	m, n := p.W.Dims()
	if !probe.Shaped(w, m, n) {
		return probe.Wrong
	}
	gamma, h := mat.DenseCopyOf(p.Gamma), mat.DenseCopyOf(p.H)
	sgd := func(x []doubledouble.Sum) []doubledouble.Sum {
		y := probe.Times(p.W, x)
		for i, g := range probe.Times(gamma, probe.TransposeTimes(h, x)) {
			y[i].AddMultiple(-p.Rate, g)
		}
		return y
	}
	back := func(y []doubledouble.Sum) []doubledouble.Sum { // W_sᵀy
		x := probe.TransposeTimes(p.W, y)
		for i, g := range probe.Times(h, probe.TransposeTimes(gamma, y)) {
			x[i].AddMultiple(-p.Rate, g)
		}
		return x
	}
	err := probe.Frobenius(n, "gram", func(x []doubledouble.Sum) []doubledouble.Sum {
		return probe.Difference(probe.TransposeTimes(w, probe.Times(w, x)), back(sgd(x)))
	})
	return props.Within(err, probe.StableError(m, n, 1)*math.Pow(mat.Norm(w, 2), 2))
}

// certificateRatio holds the asymmetry of W₊Wᵀ, which vanishes for the nearest weights, against stableError.
func certificateRatio(p procrustes.Problem, w *mat.Dense) props.Ratio {
	m, n := p.W.Dims()
	if !probe.Shaped(w, m, n) {
		return probe.Wrong
	}
	err := probe.Frobenius(m, "certificate", func(x []doubledouble.Sum) []doubledouble.Sum {
		return probe.Difference(probe.Times(w, probe.TransposeTimes(p.W, x)), probe.Times(p.W, probe.TransposeTimes(w, x)))
	})
	return props.Within(err, probe.StableError(m, n, 1)*mat.Norm(w, 2)*mat.Norm(p.W, 2))
}

// nearly reports that a method leaves a gap to the least distance.
func nearly(method string) bool { return method == "krylov" || method == "rational" }

// StepRatio verifies a method's step by the definition; where the distance is not quite the least, the Gram matrix
// alone.
func StepRatio(method string, p procrustes.Problem, w *mat.Dense) props.Ratio {
	if method == "sgd" || nearly(method) {
		return gramRatio(p, w)
	}
	return props.Worst(gramRatio(p, w), certificateRatio(p, w))
}
