package blas

import (
	"math"
	"strings"
	"testing"
)

// spaced lists calls on matrices of order n in full slices, with ld or inc in one place at a time.
func spaced(n int) map[string]func(x int) {
	impl := Implementation{}
	a, b, c := allOnes(n*n), allOnes(n*n), allOnes(n*n)
	v, w := allOnes(n), allOnes(n)
	return map[string]func(x int){
		"gemm lda":      func(x int) { impl.Dgemm('N', 'T', n, n, n, 1, a, x, b, n, 1, c, n) },
		"gemm ldb":      func(x int) { impl.Dgemm('N', 'N', n, n, n, 1, a, n, b, x, 1, c, n) },
		"gemm ldc":      func(x int) { impl.Dgemm('N', 'N', n, n, n, 1, a, n, b, n, 1, c, x) },
		"gemm k=1 ldc":  func(x int) { impl.Dgemm('N', 'N', n, n, 1, 1, a, n, b, n, 0, c, x) },
		"gemm n=1 ldc":  func(x int) { impl.Dgemm('N', 'N', n, 1, n, 1, a, n, b, n, 0, c, x) },
		"symm lda":      func(x int) { impl.Dsymm('L', 'U', n, n, 1, a, x, b, n, 1, c, n) },
		"symm ldb":      func(x int) { impl.Dsymm('L', 'U', n, n, 1, a, n, b, x, 1, c, n) },
		"symm ldc":      func(x int) { impl.Dsymm('L', 'U', n, n, 1, a, n, b, n, 1, c, x) },
		"syrk lda":      func(x int) { impl.Dsyrk('L', 'N', n, n, 1, a, x, 1, c, n) },
		"syrk ldc":      func(x int) { impl.Dsyrk('L', 'N', n, n, 1, a, n, 1, c, x) },
		"syr2k lda":     func(x int) { impl.Dsyr2k('L', 'N', n, n, 1, a, x, b, n, 1, c, n) },
		"syr2k ldc":     func(x int) { impl.Dsyr2k('L', 'N', n, n, 1, a, n, b, n, 1, c, x) },
		"trmm lda":      func(x int) { impl.Dtrmm('L', 'U', 'N', 'U', n, n, 1, a, x, b, n) },
		"trmm ldb":      func(x int) { impl.Dtrmm('L', 'U', 'N', 'U', n, n, 1, a, n, b, x) },
		"trsm lda":      func(x int) { impl.Dtrsm('L', 'U', 'N', 'U', n, n, 1, a, x, b, n) },
		"trsm ldb":      func(x int) { impl.Dtrsm('L', 'U', 'N', 'U', n, n, 1, a, n, b, x) },
		"gemv lda":      func(x int) { impl.Dgemv('N', n, n, 1, a, x, v, 1, 1, w, 1) },
		"gemv incx":     func(x int) { impl.Dgemv('N', n, n, 1, a, n, v, x, 1, w, 1) },
		"gemv incy":     func(x int) { impl.Dgemv('T', n, n, 1, a, n, v, 1, 1, w, x) },
		"ger lda":       func(x int) { impl.Dger(n, n, 1, v, 1, w, 1, a, x) },
		"symv lda":      func(x int) { impl.Dsymv('L', n, 1, a, x, v, 1, 1, w, 1) },
		"trmv lda":      func(x int) { impl.Dtrmv('U', 'N', 'N', n, a, x, v, 1) },
		"trsv incx":     func(x int) { impl.Dtrsv('U', 'N', 'N', n, a, n, v, x) },
		"dot incx":      func(x int) { impl.Ddot(n, v, x, w, 1) },
		"axpy incy":     func(x int) { impl.Daxpy(n, 1, v, 1, w, x) },
		"scal incx":     func(x int) { impl.Dscal(n, 1, v, x) },
		"nrm2 incx":     func(x int) { impl.Dnrm2(n, v, x) },
		"rotations lda": func(x int) { ApplyRotations('L', false, n, n, 1, v, w, n, a, x) },
		"rotations ldr": func(x int) { ApplyRotations('L', false, n, n, n, b, c, x, a, n) },
	}
}

func allOnes(n int) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = 1
	}
	return s
}

// TestLengthsDoNotWrapAround: distances so large that n-1 of them come out negative, zero or small in one word are
// refused, for what is missing.
func TestLengthsDoNotWrapAround(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		for _, n := range []int{3, 5, 33} {
			for name, call := range spaced(n) {
				distances := []int{math.MaxInt, math.MaxInt - 7, math.MaxInt/2 + 1, math.MaxInt/4 + 2, math.MaxInt / 8}
				ignores := strings.HasPrefix(name, "scal") || strings.HasPrefix(name, "nrm2") // a negative increment
				if strings.Contains(name, "inc") && !ignores {
					distances = append(distances, -math.MaxInt, math.MinInt, math.MinInt/2)
				}
				for _, x := range distances {
					if got := panics(func() { call(x) }); !strings.HasPrefix(got, "blas: insufficient length of ") {
						t.Errorf("%s = %d, n = %d: panic %q", name, x, n, got)
					}
				}
			}
		}
	})
}

// TestSingleRowsHaveAnyDistance: with one row nothing lies a leading dimension away.
func TestSingleRowsHaveAnyDistance(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		for _, n := range []int{1, 3, 12, 40} {
			for _, ld := range []int{math.MaxInt, math.MaxInt/2 + 1, math.MaxInt/8 + 1} {
				impl := Implementation{}
				c := allOnes(n)
				impl.Dgemm('N', 'N', 1, n, n, 1, allOnes(n), ld, allOnes(n*n), n, 1, c, ld)
				impl.Dgemm('N', 'N', 1, n, 1, 1, allOnes(1), ld, allOnes(n), ld, 1, c, ld)
				impl.Dgemm('N', 'T', 1, n, n, 1, allOnes(n), ld, allOnes(n*n), n, 1, c, ld)
				impl.Dger(1, n, 1, allOnes(1), ld, allOnes(n), 1, c, ld)
				impl.Dgemv('T', 1, n, 1, allOnes(n), ld, allOnes(1), -ld, 1, c, 1)
				for j, v := range c {
					if want := float64(1 + n + 1 + n + 1 + 1); v != want {
						t.Fatalf("n = %d, ld = %d: entry %d is %v, want %v", n, ld, j, v, want)
					}
				}
			}
		}
	})
}

// TestRotationsPanic: what TestPanics does not call, because it is not in the interface of a BLAS, refuses each slice
// that is one element short.
func TestRotationsPanic(t *testing.T) {
	const n, sweeps = 5, 3
	const lacks = "blas: insufficient length of "
	need := [3]int{(sweeps-1)*(n-1) + n - 1, (sweeps-1)*(n-1) + n - 1, n * n}
	for short := range 4 { // the last is none
		length := need
		if short < 3 {
			length[short]--
		}
		c, s, a := allOnes(length[0]), allOnes(length[1]), allOnes(length[2])
		got := panics(func() { ApplyRotations('L', false, n, n, sweeps, c, s, n-1, a, n) })
		want := []string{lacks + "the rotations", lacks + "the rotations", lacks + "a", ""}
		if got != want[short] {
			t.Errorf("rotations, slice %d one element short: panic %q, want %q", short, got, want[short])
		}
	}
}
