package factorkit

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/doubledouble"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/gallery"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// symmetricOf stores a square matrix with its upper triangle, as gonum does; the rest is NaN and must not be read.
func symmetricOf(a *mat.Dense) *mat.SymDense {
	if n, _ := a.Dims(); n == 0 {
		return new(mat.SymDense)
	}
	return upper(mat.DenseCopyOf(a))
}

// upper is a square matrix as a symmetric one in the same memory, with NaN below the diagonal.
func upper(a *mat.Dense) *mat.SymDense {
	raw := a.RawMatrix()
	for i := range raw.Rows {
		for j := range i {
			a.Set(i, j, math.NaN())
		}
	}
	var s mat.SymDense
	s.SetRawSymmetric(blas64.Symmetric{N: raw.Rows, Stride: raw.Stride, Data: raw.Data, Uplo: blas.Upper})
	return &s
}

func eigenCall(a *mat.SymDense, memory []float64, vectors bool) call {
	return call{fmt.Sprint("vectors ", vectors), memory, func(k subject) (f factors, err error) {
		f.s, f.v, err = k.SymEigen(a, vectors)
		return f, err
	}, false}
}

// eigen makes one call.
func (k subject) eigen(a *mat.Dense, vectors bool) factors {
	f := k.must(eigenCall(symmetricOf(a), nil, vectors))
	if n, _ := a.Dims(); len(f.s) != n || vectors && !isShape(f.v, n, n) || !vectors && f.v != nil {
		unfit("vectors %v: v is %s, %d values\n", vectors, shapeOf(f.v), len(f.s))
	}
	return f
}

// eigenvalues are the values alone.
func (k subject) eigenvalues(a *mat.Dense) []float64 { return k.eigen(a, false).s }

// eigenChecks are the checks of symmetric eigenvalue decompositions; add here.
func eigenChecks() []kit.Check {
	any := choice{square: true, properties: gallery.Symmetric}
	check := family("symeigen", kit.SymEigenPart, any, choice.inRange)
	checks := []kit.Check{
		check("residual", "‖A − V·diag(w)·Vᵀ‖₁ ≤ n·ulp·‖A‖₁, LAPACK's test ratio (dsyt21), times Kernel.TestRatio, "+
			"and what rounding exact factors to float64 does, 3·(ulp/2)·‖|V|·diag(|w|)·|V|ᵀ‖₁.",
			eigenResidual),
		check("orthogonality", "‖I − VᵀV‖₁ ≤ n·ulp, LAPACK's test ratio (dsyt21), times Kernel.TestRatio.",
			eigenOrthogonality),
		check("order", "Eigenvalues are ascending and finite, v has the promised shape.", eigenOrder),
		check("values without vectors", "With and without vectors the values agree within 2n·ulp·‖A‖₁, times "+
			"Kernel.TestRatio.",
			eigenWithout),
		check("trace", "Σw = tr A, with n·tolerance: every value errs by n·ulp·‖A‖₁, times Kernel.TestRatio, at "+
			"most. The sum needs no oracle.",
			eigenTrace),
		check("Sturm counts", "Eigenvalues against counts on a tridiagonal matrix, reduced in double-double: every "+
			"value within n·ulp·‖A‖₁ (Weyl), times Kernel.TestRatio, of the one in its place. The ratio is a power "+
			"of two, at most twice the truth.",
			eigenCounts),
		family("symeigen", kit.SymEigenPart, any.with(gallery.KnownEigenvalues), choice.inRange)("known values",
			"Eigenvalues against closed forms, within n·ulp·‖A‖₁, times Kernel.TestRatio, and the rounding of the "+
				"matrix and of the forms.",
			eigenKnown),
		family("symeigen", kit.SymEigenPart, any, choice.extreme)("near the limits",
			"Residual, orthogonality, order and counts, as in the checks of these names, of matrices with entries "+
				"near overflow, near underflow and below.",
			eigenLimits),
	}
	return slices.Concat(checks, eigenRelations(check),
		eigenContract.checks(family("symeigen", kit.SymEigenPart, any, choice.plain),
			family("symeigen", kit.SymEigenPart, any, choice.repeated)))
}

// symmetricArgument is an argument of a call, perhaps a window of larger storage, and its memory.
func symmetricArgument(a *mat.Dense, inside bool) (*mat.SymDense, []float64) {
	if inside {
		view, storage := window(a)
		return upper(view), storage
	}
	s := symmetricOf(a)
	return s, s.RawSymmetric().Data
}

var eigenContract = contract{
	calls: func(a *mat.Dense, inside bool) []call {
		s, memory := symmetricArgument(a, inside)
		return []call{eigenCall(s, memory, false), eigenCall(s, memory, true)}
	},
	symmetric: true,
	storage: "The argument stays as it is, bit by bit; the triangle that is not referenced and the storage around it " +
		"are NaN and are neither read nor written.",
	notFinite: "A NaN or an infinity anywhere in the triangle is an error. Values are asked for first, as in svd/not " +
		"finite.",
	void:   "A matrix without rows has no eigenvalues, and that is no error.",
	shapes: []emptyShape{{0, 0}},
}

func eigenLimits(k subject, t *props.Trial, x gallery.Instance) finding {
	return worstOf(eigenResidual(k, t, x), eigenOrthogonality(k, t, x), eigenOrder(k, t, x), eigenCounts(k, t, x))
}

func eigenResidual(k subject, _ *props.Trial, x gallery.Instance) finding {
	f := k.eigen(x.A, true)
	a := k.normalise(x.A)
	values := a.scale(f.s)
	return found(within(residual(a.a, f.v, values, f.v), a.tolerance()+a.stored(f.v, values, f.v)), "w", f.s, "V",
		indented(f.v))
}

func eigenOrthogonality(k subject, _ *props.Trial, x gallery.Instance) finding {
	f := k.eigen(x.A, true)
	return found(k.orthogonality(f.v), "‖I − VᵀV‖₁", departure(f.v))
}

func eigenOrder(k subject, _ *props.Trial, x gallery.Instance) finding {
	for _, vectors := range []bool{false, true} {
		f := k.eigen(x.A, vectors)
		for i, w := range f.s {
			ok := math.Abs(w) <= k.precision().Max && (i == 0 || w >= f.s[i-1])
			if !ok {
				return found(kit.Failed, "vectors", vectors, "w", f.s)
			}
		}
	}
	return finding{}
}

func eigenWithout(k subject, _ *props.Trial, x gallery.Instance) finding {
	a := k.normalise(x.A)
	f := k.eigen(x.A, false)
	g := k.eigen(x.A, true)
	return found(within(farthest(a.scale(f.s), a.scale(g.s)), 2*a.tolerance()), "w alone", f.s, "w with vectors", g.s)
}

func eigenTrace(k subject, _ *props.Trial, x gallery.Instance) finding {
	w := k.eigenvalues(x.A)
	a := k.normalise(x.A)
	var difference doubledouble.Number
	for i, v := range a.scale(w) {
		difference = difference.Plus(doubledouble.Number{Hi: v}).Minus(doubledouble.Number{Hi: a.a.At(i, i)})
	}
	return found(within(difference.Float64(), float64(len(w))*a.tolerance()), "w", w, "Σw − tr A", difference.Float64(),
		"scaled by 2^", -a.exponent)
}

func eigenCounts(k subject, _ *props.Trial, x gallery.Instance) finding {
	w := k.eigenvalues(x.A)
	a := k.normalise(x.A)
	return counted(reduceSymmetric(a.a), a, a.scale(w), func(i int) int { return i })
}

func eigenKnown(k subject, _ *props.Trial, x gallery.Instance) finding {
	w := k.eigenvalues(x.A)
	a := k.normalise(x.A)
	r := within(farthest(a.scale(w), a.scale(x.Eigen)), a.tolerance()+math.Ldexp(x.Error, -a.exponent))
	return found(r, "w", w, "closed form", x.Eigen)
}
