package latent

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// energy samples data sets, and measures the share of the first step that lies in the latent subspace.
var energy = props.Spec{
	Statement: &theory.Energy,
	Checks: []props.Check{props.Grid[batch, []shares, stepClaim]{
		Name:     "share against the prediction",
		Cells:    energyCells,
		Regimes:  []string{"one direction", "one direction, noise", "four directions", mostDirections},
		Measure:  measureShares,
		Claim:    theory.Step.Share,
		Conclude: concludeShares,
		Cost:     func(b batch) float64 { return math.Pow(float64(b.D), 4) },
		Controls: []props.WrongCell[batch, []shares, stepClaim]{
			{Name: "raw labels", Assumption: "preprocessed", Criterion: "ρ at n = d²",
				Alter: firstShare(1, func(s share) float64 { return s.Raw })},
			{Name: "initial weights kept", Assumption: "decay", Criterion: "ρ at n = 4d²",
				Alter: firstShare(2, func(s share) float64 { return s.Kept })},
			{Name: "noise not counted", Assumption: "noise", Criterion: "ρ at n = d²",
				Claim: ofStep(func(s *theory.Step) { s.Noise = 0 })},
			{Name: "H = 0", Assumption: "rank", Criterion: "ρ at n = 4d²",
				Alter: firstShare(2, func(s share) float64 { return s.Odd })},
			{Name: "no step", Criterion: "ρ at n = d²", Instead: func(s theory.Step) float64 {
				r, _ := s.H.Dims()
				return float64(r) / float64(s.D)
			}},
			{Name: "half at n = d", Criterion: "ρ at n = d^1.5", Claim: ofStep(func(s *theory.Step) { s.N *= s.D })},
			{Name: "half at twice the number", Criterion: "ρ at n = d²",
				Claim: ofStep(func(s *theory.Step) { s.N /= 2 })},
			{Name: "half at 32·d samples", Criterion: "ρ at n = d², d = 16",
				Claim: ofStep(func(s *theory.Step) { s.N = s.N * s.D / 32 })},
			{Name: "nothing but the part along H is latent", Criterion: "ρ at n = 32d², d = 16", Instead: leadingShare},
		},
		Replicates: 1,
		Coarse:     energyCoarse,
		Chosen:     map[string][]string{"allowance for finite d": slices.Sorted(maps.Keys(energyCoarse))},
	}},
	Try: &props.Simulation{Run: tryEnergy, Over: &props.Along{Param: "n"}, Params: []statement.Param{{Name: "m",
		Symbol: "m", Meaning: "neurons", Domain: statement.IntegerBetween(2, 1e5), Default: "256"}}},
}.Claim()

const energyWidth = 128 // neurons

// smallDimension is compared in addition to the dimension of the effort, because the share may look right at one
// dimension by chance.
const smallDimension = 16

func energyCells(e props.Effort) []batch {
	// At d = 32 the share from raw labels lies 0.16 from the prediction, and for 96 draws an interval and its margin
	// are 0.05 and 0.06, too large a part of that. At d = 48 they are smaller.
	return slices.Concat(batches(props.Scale{Quick: 32, Standard: 48, Deep: 128}.At(e),
		props.Scale{Quick: 144, Standard: 96, Deep: 96}.At(e)), batches(smallDimension, 144))
}

// mostDirections is the regime of a target with r of order d, at the small dimension only.
const mostDirections = "12 directions of 16"

// energySetups returns the setups of the regimes at a dimension.
func energySetups(d int) []setup {
	setups := slices.Clone(noiseSetups[:3])
	if d == smallDimension {
		setups = append(setups, setup{target.Isotropic(12), 0})
	}
	return setups
}

// energySizes returns the numbers of samples. In the small dimension many samples are cheap.
func energySizes(d int) []int {
	times := 4
	if d == smallDimension {
		times = 32
	}
	return []int{int(math.Pow(float64(d), 1.5)), d * d, times * d * d}
}

// energySets holds the number of data sets in a draw, by number of samples.
var energySets = []int{3, 3, 1}

var energyNames = []string{"ρ at n = d^1.5", "ρ at n = d²", "ρ at n = 4d²"}

// energyName returns the name of the criterion on the shares at a dimension and a size.
func energyName(d, size int) string {
	if d == smallDimension {
		return []string{"ρ at n = d^1.5, d = 16", "ρ at n = d², d = 16", "ρ at n = 32d², d = 16"}[size]
	}
	return energyNames[size]
}

// energyCoarse says why no criterion resolves a tenth.
var energyCoarse = func() map[string]string {
	out := map[string]string{}
	for size, name := range energyNames {
		out[name], out[energyName(smallDimension, size)] = scatterOfSets, scatterOfSets
	}
	return out
}()

const scatterOfSets = "the scatter of single data sets"

// share holds means of ρ over the data sets of a draw: for the algorithm, and in the first regime for its controls.
type share struct{ Share, Raw, Kept, Odd float64 }

func (s *share) add(one share, weight float64) {
	s.Share += weight * one.Share
	s.Raw += weight * one.Raw
	s.Kept += weight * one.Kept
	s.Odd += weight * one.Odd
}

// shares is indexed by the number of samples.
type shares []share

// measureShares takes the step for the labels of every regime at the same inputs, and uses the first ones for each
// size. Regimes and sizes are judged separately, and within a size the data sets have no sample in common.
func measureShares(t *props.Trial, b batch) []shares {
	sizes, d, setups := energySizes(b.D), b.D, energySetups(b.D)
	all := inputs(t.Rand, slices.Max(sizes), d)
	out := make([]shares, len(setups))
	for k, n := range sizes {
		sum, sets := make([]share, len(setups)), energySets[k]
		for set := range sets {
			x := all.Slice(set*n, (set+1)*n, 0, d).(*mat.Dense)
			for i, one := range measureShare(t.Rand, x, setups, k) {
				sum[i].add(one, 1/float64(sets))
			}
		}
		for i := range out {
			out[i] = append(out[i], sum[i])
		}
	}
	return out
}

// measureShare takes the step at one set of inputs; in the first regime also the step of each control that is tried at
// this size.
func measureShare(r *rand.Rand, x *mat.Dense, setups []setup, size int) []share {
	n, d := x.Dims()
	net := latent.Symmetric(r, energyWidth, d)
	var labels [][]float64
	for _, u := range setups {
		_, rest := latent.Preprocess(x, u.labels(r, x))
		labels = append(labels, rest)
	}
	if size == 1 { // without noise
		labels = append(labels, setups[0].labels(r, x))
	}
	gradients, out := net.FirstGradients(x, labels...), make([]share, len(setups))
	for i, u := range setups {
		out[i].Share = latent.Energy(gradients[i], u.F.Latent)
	}
	switch size {
	case 1:
		out[0].Raw = latent.Energy(gradients[len(setups)], 1)
	case 2: // η₁ = √d gives the rows of W⁽¹⁾ a length of order 1
		out[0].Kept = latent.Energy(net.Step(gradients[0], math.Sqrt(float64(d)), 0).W, 1)
		out[0].Odd = oddShare(x.Slice(0, min(n, d*d), 0, d).(*mat.Dense), net)
	}
	return out
}

// sampleNoisy draws a sample with labels f ± ς.
func sampleNoisy(r *rand.Rand, n, d int, f target.Named, noise float64) latent.Points {
	p := latent.Sample(r, n, d, f.Latent, f.At)
	if noise > 0 {
		for i := range p.Y {
			p.Y[i] += noise * float64(2*r.IntN(2)-1)
		}
	}
	return p
}

// oddShare returns the share for labels He₃(x₁)/√6 at the given inputs. Some of the inputs are enough, because the
// share does not grow with their number.
func oddShare(x *mat.Dense, net latent.Network) float64 {
	return shareFrom(net, x, setup{F: target.Pure(3)}.labels(nil, x))
}

// energySD holds the standard deviation of one data set at d = 32, by number of samples, measured once. It does not
// fall as d grows: the directions of the m/2 pairs make S scatter by √(2/(m/2)) = 0.18 of itself for r = 1, and ρ by
// 0.18ρ(1−ρ) ≤ 0.044, whatever d is, and that is most of it. In the small dimension data sets scatter more.
var energySD, energySmallSD = []float64{0.052, 0.052, 0.035}, []float64{0.085, 0.075, 0.02}

// energyBias bounds, in units of 1/d, the terms that the prediction omits, by number of samples: in 16 and 32
// dimensions, with m = 128 neurons, means of 100 data sets lay 0.04/d to 0.73/d below the prediction at d^1.5 samples,
// within 0.25/d of it at d², and 0.12/d above it at 4d².
var energyBias = []float64{1.25, 0.5, 0.25}

func concludeShares(r *props.Record, cells []batch, all [][]shares, claim stepClaim) {
	small := slices.IndexFunc(cells, func(b batch) bool { return b.D == smallDimension })
	for _, part := range [][2]int{{0, small}, {small, len(cells)}} {
		d, sds := cells[part[0]].D, energySD
		if d == smallDimension {
			sds = energySmallSD
		}
		for u, setup := range energySetups(d) {
			regime := append(noiseRegimes[:3:3], mostDirections)[u]
			r.Regime(regime)
			for k, n := range energySizes(d) {
				draws, name := sharesAt(all[part[0]:part[1]], u, k), energyName(d, k)
				want := claim(theory.Step{D: d, N: n, Noise: setup.Noise, H: setup.F.Terms.Hessian(setup.F.Latent)})
				margin := energyBias[k]/float64(d) + stat.MedianMargin(stat.NormalTail,
					sds[k]/math.Sqrt(float64(energySets[k])), len(draws), stat.CriterionAlpha, stat.CriterionUndecided)
				iv := stat.Median(draws, stat.CriterionAlpha)
				r.Measured(fmt.Sprintf("%s, %s", name, regime), iv, want)
				r.EqualsAbsolutely(name, iv, want, margin)
			}
		}
	}
	r.Draw(func() props.Figure { return energyFigure(cells[:small], all[:small]) })
}

// sharesAt returns the shares of all draws in one regime and at one number of samples.
func sharesAt(all [][]shares, regime, size int) []float64 {
	return list.Map(all, func(m []shares) float64 { return m[regime][size].Share })
}

// leadingShare returns (S + Nr/d)/(S + N + R), as if the part of the gradient along H were the whole signal S and the
// whole remainder R lay outside the latent subspace.
func leadingShare(s theory.Step) float64 {
	r, _ := s.H.Dims()
	d, square := float64(s.D), math.Pow(mat.Norm(s.H, 2), 2)
	signal := square / (2 * math.Pi * d)
	rest := (2*square + math.Pow(mat.Trace(s.H), 2)) / (8 * math.Pi * d * (d + 2))
	return (signal + s.SamplingNoise()*float64(r)/d) / (signal + s.SamplingNoise() + rest)
}

// stepClaim returns the claimed share of a step.
type stepClaim func(theory.Step) float64

// ofStep claims the share of a changed step.
func ofStep(change func(*theory.Step)) func(*stepClaim) {
	return func(c *stepClaim) {
		*c = func(s theory.Step) float64 {
			change(&s)
			return s.Share()
		}
	}
}

// firstShare replaces the share by another one, in the first regime and at one size.
func firstShare(size int, of func(share) float64) func(batch, *[]shares) {
	return func(_ batch, all *[]shares) {
		*all = slices.Clone(*all)
		first := slices.Clone((*all)[0])
		first[size].Share = of(first[size])
		(*all)[0] = first
	}
}

func energyFigure(cells []batch, all [][]shares) props.Figure {
	fig := props.Figure{
		ID: "share", Title: "Share of the first step in the latent subspace",
		Caption: "Share of ‖W⁽¹⁾‖_F² in the latent subspace against n/d² on a logarithmic axis: medians over data " +
			"sets with confidence intervals, and the prediction.",
		X: props.Axis{Label: "n/d²", Log: true}, Y: props.Axis{Label: "share ρ"},
	}
	d := cells[0].D
	for u, setup := range noiseSetups[:3] {
		points, line := props.Curve{Name: noiseRegimes[u], Style: props.Points},
			props.Curve{Name: noiseRegimes[u] + ", predicted", Style: props.Dashed}
		for k := range energyNames {
			iv := stat.Median(sharesAt(all, u, k), stat.CriterionAlpha)
			points.AddInterval(float64(energySizes(d)[k])/float64(d*d), iv.Estimate, iv.Lo, iv.Hi)
			if k < len(energyNames)-1 {
				continue
			}
			for x := -4.0; x <= 3; x += 0.25 {
				n := int(math.Exp2(x) * float64(d*d))
				h := setup.F.Terms.Hessian(setup.F.Latent)
				line.Add(math.Exp2(x), theory.Step{D: d, N: n, Noise: setup.Noise, H: h}.Share())
			}
		}
		fig.Curves = append(fig.Curves, points, line)
	}
	return fig
}

func tryEnergy(t *props.Trial, v statement.Values) (map[string]float64, error) {
	d, n, m := v.Int("d"), v.Int("n"), v.Int("m")
	t.Need(float64(n)*float64(d) <= 1e7, "n·d = %d numbers are more than can be sampled here; take at most 10⁷", n*d)
	f, err := target.Simulated(v.Int("r"))
	t.Refuse(err)
	p := sampleNoisy(t.Rand, n, d, f, v.Float("noise"))
	_, rest := latent.Preprocess(p.X, p.Y)
	return map[string]float64{"share": latent.Energy(latent.Symmetric(t.Rand, m+m%2, d).FirstGradient(p.X, rest),
		f.Latent)}, nil
}
