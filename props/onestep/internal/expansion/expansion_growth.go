package expansion

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// The criteria of this sweep.
const (
	growing = "exponent of ‖F − F_ℓ‖/√n with a term to come"
	ended   = "exponent of ‖F − F_2‖/√n when the series has ended"
	next    = "‖F − F_ℓ‖ over the norm of term ℓ+1"
)

// left is a step size η = κn^α and how many of the terms of a Hermite series are taken off the features. The series
// ends one term later, or with the last term taken off.
type left struct {
	terms, degree int
	alpha, kappa  float64
}

// With one term to come, inside of the interval that asks for it and below, the prefactor is large, so that products
// of that term's kind with XW₀ᵀ, smaller by 1/(c₁ηb), matter little.
var (
	toCome = coming(4)
	none   = left{2, 2, 0.30, 2}
	above  = 1 // of those to come: one term where α asks for two
)

// coming are ℓ = 1, 2, … terms at the middle of their interval of α and of the next one.
func coming(last int) []left {
	var out []left
	for terms := 1; terms <= last; terms++ {
		for l := terms; l <= terms+1; l++ {
			lo, hi := theory.Interval(l)
			out = append(out, left{terms, terms + 1, (lo + hi) / 2, 80})
		}
	}
	return out
}

// series ends at a degree.
func series(degree int) network.Activation {
	return network.Series([]float64{0, 0.8, 0.5, 0.3, 0.2, 0.15}[:degree+1]...)
}

// grown holds the measurements of one network.
type grown struct {
	N      int
	ToCome []float64 // ‖F − F_ℓ‖/√n over the excess of the next term's norm over its limit
	Next   []float64 // ‖F − F_ℓ‖ over the norm of the next term
	None   float64   // ‖F − F_ℓ‖/√n over a factor of logarithms, a geometric mean
	Nones  int       // of this number of networks
}

func measureGrowth(t *props.Trial, c network.Cell) []grown {
	sizes := []int{32, 64}
	if t.Effort != props.Quick {
		size := props.Scale{Standard: 40, Deep: 96}.At(t.Effort)
		sizes = []int{size, 2 * size, 4 * size}
	}
	s := network.By(setups, c.Setup)
	return network.Map(sizes, func(size int) grown {
		// Small networks scatter more and cost less. The middle one of three does not count in a slope.
		count := props.Scale{Quick: 8, Standard: 80, Deep: 80}.At(t.Effort) * sizes[0] * sizes[0] / (size * size)
		if len(sizes) == 3 && size == sizes[1] {
			count = 0
		}
		out := measureLeft(t, s, size)
		out.Nones = 1 + count
		for k := range count {
			out.None *= math.Pow(draw(t, s, size).ended(t, s, 2)/out.None, 1/float64(k+2))
		}
		return out
	})
}

func measureLeft(t *props.Trial, s network.Setup, size int) grown {
	h := draw(t, s, size)
	out := grown{N: len(h.u)}
	for _, l := range toCome {
		f, gain := l.features(s, h)
		ratio := network.Norm(linalg.Matrix(gain), t.Rand) / h.termNorm(f, l.terms+1)
		strength := f.Strength(l.terms+1, float64(len(h.u))*s.Phi/s.Psi)
		out.Next, out.ToCome = append(out.Next, ratio), append(out.ToCome, ratio*strength)
	}
	out.None = h.ended(t, s, 4)
	return out
}

// ended is ‖F − F_2‖/√n for a quadratic, where only the fluctuation 2c₂z of σ′ is left, η times diag(u)XW₀ᵀdiag(a);
// over the mean norm of diag(u)XGᵀdiag(a) for count Gaussian G, which grows as powers of logarithms: by Chevet's
// inequality it is at most (‖diag(u)X‖_op ‖a‖ + ‖diag(u)X‖_F max|a|)/√d, and half of that at least.
func (h head) ended(t *props.Trial, s network.Setup, count int) float64 {
	_, gain := none.features(s, h)
	n, d := h.fresh.Dims()
	mean := 0.0
	for range count {
		like := algebra.Product(h.fresh, gen.Gaussian(t.Rand, len(h.A), d, 1/math.Sqrt(float64(d))).T())
		for i, u := range h.u {
			row := like.RawRowView(i)
			floats.Mul(row, h.A)
			floats.Scale(u, row)
		}
		mean += network.Norm(linalg.Matrix(like), t.Rand) / float64(count)
	}
	return network.Norm(linalg.Matrix(gain), t.Rand) / mean / math.Sqrt(float64(n))
}

// features are F − F_ℓ for the displayed weights and a series that ends.
func (l left) features(s network.Setup, h head) (theory.Features, *mat.Dense) {
	s.Act = series(l.degree)
	f := theory.Features{Step: s.Step(), Eta: stepSize(l.kappa, l.alpha, len(h.u))}
	gain := h.gain(s.Act, f.Eta)
	for k := 1; k <= l.terms; k++ {
		h.remove(gain, f, k)
	}
	return f, gain
}

// growth holds the claims about the remainder: its size where the series has ended, and its exponent with a term to
// come.
type growth struct {
	none     func(grown) float64
	exponent func(f theory.Features, terms int, alpha float64) float64
}

// withoutLinear has the norms of next terms without the powers of c₁.
func (g grown) withoutLinear() grown {
	g.Next = slices.Clone(g.Next)
	for i, l := range toCome {
		g.Next[i] /= math.Pow(series(l.degree).Closed.Coefficient(1), -float64(l.terms+1))
	}
	return g
}

// concludeGrowth holds exponents and norms against the claim; where the series has ended, for all teachers together,
// since that norm scatters. What is added to the next term falls as 1/(c₁ηb).
func concludeGrowth(r *props.Record, cells []network.Cell, all [][]grown, claim growth) {
	slope := func(value func(grown) float64) func([]grown) float64 {
		return func(sweep []grown) float64 {
			n := network.Map(sweep, func(g grown) float64 { return float64(g.N) })
			return network.Slope(n, network.Map(sweep, value))
		}
	}
	last := all[0][len(all[0])-1]
	scale := 160 / (float64(last.N) * math.Sqrt(setups[0].Phi))
	props.Limit{Name: ended, SD: slopeSD(all[0], func(g grown) float64 {
		return 0.1 * math.Sqrt(64/g.size()/float64(g.Nones))
	}), Bias: 0.004 * scale}.Exponent(r, network.Map(all, slope(claim.none)), none.alpha-0.5)
	for _, regime := range kinds {
		r.Regime(regime)
		mine := network.Of(setups, regime, cells, all)
		for i, l := range toCome {
			f := theory.Features{Step: network.In(setups, regime).Step()}
			f.Activation = series(l.degree).Closed
			exponents := network.Map(mine, slope(func(g grown) float64 { return g.ToCome[i] }))
			scatter := func(g grown) float64 { return 0.005 * math.Pow(160/g.size(), l.alpha) }
			sd := slopeSD(mine[0], scatter)
			props.Limit{Name: growing, SD: sd, Bias: 0.003 * scale}.Exponent(r, exponents,
				claim.exponent(f, l.terms, l.alpha))
			ratios := network.Map(mine, func(sweep []grown) float64 { return sweep[len(sweep)-1].Next[i] })
			props.Limit{Name: next, SD: scatter(mine[0][len(mine[0])-1]), Bias: 0.003 * scale}.Judge(r, ratios, 1)
		}
	}
	r.Draw(func() props.Figure { return growthFigure(cells, all) })
}

// size is √(nd), up to roundings.
func (g grown) size() float64 { return float64(g.N) * math.Sqrt(setups[0].Phi) }

// slopeSD is the standard deviation of a least-squares slope over log n, Σ xᵢyᵢ/Σ xᵢ² with xᵢ = log n minus its mean,
// for independent logarithms yᵢ with these ones. The rest besides the next term is smaller by 1/η, and scatters as
// that, n^(−α); a norm without a term to come scatters as 1/√n.
func slopeSD(sweep []grown, sd func(grown) float64) float64 {
	mean, square, variance := 0.0, 0.0, 0.0
	for _, g := range sweep {
		mean += math.Log(float64(g.N)) / float64(len(sweep))
	}
	for _, g := range sweep {
		x := math.Log(float64(g.N)) - mean
		square += x * x
		variance += math.Pow(x*sd(g), 2)
	}
	return math.Sqrt(variance) / square
}

// growthFigure shows what one and two terms leave where α asks for two.
func growthFigure(cells []network.Cell, all [][]grown) props.Figure {
	mine := network.Of(setups, network.LinearTeacher, cells, all)
	n := network.Map(mine[0], func(g grown) float64 { return float64(g.N) })
	f := theory.Features{Step: setups[0].Step()}
	f.Activation = series(toCome[above].degree).Closed
	growth := f.Growth(1, toCome[above].alpha)
	fewer := network.Cloud("one term", n, mine, func(g grown) float64 { return g.ToCome[above] })
	both := network.Cloud("two terms, times 100", n, mine, func(g grown) float64 { return 100 * g.None })
	return props.Figure{
		ID:    "growth",
		Title: "One term less leaves a remainder that grows",
		Caption: fmt.Sprintf("What is left of the features over √n, against n, on logarithmic axes, for the "+
			"displayed weights and σ = 0.8z + 0.5(z²−1): medians with the middle half. With one term it grows with the "+
			"predicted exponent %.2f at α = %.2f, with two it falls with %.2f at α = %v; logarithms are divided out.",
			growth, toCome[above].alpha, none.alpha-0.5, none.alpha),
		X: props.Axis{Label: "samples n", Log: true}, Y: props.Axis{Label: "‖F − F_ℓ‖ / √n", Log: true},
		Curves: []props.Curve{fewer, network.Through(fmt.Sprintf("n^%.2f", growth), fewer, growth),
			both, network.Through("n^−0.20", both, none.alpha-0.5)},
	}
}
