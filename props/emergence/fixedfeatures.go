package emergence

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// fixedfeatures pairs the bounds on fixed features with sums over all inputs and all sets A, and with certified minima.
var fixedfeatures = props.Spec{
	Statement: &theory.FixedFeatures,
	Checks: []props.Check{
		props.Drawn[features, besselClaim]{
			Name:       "the features of all sets A",
			Cases:      props.Scale{Quick: 40, Standard: 150, Deep: 3000},
			Replicates: 2,
			Regimes:    append([]string{manySets}, featureKinds...),
			Draw:       func(t *props.T) features { return drawSizes(t, 9).made(t).squared() },
			Claim:      besselClaim{cap: theory.BesselCap, parity: 1},
			Judge:      judgeBessel,
			Controls: []props.Wrong[features, besselClaim]{
				{Name: "the feature is the label of A", Assumption: "fixed", Criterion: "Σ_A E_A[yΨ]²",
					Draw: func(t *props.T) features {
						in := drawSizes(t, 9).fair(1).made(t)
						return in.squaredOn(in.uniform, func(state, mask, _ int) float64 { return parityOf(state & mask) })
					}},
				{Name: "features up to 5", Assumption: "bounded", Criterion: "equality",
					Draw: func(t *props.T) features { return drawSizes(t, 9).parities(0).made(t).fivefold().squared() }},
				{Name: "1 for every p_o", Criterion: "Σ_A E_A[yΨ]²",
					Draw:    func(t *props.T) features { return drawSizes(t, 9).nearlyAttained().made(t).squared() },
					Instead: besselClaim{cap: func(int, float64) float64 { return 1 }}},
				{Name: "(4p_o(1−p_o))^(−k+1)", Criterion: "Σ_A E_A[yΨ]²", As: "1 for every p_o",
					Instead: besselClaim{cap: func(k int, p float64) float64 { return theory.BesselCap(k-1, p) }}},
				{Name: "half for a parity", Criterion: "equality",
					Draw:    func(t *props.T) features { return drawSizes(t, 9).parities(1).made(t).squared() },
					Instead: besselClaim{parity: 0.5}},
				{Name: "the first bit outside A is the label", Assumption: "independent-background",
					Criterion: "Σ_A E_A[yΨ]²", Draw: func(t *props.T) features {
						in := drawSizes(t, 9).fair(2)
						in.Kind = "coordinates"
						in = in.made(t)
						return in.squaredOn(in.told, in.feature)
					}},
			},
		},
		props.Drawn[smallest, smallestClaim]{
			Name:       "the smallest losses",
			Cases:      props.Scale{Quick: 12, Standard: 40, Deep: 500},
			Replicates: 2,
			Regimes:    featureKinds,
			Draw:       drawSmallest,
			Claim:      smallestClaim{bound: theory.Fixed.Bound},
			Judge:      judgeSmallest,
			Proven: map[string]string{"mean of the smallest losses": "the loss is that of a member of the class, with every " +
				"rounding"},
			Controls: []props.Wrong[smallest, smallestClaim]{
				{Name: "the label of A among the features", Assumption: "fixed", Criterion: "mean of the smallest losses",
					Draw: drawOnLabels},
				{Name: "features up to 5, in their losses", Assumption: "bounded", Criterion: "mean of the smallest losses",
					Draw: func(t *props.T) smallest {
						out := drawBall(t, drawSizes(t, 6).parities(0).made(t).fivefold(), false)
						return out.found(out.Radius, out.problem)
					}},
				{Name: "weights of norm 2B", Assumption: "norm", Criterion: "mean of the smallest losses",
					Draw: func(t *props.T) smallest {
						out := drawBall(t, drawSizes(t, 6).parities(0).made(t), false)
						return out.found(2*out.Radius, out.problem)
					}},
				{Name: "no prefactor λ", Criterion: "mean of the smallest losses", Draw: drawOnCoordinates,
					Instead: smallestClaim{bound: func(f theory.Fixed) float64 { f.Law.Uniform = 1; return f.Bound() }}},
				{Name: oneFeature, Criterion: "mean of the smallest losses",
					Draw: func(t *props.T) smallest {
						out := drawBall(t, drawSizes(t, 6).parities(1).made(t), false)
						return out.found(out.Radius, out.problem)
					},
					Instead: smallestClaim{bound: func(f theory.Fixed) float64 { f.Features = 1; return f.Bound() }}},
				{Name: "(4p_o(1−p_o))^(k−1) where the bound is nearly attained", Criterion: "mean of the smallest losses",
					Draw: func(t *props.T) smallest {
						out := drawBall(t, drawSizes(t, 6).nearlyAttained().made(t), true)
						return out.found(out.Radius, out.problem)
					},
					Instead: smallestClaim{bound: func(f theory.Fixed) float64 {
						p := f.Law.Background
						return f.Law.Uniform * (1 - f.Radius*f.Cap()*math.Sqrt(4*p*(1-p)))
					}}},
				{Name: "weights that are not minimal", Criterion: "certified", As: oneFeature,
					Alter: func(in *smallest) { in.Loss = 1 }}, // that of weights 0, where the smallest is 1 − B
				{Name: "losses 0.02 above the minimum", Criterion: "certified",
					Alter: func(in *smallest) { in.Loss += 0.02 }},
			},
		},
		props.Drawn[coordinate, coordinateClaim]{
			Name:    "one coordinate",
			Cases:   props.Scale{Quick: 60, Standard: 400, Deep: 5000},
			Regimes: []string{"fair background", "other background"},
			Draw:    drawCoordinate,
			Claim:   coordinateClaim{loss: twice, bound: theory.Fixed.Bound},
			Judge:   judgeCoordinate,
			Controls: []props.Wrong[coordinate, coordinateClaim]{
				{Name: "even k", Assumption: "odd", Criterion: "loss of zᵢ",
					Alter: func(in *coordinate) { in.Loss = coordinateLoss(in.Count+1, min(in.Uniform, 0.75)) }},
				{Name: "loss 1 − γ", Criterion: "loss of zᵢ", Instead: coordinateClaim{loss: once}},
				{Reading: "anygamma", Criterion: "loss and bound",
					Draw: props.Constant(coordinate{Dim: 112, Count: 7, Background: 0.5, Uniform: 0.2, N: 112,
						Loss: coordinateLoss(7, 0.2)}),
					Instead: coordinateClaim{bound: theory.Fixed.Printed}},
				{Reading: "smallbackground", Criterion: "loss and bound",
					Draw:    props.Constant(strayLoss(coordinate{Dim: 80, Count: 5, Background: 1e-5, Uniform: 1e-5, N: 1})),
					Instead: coordinateClaim{bound: theory.Fixed.Printed}},
			},
		},
		props.Drawn[anyLaw, anyLawClaim]{
			Name:       "one coordinate on any law of the family",
			Cases:      props.Scale{Quick: 30, Standard: 150, Deep: 3000},
			Replicates: 2,
			Regimes:    []string{"no background bits", "background"},
			Draw: func(t *props.T) anyLaw {
				r := t.Stream("law")
				return lossOn(r, balancedLaws{relevant: 1}.draw(t, r), oneOf)
			},
			Claim: anyLawClaim{share: 2},
			Judge: judgeAnyLaw,
			Controls: []props.Wrong[anyLaw, anyLawClaim]{
				{Name: "1 − γ on any law", Instead: anyLawClaim{share: 1}},
				{Name: "a coordinate outside A", Draw: func(t *props.T) anyLaw {
					r := t.Stream("law")
					return lossOn(r, balancedLaws{relevant: 1, background: 1}.draw(t, r),
						func(_ *rand.Rand, h data.Hidden) int { return firstOutside(h) })
				}},
				{Name: "accepted counts twice as likely", Draw: func(t *props.T) anyLaw {
					r := t.Stream("law")
					h := balancedLaws{relevant: 1, background: 1}.draw(t, r)
					unbalance(h)
					return lossOn(r, h, oneOf)
				}},
			},
		},
	},
	Along: &props.Along{
		Param: "B", From: 0.1, To: 3, Of: []string{"bound"}, At: map[string]string{"D": "6", "N": "10"},
		Y: "smallest loss, mean over A", Points: "N neurons", Places: 6, Reps: 4,
	},
	Try: &props.Simulation{Run: smallestLosses},
}.Claim()

// manySets is the regime with many sets A, of every kind of features.
const manySets = "50 sets A or more"

var featureKinds = []string{"coordinates", "random", "neurons", "parities", "along all A"}

// features holds the values of functions of D bits at every state, and the parameters of the laws, one for each A.
type features struct {
	Dim        int
	Count      int // k
	Background float64
	Kind       string

	psi     *mat.Dense // 2^D×N
	squares []float64  // Σ_A E_A[yΨ]² of each feature, with uniform bits on A
}

// besselClaim holds the claimed bound on Σ_A E_A[yΨ]², and its claimed value for a parity of fair bits.
type besselClaim struct {
	cap    func(k int, background float64) float64
	parity float64
}

// drawSizes draws a kind of features and the sizes of a law.
func drawSizes(t *props.T, maxDim int) features {
	kind := rapid.SampledFrom(featureKinds).Draw(t.T, "kind")
	k := 2*rapid.IntRange(0, 2).Draw(t.T, "(k−1)/2") + 1
	dim := min(maxDim, k+rapid.IntRange(0, 5).Draw(t.T, "D−k"))
	k = min(k, 2*((dim-1)/2)+1)
	background := rapid.SampledFrom([]float64{0.5, 0.3, 0.1, 0.02}).Draw(t.T, "p_o")
	if kind == "parities" && rapid.Bool().Draw(t.T, "fair") {
		background = 0.5
	}
	return features{Dim: dim, Count: k, Background: background, Kind: kind}
}

// fair makes all bits fair, with at least the given number outside A.
func (in features) fair(outside int) features {
	in.Background, in.Dim = 0.5, max(in.Dim, in.Count+outside)
	return in
}

// parities makes the features parities of fair bits.
func (in features) parities(outside int) features {
	in.Kind = "parities"
	return in.fair(outside)
}

// nearlyAttained returns sizes at which the vote of single bits is nearly in the span of the densities.
func (in features) nearlyAttained() features {
	return features{Dim: 6, Count: 1, Background: 0.1, Kind: "along all A"}
}

// made draws the features.
func (in features) made(t *props.T) features {
	in.psi = in.draw(t.Stream("features"))
	return in
}

// fivefold multiplies the features by 5.
func (in features) fivefold() features {
	in.psi.Scale(5, in.psi)
	return in
}

// sets lists all A as masks.
func (in features) sets() []int {
	var out []int
	for _, members := range combin.Combinations(in.Dim, in.Count) {
		mask := 0
		for _, j := range members {
			mask |= 1 << j
		}
		out = append(out, mask)
	}
	return out
}

// draw draws features of the kind: 2^D×N.
func (in features) draw(r *rand.Rand) *mat.Dense {
	states, sets := 1<<in.Dim, in.sets()
	var column []func(state int) float64
	switch in.Kind {
	case "coordinates":
		for j := range in.Dim {
			column = append(column, func(state int) float64 { return float64(2*(state>>j&1) - 1) })
		}
	case "random":
		for range 1 + r.IntN(6) {
			column = append(column, func(int) float64 { return 2*r.Float64() - 1 })
		}
	case "neurons":
		for range 4 {
			w, b := gen.Gaussian(r, 1, in.Dim, 0.5).RawRowView(0), 0.3*r.NormFloat64()
			column = append(column, func(state int) float64 {
				z := b
				for j, x := range w {
					z += x * float64(2*(state>>j&1)-1)
				}
				return min(1, max(0, z))
			})
		}
	case "parities":
		for _, mask := range sets {
			column = append(column, func(state int) float64 { return parityOf(state & mask) })
		}
	case "along all A": // the sign of the sum of all densities f_A
		column = append(column, func(state int) float64 {
			sum := 0.0
			for _, mask := range sets {
				sum += in.density(state, mask)
			}
			return math.Copysign(1, sum)
		})
	}
	out := mat.NewDense(states, len(column), nil)
	for s := range states {
		for i, f := range column {
			out.Set(s, i, f(s))
		}
	}
	return out
}

// parityOf returns the parity of the number of ones as a sign: −1 if it is even.
func parityOf(mask int) float64 { return float64(2*(bits.OnesCount(uint(mask))%2) - 1) }

// density returns y·dP_A/dν up to a factor: the product over A of 1/p_o at ones and −1/(1−p_o) at zeros.
func (in features) density(state, mask int) float64 {
	f := 1.0
	for j := range in.Dim {
		switch {
		case mask>>j&1 == 0:
		case state>>j&1 == 1:
			f /= in.Background
		default:
			f /= in.Background - 1
		}
	}
	return f
}

// law lists the probabilities of all states with A as given: a share λ of uniform bits on A.
func (in features) law(mask int, lambda float64) []float64 {
	out := make([]float64, 1<<in.Dim)
	for s := range out {
		p := math.Ldexp(lambda, -in.Count)
		if s&mask == 0 || s&mask == mask {
			p += (1 - lambda) / 2
		}
		for j := range in.Dim {
			switch {
			case mask>>j&1 == 1:
			case s>>j&1 == 1:
				p *= in.Background
			default:
				p *= 1 - in.Background
			}
		}
		out[s] = p
	}
	return out
}

// uniform returns the law with uniform bits on A.
func (in features) uniform(mask int) []float64 { return in.law(mask, 1) }

// told returns the law that makes the first bit outside A the label.
func (in features) told(mask int) []float64 {
	law, bit := in.uniform(mask), bits.TrailingZeros(^uint(mask))
	for s := range law {
		law[s] *= 1 + parityOf(s&mask)*float64(2*(s>>bit&1)-1)
	}
	return law
}

// feature returns the i-th feature of a state, which does not depend on A.
func (in features) feature(state, _, i int) float64 { return in.psi.At(state, i) }

func (in features) squared() features { return in.squaredOn(in.uniform, in.feature) }

// squaredOn sums the squares of E_A[yΨ] over all A, for a law and features that may depend on A.
func (in features) squaredOn(law func(mask int) []float64, feature func(state, mask, i int) float64) features {
	_, n := in.psi.Dims()
	in.squares = make([]float64, n)
	for _, mask := range in.sets() {
		means := make([]float64, n)
		for s, p := range law(mask) {
			y := parityOf(s & mask)
			for i := range means {
				means[i] += p * y * feature(s, mask, i)
			}
		}
		for i, v := range means {
			in.squares[i] += v * v
		}
	}
	return in
}

func judgeBessel(r *props.Record, in features, claim besselClaim) {
	r.Regime(in.Kind)
	if theory.Binomial(in.Dim, in.Count) >= 50 {
		r.Regime(manySets)
	}
	states, _ := in.psi.Dims()
	bound := claim.cap(in.Count, in.Background)
	each, count := float64(states+4*in.Dim+20)*r.Unit(), theory.Binomial(in.Dim, in.Count)
	for _, sum := range in.squares {
		rounding := 2*(math.Sqrt(count*sum)+count)*each + 4*float64(in.Count)*r.Unit()*bound
		r.AtMost("Σ_A E_A[yΨ]²", sum, bound, rounding)
		if in.Kind == "parities" && in.Background == 0.5 {
			r.Exactly("equality", sum, claim.parity) // powers of two throughout
		}
	}
}
