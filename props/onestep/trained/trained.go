// Package trained pairs the claim onestep/trained with networks after one step along their gradient.
package trained

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/network"
	values "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/trained.
var Claim = props.Spec{
	Statement: &theory.TrainedNetworks,
	Checks: []props.Check{props.Sweep[cell, ratios]{
		Name:       "gradient and displayed weights",
		Cells:      cells,
		Regimes:    network.Map(setups, func(s setup) string { return s.Name }),
		Measure:    measure,
		Conclude:   conclude,
		Replicates: 1,
		Controls: []props.Control{
			{Name: "the limit of large N", Assumption: "finite", Criterion: objective, Claimed: "limit"},
			{Name: "no difference in the objective", Assumption: "gradient", Criterion: objective, Claimed: "none"},
			{Name: "no difference in the test error", Criterion: test, Claimed: "none"},
			{Name: "regression on the step's own samples", Assumption: "fresh", Criterion: objective, Done: "reuse"},
			{Name: "the opposite difference", Criterion: test, Claimed: "opposite"},
		},
		Coarse: map[string]string{objective: "one network scatters by 0.2", test: "one network scatters by 0.3"},
	}},
	Along: &props.Along{
		Param: "N", From: 50, To: 200, Of: []string{"objective", "test"},
		Y: "log ratio, gradient over displayed weights", Places: 3, Reps: 9,
	},
	Try: &props.Simulation{Run: try},
}.Claim()

// The criteria.
const (
	objective = "log ratio of objectives"
	test      = "log ratio of test errors"
)

// margin is part of the claim.
const margin = 0.08

// setup is a network with a teacher, at any size.
type setup struct {
	Name string // the regime
	theory.Trained
	SD [2]float64 // of a network at √(nd) = 40
}

var setups = []setup{
	{"N = n = d", theory.Trained{Phi: 1, Psi: 1, Lambda: 4, First: 1, Second: 1, Linear: 1, Square: 0.5, Noise: 1,
		Kappa: 2, Rows: true, Lean: true}, [2]float64{0.25, 0.4}},
	{"N = n = 2d", theory.Trained{Phi: 0.5, Psi: 0.5, Lambda: 4, First: 1, Second: 1, Linear: 1, Square: 0.7, Noise: 1,
		Kappa: 3, Rows: true, Lean: true}, [2]float64{0.225, 0.375}},
}

type cell struct{ Setup, Index int }

func cells(e props.Effort) []cell {
	var out []cell
	for s := range setups {
		for i := range (props.Scale{Quick: 128, Standard: 216, Deep: 400}).At(e) {
			out = append(out, cell{s, i})
		}
	}
	return out
}

// ratios are means of both log ratios over networks.
type ratios struct {
	Width, Networks int
	Log             [2]float64
}

func measure(t *props.Trial, c cell, done string) ratios {
	size := props.Scale{Quick: 40, Standard: 80, Deep: 160}.At(t.Effort)
	count := props.Scale{Quick: 5, Standard: 5, Deep: 10}.At(t.Effort)
	if done != "" { // far off
		size, count = 40, 3
	}
	s := setups[c.Setup]
	out := ratios{Networks: count}
	for range count {
		log, width := s.compare(t, size, done)
		out.Width = width
		for k, x := range log {
			out.Log[k] += x / float64(count)
		}
	}
	return out
}

// network is the setup as networks are drawn.
func (s setup) network() network.Setup {
	return network.Setup{Phi: s.Phi, Psi: s.Psi, Act: network.Series(0, s.First, s.Second),
		Teacher: network.Quadratic(0, s.Linear, s.Square, math.Sqrt(s.Noise))}
}

// compare returns the log ratios of one network, and its width.
func (s setup) compare(t *props.Trial, size int, done string) (log [2]float64, width int) {
	at := s.network()
	h := at.Draw(t.Rand, size)
	n, d := h.X.Dims()
	fresh, y := h.X, h.Y
	if done != "reuse" {
		fresh = features.Gaussian(t.Rand, n, d)
		y = features.Teacher{Direction: h.Target, Link: at.Teacher.Link, Noise: at.Teacher.Noise}.Labels(t.Rand, fresh)
	}
	s.Width = float64(len(h.A))
	eta := s.Kappa * math.Pow(s.Width, 0.25)
	displayed := features.PreActivations(fresh, h.W)
	displayed.RankOne(displayed, eta*s.First, mat.NewVecDense(n, network.Times(fresh, h.Beta)),
		mat.NewVecDense(len(h.A), h.A))
	w := h.Gradient(at.Act.Run)
	w.Scale(eta, w)
	w.Add(w, h.W)
	before, after := s.fit(at, displayed, y), s.fit(at, features.PreActivations(fresh, w), y)
	return [2]float64{math.Log(after.Objective / before.Objective), math.Log(after.LeaveOneOut / before.LeaveOneOut)},
		len(h.A)
}

// fit regresses labels on the features of these pre-activations, which it replaces.
func (s setup) fit(at network.Setup, z *mat.Dense, y []float64) features.Fit {
	regression, err := features.NewRegression(features.Overwrite(at.Act.Run, z), s.Lambda)
	if err != nil {
		panic(err)
	}
	return regression.Fits(mat.NewDense(1, len(y), y), features.Added{})[0]
}

// claim are the log ratios as a version of the claim has them. A failure is a NaN, which no criterion accepts.
func (s setup) claim(claimed string) [2]float64 {
	of := s.Ratios
	if claimed == "limit" {
		of = s.RatiosOfLimit
	}
	first, second, err := of()
	if err != nil {
		first, second = math.NaN(), math.NaN()
	}
	factor := map[string]float64{"none": 0, "opposite": -1}
	if f, wrong := factor[claimed]; wrong {
		first, second = f*first, f*second
	}
	return [2]float64{first, second}
}

func conclude(r *props.Record, cells []cell, all []ratios, claimed string) {
	for i, s := range setups {
		r.Regime(s.Name)
		var mine []ratios
		for k, c := range cells {
			if c.Setup == i {
				mine = append(mine, all[k])
			}
		}
		s.Width = float64(mine[0].Width)
		// Like means over samples, one network scatters as 1/√n.
		spread := math.Sqrt(40 / (s.Width * s.Psi / math.Sqrt(s.Phi)) / float64(mine[0].Networks))
		want := s.claim(claimed)
		for k, name := range []string{objective, test} {
			network.Limit{Name: name, SD: s.SD[k] * spread, Bias: margin}.Absolute(r,
				network.Map(mine, func(m ratios) float64 { return m.Log[k] }), want[k])
		}
	}
}

// try takes one network.
func try(t *props.Trial, v values.Values) (map[string]float64, error) {
	s := setup{Trained: theory.TrainedFrom(v)}
	size := s.Width * s.Psi / math.Sqrt(s.Phi)
	n, d, width := s.network().Shape(int(math.Round(size)))
	if work := float64(n) * (float64(n) + float64(d)) * float64(width); !(work <= 2e9) {
		return nil, fmt.Errorf("n(n + d)N = %.2g is more than 2e9: choose a smaller N", work)
	}
	log, _ := s.compare(t, int(math.Round(size)), "")
	return map[string]float64{"objective": log[0], "test": log[1]}, nil
}
