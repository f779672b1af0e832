package onestep

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	theory "github.com/thm-suite/thm/theory/onestep"

	"github.com/thm-suite/thm/theory/hermite"
)

// setup is a network with a teacher y = z + noise, in the proportional limit, once as the implementation runs it and
// once as the statement sees it. A linear teacher with Gaussian noise has light tails; the nonlinear part of a teacher
// enters the claims through E y² only.
type setup struct {
	act          nn.Activation
	closed       hermite.Activation
	phi, psi     float64 // d/n, d/N
	noise        float64 // standard deviation
	gaussianRows bool    // rows of W₀ from N(0, I/d) in place of the unit sphere
}

// step is the setup in the words of the statement.
func (s setup) step() theory.Step {
	return theory.Step{Phi: s.phi, Psi: s.psi, Activation: s.closed, Linear: 1, Energy: 1 + s.noise*s.noise}
}

// shape returns d and N for n samples.
func (s setup) shape(n int) (d, width int) {
	d = int(math.Round(s.phi * float64(n)))
	return d, int(math.Round(float64(d) / s.psi))
}

// series is a setup whose activation is the polynomial Σ c[k] Hₖ.
func series(phi, psi, noise float64, c ...float64) setup {
	return setup{act: features.Series(c...), closed: hermite.Series(c...), phi: phi, psi: psi, noise: noise}
}

// phaseSine is a setup with the activation r sin(z+t), centred.
func phaseSine(phi, psi, noise, r, t float64) setup {
	return setup{act: features.PhaseSine(r, t), closed: hermite.PhaseSine(r, t), phi: phi, psi: psi, noise: noise}
}

// sample is a batch with its labels, and the network before the step.
type sample struct {
	x     *mat.Dense // n×d
	y     []float64  // n
	w     *mat.Dense // W₀, N×d
	a     []float64  // N
	beta  []float64  // Xᵀy/n, d
	truth []float64  // β⋆, d
}

// draw draws a batch of n samples and a network.
func (s setup) draw(r *rand.Rand, n int) sample {
	d, width := s.shape(n)
	out := sample{x: features.Gaussian(r, n, d), truth: features.UnitVector(r, d), w: s.rows(r, width, d), a: outputs(r, width)}
	out.y = s.teacher(out.truth).Labels(r, out.x)
	out.beta = correlate(out.x, out.y)
	return out
}

func (s setup) rows(r *rand.Rand, width, d int) *mat.Dense {
	if s.gaussianRows {
		return features.GaussianRows(r, width, d)
	}
	return features.UnitRows(r, width, d)
}

func (s setup) teacher(direction []float64) features.Teacher {
	return features.Teacher{Direction: direction, Link: func(z float64) float64 { return z }, Noise: s.noise}
}

// gradient is G, the mean-field direction of descent.
func (s sample) gradient(act nn.Activation) *mat.Dense {
	return features.NewLayer(s.x, s.w, s.a, act).Direction(s.y, 1/math.Sqrt(float64(len(s.a))))
}

// outputs draws a with independent N(0, 1/N) entries.
func outputs(r *rand.Rand, width int) []float64 {
	a := make([]float64, width)
	for j := range a {
		a[j] = r.NormFloat64() / math.Sqrt(float64(width))
	}
	return a
}

// correlate returns Xᵀy/n.
func correlate(x *mat.Dense, y []float64) []float64 {
	n, d := x.Dims()
	beta := make([]float64, d)
	for i := range n {
		floats.AddScaled(beta, y[i]/float64(n), x.RawRowView(i))
	}
	return beta
}

// normTolerance is the relative residual at which an operator norm counts as found. Its error is of second order in
// the residual, 10⁻⁶, far below every statistical error here.
const normTolerance = 1e-3

// norm is the operator norm. A failure of the iteration is an error of the check, not a value.
func norm(a linalg.Operator, r *rand.Rand) float64 {
	value, err := linalg.Norm(a, normTolerance, r)
	if err != nil {
		panic(err)
	}
	return value
}

// leading returns the k leading singular triplets.
func leading(a linalg.Operator, k int, r *rand.Rand) *linalg.Triplets {
	t, err := linalg.Leading(a, k, normTolerance, r)
	if err != nil {
		panic(err)
	}
	return t
}

// cosine is |cos| of the angle between two vectors.
func cosine(x, y []float64) float64 {
	return math.Abs(floats.Dot(x, y)) / (floats.Norm(x, 2) * floats.Norm(y, 2))
}

// cell is one replicate of a measurement, in a named setup.
type cell struct {
	Setup string
	Index int
}

func (c cell) String() string { return fmt.Sprintf("%s/%d", c.Setup, c.Index) }

// replicated returns count cells of each setup.
func replicated(count int, setups ...string) []cell {
	var cells []cell
	for _, s := range setups {
		for i := range count {
			cells = append(cells, cell{s, i})
		}
	}
	return cells
}
