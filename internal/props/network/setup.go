// Package network draws the networks, samples and teachers for the claims about one gradient step.
package network

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Implemented are the activations of the statements as networks run them, by name; add here.
var Implemented = map[string]nn.Activation{
	"sincos":     features.PhaseSine(math.Sqrt(2*math.E), math.Pi/4),
	"phase-sine": features.PhaseSine(math.Sqrt(math.E), 1),
	"tanh":       nn.Tanh,
	"relu":       features.CentredReLU,
	"quadratic":  features.Series(0, 0.8, 0.5),
}

// Activation is σ, once as the implementation runs it and once as the statement sees it.
type Activation struct {
	Run    nn.Activation
	Closed hermite.Activation
}

// Named is an activation of the statements.
func Named(name string) Activation { return Activation{Implemented[name], theory.Activation(name)} }

// Series is the polynomial Σ c[k] Hₖ.
func Series(c ...float64) Activation { return Activation{features.Series(c...), hermite.Series(c...)} }

// Teacher labels with Link(β⋆ᵀx) + Noise·ε.
type Teacher struct {
	Link  func(z float64) float64
	Noise float64 // standard deviation

	Mean, Linear, Square float64 // of the link: E σ⋆(Z), E Zσ⋆(Z), E σ⋆(Z)²
}

// Linear is y = z + noise; with noise of variance 1, Setting 1 of the slides.
func Linear(noise float64) Teacher {
	return Teacher{func(z float64) float64 { return z }, noise, 0, 1, 1}
}

// Quadratic is y = mean + linear·z + square·(z²−1) + noise. Setting 2 of the slides is Quadratic(0, 1, 1/√2, 0).
func Quadratic(mean, linear, square, noise float64) Teacher {
	link := func(z float64) float64 { return mean + linear*z + square*(z*z-1) }
	return Teacher{link, noise, mean, linear, mean*mean + linear*linear + 2*square*square}
}

// Sign is y = sign(z) + noise: E Zσ⋆(Z) = E|Z| = √(2/π).
func Sign(noise float64) Teacher {
	return Teacher{func(z float64) float64 { return math.Copysign(1, z) }, noise, 0, math.Sqrt(2 / math.Pi), 1}
}

// Rectified is y = max(z, 0) + noise, whose mean is 1/√(2π).
func Rectified(noise float64) Teacher {
	return Teacher{func(z float64) float64 { return max(z, 0) }, noise, 1 / math.Sqrt(2*math.Pi), 0.5, 0.5}
}

// Setup is a network with a teacher, in the proportional limit.
type Setup struct {
	Name         string
	Regime       string // what kind of teacher it has
	Phi, Psi     float64
	Act          Activation
	Teacher      Teacher
	GaussianRows bool // rows of W₀ from N(0, I/d) in place of the unit sphere
}

// The regimes of the teacher.
const (
	LinearTeacher    = "linear teacher"
	NonlinearTeacher = "nonlinear teacher, E y = 0"
	MeanTeacher      = "E y ≠ 0"
)

// Teachers are all regimes.
var Teachers = []string{LinearTeacher, NonlinearTeacher, MeanTeacher}

// Step is the setup in the words of the statement.
func (s Setup) Step() theory.Step {
	return theory.Step{Phi: s.Phi, Psi: s.Psi, Activation: s.Act.Closed,
		Linear: s.Teacher.Linear, Mean: s.Teacher.Mean, Energy: s.Teacher.Square + s.Teacher.Noise*s.Teacher.Noise}
}

// Shape returns n, d and N for a network of that size, √(nd).
func (s Setup) Shape(size int) (n, d, width int) {
	root := math.Sqrt(s.Phi)
	n, d = max(1, int(math.Round(float64(size)/root))), max(1, int(math.Round(float64(size)*root)))
	return n, d, max(1, int(math.Round(float64(d)/s.Psi)))
}

// Sample is a batch with its labels, and the network before the step.
type Sample struct {
	X      *mat.Dense // n×d
	Y      []float64  // n
	W      *mat.Dense // W₀, N×d
	A      []float64  // N
	Beta   []float64  // Xᵀy/n, d
	Target []float64  // β⋆, d
}

// Draw draws a batch and a network of that size.
func (s Setup) Draw(r *rand.Rand, size int) Sample {
	_, d, width := s.Shape(size)
	out := s.Labelled(r, size)
	out.W, out.A = s.Rows(r, width, d), Outputs(r, width)
	return out
}

// Labelled draws the batch alone.
func (s Setup) Labelled(r *rand.Rand, size int) Sample {
	n, d, _ := s.Shape(size)
	out := Sample{X: features.Gaussian(r, n, d), Target: features.UnitVector(r, d)}
	out.Y = features.Teacher{Direction: out.Target, Link: s.Teacher.Link, Noise: s.Teacher.Noise}.Labels(r, out.X)
	out.Beta = Correlate(out.X, out.Y)
	return out
}

// Learned draws β of a further batch with another teacher, without that batch: given β⋆ᵀx and y, what β has across β⋆
// is normal, with the variance Σy²/n² in every direction.
func (s Setup) Learned(r *rand.Rand, size int) []float64 {
	n, d, _ := s.Shape(size)
	along, square := 0.0, 0.0
	for range n {
		z := r.NormFloat64()
		y := s.Teacher.Link(z) + s.Teacher.Noise*r.NormFloat64()
		along, square = along+z*y/float64(n), square+y*y
	}
	target, beta := features.UnitVector(r, d), features.Gaussian(r, 1, d).RawRowView(0)
	floats.AddScaled(beta, -floats.Dot(beta, target), target)
	floats.Scale(math.Sqrt(square)/float64(n), beta)
	floats.AddScaled(beta, along, target)
	return beta
}

// Rows draws W₀, width×d.
func (s Setup) Rows(r *rand.Rand, width, d int) *mat.Dense {
	if s.GaussianRows {
		return features.GaussianRows(r, width, d)
	}
	return features.UnitRows(r, width, d)
}

// Outputs draws a with independent N(0, 1/N) entries.
func Outputs(r *rand.Rand, width int) []float64 {
	return list.Fill(width, func(int) float64 { return r.NormFloat64() / math.Sqrt(float64(width)) })
}

// Correlate returns Xᵀy/n.
func Correlate(x *mat.Dense, y []float64) []float64 {
	n, d := x.Dims()
	beta := make([]float64, d)
	for i := range n {
		floats.AddScaled(beta, y[i]/float64(n), x.RawRowView(i))
	}
	return beta
}

// Times returns Xv.
func Times(x *mat.Dense, v []float64) []float64 {
	n, d := x.Dims()
	out := make([]float64, n)
	mat.NewVecDense(n, out).MulVec(x, mat.NewVecDense(d, v))
	return out
}

// Gradient is G, the mean-field direction of descent.
func (s Sample) Gradient(act nn.Activation) *mat.Dense {
	return features.NewLayer(s.X, s.W, s.A, act).Direction(s.Y, 1/math.Sqrt(float64(len(s.A))))
}

// Samples is the parameter n of a simulation.
func Samples(low, high int, usual string) []statement.Param {
	return []statement.Param{{Name: "n", Symbol: "n", Meaning: "samples", Domain: statement.IntegerBetween(low, high),
		Default: usual}}
}

// Simulated is the setup at the parameters that a user named. The nonlinear part of its teacher is quadratic.
func Simulated(t *props.Trial, v statement.Values) Setup {
	step := theory.StepFrom(v)
	t.Refuse(step.Valid())
	teacher := Quadratic(step.Mean, step.Linear, math.Sqrt(v.Float("nonlinear")/2), math.Sqrt(v.Float("noise")))
	return Setup{Phi: step.Phi, Psi: step.Psi, Act: Named(v.Choice("activation")), Teacher: teacher}
}

// Sized is the size √(nd) of a network at a user's n. A simulation whose work, a formula in n, d and N, is beyond a
// limit is refused.
func (s Setup) Sized(t *props.Trial, v statement.Values, limit float64, formula string,
	work func(n, d, width float64) float64) int {
	size := int(math.Round(v.Float("n") * math.Sqrt(s.Phi)))
	n, d, width := s.Shape(size)
	takes := work(float64(n), float64(d), float64(width))
	t.Need(takes <= limit, "%s = %.2g is more than %g: choose a smaller n", formula, takes, limit)
	return size
}

// Product is the work n·d·N of one gradient.
func Product(n, d, width float64) float64 { return n * d * width }
