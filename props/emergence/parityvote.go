package emergence

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/rational"
	values "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// parityvote pairs the correlation of the vote with sums over all inputs.
var parityvote = props.Spec{
	Statement: &theory.ParityVote,
	Checks: []props.Check{props.Instances[vote]{
		Name:       "the vote and all parities",
		Cases:      props.Scale{Quick: 25, Standard: 60, Deep: 200},
		Replicates: 2,
		Regimes:    []string{"odd k", "even k", "k = D"},
		Draw:       drawVote,
		Judge:      judgeVote,
		Controls: []props.Control{
			{Name: "bits that are one with probability 3/4", Assumption: "uniform", Criterion: "correlations",
				Done: "biased"},
			{Name: "one set without a vote", Assumption: "symmetric", Criterion: "correlations", Done: "one less"},
			{Name: "E|e_k|/√C", Criterion: "correlations", Done: "four sets or more", Claimed: "root"},
			{Name: "E e_k without the absolute value", Criterion: "correlations", Claimed: "signed"},
			{Name: "one set without a vote, and its error", Assumption: "symmetric", Criterion: "advantage",
				Done: "one less"},
			{Name: "the last parity is wrong on one input", Criterion: "correlations", Done: "last wrong"},
			{Name: "one parity is left out", Criterion: "number of parities", Done: "left out"},
			{Name: "½ − 1/C", Criterion: "advantage", Done: "two bits", Claimed: "twice"},
			{Criterion: "error and threshold", Reading: "cubed", Claimed: "cubed"},
		},
	}},
	Along: &props.Along{
		Param: "D", From: 3, To: 13, Y: "correlation of the vote with a parity", Of: []string{"correlation"},
		Each: &props.ParamSweep{Name: "k", Values: []string{"1", "3", "5"}}, Places: 11, Reps: 2,
	},
	Try: &props.Simulation{Run: castVote, Draw: drawVotes},
}.Claim()

// vote is the correlation of the vote with every parity.
type vote struct {
	Dim, Count   int
	Correlations []string

	correlations []*big.Rat
}

func drawVote(t *props.T, done string) vote {
	dim := rapid.IntRange(1, 10).Draw(t.T, "D")
	k := rapid.IntRange(1, dim).Draw(t.T, "k")
	switch done {
	case "":
	case "two bits":
		dim, k = 2, 1
	default:
		dim = max(4, dim)
		k = min(max(2, k), dim-1)
	}
	in := vote{Dim: dim, Count: k}
	sets := masks(dim, k)
	all := voteOf(dim, sets)
	if done == "one less" {
		all = voteOf(dim, sets[:1])
	}
	if done == "left out" {
		sets = sets[1:]
	}
	for i, mask := range sets {
		sum := int64(0)
		for s, h := range all {
			weight := int64(1)
			if done == "biased" {
				weight = int64(math.Pow(3, float64(ones(s))))
			}
			if done == "last wrong" && i == len(sets)-1 && s == 0 {
				weight = -1
			}
			sum += weight * int64(h*parityOf(s&mask))
		}
		total := int64(1) << dim
		if done == "biased" {
			total *= total
		}
		in.correlations = append(in.correlations, big.NewRat(sum, total))
	}
	in.Correlations = rational.Texts(in.correlations[:min(5, len(sets))])
	return in
}

func judgeVote(r *props.Record, in vote, claimed string) {
	switch {
	case in.Count == in.Dim:
		r.Regime("k = D")
	case in.Count%2 == 0:
		r.Regime("even k")
	default:
		r.Regime("odd k")
	}
	sets := theory.Binomial(in.Dim, in.Count)
	want, threshold := theory.VoteCorrelation(in.Dim, in.Count), 0.5-1/math.Cbrt(sets)
	advantage := 1 / (2 * sets)
	switch claimed {
	case "root":
		want.Mul(want, big.NewRat(int64(math.Round(math.Sqrt(sets))), 1))
	case "signed":
		want = new(big.Rat)
	case "cubed":
		threshold = 0.5 - math.Pow(sets, -3)
	case "twice":
		advantage *= 2
	}
	all := make([]*big.Rat, len(in.correlations))
	for i := range all {
		all[i] = want
	}
	r.Exactly("number of parities", float64(len(in.correlations)), sets)
	rational.Exactly(r, "correlations", in.correlations, all)
	worst, best := slices.MinFunc(in.correlations, (*big.Rat).Cmp), slices.MaxFunc(in.correlations, (*big.Rat).Cmp)
	r.AtLeast("error and threshold", 0.5-rational.Float(best)/2, threshold, 4*r.Unit())
	r.AtLeast("advantage", rational.Float(worst)/2, advantage, 4*r.Unit())
}

// castVote measures the error of the vote on a random parity.
func castVote(t *props.Trial, v values.Values) (map[string]float64, error) {
	dim, k := v.Int("D"), v.Int("k")
	if dim > 14 || k > dim {
		return nil, fmt.Errorf("the dimension D=%d, k=%d cannot be simulated: all 2^D inputs are visited, k ≤ D ≤ "+
			"14", dim, k)
	}
	sets := masks(dim, k)
	c := correlation(voteOf(dim, sets), sets[t.Rand.IntN(len(sets))])
	return map[string]float64{"correlation": c, "error": 0.5 - c/2}, nil
}
