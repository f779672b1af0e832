package network

import (
	"fmt"
	"math/big"
	"sync"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/rational"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// drawn are one network as a function of the count, and how much of the bounds is used.
var drawn = sync.OnceValue(func() []props.Figure { return []props.Figure{profile(), usedShares()} })

// profile is the network for the parity of five with E S = 5/2, between the counts as well.
func profile() props.Figure {
	const k = 5
	mean := big.NewRat(k, 2)
	net := exact(theory.Hats{K: k, Mean: mean, Accept: data.Parity(k)}, []int{0}, 1, "")
	output := props.Curve{Name: "network", Style: props.Line}
	labels, knots := props.Curve{Name: "label", Style: props.Points}, props.Curve{Name: "knots", Style: props.Points}
	for i := int64(-8); i <= 16*k+8; i++ {
		s := big.NewRat(i, 16)
		output.X = append(output.X, rational.Float(s))
		output.Y = append(output.Y, rational.Float(net.Output([]*big.Rat{new(big.Rat).Sub(s, mean)})))
	}
	for count := range k + 1 {
		labels.X, labels.Y = append(labels.X, float64(count)), append(labels.Y, float64(2*(count%2)-1))
	}
	for i, b := range net.B {
		s := new(big.Rat).Quo(b, net.V[i][0])
		knots.X, knots.Y = append(knots.X, rational.Float(s.Sub(mean, s))), append(knots.Y, 0)
	}
	return props.Figure{
		ID: "hats", Title: "The network of 18 neurons for the parity of five",
		Caption: "The network's output as the count S moves through the reals: one hat for each count, up or down, " +
			"which passes through the label at S = 0, …, 5 and vanishes at the other counts. Four hats peak at " +
			"their count. Those of the counts 2 and 3 are shifted by a quarter and twice as high, so that their " +
			"biases stay away from zero. The points on the axis are the knots.",
		X: props.Axis{Label: "count S"}, Y: props.Axis{Label: "g"}, Curves: []props.Curve{output, labels, knots},
	}
}

// usedShares is the largest share of each bound that the construction uses over mean counts in steps of 1/16, with a
// neighbour on either side, near 0.
func usedShares() props.Figure {
	const most = 25
	names := []string{"|a| / 32k", "1/(32k) / |b|", "|b| / (1/2)", "|z| / 1"}
	curves := make([]props.Curve, len(names))
	for n, name := range names {
		curves[n] = props.Curve{Name: name, Style: props.Points}
	}
	for k := 1; k <= most; k++ {
		shares, b := make([]float64, len(names)), theory.Bounds(k)
		for i := range int64(26) {
			e := theory.Hats{K: k, Mean: big.NewRat(max(0, i/3<<20+i%3-1), 16<<20), Accept: make([]bool, k+1)}.Extremes()
			for n, pair := range [][2]*big.Rat{{e.Out, b.Out}, {b.LeastBias, e.LeastBias}, {e.MostBias, b.MostBias}, {e.PreActivation, b.PreActivation}} {
				shares[n] = max(shares[n], rational.Float(pair[0])/rational.Float(pair[1]))
			}
		}
		for n, share := range shares {
			curves[n].X, curves[n].Y = append(curves[n].X, float64(k)), append(curves[n].Y, share)
		}
	}
	return props.Figure{
		ID: "bounds", Title: "How much of each bound is used",
		Caption: fmt.Sprintf("For k = 1, …, %d, over mean counts in steps of 1/16 near 0: the largest output weight and the smallest bias use "+
			"their bounds in full; the largest bias falls from 3/4 of its bound towards 1/2, and the largest pre-activation from 7/16 "+
			"towards 1/4.", most),
		X: props.Axis{Label: "k"}, Y: props.Axis{Label: "share of the printed bound"}, Curves: curves,
	}
}
