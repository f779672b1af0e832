//go:build system

package onestep

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props/onestep/network"
)

// expanded is F less F₀ and so many terms of the displayed weights, for weights W₀ + ηG, and u = Xβ on fresh samples.
func expanded(s network.Setup, h network.Sample, eta float64, g *mat.Dense, terms int, seed uint64) (left *mat.Dense,
	u []float64) {
	n, d := h.X.Dims()
	fresh := features.Gaussian(streams.New(seed, "fresh"), n, d)
	var w mat.Dense
	w.Scale(eta, g)
	w.Add(&w, h.W)
	left = features.Overwrite(s.Act.Run, features.PreActivations(fresh, &w))
	left.Sub(left, features.Overwrite(s.Act.Run, features.PreActivations(fresh, h.W)))
	u = network.Times(fresh, h.Beta)
	for k := 1; k <= terms; k++ {
		scale := s.Act.Closed.Coefficient(k) * math.Pow(s.Act.Closed.Coefficient(1)*eta, float64(k))
		left.RankOne(left, -scale, mat.NewVecDense(n, power(u, k)), mat.NewVecDense(len(h.A), power(h.A, k)))
	}
	return left, u
}

func power(x []float64, k int) []float64 {
	return network.Map(x, func(x float64) float64 { return math.Pow(x, float64(k)) })
}

// ‖F − F_ℓ‖ over the norm of the next term, for series that end with it.
func TestNextTermReference(t *testing.T) {
	series := []float64{0, 0.8, 0.5, 0.3, 0.2}
	for _, row := range []struct {
		terms        int
		alpha, kappa float64
		want         [2]float64 // at n = 200 and 400
	}{{1, 0.10, 4, [2]float64{1.072, 1.069}}, {2, 0.29, 4, [2]float64{1.024, 1.015}},
		{3, 0.355, 3, [2]float64{1.044, 1.026}}} {
		s := network.Setup{Phi: 0.5, Psi: 0.5, Act: network.Series(series[:row.terms+2]...), Teacher: network.Linear(0)}
		for i, want := range row.want {
			n, next := 200*float64(i+1), float64(row.terms+1)
			var ratios []float64
			for seed := range uint64(seeds) {
				h := s.Draw(streams.New(seed, "reference"), int(n*math.Sqrt(s.Phi)))
				g := mat.NewDense(len(h.A), len(h.Beta), nil)
				g.RankOne(g, s.Act.Closed.Coefficient(1), mat.NewVecDense(len(h.A), h.A),
					mat.NewVecDense(len(h.Beta), h.Beta))
				eta := row.kappa * math.Pow(n, row.alpha)
				left, u := expanded(s, h, eta, g, row.terms, seed)
				term := s.Act.Closed.Coefficient(row.terms+1) * math.Pow(s.Act.Closed.Coefficient(1)*eta, next) *
					floats.Norm(power(u, row.terms+1), 2) * floats.Norm(power(h.A, row.terms+1), 2)
				ratios = append(ratios, network.Norm(linalg.Matrix(left), streams.New(seed, "norm"))/term)
			}
			agree(t, "next term", ratios, want, 0.02) // theirs are medians
		}
	}
}

// What the true gradient adds along 1(a^∘2)ᵀ, over c₂η²s², and that the displayed weights add nothing.
func TestConstantOfTheGradientReference(t *testing.T) {
	for phi, want := range map[float64]float64{1: 0.997, 0.25: 0.993} {
		s := network.Setup{Phi: phi, Psi: 0.5, Act: network.Series(0, 1, 0.5), Teacher: network.Linear(0)}
		var trained, displayed []float64
		for seed := range uint64(seeds) {
			h := s.Draw(streams.New(seed, "reference"), int(400*math.Sqrt(phi)))
			eta, square := math.Pow(400, 0.32), power(h.A, 2)
			rankOne := mat.NewDense(len(h.A), len(h.Beta), nil)
			rankOne.RankOne(rankOne, 1, mat.NewVecDense(len(h.A), h.A), mat.NewVecDense(len(h.Beta), h.Beta))
			along := func(g *mat.Dense) float64 {
				left, u := expanded(s, h, eta, g, 2, seed)
				ones := mat.NewVecDense(len(u), power(u, 0))
				return mat.Inner(ones, left, mat.NewVecDense(len(square), square)) /
					(float64(len(u)) * floats.Dot(square, square) * 0.5 * eta * eta * s.Step().Noise())
			}
			trained = append(trained, along(h.Gradient(s.Act.Run)))
			displayed = append(displayed, along(rankOne))
		}
		agree(t, "true gradient", trained, want, 0.05)
		agree(t, "displayed weights", displayed, 0.0025, 0.005)
	}
}
