package latent

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/thm-suite/thm/internal/impl/rkhs"
	"github.com/thm-suite/thm/internal/streams"
	"gonum.org/v1/gonum/mat"
)

// Tuned kernel regression is the best of the solutions of (K + λI)α = y, each by gonum's elimination.
func TestRegressAgainstElimination(t *testing.T) {
	r := streams.New(1, "regress")
	f := func(z []float64) float64 { return z[0] * z[0] }
	train, validation := Sample(r, 20, 3, 1, f), Sample(r, 30, 3, 1, f)
	test := Quadrature(r, 8, 2, 3, 1, f)
	k := rkhs.Gaussian(1.5)
	got, err := Regress(k, WithBias, train, validation, test)
	require.NoError(t, err)
	want, smallest := math.NaN(), math.Inf(1)
	at := func(x *mat.Dense, i int) []float64 { return WithBias(x).RawRowView(i) }
	for _, lambda := range kernelPenalties {
		gram := mat.NewDense(20, 20, nil)
		gram.Apply(func(i, j int, _ float64) float64 {
			v := k.Of(at(train.X, i), at(train.X, j))
			if i == j {
				v += lambda // the diagonal of the Gaussian kernel is 1
			}
			return v
		}, gram)
		var alpha mat.VecDense
		require.NoError(t, alpha.SolveVec(gram, mat.NewVecDense(20, train.Y)))
		predict := func(x *mat.Dense) []float64 {
			n, _ := x.Dims()
			out := make([]float64, n)
			for i := range n {
				for j := range 20 {
					out[i] += alpha.AtVec(j) * k.Of(at(x, i), at(train.X, j))
				}
			}
			return out
		}
		if e := validation.Square(predict(validation.X)); e < smallest {
			smallest, want = e, test.Square(predict(test.X))
		}
	}
	require.InEpsilon(t, want, got, 1e-6) // condition up to 20/10⁻⁶ times rounding 10⁻¹⁶, and as much again in the sum
}
