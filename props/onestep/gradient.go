package onestep

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
)

// gradientConstant holds the displayed direction against the central difference D(s) of the loss along a random
// direction of the weights, with s = 10⁻⁴. D(2s) − D(s) is three times the truncation error of D(s). Rounding: an
// output is a sum of N terms, each the end of an inner product of length d and some ten operations, so a loss of size
// M errs by at most 2(N+d+n+20)·u·M, and the quotient by that over s.
func gradientConstant(v spikeTrial) props.LegacyCheck {
	return props.Property{
		Name:  "constant of the gradient",
		Cases: props.Scale{Quick: 100, Standard: 500, Deep: 20000},
		Prop: func(t *props.T) props.Ratio {
			n, d, width := gen.Dim(t.T, "n", 8), gen.Dim(t.T, "d", 6), gen.Dim(t.T, "N", 6)
			act := drawActivation(t)
			scale := 1.0
			if rapid.Bool().Draw(t.T, "mean-field") {
				scale = 1 / math.Sqrt(float64(width))
			}
			r := t.Stream("entries")
			s := setup{act: act, noise: 0.5}
			x, w, a := features.Gaussian(r, n, d), features.UnitRows(r, width, d), outputs(r, width)
			y := s.teacher(features.UnitVector(r, d)).Labels(r, x)
			along := gen.Gaussian(r, width, d, 1/math.Sqrt(float64(width*d)))
			t.Show("X, samples in rows", x)
			t.Show("W", w)
			t.Show("direction", along)

			lossScale := 1 / (2 * float64(n))
			if v.lossScale != nil {
				lossScale = v.lossScale(float64(n))
			}
			size := 0.0
			loss := func(shift float64) float64 {
				var moved mat.Dense
				moved.Scale(shift, along)
				moved.Add(w, &moved)
				f := features.NewLayer(x, &moved, a, act).Output()
				sum := 0.0
				for i := range f {
					sum += math.Pow(y[i]-scale*f[i], 2)
					size = max(size, math.Pow(math.Abs(y[i])+scale*floats.Norm(a, 1)*bound(act), 2))
				}
				return lossScale * sum
			}
			const step = 1e-4
			d1 := (loss(step) - loss(-step)) / (2 * step)
			d2 := (loss(2*step) - loss(-2*step)) / (4 * step)
			claimed := -scale * frobeniusProduct(features.NewLayer(x, w, a, act).Direction(y, scale), along) * (1 + v.dose)
			t.Show("loss", lossScale)
			t.Show("claimed derivative and difference quotient", []float64{claimed, d1})
			rounding := 2 * float64(width+d+n+20) * 0x1p-53 * lossScale * float64(n) * size / step
			return props.Within(claimed-d1, math.Abs(d2-d1)+rounding)
		},
	}.Check()
}

// drawActivation draws a bounded activation with bounded derivatives.
func drawActivation(t *props.T) nn.Activation {
	if rapid.Bool().Draw(t.T, "tanh") {
		return nn.Tanh
	}
	return features.PhaseSine(gen.Scale(t.T, "r", 0.5, 2), 0.01*float64(rapid.IntRange(-157, 157).Draw(t.T, "t")))
}

// bound is the largest size of a bounded activation, found on a grid that is finer than its features.
func bound(act nn.Activation) float64 {
	largest := 0.0
	for z := -10.0; z <= 10; z += 0.25 {
		largest = max(largest, math.Abs(act.Value(z)))
	}
	return largest
}

// frobeniusProduct returns the sum of the products of the entries.
func frobeniusProduct(a, b *mat.Dense) float64 {
	sum := 0.0
	rows, _ := a.Dims()
	for i := range rows {
		sum += floats.Dot(a.RawRowView(i), b.RawRowView(i))
	}
	return sum
}
