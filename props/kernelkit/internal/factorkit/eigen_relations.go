package factorkit

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/gallery"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// eigenRelations are the checks that compare the eigenvalues of two matrices without knowing either.
func eigenRelations(check checker) []kit.Check {
	const bound = " Both sides may err by n·ulp·‖A‖₁, times Kernel.TestRatio."
	return []kit.Check{
		check("negation", "The eigenvalues of −A are those of A, negated and in reverse."+bound, eigenNegation),
		check("scaling", "Multiplying A by a power of two multiplies its eigenvalues, also where squares overflow or "+
			"vanish."+bound,
			eigenScaling),
		check("permutation", "Permuting rows and columns alike and changing their signs alike leaves the "+
			"eigenvalues."+bound,
			eigenPermutation),
		check("orthogonal invariance", "A reflection from both sides, with entries computed in double-double, leaves "+
			"the eigenvalues. Rounding them moves a value by another ulp·‖A‖_F."+bound, eigenReflection),
		check("interlacing", "Without its last row and column the matrix has eigenvalues that lie between those of A "+
			"(Cauchy)."+bound,
			eigenInterlacing),
	}
}

func eigenNegation(k subject, _ *props.Trial, x gallery.Instance) finding {
	var b mat.Dense
	b.Scale(-1, x.A)
	negated := func(a *mat.Dense) []float64 {
		w := k.eigenvalues(a)
		slices.Reverse(w)
		floats.Scale(-1, w)
		return w
	}
	return k.compare(k.eigenvalues, negated, x.A, &b, 0, 0)
}

func eigenScaling(k subject, t *props.Trial, x gallery.Instance) finding {
	b, target, extra := k.rescaled(k.normalise(x.A), t.Rand)
	return k.compare(k.eigenvalues, k.eigenvalues, x.A, b, target-k.normalise(x.A).exponent, extra)
}

func eigenPermutation(k subject, t *props.Trial, x gallery.Instance) finding {
	n, _ := x.A.Dims()
	order := signedOrder(t.Rand, n)
	return k.compare(k.eigenvalues, k.eigenvalues, x.A, permuted(x.A, order, order), 0, 0)
}

func eigenReflection(k subject, t *props.Trial, x gallery.Instance) finding {
	a := k.normalise(x.A)
	n, _ := x.A.Dims()
	b := exactCopy(a.a)
	h := randomReflection(t.Rand, n)
	h.rows(b, 0, 0)
	h.columns(b, 0, 0)
	return k.compare(k.eigenvalues, k.eigenvalues, a.a, k.round(rounded(b)), 0, a.Ulp()*mat.Norm(a.a, 2))
}

func eigenInterlacing(k subject, _ *props.Trial, x gallery.Instance) finding {
	n, _ := x.A.Dims()
	if n == 1 {
		return finding{}
	}
	w := k.eigenvalues(x.A)
	inner := ofOther("the leading block",
		func() []float64 { return k.eigenvalues(mat.DenseCopyOf(x.A.Slice(0, n-1, 0, n-1))) })
	a := k.normalise(x.A)
	outside := 0.0
	outer, between := a.scale(w), a.scale(inner)
	for i, v := range between {
		if miss := max(outer[i]-v, v-outer[i+1], 0); !(miss <= outside) { // NaN stays
			outside = miss
		}
	}
	return found(within(outside, 2*a.tolerance()), "w", w, "w of the leading block", inner)
}
