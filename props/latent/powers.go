package latent

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// powers integrates over signs and biases, on both sides of the kink.
var powers = props.Spec{
	Statement: &theory.Powers,
	Along: &props.Along{
		Param: "x", From: -1, To: 1, At: map[string]string{"n": "4000"}, Of: []string{"power"},
		Each: &props.ParamSweep{Name: "k", Values: []string{"2", "3", "4"}}, Places: 9, Reps: 5,
	},
	Try: &props.Simulation{Params: []statement.Param{{Name: "n", Symbol: "n", Meaning: "features drawn",
		Domain: statement.IntegerBetween(1, 1e7), Default: "20000"}}, Run: tryPowers},
	Checks: []props.Check{props.Instances[mixture]{
		Name:    "mean over features",
		Cases:   props.Scale{Quick: 200, Standard: 2000, Deep: 50000},
		Regimes: []string{"inside", "at an end", "constant or linear", "normal biases"},
		Draw: func(t *props.T, _ string) mixture {
			return mixture{K: rapid.IntRange(0, 10).Draw(t.T, "k"),
				X:      float64(rapid.IntRange(-64, 64).Draw(t.T, "64x")) / 64,
				Normal: rapid.Bool().Draw(t.T, "normal biases")}
		},
		Judge: judgeMixture,
		Controls: []props.Control{
			{Name: "x = 1 + 1/64", Assumption: "range", Claimed: "outside"},
			{Name: "biases up to 1.01", Assumption: "biases", Claimed: "wider"},
			{Name: "normal biases, weight beyond 1 kept", Assumption: "biases", Claimed: "every bias"},
			{Name: "leaky ReLU of slope 0.01", Assumption: "relu", Claimed: "leaky"},
			{Name: "weight without its last summand", Claimed: "no 2ka"},
			{Name: "weight on both signs", Claimed: "1 for 1−a"},
		},
	}},
}.Claim()

// mixture is a power and its argument; the biases are uniform, or normal and reweighted.
type mixture struct {
	K      int
	X      float64
	Normal bool
}

func judgeMixture(r *props.Record, in mixture, claimed string) {
	switch {
	case in.Normal:
		r.Regime("normal biases")
	case in.K < 2:
		r.Regime("constant or linear")
	case math.Abs(in.X) == 1:
		r.Regime("at an end")
	default:
		r.Regime("inside")
	}
	x, end, act := in.X, 1.0, nn.ReLU.Value
	switch claimed {
	case "outside":
		x = 1 + 1./64
	case "wider":
		end = 1.01
	case "leaky":
		act = func(z float64) float64 { return max(z, 0.01*z) }
	}
	mean, size := 0.0, 0.0
	for _, a := range []float64{-1, 1} {
		feature := func(b float64) float64 {
			v, density := theory.PowerWeight(in.K, a, b), 1/(2*end)
			if in.Normal {
				v, density = theory.NormalPowerWeight(in.K, a, b), distuv.UnitNormal.Prob(b)
			}
			switch {
			case claimed == "every bias" && in.Normal:
				v = theory.PowerWeight(in.K, a, b) / (2 * density)
			case claimed == "no 2ka" && in.K >= 2:
				v -= 2 * float64(in.K) * a
			case claimed == "1 for 1−a" && in.K >= 2:
				v += 2 * a * float64(in.K*(in.K-1)) * math.Pow(b, float64(in.K-2))
			}
			return v * act(a*x+b) * density / 2
		}
		kink := min(end, max(-end, -a*x))
		pieces := [][2]float64{{-end, kink}, {kink, end}}
		if in.Normal { // where the weight is 0 as well
			pieces = append(pieces, [2]float64{-8, -end}, [2]float64{end, 8})
		}
		for _, piece := range pieces {
			if piece[0] < piece[1] {
				mean += quad.Fixed(feature, piece[0], piece[1], 12, quad.Legendre{}, 0)
				size += quad.Fixed(func(b float64) float64 { return math.Abs(feature(b)) }, piece[0], piece[1], 12,
					quad.Legendre{}, 0)
			}
		}
	}
	r.WithinScale("E v_k σ", mean, math.Pow(x, float64(in.K)), 1, 40*float64(in.K+10)*r.Unit()*max(1, size))
}
