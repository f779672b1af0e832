package onestep

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// The displayed weights are tried on Hermite series that end: their expansion ends too. series(ℓ) has degree ℓ.
var (
	coefficients = []float64{0, 0.8, 0.5, 0.3, 0.2}
	generic      = phaseSine(0.5, 0.5, 0.5, math.Sqrt(math.E), 1) // c₁ = cos 1
)

func ending(degree int) setup { return series(0.5, 0.5, 0.5, coefficients[:degree+1]...) }

// regime is a growth of the step size, η = κn^α, inside the interval of ℓ.
type regime struct {
	l            int
	alpha, kappa float64
}

// nextRegimes are those of the comparison with the next term. The prefactor is large, so that products of the next
// term's kind with XW₀ᵀ, smaller by 1/(c₁ηb), matter little. growthRegimes are those in which growth is measured.
var (
	nextRegimes   = []regime{{1, 0.10, 8}, {2, 0.29, 8}, {3, 0.355, 8}}
	growthRegimes = []regime{{1, 0.15, 0.5}, {2, 0.30, 2}}
	outsideRegime = regime{1, 0.35, 2}
)

func (r regime) features(s setup, n int) theory.Features {
	return theory.Features{Step: s.step(), Eta: stepSize(r.kappa, r.alpha, n)}
}

// growth is ‖F − F_{ℓ−1}‖/√n and ‖F − F_ℓ‖/√n, over the sample's excess of the norms that lead them.
type growth struct{ fewer, all float64 }

// climbed is what one network shows.
type climbed struct {
	n       int
	growth  []growth // for each of growthRegimes
	outside float64  // ‖F − F_ℓ‖/√n when α lies above the interval of ℓ
	top     *summit  // at the largest size only
}

// summit is what is measured at the largest size only.
type summit struct {
	n, width  int
	strengths []float64   // norms of the terms over √n S_k, k = 1, 2, 3
	full      []float64   // ‖F − F_ℓ‖ over the norm of the next term, for each of nextRegimes
	spread    []float64   // what these ratios may scatter by
	bias      []float64   // and be off by
	fitted    [][]float64 // coefficients of u^k(a^∘k)ᵀ, for the powers of each of the fits
}

// fit is a step size at which coefficients are fitted by polynomials of a degree, and the powers k that it determines well:
// low ones at small steps, high ones at large steps.
type fit struct {
	name   string
	setup  setup
	scale  float64 // η/√N
	degree int
	powers []int
}

var fits = []fit{
	{"cubic, η = √N/2", ending(3), 0.5, 3, []int{1}},
	{"cubic, η = √N", ending(3), 1, 3, []int{2, 3}},
	{"phase-sine, η = 0.7√N", generic, 0.7, 4, []int{1, 2}},
}

func (f fit) features(width int) theory.Features {
	return theory.Features{Step: f.setup.step(), Eta: f.scale * math.Sqrt(float64(width))}
}

var powerSizes = props.Ladder{
	Quick:    []int{40, 80, 160, 320},
	Standard: []int{80, 160, 320, 640},
	Deep:     []int{200, 400, 800, 1600, 3200},
}

// powers measures the expansion for the displayed weights.
func powers(v expansionTrial) props.LegacyCheck {
	return props.LegacySweep[int, []climbed]{
		Name:  "expansion for the displayed weights",
		Cells: func(e props.Effort) []int { return props.Indices(props.Scale{Quick: 40, Standard: 24, Deep: 60}.At(e)) },
		Measure: func(t *props.Trial, _ int) []climbed {
			var ladder []climbed
			sizes := powerSizes.At(t.Effort)
			for _, n := range sizes {
				ladder = append(ladder, averageGrowth(t, n, sizes))
			}
			return ladder
		},
		Judge:      func(_ []int, ladders [][]climbed) props.Judgement { return judgePowers(v, ladders) },
		Share:      "displayed weights",
		Replicates: 3,
	}.Check()
}

// averageGrowth measures as many networks of a size as make a rung, and returns geometric means.
func averageGrowth(t *props.Trial, n int, sizes []int) climbed {
	count, top := repeats(n, sizes), n == sizes[len(sizes)-1]
	mean := climbed{n: n, outside: 1, growth: make([]growth, len(growthRegimes))}
	for i := range mean.growth {
		mean.growth[i] = growth{1, 1}
	}
	root := func(x float64) float64 { return math.Pow(x, 1/float64(count)) }
	for range count {
		c := expand(t, n, top)
		mean.top = c.top
		mean.outside *= root(c.outside)
		for i, g := range c.growth {
			mean.growth[i] = growth{mean.growth[i].fewer * root(g.fewer), mean.growth[i].all * root(g.all)}
		}
	}
	return mean
}

// repeats is how many networks make a rung: small networks scatter more and cost less.
func repeats(n int, sizes []int) int { return sizes[len(sizes)-1] / n }

// expand measures one network. All setups here share their shape and teacher, so they share the sample.
func expand(t *props.Trial, n int, top bool) climbed {
	h, _ := ending(2).fresh(t, n, false)
	root := math.Sqrt(float64(n))
	out := climbed{n: n}
	left := func(s setup, r regime) (fewer, all float64) {
		f := r.features(s, n)
		diff := h.displayed(s.act, s.closed.Coefficient(1), f.Eta)
		for k := 1; k < r.l; k++ {
			h.remove(diff, f, k)
		}
		fewer = norm(linalg.Matrix(diff), t.Rand)
		h.remove(diff, f, r.l)
		return fewer, norm(linalg.Matrix(diff), t.Rand)
	}
	for _, r := range growthRegimes {
		f := r.features(ending(2), n)
		fewer, all := left(ending(2), r)
		out.growth = append(out.growth, growth{fewer / root / h.excess(f, r.l), all / root / h.excess(f, 1)})
	}
	f := outsideRegime.features(ending(2), n)
	_, all := left(ending(2), outsideRegime)
	out.outside = all / root / h.excess(f, 2)
	if !top {
		return out
	}
	out.top = &summit{n: n, width: len(h.a)}
	for _, r := range nextRegimes {
		s := ending(r.l + 1)
		_, all := left(s, r)
		sd, bias := crossing(r.features(s, n), r.l, h)
		out.top.full = append(out.top.full, all/h.termNorm(r.features(s, n), r.l+1))
		out.top.spread, out.top.bias = append(out.top.spread, sd), append(out.top.bias, bias)
	}
	out.top.strengths = h.strengths(fits[1].features(len(h.a)))
	for _, f := range fits {
		m := h.bilinear(h.displayed(f.setup.act, f.setup.closed.Coefficient(1), f.features(len(h.a)).Eta), f.degree)
		var found []float64
		for _, k := range f.powers {
			found = append(found, m.At(k, k))
		}
		out.top.fitted = append(out.top.fitted, found)
	}
	return out
}

// crossing returns the standard deviation and a bound of the bias of ‖F − F_ℓ‖ over the norm of the next term, for a
// series of degree ℓ+1. What is left besides that term is led by E = (ℓ+1)c_{ℓ+1} XW₀ᵀ ∘ (c₁η u aᵀ)^∘ℓ. With x = c₁ηb, its
// product with the singular vectors u^(ℓ+1), a^(ℓ+1) of the term is, by the components of Xᵀu^(2ℓ+1) along β, normal with
// standard deviation (ℓ+1)√((4ℓ+1)!!)/((2ℓ+1)!! x√d) of the term's norm; twice that for the tails at finite n. Its
// squared row and column in that direction add (ℓ+1)²(2ℓ−1)!!(4ℓ+1)!!/((2ℓ+1)!!³x²)·(1 + N/n) to the squared norm if the
// entries of XW₀ᵀ were independent of u; half of that is the bias, twice that bounds it.
func crossing(f theory.Features, l int, h head) (sd, bias float64) {
	odd := oddFactorial
	x := f.Activation.Coefficient(1) * f.Eta * f.Length()
	factor, top := float64(l+1), odd(2*l+1)
	sd = 2 * factor * math.Sqrt(odd(4*l+1)) / (top * x * math.Sqrt(float64(len(h.beta))))
	return sd, factor * factor * odd(2*l-1) * odd(4*l+1) / (math.Pow(top, 3) * x * x) * (1 + float64(len(h.a))/float64(len(h.u)))
}

func judgePowers(v expansionTrial, ladders [][]climbed) props.Judgement {
	var j props.Judgement
	add := func(p props.Part, f props.Fact) { j.Parts, j.Facts = append(j.Parts, p), append(j.Facts, f) }
	summits := make([]*summit, len(ladders))
	for i, ladder := range ladders {
		summits[i] = ladder[len(ladder)-1].top
	}
	for i, r := range nextRegimes {
		values := make([]float64, len(summits))
		for m, s := range summits {
			values[m] = s.full[i]
		}
		add(part(fmt.Sprintf("‖F − F_%d‖ over the norm of term %d", r.l, r.l+1), values, 1+v.dose,
			summits[0].bias[i]+planned(summits[0].spread[i], len(values))))
	}
	judgeStrengths(v, summits, add)
	judgeGrowth(v, ladders, add)
	judgeCoefficients(v, summits, add)
	j.Figures = []props.Figure{growthFigure(ladders), coefficientFigure(summits)}
	return j
}

// signed is the condition that an exponent has the sign of the predicted one, to which it converges slowly: it lies
// between 0 and 2, or between −2 and 0.
func signed(name string, slopes []float64, predicted float64) (props.Part, props.Fact) {
	iv := stat.Mean(slopes, stat.PartAlpha)
	ratio := props.Equivalent(iv, math.Copysign(1, predicted), 1)
	return props.Part{Name: "sign of the " + name, Ratio: ratio, Alpha: stat.PartAlpha}, props.Measured(name, iv, predicted)
}

// judgeGrowth holds the exponents of what ℓ−1 and ℓ terms leave against each other. With ℓ−1 terms the exponent is
// that of the ℓ-th term, positive, and the zone is as wide as the exponent, so that the sign is part of the condition.
// With ℓ terms only the sign counts: the exponent is approached through powers of the logarithm.
func judgeGrowth(v expansionTrial, ladders [][]climbed, add func(props.Part, props.Fact)) {
	sizes := column(ladders[0], func(c climbed) float64 { return float64(c.n) })
	slopes := func(value func(climbed) float64) []float64 {
		out := make([]float64, len(ladders))
		for i, ladder := range ladders {
			out[i] = exponent(sizes, column(ladder, value))
		}
		return out
	}
	for i, r := range growthRegimes {
		claimed := r.features(ending(2), 1).Growth(r.l-1, r.alpha)
		add(part(fmt.Sprintf("exponent of ‖F − F_%d‖/√n at α = %v", r.l-1, r.alpha),
			slopes(func(c climbed) float64 { return c.growth[i].fewer }), claimed+v.exponentDose, claimed))
		value, alpha := func(c climbed) float64 { return c.growth[i].all }, r.alpha
		if v.fewer {
			value = func(c climbed) float64 { return c.growth[i].fewer }
		}
		if v.outside && r.l == outsideRegime.l {
			value, alpha = func(c climbed) float64 { return c.outside }, outsideRegime.alpha
		}
		add(signed(fmt.Sprintf("exponent of ‖F − F_%d‖/√n at α = %v", r.l, alpha), slopes(value), r.features(ending(2), 1).Growth(r.l, r.alpha)))
	}
}

// judgeCoefficients holds the coefficients against c₁ᵏcₖηᵏ. The nearest wrong convention is off by √2, and the zone is
// half the distance to it.
func judgeCoefficients(v expansionTrial, summits []*summit, add func(props.Part, props.Fact)) {
	zone := (math.Sqrt2 - 1) / 2
	for i, f := range fits {
		features := f.features(summits[0].width)
		for m, k := range f.powers {
			unit := features.Coefficient(k, k)
			claimed := v.coefficient(features, k) / unit
			values := column(summits, func(s *summit) float64 { return s.fitted[i][m] / unit })
			add(part(fmt.Sprintf("coefficient %d of the %s, over c₁ᵏcₖηᵏ", k, f.name), values, claimed, zone*max(1, math.Abs(claimed))))
		}
	}
}
