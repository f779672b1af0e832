package faulty

import (
	"errors"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// factorFaults are those that the checks of rotations and factorisations must reject; add here.
var factorFaults = byCheck(map[string][]assigned{"dlasr": rotationFaults, "svd": svdFaults, "symeigen": eigenFaults,
	"polar": polarFaults, "qr": qrFaults, "cholesky": choleskyFaults})

// assigned is a fault, and the checks of its family that must reject it.
type assigned struct {
	checks string // separated by commas
	fault  Fault
}

func byCheck(families map[string][]assigned) map[string][]Fault {
	out := map[string][]Fault{}
	for family, faults := range families {
		for _, x := range faults {
			for check := range strings.SplitSeq(x.checks, ", ") {
				check = family + "/" + check
				out[check] = append(out[check], x.fault)
			}
		}
	}
	return out
}

// factors holds the results of a sound factorisation: u, s and v of an SVD, eigenvalues in s and their vectors in v,
// the orthogonal polar factor in u, Q in u and R in v, Cholesky's factor in v.
type factors struct {
	u, v *mat.Dense
	s    []float64
	err  error

	kind mat.SVDKind // that was asked for
	roundoff.Precision
}

// factorisation is any of them. Only those with singular values or eigenvalues look at the kind.
type factorisation func(a *mat.Dense, kind mat.SVDKind) factors

// breaking is the fault of putting something else in the place of a sound factorisation.
type breaking func(name string, wrong func(sound factorisation, a *mat.Dense, kind mat.SVDKind) factors) Fault

// breaks takes a factorisation out of a kernel and puts a faulty one back.
func breaks(take func(kernel.Kernel) factorisation, put func(*kernel.Kernel, factorisation)) breaking {
	return func(name string, wrong func(factorisation, *mat.Dense, mat.SVDKind) factors) Fault {
		return Fault{Name: name, Break: func(k kernel.Kernel) kernel.Kernel {
			taken, precision := take(k), kit.PrecisionOf(k)
			sound := func(a *mat.Dense, kind mat.SVDKind) factors {
				f := taken(a, kind)
				f.kind, f.Precision = kind, precision
				return f
			}
			put(&k, func(a *mat.Dense, kind mat.SVDKind) factors { return wrong(sound, a, kind) })
			return k
		}}
	}
}

// degrade changes what a sound factorisation returns. It is not called when that is an error or empty.
func (b breaking) degrade(name string, change func(a *mat.Dense, f *factors)) Fault {
	return b(name, func(sound factorisation, a *mat.Dense, kind mat.SVDKind) factors {
		f := sound(a, kind)
		if f.err == nil && !isEmpty(a) {
			change(a, &f)
		}
		return f
	})
}

// misread hands a sound factorisation another matrix than was given.
func (b breaking) misread(name string, other func(a *mat.Dense) *mat.Dense) Fault {
	return b(name, func(sound factorisation, a *mat.Dense, kind mat.SVDKind) factors {
		if isEmpty(a) {
			return sound(a, kind)
		}
		return sound(other(a), kind)
	})
}

// without hands a sound factorisation a copy of the matrix in which some entries are zero.
func (b breaking) without(name string, zero func(i, j int, v float64) bool) Fault {
	return b.misread(name, func(a *mat.Dense) *mat.Dense {
		c := mat.DenseCopyOf(a)
		c.Apply(func(i, j int, v float64) float64 {
			if zero(i, j, v) {
				return 0
			}
			return v
		}, c)
		return c
	})
}

// contract are the faults of all factorisations that have nothing to do with numbers.
func (b breaking) contract() []assigned {
	return []assigned{
		{"storage", b.degrade("works in the argument", func(a *mat.Dense, _ *factors) { a.Set(0, 0, a.At(0, 0)+1) })},
		{"not finite", b.without("takes NaN and infinities for zero",
			func(_, _ int, v float64) bool { return notFinite(v) })},
		{"repeatable", remembering(func() Fault {
			alone := newAlone()
			return b.degrade("shared workspace", func(_ *mat.Dense, f *factors) {
				defer alone.leave()
				if !alone.enter() {
					*f.first()++
				}
			})
		})},
		{"repeatable", onTwoThreads(func(two func() bool) Fault {
			return b.degrade("", func(_ *mat.Dense, f *factors) {
				if two() {
					*f.first() *= 1 + f.Ulp()
				}
			})
		})},
	}
}

// ofGeneral are those of factorisations of matrices that are not symmetric, or are taken for such.
func (b breaking) ofGeneral() []assigned {
	return []assigned{
		{"storage", b.misread("takes the stride for the width", func(a *mat.Dense) *mat.Dense {
			raw := a.RawMatrix()
			raw.Stride, raw.Data = raw.Cols, raw.Data[:raw.Rows*raw.Cols]
			var c mat.Dense
			c.SetRawMatrix(raw)
			return &c
		})},
		{"not finite", b.without("looks for NaN in the first row alone",
			func(i, _ int, v float64) bool { return i > 0 && notFinite(v) })},
	}
}

// ofEmpty are those of factorisations of matrices without rows or columns.
func (b breaking) ofEmpty() []assigned {
	return []assigned{
		{"empty", b("reads the first entry of an empty matrix",
			func(sound factorisation, a *mat.Dense, kind mat.SVDKind) factors {
				_ = a.RawMatrix().Data[0]
				return sound(a, kind)
			})},
		{"empty", b("an empty matrix is an error", func(sound factorisation, a *mat.Dense, kind mat.SVDKind) factors {
			if isEmpty(a) {
				return factors{err: errors.New("empty")}
			}
			return sound(a, kind)
		})},
	}
}

// ofBasis are those of orthonormal columns.
func (b breaking) ofBasis() []assigned {
	return []assigned{
		{"orthogonality", b.degrade("orthogonality lost", func(_ *mat.Dense, f *factors) {
			if q := f.basis(); q != nil && len(q.RawRowView(0)) > 1 {
				addColumn(q, 1, 0, f.off())
			}
		})},
		{"orthogonality", b.degrade("length of a column not one", func(_ *mat.Dense, f *factors) {
			if q := f.basis(); q != nil {
				addColumn(q, 0, 0, f.off())
			}
		})},
	}
}

// ofValues are those of singular values and eigenvalues with their vectors.
func (b breaking) ofValues() []assigned {
	return slices.Concat(b.ofBasis(), []assigned{
		{"residual", b.degrade("two vectors swapped", func(_ *mat.Dense, f *factors) {
			if q := f.basis(); q != nil {
				reverseColumns(q, min(2, len(f.s)))
			}
		})},
		{"order, Sturm counts", b.degrade("reverse order", func(_ *mat.Dense, f *factors) {
			slices.Reverse(f.s)
			for _, q := range []*mat.Dense{f.u, f.v} {
				if q != nil {
					reverseColumns(q, len(f.s))
				}
			}
		})},
		{"order", b("vectors where none are asked for",
			func(sound factorisation, a *mat.Dense, kind mat.SVDKind) factors {
				if kind == mat.SVDNone {
					kind = mat.SVDThin
				}
				return sound(a, kind)
			})},
		{"values without vectors", b.degrade("other values without vectors", func(_ *mat.Dense, f *factors) {
			if f.kind == mat.SVDNone {
				f.s[len(f.s)-1] += f.off() * f.size()
			}
		})},
		{"near the limits, scaling", b.degrade("values below 1e-100 are zero",
			func(_ *mat.Dense, f *factors) { f.values(f.flushed) })},
		{"near the limits, scaling", b.degrade("square roots of squares",
			func(_ *mat.Dense, f *factors) { f.values(f.squared) })},
	})
}

// oneOff makes one value smaller.
func oneOff(_ *mat.Dense, f *factors) { f.s[0] -= f.off() * f.size() }

// lastColumn is the matrix without the entries of its last column.
func lastColumn(a *mat.Dense) *mat.Dense {
	b := mat.DenseCopyOf(a)
	m, n := b.Dims()
	b.SetCol(n-1, make([]float64, m))
	return b
}

// basis is the orthonormal factor; nil where none was asked for.
func (f *factors) basis() *mat.Dense {
	if f.u != nil {
		return f.u
	}
	return f.v
}

// first is the place of the first number of the result.
func (f *factors) first() *float64 {
	switch {
	case len(f.s) > 0:
		return &f.s[0]
	case f.v != nil:
		return &f.v.RawMatrix().Data[0]
	}
	return &f.u.RawMatrix().Data[0]
}

// values changes all singular values or eigenvalues.
func (f *factors) values(change func(float64) float64) {
	for i, x := range f.s {
		f.s[i] = change(x)
	}
}

// size is the largest singular value, or absolute eigenvalue.
func (f *factors) size() float64 { return max(math.Abs(f.s[0]), math.Abs(f.s[len(f.s)-1])) }

// off is a relative error well beyond rounding at the sizes of the gallery: 1e-10, or 0.05 in single precision.
func (f *factors) off() float64 { return 450_000 * f.Ulp() }

// flushed is zero in place of what is tiny, below 1e-100 or 1e-10.
func (f *factors) flushed(x float64) float64 {
	if math.Abs(x) < math.Pow(10, float64(f.Normal*100/1022)) {
		return 0
	}
	return x
}

// squared is the square root of the square.
func (f *factors) squared(x float64) float64 {
	square := x * x
	if square > f.Max || square < math.Ldexp(1, f.Lowest) {
		square = math.Inf(1)
	}
	return math.Copysign(math.Sqrt(square), x)
}

// dense is the memory of a symmetric matrix as a matrix, whose lower triangle is what lies there.
func dense(a *mat.SymDense) *mat.Dense {
	raw := a.RawSymmetric()
	var out mat.Dense
	out.SetRawMatrix(blas64.General{Rows: raw.N, Cols: raw.N, Stride: max(1, raw.Stride), Data: raw.Data})
	return &out
}

// symmetric is a copy of the upper triangle.
func symmetric(a *mat.Dense) *mat.SymDense {
	if isEmpty(a) {
		return new(mat.SymDense)
	}
	n, _ := a.Dims()
	return mat.NewSymDense(n, mat.DenseCopyOf(a).RawMatrix().Data)
}

func isEmpty(a *mat.Dense) bool {
	m, n := a.Dims()
	return m == 0 || n == 0
}

func notFinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

func addColumn(a *mat.Dense, to, from int, c float64) {
	m, _ := a.Dims()
	for i := range m {
		a.Set(i, to, a.At(i, to)+c*a.At(i, from))
	}
}

func reverseColumns(a *mat.Dense, count int) {
	m, _ := a.Dims()
	for i := range m {
		slices.Reverse(a.RawRowView(i)[:count])
	}
}
