package softmax

import (
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// centred is a whitening step of a softmax regression with 1ᵀW = 0.
type centred regression

// Valid names the violated hypothesis.
func (c centred) Valid() error {
	if layers.SquaredDistance(c.W, withoutMeans(c.W)) > 0x1p-36*math.Pow(mat.Norm(c.W, 2), 2) {
		return errors.New("the columns of W do not add up to zero")
	}
	if !layers.Unique(c.W, c.Next) {
		return errors.New("WW₊ᵀ has a lower rank than W₊: other weights are as near, and their columns add up to " +
			"anything")
	}
	return nil
}

// keptSum is that gradient descent does not change 1ᵀW, and that whitening does not if it is zero: the new weights, and
// the gradient, are unchanged when the mean of every column is taken off. W then has lost a direction, which two routes
// do not know well enough and are left out: the paper's, which forms the Gram matrix, knows the singular value that
// vanishes to √u only, and Krylov, which takes a basis from the gradients, knows what those of two nearly parallel
// samples span beyond one of them to u over the angle between these.
var keptSum = props.Drawn[centred, struct{}]{
	Name:    "1ᵀW is kept",
	Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
	Tries:   28,
	Regimes: layers.Shapes,
	Draw: func(t *props.T) centred {
		// The second time removes what rounding left.
		return drawKept(t, nn.SoftmaxCrossEntropy, func(w *mat.Dense) *mat.Dense { return withoutMeans(withoutMeans(w)) })
	},
	Judge: func(r *props.Record, c centred, _ struct{}) {
		s := regression(c)
		r.Regime(layers.Shape(s.W))
		n, batch := s.H.Dims()
		unit := float64(16*(n+batch)) * r.Unit()
		judgeGradient(r, s, mean(batch))
		r.WithinMatrix("gradient without column means", s.Gamma, withoutMeans(s.Gamma),
			unit*(mat.Norm(s.Gamma, 2)+1/float64(batch)))
		r.WithinMatrix("W₊ without column means", s.Next, withoutMeans(s.Next),
			unit*layers.ProductSpread(s.W, s.Next)*(mat.Norm(s.Next, 2)+mat.Norm(s.W, 2)))
	},
	Controls: []props.Wrong[centred, struct{}]{
		{Name: "weights with 1ᵀW ≠ 0", Assumption: "centred", Criterion: "W₊ without column means",
			Draw: func(t *props.T) centred {
				return drawKept(t, nn.SoftmaxCrossEntropy, func(w *mat.Dense) *mat.Dense { return w })
			}},
		{Name: "one of the nearest weights from W = 0", Assumption: "unique", Criterion: "W₊ without column means",
			Draw: func(t *props.T) centred {
				c := drawKept(t, nn.SoftmaxCrossEntropy, func(w *mat.Dense) *mat.Dense {
					w.Zero()
					return w
				})
				// All weights with the Gram matrix of gradient descent are as near as any.
				classes, _ := c.Next.Dims()
				c.Next = algebra.Product(gen.Orthonormal(t.Stream("rotation"), classes, classes), c.Next)
				return c
			}},
		{Name: "logistic outputs in place of a softmax, 1ᵀW = 0", Assumption: "softmax",
			Criterion: "gradient without column means",
			Draw: func(t *props.T) centred {
				return drawKept(t, nn.Logistic, func(w *mat.Dense) *mat.Dense { return withoutMeans(withoutMeans(w)) })
			}},
	},
}

// drawKept draws a step of a regression with the given loss from weights that are prepared after they are drawn.
func drawKept(t *props.T, loss nn.Loss, prepare func(*mat.Dense) *mat.Dense) centred {
	classes, inputs := layers.Dims(t, 8)
	classes, inputs = max(2, classes), max(classes-1, inputs)
	batch, r := gen.Dim(t.T, "B", 6), t.Stream("entries")
	w, x := gen.Gaussian(r, classes, inputs, 1), gen.Gaussian(r, inputs, batch, gen.LogUniform(t.T, "size", 0.1, 3))
	s, view := run(prepare(w), x, drawClasses(t, classes, batch), loss)
	solver := rapid.SampledFrom([]routes.Solver{routes.Polar{}, routes.Auto{}}).Draw(t.T, "solver")
	s.whiten(view, gen.LogUniform(t.T, "γ", 1e-2, 1), solver)
	return centred(s)
}

// withoutMeans takes the mean of every column off its entries.
func withoutMeans(a *mat.Dense) *mat.Dense {
	rows, cols := a.Dims()
	out := mat.DenseCopyOf(a)
	for j := range cols {
		mean := mat.Sum(a.ColView(j)) / float64(rows)
		for i := range rows {
			out.Set(i, j, a.At(i, j)-mean)
		}
	}
	return out
}

// regressionOf draws a regression whose weights have singular values between ½ and 1 and runs it on a batch.
func regressionOf(r *rand.Rand, classes, inputs, batch int, loss nn.Loss) (regression, *nn.View) {
	w, x, of := layers.Conditioned(r, classes, inputs, 2), gen.Gaussian(r, inputs, batch, 1), make([]int, batch)
	for i := range of {
		of[i] = r.IntN(classes)
	}
	return run(w, x, of, loss)
}

// size is a regression with fewer classes than inputs, and a batch.
type size struct{ Classes, Inputs, Batch int }

// inertia counts the eigenvalues of the target of the true shift. Steps are 10⁻³ to 10⁻² of a summed loss: negative
// eigenvalues are of their square, 10⁻⁶ of a few singular values of order one or more, positive ones those of WᵀW.
var inertia = props.Grid[size, [2]int, inertiaClaim]{
	Name: "inertia for C < n",
	Cells: func(props.Effort) (cells []size) {
		for classes := 2; classes <= 5; classes++ {
			for n := classes + 1; n <= 11; n += 2 {
				for _, b := range []int{1, 3, 12} {
					cells = append(cells, size{classes, n, b})
				}
			}
		}
		return cells
	},
	Measure: func(t *props.Trial, c size) [2]int { return signs(c.draw(t.Rand, nn.SoftmaxCrossEntropy)) },
	Claim:   inertiaClaim{negative: theory.SoftmaxNegative, positive: func(classes int) int { return classes }},
	Judge: func(r *props.Record, c size, counts [2]int, claim inertiaClaim) {
		r.Show("negative and positive eigenvalues", counts[:])
		r.Exactly("negative eigenvalues", float64(counts[0]), float64(claim.negative(c.Classes, c.Inputs, c.Batch)))
		r.Exactly("positive eigenvalues", float64(counts[1]), float64(claim.positive(c.Classes)))
	},
	Controls: []props.WrongCell[size, [2]int, inertiaClaim]{
		{Name: "logistic outputs in place of a softmax, the count", Assumption: "softmax",
			Criterion: "negative eigenvalues",
			Measure:   func(t *props.Trial, c size) [2]int { return signs(c.draw(t.Rand, nn.Logistic)) }},
		{Name: "min(B, n−C, C) negative eigenvalues", Criterion: "negative eigenvalues",
			Instead: inertiaClaim{negative: theory.NegativeEigenvalues}},
		{Name: "C − 1 positive eigenvalues", Criterion: "positive eigenvalues",
			Instead: inertiaClaim{positive: func(classes int) int { return classes - 1 }}},
		{Name: "a batch of one sample many times", Assumption: "generic", Criterion: "negative eigenvalues",
			Measure: func(t *props.Trial, c size) [2]int {
				one := size{c.Classes, c.Inputs, 1}.draw(t.Rand, nn.SoftmaxCrossEntropy)
				one.H, one.Gamma = repeat(one.H, c.Batch), repeat(one.Gamma, c.Batch)
				return signs(one)
			}},
	},
}

// inertiaClaim holds the claimed numbers of eigenvalues of either sign of the target.
type inertiaClaim struct {
	negative func(classes, inputs, batch int) int
	positive func(classes int) int
}

// draw draws a regression of the size, and the step of a summed loss.
func (c size) draw(r *rand.Rand, loss nn.Loss) regression {
	s, _ := regressionOf(r, c.Classes, c.Inputs, c.Batch, loss)
	s.Rate = 1e-2 * math.Pow(0.1, r.Float64())
	return s
}

// repeat puts a column n times side by side.
func repeat(column *mat.Dense, n int) *mat.Dense {
	rows, _ := column.Dims()
	out := mat.NewDense(rows, n, nil)
	for j := range n {
		out.SetCol(j, mat.Col(nil, 0, column))
	}
	return out
}

// signs counts the negative and the positive eigenvalues of a target that are not zero to rounding.
func signs(s regression) (count [2]int) {
	_, batch := s.H.Dims()
	values := layers.Eigenvalues(routes.TrueShift.Gram(s.problem(s.Rate * float64(batch))))
	noise := 64 * float64(len(values)) * roundoff.Unit * max(-values[0], values[len(values)-1])
	for _, x := range values {
		switch {
		case x < -noise:
			count[0]++
		case x > noise:
			count[1]++
		}
	}
	return count
}

// simulate takes the step of one sample with the given logits, and counts eigenvalues for a random batch.
func simulate(t *props.Trial, v statement.Values) (map[string]float64, error) {
	c := size{v.Int("classes"), v.Int("inputs"), v.Int("batch")}
	t.Need(c.Classes <= 256 && c.Inputs <= 1024 && c.Batch <= 1024,
		"a simulation takes at most 256 classes, 1024 inputs and a batch of 1024")
	measured := map[string]float64{"negative": float64(signs(c.draw(t.Rand, nn.SoftmaxCrossEntropy))[0])}
	z := mat.NewDense(2, 1, []float64{v.Float("first"), v.Float("second")})
	squared, length := v.Float("squared"), math.Pow(mat.Norm(z, 2), 2)
	// W = zxᵀ/‖x‖² + what x does not see, with ‖x‖² = 2‖z‖²/‖W‖².
	basis := gen.Orthonormal(t.Rand, 3, 3)
	x := mat.DenseCopyOf(basis.Slice(0, 3, 0, 1))
	x.Scale(math.Sqrt(2*max(length, 1e-12)/squared), x)
	w := algebra.Product(z, x.T())
	w.Scale(1/math.Pow(mat.Norm(x, 2), 2), w)
	rest := algebra.Product(gen.Orthonormal(t.Rand, 2, 2), basis.Slice(0, 3, 1, 3).T())
	rest.Scale(math.Sqrt((squared-math.Pow(mat.Norm(w, 2), 2))/2), rest)
	w.Add(w, rest)
	label := 0
	if v.Choice("label") == "second" {
		label = 1
	}
	s, view := run(w, x, []int{label}, nn.SoftmaxCrossEntropy)
	s.whiten(view, v.Float("step"), nil)
	m := algebra.Product(s.Next, layers.Descent(s.problem(s.Rate)).T())
	measured["probability"] = s.Gamma.At(0, 0) + float64(1-label)
	measured["angle"] = math.Atan2(m.At(1, 0)-m.At(0, 1), m.At(0, 0)+m.At(1, 1))
	return measured, nil
}
