package blas

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// TestNaN: 0·NaN and 0·∞ are NaN wherever the definition multiplies them, in every routine with a kernel of its own.
func TestNaN(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			for n := 1; n <= 40; n += 3 {
				nanCase(t, bad, n)
			}
		}
	})
}

func nanCase(t *testing.T, bad float64, n int) {
	t.Helper()
	impl := Implementation{}
	zero := func() []float64 { return make([]float64, n*n) }
	one := func(v float64, at int) []float64 { s := zero(); s[at] = v; return s }
	must := func(name string, v float64) {
		t.Helper()
		if !math.IsNaN(v) {
			t.Errorf("%s: n=%d: %v times 0 gave %v", name, n, bad, v)
		}
	}
	i, j := n/2, n/3
	for _, tA := range transposes {
		for _, tB := range transposes {
			c := zero()
			impl.Dgemm(tA, tB, n, n, n, 1, one(bad, i*n+i), n, zero(), n, 1, c, n)
			must("gemm A", c[i*n+j])
			c = zero()
			impl.Dgemm(tA, tB, n, n, n, 1, zero(), n, one(bad, j*n+j), n, 0, c, n)
			must("gemm B", c[i*n+j])
		}
		y := make([]float64, n)
		impl.Dgemv(tA, n, n, 1, one(bad, i*n+i), n, make([]float64, n), 1, 0, y, 1)
		must("gemv", y[i])
		for _, ul := range []gblas.Uplo{gblas.Upper, gblas.Lower} {
			c := zero()
			impl.Dsyrk(ul, tA, n, n, 1, one(bad, i*n+i), n, 0, c, n)
			if i > j && ul == gblas.Lower {
				must("syrk", c[i*n+j])
			} else if i > j {
				must("syrk", c[j*n+i])
			}
			b := zero()
			impl.Dtrmm(gblas.Left, ul, tA, gblas.NonUnit, n, n, 1, one(bad, i*n+i), n, b, n)
			must("trmm", b[i*n+j])
			x := make([]float64, n)
			impl.Dtrmv(ul, tA, gblas.NonUnit, n, one(bad, i*n+i), n, x, 1)
			must("trmv", x[i])
		}
	}
	a := zero()
	impl.Dger(n, n, 1, one(bad, i)[:n], 1, make([]float64, n), 1, a, n)
	must("ger", a[i*n+j])
	must("dot", impl.Ddot(n, one(bad, i)[:n], 1, make([]float64, n), 1))
	y := make([]float64, n)
	impl.Daxpy(n, bad, make([]float64, n), 1, y, 1)
	must("axpy", y[j])
	x := one(bad, i)[:n]
	impl.Drot(n, x, 1, y, 1, 0, 1)
	must("rot", x[i])
	if math.IsNaN(bad) {
		must("nrm2", impl.Dnrm2(n, one(bad, i)[:n], 1))
		must("asum", impl.Dasum(n, one(bad, i)[:n], 1))
	}
	// beta = 0 overwrites, alpha = 0 does not read.
	c := one(bad, j)
	impl.Dgemm('N', 'N', n, n, n, 0, one(bad, i), n, one(bad, i), n, 0, c, n)
	impl.Dgemm('N', 'N', n, n, n, 1, zero(), n, zero(), n, 0, c, n)
	for k, v := range c {
		if v != 0 {
			t.Errorf("n=%d: beta = 0 left %v at %d", n, v, k)
		}
	}
}

// TestNorm: no overflow or underflow on the way, at any scale.
func TestNorm(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		for e := -1074; e <= 1022; e += 3 {
			v := math.Ldexp(1, e)
			x := []float64{v, -v, 0, v, v, 0, 0}
			if got := (Implementation{}).Dnrm2(len(x), x, 1); got != 2*v {
				t.Errorf("2^%d: norm %g, want %g", e, got, 2*v)
			}
		}
		x := []float64{1, math.Inf(-1), 2}
		if got := (Implementation{}).Dnrm2(3, x, 1); !math.IsInf(got, 1) {
			t.Errorf("norm with an infinity: %v", got)
		}
	})
}

// panics returns the text with which f panics, or nothing.
func panics(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

// badArguments is the number of calls of TestPanics; .ci/run --long makes more.
var badArguments = flag.Int("bad-arguments", 20000, "calls of TestPanics")

// TestPanics: random arguments, most of them bad, make us panic exactly when they make gonum panic, and for the same
// reason when there is only one.
func TestPanics(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	seen := map[string]int{}
	for range *badArguments {
		name, call := randomCall(rng)
		want, got := panics(func() { call(gonum.Implementation{}) }), panics(func() { call(Implementation{}) })
		if (want == "") != (got == "") {
			t.Fatalf("%s: gonum panics with %q, we with %q", name, want, got)
		}
		if got != "" && !strings.HasPrefix(got, "blas: ") {
			t.Fatalf("%s: panic %q", name, got)
		}
		seen[got]++
	}
	if len(seen) < 18 {
		t.Errorf("only %d kinds of panic seen: %v", len(seen), seen)
	}
}

// randomCall draws a routine and small arguments, each bad with some probability.
func randomCall(rng *rand.Rand) (name string, call func(gblas.Float64)) {
	size := func() int { return rng.IntN(5) - rng.IntN(2)*rng.IntN(2) }
	option := func(good string) byte { return (good + good + good + good + "x")[rng.IntN(4*len(good)+1)] }
	m, n, k := size(), size(), size()
	ld := func() int { return rng.IntN(7) }
	lda, ldb, ldc, incX, incY := ld(), ld(), ld(), rng.IntN(5)-2, rng.IntN(5)-2
	slice := func() []float64 { return make([]float64, rng.IntN(40)) }
	a, b, c := slice(), slice(), slice()
	for _, s := range [][]float64{a, b, c} { // ones keep the triangular solves finite
		for i := range s {
			s[i] = 1
		}
	}
	tA, tB := gblas.Transpose(option("NTC")), gblas.Transpose(option("NTC"))
	ul, side, d := gblas.Uplo(option("UL")), gblas.Side(option("LR")), gblas.Diag(option("NU"))
	calls := []func(f gblas.Float64){
		func(f gblas.Float64) { f.Dgemm(tA, tB, m, n, k, 1, a, lda, b, ldb, 1, c, ldc) },
		func(f gblas.Float64) { f.Dsymm(side, ul, m, n, 1, a, lda, b, ldb, 1, c, ldc) },
		func(f gblas.Float64) { f.Dsyrk(ul, tA, n, k, 1, a, lda, 1, c, ldc) },
		func(f gblas.Float64) { f.Dsyr2k(ul, tA, n, k, 1, a, lda, b, ldb, 1, c, ldc) },
		func(f gblas.Float64) { f.Dtrmm(side, ul, tA, d, m, n, 1, a, lda, b, ldb) },
		func(f gblas.Float64) { f.Dtrsm(side, ul, tA, d, m, n, 1, a, lda, b, ldb) },
		func(f gblas.Float64) { f.Dgemv(tA, m, n, 1, a, lda, b, incX, 1, c, incY) },
		func(f gblas.Float64) { f.Dger(m, n, 1, b, incX, c, incY, a, lda) },
		func(f gblas.Float64) { f.Dsymv(ul, n, 1, a, lda, b, incX, 1, c, incY) },
		func(f gblas.Float64) { f.Dsyr(ul, n, 1, b, incX, a, lda) },
		func(f gblas.Float64) { f.Dsyr2(ul, n, 1, b, incX, c, incY, a, lda) },
		func(f gblas.Float64) { f.Dtrmv(ul, tA, d, n, a, lda, b, incX) },
		func(f gblas.Float64) { f.Dtrsv(ul, tA, d, n, a, lda, b, incX) },
		func(f gblas.Float64) { f.Ddot(n, b, incX, c, incY) },
		func(f gblas.Float64) { f.Daxpy(n, 1, b, incX, c, incY) },
		func(f gblas.Float64) { f.Drot(n, b, incX, c, incY, 1, 0) },
		func(f gblas.Float64) { f.Dcopy(n, b, incX, c, incY) },
		func(f gblas.Float64) { f.Dswap(n, b, incX, c, incY) },
		func(f gblas.Float64) { f.Dscal(n, 2, b, incX) },
		func(f gblas.Float64) { f.Dnrm2(n, b, incX) },
		func(f gblas.Float64) { f.Dasum(n, b, incX) },
	}
	names := strings.Fields("gemm symm syrk syr2k trmm trsm gemv ger symv syr " +
		"syr2 trmv trsv dot axpy rot copy swap scal nrm2 asum")
	i := rng.IntN(len(calls))
	name = fmt.Sprintf("%s tA=%c tB=%c ul=%c side=%c d=%c m=%d n=%d k=%d lda=%d ldb=%d ldc=%d incX=%d incY=%d "+
		"lengths %d %d %d", names[i], tA, tB, ul, side, d, m, n, k, lda, ldb, ldc, incX, incY, len(a), len(b), len(c))
	return name, calls[i]
}

// FuzzGemm lets the fuzzer look for shapes.
func FuzzGemm(f *testing.F) {
	f.Add(uint16(3), uint16(5), uint16(7), uint8(1), uint8(0))
	f.Add(uint16(13), uint16(17), uint16(390), uint8(0), uint8(3))
	f.Fuzz(func(t *testing.T, m, n, k uint16, pad, op uint8) {
		rng := rand.New(rand.NewPCG(uint64(m), uint64(n)))
		gemmCase(t, rng, transposes[op%2], transposes[op/2%2], int(m%300), int(n%300), int(k%800), int(pad%9), 1.1,
			float64(op/4%3))
	})
}
