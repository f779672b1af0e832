// Package teachers draws one network with many teachers, whose regressions share one factorisation.
package teachers

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/props/onestep/network"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Draw is one network with many teachers: each has a step of its own, and all share the samples and random features.
type Draw struct {
	W          *mat.Dense // W₀, N×d
	A          []float64  // N
	Fresh      *mat.Dense // X of the features, n×d
	Inputs     *mat.Dense // Xβ⋆, a row for each teacher
	Labels     *mat.Dense // of the fresh samples, a row for each teacher
	Projection *mat.Dense // Xβ, a row for each teacher
	Features   *mat.Dense // F₀, n×N
}

// Sample draws a network of that size, √(nd), for a regression, and pairs of opposite teachers. With reuse the features
// are taken on the samples of the step.
func Sample(r *rand.Rand, act network.Activation, risk theory.Risk, size, pairs int, reuse bool) Draw {
	n, d, width := network.Setup{Phi: risk.Phi, Psi: risk.Psi}.Shape(size)
	truth := directions(r, pairs, d)
	x := features.Gaussian(r, n, d)
	inputs, y := labels(r, risk.Teacher, truth, x)
	rows := network.Setup{GaussianRows: risk.GaussianRows}
	out := Draw{W: rows.Rows(r, width, d), A: network.Outputs(r, width), Fresh: x, Inputs: inputs, Labels: y}
	if !reuse {
		out.Fresh = features.Gaussian(r, n, d)
		out.Inputs, out.Labels = labels(r, risk.Teacher, truth, out.Fresh)
	}
	var beta mat.Dense
	beta.Mul(y, x)
	beta.Scale(1/float64(n), &beta)
	out.Projection = features.PreActivations(&beta, out.Fresh)
	out.Features = features.Overwrite(act.Run, features.PreActivations(out.Fresh, out.W))
	return out
}

// directions are the β⋆ of the teachers, uniform on the sphere, and their negatives: parts of even and odd order do not
// mix on average over both signs.
func directions(r *rand.Rand, pairs, d int) *mat.Dense {
	half := features.UnitRows(r, pairs, d)
	out := mat.NewDense(2*pairs, d, nil)
	out.Slice(0, pairs, 0, d).(*mat.Dense).Copy(half)
	out.Slice(pairs, 2*pairs, 0, d).(*mat.Dense).Scale(-1, half)
	return out
}

// labels are those of all teachers, a row for each, and what they are functions of.
func labels(r *rand.Rand, t theory.Teacher, truth, x *mat.Dense) (inputs, y *mat.Dense) {
	inputs = features.PreActivations(truth, x)
	y = mat.DenseCopyOf(inputs)
	link, sd := features.Series(t.Coefficients...), math.Sqrt(t.Noise)
	rows, _ := y.Dims()
	for i := range rows / 2 {
		row, opposite := y.RawRowView(i), y.RawRowView(i+rows/2)
		for j, z := range row {
			noise := sd * r.NormFloat64()
			row[j], opposite[j] = link.Value(z)+noise, link.Value(-z)+noise
		}
	}
	return inputs, y
}

// Moments returns E yyᵀ over uniform directions β⋆ and the noise, for samples in the rows of x. With w = β⋆ᵀx, w′ =
// β⋆ᵀx′ moments of the sphere are E ww′ = g/d, E w³w′ = 3|x|²g/(d(d+2)), E w²w′² = (|x|²|x′|² + 2g²)/(d(d+2)) and E
// w³w′³ = (9|x|²|x′|²g + 6g³)/(d(d+2)(d+4)), with g = xᵀx′.
func Moments(t theory.Teacher, x *mat.Dense) *mat.Dense {
	n, dim := x.Dims()
	k := features.PreActivations(x, x)
	squares := make([]float64, n)
	for i := range squares {
		squares[i] = k.At(i, i)
	}
	d := float64(dim)
	two, three := d*(d+2), d*(d+2)*(d+4)
	c0, c1, c2, c3 := t.Coefficient(0), t.Coefficient(1), t.Coefficient(2), t.Coefficient(3)
	for i, p := range squares {
		row := k.RawRowView(i)
		for j, g := range row {
			q := squares[j]
			even := c0*c0 + c0*c2*((p+q)/d-2) + c2*c2*((p*q+2*g*g)/two-(p+q)/d+1)
			mixed := 3*(p+q)*g/two - 6*g/d // E w(w′³ − 3w′) and the same exchanged
			cubes := (9*p*q*g+6*g*g*g)/three - 9*(p+q)*g/two + 9*g/d
			row[j] = even + c1*c1*g/d + c1*c3*mixed + c3*c3*cubes
		}
		row[i] += t.Noise
	}
	return k
}

// Added are the spikes of the terms of the expansion; those of infinite strength are columns without a penalty.
func (d Draw) Added(risk theory.Risk) features.Added {
	var out features.Added
	f := risk.Features()
	for k := 1; k <= risk.Terms; k++ {
		left := polynomial(f.Left(k), d.Projection)
		if left == nil {
			continue
		}
		if math.IsInf(risk.Eta, 1) {
			out.Free = append(out.Free, left)
			continue
		}
		right := network.Map(d.A, func(a float64) float64 { return math.Pow(a, float64(k)) })
		left.Scale(math.Pow(risk.Eta, float64(k)), left)
		out.Left, out.Right = append(out.Left, left), append(out.Right, mat.NewDense(1, len(right), right))
	}
	if risk.Intercept {
		n, _ := d.Fresh.Dims()
		ones := mat.NewDense(1, n, nil)
		floats.AddConst(1, ones.RawRowView(0))
		out.Free = append(out.Free, ones)
	}
	return out
}

// polynomial is Σ c[k] uᵏ entry by entry, and nil where all coefficients vanish.
func polynomial(c []float64, u *mat.Dense) *mat.Dense {
	if !slices.ContainsFunc(c, func(x float64) bool { return x != 0 }) {
		return nil
	}
	out := mat.DenseCopyOf(u)
	out.Apply(func(_, _ int, u float64) float64 {
		sum := 0.0
		for k := len(c) - 1; k >= 0; k-- {
			sum = sum*u + c[k]
		}
		return sum
	}, out)
	return out
}

// Mean is that of the errors over the teachers.
func Mean(fits []features.Fit) features.Fit {
	var out features.Fit
	for _, f := range fits {
		out.Objective += f.Objective / float64(len(fits))
		out.Train += f.Train / float64(len(fits))
		out.LeaveOneOut += f.LeaveOneOut / float64(len(fits))
	}
	return out
}

// Traces are those of a regression on features F₀ in the place of their limits, for samples in the rows of x: tr R and
// tr(XᵀRX)/d with their derivatives in λ, −n tr R² and −n tr(XᵀR²X)/d.
func Traces(r *features.Regression, act network.Activation, x *mat.Dense) theory.Resolvent {
	n, dim := x.Dims()
	rows := mat.DenseCopyOf(x.T())
	solved, linear := r.Solve(rows), 0.0
	for i := range dim {
		linear += floats.Dot(rows.RawRowView(i), solved.RawRowView(i)) / float64(dim)
	}
	out := theory.Resolvent{All: r.Trace(), Linear: linear, DAll: -float64(n) * r.Square(),
		DLinear: -float64(n) / float64(dim) * math.Pow(mat.Norm(solved, 2), 2)}
	c1 := act.Closed.Coefficient(1)
	rest := act.Closed.Energy - c1*c1
	out.Leak, out.DLeak = c1*c1*out.Linear+rest*out.All, c1*c1*out.DLinear+rest*out.DAll
	return out
}
