package latent

import (
	"fmt"
	"math"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/poly"
	"github.com/thm-suite/thm/impl/population"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/latent"
)

// instance is a target and a half-space w·x + b ≥ 0. The theory knows the target by its Hermite expansion, the
// implementation by its monomials.
type instance struct {
	target theory.Target
	f      poly.Poly
	w      []float64
	b      float64
}

// monomials multiplies out a Hermite expansion. Integer coefficients stay exact.
func monomials(f theory.Target) poly.Poly {
	sum := poly.Poly{}
	for _, t := range f {
		product := poly.Constant(t.Coefficient)
		for i, k := range t.Degrees {
			product = product.Times(poly.Hermite(k, i))
		}
		sum = sum.Plus(product)
	}
	return sum
}

// drawTarget draws a target of exactly this degree in d variables with integer coefficients of at most 3 in size, all
// terms of which have at least the degree from.
func drawTarget(t *props.T, d, from, degree int) theory.Target {
	coefficient := rapid.IntRange(-3, 3)
	f := theory.Target{{Coefficient: float64(rapid.IntRange(1, 3).Draw(t.T, "leading")), Degrees: []int{degree}}}
	for _, alpha := range multiIndices(d, degree) {
		total := 0
		for _, k := range alpha {
			total += k
		}
		if total < from || alpha[0] == degree {
			continue
		}
		if c := coefficient.Draw(t.T, fmt.Sprint(alpha)); c != 0 {
			f = append(f, theory.Term{Coefficient: float64(c), Degrees: alpha})
		}
	}
	return f
}

// multiIndices lists all α of length d with |α| ≤ degree.
func multiIndices(d, degree int) [][]int {
	if d == 0 {
		return [][]int{{}}
	}
	var all [][]int
	for k := 0; k <= degree; k++ {
		for _, rest := range multiIndices(d-1, degree-k) {
			all = append(all, append([]int{k}, rest...))
		}
	}
	return all
}

// drawWeights draws a vector of multiples of ¼ in [−2, 2]ᵈ other than zero.
func drawWeights(t *props.T, d int) []float64 {
	w := make([]float64, d)
	zero := true
	for i := range w {
		w[i] = float64(rapid.IntRange(-8, 8).Draw(t.T, fmt.Sprintf("4w%d", i+1))) / 4
		zero = zero && w[i] == 0
	}
	if zero {
		w[0] = 1
	}
	return w
}

// drawInstance draws d ≤ 3, degree ≤ 5, w with and without unit length, and b in [−2, 2].
func drawInstance(t *props.T) instance {
	d, degree := gen.Dim(t.T, "d", 3), rapid.IntRange(1, 5).Draw(t.T, "p")
	w := drawWeights(t, d)
	if rapid.Bool().Draw(t.T, "unit") {
		w = scaled(w, 1/norm(w))
	}
	in := instance{target: drawTarget(t, d, 0, degree), w: w, b: float64(rapid.IntRange(-16, 16).Draw(t.T, "8b")) / 8}
	in.f = monomials(in.target)
	return in
}

func (in instance) series() theory.Series {
	return theory.Series{Target: in.target, W: in.w, B: in.b}
}

// rounding bounds the error of moment minus series. The series knows its own. On the side of the integral, with x = b/‖w‖,
// degree p and N monomials: an entry of the reflection errs by at most 10u, a product of p linear forms in it by 12pu, a
// half-line moment of order k ≤ p+1 by (3k+5x²+10)u, and at most 2N summands meet in one number.
func (in instance) rounding() float64 {
	x, p := in.b/norm(in.w), float64(in.f.Degree())
	count := 15*(p+2) + 5*x*x + 2*float64(len(in.f)) + 20
	return in.series().Rounding() + count*0x1p-53*population.Magnitude(in.f, in.w, in.b)
}

// show records the instance for the reader of a counterexample.
func (in instance) show(t *props.T) {
	t.Show("f", in.f)
	t.Show("w", in.w)
	t.Show("b", in.b)
}

func norm(w []float64) float64 {
	sum := 0.0
	for _, x := range w {
		sum += x * x
	}
	return math.Sqrt(sum)
}

func scaled(w []float64, a float64) []float64 {
	v := make([]float64, len(w))
	for i, x := range w {
		v[i] = a * x
	}
	return v
}

// plus returns v + a·w.
func plus(v []float64, a float64, w []float64) []float64 {
	sum := make([]float64, len(v))
	for i := range v {
		sum[i] = v[i] + a*w[i]
	}
	return sum
}
