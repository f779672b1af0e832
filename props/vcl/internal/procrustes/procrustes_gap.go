package procrustes

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// turned multiplies weights by a random orthogonal matrix, or by a rotation through a small angle.
func turned(t *props.T, next *mat.Dense) *mat.Dense {
	m, _ := next.Dims()
	r := t.Stream("rotation")
	switch {
	case m == 1:
		return algebra.Product(mat.NewDense(1, 1, []float64{-1}), next)
	case rapid.Bool().Draw(t.T, "any rotation"):
		return algebra.Product(gen.Orthonormal(r, m, m), next)
	}
	return rotated(r, next, gen.LogUniform(t.T, "angle", 1e-2, math.Pi))
}

// rotated turns weights through the angle in a random plane.
func rotated(r *rand.Rand, next *mat.Dense, angle float64) *mat.Dense {
	m, _ := next.Dims()
	plane := gen.Orthonormal(r, m, 2)
	sin, cos := math.Sincos(angle)
	out := algebra.Product(plane, mat.NewDense(2, 2, []float64{cos - 1, -sin, sin, cos - 1}), plane.T(), next)
	out.Add(out, next)
	return out
}

// mirrored reflects weights in the column space of w.
func mirrored(next, w *mat.Dense) *mat.Dense {
	m, _ := next.Dims()
	left, _, _ := layers.SVD(w)
	space := left.Slice(0, m, 0, layers.Rank(w))
	out := algebra.Product(space, space.T(), next)
	out.Scale(2, out)
	out.Sub(out, next)
	return out
}

// pair is a problem with two solutions.
type pair struct{ W, Target, Next, Other *mat.Dense }

// secondSolution exhibits another solution where W has lost a direction of G: W₊ mirrored in the column space of W.
// Weights of full rank m ≤ n have W₊ in that space, and the mirror does nothing.
var secondSolution = props.Drawn[pair, struct{}]{
	Name:    "a second solution where rank(WGWᵀ) < rank G",
	Cases:   props.Scale{Quick: 100, Standard: 500, Deep: 20000},
	Tries:   12,
	Regimes: layers.Shapes,
	Draw:    func(t *props.T) pair { return pair(drawLost(t)) },
	Judge: func(r *props.Record, s pair, _ struct{}) {
		m, n := s.W.Dims()
		r.Regime(layers.Shape(s.W))
		// far above rounding
		apart := 1e-12 * math.Pow(mat.Norm(s.Next, 2), 2)
		r.AtLeast("not the first", layers.SquaredDistance(s.Other, s.Next), apart, 1e-3*apart)
		layers.JudgeGram(r, s.Other, s.Target)
		layers.JudgeNearest(r, s.Other, s.W)
		size := mat.Norm(s.W, 2) + mat.Norm(s.Next, 2)
		r.Within("same distance", layers.SquaredDistance(s.Other, s.W), layers.SquaredDistance(s.Next, s.W),
			float64(16*(m+n))*r.Unit()*size*size)
	},
	Controls: []props.Wrong[pair, struct{}]{
		{Name: "weights of full rank", Assumption: "rank", Criterion: "not the first",
			Draw: func(t *props.T) pair {
				s := pair(draw(t, like{kind: "step"}))
				s.Other = mirrored(s.Next, s.W)
				return s
			}},
		{Name: "a second solution that is a thousandth too long", Criterion: "Gram matrix",
			Alter: func(s *pair) {
				longer := mat.DenseCopyOf(s.Other)
				longer.Scale(1.001, longer)
				s.Other = longer
			}},
		{Name: "a turned solution, no nearest one", Criterion: nearest,
			Draw: func(t *props.T) pair {
				s := pair(drawLost(t))
				s.Other = turned(t, s.Next)
				return s
			}},
		{Name: "a turned solution, farther than the first", Criterion: "same distance",
			As: "a turned solution, no nearest one"},
	},
}

// bruteForce tries all rotations and reflections of the factor on a grid of one degree, for 2×2 weights.
var bruteForce = props.Drawn[pair, norm]{
	Name:  "nearest among rotations on a grid",
	Cases: props.Scale{Quick: 30, Standard: 100, Deep: 2000},
	Tries: 30,
	Claim: func(a *mat.Dense) float64 { return mat.Norm(a, 2) },
	Draw: func(t *props.T) pair {
		r := t.Stream("entries")
		w, factor := gen.Gaussian(r, 2, 2, 1), gen.Gaussian(r, 2, 2, gen.LogUniform(t.T, "‖G‖", 0.1, 10))
		p := layers.Towards(w, factor)
		return pair{w, routes.SGDGram.Gram(p), layers.Next(routes.Polar{}, p), factor}
	},
	Judge: func(r *props.Record, s pair, of norm) {
		best := math.Inf(1)
		var diff mat.Dense
		for k := range 720 {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / 360)
			mirror := float64(1 - 2*(k/360))
			diff.Mul(mat.NewDense(2, 2, []float64{cos, -sin * mirror, sin, cos * mirror}), s.Other)
			diff.Sub(&diff, s.W)
			best = min(best, of(&diff))
		}
		diff.Sub(s.Next, s.W)
		r.AtMost("distance against the best on the grid", of(&diff), best,
			64*r.Unit()*(mat.Norm(s.W, 2)+mat.Norm(s.Next, 2)))
	},
	Controls: []props.Wrong[pair, norm]{{Name: "nearest in the spectral norm", Assumption: "frobenius",
		Instead: func(a *mat.Dense) float64 { _, values, _ := layers.SVD(a); return values[0] }}},
}

// norm is the norm in which the solution is nearest.
type norm func(*mat.Dense) float64

// curve holds the excess of the solution of a 6×9 layer when it is turned, by the angle.
type curve struct{ Angles, Excess, Formula, Rounding []float64 }

// excessAlongRotations shows that a solution is a minimum: the excess is of second order in the angle.
var excessAlongRotations = props.Grid[int, curve, func(gap float64) float64]{
	Name:  "excess along rotations",
	Cells: props.Scale{Quick: 4, Standard: 12, Deep: 100}.Indices,
	Claim: func(gap float64) float64 { return gap },
	Measure: func(t *props.Trial, _ int) (c curve) {
		const m, n = 6, 9
		p := layers.Batch(t.Rand, gen.Gaussian(t.Rand, m, n, 1/math.Sqrt(n)), 4, 1, 0.1)
		next := layers.Next(routes.Full{}, p)
		plane := t.Rand.Uint64()
		for e := -8; e <= 0; e++ {
			other := rotated(rand.New(rand.NewPCG(plane, 0)), next, math.Ldexp(1, e))
			c.Angles = append(c.Angles, math.Ldexp(1, e))
			c.Excess = append(c.Excess, layers.SquaredDistance(other, p.W)-layers.SquaredDistance(next, p.W))
			c.Formula = append(c.Formula, theory.Gap(other, p.W))
			c.Rounding = append(c.Rounding, 16*(m+n)*roundoff.Unit*math.Pow(mat.Norm(next, 2)+mat.Norm(p.W, 2), 2))
		}
		return c
	},
	Judge: func(r *props.Record, _ int, c curve, claim func(gap float64) float64) {
		for k, formula := range c.Formula {
			r.Within("excess", c.Excess[k], claim(formula), c.Rounding[k])
		}
	},
	Conclude: func(r *props.Record, _ []int, all []curve, _ func(gap float64) float64) {
		r.Figure(props.Figure{
			ID:    "gap",
			Title: "What a rotated solution exceeds the minimum by",
			Caption: "Excess of the squared distance over its minimum when the solution of a 6×9 layer is rotated by " +
				"an angle in a random plane, on logarithmic axes: the measured points lie on 2(‖W′Wᵀ‖_* − tr W′Wᵀ) " +
				"and begin with the square of the angle.",
			X: props.Axis{Label: "angle", Log: true}, Y: props.Axis{Label: "excess of ‖W′ − W‖²", Log: true},
			Curves: []props.Curve{
				{Name: "measured", Style: props.Points, X: all[0].Angles, Y: all[0].Excess},
				{Name: "formula", Style: props.Dashed, X: all[0].Angles, Y: all[0].Formula},
			},
		})
	},
	Controls: []props.WrongCell[int, curve, func(gap float64) float64]{
		{Name: "gap without the factor 2, along rotations", Instead: func(gap float64) float64 { return gap / 2 }},
	},
}
