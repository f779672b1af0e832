package latent

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/impl/ridge"
	"github.com/thm-suite/thm/internal/impl/rkhs"
	"github.com/thm-suite/thm/internal/props/target"
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

var (
	kernelNames = []string{tangent, random, polynomial, gaussian}
	allMethods  = append([]string{network}, kernelNames...)
)

// The kernels with the metric of the first step.
const (
	learnedTangent  = "neural tangent, learned metric"
	learnedRandom   = "random features, learned metric"
	learnedGaussian = "Gaussian, learned metric"
)

var learnedNames = []string{learnedTangent, learnedRandom, learnedGaussian}

// problem holds the settings of the data and of the methods of an experiment.
type problem struct {
	Degree     int     `json:"degree"`     // p of the target ½He₂ + He_p/√(2·p!) of one direction
	Noise      float64 `json:"noise"`      // ς: labels have the noise ±ς with equal chances
	Width      int     `json:"width"`      // m
	Validation int     `json:"validation"` // fresh samples on which penalties are chosen
	Nodes      int     `json:"nodes"`      // of the quadrature along the direction
	Copies     int     `json:"copies"`     // random completions of a node
	MaxKernel  int     `json:"max_kernel"` // samples up to which kernels are tried
}

// bound returns a lower bound for the error of all kernel methods in the mean over directions, a constant and a linear
// part included.
func (p problem) bound(d, n int) float64 {
	return theory.ZonalTarget(d, p.Degree).SpanBound(float64(n + d + 1))
}

// run tries all methods on one data set.
func (p problem) run(r *rand.Rand, c Cell) (Errors, error) {
	train, validation, test := p.draw(r, c)
	learnt, err := latent.Learn(r, train.X, train.Y, p.Width, ridge.Penalties(1e-4, 1e2, 13), validation)
	if err != nil {
		return nil, err
	}
	out := Errors{network: test.Square(learnt.Output(test.X))}
	if c.Samples > p.MaxKernel {
		return out, nil
	}
	for name, k := range p.kernels(c.Dim) {
		if out[name], err = latent.Regress(k, latent.WithBias, train, validation, test); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return out, nil
}

// draw samples the data of a cell: to train on, to tune on, and to test on.
func (p problem) draw(r *rand.Rand, c Cell) (train, validation, test latent.Points) {
	f := target.Mixed(p.Degree)
	noisy := func(s latent.Points) latent.Points {
		for i := range s.Y {
			s.Y[i] += p.Noise * float64(2*r.IntN(2)-1)
		}
		return s
	}
	train = noisy(latent.Sample(r, c.Samples, c.Dim, f.Latent, f.At))
	validation = noisy(latent.Sample(r, p.Validation, c.Dim, f.Latent, f.At))
	return train, validation, latent.Quadrature(r, p.Nodes, p.Copies, c.Dim, f.Latent, f.At)
}

// runMetric tries the neural tangent kernel, and three kernels with the metric of the step, on one data set.
func (p problem) runMetric(r *rand.Rand, c Cell) (Errors, error) {
	train, validation, test := p.draw(r, c)
	_, rest := latent.Preprocess(train.X, train.Y)
	learned, err := latent.InMetric(latent.Symmetric(r, p.Width, c.Dim).FirstGradient(train.X, rest))
	if err != nil {
		return nil, err
	}
	out := Errors{}
	for _, m := range []struct {
		name   string
		k      rkhs.Kernel
		mapped func(*mat.Dense) *mat.Dense
	}{{tangent, rkhs.NeuralTangent(), latent.WithBias}, {learnedTangent, rkhs.NeuralTangent(), learned},
		{learnedRandom, rkhs.RandomFeatures(), learned}, {learnedGaussian, rkhs.Gaussian(1), learned}} {
		if out[m.name], err = latent.Regress(m.k, m.mapped, train, validation, test); err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return out, nil
}

// kernels returns the kernels that are tuned.
func (p problem) kernels(d int) map[string]rkhs.Kernel {
	return map[string]rkhs.Kernel{tangent: rkhs.NeuralTangent(), random: rkhs.RandomFeatures(),
		polynomial: rkhs.Polynomial(p.Degree, float64(d)), gaussian: rkhs.Gaussian(math.Sqrt(float64(d)))}
}
