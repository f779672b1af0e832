//go:build system

package onestep

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/internal/streams"
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

// displayed is the spike c₁aβᵀ, by which the displayed weights change for η = 1.
func displayed(s network.Setup, h network.Sample) *mat.Dense {
	g := mat.NewDense(len(h.A), len(h.Beta), nil)
	g.RankOne(g, s.Act.Closed.Coefficient(1), mat.NewVecDense(len(h.A), h.A), mat.NewVecDense(len(h.Beta), h.Beta))
	return g
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
		want         [3]float64 // at n = 200, 400 and 3200
	}{{1, 0.10, 4, [3]float64{1.072, 1.069, 1.055}}, {2, 0.29, 4, [3]float64{1.024, 1.015, 1.012}},
		{3, 0.355, 3, [3]float64{1.044, 1.026, 1.017}}} {
		s := network.Setup{Phi: 0.5, Psi: 0.5, Act: network.Series(series[:row.terms+2]...), Teacher: network.Linear(0)}
		for i, want := range row.want {
			n, next := [3]float64{200, 400, 3200}[i], float64(row.terms+1)
			var ratios []float64
			for seed := range [3]uint64{seeds, seeds, 2}[i] {
				h := s.Draw(streams.New(seed, "reference"), int(n*math.Sqrt(s.Phi)))
				g := displayed(s, h)
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
		var trained, plain []float64
		for seed := range uint64(seeds) {
			h := s.Draw(streams.New(seed, "reference"), int(400*math.Sqrt(phi)))
			eta, square := math.Pow(400, 0.32), power(h.A, 2)
			rankOne := displayed(s, h)
			along := func(g *mat.Dense) float64 {
				left, u := expanded(s, h, eta, g, 2, seed)
				ones := mat.NewVecDense(len(u), power(u, 0))
				return mat.Inner(ones, left, mat.NewVecDense(len(square), square)) /
					(float64(len(u)) * floats.Dot(square, square) * 0.5 * eta * eta * s.Step().Noise())
			}
			trained = append(trained, along(h.Gradient(s.Act.Run)))
			plain = append(plain, along(rankOne))
		}
		agree(t, "true gradient", trained, want, 0.05)
		agree(t, "displayed weights", plain, 0.0025, 0.005)
	}
}

// spectrumOf are the leading singular values of F/√n with as many cosines of left vectors with the span of u and u^∘2.
func spectrumOf(s network.Setup, n, count int, gradient bool, seed uint64) (values, cosines []float64) {
	h := s.Draw(streams.New(seed, "reference"), int(math.Round(float64(n)*math.Sqrt(s.Phi))))
	g := displayed(s, h)
	if gradient {
		g = h.Gradient(s.Act.Run)
	}
	g.Scale(math.Pow(float64(n), 0.3), g)
	g.Add(g, h.W)
	fresh := features.Gaussian(streams.New(seed, "fresh"), n, len(h.Beta))
	f := features.Overwrite(s.Act.Run, features.PreActivations(fresh, g))
	found := network.Leading(linalg.Matrix(f), count, streams.New(seed, "leading"))
	u := network.Times(fresh, h.Beta)
	square := power(u, 2)
	floats.AddScaled(square, -floats.Dot(u, square)/floats.Dot(u, u), u)
	for i, value := range found.Values {
		values = append(values, value/math.Sqrt(float64(n)))
		left := found.Left[i]
		cosines = append(cosines, math.Hypot(floats.Dot(left, u)/floats.Norm(u, 2),
			floats.Dot(left, square)/floats.Norm(square, 2)))
	}
	return values, cosines
}

// Both outliers of F after η = n^0.3, and how near their left vectors are to the span of u and u^∘2. Theirs is one
// network a row. Networks scatter as n^(−1/2), by what six of ours do at n = 1000.
func TestOutliersOfFeaturesReference(t *testing.T) {
	s := network.Setup{Phi: 0.5, Psi: 0.5, Act: network.Named("sincos"), Teacher: network.Linear(0)}
	var scatter [4]float64
	for _, row := range []struct {
		n, networks int
		gradient    bool
		want        [4]float64 // values, then cosines
	}{
		{1000, seeds, false, [4]float64{8.732, 4.241, 0.983, 0.913}},
		{2000, 3, false, [4]float64{10.978, 4.635, 0.990, 0.927}},
		{4000, 1, false, [4]float64{13.813, 5.101, 0.993, 0.945}},
		{4000, 1, true, [4]float64{13.267, 5.861, 0.993, 0.925}},
	} {
		draws := make([][]float64, 4)
		for seed := range uint64(row.networks) {
			values, cosines := spectrumOf(s, row.n, 2, row.gradient, seed)
			for k, x := range append(values, cosines...) {
				draws[k] = append(draws[k], x)
			}
		}
		for k, what := range []string{"first value", "second value", "first cosine", "second cosine"} {
			mean, sd := stat.MeanStdDev(draws[k], nil)
			if row.n == 1000 {
				scatter[k] = sd
			}
			tolerance := 4 * scatter[k] * math.Sqrt(1000/float64(row.n)*(1+1/float64(row.networks)))
			t.Logf("n = %d, gradient %v, %s: %.4g, printed %.4g, tolerance %.2g", row.n, row.gradient, what, mean, row.want[k],
				tolerance)
			if !(math.Abs(mean-row.want[k]) <= tolerance) {
				t.Errorf("n = %d, %s: %.4g, printed %.4g within %.2g", row.n, what, mean, row.want[k], tolerance)
			}
		}
	}
}
