// Package universality pairs the claim onestep/universality with regressions on random features and on the Gaussian
// matrices that replace them.
package universality

import (
	"fmt"
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/internal/teachers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/universality.
var Claim = props.Spec{
	Statement: &theory.Universality,
	Checks: []props.Check{
		props.Drawn[instance, comparison]{
			Name:       "closed forms",
			Cases:      props.Scale{Quick: 300, Standard: 2000, Deep: 50000},
			Regimes:    regressions,
			Draw:       draw,
			Claim:      (*props.Record).AtLeast,
			Judge:      judge,
			Replicates: 3,
			Controls: []props.Wrong[instance, comparison]{
				{Reading: "finite-step", Assumption: "strong", Criterion: larger,
					Instead: (*props.Record).Within},
				{Name: "a part that counts without a second term", Criterion: same, Alter: twoTerms},
				{Name: "labels with a part along u^∘2", Criterion: alike, Alter: along},
			},
		},
		props.Grid[network.Cell, []paired, replacement]{
			Name: "replacement",
			Cells: func(e props.Effort) []network.Cell {
				return network.CellsOf(regimes, props.Scale{Quick: 56, Standard: 216, Deep: 216}.At(e))
			},
			Regimes: regimes,
			Measure: func(t *props.Trial, c network.Cell) []paired {
				return measure(t, setups[slices.Index(regimes, c.Setup)], base.At(t.Effort))
			},
			Claim: replacement{func(setup, string, int, int) float64 { return 0 },
				func(r theory.Risk) theory.Resolvent { return teachers.Solved(r).Resolvent }},
			Conclude:   concludeReplaced,
			Replicates: 1,
			Controls: append(noisier(), []props.WrongCell[network.Cell, []paired, replacement]{
				{Name: counted, Criterion: all, Instead: replacement{traces: linearCountedTwice}},
				{Name: "the same with the Gaussian matrix", Criterion: gaussian, As: counted},
				{Name: taken, Criterion: linear, Instead: replacement{traces: allForLinear}},
				{Name: "m₁ for m₂ with the Gaussian matrix", Criterion: linearGaussian, As: taken},
				{Name: "energy counted twice in 1+V", Criterion: noise, As: counted},
				{Name: "the same in 1+V of the Gaussian matrix", Criterion: noiseGaussian, As: counted},
				{Name: "m₁′ for m₂′", Criterion: linearNoise, As: taken},
				{Name: "m₁′ for m₂′ of the Gaussian matrix", Criterion: linearNoiseGaussian, As: taken},
			}...),
		},
		props.Grid[network.Cell, stepped, ratio]{
			Name: "terms for features",
			Cells: func(e props.Effort) []network.Cell {
				return network.CellsOf(lengths, props.Scale{Quick: 96, Standard: 96, Deep: 200}.At(e))
			},
			Regimes: lengths,
			Measure: func(t *props.Trial, c network.Cell) stepped {
				return expansions[slices.Index(lengths, c.Setup)].measure(t, termSizes.At(t.Effort))
			},
			Claim:      1,
			Conclude:   concludeTerms,
			Replicates: 1,
			Controls: []props.WrongCell[network.Cell, stepped, ratio]{
				{Name: lessTerms, Assumption: "terms", Criterion: byTerms("objective"),
					Alter: func(_ network.Cell, s *stepped) { s.Terms = s.Fewer }},
				{Name: "one term less, test error", Criterion: byTerms("test error"), As: lessTerms},
				{Name: tenth, Criterion: byTerms("objective"), Instead: 1.15},
				{Name: "a ratio of 1.15 for the test error", Criterion: byTerms("test error"), As: tenth},
			},
			Coarse: map[string]string{byTerms("objective"): fewCells, byTerms("test error"): fewCells},
			Chosen: map[string][]string{"bound": {byTerms("objective"), byTerms("test error")}},
		},
		props.Grid[int, []paired, ownPart]{
			Name:       "F₀'s own part",
			Cells:      props.Scale{Quick: 96, Standard: 96, Deep: 200}.Indices,
			Regimes:    []string{small, large},
			Measure:    func(t *props.Trial, _ int) []paired { return measureOwn(t) },
			Claim:      setup.added,
			Conclude:   concludeOwn,
			Replicates: 1,
			Controls: []props.WrongCell[int, []paired, ownPart]{
				{Name: "the opposite sign", Criterion: own("objective", finite),
					Instead: func(s setup, name string, kind, width, dim int) float64 {
						return -s.added(name, kind, width, dim)
					}},
				{Name: limit, Criterion: own("objective", finite),
					Instead: func(s setup, name string, kind, width, _ int) float64 { return s.added(name, kind, width, 0) }},
				{Name: "the same for the test error", Criterion: own("test error", finite), As: limit},
				{Name: counts, Criterion: own("objective", random), // ten times as much as at a finite step
					Instead: func(s setup, _ string, kind, width, _ int) float64 {
						return s.added(finite, kind, width, 0) * 10
					}},
				{Name: "the same for their test error", Criterion: own("test error", random), As: counts},
				{Name: "a part that counts for a strong step", Criterion: own("objective", strong), As: counts},
				{Name: "the same for its test error", Criterion: own("test error", strong), As: counts},
			},
		},
	},
	Along: &props.Along{
		Param: "lambda", From: 0.01, To: 10, Of: []string{"objective", "equivalent"},
		At: map[string]string{"n": "200"}, Y: "objective with F₀ and with the Gaussian matrix", Places: 7,
		Reps: 3,
	},
	Try: &props.Simulation{Params: network.Samples(4, 4000, "600"), Run: try},
}.Claim()

// Controls that others share.
const (
	counted = "energy of the linear part counted twice"
	taken   = "m₁ for m₂"
	limit   = "the limit at finite d"
	counts  = "a part that counts for random features"

	lessTerms = "one term less than the interval of α asks for"
	tenth     = "a ratio of 1.15"
)

// fewCells is why the comparison with the terms is coarse.
const fewCells = "both errors of one network scatter by 2 to 4 % at the n of the test suite, half of that at " +
	"standard effort, and every network is factorised three times"

// noisier are the controls with too much noise, one for each difference.
func noisier() []props.WrongCell[network.Cell, []paired, replacement] {
	var out []props.WrongCell[network.Cell, []paired, replacement]
	for _, kind := range errorKinds {
		for _, name := range cases {
			w := props.WrongCell[network.Cell, []paired, replacement]{Criterion: replaced(kind, name),
				Name: fmt.Sprintf("a hundred times the noise: %s, %s", kind, name)}
			if len(out) > 0 {
				w.As = out[0].Name
			} else {
				w.Instead = replacement{difference: moreNoise}
			}
			out = append(out, w)
		}
	}
	return out
}

// try regresses teachers on one network and on the Gaussian matrix in its place.
func try(t *props.Trial, v statement.Values) (map[string]float64, error) {
	r := theory.RiskFrom(v)
	size := teachers.Size(t, v, r)
	t.Need(!r.Trained, "weights=gradient is not simulated here: choose weights=displayed")
	if !math.IsInf(r.Eta, 1) {
		_, _, width := network.Setup{Phi: r.Phi, Psi: r.Psi}.Shape(size)
		r.Width = float64(width)
	}
	s := setup{Act: network.Named(v.Choice("activation")), Risk: r}
	p := compare(t, s, size, asked{Gaussian: true, Whole: true, Cases: []string{strong}})
	own, other := p.Whole.Errors[strong], p.Gaussian.Errors[strong]
	return map[string]float64{"objective": own[0].Got, "equivalent": other[0].Got, "test": own[1].Got,
		"equivalent-test": other[1].Got}, nil
}
