package linear

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// One mode with s = 2, c = 1.5, d = 0.1: product and sum of squares.
func TestRiccatiOfOneMode(t *testing.T) {
	for time, want := range map[float64][2]float64{
		0.25: {1.033237515704, 3.047608743824}, 0.5: {1.597618183597, 3.902196233179}, 1: {1.952969105282, 4.502660691718},
	} {
		sum, difference := Pair{2, 1.5, 0.1}.Squares(time)
		near(t, want[0], (sum-difference)/4, 1e-12)
		near(t, want[1], (sum+difference)/2, 1e-12)
	}
	sum, difference := Pair{1.5, 2.5, 1.5}.Squares(math.Log(3) / 5) // by hand, where tanh(κt/2) = ½
	near(t, 224./23, sum, 1e-14)
	near(t, 23./14, difference, 1e-14)
}

// The balanced mode agrees with linear/modes, and a strongly unbalanced one is lazy.
func TestRiccatiLimits(t *testing.T) {
	sum, difference := Pair{2, 0.3, 0.3}.Squares(0.8)
	near(t, Mode{2, 2, 0.09}.At(0.8), (sum-difference)/4, 1e-13)
	sum, difference = Pair{1, 1000, 0}.Squares(1e-6) // κ ≈ λ = 10⁶
	near(t, 1-math.Exp(-1), (sum-difference)/4, 1e-5)
	sum, _ = Pair{0, 0.5, 0.5}.Squares(2)
	near(t, 0.5, sum, 1e-15)
	sum, difference = Pair{2, 1, -1}.Squares(200) // opposite layers stay so, and vanish
	near(t, 0, sum, 0)
	near(t, 0, difference, 1e-300)
	sum, _ = Pair{-1, 1, 1}.Squares(1)
	require.True(t, math.IsNaN(sum))
}

// The matrix form agrees with that of one mode, at late times too.
func TestRiccatiMatrix(t *testing.T) {
	for _, time := range []float64{0, 0.3, 3, 40} {
		k := LayerPair{S: number(2), W1: number(1.5), W2: number(0.1), Lambda: 0.01 - 2.25}.Gram(time)
		sum, difference := Pair{2, 1.5, 0.1}.Squares(time)
		near(t, (sum-difference)/4, k.At(0, 1), 1e-12)
		near(t, (sum+difference)/2, k.At(0, 0)+k.At(1, 1), 1e-12)
	}
	// no target, no imbalance: F = 0, and K decays as that of one mode
	k := LayerPair{S: number(0), W1: number(0.5), W2: number(0.5)}.Gram(2)
	near(t, 0.125, k.At(0, 1), 1e-15)
	require.True(t, math.IsNaN(LayerPair{S: number(1), W1: number(1), W2: number(1)}.Gram(-1).At(0, 0)))
	require.True(t, math.IsNaN(LayerPair{S: number(1), W1: dense(2, 1, 1, 1), W2: number(1)}.Gram(1).At(0, 0)))
}

// At every time WᵀW = M² + λM with M = W₁ᵀW₁, whose power the layers share between M² and M.
func TestRiccatiPowerOfTheFirstLayer(t *testing.T) {
	for lambda, want := range map[float64]float64{0: 2, 1: 1.395182171645, 100: 1.009705515969} {
		m := []float64{0.1, 1, 4}
		p := LayerPair{S: dense(3, 3, 2, 0, 0, 0, 1, 0, 0, 0, 3), W1: mat.NewDense(3, 3, nil),
			W2: mat.NewDense(3, 3, nil), Lambda: lambda}
		for i, x := range m {
			p.W1.Set(i, i, math.Sqrt(x))
			p.W2.Set(i, i, math.Sqrt(x+lambda))
		}
		for _, time := range []float64{0, 0.3} {
			k := p.Gram(time)
			var x, y [3]float64
			for i := range m {
				first, both := k.At(i, i), k.At(3+i, i)
				near(t, first*(first+lambda), both*both, 1e-11)
				x[i], y[i] = math.Log(first), 2*math.Log(both)
			}
			if time == 0 {
				mean, sum, squares := (x[0]+x[1]+x[2])/3, 0.0, 0.0
				for i := range x {
					sum, squares = sum+(x[i]-mean)*y[i], squares+(x[i]-mean)*(x[i]-mean)
				}
				near(t, want, sum/squares, 1e-12)
			}
		}
	}
}
