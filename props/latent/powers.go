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
	Checks: []props.Check{props.Drawn[mixture, mixtureClaim]{
		Name:    "mean over features",
		Cases:   props.Scale{Quick: 200, Standard: 2000, Deep: 50000},
		Tries:   200,
		Regimes: []string{"inside", "at an end", "constant or linear", "normal biases"},
		Draw: func(t *props.T) mixture {
			return mixture{K: rapid.IntRange(0, 10).Draw(t.T, "k"),
				X:      float64(rapid.IntRange(-64, 64).Draw(t.T, "64x")) / 64,
				Normal: rapid.Bool().Draw(t.T, "normal biases")}
		},
		Claim: mixtureClaim{act: nn.ReLU.Value, end: 1, uniform: theory.PowerWeight, normal: theory.NormalPowerWeight},
		Judge: judgeMixture,
		Controls: []props.Wrong[mixture, mixtureClaim]{
			{Name: "x = 1 + 1/64", Assumption: "range", Alter: func(in *mixture) { in.X = 1 + 1./64 }},
			{Name: "biases up to 1.01", Assumption: "biases", Instead: mixtureClaim{end: 1.01}},
			{Name: "normal biases, weight beyond 1 kept", Assumption: "biases",
				Instead: mixtureClaim{normal: func(k int, a, b float64) float64 {
					return theory.PowerWeight(k, a, b) / (2 * distuv.UnitNormal.Prob(b))
				}}},
			{Name: "leaky ReLU of slope 0.01", Assumption: "relu",
				Instead: mixtureClaim{act: func(z float64) float64 { return max(z, 0.01*z) }}},
			{Name: "weight without its last summand", Claim: func(c *mixtureClaim) {
				c.add(func(k int, a, _ float64) float64 { return -2 * float64(k) * a })
			}},
			{Name: "weight on both signs", Claim: func(c *mixtureClaim) { // 1 for 1−a
				c.add(func(k int, a, b float64) float64 {
					return 2 * a * float64(k*(k-1)) * math.Pow(b, float64(k-2))
				})
			}},
		},
	}},
}.Claim()

// mixture holds a power and its argument; the biases are uniform, or normal and reweighted.
type mixture struct {
	K      int
	X      float64
	Normal bool
}

// mixtureClaim holds the activation, the largest bias, and the claimed weights of features for uniform and for normal
// biases.
type mixtureClaim struct {
	act             func(z float64) float64
	end             float64
	uniform, normal func(k int, a, b float64) float64
}

// add adds to the weights of nonlinear powers.
func (c *mixtureClaim) add(what func(k int, a, b float64) float64) {
	more := func(weight func(k int, a, b float64) float64) func(k int, a, b float64) float64 {
		return func(k int, a, b float64) float64 {
			v := weight(k, a, b)
			if k >= 2 {
				v += what(k, a, b)
			}
			return v
		}
	}
	c.uniform, c.normal = more(c.uniform), more(c.normal)
}

func judgeMixture(r *props.Record, in mixture, claim mixtureClaim) {
	r.RegimeOf(math.Abs(in.X) == 1, in.K < 2, in.Normal)
	x, end := in.X, claim.end
	mean, size := 0.0, 0.0
	for _, a := range []float64{-1, 1} {
		feature := func(b float64) float64 {
			if in.Normal {
				return claim.normal(in.K, a, b) * claim.act(a*x+b) * distuv.UnitNormal.Prob(b) / 2
			}
			return claim.uniform(in.K, a, b) * claim.act(a*x+b) / (2 * end) / 2
		}
		kink := min(end, max(-end, -a*x))
		pieces := [][2]float64{{-end, kink}, {kink, end}}
		if in.Normal { // beyond 1 too, where the weight is 0
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

// tryPowers draws signs and biases of features, and takes the weighted mean of the features.
func tryPowers(t *props.Trial, v statement.Values) (map[string]float64, error) {
	k, n, mean := v.Int("k"), v.Int("n"), 0.0
	t.Need(k <= 12, "k = %d: the mean over drawn features says nothing beyond k = 12, where the weights are too large", k)
	for range n {
		a, b := float64(2*t.Rand.IntN(2)-1), 2*t.Rand.Float64()-1
		mean += theory.PowerWeight(k, a, b) * nn.ReLU.Value(a*v.Float("x")+b) / float64(n)
	}
	return map[string]float64{"power": mean}, nil
}
