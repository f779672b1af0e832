package tangent

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// schatten pairs the limits of effective penalties with brute force, and solutions for large labels with a dual bound.
var schatten = props.Spec{
	Statement: &theory.Schatten,
	Along: &props.Along{
		Param: "v", From: 1, To: 1000000, Of: []string{"asymptote"},
		Each: &props.ParamSweep{Name: "omega2", Values: []string{"fixed", "quadratic", "absolute"}},
		Y:    "effective penalty, and its asymptote", Points: "ω̃(v) by search", Reps: 1,
	},
	Try: &props.Simulation{Run: trySchatten},
	Checks: []props.Check{
		props.Drawn[asymptotic, asymptote]{
			Name:    "effective penalty at infinity",
			Cases:   props.Scale{Quick: 60, Standard: 400, Deep: 20000},
			Regimes: []string{"one side", "two sides", "three sides"},
			Draw:    drawAsymptotic,
			Claim:   theory.Sum.Asymptote,
			Judge:   judgeAsymptotic,
			Controls: []props.Wrong[asymptotic, asymptote]{
				{Name: "κ in place of κ²/4", Criterion: "ω̃(v)", Instead: plainProduct},
				{Name: "one more in D", Criterion: "ω̃(v)",
					Instead: func(s theory.Sum, v float64) float64 { return s.Asymptote(v) * math.Pow(v, -0.05) }},
				{Name: "v of order one", Assumption: "large", Criterion: "ω̃(v)",
					Draw: func(t *props.T) asymptotic { return asymptotic{Sides: drawSum(t), V: 1}.searched() }},
			},
		},
		props.Drawn[nuclear, nuclearClaim]{
			Name:    "solutions for large labels",
			Cases:   props.Scale{Quick: 140, Standard: 200, Deep: 5000},
			Regimes: []string{"a up to 30", "a beyond 30", "not square", "all entries seen"},
			Draw: func(t *props.T) nuclear {
				r := t.Stream("entries")
				m, k, n := drawSensingShape(t)
				return drawNuclear(t, r, m, k, n, stationary)
			},
			Claim: nuclearClaim{func(root float64) float64 { return root },
				func(in nuclear) float64 { return in.Products / in.Norm }},
			Judge: judgeNuclear,
			Controls: []props.Wrong[nuclear, nuclearClaim]{
				{Name: "parameters of least Frobenius norm", Assumption: "stationary", Criterion: "nuclear norm",
					Draw: drawLeastFrobenius, Cases: 70},
				{Name: "a hundredth of the excess", Criterion: "nuclear norm",
					Instead: nuclearClaim{excess: func(root float64) float64 { return root / 100 }}},
				{Name: "multipliers as they are", Criterion: "dual bound",
					Instead: nuclearClaim{dual: func(in nuclear) float64 { return in.Products }}},
			},
			Replicates: 3,
		},
	},
}.Claim()

// asymptote gives the limit of effective penalties.
type asymptote func(s theory.Sum, v float64) float64

// plainProduct has κ in place of κ²/4.
func plainProduct(s theory.Sum, v float64) float64 {
	want := s.Asymptote(v)
	for _, side := range s {
		if side.Family == theory.Absolute {
			want *= math.Pow(4/side.Factor, s.Growth()/2)
		}
	}
	return want
}

// asymptotic is an effective penalty far out, by search, which ends at stretches of 10¹³⁰.
type asymptotic struct {
	Sides   theory.Sum
	V       float64
	Optimum float64
}

func drawAsymptotic(t *props.T) asymptotic {
	return asymptotic{Sides: drawSum(t), V: gen.LogUniform(t.T, "v", 1e40, 1e50)}.searched()
}

func (in asymptotic) searched() asymptotic {
	_, in.Optimum = must.Both(bruteForce(in.Sides).Minimum(in.V))
	return in
}

func judgeAsymptotic(r *props.Record, in asymptotic, of asymptote) {
	r.Regime([]string{"one side", "two sides", "three sides"}[len(in.Sides)-1])
	want, left := of(in.Sides, in.V), 0.0
	for _, e := range in.Sides.Effective(1e40).Excess { // the smallest v of the claim
		left += 4 / e
	}
	r.Within("ω̃(v)", in.Optimum, want, want*(left+1000*r.Unit()))
}

// nuclearClaim holds the claims about the nuclear norm of a solution.
type nuclearClaim struct {
	excess func(root float64) float64 // beyond the dual bound, given Σ√σ
	dual   func(nuclear) float64
}

// nuclear is a solution of matrix sensing and the dual bound of its multipliers.
type nuclear struct {
	Scale     float64
	Singular  []float64 // of B
	Products  float64   // ⟨λ, ay⟩
	Norm      float64   // largest singular value of Σ λᵢFᵢ
	Off       float64   // by how much the gradient in B differs from Σ λᵢFᵢ
	Frobenius float64   // ‖B‖
	Square    bool
	Seen      bool // as many constraints as entries
}

// conditioned draws Gaussian features until their condition number is at most 100.
func conditioned(r *rand.Rand, n, width int) *mat.Dense {
	for {
		features := gen.Gaussian(r, n, width, 1)
		if values := singularValues(features); values[0] <= 100*values[len(values)-1] {
			return features
		}
	}
}

func drawSensingShape(t *props.T) (m, k, n int) {
	m, k = gen.Dim(t.T, "m", 4), gen.Dim(t.T, "k", 4)
	return m, k, rapid.IntRange((m*k+1)/2, m*k).Draw(t.T, "n")
}

// stationary are the parameters that descent found.
func stationary(_ impl.Structured, found *mat.Dense) *mat.Dense { return found }

// drawLeastFrobenius has the parameters of least Frobenius norm in their place.
func drawLeastFrobenius(t *props.T) nuclear {
	r := t.Stream("entries")
	drawSensingShape(t)
	return drawNuclear(t, r, 4, 4, 10, func(s impl.Structured, _ *mat.Dense) *mat.Dense {
		fixed := must.Get(s.MinFrobenius())
		return fixed[0]
	})
}

// drawNuclear draws n measurements of an m×k matrix and solves for it.
func drawNuclear(t *props.T, r *rand.Rand, m, k, n int,
	parameters func(s impl.Structured, found *mat.Dense) *mat.Dense) nuclear {
	in := nuclear{Scale: gen.LogUniform(t.T, "a", 1, 1000), Square: m == k, Seen: n == m*k}
	features := conditioned(r, n, m*k)
	rank := rapid.IntRange(1, min(m, k)).Draw(t.T, "rank")
	truth := algebra.Product(gen.Gaussian(r, m, rank, 1), gen.Gaussian(r, rank, k, 1))
	y := algebra.Product(features, mat.NewDense(m*k, 1, truth.RawMatrix().Data))
	y.Scale(in.Scale/mat.Norm(truth, 2), y)
	square := impl.Square
	s := impl.Structured{Labels: y.RawMatrix().Data,
		Layers: []impl.StructuredLayer{{Rows: m, Cols: k, Features: features, Left: &square}}}
	found := must.Get(s.Descend(1000, 1e-7))
	b := parameters(s, found.Products()[0])
	in.Singular, in.Frobenius = singularValues(b), mat.Norm(b, 2)
	in.Products = floats.Dot(found.Multipliers, s.Labels)
	sum := algebra.Product(mat.NewDense(1, n, found.Multipliers), features)
	in.Norm = singularValues(mat.NewDense(m, k, sum.RawMatrix().Data))[0]
	in.Off = found.Stationarity * 2 * math.Sqrt(float64(min(m, k)))
	return in
}

// judgeNuclear: with E what the gradient lacks, ‖E‖ ≤ off, the norm is at most 2 + off and the product off by off·‖B‖.
func judgeNuclear(r *props.Record, in nuclear, c nuclearClaim) {
	r.Regime(map[bool]string{true: "a up to 30", false: "a beyond 30"}[in.Scale <= 30])
	if !in.Square {
		r.Regime("not square")
	}
	if in.Seen {
		r.Regime("all entries seen")
	}
	norm, root := floats.Sum(in.Singular), 0.0
	for _, sigma := range in.Singular {
		root += math.Sqrt(sigma)
	}
	slack := in.Off*(in.Frobenius+norm) + 1000*r.Unit()*norm
	r.AtMost("nuclear norm", norm, in.Products/in.Norm+c.excess(root), slack)
	r.AtMost("dual bound", c.dual(in), norm, slack)
}

// trySchatten searches for the effective penalty, which has the asymptote of the claim.
func trySchatten(t *props.Trial, v statement.Values) (map[string]float64, error) {
	var sum theory.Sum
	for _, name := range []string{"omega1", "omega2"} {
		if family := theory.Family(v.Choice(name)); family != theory.Fixed {
			sum = append(sum, theory.Side{Family: family, Factor: 1})
		}
	}
	t.Need(len(sum) > 0, "omega1=fixed, omega2=fixed: nothing moves")
	t.Need(v.Float("v") <= 1e50, "the search ends at stretches that v beyond 1e50 needs")
	_, value, err := bruteForce(sum).Minimum(v.Float("v"))
	return map[string]float64{"effective": value, "asymptote": value}, err
}
