package latent

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/impl/latent"
	"github.com/thm-suite/thm/internal/stat"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/latent/target"
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
	Try: &props.Simulation{Run: tryAngles, Draw: drawAngles},
}.Claim()

var angleRegimes = []string{"one direction", "one direction, noise 3", "four directions"}

func angleSetup(name string) (target.Named, float64) {
	switch name {
	case "one direction, noise 3":
		return target.Isotropic(1), 3
	case "four directions":
		return target.Isotropic(4), 0
	}
	return target.Isotropic(1), 0
}

// angle is the squared sine of one data set, and in the first regime also that for labels that are permuted.
type angle struct{ Sine, Permuted float64 }

var angleSizes = props.Sweep[batch, angle]{
	Name: "squared sine over its prediction",
	Cells: func(e props.Effort) []batch {
		var cells []batch
		for _, name := range angleRegimes {
			for i := range (props.Scale{Quick: 216, Standard: 864, Deep: 5000}).At(e) {
				cells = append(cells, batch{name, 32, i})
			}
		}
		return cells
	},
	Regimes: angleRegimes,
	Measure: func(t *props.Trial, b batch, _ string) (a angle) {
		f, noise := angleSetup(b.Setup)
		a.Sine, _ = leading(t, f, b.D, anglePerD*b.D, noise, angleWidth, "")
		if b.Setup == angleRegimes[0] && b.Index < permutedSets {
			a.Permuted, _ = leading(t, f, b.D, anglePerD*b.D, noise, angleWidth, "permuted")
		}
		return a
	},
	Conclude: func(r *props.Record, cells []batch, all []angle, claimed string) {
		for _, regime := range angleRegimes {
			r.Regime(regime)
			f, noise := angleSetup(regime)
			var draws []float64
			a := theory.Angle{R: f.Latent, Noise: noise, M: angleWidth}
			for i, draw := range all {
				if cells[i].Setup != regime {
					continue
				}
				a.D, a.N = cells[i].D, anglePerD*cells[i].D
				switch {
				case claimed != "permuted" || regime != angleRegimes[0]:
					draws = append(draws, draw.Sine/claimedSine(a, claimed))
				case cells[i].Index < permutedSets:
					draws = append(draws, draw.Permuted/claimedSine(a, claimed))
				}
			}
			margin := 4/float64(a.D) + 2*float64(a.R*a.D)*(1+noise*noise)/float64(a.N) + angleSD/6 +
				stat.MedianMargin(stat.NormalTail, angleSD, len(draws), stat.CriterionAlpha, stat.CriterionUndecided)
			iv := stat.Median(draws, stat.CriterionAlpha)
			if claimed == "" {
				r.Measured("sin²θ over its prediction, "+regime, iv, 1)
			}
			r.Equals("sin²θ over its prediction", iv, 1, margin)
		}
	},
	Controls: []props.Control{
		{Name: "permuted labels", Assumption: "labels", Claimed: "permuted"},
		{Name: "noise not counted", Assumption: "noise", Claimed: "no noise"},
		{Name: "variance of the labels alone, r(d−r)/(2n)", Claimed: "isotropic"},
		{Name: "n ∝ d²", Claimed: "d²"},
		{Name: "half of it", Claimed: "half"},
	},
	Replicates: 1,
	Coarse:     map[string]string{"sin²θ over its prediction": "the scatter of single data sets"},
}

const (
	anglePerD    = 64
	angleWidth   = 128
	permutedSets = 40  // data sets with permuted labels
	angleSD      = 0.3 // of one draw over its prediction
)

func claimedSine(a theory.Angle, claimed string) float64 {
	switch claimed {
	case "no noise":
		a.Noise = 0
	case "isotropic":
		return float64(a.R*(a.D-a.R)) / float64(2*a.N)
	case "d²":
		a.N /= a.D
	case "half":
		return a.SineSquared() / 2
	}
	return a.SineSquared()
}

// leading samples, steps, and returns the squared sine and the share of the step in the subspace.
func leading(t *props.Trial, f target.Named, d, n int, noise float64, m int, done string) (sine, share float64) {
	p := sampleNoisy(t.Rand, n, d, f, noise)
	if done == "permuted" {
		t.Rand.Shuffle(n, func(i, j int) { p.Y[i], p.Y[j] = p.Y[j], p.Y[i] })
	}
	_, rest := latent.Preprocess(p.X, p.Y)
	w := latent.Symmetric(t.Rand, m, d).FirstGradient(p.X, rest)
	sine, err := latent.SineSquared(w, f.Latent)
	if err != nil {
		panic(err)
	}
	return sine, latent.Energy(w, f.Latent)
}

// angleDims are dimensions that are compared at n = 32d.
var angleDims = []int{16, 96}

const growthPerD = 32

// growth are squared sines and shares by dimension.
type growth struct{ Sines, Shares []float64 }

var angleGrowth = props.Sweep[int, growth]{
	Name:  "growth with d at fixed n/d",
	Cells: runs(96, 216),
	Measure: func(t *props.Trial, _ int, _ string) growth {
		var g growth
		for _, d := range angleDims {
			n := growthPerD * d
			sine, share := leading(t, target.Isotropic(1), d, n, 0, angleWidth, "")
			g.Sines, g.Shares = append(g.Sines, sine), append(g.Shares, share)
		}
		return g
	},
	Conclude: func(r *props.Record, _ []int, all []growth, claimed string) {
		var logs, shares []float64
		for _, g := range all {
			logs, shares = append(logs, math.Log(g.Sines[1]/g.Sines[0])), append(shares, g.Shares[1])
		}
		small, large := float64(angleDims[0]), float64(angleDims[1])
		want := 0.0
		for i, sign := range []float64{-1, 1} {
			d := angleDims[i]
			want += sign * math.Log(theory.Angle{D: d, R: 1, N: growthPerD * d, M: angleWidth}.SineSquared())
		}
		if claimed == "as the share" {
			want += math.Log(large / small)
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
	Controls: []props.Control{
		{Name: "grows as 1 − ρ, by the quotient of the dimensions", Claimed: "as the share"},
	},
	Replicates: 1,
	Coarse:     map[string]string{"log of the quotient of sin²θ": "the scatter of single data sets"},
}
