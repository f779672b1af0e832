// Package teachers draws one network with many teachers, whose regressions share one factorisation.
package teachers

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Draw is one network with many teachers: each has a step of its own, and all share the samples and random features.
type Draw struct {
	W          *mat.Dense // W₀, N×d
	A          []float64  // N
	Fresh      *mat.Dense // X of the features, n×d
	Truth      *mat.Dense // β⋆, a row for each teacher
	Beta       *mat.Dense // β, a row for each teacher
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
	out := Draw{W: rows.Rows(r, width, d), A: network.Outputs(r, width), Fresh: x, Truth: truth, Inputs: inputs, Labels: y}
	if !reuse {
		out.Fresh = features.Gaussian(r, n, d)
		out.Inputs, out.Labels = labels(r, risk.Teacher, truth, out.Fresh)
	}
	out.Beta = algebra.Product(y, x)
	out.Beta.Scale(1/float64(n), out.Beta)
	out.Projection = features.PreActivations(out.Beta, out.Fresh)
	out.Features = features.Overwrite(act.Run, features.PreActivations(out.Fresh, out.W))
	return out
}

// Size returns the size of a network on which a user's n samples are regressed.
func Size(t *props.Trial, v statement.Values, r theory.Risk) int {
	return network.Setup{Phi: r.Phi, Psi: r.Psi}.Sized(t, v, 3e10, "n²(n + N + 2d)",
		func(n, d, width float64) float64 { return n * n * (n + width + 2*d) })
}

// directions are the β⋆ of the teachers, uniform on the sphere, and their negatives: parts of even and odd order do not
// mix on average over both signs. As many as there is room for are orthogonal to each other, which takes out of their
// mean what quadratic forms scatter by.
func directions(r *rand.Rand, pairs, d int) *mat.Dense {
	out := mat.NewDense(2*pairs, d, nil)
	half := orthogonal(r, pairs, d)
	for i := range pairs {
		row := half.RawRowView(i)
		floats.Scale(1/floats.Norm(row, 2), row)
		copy(out.RawRowView(i), row)
		floats.ScaleTo(out.RawRowView(i+pairs), -1, row)
	}
	return out
}

// orthogonal returns standard normal vectors of which each n in a row are orthogonal: an independent one is turned into
// the complement of those before it and keeps its length, so that each by itself is standard normal.
func orthogonal(r *rand.Rand, count, n int) *mat.Dense {
	out, squares := features.Gaussian(r, count, n), make([]float64, count)
	for i := range count {
		row := out.RawRowView(i)
		squares[i] = floats.Dot(row, row)
		for k := i / n * n; k < i; k++ {
			before := out.RawRowView(k)
			floats.AddScaled(row, -floats.Dot(before, row)/squares[k], before)
		}
		floats.Scale(math.Sqrt(squares[i])/floats.Norm(row, 2), row)
	}
	return out
}

// labels returns the labels of all teachers, a row for each, and the inputs of the functions.
func labels(r *rand.Rand, t theory.Teacher, truth, x *mat.Dense) (inputs, y *mat.Dense) {
	inputs = features.PreActivations(truth, x)
	y = mat.DenseCopyOf(inputs)
	link, sd := features.Series(t.Coefficients...), math.Sqrt(t.Noise)
	rows, n := y.Dims()
	noise := mat.NewDense(rows/2, n, nil)
	if sd != 0 {
		noise = orthogonal(r, rows/2, n)
	}
	for i := range rows / 2 {
		row, opposite := y.RawRowView(i), y.RawRowView(i+rows/2)
		for j, z := range row {
			e := sd * noise.At(i, j)
			row[j], opposite[j] = link.Value(z)+e, link.Value(-z)+e
		}
	}
	return inputs, y
}

// Alignment is the squared cosine of β with β⋆, from the sums of β·β⋆ and |β|² over the teachers, for the sample of the
// step and for the fresh one, which is a second draw.
func (d Draw) Alignment() float64 {
	n, _ := d.Fresh.Dims()
	count, _ := d.Beta.Dims()
	second := algebra.Product(d.Labels, d.Fresh)
	second.Scale(1/float64(n), second)
	dot, size := 0.0, 0.0
	for _, beta := range []*mat.Dense{d.Beta, second} {
		dot += floats.Dot(beta.RawMatrix().Data, d.Truth.RawMatrix().Data)
		size += square(beta)
	}
	return dot * dot / (2 * float64(count) * size)
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
	rows, cols := u.Dims()
	out := mat.NewDense(rows, cols, nil)
	data, from := out.RawMatrix().Data, u.RawMatrix().Data
	floats.AddConst(c[len(c)-1], data)
	for k := len(c) - 2; k >= 0; k-- { // Horner's rule for all entries at once
		for i, u := range from {
			data[i] = data[i]*u + c[k]
		}
	}
	return out
}

// Mean returns the mean of the errors over the teachers.
func Mean(fits []features.Fit) features.Fit {
	var out features.Fit
	for _, f := range fits {
		out.Objective += f.Objective / float64(len(fits))
		out.Train += f.Train / float64(len(fits))
		out.LeaveOneOut += f.LeaveOneOut / float64(len(fits))
	}
	return out
}

// Traces returns the traces of a regression on features F₀ in the place of their limits, for samples in the rows of x:
// tr R and n tr(XᵀRX)/|X|² with their derivatives in λ, −n tr R² and −n² tr(XᵀR²X)/|X|².
func Traces(r *features.Regression, act network.Activation, x *mat.Dense) theory.Resolvent {
	n, _ := x.Dims()
	rows := mat.DenseCopyOf(x.T())
	solved := r.Solve(rows)
	size, half := square(rows), square(solved)
	linear := floats.Dot(rows.RawMatrix().Data, solved.RawMatrix().Data)
	out := theory.Resolvent{All: r.Trace(), Linear: float64(n) * linear / size, DAll: -float64(n) * r.Square(),
		DLinear: -float64(n*n) * half / size}
	c1 := act.Closed.Coefficient(1)
	rest := act.Closed.Energy - c1*c1
	out.Leak, out.DLeak = c1*c1*out.Linear+rest*out.All, c1*c1*out.DLinear+rest*out.DAll
	return out
}

// square returns the square of the Frobenius norm.
func square(m *mat.Dense) float64 { norm := mat.Norm(m, 2); return norm * norm }
