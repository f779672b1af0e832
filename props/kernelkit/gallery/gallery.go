// Package gallery collects test matrices together with their known properties. A test can ask for all matrices that it
// can judge:
//
//	for _, m := range gallery.Select(gallery.Symmetric, gallery.KnownEigenvalues) {
//		x := m.Make(stream, n, n)
//		…
//	}
//
// Most of the named matrices are in N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., chapter 28,
// and in his Test Matrix Toolbox; the spectra come from LAPACK's testers (dlatms and dchkbd, LAPACK Working Note 9).
package gallery

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/roundoff"
)

// Property is a set of properties of a matrix. Those that only a square matrix can have are promised for square
// instances.
type Property uint

// The properties.
const (
	AnyShape         Property = 1 << iota // exists for every number of rows and columns, otherwise only square
	Symmetric                             // exactly
	PositiveDefinite                      // and symmetric
	Orthogonal                            // orthonormal columns, or rows if there are fewer of them
	Integer                               // entries of at most 2⁵³, all integers
	Toeplitz                              // constant along diagonals
	Tridiagonal                           // zero off the three middle diagonals
	Bidiagonal                            // zero off the diagonal and the one above
	Graded                                // rows, columns or values spread over hundreds of orders of magnitude
	Extreme                               // entries near the ends of the range of float64
	// singular for some shapes, or of a condition number near 1/ulp or that grows exponentially
	IllConditioned
	RankDeficient       // for some shape beyond 1×1 the rank is less than the smaller dimension
	Random              // depends on the stream
	KnownSingularValues // in closed form
	KnownEigenvalues    // all real, in closed form; for square instances
)

var propertyNames = []string{"any shape", "symmetric", "positive definite", "orthogonal", "integer", "Toeplitz",
	"tridiagonal",
	"bidiagonal", "graded", "extreme", "ill-conditioned", "rank-deficient", "random", "known singular " +
		"values", "known eigenvalues"}

// String lists the properties.
func (p Property) String() string {
	var names []string
	for i, name := range propertyNames {
		if p&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// Has reports whether all the given properties are in the set.
func (p Property) Has(q Property) bool { return p&q == q }

// Matrix is an entry of the gallery: a matrix for every size.
type Matrix struct {
	Name       string
	Doc        string // what it is, in one line
	Properties Property

	build func(r *rand.Rand, m, n int) Instance
}

// Instance is a matrix of one size.
type Instance struct {
	Name       string
	Properties Property
	A          *mat.Dense
	Rank       int       // of the matrix that the formula describes; -1 if not known
	Singular   []float64 // its singular values, descending; nil if not known
	Eigen      []float64 // its eigenvalues, ascending; nil if not known

	// Error bounds ‖A − the formula's matrix‖₂ plus the rounding of the closed forms: by Weyl's theorem the values of A
	// itself are no further from those above. It is set where values are known.
	Error float64
}

// Cond is the quotient of the extreme singular values, +Inf for a singular matrix and NaN if they are not known.
func (x Instance) Cond() float64 {
	if len(x.Singular) == 0 {
		return math.NaN()
	}
	return x.Singular[0] / x.Singular[len(x.Singular)-1]
}

// Fits reports whether the matrix exists with m rows and n columns.
func (x Matrix) Fits(m, n int) bool {
	return m >= 1 && n >= 1 && (m == n || x.Properties.Has(AnyShape))
}

// Make builds the m×n instance. Only matrices that are Random use the stream. It panics if the shape does not fit.
func (x Matrix) Make(r *rand.Rand, m, n int) Instance {
	if !x.Fits(m, n) {
		panic("gallery: no such shape")
	}
	in := x.build(r, m, n)
	in.Name, in.Properties = x.Name, x.Properties
	if in.Eigen != nil && in.Singular == nil && x.Properties.Has(Symmetric) {
		in.Singular = list.Map(in.Eigen, math.Abs)
	}
	slices.Sort(in.Eigen)
	slices.Sort(in.Singular)
	slices.Reverse(in.Singular)
	return in
}

// rounded makes all entries numbers of single precision, each with an error of u times its size, or of the smallest
// number.
func (x Instance) rounded() Instance {
	m, n := x.A.Dims()
	x.Error += roundoff.Single.Unit*mat.Norm(x.A, 2) + float64(max(m, n))*math.Ldexp(1, roundoff.Single.Lowest)
	x.A.Apply(func(_, _ int, v float64) float64 { return roundoff.Single.Round(v) }, x.A)
	return x
}

// All is the whole gallery, simple matrices first.
func All() []Matrix { return all(roundoff.Double) }

func all(p roundoff.Precision) []Matrix {
	return slices.Concat(simple(), symmetric(), general(), scaled(p), spectra(p))
}

// Select returns the matrices that have all the given properties.
func Select(properties ...Property) []Matrix { return having(All(), properties) }

// Single is Select for kernels of single precision: the matrices are rounded to it, and those that are extreme are so
// for its range.
func Single(properties ...Property) []Matrix {
	matrices := all(roundoff.Single)
	for i, x := range matrices {
		matrices[i].build = func(r *rand.Rand, m, n int) Instance { return x.build(r, m, n).rounded() }
	}
	return having(matrices, properties)
}

func having(matrices []Matrix, properties []Property) []Matrix {
	all := Property(0)
	for _, p := range properties {
		all |= p
	}
	return slices.DeleteFunc(matrices, func(m Matrix) bool { return !m.Properties.Has(all) })
}

// full is an instance of full rank, or of rank 0 if all entries are zero, without known values.
func full(a *mat.Dense) Instance {
	m, n := a.Dims()
	if mat.Norm(a, 1) == 0 {
		return Instance{A: a}
	}
	return Instance{A: a, Rank: min(m, n)}
}

// entries is the m×n matrix of a formula, indices from zero.
func entries(m, n int, f func(i, j int) float64) *mat.Dense {
	a := mat.NewDense(m, n, nil)
	a.Apply(func(i, j int, _ float64) float64 { return f(i, j) }, a)
	return a
}

// eigenvalues annotates an instance with eigenvalues: value(k) for k = 1, …, n. Every entry of A has at most the given
// number of roundings, and every value eight (a sine or cosine and what is made of it).
func (x Instance) eigenvalues(roundings float64, value func(k int) float64) Instance {
	n, _ := x.A.Dims()
	x.Eigen = list.Fill(n, func(i int) float64 { return value(i + 1) })
	x.Error = (roundings + 8) * roundoff.Unit * mat.Norm(x.A, 2)
	return x
}

// singular is the same for singular values.
func (x Instance) singular(roundings float64, value func(k int) float64) Instance {
	m, n := x.A.Dims()
	x.Singular = list.Fill(min(m, n), func(i int) float64 { return value(i + 1) })
	x.Error = (roundings + 8) * roundoff.Unit * mat.Norm(x.A, 2)
	return x
}

// rank annotates an instance with its rank.
func (x Instance) rank(r int) Instance {
	x.Rank = r
	return x
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
