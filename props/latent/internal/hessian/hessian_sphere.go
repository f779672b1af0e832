package hessian

import (
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/poly"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/latent"
)

// sphere holds the means for one target over all directions of a neuron.
type sphere struct {
	Shape        string
	D            int
	Degrees      *mat.Dense // degrees of a target with E f⋆² = 1, in as many coordinates as it has latent directions
	Coefficients []float64
	Square       float64    // E‖R‖²
	Length       float64    // E‖R‖, exact where ‖R‖ is a polynomial
	Latent       *mat.Dense // E ∇∇ᵀ on the latent directions, r×r
	Other        float64    // E(v·∇)² for directions v orthogonal to them; 0 if there are none
	Error        float64    // root mean square of the bounds on the errors of the gradients
	Relative     float64    // bounds the error of the cubature relative to a mean of positive terms
}

// shapes lists the regimes of a target, by its mean Hessian and by whether it has degrees above 2.
var shapes = []string{"multiple of the projector", "one sign", "both signs", "one sign, p > 2", "both signs, p > 2",
	"H = 0"}

// drawSphere draws a target of degree 2 to 6 with at most 3 latent directions, in up to 1000 dimensions, sometimes only
// as many as the directions span.
func drawSphere(t *props.T) sphere {
	shape := rapid.SampledFrom(shapes).Draw(t.T, "shape")
	degree, lo, hi := 2, 1, 3
	if strings.HasSuffix(shape, "p > 2") {
		degree = rapid.IntRange(3, 6).Draw(t.T, "p")
	} else if shape == "H = 0" {
		degree = rapid.IntRange(4, 6).Draw(t.T, "p")
	}
	if degree > 4 {
		hi = 2 // to limit the cost
	}
	if strings.HasPrefix(shape, "both signs") {
		lo = 2
	}
	latent, d := drawSizes(t, lo, hi)
	r := t.Stream("target")
	f := append(quadratic(r, drawEigenvalues(t, latent, shape)), higher(t, r, latent, degree)...)
	return newSphere(r, shape, latent, d, f, inPair)
}

// drawOneSigned draws a target of degree 2 with a Hessian of one sign, and computes the means of gradients of the given
// kind.
func drawOneSigned(gradient gradientOf) func(*props.T) sphere {
	return func(t *props.T) sphere {
		latent, d := drawSizes(t, 1, 3)
		r := t.Stream("target")
		return newSphere(r, "one sign", latent, d, quadratic(r, drawEigenvalues(t, latent, "one sign")), gradient)
	}
}

// drawRankOne draws a target of degree 2 with a Hessian of rank 1 on two or three latent directions.
func drawRankOne(t *props.T) sphere {
	latent, d := drawSizes(t, 2, 3)
	values := make([]float64, latent)
	values[0] = drawSign(t)
	r := t.Stream("target")
	return newSphere(r, "one sign", latent, d, quadratic(r, values), inPair)
}

// drawSizes draws the number of latent directions and the dimension.
func drawSizes(t *props.T, lo, hi int) (latent, d int) {
	latent = rapid.IntRange(lo, hi).Draw(t.T, "r")
	return latent, max(2, latent-1+int(gen.LogUniform(t.T, "d−r+1", 1, 1001)))
}

// drawEigenvalues draws the eigenvalues of H, with the signs that the shape requires.
func drawEigenvalues(t *props.T, latent int, shape string) []float64 {
	if shape == "H = 0" {
		return nil
	}
	values, sign := make([]float64, latent), drawSign(t)
	for i := range values {
		values[i] = sign
		if shape != "multiple of the projector" {
			values[i] *= gen.LogUniform(t.T, "eigenvalue", 0.05, 1)
		}
		if strings.HasPrefix(shape, "both signs") && i == 1 {
			values[i] = -values[i]
		}
	}
	return values
}

func drawSign(t *props.T) float64 { return float64(2*rapid.IntRange(0, 1).Draw(t.T, "sign of H") - 1) }

// newSphere computes the means for a target, scaled to E f⋆² = 1.
func newSphere(r *rand.Rand, shape string, latent, d int, f theory.Target, gradient gradientOf) sphere {
	s := sphere{Shape: shape, D: d}
	f = normalised(f)
	s.Degrees, s.Coefficients = f.Arrays(latent)
	s.average(r, f, gradient)
	return s
}

// quadratic returns the form of degree 2 whose Hessian has these eigenvalues, in a random basis.
func quadratic(r *rand.Rand, values []float64) theory.Target {
	if len(values) == 0 {
		return nil
	}
	var f theory.Target
	n := len(values)
	for i, x := range values {
		degrees := make([]int, n)
		degrees[i] = 2
		f = append(f, theory.Term{Coefficient: x, Degrees: degrees})
	}
	basis, rows := gen.Orthonormal(r, n, n), make([][]float64, n)
	for i := range rows {
		rows[i] = basis.RawRowView(i)
	}
	return target.Along(f, rows)
}

// higher draws the part of degree 3 and more, in which every term has the same expected share.
func higher(t *props.T, r *rand.Rand, latent, degree int) (f theory.Target) {
	switch {
	case degree < 3:
		return nil
	case degree == 4 && rapid.Bool().Draw(t.T, "radial"): // here traces matter most
		square := poly.Poly{}
		for i := range latent {
			square = square.Plus(poly.Variable(i).Times(poly.Variable(i)))
		}
		return target.Wick(square.Times(square), latent)
	}
	size := gen.LogUniform(t.T, "higher degrees", 0.1, 3)
	for _, alpha := range target.MultiIndices(latent, degree) {
		if term := (theory.Term{Coefficient: 1, Degrees: alpha}); term.Degree() >= 3 {
			term.Coefficient = size * r.NormFloat64() / math.Sqrt(theory.Target{term}.MeanSquare())
			f = append(f, term)
		}
	}
	return f
}

// normalised scales the target to E f⋆² = 1.
func normalised(f theory.Target) theory.Target {
	scale := 1 / math.Sqrt(f.MeanSquare())
	for i := range f {
		f[i].Coefficient *= scale
	}
	return f
}

// square bounds the error of a mean square, given its root: 2e times the root plus e², where e is the root mean square
// of the errors (Minkowski's inequality), plus the error of the cubature.
func (s sphere) square(root float64) float64 {
	return 2*root*s.Error + s.Error*s.Error + s.Relative*root*root
}

// meansClaim holds the claims about means over the sphere.
type meansClaim struct {
	bound         func(theory.Bounds) float64 // B
	degree        int                         // largest degree at which the next three hold
	square, other func(theory.Quadratic) float64
	latent        func(theory.Quadratic) *mat.Dense
	length        func(theory.Isotropic) float64
	singular      func(h *mat.SymDense) float64 // the singular value of H in κ
}

// judgeSphere compares the means with the bounds, and with closed forms where they exist.
func judgeSphere(r *props.Record, s sphere, c meansClaim) {
	r.Regime(s.Shape)
	f := theory.NewTarget(s.Degrees, s.Coefficients)
	_, latent := s.Degrees.Dims()
	b, q := theory.Bounds{D: s.D, R: latent, P: f.Degree()}, theory.Quadratic{D: s.D, H: f.Hessian(latent)}
	r.AtMost("mean square, bound", s.Square, math.Pow(c.bound(b), 2), s.square(b.Remainder()))
	r.AtMost("mean square, bound from the degrees", s.Square, math.Pow(b.RemainderOf(f), 2), s.square(b.Remainder()))
	if f.Degree() <= c.degree {
		judgeQuadratic(r, s, q, b, c)
	}
	if s.Shape == "multiple of the projector" {
		want := c.length(theory.Isotropic{D: s.D, R: latent})
		r.Within("mean length", s.Length, want, s.Error+s.Relative*want)
	}
	if s.D > latent {
		judgeGap(r, s, q, b, c)
	}
}

// ofMoment bounds the error of E ∇∇ᵀ on the latent directions.
func (s sphere) ofMoment(q theory.Quadratic, b theory.Bounds) float64 {
	return s.square(math.Sqrt(2/math.Pi/float64(s.D))*mat.Norm(q.H, 2) + b.Remainder())
}

// judgeQuadratic compares with the closed forms of degree 2.
func judgeQuadratic(r *props.Record, s sphere, q theory.Quadratic, b theory.Bounds, c meansClaim) {
	r.Within("mean square", s.Square, c.square(q), s.square(b.Remainder()))
	r.WithinMatrix("second moment on the latent directions", s.Latent, c.latent(q), s.ofMoment(q, b))
	if s.D > b.R {
		r.Within("second moment on other directions", s.Other, c.other(q), s.square(b.Remainder())/float64(s.D-b.R))
	}
}

// judgeGap checks that the weakest latent direction stands out. Eigenvalues err by no more than their matrix.
func judgeGap(r *props.Record, s sphere, q theory.Quadratic, b theory.Bounds, c meansClaim) {
	bound := b.Gap(1 / (c.singular(q.H) * math.Sqrt(float64(b.R))))
	if !(bound > 0) {
		return // the bound is vacuous below a dimension that depends on κ
	}
	ofOther := s.square(b.Remainder()) / float64(s.D-b.R)
	r.AtLeast("gap, squared", s.weakest(), bound*bound*s.Other, s.ofMoment(q, b)+bound*bound*ofOther)
}

// smallestSingular returns the smallest singular value of a symmetric matrix, and meanSingular their root mean square.
func smallestSingular(h *mat.SymDense) float64 {
	smallest := meanSingular(h)
	for _, x := range eigenvalues(h) {
		smallest = min(smallest, math.Abs(x))
	}
	return smallest
}

func meanSingular(h *mat.SymDense) float64 {
	return mat.Norm(h, 2) / math.Sqrt(float64(h.SymmetricDim()))
}

// weakest returns the least eigenvalue of E ∇∇ᵀ on the latent directions.
func (s sphere) weakest() float64 {
	latent, _ := s.Latent.Dims()
	return eigenvalues(mat.NewSymDense(latent, s.Latent.RawMatrix().Data))[0]
}

func eigenvalues(a mat.Symmetric) []float64 {
	values, _ := must.Both(linalg.SymEigen(a, false))
	return values
}
