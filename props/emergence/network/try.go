package network

import (
	"fmt"
	"math/big"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/rational"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/theory"
)

// simulation builds the network for a random dictionary and a random label, and measures it on one input of every count.
var simulation = &props.Simulation{
	Params: []theory.Param{
		{Name: "spare", Symbol: "D − k", Meaning: "number of irrelevant hidden coordinates", Domain: spares(), Default: "3"},
	},
	Run: simulate,
}

func spares() *theory.Domain {
	d := theory.Between(0, 100)
	d.Integer = true
	return d
}

func simulate(t *props.Trial, v theory.Values) (map[string]float64, error) {
	k, mean := v.Int("k"), new(big.Rat).SetFloat64(v.Float("mean"))
	if k > 100 {
		return nil, fmt.Errorf("k=%d cannot be simulated: the dictionary has at least k columns, and k is at most 100 here", k)
	}
	in := law{K: k, Dim: k + v.Int("spare"), Accept: make([]bool, k+1)}
	in.Support = rational.Subset(t.Rand, in.Dim, k)
	for count := range in.Accept {
		in.Accept[count] = t.Rand.IntN(2) == 0
	}
	for range in.Dim {
		in.means = append(in.means, big.NewRat(1, 2))
	}
	for _, j := range in.Support {
		in.means[j] = new(big.Rat).Quo(mean, big.NewRat(int64(k), 1))
	}
	if err := in.hats("").Valid(); err != nil {
		return nil, err
	}
	for count := range k + 1 {
		in.bits = append(in.bits, in.bitsWith(t.Rand, count))
	}
	b := in.built(gen.Orthonormal(t.Rand, in.Dim, in.Dim))
	net := truncated.Net{W: mat.NewDense(len(b.A), in.Dim, nil), A: b.A, B: b.B}
	for i := range b.A {
		net.W.SetRow(i, b.W)
	}
	sizes := b.sizes(net)
	first, last := net.PreActivations(nil, b.X.RawRowView(0))[0], net.PreActivations(nil, b.X.RawRowView(k))[0]
	return map[string]float64{
		"neurons": float64(len(b.A)), "slope": (last - first) / float64(k),
		"largest-a": rational.Float(sizes.Out), "smallest-b": rational.Float(sizes.LeastBias),
		"largest-b": rational.Float(sizes.MostBias), "largest-z": rational.Float(sizes.PreActivation),
	}, nil
}
