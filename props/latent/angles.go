package latent

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// angles measures the angle between the leading directions of the first step and the latent subspace.
var angles = props.Spec{
	Statement: &theory.Angles,
	Checks:    []props.Check{angleSizes, angleGrowth},
	Along: &props.Along{
		Param: "n", From: 250, To: 16000, Of: []string{"sine"}, At: map[string]string{"d": "32", "m": "128"},
		Y: "squared sine of the latent direction", Places: 7, Reps: 3,
	},
	Try: &props.Simulation{Run: tryAngles,
		Over: &props.Along{Param: "n", Y: "outside of the subspace, sin²θ; inside of it, ρ", Places: 6}},
}.Claim()

var angleRegimes = []string{"one direction", "one direction, noise 3", "four directions"}

var angleSetups = []setup{{target.Isotropic(1), 0}, {target.Isotropic(1), 3}, {target.Isotropic(4), 0}}

// angle holds the squared sines for one set of inputs, by regime, and in the first runs the squared sine for permuted
// labels of the first regime; in the other runs that is zero.
type angle struct {
	Sines    []float64
	Permuted float64
}

var angleSizes = props.Grid[batch, angle, sineClaim]{
	Name: "squared sine over its prediction",
	Cells: func(e props.Effort) []batch {
		return batches(32, props.Scale{Quick: 216, Standard: 864, Deep: 5000}.At(e))
	},
	Regimes: angleRegimes,
	Measure: measureAngles,
	Claim:   theory.Angle.SineSquared,
	Conclude: func(r *props.Record, cells []batch, all []angle, claim sineClaim) {
		for k, regime := range angleRegimes {
			r.Regime(regime)
			var draws []float64
			u, d := angleSetups[k], cells[0].D
			a := theory.Angle{D: d, N: anglePerD * d, R: u.F.Latent, Noise: u.Noise, M: angleWidth}
			for _, draw := range all {
				if sine := draw.Sines[k]; sine > 0 {
					draws = append(draws, sine/claim(a))
				}
			}
			margin := 4/float64(a.D) + 2*float64(a.R*a.D)*(1+u.Noise*u.Noise)/float64(a.N) + angleSD/6 +
				stat.MedianMargin(stat.NormalTail, angleSD, len(draws), stat.CriterionAlpha, stat.CriterionUndecided)
			iv := stat.Median(draws, stat.CriterionAlpha)
			r.Measured("sin²θ over its prediction, "+regime, iv, 1)
			r.Equals("sin²θ over its prediction", iv, 1, margin)
		}
	},
	Controls: []props.WrongCell[batch, angle, sineClaim]{
		{Name: "permuted labels", Assumption: "labels", Alter: func(_ batch, a *angle) {
			a.Sines = slices.Clone(a.Sines)
			a.Sines[0] = a.Permuted
		}},
		{Name: "noise not counted", Assumption: "noise", Instead: func(a theory.Angle) float64 {
			a.Noise = 0
			return a.SineSquared()
		}},
		{Name: "variance of the labels alone, r(d−r)/(2n)",
			Instead: func(a theory.Angle) float64 { return float64(a.R*(a.D-a.R)) / float64(2*a.N) }},
		{Name: "n ∝ d²", Instead: func(a theory.Angle) float64 {
			a.N /= a.D
			return a.SineSquared()
		}},
		{Name: "half of it", Instead: func(a theory.Angle) float64 { return a.SineSquared() / 2 }},
	},
	Replicates: 1,
	Coarse:     map[string]string{"sin²θ over its prediction": "the scatter of single data sets"},
}

const (
	anglePerD    = 64
	angleWidth   = 128
	permutedSets = 40  // data sets with permuted labels
	angleSD      = 0.3 // standard deviation of one draw over its prediction
)

// sineClaim returns the claimed mean of the squared sine.
type sineClaim func(theory.Angle) float64

// measureAngles takes the step for the labels of every regime, at the same inputs.
func measureAngles(t *props.Trial, b batch) (a angle) {
	n := anglePerD * b.D
	x := inputs(t.Rand, n, b.D)
	var all [][]float64
	for _, u := range angleSetups {
		_, rest := latent.Preprocess(x, u.labels(t.Rand, x))
		all = append(all, rest)
	}
	if b.Index < permutedSets {
		y := angleSetups[0].labels(t.Rand, x)
		t.Rand.Shuffle(n, func(i, j int) { y[i], y[j] = y[j], y[i] })
		_, rest := latent.Preprocess(x, y)
		all = append(all, rest)
	}
	for k, w := range latent.Symmetric(t.Rand, angleWidth, b.D).FirstGradients(x, all...) {
		if k == len(angleSetups) {
			a.Permuted = sineOf(w, 1)
		} else {
			a.Sines = append(a.Sines, sineOf(w, angleSetups[k].F.Latent))
		}
	}
	return a
}

// leading draws samples, takes the step, and returns the squared sine and the share of the step in the subspace.
func leading(t *props.Trial, f target.Named, d, n int, noise float64, m int) (sine, share float64) {
	p := sampleNoisy(t.Rand, n, d, f, noise)
	_, rest := latent.Preprocess(p.X, p.Y)
	w := latent.Symmetric(t.Rand, m, d).FirstGradient(p.X, rest)
	return sineOf(w, f.Latent), latent.Energy(w, f.Latent)
}

func sineOf(w *mat.Dense, r int) float64 {
	return must.Get(latent.SineSquared(w, r))
}

// angleDims holds the dimensions that are compared at n = 32d.
var angleDims = []int{16, 96}

const growthPerD = 32

// growth holds squared sines and shares, by dimension.
type growth struct{ Sines, Shares []float64 }

var angleGrowth = props.Grid[int, growth, sineClaim]{
	Name:  "growth with d at fixed n/d",
	Cells: runs(80, 216),
	Measure: func(t *props.Trial, _ int) growth {
		var g growth
		for _, d := range angleDims {
			n := growthPerD * d
			sine, share := leading(t, target.Isotropic(1), d, n, 0, angleWidth)
			g.Sines, g.Shares = append(g.Sines, sine), append(g.Shares, share)
		}
		return g
	},
	Claim: theory.Angle.SineSquared,
	Conclude: func(r *props.Record, _ []int, all []growth, claim sineClaim) {
		var logs, shares []float64
		for _, g := range all {
			logs, shares = append(logs, math.Log(g.Sines[1]/g.Sines[0])), append(shares, g.Shares[1])
		}
		small, large := float64(angleDims[0]), float64(angleDims[1])
		want := 0.0
		for i, sign := range []float64{-1, 1} {
			d := angleDims[i]
			want += sign * math.Log(claim(theory.Angle{D: d, R: 1, N: growthPerD * d, M: angleWidth}))
		}
		sd := math.Sqrt(2/(small-1) + 2/(large-1) + 0.01)
		margin := 4/small - 4/large + stat.MedianMargin(stat.NormalTail, sd, len(logs), stat.CriterionAlpha,
			stat.CriterionUndecided)
		h := theory.Isotropic{D: angleDims[1], R: 1}.Target().Hessian(1)
		step := theory.Step{D: angleDims[1], N: growthPerD * angleDims[1], H: h}
		r.Measured(fmt.Sprintf("share of the step at d = %d and n = 32d", angleDims[1]),
			stat.Median(shares, stat.CriterionAlpha), step.Share())
		r.EqualsAbsolutely("log of the quotient of sin²θ", stat.Median(logs, stat.CriterionAlpha), want, margin)
	},
	Controls: []props.WrongCell[int, growth, sineClaim]{
		{Name: "grows as 1 − ρ, by the quotient of the dimensions",
			Instead: func(a theory.Angle) float64 { return a.SineSquared() * float64(a.D) }},
	},
	Replicates: 1,
	Coarse:     map[string]string{"log of the quotient of sin²θ": "the scatter of single data sets"},
}

func tryAngles(t *props.Trial, v statement.Values) (map[string]float64, error) {
	d, n, m := v.Int("d"), v.Int("n"), v.Int("m")
	t.Need(float64(n)*float64(d) <= 1e7 && d <= 1000,
		"n·d = %g numbers and d = %d are more than can be used here; take at most 10⁷ and 1000", float64(n)*float64(d), d)
	f, err := target.Simulated(v.Int("r"))
	t.Refuse(err)
	sine, share := leading(t, f, d, n, v.Float("noise"), m+m%2)
	return map[string]float64{"sine": sine, "share": share}, nil
}
