package kernels

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/bench/testmatrix"
)

// swapColumns exchanges two columns of a matrix.
func swapColumns(a *mat.Dense, i, j int) {
	old := mat.Col(nil, i, a)
	a.SetCol(i, mat.Col(nil, j, a))
	a.SetCol(j, old)
}

// svdPoisons are ways of being wrong that a verification of values and vectors must notice.
var svdPoisons = map[string]func(*SVDFactors){
	"NaN value":              func(f *SVDFactors) { f.Values[4] = math.NaN() },
	"NaN last value":         func(f *SVDFactors) { f.Values[len(f.Values)-1] = math.NaN() },
	"infinite value":         func(f *SVDFactors) { f.Values[0] = math.Inf(1) },
	"NaN in U":               func(f *SVDFactors) { f.U.Set(2, 1, math.NaN()) },
	"NaN in V":               func(f *SVDFactors) { f.V.Set(2, 1, math.NaN()) },
	"all NaN":                func(f *SVDFactors) { f.U.Scale(math.NaN(), f.U); f.V.Scale(math.NaN(), f.V) },
	"missing value":          func(f *SVDFactors) { f.Values = f.Values[1:] },
	"no vectors":             func(f *SVDFactors) { f.U, f.V = nil, nil },
	"ascending values":       func(f *SVDFactors) { slices.Reverse(f.Values) },
	"two values exchanged":   func(f *SVDFactors) { f.Values[6], f.Values[7] = f.Values[7], f.Values[6] },
	"negative value":         func(f *SVDFactors) { k := len(f.Values) - 1; f.Values[k] = -f.Values[k] },
	"value off by 1e-10":     func(f *SVDFactors) { f.Values[0] *= 1 + 1e-10 },
	"swapped vectors of U":   func(f *SVDFactors) { swapColumns(f.U, 8, 9) },
	"swapped vectors of V":   func(f *SVDFactors) { swapColumns(f.V, 8, 9) },
	"sign of one vector":     func(f *SVDFactors) { f.U.SetCol(0, negated(mat.Col(nil, 0, f.U))) },
	"one entry of U off":     func(f *SVDFactors) { f.U.Set(3, 3, f.U.At(3, 3)+1e-10) },
	"one entry of V off":     func(f *SVDFactors) { f.V.Set(3, 3, f.V.At(3, 3)+1e-10) },
	"V transposed":           func(f *SVDFactors) { f.V = mat.DenseCopyOf(f.V.T()) },
	"U not orthogonal":       func(f *SVDFactors) { f.U.Scale(2, f.U); f.V.Scale(0.5, f.V) },
	"columns of U forgotten": func(f *SVDFactors) { f.U = mat.DenseCopyOf(f.U.Slice(0, 30, 0, 19)) },
}

func negated(x []float64) []float64 {
	for i := range x {
		x[i] = -x[i]
	}
	return x
}

func TestSVDRatioRejectsWrongFactors(t *testing.T) {
	spectrum := testmatrix.Geometric(20)
	a := testmatrix.WithSingularValues(30, 20, spectrum)
	for _, kind := range []mat.SVDKind{mat.SVDThin, mat.SVDFull} {
		right := func() SVDFactors {
			f, err := SVD(Gonum(), a, kind)
			require.NoError(t, err)
			return f
		}
		holds(t, SVDRatio(a, spectrum, kind, right()))
		for name, poison := range svdPoisons {
			t.Run(name, func(t *testing.T) {
				f := right()
				poison(&f)
				rejected(t, SVDRatio(a, spectrum, kind, f))
			})
		}
	}
}

// TestSVDRatioRejectsAnIncompleteBasis changes a vector that belongs to no singular value; only the full
// decomposition has it, and only orthogonality can tell.
func TestSVDRatioRejectsAnIncompleteBasis(t *testing.T) {
	spectrum := testmatrix.Geometric(20)
	for _, shape := range [][2]int{{30, 20}, {20, 30}} {
		a := testmatrix.WithSingularValues(shape[0], shape[1], spectrum)
		f, err := SVD(Gonum(), a, mat.SVDFull)
		require.NoError(t, err)
		holds(t, SVDRatio(a, spectrum, mat.SVDFull, f))
		basis := f.U
		if shape[1] > shape[0] {
			basis = f.V
		}
		basis.SetCol(29, mat.Col(nil, 28, basis))
		rejected(t, SVDRatio(a, spectrum, mat.SVDFull, f))
	}
}

// TestOrderAndSignAreExact exchanges values that differ by one bit and makes a zero negative: no distance from the
// spectrum would tell.
func TestOrderAndSignAreExact(t *testing.T) {
	below := math.Nextafter(1, 0)
	spectrum := []float64{1, below, 0}
	a := testmatrix.WithSingularValues(3, 3, spectrum)
	holds(t, SVDRatio(a, spectrum, mat.SVDNone, SVDFactors{Values: []float64{1, below, 0}}))
	rejected(t, SVDRatio(a, spectrum, mat.SVDNone, SVDFactors{Values: []float64{below, 1, 0}}))
	rejected(t, SVDRatio(a, spectrum, mat.SVDNone, SVDFactors{Values: []float64{1, below, -1e-300}}))

	spectrum = []float64{0, below, 1}
	s := testmatrix.WithEigenvalues(spectrum)
	holds(t, EigenRatio(s, spectrum, false, EigenFactors{Values: []float64{0, below, 1}}))
	rejected(t, EigenRatio(s, spectrum, false, EigenFactors{Values: []float64{0, 1, below}}))

	for i := range 3 {
		x := []float64{1, 1, 1}
		require.True(t, ascending(x) && descending(x))
		x[i] = math.NaN()
		require.False(t, ascending(x) || descending(x), "NaN at %d has an order", i)
	}
}

func TestSVDRatioOfValuesAlone(t *testing.T) {
	spectrum := testmatrix.Geometric(20)
	a := testmatrix.WithSingularValues(30, 20, spectrum)
	right := func() SVDFactors {
		f, err := SVD(Gonum(), a, mat.SVDNone)
		require.NoError(t, err)
		return f
	}
	holds(t, SVDRatio(a, spectrum, mat.SVDNone, right()))
	for _, name := range []string{"NaN value", "NaN last value", "infinite value", "missing value", "ascending values",
		"two values exchanged", "negative value", "value off by 1e-10"} {
		t.Run(name, func(t *testing.T) {
			f := right()
			svdPoisons[name](&f)
			rejected(t, SVDRatio(a, spectrum, mat.SVDNone, f))
		})
	}
	t.Run("NaN in the matrix", func(t *testing.T) {
		a.Set(0, 0, math.NaN())
		rejected(t, SVDRatio(a, spectrum, mat.SVDNone, SVDFactors{Values: spectrum}))
	})
}

func TestEigenRatioRejectsWrongFactors(t *testing.T) {
	spectrum := testmatrix.Linear(20)
	a := testmatrix.WithEigenvalues(spectrum)
	right := func(vectors bool) EigenFactors {
		f, err := SymEigen(Gonum(), a, vectors)
		require.NoError(t, err)
		return f
	}
	holds(t, EigenRatio(a, spectrum, false, right(false)))
	holds(t, EigenRatio(a, spectrum, true, right(true)))
	onValues := map[string]func(*EigenFactors){
		"NaN value":            func(f *EigenFactors) { f.Values[4] = math.NaN() },
		"missing value":        func(f *EigenFactors) { f.Values = f.Values[1:] },
		"descending values":    func(f *EigenFactors) { slices.Reverse(f.Values) },
		"two values exchanged": func(f *EigenFactors) { f.Values[6], f.Values[7] = f.Values[7], f.Values[6] },
		"sign of one value":    func(f *EigenFactors) { f.Values[0] = -f.Values[0] },
		"absolute values":      func(f *EigenFactors) { f.Values = negated(slices.Clone(f.Values[:10])) },
		"value off by 1e-10":   func(f *EigenFactors) { f.Values[19] *= 1 + 1e-10 },
	}
	onVectors := map[string]func(*EigenFactors){
		"NaN in V":        func(f *EigenFactors) { f.V.Set(19, 19, math.NaN()) },
		"no vectors":      func(f *EigenFactors) { f.V = nil },
		"swapped vectors": func(f *EigenFactors) { swapColumns(f.V, 8, 9) },
		"one entry off":   func(f *EigenFactors) { f.V.Set(3, 3, f.V.At(3, 3)+1e-10) },
		"transposed":      func(f *EigenFactors) { f.V = mat.DenseCopyOf(f.V.T()) },
		"not normalised":  func(f *EigenFactors) { f.V.Scale(0.5, f.V) },
		"zero vectors":    func(f *EigenFactors) { f.V.Zero() },
	}
	for name, poison := range onValues {
		for _, vectors := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				f := right(vectors)
				poison(&f)
				rejected(t, EigenRatio(a, spectrum, vectors, f))
			})
		}
	}
	for name, poison := range onVectors {
		t.Run(name, func(t *testing.T) {
			f := right(true)
			poison(&f)
			rejected(t, EigenRatio(a, spectrum, true, f))
		})
	}
}

// TestEigenRatioRejectsAMatrixOfAnotherSpectrum guards the guard: with a spectrum that the matrix does not have,
// right factors must fail.
func TestEigenRatioRejectsAMatrixOfAnotherSpectrum(t *testing.T) {
	spectrum := testmatrix.Linear(20)
	a := testmatrix.WithEigenvalues(spectrum)
	f, err := SymEigen(Gonum(), a, true)
	require.NoError(t, err)
	other := slices.Clone(spectrum)
	other[7] += 1e-10
	rejected(t, EigenRatio(a, other, true, f))
}

// TestMatricesAreDense keeps the test matrices from being close to diagonal, on which a factorisation has little to
// do: about 1/n of the squared norm lies on the diagonal, and four times that is allowed.
func TestMatricesAreDense(t *testing.T) {
	a := testmatrix.WithSingularValues(40, 40, testmatrix.Geometric(40))
	var diagonal float64
	for i := range 40 {
		diagonal += a.At(i, i) * a.At(i, i)
	}
	share := diagonal / math.Pow(mat.Norm(a, 2), 2)
	require.True(t, share < 4./40, "share of the diagonal %v", share)
}

// Without a spectrum the vectors are judged; values alone are not judged in silence.
func TestRatiosWithoutSpectrum(t *testing.T) {
	spectrum := testmatrix.Geometric(20)
	a := testmatrix.WithSingularValues(30, 20, spectrum)
	f, err := SVD(Gonum(), a, mat.SVDThin)
	require.NoError(t, err)
	holds(t, SVDRatio(a, nil, mat.SVDThin, f))
	f.Values[3] *= 1 + 1e-10
	rejected(t, SVDRatio(a, nil, mat.SVDThin, f))
	require.Panics(t, func() { SVDRatio(a, nil, mat.SVDNone, SVDFactors{Values: spectrum}) })
	require.Panics(t, func() { SVDRatio(a, spectrum[1:], mat.SVDThin, f) })
	b := testmatrix.WithEigenvalues(spectrum)
	e, err := SymEigen(Gonum(), b, true)
	require.NoError(t, err)
	holds(t, EigenRatio(b, nil, true, e))
	require.Panics(t, func() { EigenRatio(b, nil, false, e) })
}
