package onestep

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

var spectrumSpec = experiment.Spec[SpectrumSizes, SpectrumCell, Spectrum]{
	About: experiment.About{Name: "onestep/spectrum", Title: "Spectrum of the features after one large step",
		Source: source + ", figures of the spectrum", Cost: "1 min", Claims: spectrumClaims},
	Version: 1,
	Sizes: map[props.Effort]SpectrumSizes{props.Quick: {Dim: 60}, props.Standard: {Dim: 500},
		props.Deep: {Dim: 1000}},
	Runs: map[props.Effort]int{props.Quick: 3, props.Standard: 8, props.Deep: 10},
	Cells: func(_ props.Effort, run int, _ string) (out []SpectrumCell) {
		for _, act := range activations {
			for _, weights := range allWeights {
				for _, alpha := range exponents {
					out = append(out, SpectrumCell{act, weights, alpha, run})
				}
			}
		}
		return out
	},
	Train: func(_ context.Context, env *experiment.Env, s SpectrumSizes, c SpectrumCell) (Spectrum, error) {
		return s.once(env.Seed, c)
	},
	Judge: judgeSpectra,
}

// SpectrumSizes holds the size of the networks: n = N = 2d.
type SpectrumSizes struct {
	Dim int `json:"dim"`
}

// SpectrumCell is one step of one network. Runs of one number and activation start from the same network and samples.
type SpectrumCell struct {
	Activation string  `json:"activation"`
	Weights    string  `json:"weights"`
	Alpha      float64 `json:"alpha"`
	Run        int     `json:"run"`
}

// String names the cell.
func (c SpectrumCell) String() string {
	return fmt.Sprintf("%s, %s, α = %g, run %d", c.Activation, c.Weights, c.Alpha, c.Run)
}

// The activations. Those that end have small parts of second and third order, and long steps: what a step does besides
// adding its terms is then small at the n at hand, and the edge sharp.
const (
	cubic  = "0.8H₁ + 0.05H₂ + 0.005H₃"
	odd    = "0.8H₁ + 0.005H₃"
	sincos = "√e(sin z + cos z) − 1"
)

var activations = []string{cubic, odd, sincos}

// exponents are one below 1/4, where one term is asked for, on the slides' axis, and one for each of two and three.
var exponents = []float64{0.1, 0.2, 0.3, 0.36}

// beyond is the factor over the predicted edge from which a singular value counts as an outlier.
const beyond = 1.1

// Spectrum holds the measurements of one network. Singular values belong to F/√n.
type Spectrum struct {
	Outliers  []float64 `json:"outliers"`  // beyond the edge by a tenth, the largest first
	Predicted []float64 `json:"predicted"` // where they should lie
	Behind    float64   `json:"behind"`    // the largest singular value that is no outlier
	Noise     float64   `json:"noise"`     // c²_{>1} of the bulk at this size, with what the step adds to it
	Within    []float64 `json:"within"`    // squared cosines of the outliers' left vectors with the span of the terms
	Share     []float64 `json:"share"`     // what they should be
	Histogram []int     `json:"histogram"` // of the singular values, in bins that [bin] begins
}

// Bins grow by a factor each, from a share of the edge on; what lies below is left out.
const (
	firstBin = 1. / 40
	perEdge  = 40 // of them below the edge
)

// bin returns the beginning of the i-th bin, over the edge.
func bin(i int) float64 { return math.Pow(firstBin, 1-float64(i)/perEdge) }

// histogram counts values; the largest must come first.
func histogram(values []float64, edge float64) []int {
	at := func(x float64) int { return int(math.Floor(perEdge * (1 - math.Log(x/edge)/math.Log(firstBin)))) }
	out := make([]int, max(perEdge, at(values[0])+1))
	for _, x := range values {
		if x >= edge*firstBin {
			out[at(x)]++
		}
	}
	return out
}

// setup is the network of a cell, for y = β⋆ᵀx.
func (c SpectrumCell) setup() network.Setup {
	act := map[string]network.Activation{cubic: network.Series(0, 0.8, 0.05, 0.005), odd: network.Series(0, 0.8, 0, 0.005),
		sincos: network.Named("sincos")}[c.Activation]
	return network.Setup{Phi: 0.5, Psi: 0.5, Act: act, Teacher: network.Linear(0)}
}

// eta is the step size κn^α.
func (c SpectrumCell) eta(n int) float64 { return c.kappa() * math.Pow(float64(n), c.Alpha) }

func (c SpectrumCell) kappa() float64 {
	if c.Activation == sincos {
		return 1
	}
	return 4
}

// once takes the step of a cell.
func (s SpectrumSizes) once(seed uint64, c SpectrumCell) (out Spectrum, err error) {
	r := streams.New(seed, "experiment", "onestep/spectrum", c.Activation, strconv.Itoa(c.Run))
	setup := c.setup()
	n, d, _ := setup.Shape(int(math.Round(float64(s.Dim) / math.Sqrt(setup.Phi))))
	step := setup.Draw(r, int(math.Round(float64(s.Dim)/math.Sqrt(setup.Phi))))
	fresh := features.Gaussian(r, n, d)
	f := theory.Features{Step: setup.Step(), Eta: c.eta(n), Trained: c.Weights == gradient}
	after := moved(setup, features.PreActivations(fresh, step.W), direction(setup, step, c.Weights, fresh), f.Eta)
	after.Scale(1/math.Sqrt(float64(n)), after)

	u := network.Times(fresh, step.Beta)
	bulk := f.Bulk()
	bulk.Nonlinear += fluctuation(f, u, step.A)
	out.Noise = bulk.Nonlinear
	left, right := spikes(f, u, step.A, 6)
	cut := beyond * bulk.Edge()
	predicted := list.Where(network.Outliers(bulk, u, left, right), func(o theory.Outlier) bool { return o.Value > cut })
	values, err := linalg.SingularValues(after)
	if err != nil {
		return out, err
	}
	out.Outliers = list.Where(values, func(x float64) bool { return x > cut })
	out.Behind = values[len(out.Outliers)]
	out.Histogram = histogram(values, bulk.Edge())
	out.Predicted = list.Map(predicted, func(o theory.Outlier) float64 { return o.Value })
	span := f.Spikes(theory.Terms(c.Alpha))
	if count := min(len(predicted), len(out.Outliers)); count > 0 {
		found, err := linalg.Leading(linalg.Matrix(after), count, 1e-6, r)
		if err != nil {
			return out, err
		}
		for i, o := range predicted[:count] {
			out.Within = append(out.Within, network.Within(found.Left[i], left[:span]))
			out.Share = append(out.Share, theory.Share(o.Left[:span], network.Gram(left[:span])))
		}
	}
	return out, nil
}

// fluctuation returns the energy that a step adds to c²_{>1} at finite n, from (σ′(z) − c₁)ηc₁ua and along the gradient
// from c₁ηXRᵀ, which has the energy c₁²η²s² of a row times the mean square of a.
func fluctuation(f theory.Features, u, a []float64) float64 {
	c1, square := f.Activation.Coefficient(1), network.MeanSquare(a)
	out := (f.Activation.SlopeEnergy - c1*c1) * math.Pow(c1*f.Eta, 2) * network.MeanSquare(u) * square
	if f.Trained {
		out += math.Pow(c1*f.Eta, 2) * f.Noise() * square
	}
	return out
}

// spikes are the left and right vectors over √n of the terms ηᵏP_k(u)(a^∘k)ᵀ that a sample has, up to a degree.
func spikes(f theory.Features, u, a []float64, degree int) (left, right [][]float64) {
	for k := 1; k <= degree; k++ {
		if !(floats.Norm(f.Left(k), 2) > 0) {
			continue
		}
		term := network.Left(f, u, k)
		floats.Scale(math.Pow(f.Eta, float64(k))/math.Sqrt(float64(len(u))), term)
		left, right = append(left, term), append(right, network.Power(a, k))
	}
	return left, right
}
