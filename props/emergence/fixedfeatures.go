package emergence

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/impl/hinge"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/rational"
	"github.com/thm-suite/thm/props/gen"
	values "github.com/thm-suite/thm/theory"
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
				{Name: "1 for every p_o", Criterion: "Σ_A E_A[yΨ]²", Claimed: "fair"},
				{Name: "(4p_o(1−p_o))^(−k+1)", Criterion: "Σ_A E_A[yΨ]²", Claimed: "one less"},
				{Name: "half for a parity", Criterion: "equality", Claimed: "half"},
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
				{Name: "one feature for N", Criterion: "mean of the smallest losses", Claimed: "N = 1"},
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

// smallest are the smallest losses on features, for every A.
type smallest struct {
	Features features
	Lambda   float64
	Radius   float64 // B
	Loss     float64 // the mean over A of the smallest loss found
	Lower    float64 // the mean of what cannot be undercut

	n int
}

// certifiedGap is how near to its minimum every loss is certified to be, on average.
const certifiedGap = 1e-2

func drawSmallest(t *props.T, done string) smallest {
	in := drawFeatures(t, done, 6)
	out := smallest{Features: in, Lambda: rapid.Float64Range(0, 1).Draw(t.T, "λ"), Radius: gen.LogUniform(t.T, "B", 0.1,
		3)}
	if in.Kind == "parities" {
		out.Lambda = 1 // where the bound is attained
		if in.Background == 0.5 {
			out.Radius = min(out.Radius, 0.9)
		}
	}
	if done != "" {
		out.Lambda = max(out.Lambda, 0.3)
	}
	if done == "twice the norm" || done == "five times" {
		out.Radius = min(out.Radius, 0.9)
	}
	if done == "coordinates" { // whose smallest loss is λ
		in.Dim, in.Count, in.Background, in.Kind = 6, 3, 0.5, "coordinates"
		in.psi = in.draw(t.Stream("features"))
		out = smallest{Features: in, Lambda: 0.2, Radius: 1}
	}
	out.find(done)
	return out
}

func (out *smallest) find(done string) {
	in := out.Features
	sets := in.sets()
	_, out.n = in.psi.Dims()
	radius := out.Radius
	if done == "twice the norm" {
		radius *= 2
	}
	for _, mask := range sets {
		p := hinge.Problem{Features: in.psi, P: in.law(mask, out.Lambda)}
		for s := range p.P {
			p.Y = append(p.Y, parityOf(s&mask))
		}
		if done == "label" {
			p.Features = mat.NewDense(len(p.Y), 1, p.Y)
			radius, out.Radius, out.n = 1, 1, 1
		}
		found, err := p.InBall(radius, certifiedGap, 3000)
		if err != nil {
			found.Lower = math.Inf(-1)
		}
		if done == "zero weights" {
			found.Loss = 1
		}
		if done == "above" {
			found.Loss += 0.02
		}
		out.Loss += found.Loss / float64(len(sets))
		out.Lower += found.Lower / float64(len(sets))
	}
}

func judgeSmallest(r *props.Record, in smallest, claimed string) {
	r.Regime(in.Features.Kind)
	f := theory.Fixed{Law: theory.Mixture{Dim: in.Features.Dim, Count: in.Features.Count,
		Background: in.Features.Background,
		Uniform:    in.Lambda}, Features: in.n, Radius: in.Radius}
	bound := f.Bound()
	switch claimed {
	case "no λ":
		f.Law.Uniform = 1
		bound = f.Bound()
	case "N = 1":
		f.Features = 1
		bound = f.Bound()
	}
	rounding := float64(int(1)<<in.Features.Dim+10) * r.Unit() * (1 + in.Radius*math.Sqrt(float64(in.n)))
	r.AtLeast("mean of the smallest losses", in.Loss, bound, rounding)
	r.Holds("certified", in.Loss-in.Lower <= certifiedGap*(1+1e-9))
}

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
	h := drawBalanced(t, r, false, done)
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

// smallestLosses finds the smallest losses of random neurons at a user's parameters.
func smallestLosses(t *props.Trial, v values.Values) (map[string]float64, error) {
	dim, k, n := v.Int("D"), v.Int("k"), v.Int("N")
	if dim > 8 || k > dim || n > 100 {
		return nil, fmt.Errorf("the dimension D=%d, k=%d, N=%d cannot be simulated: all inputs and all A are "+
			"visited, k "+
			"≤ D ≤ 8, N ≤ 100", dim, k, n)
	}
	in := features{Dim: dim, Count: k, Background: v.Float("background"), Kind: "neurons"}
	in.psi = mat.NewDense(1<<dim, n, nil)
	for i := 0; i < n; i++ {
		in.psi.SetCol(i, mat.Col(nil, 0, in.draw(t.Rand)))
	}
	out := smallest{Features: in, Lambda: v.Float("uniform"), Radius: v.Float("B")}
	out.find("")
	return map[string]float64{"bound": out.Loss}, nil
}
