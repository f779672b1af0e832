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
	n, _ := a.Dims()
	if n == 0 {
		return new(mat.SymDense)
	}
	data := make([]float64, n*n)
	for i := range n {
		for j := range n {
			data[i*n+j] = math.NaN()
			if j >= i {
				data[i*n+j] = a.At(i, j)
			}
		}
	}
	return mat.NewSymDense(n, data)
}

// eigen makes one call. What keeps the result from being judged is a finding.
func (k subject) eigen(a *mat.SymDense, vectors bool) (f factors, bad *finding) {
	var err error
	if p, panicked := kit.Attempt(func() { f.s, f.v, err = k.SymEigen(a, vectors) }); panicked {
		return f, &finding{kit.Failed, fmt.Sprintf("vectors %v: panic: %v\n", vectors, p)}
	}
	if err != nil {
		return f, &finding{kit.Failed, fmt.Sprintf("vectors %v: error: %v\n", vectors, err)}
	}
	n := a.SymmetricDim()
	if len(f.s) != n || vectors && !isShape(f.v, n, n) || !vectors && f.v != nil {
		return f, &finding{kit.Failed, fmt.Sprintf("vectors %v: v is %s, %d values\n", vectors, shapeOf(f.v), len(f.s))}
	}
	return f, nil
}

// eigenvalues are the values alone.
func (k subject) eigenvalues(a *mat.Dense) ([]float64, *finding) {
	f, bad := k.eigen(symmetricOf(a), false)
	return f.s, bad
}

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

var eigenContract = contract{
	calls: func(a *mat.Dense, inside bool) []call {
		s := symmetricOf(a)
		memory := s.RawSymmetric().Data
		if inside {
			s, memory = windowed(a)
		}
		var list []call
		for _, vectors := range []bool{false, true} {
			list = append(list, call{fmt.Sprint("vectors ", vectors), memory, func(k subject) (f factors, err error) {
				f.s, f.v, err = k.SymEigen(s, vectors)
				return f, err
			}, false})
		}
		return list
	},
	symmetric: true,
	storage: "The argument stays as it is, bit by bit; the triangle that is not referenced and the storage around it " +
		"are NaN and are neither read nor written.",
	notFinite: "A NaN or an infinity anywhere in the triangle is an error. Values are asked for first, as in svd/not " +
		"finite.",
	void:   "A matrix without rows has no eigenvalues, and that is no error.",
	shapes: []emptyShape{{0, 0}},
}

// windowed is a symmetric matrix inside larger storage of NaN.
func windowed(a *mat.Dense) (view *mat.SymDense, storage []float64) {
	n, _ := a.Dims()
	stride := n + 4
	storage = make([]float64, (n+1)*stride)
	for i := range storage {
		storage[i] = math.NaN()
	}
	for i := range n {
		copy(storage[(i+1)*stride+i:], a.RawRowView(i)[i:n])
	}
	view = new(mat.SymDense)
	view.SetRawSymmetric(blas64.Symmetric{N: n, Stride: stride, Data: storage[stride : stride+(n-1)*stride+n],
		Uplo: blas.Upper})
	return view, storage
}

func eigenLimits(k subject, t *props.Trial, x gallery.Instance) finding {
	return worstOf(eigenResidual(k, t, x), eigenOrthogonality(k, t, x), eigenOrder(k, t, x), eigenCounts(k, t, x))
}

func eigenResidual(k subject, _ *props.Trial, x gallery.Instance) finding {
	f, bad := k.eigen(symmetricOf(x.A), true)
	if bad != nil {
		return *bad
	}
	a := k.normalise(x.A)
	values := a.scale(f.s)
	return found(within(residual(a.a, f.v, values, f.v), a.tolerance()+a.stored(f.v, values, f.v)), "w", f.s, "V",
		mat.Formatted(f.v, mat.Squeeze(), mat.Prefix("    ")))
}

func eigenOrthogonality(k subject, _ *props.Trial, x gallery.Instance) finding {
	f, bad := k.eigen(symmetricOf(x.A), true)
	if bad != nil {
		return *bad
	}
	return found(k.orthogonality(f.v), "‖I − VᵀV‖₁", departure(f.v))
}

func eigenOrder(k subject, _ *props.Trial, x gallery.Instance) finding {
	for _, vectors := range []bool{false, true} {
		f, bad := k.eigen(symmetricOf(x.A), vectors)
		if bad != nil {
			return *bad
		}
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
	f, bad := k.eigen(symmetricOf(x.A), false)
	if bad != nil {
		return *bad
	}
	g, bad := k.eigen(symmetricOf(x.A), true)
	if bad != nil {
		return *bad
	}
	return found(within(farthest(a.scale(f.s), a.scale(g.s)), 2*a.tolerance()), "w alone", f.s, "w with vectors", g.s)
}

func eigenTrace(k subject, _ *props.Trial, x gallery.Instance) finding {
	w, bad := k.eigenvalues(x.A)
	if bad != nil {
		return *bad
	}
	a := k.normalise(x.A)
	var difference doubledouble.Number
	for i, v := range a.scale(w) {
		difference = difference.Plus(doubledouble.Number{Hi: v}).Minus(doubledouble.Number{Hi: a.a.At(i, i)})
	}
	return found(within(difference.Float64(), float64(len(w))*a.tolerance()), "w", w, "Σw − tr A", difference.Float64(),
		"scaled by 2^", -a.exponent)
}

func eigenCounts(k subject, _ *props.Trial, x gallery.Instance) finding {
	w, bad := k.eigenvalues(x.A)
	if bad != nil {
		return *bad
	}
	a := k.normalise(x.A)
	return counted(reduceSymmetric(a.a), a, a.scale(w), func(i int) int { return i })
}

func eigenKnown(k subject, _ *props.Trial, x gallery.Instance) finding {
	w, bad := k.eigenvalues(x.A)
	if bad != nil {
		return *bad
	}
	a := k.normalise(x.A)
	r := within(farthest(a.scale(w), a.scale(x.Eigen)), a.tolerance()+math.Ldexp(x.Error, -a.exponent))
	return found(r, "w", w, "closed form", x.Eigen)
}
