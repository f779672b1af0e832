package factorkit

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/doubledouble"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/gallery"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// svdRelations are the checks that compare the singular values of two matrices without knowing either.
func svdRelations(check checker) []kit.Check {
	const bound = " Both sides may err by max(m,n)·ulp·‖A‖₁, times Kernel.TestRatio."
	return []kit.Check{
		check("transposition", "A and Aᵀ have the same singular values."+bound, svdTransposition),
		check("scaling", "Multiplying A by a power of two multiplies its singular values, also where squares "+
			"overflow or vanish."+bound,
			svdScaling),
		check("permutation", "Permuting rows and columns and changing their signs leaves the singular values."+bound,
			svdPermutation),
		check("orthogonal invariance", "Reflecting rows or columns, with entries computed in double-double, leaves "+
			"the singular values. Rounding them moves a value by another ulp·‖A‖_F."+bound, svdReflection),
		check("bordering", "A row or a column of zeros adds a zero or nothing to the singular values."+bound,
			svdBordering),
	}
}

// spectrum finds the values of a matrix.
type spectrum func(a *mat.Dense) []float64

// compare finds the values of a and those of b within twice the tolerance (that of b's size) and extra. They are
// multiplied by 2^shift first, and b may have more of them, zeros.
func (k subject) compare(of, other spectrum, a, b *mat.Dense, shift int, extra float64) finding {
	s := of(a)
	t := ofOther("the other matrix", func() []float64 { return other(b) })
	x, y := k.normalise(a), k.normalise(b)
	left, right := x.scale(s), normal{exponent: x.exponent + shift}.scale(t)
	left = append(left, make([]float64, max(0, len(right)-len(left)))...)
	return found(within(farthest(left, right), x.tolerance()+largerTolerance(x, y)+extra), "values", left,
		"values of the other matrix", right)
}

// largerTolerance returns the tolerance for the size of y with the norms of both.
func largerTolerance(x, y normal) float64 {
	y.norm, y.floor = max(x.norm, y.norm), max(x.floor, y.floor)
	return max(y.tolerance(), x.tolerance())
}

func svdTransposition(k subject, _ *props.Trial, x gallery.Instance) finding {
	return k.compare(k.values, k.values, x.A, transposed(x.A), 0, 0)
}

func svdScaling(k subject, t *props.Trial, x gallery.Instance) finding {
	a := k.normalise(x.A)
	b, target, extra := k.rescaled(a, t.Rand)
	return k.compare(k.values, k.values, x.A, b, target-a.exponent, extra)
}

// rescaled multiplies a normalised matrix by 2^target, to where squares do not exist. Entries that become subnormal are
// rounded, which moves values by extra in the scale of a.
func (k subject) rescaled(a normal, r *rand.Rand) (b *mat.Dense, target int, extra float64) {
	far := a.Far()
	target = [...]int{far, -far, far * 9 / 10, -far * 9 / 10}[r.IntN(4)]
	m, n := a.a.Dims()
	b = k.round(mat.NewDense(m, n, normal{exponent: -target}.scale(a.a.RawMatrix().Data)))
	return b, target, float64(max(m, n)) * math.Ldexp(1, a.Lowest-target)
}

func svdPermutation(k subject, t *props.Trial, x gallery.Instance) finding {
	m, n := x.A.Dims()
	rows, cols := signedOrder(t.Rand, m), signedOrder(t.Rand, n)
	return k.compare(k.values, k.values, x.A, permuted(x.A, rows, cols), 0, 0)
}

type place struct {
	at   int
	sign float64
}

// signedOrder is a random signed permutation.
func signedOrder(r *rand.Rand, n int) []place {
	return list.Map(r.Perm(n), func(p int) place { return place{p, float64(1 - 2*r.IntN(2))} })
}

// permuted is a copy of a matrix with its rows and columns in other places, some with the opposite sign.
func permuted(a *mat.Dense, rows, cols []place) *mat.Dense {
	b := mat.NewDense(len(rows), len(cols), nil)
	b.Apply(func(i, j int, _ float64) float64 {
		return a.At(rows[i].at, cols[j].at) * rows[i].sign * cols[j].sign
	}, b)
	return b
}

func svdReflection(k subject, t *props.Trial, x gallery.Instance) finding {
	a := k.normalise(x.A)
	m, n := x.A.Dims()
	b := exactCopy(a.a)
	randomReflection(t.Rand, m).rows(b, 0, 0)
	randomReflection(t.Rand, n).columns(b, 0, 0)
	return k.compare(k.values, k.values, a.a, k.round(rounded(b)), 0, a.Ulp()*mat.Norm(a.a, 2))
}

func rounded(x [][]doubledouble.Number) *mat.Dense {
	a := mat.NewDense(len(x), len(x[0]), nil)
	for i, row := range x {
		for j, v := range row {
			a.Set(i, j, v.Float64())
		}
	}
	return a
}

func randomReflection(r *rand.Rand, n int) reflection {
	return newReflection(list.Fill(n, func(int) doubledouble.Number { return doubledouble.Number{Hi: r.NormFloat64()} }))
}

func svdBordering(k subject, t *props.Trial, x gallery.Instance) finding {
	m, n := x.A.Dims()
	row, col := t.Rand.IntN(m+1), t.Rand.IntN(n+1)
	insertZero := func(values []float64, at int) []float64 { return slices.Insert(slices.Clone(values), at, 0) }
	taller := mat.NewDense(m+1, n, nil)
	wider := mat.NewDense(m, n+1, nil)
	for i := range m {
		at := i
		if i >= row {
			at++
		}
		taller.SetRow(at, x.A.RawRowView(i))
		wider.SetRow(i, insertZero(x.A.RawRowView(i), col))
	}
	return worstOf(k.compare(k.values, k.values, x.A, taller, 0, 0), k.compare(k.values, k.values, x.A, wider, 0, 0))
}
