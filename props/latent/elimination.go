package latent

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// elimination counts the members of a family that a query correlates with.
var elimination = props.Spec{
	Statement: &theory.Elimination,
	Along: &props.Along{
		Param: "tau", From: 0.15, To: 0.95, Y: "targets that one query rules out", Of: []string{"count"},
		Each: &props.ParamSweep{Name: "epsilon", Values: []string{"0", "0.01", "0.02"}}, Points: "counted",
		Places: 9, Reps: 1,
	},
	Try: &props.Simulation{Run: tryElimination},
	Checks: []props.Check{props.Drawn[family, familyClaim]{
		Name:    "count against the bound",
		Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
		Tries:   12,
		Regimes: kinds,
		Draw:    func(t *props.T) family { return drawFamily(t, kinds...) },
		Claim: familyClaim{less: asStated, right: asStated,
			attained: func(f family) bool { return f.Kind != randomKind }},
		Judge: judgeFamily,
		Proven: map[string]string{
			"|A|(τ²−ε) ≤ 1−ε": "the lemma for lengths and products that err, and every rounding of them",
			"equality":        "every rounding of the family that attains the bound",
		},
		Controls: []props.Wrong[family, familyClaim]{
			{Reading: "any-query", Draw: props.Constant(family{equalKind, // two orthonormal, and a query of length 2
				mat.NewDense(2, 2, []float64{1, 0, 0, 1}), []float64{math.Sqrt2, math.Sqrt2}, 0})},
			{Name: "query of length 1.01", Assumption: "unit-query", Draw: func(t *props.T) family {
				f := drawFamily(t, equalKind)
				floats.Scale(1.01, f.Query)
				return f
			}},
			{Name: "members of length 1.01", Assumption: "unit", Draw: func(t *props.T) family {
				f := drawFamily(t, equalKind)
				f.Members.Scale(1.01, f.Members)
				return f
			}},
			{Name: "correlations of 1.01 ε", Assumption: "correlation", Draw: func(t *props.T) family {
				n := rapid.IntRange(2, 60).Draw(t.T, "N")
				epsilon := float64(rapid.IntRange(1, 90).Draw(t.T, "100ε")) / 100
				return family{equalKind, correlated(n, 1.01*epsilon), nil, epsilon}.askedForSum(n)
			}},
			{Name: "|A|τ² ≤ 1, as for an orthonormal family", Criterion: "|A|(τ²−ε) ≤ 1−ε",
				Instead: familyClaim{less: noEpsilon, right: noEpsilon}},
			{Name: "sharp for every family", Criterion: "equality", Draw: drawGeneralPosition,
				Instead: familyClaim{attained: func(family) bool { return true }}},
			{Name: "sharp with 2ε", Criterion: "equality",
				Instead: familyClaim{right: func(epsilon float64) float64 { return 2 * epsilon }}},
		},
	}},
}.Claim()

// family is N unit vectors (rows) with inner products at most Epsilon, and a query.
type family struct {
	Kind    string
	Members *mat.Dense // N×D
	Query   []float64
	Epsilon float64
}

// The kinds of families.
const (
	equalKind  = "equal correlations, sum of members"
	randomKind = "random directions"
	orthoKind  = "orthonormal, sum of members"
	oneKind    = "one member alone"
)

var kinds = []string{equalKind, randomKind, orthoKind, oneKind}

func drawFamily(t *props.T, kinds ...string) family {
	f := family{Kind: rapid.SampledFrom(kinds).Draw(t.T, "kind")}
	n := rapid.IntRange(2, 60).Draw(t.T, "N")
	if f.Kind == oneKind {
		n = 1
	}
	r := t.Stream("entries")
	members := rapid.IntRange(1, max(1, n)).Draw(t.T, "members of the sum")
	switch f.Kind {
	case equalKind, orthoKind:
		if f.Kind == equalKind {
			f.Epsilon = float64(rapid.IntRange(1, 90).Draw(t.T, "100ε")) / 100
		}
		f.Members = correlated(n, f.Epsilon)
		return f.askedForSum(members)
	}
	d := gen.Dim(t.T, "D", 40) + 1
	f.Members, f.Query = gen.Gaussian(r, n, d, 1), make([]float64, d)
	for i := range n {
		row := f.Members.RawRowView(i)
		normalise(row)
		floats.AddScaled(f.Query, float64(r.IntN(3)-1), row)
		for j := range i {
			f.Epsilon = max(f.Epsilon, floats.Dot(row, f.Members.RawRowView(j)))
		}
	}
	if floats.Norm(f.Query, 2) < 1e-3 || f.Kind == oneKind {
		copy(f.Query, f.Members.RawRowView(0))
	}
	normalise(f.Query)
	return f
}

// correlated returns n members with inner products ε: √ε times a common coordinate vector plus √(1−ε) times their own.
func correlated(n int, epsilon float64) *mat.Dense {
	members := mat.NewDense(n, n+1, nil)
	for i := range n {
		members.Set(i, n, math.Sqrt(epsilon))
		members.Set(i, i, math.Sqrt(1-epsilon))
	}
	return members
}

// askedForSum makes the normalised sum of the first members the query.
func (f family) askedForSum(members int) family {
	_, d := f.Members.Dims()
	f.Query = make([]float64, d)
	for i := range members {
		floats.Add(f.Query, f.Members.RawRowView(i))
	}
	normalise(f.Query)
	return f
}

// normalise scales a vector to length 1, up to (d/2+3)u: its squared length errs by du, and the root, its inverse and
// the product by u each.
func normalise(x []float64) { floats.Scale(1/math.Sqrt(floats.Dot(x, x)), x) }

// drawGeneralPosition draws a family of three random directions in 40 dimensions, and their normalised sum as the
// query. The inner products differ, so that the bound is not attained. Two directions would not show this, and neither
// would many, none of which correlates with a query by √ε. Inner products scatter by 1/√40 = 0.16, and the squared
// correlations with the sum lie about ⅓: one family in 10³ has none above ε.
func drawGeneralPosition(t *props.T) family {
	rapid.Bool().Draw(t.T, "nothing")
	r := t.Stream("entries")
	f := family{randomKind, gen.Gaussian(r, 3, 40, 1), make([]float64, 40), 0}
	for i := range 3 {
		row := f.Members.RawRowView(i)
		normalise(row)
		floats.Add(f.Query, row)
		for j := range i {
			f.Epsilon = max(f.Epsilon, floats.Dot(row, f.Members.RawRowView(j)))
		}
	}
	normalise(f.Query)
	return f
}

// familyClaim claims |A|(τ² − less(ε)) ≤ 1 − right(ε), and says which families attain it.
type familyClaim struct {
	less, right func(epsilon float64) float64
	attained    func(family) bool
}

func asStated(epsilon float64) float64 { return epsilon }

func noEpsilon(float64) float64 { return 0 }

// judgeFamily takes each of the correlations as τ in turn, because among the tolerances with one count the largest is
// the sharpest.
//
// The slack, to first order: let lengths err by δ = (d/2+3)u and the inner products of members by du. Then the lemma
// gives |A|(τ²−ε) ≤ 1−ε + |A|(4δ+du), a computed τ ≤ 1 errs by du and so |A|τ² by 2|A|du, and the square, the
// difference, the product and 1−ε by 5|A|u at most: (5d+17)|A|u in all. If the sum of m members attains the bound, its
// entries err by (m+2)u, and the component of this error across the sum moves mτ² by 2mτ√(1−τ²)(m+2)u ≤ m(m+2)u; the
// entries of a member err by 3u/2, its product with the sum by du and the length of the sum by δ, which moves mτ² by
// m(3d+9)u. With m < d all this is within the same slack. A single member has τ = ‖f‖‖h‖, and 4δ+2du in its square. The
// rest of (5d+22) covers second-order terms, which are below d²u times that.
func judgeFamily(r *props.Record, f family, claim familyClaim) {
	r.Regime(f.Kind)
	n, d := f.Members.Dims()
	correlations := list.Fill(n, func(i int) float64 { return floats.Dot(f.Members.RawRowView(i), f.Query) })
	slices.Sort(correlations)
	slices.Reverse(correlations)
	less, slack := claim.less(f.Epsilon), float64(n)*float64(5*d+22)*r.Unit()
	limit := math.Inf(-1)
	for i, tau := range correlations {
		if tau > 0 && tau*tau > f.Epsilon {
			limit = max(limit, float64(i+1)*(tau*tau-less))
		}
	}
	if math.IsInf(limit, -1) {
		return // no member correlates by more than √ε: nothing is claimed
	}
	r.AtMost("|A|(τ²−ε) ≤ 1−ε", limit, 1-claim.right(f.Epsilon), slack)
	if claim.attained(f) {
		r.Within("equality", limit, 1-claim.right(f.Epsilon), slack)
	}
}

// tryElimination adds members with correlations ε, as [correlated] makes them, until the correlation of their
// normalised sum with each of them is below τ.
func tryElimination(t *props.Trial, v statement.Values) (map[string]float64, error) {
	q := theory.Query{Epsilon: v.Float("epsilon"), Tau: v.Float("tau")}
	t.Need(q.Bound() <= 1e6, "ε = %g, τ = %g: members are counted up to a million", q.Epsilon, q.Tau)
	for n := 1.0; ; n++ {
		norm := math.Hypot(n*math.Sqrt(q.Epsilon), math.Sqrt(n*(1-q.Epsilon)))
		if (n*q.Epsilon+1-q.Epsilon)/norm < q.Tau*(1-1e-12) {
			return map[string]float64{"count": n - 1}, nil
		}
	}
}
