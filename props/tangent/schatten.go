package tangent

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
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
		props.Instances[asymptotic]{
			Name:    "effective penalty at infinity",
			Cases:   props.Scale{Quick: 60, Standard: 400, Deep: 20000},
			Regimes: []string{"one side", "two sides", "three sides"},
			Draw:    drawAsymptotic,
			Judge:   judgeAsymptotic,
			Controls: []props.Control{
				{Name: "κ in place of κ²/4", Criterion: "ω̃(v)", Claimed: "plain product"},
				{Name: "one more in D", Criterion: "ω̃(v)", Claimed: "exponent"},
				{Name: "v of order one", Assumption: "large", Criterion: "ω̃(v)", Done: "small"},
			},
		},
		props.Instances[nuclear]{
			Name:    "solutions for large labels",
			Cases:   props.Scale{Quick: 140, Standard: 200, Deep: 5000},
			Regimes: []string{"a up to 30", "a beyond 30", "not square", "all entries seen"},
			Draw:    drawNuclear,
			Judge:   judgeNuclear,
			Controls: []props.Control{
				{Name: "parameters of least Frobenius norm", Assumption: "stationary", Criterion: "nuclear norm",
					Done: "fixed"},
				{Name: "a hundredth of the excess", Criterion: "nuclear norm", Claimed: "hundredth"},
				{Name: "multipliers as they are", Criterion: "dual bound", Claimed: "not normalised"},
			},
			Replicates: 3,
		},
	},
}.Claim()

// asymptotic is an effective penalty far out, by search, which ends at stretches of 10¹³⁰.
type asymptotic struct {
	Sides   theory.Sum
	V       float64
	Optimum float64
}

func drawAsymptotic(t *props.T, done string) asymptotic {
	in := asymptotic{Sides: drawSum(t), V: gen.LogUniform(t.T, "v", 1e40, 1e50)}
	if done == "small" {
		in.V = 1
	}
	var err error
	if _, in.Optimum, err = bruteForce(in.Sides).Minimum(in.V); err != nil {
		panic(err)
	}
	return in
}

func judgeAsymptotic(r *props.Record, in asymptotic, claimed string) {
	r.Regime([]string{"one side", "two sides", "three sides"}[len(in.Sides)-1])
	want, left := in.Sides.Asymptote(in.V), 0.0
	switch claimed {
	case "plain product":
		for _, side := range in.Sides {
			if side.Family == theory.Absolute {
				want *= math.Pow(4/side.Factor, in.Sides.Growth()/2)
			}
		}
	case "exponent":
		want *= math.Pow(in.V, -0.05)
	}
	for _, e := range in.Sides.Effective(1e40).Excess { // the smallest v of the claim
		left += 4 / e
	}
	r.Within("ω̃(v)", in.Optimum, want, want*(left+1000*r.Unit()))
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

func drawNuclear(t *props.T, done string) nuclear {
	r := t.Stream("entries")
	m, k := gen.Dim(t.T, "m", 4), gen.Dim(t.T, "k", 4)
	n := rapid.IntRange((m*k+1)/2, m*k).Draw(t.T, "n")
	if done == "fixed" {
		m, k, n = 4, 4, 10
	}
	in := nuclear{Scale: gen.LogUniform(t.T, "a", 1, 1000), Square: m == k, Seen: n == m*k}
	features := conditioned(r, n, m*k)
	rank := rapid.IntRange(1, min(m, k)).Draw(t.T, "rank")
	truth := gram(gen.Gaussian(r, m, rank, 1), gen.Gaussian(r, rank, k, 1))
	y := gram(features, mat.NewDense(m*k, 1, truth.RawMatrix().Data))
	y.Scale(in.Scale/mat.Norm(truth, 2), y)
	square := impl.Square
	s := impl.Structured{Labels: y.RawMatrix().Data,
		Layers: []impl.StructuredLayer{{Rows: m, Cols: k, Features: features, Left: &square}}}
	found, err := s.Descend(1000, 1e-7)
	if err != nil {
		panic(err)
	}
	b := found.Products()[0]
	if done == "fixed" {
		fixed, err := s.MinFrobenius()
		if err != nil {
			panic(err)
		}
		b = fixed[0]
	}
	in.Singular, in.Frobenius = singularValues(b), mat.Norm(b, 2)
	in.Products = floats.Dot(found.Multipliers, s.Labels)
	sum := gram(mat.NewDense(1, n, found.Multipliers), features)
	in.Norm = singularValues(mat.NewDense(m, k, sum.RawMatrix().Data))[0]
	in.Off = found.Stationarity * 2 * math.Sqrt(float64(min(m, k)))
	return in
}

// judgeNuclear: with E what the gradient lacks, ‖E‖ ≤ off, the norm is at most 2 + off and the product off by off·‖B‖.
func judgeNuclear(r *props.Record, in nuclear, claimed string) {
	r.Regime(map[bool]string{true: "a up to 30", false: "a beyond 30"}[in.Scale <= 30])
	if !in.Square {
		r.Regime("not square")
	}
	if in.Seen {
		r.Regime("all entries seen")
	}
	norm, excess := floats.Sum(in.Singular), 0.0
	for _, sigma := range in.Singular {
		excess += math.Sqrt(sigma)
	}
	if claimed == "hundredth" {
		excess /= 100
	}
	dual := in.Products / in.Norm
	slack := in.Off*(in.Frobenius+norm) + 1000*r.Unit()*norm
	r.AtMost("nuclear norm", norm, dual+excess, slack)
	if claimed == "not normalised" {
		dual = in.Products
	}
	r.AtMost("dual bound", dual, norm, slack)
}
