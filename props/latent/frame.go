package latent

import (
	"math"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/population"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/latent"
)

// hessianFrame holds the remainders of neurons that look along the members of an orthonormal basis against their exact
// lengths ρⱼ²/√(πr), and their mean against √(r/π)/d: the ρⱼ² add up to the trace of the projector, r, so that what holds
// on average over the sphere holds over every basis, without statistics. One basis in two contains the flat vector
// (1, …, 1)/√d, whose remainder has just the mean length.
func hessianFrame(v hessianTrial) props.LegacyCheck {
	return props.Property{
		Name:  "mean over an orthonormal basis",
		Cases: props.Scale{Quick: 50, Standard: 300, Deep: 10000},
		Prop: func(t *props.T) props.Ratio {
			d := gen.Dim(t.T, "d", 8)
			closed := theory.Isotropic{D: d, R: rapid.IntRange(1, d).Draw(t.T, "r")}
			target := isotropic.expansion(closed.R)
			if v.target != "" {
				target = v.target.expansion(closed.R)
			}
			mean, allowed, ratio := 0.0, 0.0, props.Ratio{}
			basis := reflectedBasis(t, d)
			for j, w := range basis {
				in := instance{target: target, f: monomials(target), w: w}
				g := population.Neuron{A: 1, W: w}.Gradient(in.f)
				length, inside := norm(plus(g, -1, theory.Leading(target, 1, w))), norm(w[:closed.R])
				rounding := 2 * (in.rounding() + in.series().Rounding()) // gradient and leading part, times |2a|
				ratio = props.Worst(ratio, props.Within(length-closed.Length(inside*inside)*(1+v.dose), rounding))
				if j == 0 && isFlat(w) {
					ratio = props.Worst(ratio, props.Within(length-closed.Remainder()*(1+v.dose), rounding))
				}
				mean, allowed = mean+length/float64(d), allowed+rounding/float64(d)
			}
			t.Show("r", closed.R)
			t.Show("basis", basis)
			t.Show("mean of the remainders and claimed", []float64{mean, closed.Remainder() * (1 + v.dose)})
			return props.Worst(ratio, props.Within(mean-closed.Remainder()*(1+v.dose), allowed))
		},
	}.Check()
}

// reflectedBasis returns the rows of a reflection I − 2vvᵀ/‖v‖²: of a random one, or of the one that exchanges the first
// axis and the flat vector.
func reflectedBasis(t *props.T, d int) [][]float64 {
	v, r := make([]float64, d), t.Stream("reflection")
	for i := range v {
		v[i] = r.NormFloat64()
	}
	if d > 1 && rapid.Bool().Draw(t.T, "flat") {
		for i := range v {
			v[i] = 1 / math.Sqrt(float64(d))
		}
		v[0]--
	}
	basis, square := make([][]float64, d), norm(v)*norm(v)
	for i := range basis {
		basis[i] = scaled(v, -2*v[i]/square)
		basis[i][i]++
	}
	return basis
}

// isFlat reports whether all coordinates are equal up to rounding.
func isFlat(w []float64) bool {
	for _, x := range w {
		if !(math.Abs(x-w[0]) <= 20*0x1p-53) { // a reflection errs by some 10u
			return false
		}
	}
	return true
}
