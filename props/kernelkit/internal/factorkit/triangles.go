package factorkit

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/gallery"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// triangleChecks are the checks of factorisations into triangles, QR and Cholesky; add here.
func triangleChecks() []kit.Check {
	any, symmetric := choice{}, choice{square: true, properties: gallery.Symmetric}
	qr := family("qr", kit.QRPart, any, choice.inRange)
	cholesky := family("cholesky", kit.CholeskyPart, symmetric, choice.inRange)
	definite := symmetric.with(gallery.PositiveDefinite)
	checks := []kit.Check{
		qr("residual", "‖A − Q·R‖₁ ≤ max(m,n)·ulp·‖A‖₁, LAPACK's test ratio (dqrt01), times Kernel.TestRatio, and what "+
			"rounding exact factors does.", qrResidual),
		qr("orthogonality", "‖I − QᵀQ‖₁ ≤ m·ulp, LAPACK's test ratio (dqrt01), times Kernel.TestRatio.", qrOrthogonality),
		qr("triangle", "Q is m×k and R k×n with k = min(m, n), all of R is finite, and zero below the diagonal.", qrTriangle),
		qr("columns", "The columns of R are as long as those of A, each within max(m,n)·ulp of its length, times "+
			"Kernel.TestRatio: Householder's method is stable column by column (Higham, theorem 19.4).", qrColumns),
		family("qr", kit.QRPart, any, choice.extreme)("near the limits",
			"Residual, orthogonality and triangle, as in the checks of these names, of matrices with entries near overflow, "+
				"near underflow and below.", func(k subject, t *props.Trial, x gallery.Instance) finding {
				return worstOf(qrResidual(k, t, x), qrOrthogonality(k, t, x), qrTriangle(k, t, x))
			}),
		cholesky("residual", "‖A − L·Lᵀ‖₁ ≤ n·ulp·‖A‖₁, LAPACK's test ratio (dpot01), times Kernel.TestRatio, and what "+
			"rounding an exact factor does; where there is a factor.", choleskyResidual),
		cholesky("definite", "A matrix whose eigenvalues are all above τ = n·ulp·‖A‖₁, times Kernel.TestRatio, has a "+
			"factor, with a positive diagonal, and one with an eigenvalue below −τ is an error; by Sturm counts in "+
			"double-double.", choleskyDefinite),
		family("cholesky", kit.CholeskyPart, symmetric, choice.extreme)("near the limits",
			"Residual and definite, as in the checks of these names, of matrices with entries near overflow, near underflow "+
				"and below.", func(k subject, t *props.Trial, x gallery.Instance) finding {
				return worstOf(choleskyResidual(k, t, x), choleskyDefinite(k, t, x))
			}),
	}
	return slices.Concat(checks,
		qrContract.checks(family("qr", kit.QRPart, any, choice.plain), family("qr", kit.QRPart, any, choice.repeated)),
		choleskyContract.checks(family("cholesky", kit.CholeskyPart, definite, choice.definite),
			family("cholesky", kit.CholeskyPart, definite, choice.definite)))
}

// definite are a few matrices with a Cholesky factor in either precision, and a large one.
func (c choice) definite(e props.Effort) []specimen {
	list := only(c.all(e), "identity", "Lehmer", "Pei")
	large := list[len(list)-1]
	large.m, large.n = largeSize, largeSize
	return append(list, large)
}

var qrContract = contract{
	calls: func(a *mat.Dense, inside bool) []call {
		memory := a.RawMatrix().Data
		if inside {
			a, memory = window(a)
		}
		return []call{{"", memory, func(k subject) (f factors, err error) {
			f.u, f.v, err = k.QR(a)
			return f, err
		}, false}}
	},
	storage:   svdContract.storage,
	notFinite: "A NaN or an infinity anywhere is an error.",
	void:      "A matrix without rows or columns has empty factors, and that is no error.",
	shapes:    svdContract.shapes,
}

var choleskyContract = contract{
	calls: func(a *mat.Dense, inside bool) []call {
		s, memory := symmetricArgument(a, inside)
		return []call{{"", memory, func(k subject) (f factors, err error) {
			l, err := k.Cholesky(s)
			if err == nil && !l.IsEmpty() {
				f.v = mat.DenseCopyOf(l)
			}
			return f, err
		}, false}}
	},
	symmetric: true,
	storage:   eigenContract.storage,
	notFinite: "A NaN or an infinity anywhere in the triangle is an error.",
	void:      "A matrix without rows has an empty factor, and that is no error.",
	shapes:    eigenContract.shapes,
}

// qr makes one call.
func (k subject) qr(a *mat.Dense) (q, r *mat.Dense) {
	f := k.must(qrContract.calls(a, false)[0])
	m, n := a.Dims()
	if short := min(m, n); !isShape(f.u, m, short) || !isShape(f.v, short, n) {
		unfit("Q is %s, R is %s\n", shapeOf(f.u), shapeOf(f.v))
	}
	return f.u, f.v
}

func qrResidual(k subject, _ *props.Trial, x gallery.Instance) finding {
	q, r := k.qr(x.A)
	a := k.normalise(x.A)
	rows, cols := r.Dims()
	scaled, one := mat.NewDense(cols, rows, nil), ones(rows)
	for i := range rows {
		scaled.SetCol(i, a.scale(r.RawRowView(i)))
	}
	return found(within(residual(a.a, q, one, scaled), a.tolerance()+a.stored(q, one, scaled)), "Q",
		indented(q), "R", indented(r))
}

func qrOrthogonality(k subject, _ *props.Trial, x gallery.Instance) finding {
	q, _ := k.qr(x.A)
	return found(k.orthogonality(q), "‖I − QᵀQ‖₁", departure(q))
}

func qrTriangle(k subject, _ *props.Trial, x gallery.Instance) finding {
	_, r := k.qr(x.A)
	rows, cols := r.Dims()
	for i := range rows {
		for j := range cols {
			if v := r.At(i, j); j < i && v != 0 || !(math.Abs(v) <= k.precision().Max) {
				return found(kit.Failed, "row", i, "column", j, "R", indented(r))
			}
		}
	}
	return finding{}
}

func qrColumns(k subject, _ *props.Trial, x gallery.Instance) finding {
	_, r := k.qr(x.A)
	a, worst := k.normalise(x.A), finding{}
	m, n := x.A.Dims()
	for j := range n {
		length := mat.Norm(a.a.ColView(j), 2)
		got := mat.Norm(mat.NewVecDense(min(m, n), a.scale(mat.Col(nil, j, r))), 2)
		allowed := a.allowed * (float64(max(m, n))*a.Ulp()*length + a.floor)
		worst = worstOf(worst, found(within(got-length, allowed), "column", j, "length in R", got, "in A", length))
	}
	return worst
}

// cholesky makes one call. An error may be right.
func (k subject) cholesky(a *mat.Dense) (l *mat.Dense, err error) {
	f, bad, err := choleskyContract.calls(a, false)[0].do(k)
	if bad != nil {
		panic(*bad)
	}
	if n, _ := a.Dims(); err == nil && !isShape(f.v, n, n) {
		unfit("L is %s\n", shapeOf(f.v))
	}
	return f.v, err
}

func choleskyResidual(k subject, _ *props.Trial, x gallery.Instance) finding {
	l, err := k.cholesky(x.A)
	if err != nil {
		return finding{}
	}
	// The factor goes with the square root of the matrix: an even exponent.
	a := k.normalise(x.A)
	half := a.exponent / 2
	scaled := mat.DenseCopyOf(l)
	scaled.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, -half) }, scaled)
	rest := slices.Repeat([]float64{math.Ldexp(1, 2*half-a.exponent)}, len(l.RawRowView(0)))
	return found(within(residual(a.a, scaled, rest, scaled), a.tolerance()+a.stored(scaled, rest, scaled)), "L",
		indented(l))
}

func choleskyDefinite(k subject, _ *props.Trial, x gallery.Instance) finding {
	l, err := k.cholesky(x.A)
	a := k.normalise(x.A)
	t := reduceSymmetric(a.a)
	switch {
	case err == nil:
		n, _ := l.Dims()
		for i := range n {
			if !(l.At(i, i) > 0 && l.At(i, i) <= k.precision().Max) {
				return found(kit.Failed, "diagonal entry", i, "of L", l.At(i, i))
			}
		}
		return found(props.Condition(t.allAbove(-a.tolerance())), "a factor, and an eigenvalue below", -a.tolerance())
	case a.tolerance() > 0 && t.allAbove(a.tolerance()):
		return found(kit.Failed, "all eigenvalues are above", a.tolerance(), "error", err)
	}
	return finding{}
}
