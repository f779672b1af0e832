package hessian

import (
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/poly"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/latent/target"
	theory "github.com/thm-suite/thm/theory/latent"
)

// sphere are the means of one target over all directions of a neuron.
type sphere struct {
	Shape        string
	D            int
	Degrees      *mat.Dense // of a target with E f⋆² = 1, in as many coordinates as it has latent directions
	Coefficients []float64
	Square       float64    // E‖R‖²
	Length       float64    // E‖R‖, exact where ‖R‖ is a polynomial
	Latent       *mat.Dense // E ∇∇ᵀ on the latent directions, r×r
	Other        float64    // E(v·∇)² for directions v orthogonal to them; 0 where there are none
	Error        float64    // root mean square of the bounds on the errors of the gradients
	Relative     float64    // bounds the error of the cubature relative to a mean of positive terms
}

// shapes are the regimes of a target: its mean Hessian, and whether it has degrees above 2.
var shapes = []string{"multiple of the projector", "one sign", "both signs", "one sign, p > 2", "both signs, p > 2",
	"H = 0"}

// drawSphere draws a target of degree 2 to 6 with at most 3 latent directions, in up to 1000 dimensions and at times in
// no more than the directions span. Controls have targets of degree 2.
func drawSphere(t *props.T, done string) sphere {
	s := sphere{Shape: rapid.SampledFrom(shapes).Draw(t.T, "shape")}
	switch done {
	case "":
	case shapes[0]:
		s.Shape = shapes[0]
	default:
		s.Shape = "one sign"
	}
	degree, lo, hi := 2, 1, 3
	if strings.HasSuffix(s.Shape, "p > 2") {
		degree = rapid.IntRange(3, 6).Draw(t.T, "p")
	} else if s.Shape == "H = 0" {
		degree = rapid.IntRange(4, 6).Draw(t.T, "p")
	}
	if degree > 4 {
		hi = 2 // for the cost
	}
	if strings.HasPrefix(s.Shape, "both signs") || done == "rank 1" {
		lo = 2
	}
	latent := rapid.IntRange(lo, hi).Draw(t.T, "r")
	s.D = max(2, latent-1+int(gen.LogUniform(t.T, "d−r+1", 1, 1001)))
	r := t.Stream("target")
	f := normalised(append(quadratic(t, r, latent, s.Shape, done), higher(t, r, latent, degree)...))
	s.Degrees, s.Coefficients = f.Arrays(latent)
	s.average(r, done, f)
	return s
}

// quadratic draws the part of degree 2: a Hessian with eigenvalues of the signs that the shape says, in a random basis.
func quadratic(t *props.T, r *rand.Rand, latent int, shape, done string) theory.Target {
	if shape == "H = 0" {
		return nil
	}
	var f theory.Target
	sign := float64(2*rapid.IntRange(0, 1).Draw(t.T, "sign of H") - 1)
	for i := range latent {
		x := sign
		switch {
		case done == "rank 1" && i > 0:
			x = 0
		case shape != "multiple of the projector":
			x *= gen.LogUniform(t.T, "eigenvalue", 0.05, 1)
		}
		if strings.HasPrefix(shape, "both signs") && i == 1 {
			x = -x
		}
		degrees := make([]int, latent)
		degrees[i] = 2
		f = append(f, theory.Term{Coefficient: x, Degrees: degrees})
	}
	basis, rows := gen.Orthonormal(r, latent, latent), make([][]float64, latent)
	for i := range rows {
		rows[i] = basis.RawRowView(i)
	}
	return target.Along(f, rows)
}

// higher draws the part of degree 3 and more, of which every term has the same expected share.
func higher(t *props.T, r *rand.Rand, latent, degree int) (f theory.Target) {
	switch {
	case degree < 3:
		return nil
	case degree == 4 && rapid.Bool().Draw(t.T, "radial"): // where traces count most
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

// normalised is the target with E f⋆² = 1.
func normalised(f theory.Target) theory.Target {
	scale := 1 / math.Sqrt(f.MeanSquare())
	for i := range f {
		f[i].Coefficient *= scale
	}
	return f
}

// square bounds the error of a mean square from its root: 2e times the root plus e², where e is the root mean square of
// the errors (Minkowski's inequality), and what the cubature adds.
func (s sphere) square(root float64) float64 {
	return 2*root*s.Error + s.Error*s.Error + s.Relative*root*root
}

// judgeSphere compares the means with the bounds, and with the closed forms where there are some.
func judgeSphere(r *props.Record, s sphere, claimed string) {
	r.Regime(s.Shape)
	f := theory.NewTarget(s.Degrees, s.Coefficients)
	_, latent := s.Degrees.Dims()
	b, q := theory.Bounds{D: s.D, R: latent, P: f.Degree()}, theory.Quadratic{D: s.D, H: f.Hessian(latent)}
	allowed := math.Pow(b.Remainder(), 2)
	if claimed == "r" {
		allowed *= float64(latent) / float64(latent+2)
	}
	r.AtMost("mean square, bound", s.Square, allowed, s.square(b.Remainder()))
	r.AtMost("mean square, bound from the degrees", s.Square, math.Pow(b.RemainderOf(f), 2), s.square(b.Remainder()))
	if f.Degree() == 2 || claimed == "any degree" {
		judgeQuadratic(r, s, q, b, claimed)
	}
	if s.Shape == "multiple of the projector" {
		want := theory.Isotropic{D: s.D, R: latent}.Remainder()
		if claimed == "no √π" {
			want *= math.Sqrt(math.Pi)
		}
		r.Within("mean length", s.Length, want, s.Error+s.Relative*want)
	}
	if s.D > latent {
		judgeGap(r, s, q, b, claimed)
	}
}

// ofMoment bounds the error of E ∇∇ᵀ on the latent directions.
func (s sphere) ofMoment(q theory.Quadratic, b theory.Bounds) float64 {
	return s.square(math.Sqrt(2/math.Pi/float64(s.D))*mat.Norm(q.H, 2) + b.Remainder())
}

// judgeQuadratic compares with the closed forms of degree 2.
func judgeQuadratic(r *props.Record, s sphere, q theory.Quadratic, b theory.Bounds, claimed string) {
	want, other, moment := q.MeanSquare(), q.Other(), q.Latent()
	switch claimed {
	case "isotropic":
		want = math.Pow(b.Remainder(), 2)
	case "normal":
		other = q.MeanSquare() / float64(s.D)
	case "leading":
		moment.Mul(q.H, q.H)
		moment.Scale(2/math.Pi/float64(s.D), moment)
	}
	r.Within("mean square", s.Square, want, s.square(b.Remainder()))
	r.WithinMatrix("second moment on the latent directions", s.Latent, moment, s.ofMoment(q, b))
	if s.D > b.R {
		r.Within("second moment on other directions", s.Other, other, s.square(b.Remainder())/float64(s.D-b.R))
	}
}

// judgeGap says that the weakest latent direction stands out. Eigenvalues err by no more than their matrix.
func judgeGap(r *props.Record, s sphere, q theory.Quadratic, b theory.Bounds, claimed string) {
	smallest := mat.Norm(q.H, 2) / math.Sqrt(float64(b.R)) // of the singular values, the root mean square
	if claimed != "root mean square singular value" {
		for _, x := range eigenvalues(q.H) {
			smallest = min(smallest, math.Abs(x))
		}
	}
	bound := b.Gap(1 / (smallest * math.Sqrt(float64(b.R))))
	if !(bound > 0) {
		return // the bound says something from a dimension on that depends on κ
	}
	ofOther := s.square(b.Remainder()) / float64(s.D-b.R)
	r.AtLeast("gap, squared", s.weakest(), bound*bound*s.Other, s.ofMoment(q, b)+bound*bound*ofOther)
}

// weakest is the least eigenvalue of E ∇∇ᵀ on the latent directions.
func (s sphere) weakest() float64 {
	latent, _ := s.Latent.Dims()
	return eigenvalues(mat.NewSymDense(latent, s.Latent.RawMatrix().Data))[0]
}

func eigenvalues(a mat.Symmetric) []float64 {
	values, _, err := linalg.SymEigen(a, false)
	if err != nil {
		panic(err)
	}
	return values
}
