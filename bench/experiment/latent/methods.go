package latent

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/latent"
	"github.com/thm-suite/thm/impl/ridge"
	"github.com/thm-suite/thm/impl/rkhs"
	"github.com/thm-suite/thm/props/latent/target"
	theory "github.com/thm-suite/thm/theory/latent"
)

// Cell is one data set, on which all methods are tried.
type Cell struct {
	Dim     int `json:"dim"`     // d
	Samples int `json:"samples"` // n
	Run     int `json:"run"`
}

// String names the cell.
func (c Cell) String() string { return fmt.Sprintf("d = %d, n = %d, run %d", c.Dim, c.Samples, c.Run) }

// row names the cell without its run.
func (c Cell) row() string { return fmt.Sprintf("d = %d, n = %d", c.Dim, c.Samples) }

// Errors are the mean squared errors of the methods against the noise-free target, by name. The mean square of the
// target is 1.
type Errors map[string]float64

// The methods.
const (
	network    = "Algorithm 1"
	tangent    = "neural tangent"
	random     = "random features"
	polynomial = "polynomial"
	gaussian   = "Gaussian"
)

var kernelNames = []string{tangent, random, polynomial, gaussian}

// problem is what an experiment draws its data from.
type problem struct {
	Degree     int     `json:"degree"`     // p of the target ½He₂ + He_p/√(2·p!) of one direction
	Noise      float64 `json:"noise"`      // ς: labels have the noise ±ς with equal chances
	Width      int     `json:"width"`      // m
	Validation int     `json:"validation"` // fresh samples on which penalties are chosen
	Nodes      int     `json:"nodes"`      // of the quadrature along the direction
	Copies     int     `json:"copies"`     // random completions of a node
	MaxKernel  int     `json:"max_kernel"` // samples up to which kernels are tried
}

// bound is what no kernel method falls below in the mean over directions, a constant and a linear part included.
func (p problem) bound(d, n int) float64 {
	return theory.ZonalTarget(d, p.Degree).SpanBound(float64(n + d + 1))
}

// run tries all methods on one data set.
func (p problem) run(r *rand.Rand, c Cell) (Errors, error) {
	f := target.Mixed(p.Degree)
	noisy := func(s latent.Points) latent.Points {
		for i := range s.Y {
			s.Y[i] += p.Noise * float64(2*r.IntN(2)-1)
		}
		return s
	}
	train := noisy(latent.Sample(r, c.Samples, c.Dim, f.Latent, f.At))
	validation := noisy(latent.Sample(r, p.Validation, c.Dim, f.Latent, f.At))
	test := latent.Quadrature(r, p.Nodes, p.Copies, c.Dim, f.Latent, f.At)
	learnt, err := latent.Learn(r, train.X, train.Y, p.Width, ridge.Penalties(1e-4, 1e2, 13), validation)
	if err != nil {
		return nil, err
	}
	out := Errors{network: test.Square(learnt.Output(test.X))}
	if c.Samples > p.MaxKernel {
		return out, nil
	}
	for name, k := range p.kernels(c.Dim) {
		if out[name], err = regress(k, train, validation, test); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return out, nil
}

// kernels are those that are tuned.
func (p problem) kernels(d int) map[string]rkhs.Kernel {
	return map[string]rkhs.Kernel{tangent: rkhs.NeuralTangent(), random: rkhs.RandomFeatures(),
		polynomial: rkhs.Polynomial(p.Degree, float64(d)), gaussian: rkhs.Gaussian(math.Sqrt(float64(d)))}
}

// kernelPenalties are tried, in units of the mean of the diagonal of the kernel matrix.
var kernelPenalties = ridge.Penalties(1e-6, 1e2, 9)

// regress is the test error of kernel ridge regression with the penalty that predicts the validation samples best.
// Points get the constant coordinate √d, which is the bias of a network.
func regress(k rkhs.Kernel, train, validation, test latent.Points) (float64, error) {
	x := withBias(train.X)
	gram := k.Gram(x)
	scale := mat.Trace(gram) / float64(len(train.Y))
	path, err := ridge.NewPath(gram, train.Y)
	if err != nil {
		return math.NaN(), err
	}
	toValidation, toTest := k.Cross(withBias(validation.X), x), k.Cross(withBias(test.X), x)
	smallest, best := math.Inf(1), math.NaN()
	for _, lambda := range kernelPenalties {
		alpha, err := path.Solve(lambda * scale)
		if err != nil {
			continue // not positive definite in floating point: too small a penalty for this kernel
		}
		if e := validation.Square(product(toValidation, alpha)); e < smallest {
			smallest, best = e, test.Square(product(toTest, alpha))
		}
	}
	if math.IsNaN(best) {
		return best, fmt.Errorf("no penalty left the kernel matrix positive definite")
	}
	return best, nil
}

func withBias(x *mat.Dense) *mat.Dense {
	_, d := x.Dims()
	return rkhs.WithConstant(x, math.Sqrt(float64(d)))
}

func product(m *mat.Dense, a []float64) []float64 {
	rows, _ := m.Dims()
	out := mat.NewVecDense(rows, nil)
	out.MulVec(m, mat.NewVecDense(len(a), a))
	return out.RawVector().Data
}
