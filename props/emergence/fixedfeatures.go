package emergence

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// fixedfeatures pairs the bounds on fixed features with sums over all inputs and all sets A, and with certified minima.
var fixedfeatures = props.Spec{
	Statement: &theory.FixedFeatures,
	Checks: []props.Check{
		props.Instances[features]{
			Name:       "the features of all sets A",
			Cases:      props.Scale{Quick: 40, Standard: 150, Deep: 3000},
			Replicates: 2,
			Regimes:    append([]string{manySets}, featureKinds...),
			Draw:       func(t *props.T, done string) features { return drawFeatures(t, done, 9) },
			Judge:      judgeBessel,
			Controls: []props.Control{
				{Name: "the feature is the label of A", Assumption: "fixed", Criterion: "Σ_A E_A[yΨ]²", Done: "label"},
				{Name: "features up to 5", Assumption: "bounded", Criterion: "equality", Done: "five times"},
				{Name: "1 for every p_o", Criterion: "Σ_A E_A[yΨ]²", Done: "nearly attained", Claimed: "fair"},
				{Name: "(4p_o(1−p_o))^(−k+1)", Criterion: "Σ_A E_A[yΨ]²", Done: "nearly attained",
					Claimed: "one less"},
				{Name: "half for a parity", Criterion: "equality", Done: "fair parities", Claimed: "half"},
				{Name: "the first bit outside A is the label", Assumption: "independent-background",
					Criterion: "Σ_A E_A[yΨ]²", Done: "told"},
			},
		},
		props.Instances[smallest]{
			Name:       "the smallest losses",
			Cases:      props.Scale{Quick: 12, Standard: 40, Deep: 500},
			Replicates: 2,
			Regimes:    featureKinds,
			Draw:       drawSmallest,
			Judge:      judgeSmallest,
			Proven: map[string]string{"mean of the smallest losses": "the loss is that of a member of the class, with every " +
				"rounding"},
			Controls: []props.Control{
				{Name: "the label of A among the features", Assumption: "fixed",
					Criterion: "mean of the smallest losses",
					Done:      "label"},
				{Name: "features up to 5, in their losses", Assumption: "bounded",
					Criterion: "mean of the smallest losses",
					Done:      "five times"},
				{Name: "weights of norm 2B", Assumption: "norm", Criterion: "mean of the smallest losses",
					Done: "twice the norm"},
				{Name: "no prefactor λ", Criterion: "mean of the smallest losses", Done: "coordinates", Claimed: "no λ"},
				{Name: "one feature for N", Criterion: "mean of the smallest losses",
					Done: "fair parities", Claimed: "N = 1"},
				{Name: "(4p_o(1−p_o))^(k−1) where the bound is nearly attained", Criterion: "mean of the smallest losses",
					Done: "nearly attained", Claimed: "one less"},
				{Name: "weights that are not minimal", Criterion: "certified", Done: "zero weights"},
				{Name: "losses 0.02 above the minimum", Criterion: "certified", Done: "above"},
			},
		},
		props.Instances[coordinate]{
			Name:    "one coordinate",
			Cases:   props.Scale{Quick: 60, Standard: 400, Deep: 5000},
			Regimes: []string{"fair background", "other background"},
			Draw:    drawCoordinate,
			Judge:   judgeCoordinate,
			Controls: []props.Control{
				{Name: "even k", Assumption: "odd", Criterion: "loss of zᵢ", Done: "even"},
				{Name: "loss 1 − γ", Criterion: "loss of zᵢ", Claimed: "γ once"},
				{Reading: "anygamma", Criterion: "loss and bound", Done: "large γ", Claimed: "printed"},
				{Reading: "smallbackground", Criterion: "loss and bound", Done: "stray", Claimed: "printed"},
			},
		},
		props.Instances[anyLaw]{
			Name:       "one coordinate on any law of the family",
			Cases:      props.Scale{Quick: 30, Standard: 150, Deep: 3000},
			Replicates: 2,
			Regimes:    []string{"no background bits", "background"},
			Draw:       drawAnyLaw,
			Judge:      judgeAnyLaw,
			Controls: []props.Control{
				{Name: "1 − γ on any law", Claimed: "γ once"},
				{Name: "a coordinate outside A", Done: "outside"},
				{Name: "accepted counts twice as likely", Done: "unbalanced"},
			},
		},
	},
	Along: &props.Along{
		Param: "B", From: 0.1, To: 3, Of: []string{"bound"}, At: map[string]string{"D": "6", "N": "10"},
		Y: "smallest loss, mean over A", Points: "N neurons", Places: 6, Reps: 4,
	},
	Try: &props.Simulation{Run: smallestLosses},
}.Claim()

// manySets is the regime of many sets A, whatever the features are.
const manySets = "50 sets A or more"

var featureKinds = []string{"coordinates", "random", "neurons", "parities", "along all A"}

// features are functions of all states of D bits, and the law to which every A belongs.
type features struct {
	Dim        int
	Count      int // k
	Background float64
	Kind       string

	psi  *mat.Dense // 2^D×N
	done string
}

func drawFeatures(t *props.T, done string, maxDim int) features {
	kind := rapid.SampledFrom(featureKinds).Draw(t.T, "kind")
	k := 2*rapid.IntRange(0, 2).Draw(t.T, "(k−1)/2") + 1
	dim := min(maxDim, k+rapid.IntRange(0, 5).Draw(t.T, "D−k"))
	k = min(k, 2*((dim-1)/2)+1)
	background := rapid.SampledFrom([]float64{0.5, 0.3, 0.1, 0.02}).Draw(t.T, "p_o")
	if kind == "parities" && rapid.Bool().Draw(t.T, "fair") {
		background = 0.5
	}
	switch done {
	case "label":
		background, dim = 0.5, max(dim, k+1)
	case "five times", "twice the norm":
		background, kind = 0.5, "parities"
	case "fair parities", "zero weights": // of two sets at least; the smallest loss is then 1 − B
		background, kind, dim = 0.5, "parities", max(dim, k+1)
	case "nearly attained": // the vote of single bits is nearly in the span of the densities
		background, kind, k, dim = 0.1, "along all A", 1, 6
	case "told":
		background, kind, dim = 0.5, "coordinates", max(dim, k+2)
	}
	in := features{Dim: dim, Count: k, Background: background, Kind: kind, done: done}
	in.psi = in.draw(t.Stream("features"))
	if done == "five times" {
		in.psi.Scale(5, in.psi)
	}
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

// draw returns the features of a kind.
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

// parityOf is the parity of a number of ones: −1 if it is even.
func parityOf(mask int) float64 { return float64(2*(bits.OnesCount(uint(mask))%2) - 1) }

// density is y·dP_A/dν up to a factor: Π over A of 1/p_o at ones and −1/(1−p_o) at zeros.
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

func judgeBessel(r *props.Record, in features, claimed string) {
	r.Regime(in.Kind)
	if theory.Binomial(in.Dim, in.Count) >= 50 {
		r.Regime(manySets)
	}
	states, n := in.psi.Dims()
	bound := theory.BesselCap(in.Count, in.Background)
	switch claimed {
	case "fair":
		bound = 1
	case "one less":
		bound *= 4 * in.Background * (1 - in.Background)
	}
	sums := make([]float64, n)
	for _, mask := range in.sets() {
		law, means := in.law(mask, 1), make([]float64, n)
		if in.done == "told" {
			told := bits.TrailingZeros(^uint(mask))
			for s := range law {
				law[s] *= 1 + parityOf(s&mask)*float64(2*(s>>told&1)-1)
			}
		}
		for s, p := range law {
			y := parityOf(s & mask)
			for i, x := range in.psi.RawRowView(s) {
				if in.done == "label" {
					x = y
				}
				means[i] += p * y * x
			}
		}
		for i, v := range means {
			sums[i] += v * v
		}
	}
	each, count := float64(states+4*in.Dim+20)*r.Unit(), theory.Binomial(in.Dim, in.Count)
	for _, sum := range sums {
		rounding := 2*(math.Sqrt(count*sum)+count)*each + 4*float64(in.Count)*r.Unit()*bound
		r.AtMost("Σ_A E_A[yΨ]²", sum, bound, rounding)
		if in.Kind == "parities" && in.Background == 0.5 {
			want := 1.0
			if claimed == "half" {
				want = 0.5
			}
			r.Exactly("equality", sum, want) // powers of two throughout
		}
	}
}
