package risk

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/internal/teachers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// sizes are what a simulation needs beyond the parameters of the prediction.
var sizes = []statement.Param{
	{Name: "n", Symbol: "n", Meaning: "samples", Domain: statement.IntegerBetween(4, 4000), Default: "600"},
}

// simulation is one network at a user's parameters with many teachers.
type simulation struct {
	risk       theory.Risk
	draw       teachers.Draw
	regression *features.Regression
}

func simulate(t *props.Trial, v statement.Values) (simulation, error) {
	r := theory.RiskFrom(v)
	act := network.Named(v.Choice("activation"))
	size := int(math.Round(v.Float("n") * math.Sqrt(r.Phi)))
	n, d, width := network.Setup{Phi: r.Phi, Psi: r.Psi}.Shape(size)
	if work := float64(n) * float64(n) * (float64(n) + float64(width) + 2*float64(d)); work > 3e10 {
		return simulation{}, fmt.Errorf("n²(n + N + 2d) = %.2g is more than 3e10: choose a smaller n", work)
	}
	if r.Trained {
		return simulation{}, fmt.Errorf("weights=gradient is not simulated here: see onestep/universality, or choose " +
			"weights=displayed")
	}
	sampled := teachers.Sample(t.Rand, act, r, size, 64, false)
	regression, err := features.NewRegression(sampled.Features, r.Lambda)
	return simulation{r, sampled, regression}, err
}

// try regresses teachers on one network.
func try(t *props.Trial, v statement.Values) (map[string]float64, error) {
	s, err := simulate(t, v)
	if err != nil {
		return nil, err
	}
	before := teachers.Mean(s.regression.Fits(s.draw.Labels, features.Added{}))
	after := teachers.Mean(s.regression.Fits(s.draw.Labels, s.draw.Added(s.risk)))
	return map[string]float64{"objective": after.Objective, "train": after.Train, "test": after.LeaveOneOut,
		"before": before.LeaveOneOut}, nil
}

// drawCurves shows the errors of one network against α, η = n^α, with the limits at that n and N.
func drawCurves(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	s, err := simulate(t, v)
	if err != nil {
		return nil, err
	}
	n, width := s.draw.Features.Dims()
	errors := []struct {
		name string
		fit  func(features.Fit) float64
		of   func(theory.Errors) float64
	}{
		{"test error", func(f features.Fit) float64 { return f.LeaveOneOut },
			func(e theory.Errors) float64 { return e.Test }},
		{"training error", func(f features.Fit) float64 { return f.Train },
			func(e theory.Errors) float64 { return e.Train }},
	}
	curves := make([]props.Curve, 2*len(errors))
	for step := range 15 {
		alpha := float64(step-4) / 20
		s.risk.Eta, s.risk.Width = math.Pow(float64(n), alpha), float64(width)
		limit, err := s.risk.Errors()
		if err != nil {
			return nil, err
		}
		shown := teachers.Mean(s.regression.Fits(s.draw.Labels, s.draw.Added(s.risk)))
		for i, e := range errors {
			for k, y := range []float64{e.fit(shown), e.of(limit)} {
				c := &curves[2*i+k]
				c.Name, c.Style = []string{e.name, e.name + ", limit"}[k], []props.Style{props.Points, props.Dashed}[k]
				c.X, c.Y = append(c.X, alpha), append(c.Y, y)
			}
		}
	}
	return []props.Figure{{
		ID: "curves", Title: "Errors against the exponent of the step size",
		Caption: fmt.Sprintf("Mean errors over 128 teachers of ridge regression on F₀ and %d terms, for one network with "+
			"n = %d and N = %d, against α, η = n^α; the test error over samples that are left out, and the limits at "+
			"that n and N (dashed).", s.risk.Terms, n, width),
		X: props.Axis{Label: "α"}, Y: props.Axis{Label: "error"}, Curves: curves}}, nil
}
