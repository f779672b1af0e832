package spike

import (
	"math"

	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// The criteria of the sweep over sizes.
const (
	exponent = "exponent of n in ‖R‖_op, logarithms divided out"
	rate     = "exponent of n in ‖R‖_op/log n, at most −1/2"
	energy   = "‖R‖_F² over its limit"
	outlier  = "largest singular value of W₁ over its place"
	below    = "largest singular value of W₁ below the threshold, over the edge"
	overlap  = "squared overlap of its right vector with β, minus prediction"
)

// limits holds the claims about large networks: which remainder is taken for R, ‖R‖_F², the place over the edge of a
// spike below the threshold, and the squared overlap of one above.
type limits struct {
	remainder    string
	square       func(theory.Step) float64
	below, right func(theory.WeightSpike) float64
}

// everywhere changes what every network shows.
func everywhere(change func(s network.Setup, f *first)) func(network.Cell, *networks) {
	return func(c network.Cell, all *networks) {
		changed := func(f first) first {
			change(network.By(setups, c.Setup), &f)
			return f
		}
		all.Sizes, all.Small = network.Map(all.Sizes, changed), network.Map(all.Small, changed)
	}
}

// toEdge is the place of a spike below the threshold, over the edge.
func toEdge(theory.WeightSpike) float64 { return 1 }

// concludeSizes holds the exponent of all setups together, since the norm of one remainder scatters by 5 %, and limits
// for each kind of teacher.
func concludeSizes(r *props.Record, cells []network.Cell, all []networks, claim limits) {
	slopes := slopesOf(all, func(f first) (float64, bool) {
		norm, seen := f.Norms[claim.remainder]
		return norm, seen
	})
	for i := range slopes {
		slopes[i] += theory.RemainderExponent
	}
	// Up to a size of 250 the quotient with the norm of a Gaussian matrix drifts by n^0.01.
	small, last := all[0].Sizes[0], all[0].largest()
	scale := 250 / (float64(last.N) * math.Sqrt(network.By(setups, cells[0].Setup).Phi))
	lever := math.Log(float64(last.N) / float64(small.N))
	props.Limit{Name: exponent, SD: 0.055 * math.Sqrt(scale) / lever, Bias: 0.01 * scale}.
		Exponent(r, slopes, theory.RemainderExponent)
	concludeRate(r, all, lever)
	for _, regime := range network.Teachers {
		r.Regime(regime)
		concludeLimits(r, regime, cells, all, claim)
	}
	r.Draw(func() props.Figure { return remainderFigure(cells, all) },
		func() props.Figure { return weightsFigure(cells, all) })
}

// concludeRate compares the norm itself with log n/√n from above, since a norm that is divided by the norm of a
// Gaussian matrix of its own covariances says nothing of theirs. max|a| √tr Σ has √log n, and √‖Σ‖ what the largest
// label has, log n where the teacher is quadratic. From below √(‖R‖_F²/min(d, N)) bounds it, whose limit is judged next
// to it.
func concludeRate(r *props.Record, all []networks, lever float64) {
	slopes := slopesOf(all, func(f first) (float64, bool) {
		norm, seen := f.Norms[itself]
		return norm / math.Log(float64(f.N)), seen
	})
	iv := stat.Median(slopes, stat.CriterionAlpha)
	r.EstimateAtMost(rate, iv, theory.RemainderExponent,
		stat.MedianMargin(stat.NormalTail, 0.22/lever, len(slopes), stat.CriterionAlpha, stat.CriterionUndecided))
}

// slopesOf are the exponents of n in what networks show at all sizes.
func slopesOf(all []networks, of func(first) (value float64, seen bool)) []float64 {
	var slopes []float64
	for _, m := range all {
		sizes := m.Sizes
		if _, seen := of(sizes[0]); seen {
			n := network.Map(sizes, func(f first) float64 { return float64(f.N) })
			slopes = append(slopes, network.Slope(n, network.Map(sizes, func(f first) float64 {
				value, _ := of(f)
				return value
			})))
		}
	}
	return slopes
}

// concludeLimits compares what two sizes are extrapolated to. One cell scatters as 1/√(nd). The error of the
// extrapolation falls as one over the product of the two sizes.
func concludeLimits(r *props.Record, regime string, cells []network.Cell, all []networks, claim limits) {
	const standard = 200
	scale := standard / (float64(all[0].largest().N) * math.Sqrt(network.By(setups, cells[0].Setup).Phi))
	limit := func(name string, sd float64) props.Limit {
		l := network.TwoSizes(name, sd/standard, scale)
		l.Bias *= all[0].ratio() / 4
		return l
	}
	var energies, places, edges, overlaps []float64
	for i, c := range cells {
		s, m := network.By(setups, c.Setup), all[i]
		if s.Regime != regime {
			continue
		}
		energies = append(energies, m.extrapolated(func(f first) float64 {
			return f.Frobenius / f.Moments.expected(s.Step(), claim.square)
		}))
		places = append(places, m.extrapolated(func(f first) float64 { return f.Largest / (f.Scale * f.Spike.Largest()) }))
		if m.largest().Below > 0 {
			under := claim.below(theory.WeightSpike{Strength: weak * math.Pow(s.Psi, -0.25), Psi: s.Psi})
			edges = append(edges, m.extrapolated(func(f first) float64 { return f.Below / under }))
		}
		overlaps = append(overlaps, m.extrapolated(func(f first) float64 {
			return f.Overlap - claim.right(f.Spike)*f.Aligned
		}))
	}
	limit(energy, 8.6).Judge(r, energies, 1)
	limit(outlier, 7).Judge(r, places, 1)
	limit(below, 4).Judge(r, edges, 1)
	scatter := 5.3
	if regime == network.MeanTeacher { // the labels of one of these have a square, and its samples are few
		scatter = 7.3
	}
	limit(overlap, scatter).Absolute(r, overlaps, 0)
}

// withoutCondition is the place of an outlier over the edge, as if there were one below the threshold too.
func withoutCondition(w theory.WeightSpike) float64 {
	t := w.Strength * w.Strength
	return math.Sqrt((1+t)*(1/w.Psi+t)/t) / w.Edge()
}
