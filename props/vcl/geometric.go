package vcl

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// geometric pairs the geometric mean with solvers that rotate a factor of the target.
var geometric = props.Spec{
	Statement: &theory.Geometric,
	Checks: []props.Check{
		props.Drawn[transported, transportClaim]{
			Name:  "weights times the geometric mean",
			Cases: props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
			Tries: 12,
			Regimes: []string{layers.Shapes[1], layers.Shapes[2], layers.Shapes[1] + layers.Ill,
				layers.Shapes[2] + layers.Ill},
			Draw: func(t *props.T) transported {
				m, n := layers.Dims(t, 8)
				return drawTransported(t, max(m, n), min(m, n), nearest)
			},
			Claim: transportClaim{theory.TransportMap, costOfTransport},
			Judge: judgeTransported,
			Controls: []props.Wrong[transported, transportClaim]{
				{Name: "fewer outputs than inputs", Assumption: "column-rank", Criterion: "W₊ = WT",
					Draw: func(t *props.T) transported {
						m, n := layers.Dims(t, 8)
						return drawTransported(t, min(m, n), min(m, n)+1, nearest)
					}},
				{Name: "the factor of the target without rotation", Assumption: "nearest", Criterion: "W₊ = WT",
					Draw: func(t *props.T) transported {
						m, n := layers.Dims(t, 8)
						return drawTransported(t, max(m, n, 2), min(m, n), func(_ *props.T, p routes.Problem) *mat.Dense {
							return layers.Descent(p)
						})
					}},
				{Name: "A^{−1/2}G^{1/2}, as if A and G commuted", Criterion: "W₊ = WT",
					Instead: transportClaim{transport: asIfCommuting}},
				{Name: "the geometric mean of A and G", Criterion: "W₊ = WT", Instead: transportClaim{transport: meanOfBoth}},
				{Name: "the geometric mean of A and G as a solution", Criterion: "TAT = G",
					As: "the geometric mean of A and G"},
				{Name: "the distance from A to G for the cost", Criterion: "cost of transport",
					Instead: transportClaim{cost: func(a, g *mat.SymDense, _ *mat.Dense) float64 {
						return math.Sqrt(layers.SquaredDistance(a, g))
					}}},
			},
		},
	},
	Along: &props.Along{
		Param: "cosine", From: -0.95, To: 0.95, Of: []string{"t1", "t12", "t2"}, Y: "entries of T",
	},
	Try: &props.Simulation{Run: simulateTwoColumns},
}.Claim()

// transportClaim holds the claims about the nearest weights.
type transportClaim struct {
	transport func(a, g *mat.SymDense) *mat.Dense
	cost      func(a, g *mat.SymDense, transport *mat.Dense) float64
}

// costOfTransport is tr TAT + tr A − 2 tr TA.
func costOfTransport(a, _ *mat.SymDense, transport *mat.Dense) float64 {
	moved := algebra.Product(transport, a)
	return mat.Trace(algebra.Product(moved, transport)) + mat.Trace(a) - 2*mat.Trace(moved)
}

// asIfCommuting is A^{−1/2}G^{1/2}.
func asIfCommuting(a, g *mat.SymDense) *mat.Dense {
	n, _ := a.Dims()
	one := mat.NewSymDense(n, nil)
	for i := range n {
		one.SetSym(i, i, 1)
	}
	return algebra.Product(theory.TransportMap(a, one), theory.TransportMap(one, g))
}

// meanOfBoth is A # G, in place of A⁻¹ # G.
func meanOfBoth(a, g *mat.SymDense) *mat.Dense {
	var inverse mat.Dense
	must.Do(inverse.Inverse(a))
	return theory.TransportMap(layers.Symmetric(&inverse), g)
}

// transported is the problem and its solution.
type transported struct {
	W      *mat.Dense `npy:"W"`
	Target *mat.Dense `npy:"G"`
	Next   *mat.Dense `npy:"W_next"`
}

// Valid names the violated hypothesis.
func (s transported) Valid() error {
	if m, n := s.W.Dims(); m < n || layers.Rank(s.W) < n {
		return errors.New("the weights W must have full column rank")
	}
	return nil
}

// nearest solves a problem by one of two solvers.
func nearest(t *props.T, p routes.Problem) *mat.Dense {
	return layers.Next(rapid.SampledFrom([]routes.Solver{routes.Full{}, routes.Polar{}}).Draw(t.T, "solver"), p)
}

func drawTransported(t *props.T, m, n int, next func(*props.T, routes.Problem) *mat.Dense) transported {
	r := t.Stream("entries")
	w := layers.Conditioned(r, m, n, gen.LogUniform(t.T, "condition", 1, 50))
	factor := gen.Gaussian(r, m, n, gen.LogUniform(t.T, "γ", 1e-3, 1))
	if factor.Add(factor, w); rapid.Bool().Draw(t.T, "any target") {
		factor = layers.Conditioned(r, m, n, gen.LogUniform(t.T, "condition of the target", 1, 50))
		factor.Scale(gen.LogUniform(t.T, "‖G‖", 0.1, 10), factor)
	}
	w.Scale(gen.LogUniform(t.T, "‖W‖", 0.1, 10), w)
	p := layers.Towards(w, factor)
	return transported{w, routes.SGDGram.Gram(p), next(t, p)}
}

func judgeTransported(r *props.Record, s transported, c transportClaim) {
	m, n := s.W.Dims()
	spread, rotation := layers.Spread(s.W), layers.ProductSpread(s.W, s.Next)
	if m >= n {
		r.Regime(layers.Condition(s.W, spread > 7))
	}
	a, g := layers.Gram(s.W), layers.Symmetric(s.Target)
	transport := c.transport(a, g)
	unit := float64(16*(m+n)) * r.Unit() * spread * spread * rotation
	r.WithinMatrix("W₊ = WT", s.Next, algebra.Product(s.W, transport), unit*mat.Norm(s.Next, 2))
	r.WithinMatrix("TAT = G", algebra.Product(transport, a, transport), g, unit*mat.Norm(g, 2))
	size := mat.Norm(s.W, 2) + mat.Norm(s.Next, 2)
	r.Within("cost of transport", layers.SquaredDistance(s.Next, s.W), c.cost(a, g, transport), unit*size*size)
}

// simulateTwoColumns solves the problem for two orthogonal columns in three dimensions and measures T = A⁻¹WᵀW₊.
func simulateTwoColumns(t *props.Trial, v statement.Values) (map[string]float64, error) {
	roots := func(a, b string) (float64, float64) { return math.Sqrt(v.Float(a)), math.Sqrt(v.Float(b)) }
	a1, a2 := roots("a1", "a2")
	g1, g2 := roots("g1", "g2")
	cosine := v.Float("cosine")
	w := algebra.Product(gen.Orthonormal(t.Rand, 3, 2), mat.NewDiagDense(2, []float64{a1, a2}))
	factor := algebra.Product(gen.Orthonormal(t.Rand, 3, 2),
		mat.NewDense(2, 2, []float64{g1, g2 * cosine, 0, g2 * math.Sqrt(1-cosine*cosine)}))
	inner := algebra.Product(w.T(), layers.Next(routes.Polar{}, layers.Towards(w, factor)))
	return map[string]float64{"t1": inner.At(0, 0) / (a1 * a1), "t12": inner.At(0, 1) / (a1 * a1),
		"t2": inner.At(1, 1) / (a2 * a2)}, nil
}
