package onestep

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// cloud is the curve of means with one standard deviation of a quantity along a ladder.
func cloud[T any](name string, ladders [][]T, n []float64, value func(T) float64) props.Curve {
	mean, lo, hi := meanAndSpread(column(ladders, func(ladder []T) []float64 { return column(ladder, value) }))
	return props.Curve{Name: name, Style: props.Points, X: n, Y: mean, Lo: lo, Hi: hi}
}

// through is the power law of that exponent through the last point of a curve.
func through(name string, c props.Curve, exponent float64) props.Curve {
	last := len(c.X) - 1
	return props.Curve{Name: name, Style: props.Dashed, X: c.X,
		Y: column(c.X, func(x float64) float64 { return c.Y[last] * math.Pow(x/c.X[last], exponent) })}
}

// growthFigure shows what ℓ−1 and ℓ terms leave, for ℓ = 1 and 2.
func growthFigure(ladders [][]climbed) props.Figure {
	n := column(ladders[0], func(c climbed) float64 { return float64(c.n) })
	var curves []props.Curve
	for i, r := range growthRegimes {
		f := r.features(ending(2), 1)
		fewer := cloud(fmt.Sprintf("%d terms, α = %v", r.l-1, r.alpha), ladders, n, func(c climbed) float64 { return c.growth[i].fewer })
		all := cloud(fmt.Sprintf("%d terms, α = %v", r.l, r.alpha), ladders, n, func(c climbed) float64 { return c.growth[i].all })
		e := f.Growth(r.l-1, r.alpha)
		curves = append(curves, fewer, through(fmt.Sprintf("n^%.2f", e), fewer, e), all)
	}
	return props.Figure{
		ID:    "growth",
		Title: "One term less leaves a remainder that grows",
		Caption: fmt.Sprintf("Norm of what is left of the features over √n, against n, on logarithmic axes, for the displayed weights and σ = 0.8z + 0.5(z²−1). "+
			"At α = %v F₀ alone leaves a growing remainder and one term a falling one; at α = %v one term leaves a growing remainder and two a "+
			"falling one. The growing ones follow the predicted exponents, drawn through their last points.", growthRegimes[0].alpha, growthRegimes[1].alpha),
		X: props.Axis{Label: "samples n", Log: true}, Y: props.Axis{Label: "‖F − F_ℓ‖ / √n", Log: true},
		Curves: curves,
	}
}

// coefficientFigure shows measured coefficients of u^k(a^∘k)ᵀ beside the claimed ones.
func coefficientFigure(summits []*summit) props.Figure {
	figure := props.Figure{
		ID:    "coefficients",
		Title: "Coefficients of the powers",
		Caption: "Size of the least-squares coefficients of u^k(a^∘k)ᵀ in F − F₀ against k, on a logarithmic axis, with one standard deviation, for a cubic with c₁ = 0.8 " +
			"and a phase-sine with c₁ = cos 1. They lie on |c₁ᵏcₖ|ηᵏ.",
		X: props.Axis{Label: "power k"}, Y: props.Axis{Label: "coefficient", Log: true},
	}
	for i, f := range fits {
		mean, lo, hi := meanAndSpread(column(summits, func(s *summit) []float64 { return column(s.fitted[i], math.Abs) }))
		k := column(f.powers, func(k int) float64 { return float64(k) })
		claimed := column(f.powers, func(k int) float64 { return math.Abs(f.features(summits[0].width).Coefficient(k, k)) })
		figure.Curves = append(figure.Curves,
			props.Curve{Name: f.name, Style: props.Points, X: k, Y: mean, Lo: lo, Hi: hi},
			props.Curve{Name: f.name + ", |c₁ᵏcₖ|ηᵏ", Style: props.Dashed, X: k, Y: claimed})
	}
	return figure
}

// missingFigure shows the remainder of the printed form for the true gradient, with and without the constant s².
func missingFigure(ladders [][]stepped) props.Figure {
	n := column(ladders[0], func(s stepped) float64 { return float64(s.n) })
	missing := column(ladders[0], func(s stepped) float64 { return s.missing })
	return props.Figure{
		ID:    "missing-term",
		Title: "True gradient, two terms: what the printed form leaves out",
		Caption: fmt.Sprintf("Norm of F − F₂ over √n after a step along the true gradient, against n, on logarithmic axes. With the printed second feature c₁²u² the remainder "+
			"comes down onto the predicted norm of the missing term c₂η²s²1(a^∘2)ᵀ, which grows as n^%.2f. With the corrected feature c₁²u² + s² it falls away.",
			theory.MissingGrowth(trainedRegime.alpha)),
		X: props.Axis{Label: "samples n", Log: true}, Y: props.Axis{Label: "‖F − F₂‖ / √n", Log: true},
		Curves: []props.Curve{
			cloud("printed, c₁²u²", ladders, n, func(s stepped) float64 { return s.printed }),
			cloud("corrected, c₁²u² + s²", ladders, n, func(s stepped) float64 { return s.corrected }),
			{Name: "missing term, predicted", Style: props.Dashed, X: n, Y: missing},
		},
	}
}

// constantFigure shows the coefficient of 1(a^∘2)ᵀ for both kinds of weights.
func constantFigure(ladders [][]stepped) props.Figure {
	n := column(ladders[0], func(s stepped) float64 { return float64(s.n) })
	level := func(name string, y float64) props.Curve {
		return props.Curve{Name: name, Style: props.Dashed, X: n, Y: column(n, func(float64) float64 { return y })}
	}
	return props.Figure{
		ID:    "constant",
		Title: "The constant in the second feature",
		Caption: "Least-squares coefficient of 1(a^∘2)ᵀ in F − F₀ over c₂η²s², against n, with one standard deviation. After a step along the true gradient it is one, as the corrected " +
			"feature has it. For the displayed weights of rank one, in the same networks, it is zero, as printed.",
		X: props.Axis{Label: "samples n", Log: true}, Y: props.Axis{Label: "coefficient / c₂η²s²"},
		Curves: []props.Curve{
			cloud("true gradient", ladders, n, func(s stepped) float64 { return s.trained[0] }), level("corrected", 1),
			cloud("displayed weights", ladders, n, func(s stepped) float64 { return s.displayed[0] }), level("printed", 0),
		},
	}
}

// spectrumFigure shows the singular values of one F/√n with the predicted bulk and the strengths of its spikes.
func spectrumFigure(found [][]seenSpectrum) props.Figure {
	row, s := spectrumRows[shownRow], found[0][shownRow]
	d, width := row.shape(s.n)
	f := theory.Features{Step: row.step(), Eta: stepSize(row.kappa, row.alpha, s.n)}
	bulk := f.Bulk()
	var strengths []float64
	for k := 1; k <= row.l; k++ {
		strengths = append(strengths, f.Strength(k, float64(width)))
	}
	return props.Figure{
		ID:    "spectrum",
		Title: "Singular values of the features after the step",
		Caption: fmt.Sprintf("Histogram of the singular values of F/√n for one network with n = %d, d = %d, N = %d, σ = 0.8z + 0.5(z²−1) and η = %vn^%.1f. The bulk follows the predicted "+
			"density of F₀, whose edge is %.3f. Two values leave it, %.2f and %.2f; the predicted strengths of the two terms are %.2f and %.2f.",
			s.n, d, width, row.kappa, row.alpha, bulk.Edge(), s.top[0], s.top[1], strengths[0], strengths[1]),
		X: props.Axis{Label: "singular value of F/√n"}, Y: props.Axis{Label: "density"},
		Curves: spectrumCurves(s.spectrum, float64(s.n), bulk.Edge(), bulk.Density, "predicted strengths", strengths),
	}
}
