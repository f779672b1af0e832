package latent

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// excess takes the mean over the signs of the noise at points with weights.
var excess = props.Spec{
	Statement: &theory.Excess,
	Along: &props.Along{
		Param: "noise", To: 2, Smooth: 1, Y: "excess of the predictor 0", Of: []string{"zero"},
		Each: &props.ParamSweep{Name: "p", Values: []string{"3"}}, Places: 6, Reps: 3,
	},
	Try: &props.Simulation{Params: []statement.Param{{Name: "n", Symbol: "n", Meaning: "labels drawn",
		Domain: statement.IntegerBetween(1, 1e7), Default: "20000"}}, Run: tryExcess},
	Checks: []props.Check{props.Drawn[deviations, excessClaim]{
		Name:    "mean over the noise",
		Cases:   props.Scale{Quick: 200, Standard: 2000, Deep: 50000},
		Regimes: []string{"no noise", "all deviations below the noise", "some above", "predictor equals target"},
		Draw: func(t *props.T) deviations {
			n, r := gen.Dim(t.T, "N", 30), t.Stream("deviations")
			in := deviations{Noise: float64(rapid.IntRange(0, 8).Draw(t.T, "4ς")) / 4}
			scale := float64(rapid.IntRange(0, 12).Draw(t.T, "4·scale")) / 4
			for range n {
				in.Deviation = append(in.Deviation, scale*(2*r.Float64()-1))
				in.Weights = append(in.Weights, r.ExpFloat64())
			}
			floats.Scale(1/floats.Sum(in.Weights), in.Weights)
			return in
		},
		Claim: excessClaim{loss: twoPoints(0.5), excess: theory.ExcessLoss},
		Judge: judgeDeviations,
		Controls: []props.Wrong[deviations, excessClaim]{
			{Reading: "learned", // claims E|f − f⋆|
				Instead: excessClaim{excess: func(x, _ float64) float64 { return math.Abs(x) }}},
			{Name: "three-point noise of the same mean size", Assumption: "two-point",
				Instead: excessClaim{loss: func(x, noise float64) float64 { // 0 and ±2ς
					return math.Abs(x)/2 + math.Abs(x-2*noise)/4 + math.Abs(x+2*noise)/4
				}}},
			{Name: "noise against the deviation", Assumption: "independent",
				Instead: excessClaim{loss: func(x, noise float64) float64 { return math.Abs(math.Abs(x) - noise) }}},
			{Name: "signs with probability 0.51", Assumption: "fair",
				Claim: func(c *excessClaim) { c.loss = twoPoints(0.51) }},
		},
	}},
}.Claim()

// deviations holds f − f⋆ at points with weights.
type deviations struct {
	Deviation, Weights []float64
	Noise              float64
}

// excessClaim holds the mean loss of a deviation under a law of the noise, and its claimed excess over ς.
type excessClaim struct {
	loss, excess func(x, noise float64) float64
}

// twoPoints returns the mean of |x ∓ ς|, given the probability of the upper sign.
func twoPoints(probability float64) func(x, noise float64) float64 {
	return func(x, noise float64) float64 {
		return probability*math.Abs(x-noise) + (1-probability)*math.Abs(x+noise)
	}
}

func judgeDeviations(r *props.Record, in deviations, claim excessClaim) {
	above, largest := 0, 0.0
	for _, x := range in.Deviation {
		largest = max(largest, math.Abs(x))
		if math.Abs(x) > in.Noise {
			above++
		}
	}
	r.RegimeOf(in.Noise != 0, in.Noise != 0 && above != 0, largest == 0)
	left, right := 0.0, 0.0
	for i, x := range in.Deviation {
		left += in.Weights[i] * (claim.loss(x, in.Noise) - in.Noise)
		right += in.Weights[i] * claim.excess(x, in.Noise)
	}
	size := largest + in.Noise
	r.WithinScale("excess", left, right, max(size, 0x1p-50), float64(4+2*len(in.Deviation))*r.Unit()*max(size, 0x1p-50))
}

// tryExcess draws labels with noise, and measures the loss of the predictor 0.
func tryExcess(t *props.Trial, v statement.Values) (map[string]float64, error) {
	p, n, noise, loss := v.Int("p"), v.Int("n"), v.Float("noise"), 0.0
	f := target.Pure(2)
	if p > 2 {
		f = target.Mixed(p)
	}
	for range n {
		label := f.At([]float64{t.Rand.NormFloat64()})
		loss += math.Abs(label + noise*float64(2*t.Rand.IntN(2)-1))
	}
	return map[string]float64{"zero": loss/float64(n) - noise}, nil
}
