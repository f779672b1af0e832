package dlblas

import (
	"math"

	"gonum.org/v1/gonum/blas"
)

// Arguments are checked in gonum's order: options and dimensions, leading dimensions and increments, and, unless a
// dimension of the result is zero, lengths.

// rowMajor is CblasRowMajor.
const rowMajor = 101

// The functions below translate gonum's letters to the numbers of cblas.

func transposeCode(t blas.Transpose) int32 {
	switch t {
	case blas.NoTrans:
		return 111
	case blas.Trans:
		return 112
	case blas.ConjTrans:
		return 113
	}
	panic("dlblas: illegal transpose")
}

func triangleCode(u blas.Uplo) int32 {
	switch u {
	case blas.Upper:
		return 121
	case blas.Lower:
		return 122
	}
	panic("dlblas: illegal triangle")
}

func diagonalCode(d blas.Diag) int32 {
	switch d {
	case blas.NonUnit:
		return 131
	case blas.Unit:
		return 132
	}
	panic("dlblas: illegal diagonal")
}

func sideCode(s blas.Side) int32 {
	switch s {
	case blas.Left:
		return 141
	case blas.Right:
		return 142
	}
	panic("dlblas: illegal side")
}

// sizes refuses negative dimensions and those that do not fit the library's integers.
func sizes(dims ...int) {
	for _, n := range dims {
		if n < 0 {
			panic("dlblas: negative dimension")
		}
		if n > math.MaxInt32 {
			panic("dlblas: dimension beyond 32 bits")
		}
	}
}

// leading refuses a distance of rows that is shorter than a row.
func leading(ld, cols int) {
	if ld < max(1, cols) {
		panic("dlblas: bad leading dimension")
	}
	sizes(ld)
}

// increments refuses zero.
func increments(incs ...int) {
	for _, inc := range incs {
		if inc == 0 {
			panic("dlblas: zero increment")
		}
		if inc != int(int32(inc)) {
			panic("dlblas: increment beyond 32 bits")
		}
	}
}

// holdsMatrix refuses a slice that is too short for rows×cols entries with leading dimension ld.
func holdsMatrix(a []float64, rows, cols, ld int) {
	if len(a) < (rows-1)*ld+cols {
		panic("dlblas: insufficient length of a matrix")
	}
}

// holdsPacked refuses a slice that is too short for a packed triangle of order n.
func holdsPacked(ap []float64, n int) {
	if len(ap) < n*(n+1)/2 {
		panic("dlblas: insufficient length of a packed matrix")
	}
}

// holdsVector refuses a slice that is too short for n elements.
func holdsVector(x []float64, n, inc int) {
	if inc < 0 {
		inc = -inc
	}
	if (n-1)*inc >= len(x) {
		panic("dlblas: insufficient length of a vector")
	}
}

// shaped is the shape in memory of a matrix that is rows×cols after the operation t.
func shaped(t blas.Transpose, rows, cols int) (int, int) {
	if t != blas.NoTrans {
		return cols, rows
	}
	return rows, cols
}
