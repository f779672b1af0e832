package emergence

import (
	"math"
	"math/big"
	"math/bits"
	"slices"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/rational"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// coordinate is the loss of one coordinate, or of another single feature, on the mixture.
type coordinate struct {
	Dim, Count          int
	Background, Uniform float64
	N                   int
	Loss                float64

	done string
}

func drawCoordinate(t *props.T, done string) coordinate {
	k := 2*rapid.IntRange(0, 4).Draw(t.T, "(k−1)/2") + 1
	in := coordinate{Dim: k + rapid.IntRange(0, 200).Draw(t.T, "D−k"), Count: k, done: done,
		Background: rapid.SampledFrom([]float64{0.5, 0.3, 0.01}).Draw(t.T, "p_o"),
		Uniform:    float64(rapid.IntRange(0, 16).Draw(t.T, "16λ")) / 16}
	switch done {
	case "even":
		in.Count, in.Dim = k+1, in.Dim+1
		in.Uniform = min(in.Uniform, 0.75)
	case "large γ":
		in = coordinate{Dim: 112, Count: 7, Background: 0.5, Uniform: 0.2, done: done}
	case "stray":
		in = coordinate{Dim: 80, Count: 5, Background: 1e-5, Uniform: 1e-5, N: 1, done: done}
		in.Loss = in.strayLoss()
		return in
	}
	in.N = in.Dim
	for a, p := range data.Uniform(in.Count, in.Uniform) {
		in.Loss += p * max(0, 1-parityOf(a)*float64(2*(a&1)-1))
	}
	return in
}

// strayLoss is the loss of a feature of the total count: 1 for odd counts and −1 for even ones, but −1 at 1 and 1 at
// k + 1, so that one stray bit outside A does no harm where the bits on A are equal.
func (in coordinate) strayLoss() float64 {
	feature := func(total int) float64 {
		switch total {
		case 1:
			return -1
		case in.Count + 1:
			return 1
		}
		return float64(2*(total%2) - 1)
	}
	loss := 0.0
	for a, p := range data.Uniform(in.Count, in.Uniform) {
		stray := math.Pow(1-in.Background, float64(in.Dim-in.Count))
		for extra := range in.Dim - in.Count + 1 {
			loss += p * stray * (1 - parityOf(a)*feature(bits.OnesCount(uint(a))+extra))
			stray *= in.Background / (1 - in.Background) * float64(in.Dim-in.Count-extra) / float64(extra+1)
		}
	}
	return loss
}

func judgeCoordinate(r *props.Record, in coordinate, claimed string) {
	r.Regime("fair background")
	if in.Background != 0.5 {
		r.Regime("other background")
	}
	f := theory.Fixed{Law: theory.Mixture{Dim: in.Dim, Count: in.Count, Background: in.Background, Uniform: in.Uniform},
		Features: in.N, Radius: 1}
	bound := f.Bound()
	if in.Count%2 == 0 { // for which the law is not one of the claim
		bound = 0
		f.Law.Count--
	}
	if claimed == "printed" {
		bound = f.Printed()
	}
	want := 1 - 2*f.Law.Covariance()
	if claimed == "γ once" {
		want = 1 - f.Law.Covariance()
	}
	rounding := float64(int(1)<<in.Count+20) * 2 * r.Unit()
	if in.done == "stray" {
		r.AtLeast("loss and bound", in.Loss, bound, rounding*in.Background)
		return
	}
	r.WithinScale("loss of zᵢ", in.Loss, want, 1, rounding)
	if in.Count > 1 {
		r.AtLeast("loss and bound", in.Loss, bound, rounding*max(1, math.Abs(bound)))
	}
}

// anyLaw is the loss of one coordinate on a law of the family.
type anyLaw struct {
	Dim     int
	Support []int
	Accept  []bool
	Counts  []string
	Loss    string

	loss, gamma *big.Rat
}

func drawAnyLaw(t *props.T, done string) anyLaw {
	r := t.Stream("law")
	h := drawBalanced(t, r, done)
	at := h.Support[r.IntN(len(h.Support))]
	if done == "outside" {
		for at = 0; slices.Contains(h.Support, at); {
			at++
		}
	}
	var lost int64 // 1 − y z is 0 or 2
	for s, w := range h.Weight {
		if h.Label(s) != 2*(s>>at&1)-1 {
			lost += 2 * w
		}
	}
	plus, minus := conditional(h)
	in := anyLaw{Dim: h.Dim, Support: h.Support, Accept: h.Accept, Counts: rational.Texts(h.CountLaw()),
		loss: big.NewRat(lost, h.Total()), gamma: theory.Conditional{Plus: plus, Minus: minus}.Covariance()}
	in.Loss = in.loss.RatString()
	return in
}

func judgeAnyLaw(r *props.Record, in anyLaw, claimed string) {
	r.Regime("background")
	if in.Dim == len(in.Support) {
		r.Regime("no background bits")
	}
	share := int64(2)
	if claimed == "γ once" {
		share = 1
	}
	want := new(big.Rat).Mul(in.gamma, big.NewRat(share, 1))
	rational.Exactly(r, "loss on any law", []*big.Rat{in.loss}, []*big.Rat{want.Sub(big.NewRat(1, 1), want)})
}
