package linalg_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/roundoff"
)

// symmetric is the symmetric matrix with the upper triangle of a.
func symmetric(a *mat.Dense) *mat.SymDense {
	n, _ := a.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, a.At(i, j))
		}
	}
	return s
}

// congruent has the values of a spectrum with alternating signs as eigenvalues: Q·diag(±value)·Qᵀ.
func congruent(value func(i, r int) float64) func(*rand.Rand, int, int) *mat.Dense {
	return func(r *rand.Rand, n, _ int) *mat.Dense {
		q, _, _, err := linalg.SVD(random(r, n, n), mat.SVDThin)
		if err != nil {
			panic(err)
		}
		var scaled, a mat.Dense
		scaled.Apply(func(_, j int, x float64) float64 { return x * value(j, n) * float64(1-2*(j%2)) }, q)
		a.Mul(&scaled, q.T())
		return &a
	}
}

// symmetricGallery is the gallery and spectra of either sign.
var symmetricGallery = append(slices.Clone(gallery),
	galleryCase{"± even", congruent(func(i, r int) float64 { return 1 - fraction(i, r)*(1-roundoff.Ulp) })},
	galleryCase{"± geometric to ulp", congruent(func(i, r int) float64 { return math.Pow(roundoff.Ulp, fraction(i, r)) })},
	galleryCase{"± repeated", congruent(func(_, _ int) float64 { return 1 })},
)

// eigenRatios returns LAPACK's ratios (DSYT21) of the residual and of orthogonality.
func eigenRatios(a mat.Symmetric, w []float64, v *mat.Dense) (float64, float64) {
	return residual(mat.DenseCopyOf(a), v, w, v), orthogonality(v)
}

func TestSymEigenRatiosOnTheGallery(t *testing.T) {
	worst := worstRatios{}
	for g, c := range symmetricGallery {
		for _, n := range gallerySizes {
			a := symmetric(c.make(rand.New(rand.NewPCG(uint64(n), uint64(g))), n, n))
			before := mat.NewSymDense(n, nil)
			before.CopySym(a)
			where := fmt.Sprintf("%s %d", c.name, n)
			w, v, err := linalg.SymEigen(a, true)
			require.NoError(t, err, where)
			require.True(t, mat.Equal(before, a), where)
			res, orth := eigenRatios(a, w, v)
			worst.add(t, "residual", where, res, roundedFactors(n))
			worst.add(t, "orthogonality", where, orth, 1)
			require.True(t, slices.IsSorted(w), where)
			alone, none, err := linalg.SymEigen(a, false)
			require.NoError(t, err, where)
			require.Nil(t, none)
			require.True(t, slices.IsSorted(alone), where)
			size := max(math.Abs(w[0]), math.Abs(w[n-1]))
			// as for singular values
			worst.add(t, "values", where, difference(w, alone)/(2*float64(n)*roundoff.Ulp*size+0x1p-1073), 1)
		}
	}
	worst.log(t)
}

// TestSymEigenValuesByCounting holds the values of tridiagonal matrices against Sturm counts.
func TestSymEigenValuesByCounting(t *testing.T) {
	for _, n := range []int{2, 3, 21, 65, 150} {
		r := rand.New(rand.NewPCG(9, uint64(n)))
		a, d, e := mat.NewSymDense(n, nil), make([]float64, n), make([]float64, n-1)
		for i := range n {
			d[i] = 10 * r.NormFloat64()
			a.SetSym(i, i, d[i])
			if i < n-1 {
				e[i] = math.Exp(3 * r.NormFloat64())
				a.SetSym(i, i+1, e[i])
			}
		}
		for _, vectors := range []bool{false, true} {
			w, _, err := linalg.SymEigen(a, vectors)
			require.NoError(t, err)
			allowed := 2 * float64(n) * roundoff.Ulp * max(math.Abs(w[0]), math.Abs(w[n-1]))
			for i, x := range w {
				below, above := sturm(d, e, x-allowed), sturm(d, e, x+allowed)
				if below > i || above < i+1 {
					t.Errorf("n = %d vectors %v: λ_%d = %v has %d to %d eigenvalues below", n, vectors, i, x, below, above)
				}
			}
		}
	}
}

// TestSymEigenOfTheSecondDifference: tridiag(-1, 2, -1) has the eigenvalues 4·sin²(kπ/(2(n+1))).
func TestSymEigenOfTheSecondDifference(t *testing.T) {
	const n = 200
	a := mat.NewSymDense(n, nil)
	for i := range n {
		a.SetSym(i, i, 2)
		if i > 0 {
			a.SetSym(i-1, i, -1)
		}
	}
	w, _, err := linalg.SymEigen(a, true)
	require.NoError(t, err)
	for i, x := range w {
		s := math.Sin(float64(i+1) * math.Pi / (2 * (n + 1)))
		if d := math.Abs(x - 4*s*s); !(d <= n*roundoff.Ulp*4) {
			t.Errorf("eigenvalue %d is off by %v", i, d)
		}
	}
}

func TestLargestEigen(t *testing.T) {
	const n = 70
	a := symmetric(random(stream(), n, n))
	w, v, err := linalg.SymEigen(a, true)
	require.NoError(t, err)
	for _, k := range []int{0, 1, 5, n} {
		top, vectors, err := linalg.LargestEigen(a, k)
		require.NoError(t, err)
		require.Len(t, top, k)
		if k == 0 {
			require.Nil(t, vectors)
			continue
		}
		rows, cols := vectors.Dims()
		require.Equal(t, [2]int{n, k}, [2]int{rows, cols})
		for j := range k {
			require.Equal(t, w[n-1-j], top[j])
			cosine := math.Abs(mat.Dot(v.ColView(n-1-j), vectors.ColView(j)))
			if !(math.Abs(cosine-1) <= n*roundoff.Ulp) { // the same vector but for its refinement
				t.Errorf("k = %d: vector %d has cosine %v", k, j, cosine)
			}
		}
		if ratio := orthogonality(vectors); !(ratio < 1) {
			t.Errorf("k = %d: orthogonality ratio %v", k, ratio)
		}
	}
	require.PanicsWithValue(t, "linalg: number of eigenvalues out of range",
		func() { _, _, _ = linalg.LargestEigen(a, n+1) })
	require.PanicsWithValue(t, "linalg: number of eigenvalues out of range",
		func() { _, _, _ = linalg.LargestEigen(a, -1) })
}

func TestSymEigenSameBitsOnAnyThreadsAndKernel(t *testing.T) {
	a := symmetric(random(stream(), 400, 400)) // whose halves have halves that are shared, and bands more than two
	blas.SetThreads(1)
	w, v, err := linalg.SymEigen(a, true)
	require.NoError(t, err)
	everywhere(t, func() {
		w2, v2, err := linalg.SymEigen(a, true)
		require.NoError(t, err)
		require.Equal(t, w, w2)
		require.True(t, mat.Equal(v, v2))
	})
}

func TestSymEigenRefusesWhatIsNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		a := symmetric(random(stream(), 9, 9))
		a.SetSym(6, 2, bad)
		for _, vectors := range []bool{false, true} {
			w, v, err := linalg.SymEigen(a, vectors)
			require.ErrorIs(t, err, linalg.ErrNotFinite)
			require.ErrorContains(t, err, fmt.Sprintf("entry (2, 6) is %v", bad))
			require.True(t, w == nil && v == nil)
		}
		_, _, err := linalg.LargestEigen(a, 3)
		require.ErrorIs(t, err, linalg.ErrNotFinite)
	}
}

func TestSymEigenAtTheEnds(t *testing.T) {
	w, v, err := linalg.SymEigen(&mat.SymDense{}, true)
	require.NoError(t, err)
	require.True(t, w == nil && v == nil)

	_, _, err = linalg.SymEigen(mat.NewSymDense(2,
		[]float64{math.MaxFloat64, math.MaxFloat64, math.MaxFloat64, math.MaxFloat64}), true)
	require.ErrorContains(t, err, "overflows")

	w, v, err = linalg.SymEigen(mat.NewSymDense(1, []float64{-0x1p-1074}), true)
	require.NoError(t, err)
	require.Equal(t, []float64{-0x1p-1074}, w)
	require.Equal(t, 1.0, v.At(0, 0))
}
