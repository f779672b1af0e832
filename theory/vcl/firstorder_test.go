package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/vcl"
)

// The layers of the paper keep 95.8 and 83.7 percent. Both formulas agree at m = n, and the kept dimensions are the
// share times mn.
func TestRetainedShares(t *testing.T) {
	for _, c := range []struct {
		m, n int
		want float64
	}{{256, 3072, 0.958496}, {256, 784, 0.837372}, {64, 64, 0.507812}, {100, 32, 0.165}, {1, 5, 1}} {
		s := vcl.LayerShape{Outputs: c.m, Inputs: c.n}
		if got := s.Retained(); !(math.Abs(got-c.want) <= 5e-7) { // printed to six digits
			t.Errorf("%d×%d keeps %v, want %v", c.m, c.n, got, c.want)
		}
		if all := float64(c.m * c.n); !(math.Abs(all-s.Preserving()-all*s.Retained()) <= 1e-9*all) {
			t.Errorf("%d×%d: dimensions %v and share %v do not fit", c.m, c.n, s.Preserving(), s.Retained())
		}
	}
	require.True(t, math.IsNaN(vcl.LayerShape{}.Retained()) && math.IsNaN(vcl.LayerShape{Outputs: 1}.Preserving()))
}

// W = I: Δ is the symmetric part.
func TestWhitenedGradientOfTheIdentity(t *testing.T) {
	delta := vcl.WhitenedGradient(mat.NewDense(2, 2, []float64{1, 0, 0, 1}), mat.NewDense(2, 2, []float64{1, 4, 2, 3}))
	for i, want := range []float64{1, 3, 3, 3} {
		if got := delta.RawMatrix().Data[i]; !(math.Abs(got-want) <= 1e-14) {
			t.Errorf("entry %d: %v, want %v", i, got, want)
		}
	}
	// One column w = (1, 0): Δ = w·s with s = w·∇.
	delta = vcl.WhitenedGradient(mat.NewDense(2, 1, []float64{1, 0}), mat.NewDense(2, 1, []float64{3, 5}))
	require.True(t, math.Abs(delta.At(0, 0)-3) <= 1e-14 && delta.At(1, 0) == 0)
	delta = vcl.WhitenedGradient(mat.NewDense(1, 1, []float64{math.NaN()}), mat.NewDense(1, 1, nil))
	require.True(t, math.IsNaN(delta.At(0, 0)))
}
