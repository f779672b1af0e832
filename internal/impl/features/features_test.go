package features_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/impl/features"
)

func stream() *rand.Rand { return rand.New(rand.NewPCG(3, 5)) }

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %v, want %v within %.2g", what, got, want, tolerance)
	}
}

func TestSlopesAreDerivatives(t *testing.T) {
	const h = 1e-5 // a central difference errs by h²/6·f‴ + u·|f|/h, below 1e-8 for values up to a few hundred
	for _, act := range []nn.Activation{features.PhaseSine(1.3, 0.4), features.CentredReLU,
		features.Series(0.2, 0.8, 0.5, 0.3, 0.2)} {
		for _, z := range []float64{-3.1, -0.7, 0.03, 0.6, 2.2} {
			near(t, act.Name, act.Slope(z), (act.Value(z+h)-act.Value(z-h))/(2*h), 1e-8)
		}
	}
}

// A row at once is the same bits as entry by entry, over z itself too.
func TestRowsAreValuesAndSlopes(t *testing.T) {
	z := []float64{-30, -1e-300, math.Copysign(0, -1), 0, 5e-324, 40, 1e5}
	for x := -9.0; x < 9; x += 0.37 {
		z = append(z, x)
	}
	for _, act := range []nn.Activation{features.PhaseSine(1.3, 0.4), features.CentredReLU, features.Series(),
		features.Series(0.2, 0.8), features.Series(0.2, 0.8, 0.5), features.Series(0, 0.8, 0.5, 0.3),
		features.Series(0.2, 0.8, 0.5, 0.3, 0.2)} {
		values, slopes := append([]float64{}, z...), make([]float64, len(z))
		act.Apply(values, slopes, values)
		alone := features.Overwrite(act, mat.NewDense(1, len(z), append([]float64{}, z...)))
		require.Equal(t, features.Apply(act, mat.NewDense(1, len(z), z)), alone)
		for j, v := range z {
			for _, pair := range [][2]float64{{values[j], act.Value(v)}, {alone.At(0, j), act.Value(v)},
				{slopes[j], act.Slope(v)}} {
				require.Equal(t, math.Float64bits(pair[1]), math.Float64bits(pair[0]), "%s at %v", act.Name, v)
			}
		}
	}
}

func TestSeriesIsAHermiteSeries(t *testing.T) {
	act := features.Series(7, 0.5, -2, 1.5, 0.25)
	for _, z := range []float64{-2, -0.5, 0, 1, 3} { // exact: dyadic coefficients and arguments
		require.Equal(t, 7+0.5*z-2*(z*z-1)+1.5*(z*z*z-3*z)+0.25*(z*z*z*z-6*z*z+3), act.Value(z))
		require.Equal(t, 0.5-4*z+1.5*(3*z*z-3)+0.25*(4*z*z*z-12*z), act.Slope(z))
	}
	require.Equal(t, 7.0, features.Series(7).Value(3))
	require.Zero(t, features.Series(7).Slope(3))
	require.Zero(t, features.Series().Value(3))
}

// layerLoss is (1/2n)‖y − scale·σ(XWᵀ)a‖², summed by the definition.
func layerLoss(x, w *mat.Dense, a, y []float64, act nn.Activation, scale float64) float64 {
	n, _ := x.Dims()
	sum := 0.0
	for i := range n {
		f := 0.0
		for j, aj := range a {
			f += scale * aj * act.Value(floats.Dot(w.RawRowView(j), x.RawRowView(i)))
		}
		sum += (y[i] - f) * (y[i] - f)
	}
	return sum / (2 * float64(n))
}

func TestDirectionAgainstCentralDifferences(t *testing.T) {
	r := stream()
	const n, d, width, h = 7, 4, 5, 1e-5
	for _, act := range []nn.Activation{nn.Tanh, features.PhaseSine(1.2, 0.7), features.Series(0.1, 0.8, 0.5, 0.3)} {
		for _, scale := range []float64{1, 0.3} {
			x, w := features.Gaussian(r, n, d), features.GaussianRows(r, width, d)
			a, y := features.Gaussian(r, 1, width).RawRowView(0), features.Gaussian(r, 1, n).RawRowView(0)
			direction := features.NewLayer(x, w, a, act).Direction(y, scale)
			for j := range width {
				for k := range d {
					at := w.At(j, k)
					w.Set(j, k, at+h)
					up := layerLoss(x, w, a, y, act, scale)
					w.Set(j, k, at-h)
					down := layerLoss(x, w, a, y, act, scale)
					w.Set(j, k, at)
					// u·loss/h/scale with a loss of order ten gives 1e-9, h²/6·f‴ the same.
					near(t, act.Name, direction.At(j, k), -(up-down)/(2*h*scale), 1e-8)
				}
			}
		}
	}
}

func TestPullIsLinearAndLeavesArgumentsAlone(t *testing.T) {
	r := stream()
	x, w := features.Gaussian(r, 6, 3), features.UnitRows(r, 4, 3)
	a, y := []float64{1, -2, 0.5, 0}, []float64{1, 2, 3, 4, 5, 6}
	before := mat.DenseCopyOf(x)
	layer := features.NewLayer(x, w, a, nn.Tanh)
	twice := make([]float64, len(y))
	floats.AddScaledTo(twice, y, 1, y)
	var double mat.Dense
	double.Scale(2, layer.Pull(y))
	require.True(t, mat.EqualApprox(&double, layer.Pull(twice), 1e-14))
	require.True(t, mat.Equal(before, x))
	require.Equal(t, []float64{1, 2, 3, 4, 5, 6}, y)
	require.Zero(t, mat.Norm(layer.Pull(y).RowView(3), 2)) // a neuron without output weight feels nothing
}

func TestRowsHaveTheStatedLaw(t *testing.T) {
	r := stream()
	const rows, cols = 4000, 5
	unit, gaussian := features.UnitRows(r, rows, cols), features.GaussianRows(r, rows, cols)
	for i := range rows {
		near(t, "length of a row", floats.Norm(unit.RawRowView(i), 2), 1, 1e-14)
	}
	// Each entry has variance 1/cols; the mean of rows·cols squares scatters by √2/cols/√(rows·cols) at most.
	for name, m := range map[string]*mat.Dense{"unit": unit, "gaussian": gaussian} {
		near(t, name+" second moment", math.Pow(mat.Norm(m, 2), 2)/(rows*cols), 1./cols,
			5*math.Sqrt2/cols/math.Sqrt(rows*cols))
		near(t, name+" mean", mat.Sum(m)/(rows*cols), 0, 5/math.Sqrt(rows*cols*cols))
	}
}

func TestTeacherLabels(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{3, 4, -1, 2})
	teacher := features.Teacher{Direction: []float64{0.5, 0.25}, Link: func(z float64) float64 { return z * z }}
	require.Equal(t, []float64{6.25, 0}, teacher.Labels(stream(), x))
	near(t, "length of a direction", floats.Norm(features.UnitVector(stream(), 9), 2), 1, 1e-14)
}

func TestShapesPanic(t *testing.T) {
	x, w := mat.NewDense(2, 2, nil), mat.NewDense(3, 2, nil)
	require.PanicsWithValue(t, "features: the output layer does not fit the width",
		func() { features.NewLayer(x, w, []float64{1}, nn.Tanh) })
	layer := features.NewLayer(x, w, []float64{1, 2, 3}, nn.Tanh)
	require.PanicsWithValue(t, "features: the residual does not fit the batch", func() { layer.Pull([]float64{1}) })
	require.PanicsWithValue(t, "features: the teacher's direction does not fit the samples",
		func() { features.Teacher{Direction: []float64{1}}.Labels(stream(), x) })
}
