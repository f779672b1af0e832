package vcl

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// residualRank is that the gap of one sample has rank two and one eigenvalue of each sign, those of the closed form. By Weyl's
// inequality eigenvalues err by no more than the gap itself. Those of the closed form come from f = ‖R‖_F, whose square is a
// difference of terms of size S² = γ⁴(‖g‖²‖h‖² + ‖w‖²)², known to 32u·S²; λ₊ − λ₋ ≥ f.
func residualRank(v residualTrial) props.Check {
	return props.Property{
		Name:  "rank two and signs for one sample",
		Cases: props.Scale{Quick: 100, Standard: 1000, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			n, m := 1+gen.Dim(t.T, "n−1", 7), gen.Dim(t.T, "m", 8)
			r := t.Stream("entries")
			in := instance{net: smoothNet(r, 3, n, m, 2, false), samples: gen.Gaussian(r, 3, 1, 1), targets: gen.Gaussian(r, 2, 1, 1),
				step: gen.Scale(t.T, "γ", 1e-2, 1), scales: sumSumSum.scales(1)}
			o := in.take(1, residualTrial{})
			o.show(t, v)
			values, _, err := linalg.SymEigen(asSymmetric(o.gap), false)
			if err != nil {
				return props.Truth(false)
			}
			h, g := mat.Col(nil, 0, o.step.Inputs), mat.Col(nil, 0, o.step.PreGrads)
			var back mat.VecDense
			back.MulVec(o.step.W.T(), mat.NewVecDense(m, g))
			w := back.RawVector().Data
			two := theory.RankTwo{Step: in.step, G: floats.Norm(g, 2), H: floats.Norm(h, 2), W: floats.Norm(w, 2)}
			two.Cosine = max(-1, min(1, floats.Dot(h, w)/(two.H*two.W)))
			lo, hi := two.Eigenvalues()
			t.Show("eigenvalues of the gap", values)
			t.Show("claimed", []float64{lo, hi})
			size := in.step * in.step * (math.Pow(two.G*two.H, 2) + two.W*two.W)
			allowed := o.rounding() + 32*0x1p-53*size*size/two.Frobenius()
			ratio := props.Worst(props.Within(values[0]-(1+v.dose)*lo, allowed), props.Within(values[n-1]-(1+v.dose)*hi, allowed))
			for _, x := range values[1 : n-1] {
				ratio = props.Worst(ratio, props.Within(x, allowed))
			}
			return ratio
		},
	}.Check()
}
