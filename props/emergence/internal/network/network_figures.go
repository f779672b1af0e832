package network

import (
	"math/big"
	"sync"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// drawn is the figure; every instance asks for it.
var drawn = sync.OnceValue(profile)

// profile is the network for the parity of five with E S = 5/2, between the counts as well.
func profile() props.Figure {
	const k = 5
	mean := big.NewRat(k, 2)
	hats := theory.Hats{K: k, Mean: mean, Accept: data.Parity(k)}
	net := exact(hats.Neurons(), hats.Slope(), []int{0}, 1)
	output := props.Curve{Name: "network", Style: props.Line}
	labels, knots := props.Curve{Name: "label", Style: props.Points}, props.Curve{Name: "knots", Style: props.Points}
	for i := int64(-8); i <= 16*k+8; i++ {
		s := big.NewRat(i, 16)
		output.Add(rational.Float(s), rational.Float(net.Output([]*big.Rat{new(big.Rat).Sub(s, mean)})))
	}
	for count := range k + 1 {
		labels.Add(float64(count), float64(2*(count%2)-1))
	}
	for i, b := range net.B {
		s := new(big.Rat).Quo(b, net.V[i][0])
		knots.Add(rational.Float(s.Sub(mean, s)), 0)
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
