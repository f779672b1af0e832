package emergence

import (
	"math"
	"math/big"
	"slices"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// parityvote pairs the correlation of the vote with sums over all inputs.
var parityvote = props.Spec{
	Statement: &theory.ParityVote,
	Checks: []props.Check{props.Drawn[vote, voteClaim]{
		Name:       "the vote and all parities",
		Cases:      props.Scale{Quick: 25, Standard: 60, Deep: 200},
		Replicates: 2,
		Regimes:    []string{"odd k", "even k", "k = D"},
		Draw:       func(t *props.T) vote { return drawVote(t).cast(vote.all, 1) },
		Claim: voteClaim{correlation: theory.VoteCorrelation, advantage: func(sets float64) float64 { return 1 / (2 * sets) },
			threshold: func(sets float64) float64 { return 0.5 - 1/math.Cbrt(sets) }},
		Judge: judgeVote,
		Controls: []props.Wrong[vote, voteClaim]{
			{Name: "bits that are one with probability 3/4", Assumption: "uniform", Criterion: "correlations",
				Draw: func(t *props.T) vote { return drawVote(t).ofFourSets().cast(vote.all, 3) }},
			{Name: firstAlone, Assumption: "symmetric", Criterion: "correlations",
				Draw: func(t *props.T) vote {
					return drawVote(t).ofFourSets().cast(func(v vote) []int { return v.all()[:1] }, 1)
				}},
			{Name: "E|e_k|/√C", Criterion: "correlations",
				Draw: func(t *props.T) vote { return drawVote(t).ofFourSets().cast(vote.all, 1) },
				Instead: voteClaim{correlation: func(dim, k int) *big.Rat {
					root := big.NewRat(int64(math.Round(math.Sqrt(theory.Binomial(dim, k)))), 1)
					return root.Mul(root, theory.VoteCorrelation(dim, k))
				}}},
			{Name: "E e_k without the absolute value", Criterion: "correlations",
				Instead: voteClaim{correlation: func(int, int) *big.Rat { return new(big.Rat) }}},
			{Name: "one set without a vote, and its error", Assumption: "symmetric", Criterion: "advantage", As: firstAlone},
			{Name: "the last parity is wrong on one input", Criterion: "correlations", Alter: func(in *vote) {
				in.correlations = slices.Clone(in.correlations)
				last := &in.correlations[len(in.correlations)-1]
				*last = new(big.Rat).Sub(*last, big.NewRat(2, 1<<in.Dim))
			}},
			{Name: "one parity is left out", Criterion: "number of parities", Draw: func(t *props.T) vote {
				in := drawVote(t).ofFourSets().cast(vote.all, 1)
				in.correlations = in.correlations[1:]
				return in
			}},
			{Name: "½ − 1/C", Criterion: "advantage", Draw: props.Constant(vote{Dim: 2, Count: 1}.cast(vote.all, 1)),
				Instead: voteClaim{advantage: func(sets float64) float64 { return 1 / sets }}},
			{Criterion: "error and threshold", Reading: "cubed",
				Instead: voteClaim{threshold: func(sets float64) float64 { return 0.5 - math.Pow(sets, -3) }}},
		},
	}},
	Along: &props.Along{
		Param: "D", From: 3, To: 13, Y: "correlation of the vote with a parity", Of: []string{"correlation"},
		Each: &props.ParamSweep{Name: "k", Values: []string{"1", "3", "5"}}, Places: 11, Reps: 2,
	},
	Try: &props.Simulation{Run: castVote, Draw: drawVotes},
}.Claim()

// vote holds the correlation of the vote with every parity.
type vote struct {
	Dim, Count   int
	Correlations []string

	correlations []*big.Rat
}

// voteClaim holds the claimed correlation of the vote with a parity and, as functions of the number of sets, the
// advantage over chance and the error threshold for needing many queries.
type voteClaim struct {
	correlation          func(dim, k int) *big.Rat
	advantage, threshold func(sets float64) float64
}

const firstAlone = "one set without a vote"

func drawVote(t *props.T) vote {
	dim := rapid.IntRange(1, 10).Draw(t.T, "D")
	return vote{Dim: dim, Count: rapid.IntRange(1, dim).Draw(t.T, "k")}
}

// ofFourSets raises the sizes until there are at least four sets.
func (in vote) ofFourSets() vote {
	in.Dim = max(4, in.Dim)
	in.Count = min(max(2, in.Count), in.Dim-1)
	return in
}

func (in vote) all() []int { return masks(in.Dim, in.Count) }

// cast computes the correlation of the vote of some sets with all parities, for bits that are one with the given odds.
func (in vote) cast(voters func(vote) []int, odds int64) vote {
	votes, sets := voteOf(in.Dim, voters(in)), in.all()
	for _, mask := range sets {
		sum, total := int64(0), int64(0)
		for s, h := range votes {
			weight := int64(math.Pow(float64(odds), float64(ones(s))))
			sum, total = sum+weight*int64(h*parityOf(s&mask)), total+weight
		}
		in.correlations = append(in.correlations, big.NewRat(sum, total))
	}
	in.Correlations = rational.Texts(in.correlations[:min(5, len(sets))])
	return in
}

func judgeVote(r *props.Record, in vote, claim voteClaim) {
	r.RegimeOf(in.Count%2 == 0, in.Count == in.Dim)
	sets, want := theory.Binomial(in.Dim, in.Count), claim.correlation(in.Dim, in.Count)
	all := list.Fill(len(in.correlations), func(int) *big.Rat { return want })
	r.Exactly("number of parities", float64(len(in.correlations)), sets)
	rational.Exactly(r, "correlations", in.correlations, all)
	worst, best := slices.MinFunc(in.correlations, (*big.Rat).Cmp), slices.MaxFunc(in.correlations, (*big.Rat).Cmp)
	r.AtLeast("error and threshold", 0.5-rational.Float(best)/2, claim.threshold(sets), 4*r.Unit())
	r.AtLeast("advantage", rational.Float(worst)/2, claim.advantage(sets), 4*r.Unit())
}

// castVote measures the error of the vote on a random parity.
func castVote(t *props.Trial, v statement.Values) (map[string]float64, error) {
	dim, k := needFew(t, v, 14, "all 2^D inputs are")
	sets := masks(dim, k)
	c := correlation(voteOf(dim, sets), sets[t.Rand.IntN(len(sets))])
	return map[string]float64{"correlation": c, "error": 0.5 - c/2}, nil
}

// drawVotes draws the advantage of the vote over chance as a function of D, summed over all inputs and by the closed
// form, next to the two thresholds.
func drawVotes(_ *props.Trial, v statement.Values) ([]props.Figure, error) {
	k := v.Int("k")
	counted := props.Curve{Name: "over all inputs", Style: props.Points}
	closed := props.Curve{Name: "E|e_k|/(2C), predicted", Style: props.Dashed}
	repaired := props.Curve{Name: "C^(−1/3)", Style: props.Line}
	printed := props.Curve{Name: "C^(−3)", Style: props.Line}
	for dim := k; dim <= min(max(v.Int("D"), k+1), k+60); dim++ {
		x, sets := float64(dim), theory.Binomial(dim, k)
		closed.Add(x, rational.Float(theory.VoteCorrelation(dim, k))/2)
		repaired.Add(x, 1/math.Cbrt(sets))
		printed.Add(x, math.Pow(sets, -3))
		if dim <= 10 {
			all := masks(dim, k)
			counted.Add(x, correlation(voteOf(dim, all), all[0])/2)
		}
	}
	curves := []props.Curve{closed, repaired, printed}
	if len(counted.X) > 0 {
		curves = append(curves, counted)
	}
	return []props.Figure{{ID: "advantage", Title: "Advantage over chance of the vote of all parities",
		Caption: "1/2 minus the error of the vote on every parity, with the advantages above which the source and " +
			"emergence/queries ask for many queries. The vote takes none.",
		X: props.Axis{Label: "D"}, Y: props.Axis{Label: "1/2 − error", Log: true}, Curves: curves}}, nil
}
