package structured

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/algebra"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// solvedClaim holds the claims about the stated factors.
type solvedClaim struct {
	optimum   func(theory.Layer) float64
	kernel    func(solved) float64     // of F and F2
	threshold func(theory.Sum) float64 // beyond which C stretches
}

const oneThreshold = "one threshold for both sides"

// solved are parameters, the stated factors of them, and two features.
type solved struct {
	B      *mat.Dense
	Sides  factors
	F, F2  *mat.Dense
	Kernel float64 // of F and F2, from the factors
	Cost   float64 // of the factors
}

// drawSolved draws parameters of any shape and rank, with singular values that may be equal.
func drawSolved(t *props.T) solved {
	return drawKind(t, func(drawn int) int { return drawn }, 0.01)
}

// drawAtThreshold draws parameters all of which are next to the threshold.
func drawAtThreshold(t *props.T) solved { return drawKind(t, func(int) int { return 3 }, 5e-5) }

// drawKind draws parameters of the kind that kindOf makes of a drawn one, at most so far off a threshold.
func drawKind(t *props.T, kindOf func(drawn int) int, farthest float64) solved {
	in, r := solved{Sides: drawSides(t)}, t.Stream("entries")
	m, k := gen.Dim(t.T, "m", 4), gen.Dim(t.T, "k", 4)
	size := gen.LogUniform(t.T, "size", 0.05, 20)
	in.B = gen.Gaussian(r, m, k, size)
	switch kindOf(rapid.IntRange(0, 5).Draw(t.T, "kind")) {
	case 0: // rank one
		in.B.Mul(gen.Gaussian(r, m, 1, size), gen.Gaussian(r, 1, k, 1))
	case 1: // equal singular values
		long, short := max(m, k), min(m, k)
		in.B = gen.Orthonormal(r, long, short)
		if m < k {
			in.B = mat.DenseCopyOf(in.B.T())
		}
		in.B.Scale(size, in.B)
	case 2:
		if rapid.IntRange(0, 3).Draw(t.T, "zero") == 3 {
			in.B.Zero()
		}
	case 3:
		in.Sides.Right = theory.Absolute
		in.B = nextToThreshold(t, in.Sides, in.B, farthest)
	}
	in.F, in.F2 = gen.Gaussian(r, m, k, 1), gen.Gaussian(r, m, k, 1)
	in.Sides.A, in.Sides.Theta, in.Sides.C = in.Sides.layer(in.B).Factors()
	in.measure()
	return in
}

// measure takes kernel and cost of the factors; a fixed side is I.
func (in *solved) measure() {
	m, k := in.B.Dims()
	if in.Sides.Left == theory.Fixed {
		in.Sides.A = impl.Identity(m)
	}
	if in.Sides.Right == theory.Fixed {
		in.Sides.C = impl.Identity(k)
	}
	in.Kernel, in.Cost = in.kernel(), in.Sides.cost()
}

// chargeEntries charges the entries of A − I and C − I.
func chargeEntries(in *solved) {
	in.Cost = math.Pow(mat.Norm(in.Sides.Theta, 2), 2) +
		entrywise(penaltyOf(in.Sides.Left, in.Sides.KLeft), in.Sides.A) +
		entrywise(penaltyOf(in.Sides.Right, in.Sides.KRight), in.Sides.C)
}

// exchangeVectors takes the entries of Θ in the opposite order.
func exchangeVectors(in *solved) {
	theta := mat.DenseCopyOf(in.Sides.Theta)
	slices.Reverse(theta.RawMatrix().Data)
	in.Sides.Theta = theta
}

// splitEvenly splits every stretch into two equal ones, as two quadratic penalties would.
func splitEvenly(in *solved) {
	quadratic := theory.Side{Family: theory.Quadratic, Factor: 1}
	in.Sides.A, _, in.Sides.C = theory.Layer{B: in.B, Left: quadratic, Right: quadratic}.Factors()
	in.measure()
}

// nextToThreshold scales B such that its largest singular value is a little off the threshold of C: by more than what
// [judgeThresholds] declines.
func nextToThreshold(t *props.T, sides factors, b *mat.Dense, farthest float64) *mat.Dense {
	off := gen.LogUniform(t.T, "off the threshold", 2e-6, farthest)
	if rapid.Bool().Draw(t.T, "below") {
		off = -off
	}
	b.Scale(sides.layer(b).Sides().Threshold(1)*(1+off)/singular(b)[0], b)
	return b
}

func singular(m *mat.Dense) []float64 {
	return must.Get(linalg.SingularValues(m))
}

// entrywise charges the entries of A − I, for a control.
func entrywise(p *impl.Penalty, a *mat.Dense) float64 {
	sum := 0.0
	for i := range rows(a) {
		for j := range rows(a) {
			e := math.Abs(a.At(i, j))
			if i == j {
				e = math.Abs(e - 1)
			}
			if p != nil {
				sum += p.Value(e)
			}
		}
	}
	return sum
}

// kernel is the adapted kernel of the two features by the model.
func (in solved) kernel() float64 {
	m, k := in.B.Dims()
	features := mat.NewDense(2, m*k, nil)
	features.SetRow(0, mat.DenseCopyOf(in.F).RawMatrix().Data)
	features.SetRow(1, mat.DenseCopyOf(in.F2).RawMatrix().Data)
	s := impl.Structured{Labels: make([]float64, 2),
		Layers: []impl.StructuredLayer{{Rows: m, Cols: k, Features: features,
			Left: penaltyOf(in.Sides.Left, 1), Right: penaltyOf(in.Sides.Right, 1)}}}
	return s.Kernel([]impl.Sided{{A: in.Sides.A, Theta: in.Sides.Theta, C: in.Sides.C}}).At(0, 1)
}

// exchanged has the penalties of the sides exchanged.
func (in factors) exchanged() factors {
	in.Left, in.Right, in.KLeft, in.KRight = in.Right, in.Left, in.KRight, in.KLeft
	return in
}

// judgeSolved: equal singular values leave the factors alone, because they enter through functions of B only.
func judgeSolved(r *props.Record, in solved, claim solvedClaim) {
	s, l := in.Sides, in.Sides.layer(in.B)
	r.Regime(regime(s.Left, s.Right))
	noise, size := s.noise(in.B, r.Unit()), mat.Norm(in.B, 2)
	m, k := in.B.Dims()
	a, c := mat.Norm(s.A, 2), mat.Norm(s.C, 2)
	if size > 0 {
		r.WithinMatrix("product", s.product(), in.B, 40*float64(m+k)*r.Unit()*a*c*size)
	}
	optimum := claim.optimum(l)
	r.WithinScale("cost", in.Cost, optimum, optimum, noise)
	r.WithinScale("cost with exchanged penalties", s.exchangedCost(in.B), optimum, optimum, 2*noise)
	scale := a * a * c * c * mat.Norm(in.F, 2) * mat.Norm(in.F2, 2)
	r.WithinScale("kernel", in.Kernel, claim.kernel(in), scale, 60*float64(m+k)*r.Unit()*scale)
	judgeThresholds(r, in, claim.threshold)
}

// kernelOfFirstPower has z in place of z².
func (in solved) kernelOfFirstPower() float64 {
	x, _, y := in.Sides.layer(in.B).Factors()
	moved := algebra.Product(x, in.F2)
	moved.Mul(moved, y)
	return mat.Sum(elementwise(in.F, moved))
}

func elementwise(a, b *mat.Dense) *mat.Dense {
	var out mat.Dense
	out.MulElem(a, b)
	return &out
}

// exchangedCost returns the cost of the stated factors after the penalties of the sides are exchanged.
func (in factors) exchangedCost(b *mat.Dense) float64 {
	other := in.exchanged()
	other.A, other.Theta, other.C = other.layer(b).Factors()
	if other.Left == theory.Fixed {
		other.A = impl.Identity(rows(other.A))
	}
	if other.Right == theory.Fixed {
		other.C = impl.Identity(rows(other.C))
	}
	return other.cost()
}

// judgeThresholds counts the directions that C stretches.
//
// A singular value of B errs by noise times the threshold, and one of C by a fraction of noise: rounding errors of ten
// roundings times the order and the norm. Beyond the threshold d ln σ = (½ + e₁ + 1)·d ln w, with the elasticity e₁ ≤ 1
// of the other side: a σ that is farther off than four times the noise is stretched by at least 1.6 times the noise,
// and one that is below is not.
func judgeThresholds(r *props.Record, in solved, beyond func(theory.Sum) float64) {
	if in.Sides.Right != theory.Absolute {
		return
	}
	sum := theory.Sum{{Family: in.Sides.Left, Factor: in.Sides.KLeft},
		{Family: in.Sides.Right, Factor: in.Sides.KRight}}
	stated, threshold := sum.Threshold(1), beyond(sum)
	m, k := in.B.Dims()
	noise := 40 * float64(m+k) * r.Unit() * max(mat.Norm(in.B, 2)/stated, mat.Norm(in.Sides.C, 2))
	want, got, off := 0.0, 0.0, math.Inf(1)
	for _, sigma := range singular(in.B) {
		off = min(off, math.Abs(sigma-stated)/stated)
		if sigma > threshold {
			want++
		}
	}
	if r.Declines("directions that C stretches", off, 4*noise) {
		return
	}
	for _, w := range singular(in.Sides.C) {
		if w > 1+noise {
			got++
		}
	}
	r.Exactly("directions that C stretches", got, want)
}
