package onestep

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// The true gradient is tried on σ = 0.4z + 0.5(z²−1) with y = z + noise of variance 1 and n = d: c₂ ≠ 0, and s² is large
// beside c₁²b², so that the constant of the second feature stands out at small sizes. N = 4n.
var quadraticNet = series(1, 0.25, 1, 0, 0.4, 0.5)

var (
	trainedRegime = regime{2, 0.32, 3}
	gentleRegime  = regime{1, 0.15, 1} // where the printed form holds for the true gradient as well
)

// stepped is what one network shows before and after a step along the true gradient.
type stepped struct {
	n                  int
	printed, corrected float64 // ‖F − F_ℓ‖/√n with c₁ᵏu^k, and with Q_k(u)
	missing            float64 // the norm over √n of what tells them apart, from the limits
	gentle             float64 // ‖F − F₁‖/√n at ℓ = 1
	trained, displayed [2]float64
	// the coefficients of 1(a^∘2)ᵀ and u aᵀ, for the true gradient and for the displayed weights, over what the corrected
	// features have there
}

var trainedSizes = props.Ladder{
	Quick:    []int{20, 40, 80, 160},
	Standard: []int{40, 80, 160, 320},
	Deep:     []int{100, 200, 400, 800, 1600},
}

// trained measures the expansion for the true gradient.
func trained(v expansionTrial) props.LegacyCheck {
	share, count := "true gradient", props.Scale{Quick: 40, Standard: 24, Deep: 60}
	if v.reuse {
		share, count = "", props.Scale{Quick: 20, Standard: 20, Deep: 60}
	}
	return props.LegacySweep[int, []stepped]{
		Name:  "expansion for the true gradient",
		Cells: func(e props.Effort) []int { return props.Indices(count.At(e)) },
		Measure: func(t *props.Trial, _ int) []stepped {
			var ladder []stepped
			sizes := trainedSizes.At(t.Effort)
			if v.reuse { // the coefficients show it
				sizes = sizes[len(sizes)-1:]
			}
			for _, n := range sizes {
				ladder = append(ladder, average(t, n, repeats(n, sizes), v.reuse))
			}
			return ladder
		},
		Judge:      func(_ []int, ladders [][]stepped) props.Judgement { return judgeTrained(v, ladders) },
		Share:      share,
		Replicates: 3,
	}.Check()
}

// average measures as many networks of a size as make a rung: geometric means of norms, arithmetic means of coefficients.
func average(t *props.Trial, n, count int, reuse bool) stepped {
	mean := stepped{n: n, printed: 1, corrected: 1, gentle: 1}
	root := func(x float64) float64 { return math.Pow(x, 1/float64(count)) }
	for range count {
		s := descend(t, n, reuse)
		mean.missing = s.missing
		mean.printed *= root(s.printed)
		mean.corrected *= root(s.corrected)
		mean.gentle *= root(s.gentle)
		for k := range s.trained {
			mean.trained[k] += s.trained[k] / float64(count)
			mean.displayed[k] += s.displayed[k] / float64(count)
		}
	}
	return mean
}

// descend measures one network.
func descend(t *props.Trial, n int, reuse bool) stepped {
	s := quadraticNet
	h, x := s.fresh(t, n, reuse)
	move := features.PreActivations(x, h.gradient(s.act)) // XGᵀ
	root := math.Sqrt(float64(n))
	printed := trainedRegime.features(s, n)
	corrected := printed
	corrected.Trained = true
	diff := h.along(s.act, move, printed.Eta)
	out := stepped{n: n, missing: printed.Missing(float64(len(h.a))), trained: h.low(diff, corrected)}
	h.remove(diff, corrected, 1)
	h.remove(diff, corrected, 2)
	out.corrected = norm(linalg.Matrix(diff), t.Rand) / root
	diff.RankOne(diff, corrected.Coefficient(0, 2), ones(n), mat.NewVecDense(len(h.a), power(h.a, 2)))
	out.printed = norm(linalg.Matrix(diff), t.Rand) / root
	out.displayed = h.low(h.displayed(s.act, s.closed.Coefficient(1), printed.Eta), corrected)

	gentle := gentleRegime.features(s, n)
	diff = h.along(s.act, move, gentle.Eta)
	h.remove(diff, gentle, 1)
	out.gentle = norm(linalg.Matrix(diff), t.Rand) / root
	return out
}

// low returns the coefficients of 1(a^∘2)ᵀ and u aᵀ over the claimed ones. The first is proportional to E y², for which the
// sample's mean is taken.
func (h head) low(diff *mat.Dense, f theory.Features) [2]float64 {
	m := h.bilinear(diff, 3)
	energy := floats.Dot(h.y, h.y) / float64(len(h.y)) / f.Energy
	return [2]float64{m.At(0, 2) / (f.Coefficient(0, 2) * energy), m.At(1, 1) / f.Coefficient(1, 1)}
}

func ones(n int) *mat.VecDense {
	v := make([]float64, n)
	floats.AddConst(1, v)
	return mat.NewVecDense(n, v)
}

func judgeTrained(v expansionTrial, ladders [][]stepped) props.Judgement {
	var j props.Judgement
	add := func(p props.Part, f props.Fact) { j.Parts, j.Facts = append(j.Parts, p), append(j.Facts, f) }
	sizes := column(ladders[0], func(s stepped) float64 { return float64(s.n) })
	slopes := func(value func(stepped) float64) []float64 {
		out := make([]float64, len(ladders))
		for i, ladder := range ladders {
			out[i] = exponent(sizes, column(ladder, value))
		}
		return out
	}
	at := func(value func(stepped) float64) []float64 {
		return column(ladders, func(ladder []stepped) float64 { return value(ladder[len(ladder)-1]) })
	}
	// The printed form has 0 where the corrected one has 1; the zone is a quarter of the distance. The coefficient of u aᵀ,
	// which the two share, more than doubles on the step's own sample; its zone is half of it.
	constant := 1 + v.dose
	switch {
	case v.printed:
		constant = 0
	case v.noNoise:
		constant = 1 / quadraticNet.step().Energy
	}
	const zone = 0.25
	add(part("coefficient of 1(a^∘2)ᵀ over c₂η²s², true gradient", at(func(s stepped) float64 {
		if v.displayed {
			return s.displayed[0]
		}
		return s.trained[0]
	}), constant, zone))
	add(part("coefficient of 1(a^∘2)ᵀ over c₂η²s², displayed weights", at(func(s stepped) float64 { return s.displayed[0] }), 0, zone))
	add(part("coefficient of u aᵀ over c₁²η, true gradient", at(func(s stepped) float64 { return s.trained[1] }), 1, 2*zone))
	if v.reuse {
		return j
	}
	two, one := trainedRegime, gentleRegime
	decay := two.features(quadraticNet, 1).Growth(2, two.alpha)
	gain := theory.MissingGrowth(two.alpha) - decay
	kept := func(s stepped) float64 { return s.corrected }
	if v.printed {
		kept, gain = func(s stepped) float64 { return s.printed }, -gain
	}
	add(signed(fmt.Sprintf("exponent of ‖F − F₂‖/√n, true gradient, α = %v", two.alpha), slopes(kept), decay))
	add(signed("exponent of ‖F − F₂‖ as printed over that with s²1", slopes(func(s stepped) float64 { return s.printed / s.corrected }), gain))
	add(signed(fmt.Sprintf("exponent of ‖F − F₁‖/√n, true gradient, α = %v", one.alpha), slopes(func(s stepped) float64 { return s.gentle }),
		one.features(quadraticNet, 1).Growth(1, one.alpha)))
	if v.printed {
		j.Facts, j.Counterexample = nil, explainMissing(ladders)
		return j
	}
	j.Figures = []props.Figure{missingFigure(ladders), constantFigure(ladders)}
	return j
}

// explainMissing shows the means over the ladders to the reader of the printed form.
func explainMissing(ladders [][]stepped) string {
	mean := func(value func(stepped) float64) []float64 {
		m, _, _ := meanAndSpread(column(ladders, func(ladder []stepped) []float64 { return column(ladder, value) }))
		return m
	}
	printed, corrected := mean(func(s stepped) float64 { return s.printed }), mean(func(s stepped) float64 { return s.corrected })
	trained, displayed := mean(func(s stepped) float64 { return s.trained[0] }), mean(func(s stepped) float64 { return s.displayed[0] })
	text := "σ = 0.4z + 0.5(z²−1), y = z + noise of variance 1, d = n, N = 4n, η = 3n^0.32, step along the true gradient; means:\n"
	for i, s := range ladders[0] {
		text += fmt.Sprintf("n = %d: ‖F − F₂‖/√n is %.3g as printed and %.3g with s²1; the missing term has %.3g. Its coefficient is %.3f of c₂η²s² "+
			"(displayed weights: %.3f).\n", s.n, printed[i], corrected[i], s.missing, trained[i], displayed[i])
	}
	return text
}
