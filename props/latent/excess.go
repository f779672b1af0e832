package latent

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

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
	Checks: []props.Check{props.Instances[deviations]{
		Name:    "mean over the noise",
		Cases:   props.Scale{Quick: 200, Standard: 2000, Deep: 50000},
		Regimes: []string{"no noise", "all deviations below the noise", "some above", "predictor equals target"},
		Draw: func(t *props.T, _ string) deviations {
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
		Judge: judgeDeviations,
		Controls: []props.Control{
			{Reading: "learned", Claimed: "E|f − f⋆|"},
			{Name: "three-point noise of the same mean size", Assumption: "two-point", Claimed: "three points"},
			{Name: "noise against the deviation", Assumption: "independent", Claimed: "dependent"},
			{Name: "signs with probability 0.51", Assumption: "fair", Claimed: "unfair"},
		},
	}},
}.Claim()

// deviations are f − f⋆ at points with weights.
type deviations struct {
	Deviation, Weights []float64
	Noise              float64
}

func judgeDeviations(r *props.Record, in deviations, claimed string) {
	above, largest := 0, 0.0
	for _, x := range in.Deviation {
		largest = max(largest, math.Abs(x))
		if math.Abs(x) > in.Noise {
			above++
		}
	}
	switch {
	case largest == 0:
		r.Regime("predictor equals target")
	case in.Noise == 0:
		r.Regime("no noise")
	case above == 0:
		r.Regime("all deviations below the noise")
	default:
		r.Regime("some above")
	}
	left, right := 0.0, 0.0
	for i, x := range in.Deviation {
		plus, minus := math.Abs(x-in.Noise), math.Abs(x+in.Noise)
		loss := 0.5*plus + 0.5*minus
		switch claimed {
		case "unfair":
			loss = 0.51*plus + 0.49*minus
		case "dependent":
			loss = math.Abs(math.Abs(x) - in.Noise)
		case "three points": // 0 and ±2ς
			loss = math.Abs(x)/2 + math.Abs(x-2*in.Noise)/4 + math.Abs(x+2*in.Noise)/4
		}
		left += in.Weights[i] * (loss - in.Noise)
		claim := theory.ExcessLoss(x, in.Noise)
		if claimed == "E|f − f⋆|" {
			claim = math.Abs(x)
		}
		right += in.Weights[i] * claim
	}
	size := largest + in.Noise
	r.WithinScale("excess", left, right, max(size, 0x1p-50), float64(4+2*len(in.Deviation))*r.Unit()*max(size, 0x1p-50))
}
