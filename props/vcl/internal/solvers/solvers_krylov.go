package solvers

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// layer is a layer to be solved in Krylov spaces, by the condition of WWᵀ.
type layer struct{ Kappa, Index int }

// regime names the condition.
func (l layer) regime() string { return fmt.Sprintf("κ(WWᵀ) = %d", l.Kappa) }

var kappas = []int{2, 6, 20, 60}

// solved is one layer solved in spaces of 1, 2, … blocks.
type solved struct {
	W, Target mat.Dense
	Next      []mat.Dense // by the number of blocks
	Shortest  float64     // the least squared distance
}

// growingSpaces is the rotation in growing Krylov spaces: exact Gram matrix, and a distance that falls to the least
// one.
var growingSpaces = props.Grid[layer, solved, excess]{
	Name: "rotations in growing Krylov spaces",
	Cells: func(e props.Effort) (cells []layer) {
		for i := range (props.Scale{Quick: 2, Standard: 5, Deep: 50}).At(e) {
			for _, kappa := range kappas {
				cells = append(cells, layer{kappa, i})
			}
		}
		return cells
	},
	Regimes: []string{layer{Kappa: 2}.regime(), layer{Kappa: 6}.regime(), layer{Kappa: 20}.regime(),
		layer{Kappa: 60}.regime()},
	Measure: measureSpaces,
	Claim:   theory.Gap,
	Judge: func(r *props.Record, l layer, s solved, gap excess) {
		r.Regime(l.regime())
		m, n := s.W.Dims()
		rounding, before := float64(64*(m+n))*roundoff.Unit*math.Pow(mat.Norm(&s.W, 2), 2), math.Inf(1)
		for j := range s.Next {
			next := &s.Next[j]
			layers.JudgeGram(r, next, &s.Target)
			squared := layers.SquaredDistance(next, &s.W)
			r.AtLeast("no less than the least distance", squared, s.Shortest, rounding)
			r.Within("excess by the nuclear norm", squared-s.Shortest, gap(next, &s.W), rounding)
			if j > 0 {
				r.AtMost("no more than with a block less", squared, before, rounding)
			}
			before = squared
		}
		r.Within("least distance when exhausted", before, s.Shortest, rounding)
	},
	Conclude: func(r *props.Record, cells []layer, all []solved, _ excess) { r.Figure(figure(cells, all)) },
	Controls: []props.WrongCell[layer, solved, excess]{
		{Name: "half of the Krylov space for all of it", Assumption: "whole-space",
			Criterion: "least distance when exhausted",
			Alter:     func(_ layer, s *solved) { s.Next = s.Next[:6] }},
		{Name: "steps that are a millionth too long", Criterion: "Gram matrix",
			Alter: func(_ layer, s *solved) {
				s.each(func(next *mat.Dense) { next.Scale(1+1e-6, next) })
			}},
		{Name: "steps that are a hundredth too short", Criterion: "no less than the least distance",
			Alter: func(_ layer, s *solved) {
				s.each(func(next *mat.Dense) { // on the way from W to the new weights
					next.Sub(next, &s.W)
					next.Scale(0.99, next)
					next.Add(next, &s.W)
				})
			}},
		{Name: "half of the excess", Criterion: "excess by the nuclear norm",
			Claim: func(gap *excess) { *gap = func(next, w *mat.Dense) float64 { return theory.Gap(next, w) / 2 } }},
		{Name: "spaces in the wrong order", Criterion: "no more than with a block less",
			Alter: func(_ layer, s *solved) {
				s.each(func(*mat.Dense) {})
				slices.Reverse(s.Next)
			}},
	},
}

// excess is what the statement claims of the squared distance of new weights, beyond the least one.
type excess func(next, w *mat.Dense) float64

// each changes copies of the new weights.
func (s *solved) each(change func(next *mat.Dense)) {
	list := make([]mat.Dense, len(s.Next))
	for i := range list {
		list[i].CloneFrom(&s.Next[i])
		change(&list[i])
	}
	s.Next = list
}

// measureSpaces solves one 24×32 layer, with singular values spread evenly on a logarithmic scale, for a batch of one.
// Twelve blocks exhaust the space.
func measureSpaces(t *props.Trial, l layer) solved {
	const m, n = 24, 32
	p := layers.Batch(t.Rand, layers.Conditioned(t.Rand, m, n, math.Sqrt(float64(l.Kappa))), 1, 0.3, 0.1)
	s := solved{W: *p.W, Target: *routes.SGDGram.Gram(p),
		Shortest: layers.SquaredDistance(layers.Next(routes.Full{}, p), p.W)}
	for j := range m / 2 {
		s.Next = append(s.Next, *layers.Next(routes.Krylov{Blocks: j + 1}, p))
	}
	return s
}

// figure shows the measured excess and the rate of conjugate gradients from its first value, for one layer of each
// condition.
func figure(cells []layer, all []solved) props.Figure {
	var curves []props.Curve
	for i, s := range all[:len(kappas)] {
		root := math.Sqrt((1 + float64(cells[i].Kappa)) / 2) // √κ̂ with κ̂ = (λmax + λmin)/(2λmin)
		rate := math.Pow((root-1)/(root+1), 2)
		measured := props.Curve{Name: fmt.Sprintf("condition %d", cells[i].Kappa), Style: props.Points}
		predicted := props.Curve{Name: fmt.Sprintf("rate for %d", cells[i].Kappa), Style: props.Dashed}
		for j := range s.Next {
			excess := layers.SquaredDistance(&s.Next[j], &s.W)/s.Shortest - 1
			measured.X, measured.Y = append(measured.X, float64(j+1)), append(measured.Y, max(excess, 1e-16))
			predicted.X, predicted.Y = measured.X, append(predicted.Y,
				max(measured.Y[0]*math.Pow(rate, float64(j)), 1e-16))
		}
		curves = append(curves, measured, predicted)
	}
	return props.Figure{
		ID:    "krylov",
		Title: "Excess distance in growing Krylov spaces",
		Caption: "Excess of the squared distance over its minimum against the number of blocks, for 24×32 layers of " +
			"four conditions and one sample, on a logarithmic axis cut off at 10⁻¹⁶: it falls at the rate of " +
			"conjugate gradients (dashed), while the Gram matrix is exact throughout.",
		X: props.Axis{Label: "blocks"}, Y: props.Axis{Label: "relative excess of ‖W₊ − W‖²", Log: true}, Curves: curves,
	}
}
