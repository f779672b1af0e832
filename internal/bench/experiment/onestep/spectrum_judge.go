package onestep

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props/figure"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// The claims about spectra.
const (
	asMany    = "count"
	inPlace   = "places"
	atEdge    = "edge"
	inSpan    = "directions"
	byTheSize = "exponent"
)

var spectrumClaims = []experiment.Claim{
	{ID: asMany, Title: "As many outliers as predicted", Sentence: "In most networks the number of singular values " +
		"beyond the predicted edge by a tenth is the number of predicted ones there.",
		Quantity: "share of networks"},
	{ID: inPlace, Title: "Outliers in their places", Sentence: "Each outlier is within 5 % of its predicted place on " +
		"average.", Quantity: "largest deviation of a network's outliers, over the places"},
	{ID: atEdge, Title: "The bulk ends at its edge", Sentence: "The largest singular value that is no outlier is " +
		"within 5 % of the predicted edge on average.", Quantity: "deviation over the edge"},
	{ID: inSpan, Title: "Left vectors along powers of Xβ", Sentence: "The squared cosine of each outlier's left vector " +
		"with the span of the first ℓ terms is within 0.1 of the prediction on average.",
		Quantity: "largest deviation in a network"},
	{ID: byTheSize, Title: "The exponent counts the outliers", Sentence: "At these sizes most networks have one " +
		"outlier for each k ≤ ℓ with cₖ ≠ 0, where (ℓ−1)/(2ℓ) < α < ℓ/(2ℓ+2).", Quantity: "share of networks"},
}

func judgeSpectra(set experiment.Setting, s SpectrumSizes,
	runs []experiment.Run[SpectrumCell, Spectrum]) experiment.Judgement {
	out := experiment.Judgement{Setup: spectrumSetup(s)}
	for _, act := range activations {
		for _, weights := range allWeights {
			section := experiment.Section{Title: act + ", " + weights}
			for _, alpha := range exponents {
				cell := SpectrumCell{act, weights, alpha, 0}
				of := experiment.Among(runs, func(c SpectrumCell) bool {
					c.Run = 0
					return c == cell
				})
				out.Findings = append(out.Findings, cell.judge(of, complete(set, of))...)
				if len(of) > 0 {
					section.Figures = append(section.Figures, cell.figure(s, of))
				}
			}
			out.Sections = append(out.Sections, section)
		}
	}
	if figures := out.Sections[0].Figures; len(figures) > 0 {
		out.Cover = figures[len(figures)-1]
		out.Sections[0].Figures = figures[:len(figures)-1]
	}
	return out
}

func (c SpectrumCell) judge(of []Spectrum, complete bool) []experiment.Finding {
	finding := func(claim string) experiment.Finding {
		return experiment.Finding{Claim: claim, Row: c.Activation + ", " + c.Weights, Column: fmt.Sprintf("α = %g", c.Alpha)}
	}
	expected := theory.Features{Step: c.setup().Step()}.Spikes(theory.Terms(c.Alpha))
	share := func(of func(Spectrum) bool) func(Spectrum) float64 {
		return func(v Spectrum) float64 { return map[bool]float64{true: 1}[of(v)] }
	}
	out := []experiment.Finding{
		finding(asMany).AtLeast(0.5, experiment.Mean(of, share(func(v Spectrum) bool {
			return len(v.Outliers) == len(v.Predicted)
		})), complete),
		finding(atEdge).AtMost(0.05, experiment.Mean(of, func(v Spectrum) float64 {
			return math.Abs(v.Behind/c.bulk(v.Noise).Edge() - 1)
		}), complete),
		finding(byTheSize).AtLeast(0.5, experiment.Mean(of, share(func(v Spectrum) bool {
			return len(v.Outliers) == expected
		})), complete),
	}
	visible := list.Where(of, func(v Spectrum) bool { return v.both() > 0 })
	if len(visible) > 0 || len(of) == 0 {
		out = append(out,
			finding(inPlace).AtMost(0.05, experiment.Mean(visible, Spectrum.apart), complete && len(visible) == len(of)),
			finding(inSpan).AtMost(0.1, experiment.Mean(visible, Spectrum.turned), complete && len(visible) == len(of)))
	}
	return out
}

// both is the number of outliers that are predicted and found.
func (v Spectrum) both() int { return min(len(v.Outliers), len(v.Predicted)) }

// apart is the largest deviation of an outlier from its predicted place, over that.
func (v Spectrum) apart() float64 {
	worst := 0.0
	for i, p := range v.Predicted[:v.both()] {
		worst = max(worst, math.Abs(v.Outliers[i]/p-1))
	}
	return worst
}

// turned is the largest deviation of the squared cosines.
func (v Spectrum) turned() float64 {
	worst := 0.0
	for i, p := range v.Share {
		worst = max(worst, math.Abs(v.Within[i]-p))
	}
	return worst
}

// bulk is the predicted bulk for the c²_{>1} of a network.
func (c SpectrumCell) bulk(noise float64) theory.Bulk {
	bulk := theory.Features{Step: c.setup().Step()}.Bulk()
	bulk.Nonlinear = noise
	return bulk
}

func spectrumSetup(s SpectrumSizes) []string {
	return []string{
		fmt.Sprintf("Features F = σ(XW₁ᵀ) of n = %d samples in d = %d dimensions with N = %d neurons; labels y = β⋆ᵀx. "+
			"The step is η = 4n^α, for σ = %s n^α. At this n, parts of second and third order as small as those of the "+
			"polynomials keep what a step does besides adding its terms small against the bulk.", 2*s.Dim, s.Dim, 2*s.Dim,
			sincos),
		"Predictions are those of onestep/expansion, from the sample's own u = Xβ and a: outliers of the bulk of F₀ with " +
			"the terms ηᵏP_k(u)(a^∘k)ᵀ, k ≤ 6, added, where P_k(u) = c₁ᵏcₖuᵏ for the displayed weights and a Gaussian mean " +
			"of powers for the true gradient; the bulk has in its c²_{>1} what the step adds to it at this n, " +
			"(E σ′² − c₁²)(c₁η)²‖u‖²‖a‖²/(nN), and for the true gradient c₁²η²s²‖a‖²/N. The density counts that part as " +
			"independent noise of one variance. Its entries vary with u and a, so that small singular values lie elsewhere; " +
			"no claim speaks of them.",
		overRuns,
	}
}

// figure shows the singular values of the first network with the prediction, and the outliers of all.
func (c SpectrumCell) figure(s SpectrumSizes, of []Spectrum) figure.Figure {
	first := of[0]
	bulk := c.bulk(first.Noise)
	edge, top := bulk.Edge(), 0.0
	bars := figure.Curve{Name: "singular values", Style: figure.Bars, X: []float64{edge * bin(0)}}
	density := figure.Curve{Name: "bulk, predicted", Style: figure.Dashed}
	for i, count := range first.Histogram {
		share := float64(count) / float64(2*s.Dim) / math.Log(bin(1)/bin(0))
		bars.X, bars.Y, top = append(bars.X, edge*bin(i+1)), append(bars.Y, share), max(top, share)
	}
	for i := range perEdge {
		x := edge * math.Sqrt(bin(i)*bin(i+1))
		density.Add(x, x*bulk.Density(x))
	}
	density.Add(edge, 0)
	at := func(name string, x []float64, height float64) figure.Curve {
		return figure.Curve{Name: name, Style: figure.Points, X: x,
			Y: list.Map(x, func(float64) float64 { return height * top })}
	}
	return figure.Figure{ID: c.id(), Title: fmt.Sprintf("%s, %s, α = %g", c.Activation, c.Weights, c.Alpha),
		Caption: fmt.Sprintf("Singular values of F/√n for one network with n = N = %d after a step η = %gn^%g: "+
			"histogram, predicted density of the bulk with its edge %.2f, and outliers, which lie %s; %s.",
			2*s.Dim, c.kappa(), c.Alpha, edge, places("at", first.Outliers), places("predicted at", first.Predicted)),
		X: figure.Axis{Label: "singular value of F/√n", Log: true}, Y: figure.Axis{Label: "density over ln x"},
		Curves: []figure.Curve{bars, density, at("outliers", first.Outliers, 0.06),
			at("outliers, predicted", first.Predicted, 0.12)}}
}

// id names the figure of a cell.
func (c SpectrumCell) id() string {
	return fmt.Sprintf("spectrum-%d-%d-%g", slices.Index(activations, c.Activation), slices.Index(allWeights, c.Weights),
		100*c.Alpha)
}

// places lists numbers.
func places(word string, x []float64) string {
	if len(x) == 0 {
		return map[string]string{"at": "nowhere", "predicted at": "none is predicted"}[word]
	}
	return word + " " + strings.Join(list.Map(x, func(x float64) string { return fmt.Sprintf("%.2f", x) }), ", ")
}
