package latent

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/latent"
	"github.com/thm-suite/thm/internal/stat"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/latent/target"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// energy samples data sets and measures which share of the first step lies in the latent subspace.
var energy = props.Spec{
	Statement: &theory.Energy,
	Checks: []props.Check{props.Sweep[batch, shares]{
		Name:     "share against the prediction",
		Cells:    energyCells,
		Regimes:  []string{"one direction", "one direction, noise", "four directions"},
		Measure:  measureShares,
		Conclude: concludeShares,
		Cost:     func(b batch) float64 { return math.Pow(float64(b.D), 4) },
		Controls: []props.Control{
			{Name: "raw labels", Assumption: "preprocessed", Criterion: "ρ at n = d²", Claimed: "raw"},
			{Name: "initial weights kept", Assumption: "decay", Criterion: "ρ at n = 4d²", Claimed: "kept"},
			{Name: "noise not counted", Assumption: "noise", Criterion: "ρ at n = d²", Claimed: "no noise"},
			{Name: "H = 0", Assumption: "rank", Criterion: "ρ at n = 4d²", Claimed: "He₃"},
			{Name: "no step", Criterion: "ρ at n = d²", Claimed: "r/d"},
			{Name: "half at n = d", Criterion: "ρ at n = d^1.5", Claimed: "n ∝ d"},
			{Name: "half at twice the number", Criterion: "ρ at n = d²", Claimed: "2n"},
		},
		Replicates: 1,
		Coarse: map[string]string{"ρ at n = d^1.5": "the scatter of single data sets",
			"ρ at n = d²":  "the scatter of single data sets",
			"ρ at n = 4d²": "the scatter of single data sets"},
	}},
	Try: &props.Simulation{Run: tryEnergy, Draw: drawEnergy, Params: []statement.Param{{Name: "m", Symbol: "m",
		Meaning: "neurons", Domain: statement.IntegerBetween(2, 1e5), Default: "256"}}},
}.Claim()

const energyWidth = 128 // neurons

func energyCells(e props.Effort) []batch {
	var cells []batch
	for _, name := range noiseRegimes[:3] {
		for i := range 96 {
			cells = append(cells, batch{name, props.Scale{Quick: 32, Standard: 48, Deep: 128}.At(e), i})
		}
	}
	return cells
}

// energySizes are numbers of samples and their names.
func energySizes(d int) []int {
	return []int{int(math.Pow(float64(d), 1.5)), d * d, 4 * d * d}
}

// energySets are the data sets in a draw.
var energySets = []int{3, 3, 1}

var energyNames = []string{"ρ at n = d^1.5", "ρ at n = d²", "ρ at n = 4d²"}

// shares are means of ρ over the data sets of a batch, by the number of samples; for the algorithm, and in the first
// regime also for what is not it.
type shares struct{ Share, Raw, Kept, Odd []float64 }

func measureShares(t *props.Trial, b batch, _ string) shares {
	f, noise := noiseSetup(b.Setup)
	var m shares
	all := sampleNoisy(t.Rand, slices.Max(energySizes(b.D)), b.D, f, noise)
	for i, n := range energySizes(b.D) {
		sets := energySets[i]
		share, raw, kept, odd := 0.0, 0.0, 0.0, 0.0
		for set := range sets {
			p := part(all, set*n, n)
			net := latent.Symmetric(t.Rand, energyWidth, b.D)
			_, rest := latent.Preprocess(p.X, p.Y)
			g := net.FirstGradient(p.X, rest)
			share += latent.Energy(g, f.Latent) / float64(sets)
			if i == 1 && b.Setup == noiseRegimes[0] {
				raw += latent.Energy(net.FirstGradient(p.X, p.Y), f.Latent) / float64(sets)
			}
			if i == 2 && b.Setup == noiseRegimes[0] {
				// η₁ = √d, with which the rows of W⁽¹⁾ have length of order 1
				kept += latent.Energy(net.Step(g, math.Sqrt(float64(b.D)), 0).W, f.Latent) / float64(sets)
				odd += oddShare(p, net) / float64(sets)
			}
		}
		m.Share, m.Raw = append(m.Share, share), append(m.Raw, raw)
		m.Kept, m.Odd = append(m.Kept, kept), append(m.Odd, odd)
	}
	return m
}

// part is a data set of n samples, starting with one of those given. Within a size data sets have no sample in common;
// sizes, which are judged apart, share them.
func part(all latent.Points, from, n int) latent.Points {
	_, d := all.X.Dims()
	return latent.Points{X: all.X.Slice(from, from+n, 0, d).(*mat.Dense), Y: slices.Clone(all.Y[from : from+n])}
}

// sampleNoisy is a sample with labels f + ±ς.
func sampleNoisy(r *rand.Rand, n, d int, f target.Named, noise float64) latent.Points {
	p := latent.Sample(r, n, d, f.Latent, f.At)
	if noise > 0 {
		for i := range p.Y {
			p.Y[i] += noise * float64(2*r.IntN(2)-1)
		}
	}
	return p
}

// oddShare is the share for labels He₃(x₁)/√6 at the first of the same inputs: it does not grow with their number.
func oddShare(p latent.Points, net latent.Network) float64 {
	odd := target.Pure(3)
	n, d := p.X.Dims()
	y := make([]float64, min(n, d*d))
	x := p.X.Slice(0, len(y), 0, d).(*mat.Dense)
	for i := range y {
		y[i] = odd.At(x.RawRowView(i)[:1])
	}
	_, rest := latent.Preprocess(x, y)
	return latent.Energy(net.FirstGradient(x, rest), 1)
}

// energySD is the scatter of one data set at d = 32 by number of samples, measured once; it falls as 1/√d.
var energySD = []float64{0.052, 0.052, 0.035}

// energyBias bounds, in units of 1/d, what the prediction for large d and m leaves out: at d = 32 and m = 128 the
// measured medians lie below it by 0.5/d to 1.02/d.
const energyBias = 1.25

func concludeShares(r *props.Record, cells []batch, all []shares, claimed string) {
	for _, regime := range noiseRegimes[:3] {
		r.Regime(regime)
		f, noise := noiseSetup(regime)
		for k, name := range energyNames {
			var draws []float64
			d := 0
			for i, m := range all {
				if cells[i].Setup != regime {
					continue
				}
				d = cells[i].D
				draw := m.Share[k]
				switch {
				case regime != noiseRegimes[0]:
				case claimed == "raw" && k == 1:
					draw = m.Raw[k]
				case claimed == "kept" && k == 2:
					draw = m.Kept[k]
				case claimed == "He₃" && k == 2:
					draw = m.Odd[k]
				}
				draws = append(draws, draw)
			}
			n := energySizes(d)[k]
			want := claimedShare(theory.Step{D: d, N: n, Noise: noise, H: f.Terms.Hessian(f.Latent)}, claimed)
			sd := energySD[k] * math.Sqrt(32/float64(d))
			sd /= math.Sqrt(float64(energySets[k]))
			margin := energyBias/float64(d) +
				stat.MedianMargin(stat.NormalTail, sd, len(draws), stat.CriterionAlpha, stat.CriterionUndecided)
			iv := stat.Median(draws, stat.CriterionAlpha)
			if claimed == "" {
				r.Measured(fmt.Sprintf("%s, %s", name, regime), iv, want)
			}
			r.EqualsAbsolutely(name, iv, want, margin)
		}
	}
	r.Figure(energyFigure(cells, all))
}

func claimedShare(s theory.Step, claimed string) float64 {
	switch claimed {
	case "no noise":
		s.Noise = 0
	case "r/d":
		r, _ := s.H.Dims()
		return float64(r) / float64(s.D)
	case "n ∝ d":
		s.N *= s.D
	case "2n":
		s.N /= 2
	}
	return s.Share()
}

func energyFigure(cells []batch, all []shares) props.Figure {
	fig := props.Figure{
		ID: "share", Title: "Share of the first step in the latent subspace",
		Caption: "Share of ‖W⁽¹⁾‖_F² in the latent subspace against n/d² on a logarithmic axis: medians over data " +
			"sets with confidence intervals, and the prediction (S + Nr/d)/(S + N + R).",
		X: props.Axis{Label: "n/d²", Log: true}, Y: props.Axis{Label: "share ρ"},
	}
	for _, regime := range noiseRegimes[:3] {
		f, noise := noiseSetup(regime)
		points, line := props.Curve{Name: regime, Style: props.Points},
			props.Curve{Name: regime + ", predicted", Style: props.Dashed}
		for k := range energyNames {
			var draws []float64
			d := 0
			for i, m := range all {
				if cells[i].Setup == regime {
					d = cells[i].D
					draws = append(draws, m.Share[k])
				}
			}
			iv := stat.Median(draws, stat.CriterionAlpha)
			points.X, points.Y = append(points.X, float64(energySizes(d)[k])/float64(d*d)),
				append(points.Y, iv.Estimate)
			points.Lo, points.Hi = append(points.Lo, iv.Lo), append(points.Hi, iv.Hi)
			if k < len(energyNames)-1 {
				continue
			}
			for x := -4.0; x <= 3; x += 0.25 {
				n := int(math.Exp2(x) * float64(d*d))
				line.X = append(line.X, math.Exp2(x))
				line.Y = append(line.Y, theory.Step{D: d, N: n, Noise: noise, H: f.Terms.Hessian(f.Latent)}.Share())
			}
		}
		fig.Curves = append(fig.Curves, points, line)
	}
	return fig
}
