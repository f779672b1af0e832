package factorkit

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/gallery"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// factors holds the results of an SVD or a symmetric eigenvalue decomposition.
type factors struct {
	u, v *mat.Dense
	s    []float64
}

// kinds lists the values of mat.SVDKind that the interface knows.
var kinds = []mat.SVDKind{mat.SVDNone, mat.SVDThin, mat.SVDFull}

// must makes a call of which the result can be judged; anything else ends the measurement as a finding.
func (k subject) must(q call) factors {
	f, bad := q.expect(k)
	if bad != nil {
		panic(*bad)
	}
	return f
}

// unfit ends the measurement as a finding: the result is not of the shape that was promised.
func unfit(format string, values ...any) {
	panic(finding{kit.Failed, fmt.Sprintf(format, values...)})
}

// ofOther makes a measurement whose finding, if it ends with one, is about another matrix.
func ofOther[T any](matrix string, measure func() T) T {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case finding:
			panic(finding{p.ratio, "of " + matrix + ": " + p.note})
		default:
			panic(p)
		}
	}()
	return measure()
}

func svdCall(a *mat.Dense, memory []float64, kind mat.SVDKind) call {
	return call{fmt.Sprint("kind ", kind), memory, func(k subject) (f factors, err error) {
		f.u, f.s, f.v, err = k.SVD(a, kind)
		return f, err
	}, kind != mat.SVDThin}
}

// svd makes one call.
func (k subject) svd(a *mat.Dense, kind mat.SVDKind) factors {
	f := k.must(svdCall(a, nil, kind))
	m, n := a.Dims()
	r := min(m, n)
	ok := len(f.s) == r
	switch kind {
	case mat.SVDNone:
		ok = ok && f.u == nil && f.v == nil
	case mat.SVDThin:
		ok = ok && isShape(f.u, m, r) && isShape(f.v, n, r)
	case mat.SVDFull:
		ok = ok && isShape(f.u, m, m) && isShape(f.v, n, n)
	}
	if !ok {
		unfit("kind %d: u is %s, v is %s, %d values\n", kind, shapeOf(f.u), shapeOf(f.v), len(f.s))
	}
	return f
}

func isShape(a *mat.Dense, m, n int) bool {
	if a == nil {
		return false
	}
	r, c := a.Dims()
	return r == m && c == n
}

func shapeOf(a *mat.Dense) string {
	if a == nil {
		return "nil"
	}
	r, c := a.Dims()
	return fmt.Sprintf("%d×%d", r, c)
}

// values are the singular values alone.
func (k subject) values(a *mat.Dense) []float64 { return k.svd(a, mat.SVDNone).s }

// svdChecks are the checks of singular value decompositions; add here.
func svdChecks() []kit.Check {
	any := choice{}
	check := family("svd", kit.SVDPart, any, choice.inRange)
	checks := []kit.Check{
		check("residual", "‖A − U·diag(σ)·Vᵀ‖₁ ≤ max(m,n)·ulp·‖A‖₁, LAPACK's test ratio (dbdt01), times "+
			"Kernel.TestRatio, and what rounding exact factors to float64 does, 3·(ulp/2)·‖|U|·diag(σ)·|V|ᵀ‖₁; thin "+
			"and full.",
			svdResidual),
		check("orthogonality", "‖I − UᵀU‖₁ ≤ rows·ulp and the same for V, LAPACK's test ratio (dort01), times "+
			"Kernel.TestRatio; thin and full.",
			svdOrthogonality),
		check("order", "Singular values are descending and not negative; u and v have the promised shapes; all three "+
			"kinds.",
			svdOrder),
		check("values without vectors", "The three kinds give the same values within twice max(m,n)·ulp·‖A‖₁, times "+
			"Kernel.TestRatio: each is within once of the truth.", svdWithout),
		check("Sturm counts", "Singular values against counts of the eigenvalues of the Golub-Kahan matrix, reduced "+
			"in double-double: every value within max(m,n)·ulp·‖A‖₁ (Weyl), times Kernel.TestRatio, of the one in "+
			"its place. The ratio is a power of two, at most twice the truth.",
			svdCounts),
		family("svd", kit.SVDPart, any.with(gallery.KnownSingularValues), choice.inRange)("known values",
			"Singular values against closed forms, within max(m,n)·ulp·‖A‖₁, times Kernel.TestRatio, and the "+
				"rounding of the matrix and of the forms.",
			svdKnown),
		family("svd", kit.SVDPart, any, choice.extreme)("near the limits",
			"Residual, orthogonality, order and counts, as in the checks of these names, of matrices with entries "+
				"near overflow, near underflow and below.",
			svdLimits),
	}
	return slices.Concat(checks, svdRelations(check),
		svdContract.checks(family("svd", kit.SVDPart, any, choice.plain), family("svd", kit.SVDPart, any, choice.repeated)))
}

var svdContract = contract{
	calls: func(a *mat.Dense, inside bool) []call {
		memory := a.RawMatrix().Data
		if inside {
			a, memory = window(a)
		}
		return list.Map(kinds, func(kind mat.SVDKind) call { return svdCall(a, memory, kind) })
	},
	storage: "The argument stays as it is, bit by bit, and a matrix that is a window of a larger one, with NaN around " +
		"it, gives the bits of its copy.",
	notFinite: "A NaN or an infinity anywhere is an error. Values are asked for first; a kernel that does not notice " +
		"is not asked for vectors, because iterations on such numbers need not end (Reference-LAPACK issue 1409).",
	void:   "A matrix without rows or columns has no singular values, and that is no error.",
	shapes: []emptyShape{{0, 0}, {0, 3}, {3, 0}},
}

func svdLimits(k subject, t *props.Trial, x gallery.Instance) finding {
	return worstOf(svdResidual(k, t, x), svdOrthogonality(k, t, x), svdOrder(k, t, x), svdCounts(k, t, x))
}

func svdResidual(k subject, _ *props.Trial, x gallery.Instance) finding {
	a := k.normalise(x.A)
	var parts []finding
	for _, kind := range kinds[1:] {
		f := k.svd(x.A, kind)
		values := a.scale(f.s)
		r := within(residual(a.a, f.u, values, f.v), a.tolerance()+a.stored(f.u, values, f.v))
		parts = append(parts, found(r, "kind", kind, "σ", f.s, "U",
			indented(f.u), "V", indented(f.v)))
	}
	return worstOf(parts...)
}

func svdOrthogonality(k subject, _ *props.Trial, x gallery.Instance) finding {
	var parts []finding
	for _, kind := range kinds[1:] {
		f := k.svd(x.A, kind)
		parts = append(parts, found(k.orthogonality(f.u), "kind", kind, "‖I − UᵀU‖₁", departure(f.u)),
			found(k.orthogonality(f.v), "kind", kind, "‖I − VᵀV‖₁", departure(f.v)))
	}
	return worstOf(parts...)
}

func svdOrder(k subject, _ *props.Trial, x gallery.Instance) finding {
	for _, kind := range kinds {
		f := k.svd(x.A, kind)
		for i, s := range f.s {
			ok := s >= 0 && s <= k.precision().Max && (i == 0 || s <= f.s[i-1])
			if !ok {
				return found(kit.Failed, "kind", kind, "σ", f.s)
			}
		}
	}
	return finding{}
}

func svdWithout(k subject, _ *props.Trial, x gallery.Instance) finding {
	a := k.normalise(x.A)
	var s [3][]float64
	for i, kind := range kinds {
		s[i] = a.scale(k.svd(x.A, kind).s)
	}
	return worstOf(
		found(within(farthest(s[0], s[1]), 2*a.tolerance()), "σ alone", s[0], "σ with thin vectors", s[1],
			"scaled by 2^", -a.exponent),
		found(within(farthest(s[1], s[2]), 2*a.tolerance()), "σ with thin vectors", s[1], "σ with full vectors", s[2],
			"scaled by 2^", -a.exponent))
}

func svdCounts(k subject, _ *props.Trial, x gallery.Instance) finding {
	s := k.values(x.A)
	a := k.normalise(x.A)
	t := reduceGeneral(a.a)
	return counted(t, a, a.scale(s), func(i int) int { return 2*len(s) - 1 - i })
}

// counted judges values, scaled, by the counts of t; place(i) is the index of value i among all eigenvalues of t.
func counted(t tridiagonal, a normal, values []float64, place func(i int) int) finding {
	tolerance := a.tolerance()
	if tolerance == 0 {
		return found(props.Exactly(farthest(values, make([]float64, len(values)))), "values of the zero matrix", values)
	}
	worst := finding{}
	for i, v := range values {
		r := props.Within(t.distance(place(i), v, tolerance), 1)
		worst = worstOf(worst, found(r, "index", i, "values", values, "scaled by 2^", -a.exponent, "off by at least",
			r.Value/2*tolerance))
	}
	return worst
}

func svdKnown(k subject, _ *props.Trial, x gallery.Instance) finding {
	s := k.values(x.A)
	a := k.normalise(x.A)
	r := within(farthest(a.scale(s), a.scale(x.Singular)), a.tolerance()+math.Ldexp(x.Error, -a.exponent))
	return found(r, "σ", s, "closed form", x.Singular)
}
