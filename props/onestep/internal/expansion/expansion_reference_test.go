//go:build system

package expansion

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/internal/streams"
)

// Coefficients of u(a)ᵀ and u^∘2(a^∘2)ᵀ in F − F₀ over the claimed ones, for the displayed weights, and the coefficient
// of 1(a^∘2)ᵀ over c₂η²s², which the true gradient has alone. Numbers come from an independent program, of one network
// a size, which scatters as ours do: by 0.13 and 0.05 for u^∘2(a^∘2)ᵀ, it says.
func TestCoefficientsReference(t *testing.T) {
	s := network.Setup{Phi: 0.5, Psi: 0.5, Act: network.Named("phase-sine"), Teacher: network.Linear(0)}
	for _, row := range []struct {
		n, networks int
		want        map[string]float64
	}{
		{1000, 6, map[string]float64{"u a": 1.018, "u² a²": 1.011, "a²": 0, "a², gradient": 1.015}},
		{2000, 4, map[string]float64{"u a": 1.005, "u² a²": 0.986, "a²": 0, "a², gradient": 0.989}},
	} {
		draws := map[string][]float64{}
		for seed := range uint64(row.networks) {
			for what, x := range coefficientsOf(s, row.n, seed) {
				draws[what] = append(draws[what], x)
			}
		}
		for what, want := range row.want {
			mean, sd := stat.MeanStdDev(draws[what], nil)
			tolerance := 0.005 + 4*sd*math.Sqrt(1+1/float64(row.networks))
			t.Logf("n = %d, %s: %.4g, sd %.2g, printed %.4g", row.n, what, mean, sd, want)
			if !(math.Abs(mean-want) <= tolerance) {
				t.Errorf("n = %d, %s: %.4g, printed %.4g within %.2g", row.n, what, mean, want, tolerance)
			}
		}
	}
}

// coefficientsOf is one network after η = √N/4.
func coefficientsOf(s network.Setup, n int, seed uint64) map[string]float64 {
	sample := s.Draw(streams.New(seed, "reference"), int(math.Round(float64(n)*math.Sqrt(s.Phi))))
	h := on(sample, features.Gaussian(streams.New(seed, "fresh"), n, len(sample.Beta)))
	c, eta := s.Act.Closed.Coefficient, math.Sqrt(float64(len(h.A)))/4
	initial := features.Apply(s.Act.Run, h.z)
	fitted := func(g *mat.Dense) *mat.Dense {
		g.Scale(eta, g)
		g.Add(g, h.W)
		f := features.Overwrite(s.Act.Run, features.PreActivations(h.fresh, g))
		f.Sub(f, initial)
		return h.bilinear(f, 5)
	}
	displayed := mat.NewDense(len(h.A), len(h.Beta), nil)
	displayed.RankOne(displayed, c(1), mat.NewVecDense(len(h.A), h.A), mat.NewVecDense(len(h.Beta), h.Beta))
	got, gradient := fitted(displayed), fitted(h.Gradient(s.Act.Run))
	constant := c(2) * eta * eta * s.Step().Noise()
	return map[string]float64{
		"u a":          got.At(1, 1) / (c(1) * c(1) * eta),
		"u² a²":        got.At(2, 2) / (c(2) * math.Pow(c(1)*eta, 2)),
		"a²":           got.At(0, 2) / constant,
		"a², gradient": gradient.At(0, 2) / constant,
	}
}
