package dlblas

import (
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/testblas"
)

// eachLibrary runs a test on every library that is installed, and skips the others by name.
func eachLibrary(t *testing.T, test func(*testing.T, *Library)) {
	for _, c := range Candidates() {
		t.Run(c.Name, func(t *testing.T) {
			if c.Library == nil {
				t.Skipf("%s is not here: %v", c.Name, c.Err)
			}
			test(t, c.Library)
		})
	}
}

// TestGonum runs gonum's own tests, which include bad arguments.
func TestGonum(t *testing.T) {
	// With no symbol bound, everything is gonum's.
	t.Run("delegated", func(t *testing.T) { gonumTests(t, &Library{Name: "delegated"}) })
	eachLibrary(t, gonumTests)
	t.Run("Fortran", func(t *testing.T) {
		eachLibrary(t, func(t *testing.T, l *Library) {
			h, err := open(l.File)
			require.NoError(t, err)
			bare := &Library{Name: l.Name}
			bare.blas.bindFortran(h)
			require.Len(t, bare.blas.missing(), 15, "19 routines are in common use")
			gonumTests(t, bare)
		})
	})
}

// otherwise says where a library is known to differ from what gonum's tests expect.
var otherwise = map[string]string{
	"netlib/Dscal": "reference: 0·NaN is NaN, gonum's Dscal clears",
	"netlib/Drotmg": "reference 3.11: rescaled transformations lack entries of H (OpenMathLib/OpenBLAS#1452 repaired " +
		"OpenBLAS)",
	"blis/Drotmg": "BLIS 0.9: writes entries of H that the flag makes meaningless",
	"blis/Dnrm2":  "BLIS 0.9: two infinities give NaN",
}

func gonumTests(t *testing.T, l *Library) {
	for name, test := range map[string]func(*testing.T){
		"Ddot":   func(t *testing.T) { testblas.DdotTest(t, l) },
		"Dgemm":  func(t *testing.T) { testblas.TestDgemm(t, l) },
		"Dgemv":  func(t *testing.T) { testblas.DgemvTest(t, l) },
		"Dger":   func(t *testing.T) { testblas.DgerTest(t, l) },
		"Dsymm":  func(t *testing.T) { testblas.DsymmTest(t, l) },
		"Dsymv":  func(t *testing.T) { testblas.DsymvTest(t, l) },
		"Dsyr":   func(t *testing.T) { testblas.DsyrTest(t, l) },
		"Dsyr2":  func(t *testing.T) { testblas.Dsyr2Test(t, l) },
		"Dsyr2k": func(t *testing.T) { testblas.Dsyr2kTest(t, l) },
		"Dsyrk":  func(t *testing.T) { testblas.DsyrkTest(t, l) },
		"Dtrmm":  func(t *testing.T) { testblas.DtrmmTest(t, l) },
		"Dtrmv":  func(t *testing.T) { testblas.DtrmvTest(t, l) },
		"Dtrsm":  func(t *testing.T) { testblas.DtrsmTest(t, l) },
		"Dtrsv":  func(t *testing.T) { testblas.DtrsvTest(t, l) },
		"Dtxmv":  func(t *testing.T) { testblas.DtxmvTest(t, l) },
		"Daxpy":  func(t *testing.T) { testblas.DaxpyTest(t, l) },
		"Dscal":  func(t *testing.T) { testblas.DscalTest(t, l) },
		"Dasum":  func(t *testing.T) { testblas.DasumTest(t, l) },
		"Dnrm2":  func(t *testing.T) { testblas.Dnrm2Test(t, l) },
		"Drot":   func(t *testing.T) { testblas.DrotTest(t, l) },
		"Dcopy":  func(t *testing.T) { testblas.DcopyTest(t, l) },
		"Dswap":  func(t *testing.T) { testblas.DswapTest(t, l) },
		"Idamax": func(t *testing.T) { testblas.IdamaxTest(t, l) },
		"Drotm":  func(t *testing.T) { testblas.DrotmTest(t, l) },
		"Drotmg": func(t *testing.T) { testblas.DrotmgTest(t, l) },
		"Drotg":  func(t *testing.T) { testblas.DrotgTest(t, l, true) },
		"Dgbmv":  func(t *testing.T) { testblas.DgbmvTest(t, l) },
		"Dsbmv":  func(t *testing.T) { testblas.DsbmvTest(t, l) },
		"Dspmv":  func(t *testing.T) { testblas.DspmvTest(t, l) },
		"Dspr":   func(t *testing.T) { testblas.DsprTest(t, l) },
		"Dspr2":  func(t *testing.T) { testblas.Dspr2Test(t, l) },
		"Dtbmv":  func(t *testing.T) { testblas.DtbmvTest(t, l) },
		"Dtbsv":  func(t *testing.T) { testblas.DtbsvTest(t, l) },
		"Dtpmv":  func(t *testing.T) { testblas.DtpmvTest(t, l) },
		"Dtpsv":  func(t *testing.T) { testblas.DtpsvTest(t, l) },
	} {
		t.Run(name, func(t *testing.T) {
			if why := otherwise[l.Name+"/"+name]; why != "" {
				t.Skip(why)
			}
			test(t)
		})
	}
}

func TestNothingIsDelegatedByAFullLibrary(t *testing.T) {
	eachLibrary(t, func(t *testing.T, l *Library) {
		require.Subset(t, []string{"Drotmg", "Drotm", "Drotg"}, l.Delegated(),
			"what a speed or a failure is blamed on is not the library's")
		require.NotEmpty(t, l.File)
	})
	var nothing handle
	require.Len(t, new(blasRoutines).bind(nothing), 34, "one routine for each method of blas.Float64")
}

func TestCandidatesAreExplained(t *testing.T) {
	for _, c := range Candidates() {
		require.NotEmpty(t, c.Tried)
		require.True(t, (c.Library == nil) == (c.Err != nil))
		l, err := Find(c.Name)
		require.Equal(t, c.Library, l)
		require.Equal(t, c.Err, err)
	}
	_, err := Find("mkl")
	require.ErrorContains(t, err, `no library is called "mkl"`)
}

func TestFileFromTheEnvironment(t *testing.T) {
	require.Equal(t, "THM_OPENBLAS", Variable("openblas"))
	t.Setenv("THM_OPENBLAS", "/nowhere/libopenblas.so")
	c := sources[0].load()
	require.Nil(t, c.Library)
	require.Equal(t, []string{"/nowhere/libopenblas.so"}, c.Tried)
	require.ErrorContains(t, c.Err, "/nowhere/libopenblas.so")
	t.Setenv("THM_OPENBLAS", "libc.so.6") // a library, and not one of linear algebra
	c = sources[0].load()
	require.Nil(t, c.Library)
	require.Error(t, c.Err)
}

func TestBadArgumentsPanicBeforeTheCall(t *testing.T) {
	eachLibrary(t, func(t *testing.T, l *Library) {
		a := make([]float64, 4)
		for name, call := range map[string]func(){
			"transpose": func() { l.Dgemm('X', 'N', 2, 2, 2, 1, a, 2, a, 2, 0, a, 2) },
			"negative":  func() { l.Dgemm('N', 'N', -1, 2, 2, 1, a, 2, a, 2, 0, a, 2) },
			"short":     func() { l.Dgemm('N', 'N', 3, 2, 2, 1, a, 2, a, 2, 0, a, 2) },
			"leading":   func() { l.Dgemm('N', 'N', 2, 2, 2, 1, a, 1, a, 2, 0, a, 2) },
			"beyond":    func() { l.Dgemm('N', 'N', 1, 1, math.MaxInt32+1, 1, a, math.MaxInt32+1, a, 1, 0, a, 1) },
			"side":      func() { l.Dtrsm('X', 'U', 'N', 'N', 2, 2, 1, a, 2, a, 2) },
			"triangle":  func() { l.Dtrsm('L', 'X', 'N', 'N', 2, 2, 1, a, 2, a, 2) },
			"diagonal":  func() { l.Dtrsm('L', 'U', 'N', 'X', 2, 2, 1, a, 2, a, 2) },
			"increment": func() { l.Daxpy(2, 1, a, 0, a, 1) },
			"vector":    func() { l.Daxpy(5, 1, a, 1, a, 1) },
			"distance":  func() { l.Daxpy(1, 1, a, 1<<40, a, 1) },
			"packed":    func() { l.Dspmv('U', 3, 1, a, a, 1, 0, a, 1) },
			"flag":      func() { l.Drotm(2, a, 1, a, 1, blas.DrotmParams{Flag: 7}) },
			"threads":   func() { l.SetThreads(0) },
		} {
			require.Panics(t, call, name)
		}
	})
}

func TestThreads(t *testing.T) {
	eachLibrary(t, func(t *testing.T, l *Library) {
		before := l.Threads()
		defer l.SetThreads(before)
		if !l.SetThreads(1) {
			require.Equal(t, "netlib", l.Name)
			require.Regexp(t, `^LAPACK 3\.`, l.Config())
			return
		}
		require.Equal(t, 1, l.Threads())
		require.NotEmpty(t, l.Config())
	})
}

// TestConcurrentCallers multiplies integers, which is exact, from many goroutines at once.
func TestConcurrentCallers(t *testing.T) {
	eachLibrary(t, func(t *testing.T, l *Library) {
		const n = 96
		a, b := make([]float64, n*n), make([]float64, n*n)
		for i := range a {
			a[i], b[i] = float64(i%17-8), float64(i%13-6)
		}
		want := make([]float64, n*n)
		gonums.Dgemm('N', 'T', n, n, n, 1, a, n, b, n, 0, want, n)
		var callers sync.WaitGroup
		got := make([][]float64, 8)
		for i := range got {
			callers.Go(func() {
				got[i] = make([]float64, n*n)
				for range 10 {
					l.Dgemm('N', 'T', n, n, n, 1, a, n, b, n, 0, got[i], n)
				}
			})
		}
		callers.Wait()
		for i := range got {
			require.Equal(t, want, got[i])
		}
	})
}
