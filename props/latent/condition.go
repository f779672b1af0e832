package latent

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/poly"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// condition differentiates polynomials for κ, and averages gradients of neurons over the sphere.
var condition = props.Spec{
	Statement: &theory.Condition,
	Along: &props.Along{
		Param: "d", From: 4, To: 128, Of: []string{"square"},
		Each: &props.ParamSweep{Name: "p", Values: []string{"4", "6"}}, Places: 6, Reps: 1,
	},
	Try: &props.Simulation{Run: tryCondition},
	Checks: []props.Check{
		props.Drawn[curved, kappaClaim]{
			Name:    "condition number",
			Cases:   props.Scale{Quick: 100, Standard: 1000, Deep: 20000},
			Tries:   12,
			Regimes: []string{"one size, degree 2 alone", "several sizes, degree 2 alone", "higher degrees"},
			Draw:    drawCurved,
			Claim: kappaClaim{kappa: kappaOf, bound: math.Sqrt(0.5),
				equal: func(c curved) bool { return c.Poly.Degree() == 2 && c.One }},
			Judge: judgeCurved,
			Controls: []props.Wrong[curved, kappaClaim]{
				{Name: "E f⋆² = 1.02", Assumption: "normalised", Criterion: "κ ≥ 1/√2", Draw: drawLarger},
				{Name: "least entry on the diagonal for the least eigenvalue", Criterion: "equality",
					Draw: drawTurnedSaddle, Instead: kappaClaim{kappa: func(c curved) float64 {
						lowest := math.Inf(1)
						for i := range c.Latent {
							lowest = min(lowest, math.Abs(c.H.At(i, i)))
						}
						return 1 / (lowest * math.Sqrt(float64(c.Latent)))
					}}},
				{Name: "κ without √r", Criterion: "equality", Draw: drawTurnedSaddle,
					Instead: kappaClaim{kappa: func(c curved) float64 { return kappaOf(c) * math.Sqrt(float64(c.Latent)) }}},
				{Name: "equality for every target", Criterion: "equality",
					Instead: kappaClaim{equal: func(curved) bool { return true }}},
				{Name: "κ ≥ 0.708", Criterion: "κ ≥ 1/√2", Instead: kappaClaim{bound: 0.708}},
			},
		},
		props.Drawn[silent, silentClaim]{
			Name:    "gradient of a single Hermite polynomial",
			Cases:   props.Scale{Quick: 120, Standard: 800, Deep: 10000},
			Tries:   28,
			Regimes: []string{"odd p", "even p", "two dimensions", "with bias"},
			Draw:    drawSilent,
			Claim:   theory.PureGradient,
			Judge:   judgeSilent,
			Controls: []props.Wrong[silent, silentClaim]{
				{Name: "bias 1/4", Assumption: "no-bias", Criterion: "mean square of the gradient",
					Draw: func(t *props.T) silent {
						s := drawDegree(t)
						return s.along(target.Monomials(target.Pure(s.P).Terms), 0.25)
					}},
				{Name: "order 1/d, as with H ≠ 0", Criterion: "mean square of the gradient",
					Instead: func(d, _ int, bias float64) float64 { return theory.PureGradient(d, 2, bias) }},
				{Name: "biases not counted", Criterion: "mean square of the gradient",
					Instead: func(d, p int, _ float64) float64 { return theory.PureGradient(d, p, 0) }},
				{Name: "leading term alone", Criterion: "mean square of the gradient",
					Instead: func(d, p int, bias float64) float64 {
						a := theory.ReLU(p, bias, 1) * float64(p)
						return 4 * a * a * theory.SphereMoment(d, p-1) / math.Gamma(float64(p+1))
					}},
				{Reading: "necessary", Criterion: "mean square of the gradient", Draw: func(t *props.T) silent {
					return drawDegree(t).along(poly.Variable(0), 0) // linear
				}},
			},
		},
	},
}.Claim()

// curved holds a target as a polynomial, with the means of its second derivatives and of its square.
type curved struct {
	Latent int
	Poly   poly.Poly
	H      *mat.SymDense
	Square float64
	One    bool // whether all eigenvalues of H have one size
}

func drawCurved(t *props.T) curved {
	r := gen.Dim(t.T, "r", 3)
	same := rapid.Bool().Draw(t.T, "one size")
	f := drawQuadratic(t, r, same)
	if rapid.Bool().Draw(t.T, "higher degrees") {
		f = append(f, target.Draw(t, r, 3, rapid.IntRange(3, 6).Draw(t.T, "p"))...)
	}
	return curvedBy(f, r, same, 1)
}

// drawLarger draws a target with E f⋆² = 1.02.
func drawLarger(t *props.T) curved {
	r := gen.Dim(t.T, "r", 3)
	return curvedBy(drawQuadratic(t, r, true), r, true, 1.02)
}

// drawTurnedSaddle draws a Hessian with eigenvalues of both signs and axes off the coordinate axes, which only one
// ordinary draw in 25 has.
func drawTurnedSaddle(t *props.T) curved {
	rapid.Bool().Draw(t.T, "nothing")
	return curvedBy(theory.Target{{Coefficient: -0.28, Degrees: []int{2, 0}}, {Coefficient: 0.28, Degrees: []int{0, 2}},
		{Coefficient: 1.92, Degrees: []int{1, 1}}}, 2, true, 1)
}

// curvedBy scales a target in r dimensions to the given mean square.
func curvedBy(f theory.Target, r int, same bool, square float64) curved {
	p := target.Monomials(f)
	p = p.Scaled(math.Sqrt(square) / math.Sqrt(p.Times(p).Mean()))
	c := curved{Latent: r, Poly: p, H: mat.NewSymDense(r, nil), Square: p.Times(p).Mean(), One: same || r == 1}
	for i := range r {
		for j := i; j < r; j++ {
			c.H.SetSym(i, j, p.Derivative(i).Derivative(j).Mean())
		}
	}
	return c
}

// drawQuadratic draws a form of degree 2 whose eigenvalues have one size or several, and any signs. In more than one
// dimension it may turn the first two axes by the angle with cosine 3/5.
func drawQuadratic(t *props.T, r int, same bool) theory.Target {
	size := rapid.IntRange(1, 3).Draw(t.T, "size")
	values := make([]float64, r)
	for i := range values {
		values[i] = float64(size)
		if !same {
			values[i] = float64(rapid.IntRange(1, 3).Draw(t.T, "square"))
		}
		if rapid.Bool().Draw(t.T, "negative") {
			values[i] = -values[i]
		}
	}
	if !same && r > 1 { // at least two sizes
		values[0] = math.Copysign(4, values[0])
	}
	cos, sin := 1., 0.
	if r > 1 && rapid.Bool().Draw(t.T, "rotated") {
		cos, sin = 0.6, 0.8
	}
	var f theory.Target
	add := func(coefficient float64, axes ...int) {
		degrees := make([]int, r)
		for _, i := range axes {
			degrees[i]++
		}
		f = append(f, theory.Term{Coefficient: coefficient, Degrees: degrees})
	}
	for i := 2; i < r; i++ {
		add(values[i], i, i)
	}
	if r == 1 {
		add(values[0], 0, 0)
		return f
	}
	add(cos*cos*values[0]+sin*sin*values[1], 0, 0)
	add(sin*sin*values[0]+cos*cos*values[1], 1, 1)
	add(2*cos*sin*(values[0]-values[1]), 0, 1)
	return f
}

// kappaClaim holds the claimed κ, its bound, and which targets attain the bound.
type kappaClaim struct {
	kappa func(curved) float64
	bound float64
	equal func(curved) bool
}

func kappaOf(c curved) float64 {
	return must.Get(theory.Kappa(c.H))
}

func judgeCurved(r *props.Record, c curved, claim kappaClaim) {
	kappa, equal := claim.kappa(c), c.Poly.Degree() == 2
	values, _ := must.Both(linalg.SymEigen(c.H, false))
	smallest, largest := math.Inf(1), 0.0
	for _, x := range values {
		smallest, largest = min(smallest, math.Abs(x)), max(largest, math.Abs(x))
	}
	r.RegimeOf(!c.One, !equal)
	tolerance := float64(20*len(c.Poly)+50*c.Latent) * r.Unit() * kappa * largest / smallest
	r.AtLeast("κ ≥ 1/√2", kappa, claim.bound, tolerance)
	if claim.equal(c) {
		r.Within("equality", kappa, claim.bound, tolerance)
	}
}

// cosine is a node of a quadrature for one coordinate of a random point on the sphere.
type cosine struct{ cos, weight float64 }

// cosines returns a quadrature that is exact for polynomials of the given degree under the density ∝ (1−t²)^((d−3)/2).
// For odd d the density is a polynomial. For even d the integrand is a trigonometric polynomial in the angle, for which
// sums over more points than its degree are exact.
func cosines(d, degree int) []cosine {
	var out []cosine
	if d%2 == 0 {
		count := degree + d + 2
		for i := range count {
			angle := math.Pi * (float64(i) + 0.5) / float64(count)
			out = append(out, cosine{math.Cos(angle), math.Pow(math.Sin(angle), float64(d-2))})
		}
		return out
	}
	x, w := make([]float64, degree+d), make([]float64, degree+d)
	quad.Legendre{}.FixedLocations(x, w, -1, 1)
	for i, t := range x {
		out = append(out, cosine{t, w[i] * math.Pow((1-t)*(1+t), float64(d-3)/2)})
	}
	return out
}

// silent holds the mean square of the gradient for He_p(x₁)/√p!, by a quadrature over ŵ₁, and the mean square of the
// moments with all signs positive.
type silent struct {
	D, P         int
	B            float64
	Square, Size float64
}

func drawSilent(t *props.T) silent {
	s := drawDegree(t)
	if rapid.Bool().Draw(t.T, "with bias") {
		s.B = float64(rapid.IntRange(-8, 8).Draw(t.T, "4b")) / 4
	}
	return s.along(target.Monomials(target.Pure(s.P).Terms), s.B)
}

func drawDegree(t *props.T) silent {
	return silent{D: rapid.IntRange(2, 40).Draw(t.T, "d"), P: rapid.IntRange(3, 6).Draw(t.T, "p")}
}

// along computes the mean square of the gradient for a target along the first axis.
func (s silent) along(f poly.Poly, bias float64) silent {
	s.Square, s.Size = gradientSquare(f, s.D, s.P, bias)
	return s
}

// gradientSquare returns the mean square of the gradient over the sphere, for a target of this degree along the first
// axis, and the mean square of the moments with all signs positive.
func gradientSquare(f poly.Poly, d, degree int, bias float64) (square, size float64) {
	neuron, mass := poly.Neuron{A: 1, B: bias}, 0.0
	for _, q := range cosines(d, 2*degree+2) {
		neuron.W = []float64{q.cos, math.Sqrt((1 - q.cos) * (1 + q.cos))}
		g := floats.Norm(neuron.Gradient(f), 2)
		magnitude := poly.Magnitude(f, neuron.W, neuron.B)
		mass += q.weight
		square += q.weight * g * g
		size += q.weight * 4 * magnitude * magnitude
	}
	return square / mass, size / mass
}

// silentClaim returns the claimed mean square of the gradient.
type silentClaim func(d, p int, bias float64) float64

func judgeSilent(r *props.Record, s silent, claim silentClaim) {
	r.RegimeOf(s.P%2 == 0, s.P%2 == 0 && s.D == 2, s.B != 0)
	want := claim(s.D, s.P, s.B)
	scale := max(want, 1/math.Pow(float64(s.D), float64(s.P-1)))
	r.WithinScale("mean square of the gradient", s.Square, want, scale, 500*float64(s.P+4)*r.Unit()*s.Size)
}

// tryCondition averages squared gradients of neurons over the sphere, by a quadrature.
func tryCondition(t *props.Trial, v statement.Values) (map[string]float64, error) {
	d, p, b := v.Int("d"), v.Int("p"), v.Float("b")
	t.Need(d <= 400 && p <= 8, "d = %d, p = %d: the quadrature is for d at most 400 and p at most 8", d, p)
	square, _ := gradientSquare(target.Monomials(target.Pure(p).Terms), d, p, b)
	quadratic, _ := gradientSquare(target.Monomials(target.Pure(2).Terms), d, 2, b)
	return map[string]float64{"square": square, "quadratic": quadratic}, nil
}
