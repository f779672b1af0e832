package latent

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/impl/poly"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// anisotropy integrates the second moment of the gradient over half-spaces.
var anisotropy = props.Spec{
	Statement: &theory.Anisotropy,
	Checks: []props.Check{
		props.Drawn[secondMoment, momentClaim]{
			Name:    "second moment over two half-spaces",
			Cases:   props.Scale{Quick: 100, Standard: 600, Deep: 10000},
			Tries:   28,
			Regimes: []string{"odd p ≥ 3", "even p", "p = 1", "w along u"},
			Draw:    func(t *props.T) secondMoment { return drawSecondMoment(t, 0) },
			Claim: momentClaim{entry: func(in secondMoment, i, j int) float64 { return theory.SecondMoment(in.P, i, j) },
				vanishes: func(p int) bool { return p%2 == 1 && p >= 3 }},
			Judge: judgeSecondMoment,
			Controls: []props.Wrong[secondMoment, momentClaim]{
				{Name: "coordinates are random signs", Assumption: "gaussian", Criterion: "E ggᵀ at w and −w",
					Alter: func(in *secondMoment) { in.Both = in.overSigns() }},
				{Name: "even degree", Assumption: "odd", Criterion: "E g for odd p",
					Instead: momentClaim{vanishes: func(int) bool { return true }}},
				{Name: "bias 1/4", Assumption: "no-bias", Criterion: "E g for odd p",
					Draw: func(t *props.T) secondMoment { return drawSecondMoment(t, 0.25) }},
				{Name: "isotropic noise", Criterion: "E ggᵀ at w and −w",
					Instead: momentClaim{entry: func(in secondMoment, i, j int) float64 {
						if i == 0 && j == 0 {
							return 1
						}
						return theory.SecondMoment(in.P, i, j)
					}}},
				{Name: "2p+2 for 2p+1", Criterion: "E ggᵀ at w and −w",
					Instead: momentClaim{entry: func(in secondMoment, i, j int) float64 {
						if i == 0 && j == 0 {
							return theory.SecondMoment(in.P, i, j) + 1
						}
						return theory.SecondMoment(in.P, i, j)
					}}},
				{Name: "entries off the diagonal", Criterion: "E ggᵀ at w and −w",
					Instead: momentClaim{entry: func(in secondMoment, i, j int) float64 { // with a component along ŵ
						return theory.SecondMoment(in.P, i, j) + in.W[i]*in.W[j]/floats.Dot(in.W, in.W)/4
					}}},
			},
		},
		props.Grid[int, oddShares, shareClaim]{
			Name: "share along u in samples of He₃",
			Cells: func(e props.Effort) []int {
				return props.Indices(props.Scale{Quick: 72, Standard: 96, Deep: 1000}.At(e))
			},
			Measure:  measureOddShares,
			Claim:    shareClaim{share: theory.NoiseShare(3, anisotropyD) / 3, growth: 3},
			Conclude: concludeOddShares,
			Controls: []props.WrongCell[int, oddShares, shareClaim]{
				{Name: "noise without a direction", Criterion: "share over that of isotropic noise",
					Alter: func(_ int, m *oddShares) { m.Share = m.Permuted }},
				{Name: "three times the quotient of means", Criterion: "share over that of isotropic noise",
					Claim: func(c *shareClaim) { c.share *= 9 }},
				{Name: "target with a mean Hessian", Criterion: "growth of the share with n",
					Alter: func(_ int, m *oddShares) { m.Share = m.Mixed }},
				{Name: "share that falls with n", Criterion: "growth of the share with n", Instead: shareClaim{growth: 0.5}},
			},
			Replicates: 1,
			Coarse: map[string]string{"share over that of isotropic noise": "bounds with room, since quotients of " +
				"heavy tails are biased",
				"growth of the share with n": "a bound with room, since quotients of heavy tails are biased"},
		},
	},
	Along: &props.Along{
		Param: "d", From: 4, To: 128, Of: []string{"share"}, At: map[string]string{"n": "2000"},
		Y: "share of E‖g‖² along u", Places: 6, Reps: 20,
	},
	Try: &props.Simulation{Run: tryAnisotropy, Params: []statement.Param{{Name: "n", Symbol: "n", Meaning: "samples",
		Domain: statement.IntegerBetween(2, 1e6), Default: "4096"}}},
}.Claim()

// secondMoment holds the sum of E ggᵀ at w and at −w, and E g at w, with u the first axis.
type secondMoment struct {
	P            int
	W            []float64
	Both         *mat.Dense
	Mean         []float64
	Size, Extent float64 // of the moments with all signs positive, and the number of monomials
}

// drawSecondMoment draws a neuron; its bias is given in units of the length of its weights.
func drawSecondMoment(t *props.T, bias float64) secondMoment {
	in := secondMoment{P: rapid.IntRange(1, 5).Draw(t.T, "p")}
	d := gen.Dim(t.T, "d", 3)
	in.W = target.Weights(t, d)
	f := target.Monomials(target.Pure(in.P).Terms)
	square := f.Times(f)
	opposite := target.Scaled(in.W, -1)
	in.Both = mat.NewDense(d, d, nil)
	for i := range d {
		g := square.Times(poly.Variable(i))
		one, other := poly.HalfSpace(g, in.W, 0).First, poly.HalfSpace(g, opposite, 0).First
		for j := range d {
			in.Both.Set(i, j, one[j]+other[j])
		}
		in.Size = max(in.Size, 2*poly.Magnitude(g, in.W, 0))
		in.Extent = max(in.Extent, float64(len(g)))
	}
	in.Mean = poly.HalfSpace(f, in.W, bias*floats.Norm(in.W, 2)).First
	return in
}

// overSigns returns the second moment for coordinates ±1.
func (in secondMoment) overSigns() *mat.Dense {
	f := target.Monomials(target.Pure(in.P).Terms)
	square, d := f.Times(f), len(in.W)
	out := mat.NewDense(d, d, nil)
	out.Apply(func(i, j int, _ float64) float64 {
		return signMean(square.Times(poly.Variable(i)).Times(poly.Variable(j)), d)
	}, out)
	return out
}

// momentClaim holds the claimed entries of the second moment, and says whether E g vanishes.
type momentClaim struct {
	entry    func(in secondMoment, i, j int) float64
	vanishes func(p int) bool
}

func judgeSecondMoment(r *props.Record, in secondMoment, claim momentClaim) {
	d := len(in.W)
	r.RegimeOf(in.P%2 == 0, in.P == 1, math.Abs(in.W[0]) == floats.Norm(in.W, 2))
	want := mat.NewDense(d, d, nil)
	want.Apply(func(i, j int, _ float64) float64 { return claim.entry(in, i, j) }, want)
	tolerance := (15*float64(2*in.P+4) + 2*in.Extent + 40) * r.Unit() * in.Size
	r.WithinMatrix("E ggᵀ at w and −w", in.Both, want, float64(d)*tolerance)
	if claim.vanishes(in.P) {
		r.WithinScale("E g for odd p", floats.Norm(in.Mean, 2), 0, 1, tolerance)
	}
}

const (
	anisotropyD      = 32
	anisotropyM      = 64
	anisotropyGrowth = 16 // factor of the number of samples, from d^1.5

	// In a pilot, logarithms of the growth had standard deviations of 0.13 for the target with a mean Hessian and 0.23
	// for He₃. The bound of 3 lies 3.2 and 2.8 of these from the medians, and 7·10⁻⁴ and 3·10⁻³ of the draws lie beyond
	// it. See [runs].
	permutedRuns = 64 // draws of the controls

	anisotropyNumbers = 1 << 19 // in all data sets of a user's simulation together, at least
)

// anisotropySets holds the numbers of data sets in a draw, for the smaller and the larger sample.
var anisotropySets = []int{8, 3}

// oddShares holds mean shares of the first step along u, at two numbers of samples; in the first runs also for permuted
// labels, and for the labels of ½He₂ + He₃/√12 at the same inputs.
type oddShares struct{ Share, Permuted, Mixed []float64 }

func measureOddShares(t *props.Trial, index int) (out oddShares) {
	small := int(math.Pow(anisotropyD, 1.5))
	for i, n := range []int{small, anisotropyGrowth * small} {
		sets := anisotropySets[i]
		var share, permuted, mixed float64
		for range sets {
			p := latent.Sample(t.Rand, n, anisotropyD, 1, target.Pure(3).At)
			net := latent.Symmetric(t.Rand, anisotropyM, anisotropyD)
			share += shareFrom(net, p.X, p.Y) / float64(sets)
			if index >= permutedRuns {
				continue
			}
			f := target.Mixed(3)
			mixed += shareFrom(net, p.X, setup{F: f}.labels(nil, p.X)) / float64(sets)
			t.Rand.Shuffle(n, func(i, j int) { p.Y[i], p.Y[j] = p.Y[j], p.Y[i] })
			permuted += shareFrom(net, p.X, p.Y) / float64(sets)
		}
		out.Share = append(out.Share, share)
		if index < permutedRuns {
			out.Permuted, out.Mixed = append(out.Permuted, permuted), append(out.Mixed, mixed)
		}
	}
	return out
}

// shareClaim holds the claimed lower bound of the share, and the claimed upper bound of its growth.
type shareClaim struct{ share, growth float64 }

func concludeOddShares(r *props.Record, _ []int, all []oddShares, claim shareClaim) {
	var first, ratio []float64
	for _, m := range all {
		if len(m.Share) > 0 {
			first, ratio = append(first, m.Share[0]), append(ratio, m.Share[1]/m.Share[0])
		}
	}
	median := func(draws []float64) stat.Interval { return stat.Median(draws, stat.CriterionAlpha) }
	r.EstimateAtLeast("share over that of isotropic noise", median(first), 1.1*claim.share, 0.1*claim.share)
	r.EstimateAtMost("growth of the share with n", median(ratio), 0.9*claim.growth, 0.1*claim.growth)
}

// shareFrom returns the share of the first step along u.
func shareFrom(net latent.Network, x *mat.Dense, y []float64) float64 {
	_, rest := latent.Preprocess(x, y)
	return latent.Energy(net.FirstGradient(x, rest), 1)
}

// tryAnisotropy measures the share of the first step without preprocessing, as a quotient of means over data sets: the
// mean of the quotients is far less on few samples.
func tryAnisotropy(t *props.Trial, v statement.Values) (map[string]float64, error) {
	p, n, d := v.Int("p"), v.Int("n"), v.Int("d")
	t.Need(p%2 == 1 && p >= 3, "p is odd and at least 3 here: else the gradient has a mean, and its share depends on n")
	t.Need(p <= 5, "p is at most 5 here: the tails of higher powers need too many samples")
	net, along, all := latent.Symmetric(t.Rand, anisotropyM, d), 0.0, 0.0
	for range (anisotropyNumbers + n*d - 1) / (n * d) {
		in := latent.Sample(t.Rand, n, d, 1, target.Pure(p).At)
		g := net.FirstGradient(in.X, in.Y)
		square := math.Pow(mat.Norm(g, 2), 2)
		along, all = along+square*latent.Energy(g, 1), all+square
	}
	return map[string]float64{"share": along / all}, nil
}
