package dlblas

import (
	"strings"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// gonums does what a library does not export, and checks the arguments of what it does: told to add nothing, with
// alpha = 0 and beta = 1, its routines check their arguments and return. Where one of them has no such factors, another
// that takes the same shapes is asked.
var gonums gonum.Implementation

// asked returns alpha and beta for the call of gonum's routine. Where the library has the routine, they are such that
// gonum's has nothing to do.
func asked(present bool, alpha, beta float64) (float64, float64) {
	if present {
		return 0, 1
	}
	return alpha, beta
}

// rowMajor is CblasRowMajor.
const rowMajor = 101

// The functions below translate gonum's letters to the numbers of cblas.

func transposition(t blas.Transpose) int32 { return code(111, "NTC", byte(t)) }
func triangle(u blas.Uplo) int32           { return code(121, "UL", byte(u)) }
func diagonal(d blas.Diag) int32           { return code(131, "NU", byte(d)) }
func sideNumber(s blas.Side) int32         { return code(141, "LR", byte(s)) }

func code(first int32, letters string, letter byte) int32 {
	i := strings.IndexByte(letters, letter)
	if i < 0 {
		panic("dlblas: illegal option")
	}
	return first + int32(i)
}

// small is a size or an increment as the library's integer.
func small(n int) int32 {
	if n != int(int32(n)) {
		panic("dlblas: size or increment beyond 32 bits")
	}
	return int32(n)
}

// at is the address of the first entry; nil of an empty slice.
func at[F float32 | float64](x []F) *F {
	if len(x) == 0 {
		return nil
	}
	return &x[0]
}
