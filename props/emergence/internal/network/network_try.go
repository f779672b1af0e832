package network

import (
	"errors"
	"math/big"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	values "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// simulate builds the network for a random set P of counts and bits of equal mean, feeds it every count, and measures
// its sizes and its largest distance from a label.
func simulate(t *props.Trial, v values.Values) (map[string]float64, error) {
	k := v.Int("k")
	if k > 100 {
		return nil, errors.New("a simulation runs the network in rational arithmetic, with k at most 100")
	}
	in := law{K: k, Dim: k, Support: props.Indices(k), means: make([]*big.Rat, k)}
	mean := new(big.Rat).SetFloat64(v.Float("mean"))
	for j := range in.means {
		in.means[j] = new(big.Rat).Quo(mean, big.NewRat(int64(k), 1))
	}
	for range k + 1 {
		in.Accept = append(in.Accept, t.Rand.IntN(2) == 1)
	}
	hats := theory.Hats{K: k, Mean: mean, Accept: in.Accept}
	net := exact(hats.Neurons(), hats.Slope(), in.Support, k)
	sizes, slope := sizesOf(net), new(big.Rat)
	previous, worst := new(big.Rat), new(big.Rat)
	for count := range k + 1 {
		z := net.PreActivations(in.centre(in.bitsWith(t.Rand, count)))
		for _, zi := range z {
			sizes.PreActivation = larger(sizes.PreActivation, zi)
		}
		label := big.NewRat(labels(in.Accept)[count], 1)
		worst = larger(worst, label.Sub(label, net.ReadOut(z)))
		slope.Sub(z[0], previous)
		previous = z[0]
	}
	return map[string]float64{"neurons": float64(len(net.A)), "slope": rational.Float(slope),
		"largest-a": rational.Float(sizes.Out), "smallest-b": rational.Float(sizes.LeastBias),
		"largest-b": rational.Float(sizes.MostBias), "largest-z": rational.Float(sizes.PreActivation),
		"error": rational.Float(worst)}, nil
}
