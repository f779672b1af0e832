package network

import (
	"fmt"
	"math"
	"math/big"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/theory"
)

// simulation builds a network in floating point for random labels, independent bits and a random dictionary, and
// evaluates it at one input of every count.
var simulation = &props.Simulation{
	Params: []theory.Param{{Name: "background", Symbol: "D−k", Default: "3", Domain: theory.IntegerBetween(1, 1000),
		Meaning: "number of hidden bits beside the relevant ones, fair"}},
	Run: simulate,
}

// mostBits is k + background in a simulation, whose dictionary is a factorisation of cubic cost.
const mostBits = 200

func simulate(t *props.Trial, v theory.Values) (map[string]float64, error) {
	k, dim := v.Int("k"), v.Int("k")+v.Int("background")
	if dim > mostBits {
		return nil, fmt.Errorf("k=%d and background=%d cannot be simulated: their sum is at most %d", k, dim-k, mostBits)
	}
	in := law{K: k, Dim: dim, Support: props.Indices(k), Accept: make([]bool, k+1), means: make([]*big.Rat, dim)}
	mean := new(big.Rat).SetFloat64(v.Float("mean"))
	for j := range in.means {
		in.means[j] = big.NewRat(1, 2)
		if j < k {
			in.means[j] = new(big.Rat).Quo(mean, big.NewRat(int64(k), 1))
		}
	}
	for count := range in.Accept {
		in.Accept[count] = t.Rand.IntN(2) == 1
		in.bits = append(in.bits, in.bitsWith(t.Rand, count))
	}
	return in.built(unitColumns(t.Rand, dim, dim, true)).measured(), nil
}

// measured are the sizes of a network over its inputs, and its largest error.
func (in built) measured() map[string]float64 {
	out := map[string]float64{"neurons": float64(len(in.A)), "largest-a": floats.Norm(in.A, math.Inf(1)),
		"smallest-b": math.Inf(1), "largest-b": floats.Norm(in.B, math.Inf(1))}
	before := 0.0
	for i, y := range in.Y {
		u, g := floats.Dot(in.W, in.X.RawRowView(i)), 0.0
		for j, b := range in.B {
			g += in.A[j] * min(1, max(u+b, 0))
			out["smallest-b"] = min(out["smallest-b"], math.Abs(b))
			out["largest-z"] = max(out["largest-z"], math.Abs(u+b))
		}
		out["slope"], before = u-before, u
		out["error"] = max(out["error"], math.Abs(g-y))
	}
	return out
}
