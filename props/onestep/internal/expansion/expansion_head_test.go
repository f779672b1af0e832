package expansion

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/internal/streams"
	theory "github.com/thm-suite/thm/theory/onestep"
)

func init() { blas.Use() }

// The fit has to return the coefficients of a matrix that it can represent. The condition number of its normal
// equations is below 10⁶ for each side, which leaves 10⁻¹⁶·10⁶·10⁶ at worst.
func TestBilinearRecoversCoefficients(t *testing.T) {
	r := streams.New(1, "bilinear")
	h := head{u: make([]float64, 60)}
	h.A = network.Outputs(r, 50)
	for i := range h.u {
		h.u[i] = 1.7 * r.NormFloat64()
	}
	want := mat.NewDense(4, 4, []float64{1, 0, -2, 0, 0.5, 3, 0, 0, 0, 0, 4, 0, 0, -1, 0, 7})
	m := mat.NewDense(60, 50, nil)
	m.Apply(func(i, j int, _ float64) float64 {
		sum := 0.0
		for p := range 4 {
			for q := range 4 {
				sum += want.At(p, q) * math.Pow(h.u[i], float64(p)) * math.Pow(h.A[j], float64(q))
			}
		}
		return sum
	}, m)
	got, size := h.bilinear(m, 3), math.Sqrt(network.MeanSquare(h.A))
	for p := range 4 {
		for q := range 4 {
			if !(math.Abs(got.At(p, q)-want.At(p, q)) <= 1e-4*7*math.Pow(size, -float64(q))) {
				t.Errorf("coefficient of u^%d a^%d: got %v, want %v", p, q, got.At(p, q), want.At(p, q))
			}
		}
	}
}

// For a quadratic the displayed features are F₀, two terms and 2c₂z·c₁ηua exactly, and the differences in η give the
// means over the neurons of σ⁽ᵏ⁾(z)(Dx)ᵏ/k!.
func TestTermsOfAQuadratic(t *testing.T) {
	s := setups[0]
	s.Act = network.Named("quadratic") // 0.8 z + 0.5 (z²−1)
	r := streams.New(2, "terms")
	n, d, _ := s.Shape(20)
	h := on(s.Draw(r, 20), features.Gaussian(r, n, d))
	f := theory.Features{Step: s.Step(), Eta: 3}
	gain := h.gain(s.Act, f.Eta)
	h.remove(gain, f, 1)
	h.remove(gain, f, 2)
	for i, u := range h.u {
		for j, a := range h.A {
			require.InDelta(t, h.z.At(i, j)*0.8*3*u*a, gain.At(i, j), 1e-12)
		}
	}
	means, g := h.neuronMeans(s), h.Gradient(s.Act.Run)
	for i := range h.u {
		first, second := 0.0, 0.0
		for j, a := range h.A {
			move := mat.Dot(h.fresh.RowView(i), g.RowView(j)) / a
			first += s.Act.Run.Slope(h.z.At(i, j)) * move / float64(len(h.A))
			second += 0.5 * move * move / float64(len(h.A))
		}
		require.InDelta(t, first, means[1][i], 1e-9*(1+math.Abs(first)))
		require.InDelta(t, second, means[2][i], 1e-9*(1+math.Abs(second)))
		require.InDelta(t, 0, means[3][i], 1e-8)
	}
}

// Means over fresh x are the limits of least squares over many of them.
func TestPopulationMeans(t *testing.T) {
	s, r := setups[2], streams.New(3, "population")
	_, d, _ := s.Shape(16)
	h := on(s.Draw(r, 16), features.Gaussian(r, 100000, d))
	got, want := h.populationMeans(s), h.sampleMeans(s)
	for _, w := range wanted { // third powers scatter by 2 %
		require.InEpsilon(t, want[w.k][w.i], got[w.k][w.i], 0.05, "coefficient of u^%d in P_%d", w.i, w.k)
	}
}
