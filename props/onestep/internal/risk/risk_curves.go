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

// simulate draws one network at a user's parameters, and returns the mean errors of many teachers.
func simulate(t *props.Trial, v statement.Values) (risk theory.Risk, d teachers.Draw,
	fit func(theory.Risk) features.Fit) {
	risk = theory.RiskFrom(v)
	size := teachers.Size(t, v, risk)
	t.Need(!risk.Trained, "weights=gradient is not simulated here: see onestep/universality, or choose weights=displayed")
	d = teachers.Sample(t.Rand, network.Named(v.Choice("activation")), risk, size, 64, false)
	regression, err := features.NewRegression(d.Features, risk.Lambda)
	t.Refuse(err)
	return risk, d, func(r theory.Risk) features.Fit { return teachers.Mean(regression.Fits(d.Labels, d.Added(r))) }
}

func try(t *props.Trial, v statement.Values) (map[string]float64, error) {
	risk, _, fit := simulate(t, v)
	initial := risk
	initial.Terms, initial.Intercept = 0, false
	after := fit(risk)
	return map[string]float64{"objective": after.Objective, "train": after.Train, "test": after.LeaveOneOut,
		"before": fit(initial).LeaveOneOut}, nil
}

// drawCurves shows the errors of one network against α, η = n^α, with the limits at that n and N.
func drawCurves(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	risk, d, fit := simulate(t, v)
	n, width := d.Features.Dims()
	curves := make([]props.Curve, 4)
	for i, name := range []string{"test error", "training error"} {
		curves[2*i], curves[2*i+1] = props.Curve{Name: name, Style: props.Points},
			props.Curve{Name: name + ", limit", Style: props.Dashed}
	}
	for step := range 15 {
		alpha := float64(step-4) / 20
		risk.Eta, risk.Width = math.Pow(float64(n), alpha), float64(width)
		limit, err := risk.Errors()
		t.Refuse(err)
		shown := fit(risk)
		for i, y := range []float64{shown.LeaveOneOut, limit.Test, shown.Train, limit.Train} {
			curves[i].Add(alpha, y)
		}
	}
	return []props.Figure{{
		ID: "curves", Title: "Errors against the exponent of the step size",
		Caption: fmt.Sprintf("Mean errors over 128 teachers of ridge regression on F₀ and %d terms, for one network with "+
			"n = %d and N = %d, against α, η = n^α; the test error over samples that are left out, and the limits at "+
			"that n and N (dashed).", risk.Terms, n, width),
		X: props.Axis{Label: "α"}, Y: props.Axis{Label: "error"}, Curves: curves}}, nil
}
