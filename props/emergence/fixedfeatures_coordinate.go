package emergence

import (
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// coordinate is the loss of one coordinate, or of another single feature, on the mixture.
type coordinate struct {
	Dim, Count          int
	Background, Uniform float64
	N                   int
	Loss                float64
}

// coordinateClaim holds the claimed loss of a coordinate with covariance γ, and the claimed bound on the loss of N
// features.
type coordinateClaim struct {
	loss  func(gamma float64) float64
	bound func(theory.Fixed) float64
}

func twice(gamma float64) float64 { return 1 - 2*gamma }

func once(gamma float64) float64 { return 1 - gamma }

func drawCoordinate(t *props.T) coordinate {
	k := 2*rapid.IntRange(0, 4).Draw(t.T, "(k−1)/2") + 1
	in := coordinate{Dim: k + rapid.IntRange(0, 200).Draw(t.T, "D−k"), Count: k,
		Background: rapid.SampledFrom([]float64{0.5, 0.3, 0.01}).Draw(t.T, "p_o"),
		Uniform:    float64(rapid.IntRange(0, 16).Draw(t.T, "16λ")) / 16}
	in.N, in.Loss = in.Dim, coordinateLoss(k, in.Uniform)
	return in
}

// coordinateLoss returns the hinge loss of the first of k bits as a feature.
func coordinateLoss(k int, uniform float64) float64 {
	loss := 0.0
	for a, p := range data.Uniform(k, uniform) {
		loss += p * max(0, 1-parityOf(a)*float64(2*(a&1)-1))
	}
	return loss
}

// strayLoss computes the loss of a feature of the total count: 1 at odd counts and −1 at even ones, except −1 at 1 and
// 1 at k + 1, so that one stray bit outside A does no harm if the bits on A are equal.
func strayLoss(in coordinate) coordinate {
	feature := func(total int) float64 {
		switch total {
		case 1:
			return -1
		case in.Count + 1:
			return 1
		}
		return float64(2*(total%2) - 1)
	}
	for a, p := range data.Uniform(in.Count, in.Uniform) {
		stray := math.Pow(1-in.Background, float64(in.Dim-in.Count))
		for extra := range in.Dim - in.Count + 1 {
			in.Loss += p * stray * (1 - parityOf(a)*feature(bits.OnesCount(uint(a))+extra))
			stray *= in.Background / (1 - in.Background) * float64(in.Dim-in.Count-extra) / float64(extra+1)
		}
	}
	return in
}

func judgeCoordinate(r *props.Record, in coordinate, claim coordinateClaim) {
	r.RegimeOf(in.Background != 0.5)
	f := theory.Fixed{Law: theory.Mixture{Dim: in.Dim, Count: in.Count, Background: in.Background, Uniform: in.Uniform},
		Features: in.N, Radius: 1}
	bound, rounding := claim.bound(f), float64(int(1)<<in.Count+20)*2*r.Unit()
	if in.N == in.Dim { // the features are all coordinates
		r.Exactly("loss of zᵢ", in.Loss, claim.loss(f.Law.Covariance())) // dyadic throughout
	}
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

// anyLawClaim claims the loss 1 − share·γ.
type anyLawClaim struct{ share int64 }

// oneOf picks a bit of A.
func oneOf(r *rand.Rand, h data.Hidden) int { return h.Support[r.IntN(len(h.Support))] }

// lossOn computes the loss of a bit as a feature.
func lossOn(r *rand.Rand, h data.Hidden, bit func(*rand.Rand, data.Hidden) int) anyLaw {
	at := bit(r, h)
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

func judgeAnyLaw(r *props.Record, in anyLaw, claim anyLawClaim) {
	r.RegimeOf(in.Dim != len(in.Support))
	want := new(big.Rat).Mul(in.gamma, big.NewRat(claim.share, 1))
	rational.Exactly(r, "loss on any law", []*big.Rat{in.loss}, []*big.Rat{want.Sub(big.NewRat(1, 1), want)})
}
