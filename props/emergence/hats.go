package emergence

import (
	"fmt"
	"math/big"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// attained is what the networks for one k come to over many mean counts.
type attained struct {
	sizes     theory.Extremes // the largest and smallest over all means
	right     bool            // every output is the label
	predicted bool            // every network has the sizes of the closed form
}

// networkBounds measures how much of each printed bound the network needs, for every k up to 25 and mean counts next to
// either end of [0, k], where hats are farthest out. Which hats shift depends on the mean modulo 1/2.
func networkBounds(v networkTrial) props.LegacyCheck {
	share := ""
	if v == (networkTrial{tightenOut: v.tightenOut, tightenBias: v.tightenBias}) {
		share = "sizes of the hats"
	}
	return props.LegacySweep[int, attained]{
		Name:    "the bounds for every k",
		Share:   share,
		Cells:   func(props.Effort) []int { return props.Indices(25) },
		Measure: func(t *props.Trial, cell int) attained { return attain(t, v, cell+1) },
		Judge:   func(_ []int, found []attained) props.Judgement { return judgeBounds(v, found) },

		Replicates: 1, // only the labels are random, and the bounds do not depend on them
	}.Check()
}

// attain evaluates the networks for one k, with random labels, on the single input S − E S: the support is one
// coordinate that holds the whole count.
func attain(t *props.Trial, v networkTrial, k int) attained {
	all := attained{right: true, predicted: true}
	accept := make([]bool, k+1)
	for count := range accept {
		accept[count] = t.Rand.IntN(2) == 1
	}
	for i, mean := range meansNearTheEnds(k) {
		hats := v.hats(k, mean, accept)
		net := v.exact(hats, []int{0}, 1)
		sizes := sizesOf(net)
		for _, count := range []int{0, i % (k + 1), k} { // both ends, where |z| is largest, and one between
			z := net.PreActivations([]*big.Rat{new(big.Rat).Sub(big.NewRat(int64(count), 1), mean)})
			for _, zi := range z {
				sizes.PreActivation = larger(sizes.PreActivation, zi)
			}
			y := counting{accept: accept}.label(count)
			all.right = all.right && net.ReadOut(z).Cmp(big.NewRat(int64(y), 1)) == 0
		}
		e := hats.Extremes()
		all.predicted = all.predicted && within(sizes, e) && within(e, sizes)
		all.sizes = extend(all.sizes, sizes)
	}
	return all
}

// meansNearTheEnds returns the multiples of 1/16 up to 1/2, with a neighbour on either side, and the same from k down.
// Hats begin and cease to shift at odd multiples of 1/8.
func meansNearTheEnds(k int) []*big.Rat {
	var means []*big.Rat
	for sixteenth := int64(0); sixteenth <= 8; sixteenth++ {
		for side := int64(-1); side <= 1; side++ {
			low := big.NewRat(sixteenth<<20+side, 16<<20)
			if low.Sign() >= 0 {
				means = append(means, low, new(big.Rat).Sub(big.NewRat(int64(k), 1), low))
			}
		}
	}
	return means
}

// extend returns the extremes of two networks together; those of no network are empty.
func extend(a, b theory.Extremes) theory.Extremes {
	if a.Out == nil {
		return b
	}
	least := a.LeastBias
	if b.LeastBias.Cmp(least) < 0 {
		least = b.LeastBias
	}
	return theory.Extremes{Out: larger(a.Out, b.Out), LeastBias: least, MostBias: larger(a.MostBias, b.MostBias),
		PreActivation: larger(a.PreActivation, b.PreActivation)}
}

func judgeBounds(v networkTrial, found []attained) props.Judgement {
	bounds, right, predicted := true, true, true
	share := [4][]float64{} // of each bound
	var ks []float64
	for i, a := range found {
		limit := theory.Bounds(i + 1)
		bounds = bounds && within(a.sizes, v.bounds(i+1))
		right, predicted = right && a.right, predicted && a.predicted
		ks = append(ks, float64(i+1))
		for n, pair := range [4][2]*big.Rat{{a.sizes.Out, limit.Out}, {limit.LeastBias, a.sizes.LeastBias},
			{a.sizes.MostBias, limit.MostBias}, {a.sizes.PreActivation, limit.PreActivation}} {
			share[n] = append(share[n], float(pair[0])/float(pair[1]))
		}
	}
	last, k := found[len(found)-1].sizes, float64(len(found))
	return props.Judgement{
		Parts: []props.Part{
			{Name: "the bounds hold", Ratio: props.Truth(bounds)},
			{Name: "the network is the label", Ratio: props.Truth(right)},
			{Name: "the sizes are those of the closed form", Ratio: props.Truth(predicted)},
		},
		Facts: []props.Fact{
			props.Noted(fmt.Sprintf("largest |a| at k = %g", k), float(last.Out), 32*k),
			props.Noted(fmt.Sprintf("smallest |b| at k = %g", k), float(last.LeastBias), 1/(32*k)),
		},
		Figures: []props.Figure{{
			ID:    "bounds",
			Title: "How much of each bound is used",
			Caption: fmt.Sprintf("For k = 1, …, %d, over mean counts in steps of 1/16 near 0 and near k: the largest output weight and the smallest bias use their bounds in "+
				"full; the largest bias falls from 3/4 of its bound towards 1/2, and the largest pre-activation from 7/16 towards 1/4.", len(found)),
			X: props.Axis{Label: "k"}, Y: props.Axis{Label: "share of the printed bound"},
			Curves: []props.Curve{
				{Name: "|a| / 32k", Style: props.Points, X: ks, Y: share[0]},
				{Name: "1/(32k) / |b|", Style: props.Line, X: ks, Y: share[1]},
				{Name: "|b| / (1/2)", Style: props.Points, X: ks, Y: share[2]},
				{Name: "|z| / 1", Style: props.Points, X: ks, Y: share[3]},
			},
		}},
	}
}

// profile is the network for the parity of five with E S = 5/2, as a function of a real count.
type profile struct {
	counts, outputs []float64 // S in steps of 1/16
	knots           []float64 // counts at which a neuron begins
	atCounts        []*big.Rat
}

// networkProfile evaluates one network between the counts as well.
func networkProfile(v networkTrial) props.LegacyCheck {
	return props.LegacySweep[string, profile]{
		Name:       "the parity of five",
		Replicates: 1, // nothing is random
		Cells:      func(props.Effort) []string { return []string{"k = 5, E S = 5/2"} },
		Measure: func(*props.Trial, string) profile {
			const k = 5
			mean := big.NewRat(k, 2)
			hats := v.hats(k, mean, data.Parity(k))
			net := v.exact(hats, []int{0}, 1)
			var p profile
			for i := int64(-8); i <= 16*k+8; i++ {
				s := big.NewRat(i, 16)
				g := net.Output([]*big.Rat{new(big.Rat).Sub(s, mean)})
				p.counts, p.outputs = append(p.counts, float(s)), append(p.outputs, float(g))
				if s.IsInt() && i >= 0 && i <= 16*k {
					p.atCounts = append(p.atCounts, g)
				}
			}
			for i, b := range net.B {
				s := new(big.Rat).Quo(b, net.V[i][0])
				p.knots = append(p.knots, float(s.Sub(mean, s)))
			}
			return p
		},
		Judge: func(_ []string, found []profile) props.Judgement { return judgeProfile(found[0]) },
	}.Check()
}

func judgeProfile(p profile) props.Judgement {
	right := true
	var counts, labels []float64
	for count, g := range p.atCounts {
		y := int64(2*(count%2) - 1)
		right = right && g.Cmp(big.NewRat(y, 1)) == 0
		counts, labels = append(counts, float64(count)), append(labels, float64(y))
	}
	return props.Judgement{
		Parts:          []props.Part{{Name: "g(S) = y(S) at S = 0, …, 5", Ratio: props.Truth(right)}},
		Counterexample: fmt.Sprintf("outputs at the counts 0, …, 5: %v", texts(p.atCounts)),
		Figures: []props.Figure{{
			ID:    "hats",
			Title: "The network of 18 neurons for the parity of five",
			Caption: "The network's output as the count S moves through the reals: one hat for each count, up or down, which passes through the label " +
				"at S = 0, …, 5 and vanishes at the other counts. Four hats peak at their count. Those of the counts 2 and 3 are shifted by a " +
				"quarter and twice as high, so that their biases stay away from zero. The points on the axis are the knots.",
			X: props.Axis{Label: "count S"}, Y: props.Axis{Label: "g"},
			Curves: []props.Curve{
				{Name: "network", Style: props.Line, X: p.counts, Y: p.outputs},
				{Name: "label", Style: props.Points, X: counts, Y: labels},
				{Name: "knots", Style: props.Points, X: p.knots, Y: make([]float64, len(p.knots))},
			},
		}},
	}
}

// float rounds a rational.
func float(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}
