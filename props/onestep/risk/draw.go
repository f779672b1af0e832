package risk

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/props/onestep/network"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// draw is one network with many teachers: each has a step of its own, and all share the samples and random features.
type draw struct {
	W          *mat.Dense // W₀, N×d
	A          []float64  // N
	Fresh      *mat.Dense // X of the features, n×d
	Labels     *mat.Dense // of the fresh samples, a row for each teacher
	Projection *mat.Dense // Xβ, a row for each teacher
	Features   *mat.Dense // F₀, n×N
}

// link is σ⋆ of a teacher.
func link(t theory.Teacher) func(float64) float64 {
	run := features.Series(t.Coefficients...)
	return run.Value
}

// sample draws a network of that size, √(nd), and teachers. With reuse the features are taken on the step's own samples.
func sample(r *rand.Rand, s setup, size, teachers int, reuse bool) draw {
	n, d, width := network.Setup{Phi: s.Phi, Psi: s.Psi}.Shape(size)
	truth := features.UnitRows(r, teachers, d)
	x := features.Gaussian(r, n, d)
	y := labels(r, s.Teacher, truth, x)
	out := draw{W: network.Setup{GaussianRows: s.GaussianRows}.Rows(r, width, d), A: network.Outputs(r, width), Fresh: x, Labels: y}
	if !reuse {
		out.Fresh = features.Gaussian(r, n, d)
		out.Labels = labels(r, s.Teacher, truth, out.Fresh)
	}
	var beta mat.Dense
	beta.Mul(y, x)
	beta.Scale(1/float64(n), &beta)
	out.Projection = features.PreActivations(&beta, out.Fresh)
	out.Features = features.Apply(s.run(), features.PreActivations(out.Fresh, out.W))
	return out
}

// labels are those of all teachers, a row for each.
func labels(r *rand.Rand, t theory.Teacher, truth, x *mat.Dense) *mat.Dense {
	y := features.PreActivations(truth, x)
	f, sd := link(t), math.Sqrt(t.Noise)
	rows, _ := y.Dims()
	for i := range rows {
		row := y.RawRowView(i)
		for j, z := range row {
			row[j] = f(z) + sd*r.NormFloat64()
		}
	}
	return y
}

// added are the spikes of the first terms of the expansion; those of infinite strength are columns without a penalty.
func (d draw) added(s setup, eta float64) features.Added {
	var out features.Added
	c1 := s.Activation.Coefficient(1)
	for k := 1; k <= s.Terms; k++ {
		ck := s.Activation.Coefficient(k)
		if ck == 0 {
			continue
		}
		var left mat.Dense
		left.Apply(func(_, _ int, u float64) float64 { return math.Pow(u, float64(k)) }, d.Projection)
		if math.IsInf(eta, 1) {
			out.Free = append(out.Free, &left)
			continue
		}
		right := mat.NewDense(1, len(d.A), network.Map(d.A, func(a float64) float64 { return math.Pow(a, float64(k)) }))
		left.Scale(ck*math.Pow(c1*eta, float64(k)), &left)
		out.Left, out.Right = append(out.Left, &left), append(out.Right, right)
	}
	if s.Intercept {
		n, _ := d.Fresh.Dims()
		ones := mat.NewDense(1, n, nil)
		floats.AddConst(1, ones.RawRowView(0))
		out.Free = append(out.Free, ones)
	}
	return out
}

// errors are means over the teachers of a fit.
func mean(fits []features.Fit) features.Fit {
	var out features.Fit
	for _, f := range fits {
		out.Objective += f.Objective / float64(len(fits))
		out.Train += f.Train / float64(len(fits))
		out.LeaveOneOut += f.LeaveOneOut / float64(len(fits))
	}
	return out
}
