// Package universality pairs the claim onestep/universality with regressions on random features and on Gaussian
// matrices in their place.
package universality

import (
	"fmt"
	"slices"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/network"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/universality.
var Claim = props.Spec{
	Statement: &theory.Universality,
	Checks: []props.Check{
		props.Instances[instance]{
			Name:       "closed forms",
			Cases:      props.Scale{Quick: 300, Standard: 2000, Deep: 50000},
			Regimes:    regressions,
			Draw:       draw,
			Judge:      judge,
			Replicates: 3,
			Controls: []props.Control{
				{Reading: "finite-step", Assumption: "strong", Criterion: larger, Claimed: "equal"},
				{Name: "a part that counts without a second term", Criterion: same, Done: "two terms"},
			},
		},
		props.Sweep[network.Cell, []paired]{
			Name: "replacement",
			Cells: func(e props.Effort) []network.Cell {
				return network.CellsOf(regimes, props.Scale{Quick: 80, Standard: 216, Deep: 216}.At(e))
			},
			Regimes: regimes,
			Measure: func(t *props.Trial, c network.Cell, _ string) []paired {
				return measure(t, setups[slices.Index(regimes, c.Setup)], base.At(t.Effort))
			},
			Conclude:   concludeReplaced,
			Replicates: 1,
			Controls: append(noisier(),
				props.Control{Name: "energy of the linear part counted twice", Criterion: all, Claimed: "energy"},
				props.Control{Name: "the same with the Gaussian matrix", Criterion: gaussian, Claimed: "energy"},
				props.Control{Name: "m₁ for m₂", Criterion: linear, Claimed: "m₁"},
				props.Control{Name: "m₁ for m₂ with the Gaussian matrix", Criterion: linearGaussian, Claimed: "m₁"},
				props.Control{Name: "energy counted twice in 1+V", Criterion: noise, Claimed: "energy"},
				props.Control{Name: "the same in 1+V of the Gaussian matrix", Criterion: noiseGaussian, Claimed: "energy"},
				props.Control{Name: "m₁′ for m₂′", Criterion: linearNoise, Claimed: "m₁"},
				props.Control{Name: "m₁′ for m₂′ of the Gaussian matrix", Criterion: linearNoiseGaussian, Claimed: "m₁"},
			),
		},
		props.Sweep[int, []paired]{
			Name:       "F₀'s own part",
			Cells:      props.Scale{Quick: 96, Standard: 96, Deep: 200}.Indices,
			Regimes:    []string{small, large},
			Measure:    func(t *props.Trial, _ int, _ string) []paired { return measureOwn(t) },
			Conclude:   concludeOwn,
			Replicates: 1,
			Controls: []props.Control{
				{Name: "the opposite sign", Criterion: own("objective", finite), Claimed: "sign"},
				{Name: "the limit at finite d", Criterion: own("objective", finite), Claimed: "limit"},
				{Name: "the same for the test error", Criterion: own("test error", finite), Claimed: "limit"},
				{Name: "a part that counts for random features", Criterion: own("objective", random), Claimed: "added"},
				{Name: "the same for their test error", Criterion: own("test error", random), Claimed: "added"},
				{Name: "a part that counts for a strong step", Criterion: own("objective", strong), Claimed: "added"},
				{Name: "the same for its test error", Criterion: own("test error", strong), Claimed: "added"},
			},
		},
	},
	Along: &props.Along{
		Param: "lambda", From: 0.01, To: 10, Of: []string{"objective", "equivalent"},
		At: map[string]string{"n": "200"}, Y: "objective with F₀ and with the Gaussian matrix", Places: 7,
		Reps: 3,
	},
	Try: &props.Simulation{Params: sizes, Run: try},
}.Claim()

// noisier are the controls with too much noise, one for each difference.
func noisier() []props.Control {
	var out []props.Control
	for _, kind := range errorKinds {
		for _, name := range cases {
			out = append(out, props.Control{Name: fmt.Sprintf("a hundred times the noise: %s, %s", kind, name),
				Criterion: replaced(kind, name), Claimed: "more noise"})
		}
	}
	return out
}
