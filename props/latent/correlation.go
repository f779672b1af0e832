package latent

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/poly"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
	theory "github.com/thm-suite/thm/theory/latent"
)

// correlation multiplies out the two polynomials, and takes the mean monomial by monomial.
var correlation = props.Spec{
	Statement: &theory.Correlation,
	Along: &props.Along{
		Param: "cosine", From: -1, To: 1, Of: []string{"correlation"}, At: map[string]string{"q": "3"},
		Each: &props.ParamSweep{Name: "p", Values: []string{"3", "2"}}, Places: 13, Reps: 1,
	},
	Try: &props.Simulation{Run: tryCorrelation},
	Checks: []props.Check{props.Drawn[hermitePair, pairClaim]{
		Name:  "mean of the product",
		Cases: props.Scale{Quick: 150, Standard: 1500, Deep: 30000},
		Regimes: []string{"equal degrees", "different degrees", "degree 0", "the same direction",
			"orthogonal directions"},
		Draw: func(t *props.T) hermitePair {
			return drawDirections(t).product(hermiteAlong, hermiteAlong)
		},
		Claim:  theory.HermiteCorrelation,
		Judge:  judgeHermitePair,
		Proven: map[string]string{"E f_u g_v": "every rounding of both sides, relative to the sum of absolute values"},
		Controls: []props.Wrong[hermitePair, pairClaim]{
			{Name: "coordinates are random signs", Assumption: "gaussian", Alter: func(in *hermitePair) {
				product := hermiteAlong(in.P, in.U).Times(hermiteAlong(in.Q, in.V))
				in.Mean = signMean(product, len(in.U))
			}},
			{Name: "v of length 1.01", Assumption: "unit", Draw: func(t *props.T) hermitePair {
				return drawDirections(t).product(hermiteAlong, func(q int, v []float64) poly.Poly {
					return hermiteAlong(q, floats.ScaleTo(make([]float64, len(v)), 1.01, v))
				})
			}},
			{Name: "physicists' polynomials", Assumption: "hermite", Draw: func(t *props.T) hermitePair {
				physicists := func(p int, u []float64) poly.Poly {
					longer := floats.ScaleTo(make([]float64, len(u)), math.Sqrt2, u)
					return hermiteAlong(p, longer).Scaled(math.Pow(2, float64(p)/2))
				}
				return drawDirections(t).product(physicists, physicists)
			}},
			{Name: "divided by p! and not by its root", Assumption: "hermite", Draw: func(t *props.T) hermitePair {
				shorter := func(p int, u []float64) poly.Poly {
					return hermiteAlong(p, u).Scaled(1 / math.Sqrt(hermite.Factorial(p)))
				}
				return drawDirections(t).product(shorter, shorter)
			}},
			{Name: "one power less", Instead: func(p, q int, cosine float64) float64 {
				return theory.HermiteCorrelation(max(0, p-1), max(0, q-1), cosine)
			}},
			{Name: "absolute value of the cosine", Draw: drawObtuse,
				Instead: func(p, q int, cosine float64) float64 { return theory.HermiteCorrelation(p, q, math.Abs(cosine)) }},
		},
	}},
}.Claim()

// hermitePair holds E f_u g_v by the implementation, and the sum of its moments with all signs positive.
type hermitePair struct {
	P, Q                 int
	U, V                 []float64
	Mean, Size, Monomial float64
}

// pairClaim returns the claimed E f_u g_v for two degrees and a cosine.
type pairClaim func(p, q int, cosine float64) float64

func drawDirections(t *props.T) hermitePair {
	in := hermitePair{P: rapid.IntRange(0, 6).Draw(t.T, "p"), Q: rapid.IntRange(0, 6).Draw(t.T, "q")}
	if rapid.Bool().Draw(t.T, "equal degrees") {
		in.Q = in.P
	}
	d := rapid.IntRange(1, 3).Draw(t.T, "d")
	in.U, in.V = unitVector(t, d), unitVector(t, d)
	switch rapid.SampledFrom([]string{"any", "same", "opposite", "orthogonal"}).Draw(t.T, "directions") {
	case "same":
		in.V = append([]float64{}, in.U...)
	case "opposite":
		in.V = floats.ScaleTo(make([]float64, d), -1, in.U)
	case "orthogonal":
		if d > 1 {
			in.V = make([]float64, d)
			in.V[0], in.V[1] = -in.U[1], in.U[0]
			if floats.Norm(in.V, 2) > 0 {
				normalise(in.V)
			} else {
				in.V[0] = 1
			}
		}
	}
	return in
}

// drawObtuse draws an odd degree and an obtuse angle, where the sign of the cosine matters, as in only one ordinary
// draw in ten.
func drawObtuse(t *props.T) hermitePair {
	in := drawDirections(t)
	in.P = 1 + 2*rapid.IntRange(0, 2).Draw(t.T, "(p−1)/2")
	in.Q = in.P
	if floats.Dot(in.U, in.V) > 0 {
		floats.Scale(-1, in.V)
	}
	return in.product(hermiteAlong, hermiteAlong)
}

// product computes the mean of the product of two polynomials, one along each direction.
func (in hermitePair) product(first, second func(degree int, along []float64) poly.Poly) hermitePair {
	f, g := first(in.P, in.U), second(in.Q, in.V)
	product := f.Times(g)
	in.Mean, in.Size, in.Monomial = product.Mean(), f.Absolute().Times(g.Absolute()).Mean(), float64(len(product))
	return in
}

// unitVector draws a direction with coordinates from a grid of eighths, divided by its length.
func unitVector(t *props.T, d int) []float64 {
	u := list.Fill(d, func(int) float64 { return float64(rapid.IntRange(-8, 8).Draw(t.T, "8u")) })
	if floats.Norm(u, 2) == 0 {
		u[0] = 1
	}
	normalise(u)
	return u
}

// hermiteAlong returns He_p(u·x)/√p! as a polynomial in x.
func hermiteAlong(p int, u []float64) poly.Poly {
	rows := [][]float64{append([]float64{}, u...)}
	return poly.Hermite(p, 0).Substitute(rows).Scaled(1 / math.Sqrt(hermite.Factorial(p)))
}

// signMean returns the mean of a polynomial over {±1}ᵈ.
func signMean(p poly.Poly, d int) float64 {
	sum := 0.0
	for code := range 1 << d {
		x := list.Fill(d, func(i int) float64 { return float64(2*(code>>i&1) - 1) })
		sum += p.At(x)
	}
	return sum / float64(int(1)<<d)
}

func judgeHermitePair(r *props.Record, in hermitePair, claim pairClaim) {
	cosine := floats.Dot(in.U, in.V)
	r.RegimeOf(in.P != in.Q, in.P == 0 && in.Q == 0, in.P == in.Q && in.P > 0 && math.Abs(cosine) > 1-1e-12,
		in.P == in.Q && in.P > 0 && math.Abs(cosine) < 1e-12)
	want := claim(in.P, in.Q, cosine)
	// The left side, relative to Size: a coefficient of (u·x)ᵏ is a sum of products of one sign, 3(k−1)u in three
	// dimensions; the factors of He and 1/√p! add 4u, so that f errs by (3p+1)u and g by (3q+1)u. A monomial of the
	// product adds up at most N products, and its mean and their sum take N + 3 roundings: 3(p+q) + 2N + 6. Lengths err
	// by 4u, as a square of integers is exact, a product with 1/√ adds 3u, and a rotated part of a vector adds u: they
	// move E f g by 4(p+q)u. A cosine that errs by 3u moves its power by 3pu, with p ≤ (p+q)/2 unless the mean is 0,
	// and the power errs by 2u. The rest covers second-order terms.
	count := 9*float64(in.P+in.Q) + 2*in.Monomial + 10
	r.WithinScale("E f_u g_v", in.Mean, want, 1, count*r.Unit()*max(1, in.Size))
}

// tryCorrelation multiplies out two polynomials in the plane of their directions.
func tryCorrelation(t *props.Trial, v statement.Values) (map[string]float64, error) {
	p, q, cosine := v.Int("p"), v.Int("q"), v.Float("cosine")
	t.Need(p+q <= 16, "p + q = %d: the monomials are multiplied out for p + q at most 16", p+q)
	f := hermiteAlong(p, []float64{1, 0})
	g := hermiteAlong(q, []float64{cosine, math.Sqrt((1 - cosine) * (1 + cosine))})
	return map[string]float64{"correlation": f.Times(g).Mean()}, nil
}
