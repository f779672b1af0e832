package emergence

import (
	"fmt"
	"math"
	"math/rand/v2"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	values "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// queries pairs the bounds on statistical queries with sums over all inputs for all parities.
var queries = props.Spec{
	Statement: &theory.Queries,
	Checks: []props.Check{
		props.Instances[query]{
			Name:       "one query",
			Cases:      props.Scale{Quick: 60, Standard: 300, Deep: 4000},
			Replicates: 2,
			Regimes:    queryKinds,
			Draw:       drawQuery,
			Judge:      judgeQuery,
			Controls: []props.Control{
				{Name: "bits that are one with probability 9/10", Assumption: "uniform", Criterion: "Σ_A E[χ_A g]²",
					Done: "biased"},
				{Name: "queries with values up to 3", Assumption: "bounded", Criterion: "E g²", Done: "three"},
				{Name: "every set counted twice", Assumption: "same-size", Criterion: "Σ_A E[χ_A g]²", Done: "twice"},
				{Name: "half of E g²", Criterion: "Σ_A E[χ_A g]²", Claimed: "half"},
				{Name: "1/(8τ²)", Criterion: "sets ruled out", Done: "rough", Claimed: "half"},
				{Name: "E Q without its constant", Criterion: "E Q", Claimed: "no constant"},
				{Name: "parities of norm 2", Criterion: "products of parities", Claimed: "twice"},
			},
		},
		props.Instances[game]{
			Name:       "a learner and an adversary",
			Cases:      props.Scale{Quick: 30, Standard: 150, Deep: 2000},
			Replicates: 2,
			Regimes:    []string{"C < 20", "C ≥ 20", "the corollary", "one query short"},
			Draw:       drawGame,
			Judge:      judgeGame,
			Controls: []props.Control{
				{Name: "an adversary that answers for one set", Criterion: "sets left", Done: "honest once"},
				{Name: "C − q/(16τ²)", Criterion: "sets left", Done: "one set", Claimed: "quarter"},
				{Name: "1/(16ε²)", Criterion: "sets learned", Done: "one set", Claimed: "quarter"},
				{Name: "a set is left after any number of queries", Criterion: "a set that is not learned",
					Done:    "honest",
					Claimed: "always"},
				{Name: "a quarter more queries are needed", Criterion: "a set that is not learned", Done: "enough",
					Claimed: "quarter more"},
			},
		},
		props.Instances[entries]{
			Name:       "the entries of gradients",
			Cases:      props.Scale{Quick: 30, Standard: 150, Deep: 3000},
			Replicates: 2,
			Regimes:    entryKinds,
			Draw:       drawEntries,
			Judge:      judgeEntries,
			Proven:     map[string]string{"Σ_A Tⱼ²": "every rounding of both sides, an input at a kink declined"},
			Declined:   map[string]float64{"Σ_A Tⱼ²": 1e-6}, // 2⁷ inputs within 10⁻¹⁴ of two kinks: 10⁻¹¹
			Controls: []props.Control{
				{Name: "bits on A that are equal half of the time", Assumption: "uniform", Criterion: "Σ_A Tⱼ²",
					Done: "structured"},
				{Name: "every gradient counted twice", Assumption: "same-size", Criterion: "Σ_A Tⱼ²", Done: "twice"},
				{Name: "half of E[φⱼ²ψ²]", Criterion: "Σ_A Tⱼ²", Done: "open", Claimed: "half"},
			},
		},
	},
	Along: &props.Along{
		Param: "tolerance", From: 0.01, To: 0.3, Of: []string{"eliminated"}, At: map[string]string{"D": "10"},
		Y: "sets that one query rules out", Points: "votes of 1, 2, 4, … parities", Places: 9, Reps: 4,
	},
	Try: &props.Simulation{Run: ruleOut},
}.Claim()

var queryKinds = []string{"random", "fractions", "vote of some sets", "one parity", "the label alone", "one bit"}

// query is a statistical query with its expectation under every parity.
type query struct {
	Dim, Count int
	Kind       string
	Tolerance  float64

	sums      []float64 // E[χ_A g], for every A
	means     []float64 // E Q
	constant  float64
	square    float64 // E g²
	products  []float64
	identical []float64
}

func drawQuery(t *props.T, done string) query {
	in := query{Kind: rapid.SampledFrom(queryKinds).Draw(t.T, "kind"), Tolerance: rapid.Float64Range(0.02,
		0.49).Draw(t.T, "τ")}
	in.Dim = rapid.IntRange(1, 9).Draw(t.T, "D")
	in.Count = rapid.IntRange(1, in.Dim).Draw(t.T, "k")
	switch done {
	case "biased":
		in.Dim, in.Count, in.Kind = 9, 3, "the label alone"
	case "three", "twice":
		in.Kind = "one parity"
	case "rough": // the widest tolerance at which a query for its own parity rules it out
		in.Kind, in.Tolerance = "one parity", 0.49
	}
	r := t.Stream("query")
	yes, no := in.draw(r)
	if done == "three" {
		for i := range yes {
			yes[i], no[i] = 3*yes[i], 3*no[i]
		}
	}
	law := make([]float64, 1<<in.Dim)
	for s := range law {
		law[s] = math.Ldexp(1, -in.Dim)
		if done == "biased" {
			law[s] = math.Pow(0.9, float64(ones(s))) * math.Pow(0.1, float64(in.Dim-ones(s)))
		}
	}
	in.evaluate(r, law, yes, no)
	if done == "twice" {
		in.sums, in.means = append(in.sums, in.sums...), append(in.means, in.means...)
	}
	return in
}

// draw returns Q(x, 1) and Q(x, −1) at every state, 0 or 1.
func (in query) draw(r *rand.Rand) (yes, no []float64) {
	states := 1 << in.Dim
	yes, no = make([]float64, states), make([]float64, states)
	sets := masks(in.Dim, in.Count)
	batch := sets[:1+r.IntN(len(sets))]
	one, bit := sets[r.IntN(len(sets))], r.IntN(in.Dim)
	for s := range states {
		side := 0.0
		switch in.Kind {
		case "random":
			yes[s], no[s] = float64(r.IntN(2)), float64(r.IntN(2))
			continue
		case "fractions":
			yes[s], no[s] = float64(r.IntN(5))/4, float64(r.IntN(5))/4
			continue
		case "vote of some sets":
			for _, mask := range batch {
				side += parityOf(s & mask)
			}
		case "one parity":
			side = parityOf(s & one)
		case "the label alone":
			side = 1
		case "one bit":
			side = float64(2*(s>>bit&1) - 1)
		}
		if side >= 0 {
			yes[s] = 1
		} else {
			no[s] = 1
		}
	}
	return yes, no
}

// masks lists the sets of the size as masks.
func masks(dim, count int) []int {
	var out []int
	for mask := range 1 << dim {
		if ones(mask) == count {
			out = append(out, mask)
		}
	}
	return out
}

// evaluate sums over all states. E Q is summed with the label, not through g.
func (in *query) evaluate(r *rand.Rand, law, yes, no []float64) {
	sets := masks(in.Dim, in.Count)
	for _, mask := range sets {
		sum, mean := 0.0, 0.0
		for s, p := range law {
			y := parityOf(s & mask)
			sum += p * y * (yes[s] - no[s]) / 2
			if y > 0 {
				mean += p * yes[s]
			} else {
				mean += p * no[s]
			}
		}
		in.sums, in.means = append(in.sums, sum), append(in.means, mean)
	}
	for s, p := range law {
		in.constant += p * (yes[s] + no[s]) / 2
		in.square += p * (yes[s] - no[s]) * (yes[s] - no[s]) / 4
	}
	for range 20 {
		a, b := sets[r.IntN(len(sets))], sets[r.IntN(len(sets))]
		product := 0.0
		for s, p := range law {
			product += p * parityOf(s&a) * parityOf(s&b)
		}
		same := 0.0
		if a == b {
			same = 1
		}
		in.products, in.identical = append(in.products, product), append(in.identical, same)
	}
}

func judgeQuery(r *props.Record, in query, claimed string) {
	r.Regime(in.Kind)
	square, cap, constant, identical := in.square, theory.Eliminated(in.Tolerance), in.constant, in.identical
	total, out := 0.0, 0
	for _, sum := range in.sums {
		total += sum * sum
		if math.Abs(sum) > in.Tolerance {
			out++
		}
	}
	switch claimed {
	case "half":
		square, cap = square/2, cap/2
	case "no constant":
		constant = 0
	case "twice":
		identical = append([]float64{}, identical...)
		for i := range identical {
			identical[i] *= 2
		}
	}
	want := make([]float64, len(in.sums))
	for i, sum := range in.sums {
		want[i] = constant + sum
	}
	r.ExactlyVector("E Q", in.means, want)
	r.ExactlyVector("products of parities", in.products, identical)
	r.AtMost("Σ_A E[χ_A g]²", total, square, r.Unit())
	r.AtMost("E g²", in.square, 0.25, r.Unit())
	r.AtMost("sets ruled out", float64(out), cap, 1e-12*cap)
}

// game is a learner with so many queries against an adversary, and what it knows in the end.
type game struct {
	Dim, Count int
	Tolerance  float64
	Advantage  float64
	Queries    int
	Sets       int
	Left       int // sets to which all answers were honest
	Learned    int // of these, those on which the last predictor is good

	kind string
}

func drawGame(t *props.T, done string) game {
	in := game{Dim: rapid.IntRange(1, 9).Draw(t.T, "D"), Tolerance: rapid.Float64Range(0.03, 0.49).Draw(t.T, "τ"),
		Advantage: rapid.Float64Range(0.03, 0.49).Draw(t.T, "ε"), Queries: rapid.IntRange(0, 12).Draw(t.T, "q")}
	in.Count = rapid.IntRange(1, in.Dim).Draw(t.T, "k")
	if done == "honest" {
		in.Queries, in.Dim = max(1, in.Queries), max(3, in.Dim)
		in.Count = min(in.Count, in.Dim-1)
	}
	if rapid.IntRange(0, 4).Draw(t.T, "corollary") == 0 { // C = 126: τ > 0.4, ε > 0.2, at most two queries
		in.Dim, in.Count, in.Queries = 9, 4, min(in.Queries, 2)
		in.Tolerance, in.Advantage = 0.41+in.Tolerance/8, 0.21+in.Advantage/4
	}
	if done == "enough" || done == "" && rapid.IntRange(0, 3).Draw(t.T, "one query short") == 0 {
		in.attain(done == "enough")
	}
	if done == "honest once" { // which leaves one set, of four at least
		in.Queries, in.Tolerance, in.Dim = 1, 0.49, max(4, in.Dim)
		in.Count = min(in.Count, in.Dim-1)
	}
	if done == "one set" { // one after the other is asked for, and answers are as rough as they can be
		in.Queries, in.Tolerance, in.Advantage, in.Dim = 1, 0.49, 0.49, max(4, in.Dim)
	}
	in.play(t.Stream("learner"), done)
	return in
}

// attain makes the bound nearly tight: a learner asks for one of 4 to 12 sets after the other at the widest tolerance
// that rules a set out, and takes the last one left. One query less leaves two.
func (in *game) attain(enough bool) {
	in.kind, in.Dim = "one query short", 4+in.Dim
	in.Count = []int{1, in.Dim - 1}[in.Count%2]
	in.Tolerance, in.Advantage = 0.49, 0.49
	in.Queries = in.Dim - 2
	if enough {
		in.kind, in.Queries = "", in.Dim-1
	}
}

// play lets a learner ask whether the label is the vote of some of the sets that are left; sometimes of one set,
// which is what rules out a set at any tolerance. The adversary answers 1/2, or what is true for the first set.
func (in *game) play(r *rand.Rand, done string) {
	left := masks(in.Dim, in.Count)
	target, honest := left[0], done == "honest" || done == "honest once"
	in.Sets = len(left)
	for range in.Queries {
		batch := left[:1+r.IntN(min(len(left), 9))]
		if r.IntN(2) == 0 || done != "" || in.kind != "" {
			batch = left[:1]
		}
		vote := voteOf(in.Dim, batch)
		answer := 0.0
		if honest {
			answer = correlation(vote, target)
		}
		var kept []int
		for _, mask := range left {
			// of the correlation, twice that of the query
			if math.Abs(correlation(vote, mask)-answer) <= 2*in.Tolerance {
				kept = append(kept, mask)
			}
		}
		left = kept
		if len(left) == 0 {
			break
		}
		r.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
		if honest {
			left = append([]int{target}, without(left, target)...)
		}
	}
	in.Left = len(left)
	if len(left) == 0 {
		return
	}
	last := left[:1+r.IntN(2)*r.IntN(min(len(left), 3))]
	if done == "one set" || done == "enough" {
		last = left[:1]
	}
	vote := voteOf(in.Dim, last)
	for _, mask := range left {
		if correlation(vote, mask) >= 2*in.Advantage {
			in.Learned++
		}
	}
}

func without(sets []int, one int) []int {
	var out []int
	for _, mask := range sets {
		if mask != one {
			out = append(out, mask)
		}
	}
	return out
}

// voteOf is the sign of the sum of the parities of the sets, at every state.
func voteOf(dim int, sets []int) []float64 {
	out := make([]float64, 1<<dim)
	for s := range out {
		sum := 0.0
		for _, mask := range sets {
			sum += parityOf(s & mask)
		}
		out[s] = 1
		if sum < 0 {
			out[s] = -1
		}
	}
	return out
}

func correlation(h []float64, mask int) float64 {
	sum := 0.0
	for s, x := range h {
		sum += x * parityOf(s&mask)
	}
	return sum / float64(len(h))
}

func judgeGame(r *props.Record, in game, claimed string) {
	out, learned := theory.Eliminated(in.Tolerance), theory.Eliminated(in.Advantage)
	needed := theory.QueriesNeeded(in.Dim, in.Count, in.Tolerance, in.Advantage)
	switch claimed {
	case "quarter":
		out, learned = out/4, learned/4
	case "always":
		needed = math.Inf(1)
	case "quarter more":
		needed *= 1.25
	}
	sets := float64(in.Sets)
	r.Regime("C < 20")
	if in.Sets >= 20 {
		r.Regime("C ≥ 20")
	}
	if third := math.Cbrt(sets); 1/in.Tolerance < third/2 && in.Advantage > 1/third {
		r.Regime("the corollary")
		needed = max(needed, third/2)
	}
	if in.kind != "" {
		r.Regime(in.kind)
	}
	r.AtLeast("sets left", float64(in.Left), sets-float64(in.Queries)*out, 1e-12*(sets+float64(in.Queries)*out))
	r.AtMost("sets learned", float64(in.Learned), learned, 1e-12*learned)
	if float64(in.Queries) < needed*(1-1e-12) {
		r.Holds("a set that is not learned", in.Left > in.Learned)
	}
}

// ruleOut counts the sets that the worst of some queries rules out, at a user's parameters.
func ruleOut(t *props.Trial, v values.Values) (map[string]float64, error) {
	dim, k := v.Int("D"), v.Int("k")
	if dim > 12 || k > dim {
		return nil, fmt.Errorf("the dimension D=%d, k=%d cannot be simulated: all inputs and all A are visited, k ≤ "+
			"D ≤ "+
			"12", dim, k)
	}
	sets, worst := masks(dim, k), 0
	for size := 1; size <= len(sets); size *= 2 {
		t.Rand.Shuffle(len(sets), func(i, j int) { sets[i], sets[j] = sets[j], sets[i] })
		h, out := voteOf(dim, sets[:size]), 0
		for _, mask := range sets {
			if math.Abs(correlation(h, mask)) > 2*v.Float("tolerance") {
				out++
			}
		}
		worst = max(worst, out)
	}
	return map[string]float64{"sets": float64(len(sets)), "eliminated": float64(worst)}, nil
}
