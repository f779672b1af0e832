package spike

import (
	"math"
	"slices"

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

// limits are what is claimed of large networks: what is taken for R, ‖R‖_F², the place over the edge of a spike below
// the threshold, and the squared overlap of one above.
type limits struct {
	remainder    string
	square       func(theory.Step) float64
	below, right func(theory.WeightSpike) float64
}

// largest changes what the largest network shows.
func largest(change func(s network.Setup, f *first)) func(network.Cell, *[]first) {
	return func(c network.Cell, all *[]first) {
		*all = slices.Clone(*all)
		change(network.By(setups, c.Setup), &(*all)[len(*all)-1])
	}
}

// toEdge is the place of a spike below the threshold, over the edge.
func toEdge(theory.WeightSpike) float64 { return 1 }

// concludeSizes holds the exponent of all setups together, since the norm of one remainder scatters by 5 %, and
// limits at the largest size for each kind of teacher.
func concludeSizes(r *props.Record, cells []network.Cell, all [][]first, claim limits) {
	slopes := slopesOf(all, func(f first) (float64, bool) {
		norm, seen := f.Norms[claim.remainder]
		return norm, seen
	})
	for i := range slopes {
		slopes[i] += theory.RemainderExponent
	}
	// Up to a size of 250 the quotient with the norm of a Gaussian matrix drifts by n^0.01.
	small, last := all[0][0], all[0][len(all[0])-1]
	scale := 250 / (float64(last.N) * math.Sqrt(network.By(setups, cells[0].Setup).Phi))
	lever := math.Log(float64(last.N) / float64(small.N))
	props.Limit{Name: exponent, SD: 0.055 * math.Sqrt(scale) / lever, Bias: 0.01 * scale}.
		Exponent(r, slopes, theory.RemainderExponent)
	concludeRate(r, all, lever)
	for _, regime := range network.Teachers {
		r.Regime(regime)
		concludeLargest(r, regime, cells, all, claim)
	}
	r.Draw(func() props.Figure { return remainderFigure(cells, all) },
		func() props.Figure { return weightsFigure(cells, all) })
}

// concludeRate compares the norm itself with log n/√n from above, since one that is divided by that of a Gaussian
// matrix of its own covariances says nothing of theirs. max|a| √tr Σ has √log n, and √‖Σ‖ what the largest label has,
// log n where the teacher is quadratic. From below √(‖R‖_F²/min(d, N)) bounds it, whose limit is judged beside it.
func concludeRate(r *props.Record, all [][]first, lever float64) {
	slopes := slopesOf(all, func(f first) (float64, bool) {
		norm, seen := f.Norms[itself]
		return norm / math.Log(float64(f.N)), seen
	})
	iv := stat.Median(slopes, stat.CriterionAlpha)
	r.EstimateAtMost(rate, iv, theory.RemainderExponent,
		stat.MedianMargin(stat.NormalTail, 0.22/lever, len(slopes), stat.CriterionAlpha, stat.CriterionUndecided))
}

// slopesOf are the exponents of n in what networks show at all sizes.
func slopesOf(all [][]first, of func(first) (value float64, seen bool)) []float64 {
	var slopes []float64
	for _, sizes := range all {
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

func concludeLargest(r *props.Record, regime string, cells []network.Cell, all [][]first, claim limits) {
	var energies, places, edges, overlaps []float64
	size := 0.0
	for i, c := range cells {
		s, f := network.By(setups, c.Setup), all[i][len(all[i])-1]
		if s.Regime != regime {
			continue
		}
		size = float64(f.N) * math.Sqrt(s.Phi)
		energies = append(energies, f.Frobenius/f.Moments.expected(s.Step(), claim.square))
		places = append(places, f.Largest/(f.Scale*f.Spike.Largest()))
		if f.Below > 0 {
			under := theory.WeightSpike{Strength: weak * math.Pow(s.Psi, -0.25), Psi: s.Psi}
			edges = append(edges, f.Below/claim.below(under))
		}
		overlaps = append(overlaps, f.Overlap-claim.right(f.Spike)*f.Aligned)
	}
	props.Limit{Name: energy, SD: 6.4 / size, Bias: 0.7 / size}.Judge(r, energies, 1)
	props.Limit{Name: outlier, SD: 5 / size, Bias: 1.5 / size}.Judge(r, places, 1)
	props.Limit{Name: below, SD: 3 / size, Bias: 1 / size}.Judge(r, edges, 1)
	scatter := 4.0
	if regime == network.MeanTeacher { // the labels of one of these have a square, and its samples are few
		scatter = 5.7
	}
	props.Limit{Name: overlap, SD: scatter / size, Bias: 2.5 / size}.Absolute(r, overlaps, 0)
}

// withoutCondition is the place of an outlier over the edge, as if there were one below the threshold too.
func withoutCondition(w theory.WeightSpike) float64 {
	t := w.Strength * w.Strength
	return math.Sqrt((1+t)*(1/w.Psi+t)/t) / w.Edge()
}
