package hessian

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
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

// shapes are the regimes of a target.
var shapes = []string{"multiple of the projector", "one sign", "both signs", "one sign, higher degrees", "both signs, higher degrees"}

// drawSphere draws a target of degree 2 to 6 with at most 3 latent directions, in up to 1000 dimensions and at times in no
// more than the directions span. Controls have targets of degree 2.
func drawSphere(t *props.T, done string) sphere {
	s := sphere{Shape: rapid.SampledFrom(shapes).Draw(t.T, "shape")}
	if done != "" {
		s.Shape = "one sign"
	}
	degree, least, most := 2, 1, 3
	switch s.Shape {
	case "one sign, higher degrees", "both signs, higher degrees":
		degree = rapid.IntRange(3, 6).Draw(t.T, "p")
		if degree > 4 {
			most = 2
		}
	}
	if s.Shape == "both signs" || s.Shape == "both signs, higher degrees" || done == "rank 1" {
		least = 2
	}
	latent := rapid.IntRange(least, most).Draw(t.T, "r")
	s.D = max(2, latent-1+int(gen.LogUniform(t.T, "d−r+1", 1, 1001)))
	r := t.Stream("target")
	f := normalised(append(quadratic(t, r, latent, s.Shape, done), higher(t, r, latent, degree)...))
	s.Degrees, s.Coefficients = f.Arrays(latent)
	s.average(r, done, f)
	return s
}

// quadratic draws the part of degree 2: a Hessian with eigenvalues of the signs that the shape says.
func quadratic(t *props.T, r *rand.Rand, latent int, shape, done string) theory.Target {
	if shape == "multiple of the projector" {
		return theory.Isotropic{D: latent, R: latent}.Target()
	}
	values := mat.NewDense(latent, latent, nil)
	for i := range latent {
		x := gen.LogUniform(t.T, "eigenvalue", 0.05, 1)
		if i == 1 && (shape == "both signs" || shape == "both signs, higher degrees") {
			x = -x
		}
		if i > 0 && done == "rank 1" {
			x = 0
		}
		values.Set(i, i, x)
	}
	var h mat.Dense
	basis := gen.Orthonormal(r, latent, latent)
	h.Product(basis, values, basis.T())
	var f theory.Target
	for i := range latent {
		for j := range i + 1 {
			degrees := make([]int, latent)
			degrees[i]++
			degrees[j]++
			c := h.At(i, j)
			if i == j {
				c /= 2
			}
			f = append(f, theory.Term{Coefficient: c, Degrees: degrees})
		}
	}
	return f
}

// higher draws the part of degree 3 to degree, of which every term has the same expected share.
func higher(t *props.T, r *rand.Rand, latent, degree int) theory.Target {
	if degree < 3 {
		return nil
	}
	size, alpha := gen.LogUniform(t.T, "higher degrees", 0.1, 3), make([]int, latent)
	var f theory.Target
	for next := true; next; next = increment(alpha, degree) {
		term := theory.Term{Coefficient: 1, Degrees: append([]int{}, alpha...)}
		if k := term.Degree(); k >= 3 && k <= degree {
			term.Coefficient = size * r.NormFloat64() / math.Sqrt(theory.Target{term}.MeanSquare())
			f = append(f, term)
		}
	}
	return f
}

// increment counts with digits from 0 to most, and says whether it has not begun again.
func increment(digits []int, most int) bool {
	for i := range digits {
		if digits[i]++; digits[i] <= most {
			return true
		}
		digits[i] = 0
	}
	return false
}

// normalised is the target with E f⋆² = 1.
func normalised(f theory.Target) theory.Target {
	scale := 1 / math.Sqrt(f.MeanSquare())
	for i := range f {
		f[i].Coefficient *= scale
	}
	return f
}

// judgeSphere compares the means. Those of squares err by 2e times the root mean square plus e², where e is the root mean
// square of the errors (Minkowski's inequality), and by what the cubature adds.
func judgeSphere(r *props.Record, s sphere, claimed string) {
	r.Regime(s.Shape)
	f := theory.NewTarget(s.Degrees, s.Coefficients)
	_, latent := s.Degrees.Dims()
	degree := f.Degree()
	if claimed == "any degree" {
		degree = 2
	}
	b := theory.Bounds{D: s.D, R: latent, P: f.Degree()}
	square := func(root float64) float64 { return 2*root*s.Error + s.Error*s.Error + s.Relative*root*root }
	tolerance := square(b.Remainder())
	most := math.Pow(b.Remainder(), 2)
	if claimed == "r" {
		most *= float64(latent) / float64(latent+2)
	}
	r.AtMost("mean square, bound", s.Square, most, tolerance)
	q := theory.Quadratic{D: s.D, H: f.Hessian(latent)}
	length := math.Sqrt(mat.Trace(q.Latent())) + b.Remainder()
	if degree == 2 {
		judgeQuadratic(r, s, q, claimed, tolerance, square(length))
	}
	if s.Shape == "multiple of the projector" {
		want := theory.Isotropic{D: s.D, R: latent}.Remainder()
		if claimed == "no √π" {
			want *= math.Sqrt(math.Pi)
		}
		r.Within("mean length", s.Length, want, s.Error+s.Relative*want)
	}
	if s.D > latent {
		judgeGap(r, s, b, q.H, claimed, square(length))
	}
}

// judgeQuadratic compares with the closed forms of degree 2.
func judgeQuadratic(r *props.Record, s sphere, q theory.Quadratic, claimed string, ofSquare, ofMoment float64) {
	latent := q.H.SymmetricDim()
	want, other, moment := q.MeanSquare(), q.Other(), q.Latent()
	switch claimed {
	case "isotropic":
		want = math.Pow(theory.Bounds{D: s.D, R: latent, P: 2}.Remainder(), 2)
	case "normal":
		other = q.MeanSquare() / float64(s.D)
	case "leading":
		moment.Mul(q.H, q.H)
		moment.Scale(2/math.Pi/float64(s.D), moment)
	}
	r.Within("mean square", s.Square, want, ofSquare)
	r.WithinMatrix("second moment on the latent directions", s.Latent, moment, ofMoment)
	if s.D > latent {
		r.Within("second moment on other directions", s.Other, other, ofSquare/float64(s.D-latent))
	}
}

// judgeGap says that the weakest latent direction stands out. Eigenvalues err by no more than their matrix.
func judgeGap(r *props.Record, s sphere, b theory.Bounds, h *mat.SymDense, claimed string, ofMoment float64) {
	least := math.Inf(1)
	for _, x := range eigenvalues(h) {
		least = min(least, math.Abs(x))
	}
	if claimed == "root mean square singular value" {
		least = mat.Norm(h, 2) / math.Sqrt(float64(b.R))
	}
	bound := b.Gap(1 / (least * math.Sqrt(float64(b.R))))
	if !(bound > 0) {
		return // the bound says something from a dimension on that depends on κ
	}
	gap := s.gap()
	ofOther := (2*b.Remainder()*s.Error + s.Error*s.Error) / float64(b.D-b.R)
	r.AtLeast("gap", gap, bound, gap*(ofMoment/(gap*gap*s.Other)+ofOther/s.Other+s.Relative))
}

// gap is the root of the least eigenvalue of E ∇∇ᵀ on the latent directions over that on the others.
func (s sphere) gap() float64 {
	latent, _ := s.Latent.Dims()
	return math.Sqrt(max(0, eigenvalues(mat.NewSymDense(latent, s.Latent.RawMatrix().Data))[0]) / s.Other)
}

func eigenvalues(a mat.Symmetric) []float64 {
	values, _, err := linalg.SymEigen(a, false)
	if err != nil {
		panic(err)
	}
	return values
}
