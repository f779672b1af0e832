package peers

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/bench/testmatrix"
	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/impl/ridge"
	"github.com/thm-suite/thm/internal/impl/rkhs"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/latent"
)

// Learning in learningD dimensions from n samples, with n/5 neurons and so many samples to tune on.
const (
	learningD  = 50
	validation = 500
)

// penalties of a ridge path, the same as in peer.py.
var penalties = ridge.Penalties(1e-4, 1e2, 13)

// normal is a matrix of standard normal numbers.
func normal(name string, m, n int) *mat.Dense {
	r, out := testmatrix.Stream(name, m, n), mat.NewDense(m, n, nil)
	data := out.RawMatrix().Data
	for i := range data {
		data[i] = r.NormFloat64()
	}
	return out
}

// tangentGram is the Gram matrix of the neural tangent kernel for n points.
func tangentGram(_ kernel.Kernel, n int) task {
	x := normal("points", n, learningD)
	t := task{a: x}
	gram := func() *mat.SymDense { return rkhs.NeuralTangent().Gram(x) }
	t.timed = func() error { gram(); return nil }
	t.ours = func() ([]*mat.Dense, error) { return []*mat.Dense{mat.DenseCopyOf(gram())}, nil }
	t.ratio = of(1, func(results []*mat.Dense) props.Ratio { return tangentRatio(x, results[0]) })
	return t
}

// tangentRatio compares with ‖x‖‖z‖(sin θ + 2(π−θ)cos θ)/π for θ from the lengths of the sum and the difference of the
// unit vectors. A cosine errs by (d+8)u =: δ, and the angle from it by δ/sin θ, or √(2δ) where that is less; the
// derivative in θ is at most 3π.
func tangentRatio(x, got *mat.Dense) props.Ratio {
	n, d := x.Dims()
	if rows, cols := got.Dims(); rows != n || cols != n {
		return props.Condition(false)
	}
	unit, length := mat.DenseCopyOf(x), make([]float64, n)
	for i := range n {
		length[i] = floats.Norm(x.RawRowView(i), 2)
		floats.Scale(1/length[i], unit.RawRowView(i))
	}
	worst, delta := props.Ratio{}, float64(d+8)*roundoff.Unit
	for i := range n {
		for j := range n {
			if i%16 != j%16 { // one entry of sixteen: each takes as long as the whole product
				continue
			}
			difference, sum := 0.0, 0.0
			for k, a := range unit.RawRowView(i) {
				b := unit.At(j, k)
				difference, sum = difference+(a-b)*(a-b), sum+(a+b)*(a+b)
			}
			theta := 2 * math.Atan2(math.Sqrt(difference), math.Sqrt(sum))
			sin, cos := math.Sincos(theta)
			size := length[i] * length[j] / math.Pi
			allowed := size * (10*min(math.Sqrt(2*delta), delta/sin) + 10*delta)
			worst = props.Worst(worst, props.Within(got.At(i, j)-size*(sin+2*(math.Pi-theta)*cos), allowed))
		}
	}
	return worst
}

// ridgePath solves (K + λI)a = y for all penalties, one row each.
func ridgePath(_ kernel.Kernel, n int) task {
	k, y := testmatrix.WithEigenvalues(testmatrix.Geometric(n)), normal("right-hand side", n, 1)
	t := task{a: mat.DenseCopyOf(k), b: y}
	solve := func() (*mat.Dense, error) {
		path, err := ridge.NewPath(k, y.RawMatrix().Data)
		if err != nil {
			return nil, err
		}
		out := mat.NewDense(len(penalties), n, nil)
		for i, lambda := range penalties {
			a, err := path.Solve(lambda)
			if err != nil {
				return nil, err
			}
			out.SetRow(i, a)
		}
		return out, nil
	}
	t.timed = func() error { _, err := solve(); return err }
	t.ours = func() ([]*mat.Dense, error) { out, err := solve(); return []*mat.Dense{out}, err }
	t.ratio = of(1, func(results []*mat.Dense) props.Ratio {
		if rows, cols := results[0].Dims(); rows != len(penalties) || cols != n {
			return props.Condition(false)
		}
		worst := props.Ratio{}
		for i, lambda := range penalties {
			worst = props.Worst(worst, residualRatio(k, lambda, results[0].RawRowView(i), y.RawMatrix().Data))
		}
		return worst
	})
	return t
}

// residualRatio is ‖(K+λI)a − y‖ over 20n·u(‖K‖_F+λ)‖a‖ + n·u‖y‖: a backward stable solution, of a factorisation whose
// constant is below 20, and the rounding of the residual itself.
func residualRatio(k mat.Symmetric, lambda float64, a, y []float64) props.Ratio {
	n := len(a)
	residual := mat.NewVecDense(n, nil)
	residual.MulVec(k, mat.NewVecDense(n, a))
	residual.AddScaledVec(residual, lambda, mat.NewVecDense(n, a))
	residual.SubVec(residual, mat.NewVecDense(n, y))
	unit := float64(n) * roundoff.Unit
	return props.Within(mat.Norm(residual, 2),
		20*unit*(mat.Norm(k, 2)+lambda)*floats.Norm(a, 2)+unit*floats.Norm(y, 2))
}

// algorithm1 is Algorithm 1 from given samples, initial weights and biases: preprocessing, the step, features, and the
// ridge path with the penalty that predicts the validation samples best. The operands are [X y], and below each other
// the validation samples in the same form, [w a] for half of the neurons, and a bias for each of them.
//
// [algorithm1MultiplyAdds] counts what no implementation does without. At n = 2500 they are 1.0 Gflop, 18 ms at the
// 56 Gflop/s of 16 flops a cycle at 3.5 GHz, and half of the tridiagonal form reads the rest of the matrix for every
// column, and so is not done at that rate: it takes a third of our time. NumPy takes 60 to 80 ms, whose third is hardly
// more. BenchmarkAlgorithm1BesideNumPy prints the counted time at the measured peak next to both.
func algorithm1(_ kernel.Kernel, n int) task {
	half := max(1, n/10)
	a, b := normal("samples", n, learningD+1), normal("the rest", validation+3*half, learningD+1)
	label := func(m *mat.Dense, rows int) {
		for i := range rows {
			z := m.At(i, 0)
			m.Set(i, learningD, 0.5*(z*z-1)+(z*z*z-3*z)/math.Sqrt(12))
		}
	}
	label(a, n)
	label(b, validation)
	for j := range half {
		b.Set(validation+j, learningD, math.Copysign(1, b.At(validation+j, learningD)))
	}
	x, y := mat.DenseCopyOf(a.Slice(0, n, 0, learningD)), mat.Col(nil, learningD, a)
	p := latent.Points{X: mat.DenseCopyOf(b.Slice(0, validation, 0, learningD)),
		Y: mat.Col(nil, learningD, b.Slice(0, validation, 0, learningD+1)), Weights: make([]float64, validation)}
	for i := range p.Weights {
		p.Weights[i] = 1. / validation
	}
	first := latent.Network{W: mat.NewDense(2*half, learningD, nil), A: make([]float64, 2*half),
		B: make([]float64, 2*half)}
	for j := range half {
		row := b.RawRowView(validation + j)
		first.W.SetRow(j, row[:learningD])
		first.W.SetRow(half+j, row[:learningD])
		first.A[j], first.A[half+j] = row[learningD], -row[learningD]
	}
	biases := mat.Col(nil, 0, b.Slice(validation+half, validation+3*half, 0, 1))
	learn := func() (latent.Predictor, error) {
		linear, rest := latent.Preprocess(x, y)
		w := first.FirstGradient(x, rest)
		w.Scale(-1, w)
		net := latent.Network{W: w, A: first.A, B: biases}
		net.Normalise(1)
		return latent.Head(net, linear, x, rest, penalties, p)
	}
	t := task{a: a, b: b}
	t.timed = func() error { _, err := learn(); return err }
	t.ours = func() ([]*mat.Dense, error) {
		p, err := learn()
		return []*mat.Dense{p.Network.W, mat.NewDense(1, len(p.Network.A), p.Network.A)}, err
	}
	t.ratio = of(2, func(results []*mat.Dense) props.Ratio {
		return learnedRatio(x, y, first, biases, results[0], row(results[1]))
	})
	return t
}

// learnedRatio compares the first layer with the formula for its step, and the output weights with the normal equations
// at the penalty that fits them best.
func learnedRatio(x *mat.Dense, y []float64, first latent.Network, biases []float64, w *mat.Dense,
	a []float64) props.Ratio {
	m, d := first.W.Dims()
	n := len(y)
	if rows, cols := w.Dims(); rows != m || cols != d || len(a) != m {
		return props.Condition(false)
	}
	_, rest := latent.Preprocess(x, y)
	points := list.Fill(n, x.RawRowView)
	want := mat.NewDense(m, d, nil)
	for j := range m {
		want.SetRow(j, theory.NeuronGradient(points, rest, first.W.RawRowView(j), first.A[j], 0))
	}
	want.Scale(-math.Sqrt(float64(m))/mat.Norm(want, 2), want)
	var diff mat.Dense
	diff.Sub(w, want)
	// sums of n terms with signs, whose size is up to √n times that of their sum
	step := props.Within(mat.Norm(&diff, 2), 4*math.Pow(float64(n), 1.5)*roundoff.Unit*math.Sqrt(float64(m)))
	phi := latent.Network{W: w, A: first.A, B: biases}.Features(x)
	var moment mat.SymDense
	moment.SymOuterK(1, phi.T())
	right := mat.NewVecDense(m, nil)
	right.MulVec(phi.T(), mat.NewVecDense(n, rest))
	head := props.Condition(false)
	for _, lambda := range penalties {
		r := residualRatio(&moment, float64(n)*lambda/2, a, right.RawVector().Data)
		if r.Value < head.Value {
			head = r
		}
	}
	return props.Worst(step, head)
}
