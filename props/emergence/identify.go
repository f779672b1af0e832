package emergence

import (
	"math/big"
	"math/rand/v2"
	"slices"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// identify pairs the learner for structured inputs with answers that mislead it as far as the tolerance allows.
var identify = props.Spec{
	Statement: &theory.Identify,
	Checks: []props.Check{props.Drawn[interview, interviewClaim]{
		Name:       "queries and misleading answers",
		Cases:      props.Scale{Quick: 80, Standard: 400, Deep: 5000},
		Replicates: 2,
		Regimes:    []string{"tolerance near the limit", "any tolerance", "no background bits", "unlike background bits"},
		Draw:       drawInterview,
		Claim: interviewClaim{match: theory.Match, queries: func(dim, k int) int { return dim + k + 1 },
			threshold: func(gamma *big.Rat) *big.Rat { return theory.Match(half(gamma)) }},
		Judge: judgeInterview,
		Controls: []props.Wrong[interview, interviewClaim]{
			{Name: "accepted counts twice as likely", Assumption: "balanced", Criterion: "Pr[y = zⱼ]",
				Draw: interviewOn(balancedLaws{relevant: 1, background: 1}, unbalance)},
			{Name: "relevant bits of different covariances", Assumption: "equal-covariance", Criterion: "Pr[y = zⱼ]",
				Draw: interviewOn(balancedLaws{relevant: 2, background: 1}, gatherOnes)},
			{Name: "a background bit that tends to equal a relevant one", Assumption: "independent-background",
				Criterion: "Pr[y = zⱼ]", Draw: interviewOn(balancedLaws{relevant: 1, background: 1}, tieBackground)},
			{Name: "τ = 1.01·γ/2", Assumption: "tolerance", Criterion: "A is found", Alter: beyondTolerance},
			{Name: "τ = 1.01·π/2", Assumption: "tolerance", Criterion: "P is found", As: "τ = 1.01·γ/2"},
			{Name: "1/2 + γ/2 on A", Criterion: "Pr[y = zⱼ]",
				Instead: interviewClaim{match: func(gamma *big.Rat) *big.Rat { return theory.Match(half(gamma)) }}},
			{Name: "threshold 1/2 + γ", Criterion: "A is found", Instead: interviewClaim{threshold: theory.Match}},
			{Name: "one query less", Criterion: "queries",
				Instead: interviewClaim{queries: func(dim, k int) int { return dim + k }}},
		},
	}},
	Along: &props.Along{
		Param: "k", From: 1, To: 9, Of: []string{"gamma", "rarest"}, Y: "gaps of the answers", Places: 9,
		Reps: 1,
	},
	Try: &props.Simulation{Run: askAll},
}.Claim()

// interview is a law with the exact means of all queries.
type interview struct {
	Dim       int
	Support   []int
	Accept    []bool
	Counts    []string
	Tolerance string // in units of half the gap

	law     data.Hidden
	share   *big.Rat
	kind    string
	match   []*big.Rat // Pr[y = zⱼ]
	joint   []*big.Rat // Pr[y = 1, S = s]
	queries int
}

// interviewClaim holds the claimed Pr[y = zᵢ] on A and the threshold that separates it from the other bits, both as
// functions of γ, and the claimed number of queries.
type interviewClaim struct {
	match, threshold func(gamma *big.Rat) *big.Rat
	queries          func(dim, k int) int
}

func drawInterview(t *props.T) interview {
	r := t.Stream("law")
	h := balancedLaws{relevant: 1}.draw(t, r)
	unlike := len(h.Support) < h.Dim && rapid.Bool().Draw(t.T, "unlike background bits")
	if unlike {
		weighBackground(r, h)
	}
	in := interviewed(t, h)
	switch {
	case len(h.Support) == h.Dim:
		in.kind = "no background bits"
	case unlike:
		in.kind = "unlike background bits"
	}
	return in
}

// interviewOn draws a law and changes it.
func interviewOn(laws balancedLaws, change func(data.Hidden)) func(*props.T) interview {
	return func(t *props.T) interview {
		h := laws.draw(t, t.Stream("law"))
		change(h)
		return interviewed(t, h)
	}
}

// interviewed draws a tolerance and computes the means of all queries.
func interviewed(t *props.T, h data.Hidden) interview {
	in := interview{Dim: h.Dim, Support: h.Support, Accept: h.Accept, Counts: rational.Texts(h.CountLaw()), law: h,
		kind: "any tolerance", share: big.NewRat(rapid.Int64Range(0, 999).Draw(t.T, "τ in thousandths"), 1000)}
	if rapid.Bool().Draw(t.T, "near the limit") {
		in.kind, in.share = "tolerance near the limit", big.NewRat(999, 1000)
	}
	in.Tolerance = in.share.RatString()
	in.match, in.joint = ask(h)
	in.queries = len(in.match) + len(in.joint)
	return in
}

// beyondTolerance lets answers be off by more than half the gap.
func beyondTolerance(in *interview) {
	in.share = big.NewRat(101, 100)
	in.Tolerance = in.share.RatString()
}

// weighBackground gives every bit outside A odds of its own; some are always one or never.
func weighBackground(r *rand.Rand, h data.Hidden) {
	for j := range h.Dim {
		if slices.Contains(h.Support, j) {
			continue
		}
		odds := [2]int64{r.Int64N(4), 1 + r.Int64N(3)} // of a zero and of a one
		if r.IntN(2) == 0 {
			odds[0], odds[1] = odds[1], odds[0]
		}
		for s := range h.Weight {
			h.Weight[s] *= odds[s>>j&1]
		}
	}
}

// ask returns the means of all queries.
func ask(h data.Hidden) (match, joint []*big.Rat) {
	total := h.Total()
	for j := range h.Dim {
		var sum int64
		for s, w := range h.Weight {
			if (h.Label(s) == 1) == (s>>j&1 == 1) {
				sum += w
			}
		}
		match = append(match, big.NewRat(sum, total))
	}
	sums := make([]int64, len(h.Support)+1)
	for s, w := range h.Weight {
		if h.Label(s) == 1 {
			sums[h.Count(s)] += w
		}
	}
	for _, sum := range sums {
		joint = append(joint, big.NewRat(sum, total))
	}
	return match, joint
}

// answered moves every mean by the tolerance in the misleading direction, down if the answer is yes and up if it is no,
// and returns which of them exceed the threshold.
func answered(means []*big.Rat, yes []bool, threshold, tolerance *big.Rat) []bool {
	out := make([]bool, len(means))
	for i, mean := range means {
		answer := new(big.Rat).Set(mean)
		if yes[i] {
			answer.Sub(answer, tolerance)
		} else {
			answer.Add(answer, tolerance)
		}
		out[i] = answer.Cmp(threshold) > 0
	}
	return out
}

func half(x *big.Rat) *big.Rat { return new(big.Rat).Mul(x, big.NewRat(1, 2)) }

func judgeInterview(r *props.Record, in interview, claim interviewClaim) {
	r.Regime(in.kind)
	counts := theory.Counts{Probability: in.law.CountLaw(), Accept: in.Accept}
	gamma := counts.Covariance()
	if gamma.Sign() <= 0 {
		return // not in the family: γ > 0
	}
	want, relevant := make([]*big.Rat, in.Dim), make([]bool, in.Dim)
	for j := range want {
		want[j] = big.NewRat(1, 2)
		if relevant[j] = slices.Contains(in.Support, j); relevant[j] {
			want[j] = claim.match(gamma)
		}
	}
	rational.Exactly(r, "Pr[y = zⱼ]", in.match, want)
	r.Exactly("queries", float64(in.queries), float64(claim.queries(in.Dim, len(in.Support))))
	tolerance := half(gamma)
	tolerance.Mul(tolerance, in.share)
	r.Holds("A is found", slices.Equal(answered(in.match, relevant, claim.threshold(gamma), tolerance), relevant))
	var rarest *big.Rat
	accepted := make([]bool, len(in.Accept)) // and of positive probability
	for s, p := range counts.Probability {
		if accepted[s] = in.Accept[s] && p.Sign() > 0; accepted[s] && (rarest == nil || p.Cmp(rarest) < 0) {
			rarest = p
		}
	}
	tolerance.Mul(half(rarest), in.share)
	r.Holds("P is found", slices.Equal(answered(in.joint, accepted, half(rarest), tolerance), accepted))
}

// askAll computes the gaps at a user's parameters from all inputs.
func askAll(t *props.Trial, v statement.Values) (map[string]float64, error) {
	k, dim := v.Int("k"), v.Int("D")
	t.Need(k <= 15, "k=%d cannot be simulated: all patterns on A are visited, for k at most 15", k)
	match, joint := ask(hiddenOf(v, min(dim, k+1))) // bits outside A are alike
	gamma := new(big.Rat).Sub(match[0], big.NewRat(1, 2))
	var rarest *big.Rat
	for _, p := range joint {
		if p.Sign() > 0 && (rarest == nil || p.Cmp(rarest) < 0) {
			rarest = p
		}
	}
	return map[string]float64{"queries": float64(dim + k + 1), "gamma": rational.Float(gamma),
		"rarest": rational.Float(rarest)}, nil
}
