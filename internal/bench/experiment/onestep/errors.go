package onestep

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

var errorsSpec = experiment.Spec[ErrorSizes, ErrorCell, [2]Curves]{
	About: experiment.About{Name: "onestep/errors", Title: "Test errors after one large step in Settings 1 and 2",
		Source: source + ", figures of errors", Cost: "2 min", Claims: errorClaims},
	Version: 1,
	Sizes: map[props.Effort]ErrorSizes{
		props.Quick: {50, []float64{early, middle, late}, []float64{0.01, 0.1, 1}, 2}, props.Standard: standard,
		props.Deep: standard},
	Runs: map[props.Effort]int{props.Quick: 3, props.Standard: 72, props.Deep: 400},
	Cells: func(_ props.Effort, run int, _ string) []ErrorCell {
		return list.Map(allWeights, func(weights string) ErrorCell { return ErrorCell{weights, run} })
	},
	Train: func(_ context.Context, env *experiment.Env, s ErrorSizes, c ErrorCell) ([2]Curves, error) {
		return s.once(env.Seed, c)
	},
	Judge: judgeErrors,
}

// ErrorSizes holds the sizes of the networks and of the curves; N = n and d = 0.6n.
type ErrorSizes struct {
	Samples   int       `json:"samples"`
	Exponents []float64 `json:"exponents"`
	Penalties []float64 `json:"penalties"`
	Swept     int       `json:"swept"` // so many of the runs are tried at all penalties
}

// At all penalties errors are compared without a step, and after steps of two
// sizes.
var (
	standard = ErrorSizes{500, []float64{-0.2, 0, 0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5},
		[]float64{1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1, 3, 10}, 24}
	swept = []float64{math.Inf(-1), middle, late}
)

// The exponents that claims compare: before the first gain, after it, and after the second one; and the penalty of the
// curve over them.
const (
	early   = -0.2
	middle  = 0.2
	late    = 0.4
	penalty = 0.01
)

// ErrorCell is one network, in both settings. Runs of one number start from the same network and samples.
type ErrorCell struct {
	Weights string `json:"weights"`
	Run     int    `json:"run"`
}

// String names the cell.
func (c ErrorCell) String() string { return fmt.Sprintf("%s, run %d", c.Weights, c.Run) }

// Curves are the mean squares over samples that are left out in one setting.
type Curves struct {
	Exponents []float64   `json:"exponents"`           // for each exponent
	Penalties [][]float64 `json:"penalties,omitempty"` // for each of the steps of the sweep and each penalty
}

var settings = []string{"Setting 1", "Setting 2"}

// setting is a setting of the slides.
func setting(i int) network.Setup {
	teacher := []network.Teacher{network.Linear(1), network.Quadratic(0, 1, math.Sqrt(0.5), 0)}[i]
	return network.Setup{Phi: 0.6, Psi: 0.6, Act: network.Named("relu"), Teacher: teacher}
}

// once regresses in both settings, which share the network and all samples.
func (s ErrorSizes) once(seed uint64, c ErrorCell) (out [2]Curves, err error) {
	r := streams.New(seed, "experiment", "onestep/errors", strconv.Itoa(c.Run))
	step := setting(0).Draw(r, int(math.Round(float64(s.Samples)*math.Sqrt(setting(0).Phi))))
	n, d := step.X.Dims()
	fresh := features.Gaussian(r, n, d)
	z := features.PreActivations(fresh, step.W)
	for i := range out {
		setup := setting(i)
		teacher := features.Teacher{Direction: step.Target, Link: setup.Teacher.Link, Noise: setup.Teacher.Noise}
		step.Y = teacher.Labels(r, step.X)
		step.Beta = network.Correlate(step.X, step.Y)
		y := teacher.Labels(r, fresh)
		along := direction(setup, step, c.Weights, fresh)
		after := func(alpha float64) *mat.Dense { return moved(setup, z, along, math.Pow(float64(n), alpha)) }
		for _, alpha := range s.Exponents {
			one, err := features.LeaveOneOut(after(alpha), y, penalty)
			if err != nil {
				return out, err
			}
			out[i].Exponents = append(out[i].Exponents, one)
		}
		for k := 0; k < len(swept) && c.Run < s.Swept; k++ {
			all, err := leftOut(after(swept[k]), y, s.Penalties)
			if err != nil {
				return out, err
			}
			out[i].Penalties = append(out[i].Penalties, all)
		}
	}
	return out, nil
}

// leftOut are the mean squares of what ridge regression on all other samples predicts of each sample minus its label,
// for penalties λ‖a‖² added to the mean square: residuals over one minus the diagonal of the hat matrix, from one
// factorisation FFᵀ = VDVᵀ.
func leftOut(f *mat.Dense, y, penalties []float64) ([]float64, error) {
	n, _ := f.Dims()
	gram := mat.NewSymDense(n, nil)
	gram.SymOuterK(1, f)
	values, vectors, err := linalg.SymEigen(gram, true)
	if err != nil {
		return nil, err
	}
	labels := make([]float64, n)
	mat.NewVecDense(n, labels).MulVec(vectors.T(), mat.NewVecDense(n, y))
	return list.Map(penalties, func(lambda float64) float64 {
		inverse := list.Map(values, func(v float64) float64 { return 1 / (max(0, v) + lambda*float64(n)) })
		rest := floats.MulTo(make([]float64, n), inverse, labels)
		sum := 0.0
		for i := range n {
			row, diagonal := vectors.RawRowView(i), 0.0
			for k, v := range row {
				diagonal += v * v * inverse[k]
			}
			sum += math.Pow(floats.Dot(row, rest)/diagonal, 2)
		}
		return sum / float64(n)
	}), nil
}

// predicted is the limit of the test error at n samples with ℓ = 2 terms; an exponent of −∞ is no step.
func (s ErrorSizes) predicted(i int, weights string, alpha, lambda float64) float64 {
	setup := setting(i)
	e, err := theory.Risk{Phi: setup.Phi, Psi: setup.Psi, Lambda: lambda, Activation: setup.Act.Closed,
		Teacher: theory.SettingTeachers[i], Terms: 2, Eta: math.Pow(float64(s.Samples), alpha), Width: float64(s.Samples),
		Trained: weights == gradient}.Errors()
	if err != nil {
		return math.NaN()
	}
	return e.Test
}
