package factorkit

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/doubledouble"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/gallery"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// polar makes one call.
func (k subject) polar(a *mat.Dense) *mat.Dense {
	u := k.must(polarContract.calls(a, false)[0]).u
	if m, n := a.Dims(); !isShape(u, m, n) {
		unfit("u is %s\n", shapeOf(u))
	}
	return u
}

// polarChecks are the checks of polar factors; add here. Three conditions make an orthonormal u the polar factor of a:
// that uᵀa is symmetric, that it is semidefinite, and that the columns of a lie in the space of those of u. None needs
// an oracle.
func polarChecks() []kit.Check {
	any := choice{tall: true}
	check := family("polar", kit.PolarPart, any, choice.inRange)
	known := family("polar", kit.PolarPart, any.with(gallery.KnownSingularValues), choice.inRange)
	const tolerance = "with τ = 6·max(m,n)·ulp·‖A‖₁ times Kernel.TestRatio: the perturbation allowed for a " +
		"factorisation, for each of the at most six that QDWH takes."
	const forward = "3√(mn)·τ/σₙ, by which the factors of two matrices differ that differ by τ (Li 1995), "
	checks := []kit.Check{
		check("orthogonality", "‖I − UᵀU‖₁ ≤ 6·rows·ulp, times Kernel.TestRatio: what LAPACK tests of one "+
			"factorisation (dort01), for each of the at most six of QDWH.",
			polarOrthogonality),
		check("symmetry", "H = UᵀA is symmetric, ‖H − Hᵀ‖₁ ≤ 2τ "+tolerance,
			polarSymmetry),
		check("semidefinite", "H = UᵀA has no eigenvalue below −2τ, by Sturm counts in double-double, "+tolerance,
			polarSemidefinite),
		check("residual", "‖A − U·H‖₁ ≤ 4τ with the symmetric part H of UᵀA, "+tolerance,
			polarResidual),
		family("polar", kit.PolarPart, any, choice.extreme)("near the limits",
			"The four checks before, for matrices with entries near overflow, near underflow and below.", polarLimits),
		known("orthogonal", "The factor of an orthogonal matrix is that matrix, and of a definite one the identity, "+
			"within "+forward+tolerance,
			polarKnown),
		known("equivariance", "Permuting and negating rows and columns and multiplying by a power of two does the "+
			"first to the factor as well. Both sides err by "+forward+tolerance, polarEquivariance),
	}
	return append(checks, polarContract.checks(family("polar", kit.PolarPart, any, choice.plain),
		family("polar", kit.PolarPart, any, choice.repeated))...)
}

func polarOrthogonality(k subject, _ *props.Trial, x gallery.Instance) finding {
	u := k.polar(x.A)
	m, _ := u.Dims()
	allowed := polarSteps * k.promised() * float64(m) * k.precision().Ulp()
	return found(props.Within(departure(u), allowed), "‖I − UᵀU‖₁", departure(u), "U",
		indented(u))
}

// hermitian is UᵀA, computed in double-double, of the normalised matrix.
func (k subject) hermitian(x gallery.Instance) (a normal, u, h *mat.Dense) {
	u, a = k.polar(x.A), k.polarNormalise(x.A)
	_, n := x.A.Dims()
	h = mat.NewDense(n, n, nil)
	columns := transposed(a.a)
	for i := range n {
		left := mat.Col(nil, i, u)
		for j := range n {
			h.Set(i, j, doubledouble.Dot(left, columns.RawRowView(j)).Float64())
		}
	}
	return a, u, h
}

func polarSymmetry(k subject, _ *props.Trial, x gallery.Instance) finding {
	a, _, h := k.hermitian(x)
	var skew mat.Dense
	skew.Sub(h, h.T())
	return found(within(mat.Norm(&skew, 1), 2*a.tolerance()), "UᵀA, scaled",
		indented(h))
}

// symmetricPart is (h + hᵀ)/2.
func symmetricPart(h *mat.Dense) *mat.Dense {
	var s mat.Dense
	s.Add(h, h.T())
	s.Scale(0.5, &s)
	return &s
}

func polarSemidefinite(k subject, _ *props.Trial, x gallery.Instance) finding {
	a, _, h := k.hermitian(x)
	if a.tolerance() == 0 {
		return finding{}
	}
	t, f := reduceSymmetric(symmetricPart(h)), 1.0/64
	for ; f < 0x1p80 && t.below(doubledouble.Number{Hi: -2 * f * a.tolerance()}) > 0; f *= 2 {
		continue
	}
	if norm := mat.Norm(h, 1); math.IsNaN(norm) || math.IsInf(norm, 1) {
		f = math.Inf(1)
	}
	return found(props.Within(f, 1), "UᵀA, scaled", indented(h),
		"an eigenvalue is below", -f*a.tolerance())
}

func polarResidual(k subject, _ *props.Trial, x gallery.Instance) finding {
	a, u, h := k.hermitian(x)
	_, n := u.Dims()
	r := within(residual(a.a, u, ones(n), symmetricPart(h)), 4*a.tolerance())
	return found(r, "U", indented(u))
}

func polarLimits(k subject, t *props.Trial, x gallery.Instance) finding {
	return worstOf(polarOrthogonality(k, t, x), polarSymmetry(k, t, x), polarSemidefinite(k, t, x),
		polarResidual(k, t, x))
}

// sensitivity bounds, in the norm ‖·‖₁, how far the factors of a and of a matrix within its tolerance are apart (R.-C.
// Li, SIAM J. Matrix Anal. Appl. 16 (1995) 327: 3‖ΔA‖_F/σₙ, and √(mn) for the change of norms). NaN where a is too near
// a singular matrix, of which the factor is not unique, for that to say anything.
func sensitivity(a normal, x gallery.Instance) float64 {
	m, n := x.A.Dims()
	smallest := a.scale(x.Singular)[n-1]
	if bound := 3 * math.Sqrt(float64(m*n)) * a.tolerance() / smallest; bound < 1e-3 {
		return bound
	}
	return math.NaN()
}

// polarSteps is the number of tolerances of one factorisation that a polar factor may err by: QDWH takes six steps at
// most, each of them a factorisation (Nakatsukasa, Bai, Gygi, SIAM J. Matrix Anal. Appl. 31 (2010) 2700).
const polarSteps = 6

func (k subject) polarNormalise(a *mat.Dense) normal {
	x := k.normalise(a)
	x.allowed *= polarSteps
	return x
}

func polarKnown(k subject, _ *props.Trial, x gallery.Instance) finding {
	a := k.polarNormalise(x.A)
	bound := sensitivity(a, x)
	_, n := x.A.Dims()
	var want *mat.Dense
	switch {
	case math.IsNaN(bound):
		return finding{}
	case x.Properties.Has(gallery.Orthogonal):
		want = x.A
	case x.Properties.Has(gallery.PositiveDefinite):
		want = mat.DenseCopyOf(mat.NewDiagDense(n, ones(n)))
	default:
		return finding{}
	}
	u := k.polar(x.A)
	var d mat.Dense
	d.Sub(u, want)
	// x.Error is the distance of an orthogonal matrix of the gallery from being one.
	return found(props.Within(mat.Norm(&d, 1), bound+2*math.Sqrt(float64(n))*x.Error), "U",
		indented(u))
}

func polarEquivariance(k subject, t *props.Trial, x gallery.Instance) finding {
	bound := sensitivity(k.polarNormalise(x.A), x)
	if math.IsNaN(bound) {
		return finding{}
	}
	m, n := x.A.Dims()
	rows, cols := signedOrder(t.Rand, m), signedOrder(t.Rand, n)
	far := k.precision().Far() * 8 / 10
	exponent := t.Rand.IntN(2*far) - far
	moved := func(a *mat.Dense, exponent int) *mat.Dense {
		b := permuted(a, rows, cols)
		b.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, exponent) }, b)
		return b
	}
	u := k.polar(x.A)
	v := ofOther("the permuted matrix", func() *mat.Dense { return k.polar(moved(x.A, exponent)) })
	var d mat.Dense
	d.Sub(moved(u, 0), v)
	return found(props.Within(mat.Norm(&d, 1), 2*bound), "U", indented(u),
		"of the permuted matrix", indented(v), "times 2^", exponent)
}

var polarContract = contract{
	calls: func(a *mat.Dense, inside bool) []call {
		memory := a.RawMatrix().Data
		if inside {
			a, memory = window(a)
		}
		return []call{{"", memory, func(k subject) (f factors, err error) {
			f.u, err = k.Polar(a)
			return f, err
		}, false}}
	},
	storage:   svdContract.storage,
	notFinite: "A NaN or an infinity anywhere is an error.",
}
