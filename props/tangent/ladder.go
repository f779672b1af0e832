package tangent

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// ladder trains networks on eigenvectors of their own kernels.
var ladder = props.Spec{
	Statement: &theory.Ladder,
	Checks: []props.Check{props.Sweep[int, trained]{
		Name:     "labels along eigenvectors",
		Cells:    props.Scale{Quick: 112, Standard: 192, Deep: 2000}.Indices,
		Measure:  trainAll,
		Judge:    judgeLadder,
		Conclude: concludeLadder,
		Controls: []props.Control{
			{Name: "labels of a hundredth", Assumption: "large-labels",
				Criterion: "logarithm of amplification, middle less easy", Done: "small labels"},
			{Name: "labels of a hundredth, hard ones", Assumption: "large-labels",
				Criterion: "logarithm of amplification, hard less middle", Done: "small labels"},
			{Name: "easy and middle labels exchanged", Assumption: "graded",
				Criterion: "logarithm of alignment, easy less middle", Claimed: "exchanged"},
			{Name: "middle and hard labels exchanged", Assumption: "graded",
				Criterion: "logarithm of alignment, middle less hard", Claimed: "exchanged"},
			{Name: "the law squared, easy", Criterion: "logarithm of amplification over the law, easy",
				Claimed: "squared"},
			{Name: "the law squared, middle", Criterion: "logarithm of amplification over the law, middle",
				Claimed: "squared"},
			{Name: "the law squared, hard", Criterion: "logarithm of amplification over the law, hard",
				Claimed: "squared"},
			{Name: "large labels taken for small ones", Criterion: "logarithm of amplification, small labels",
				Claimed: "large"},
			{Name: "one node", Criterion: "amplification of the middle label", Claimed: "one node"},
			{Name: "one point less", Criterion: "difficulty of the middle label", Claimed: "one point less"},
			{Name: "one node more", Criterion: "amplification of the middle label", Claimed: "one more"},
		},
		Replicates: 1,
		Coarse:     coarseLadder(),
	}},
	Try: tryLadder,
}.Claim()

// eigenvectors are those trained on, counted from the largest eigenvalue.
var eigenvectors = []struct {
	name string
	k    int
}{{"easy", 1}, {"middle", 8}, {"hard", 27}}

func coarseLadder() map[string]string {
	const why = "the finding is a direction, or an order of magnitude"
	out := map[string]string{"logarithm of amplification, small labels": why}
	for i, eigenvector := range eigenvectors {
		out["logarithm of amplification over the law, "+eigenvector.name] = why
		if i > 0 {
			before := eigenvectors[i-1].name
			out[fmt.Sprintf("logarithm of amplification, %s less %s", eigenvector.name, before)] = why
			out[fmt.Sprintf("logarithm of alignment, %s less %s", before, eigenvector.name)] = why
		}
	}
	return out
}

// trained is one network on each eigenvector.
type trained struct {
	Difficulty               [3]float64 // v
	Amplification, Alignment [3]float64
	Lazy                     float64 // amplification of the hard eigenvector with labels of a two-hundredth
	Redone                   retrained
}

// retrained is what it takes to compute the amplification of the middle label again from its definition.
type retrained struct {
	Points     *mat.Dense
	Start, End []float64 // weights
	Along      []float64 // the label, of length 1
}

// redoneNetworks is the number of networks of which that is done.
const redoneNetworks = 2

func trainAll(t *props.Trial, index int, done string) (out trained) {
	out.Lazy = 1
	s := newLadderStart(t)
	scale := 1.0
	if done == "small labels" {
		scale = 0.01
	}
	for i, eigenvector := range eigenvectors {
		lambda, u := s.along(eigenvector.k)
		path := s.path(t, u, scale)
		kernel := s.averaged(path)
		out.Difficulty[i] = math.Sqrt(ladderPoints / lambda)
		out.Amplification[i], out.Alignment[i] = energy(kernel, u)/lambda, impl.Alignment(kernel, u)
		if eigenvector.name == "middle" && index < redoneNetworks {
			out.Redone = retrained{s.points, impl.Weights(path.Start), impl.Weights(path.End), u}
		}
		if eigenvector.name == "hard" && done == "" {
			out.Lazy = energy(s.train(t, u, 0.005), u) / lambda
		}
	}
	return out
}

// judgeLadder ties the amplification to its definition: both sides are polynomials in weights, activations and slopes,
// see the tolerance of tangent/gradient.
func judgeLadder(r *props.Record, index int, m trained, claimed string) {
	if index >= redoneNetworks {
		return
	}
	c, nodes := m.Redone, theory.LadderNodes
	switch claimed {
	case "one node":
		nodes = 1
	case "one more":
		nodes++
	}
	widths := []int{ladderInputs, ladderWidth, ladderWidth, 1}
	start := perceptron(c.Start, widths)
	along := start.Along(perceptron(c.End, widths), nodes)
	operations, size := 4*ladderPoints, 0.0
	for _, w := range widths {
		operations += 4*w + 12
	}
	for _, p := range append(along, start) {
		for i := range ladderPoints { // no |uᵢ| exceeds 1, and their squares add up to 1
			size = max(size, ladderPoints*p.Magnitude(c.Points.RawRowView(i), c.Points.RawRowView(i)))
		}
	}
	before := theory.EnergyAlong([]theory.Perceptron{start}, c.Points, c.Along)
	amplified := theory.EnergyAlong(along, c.Points, c.Along) / before
	noise := 2 * float64(operations) * r.Unit() * size
	n, _ := c.Points.Dims()
	if claimed == "one point less" {
		n--
	}
	difficulty := math.Sqrt(float64(n) / before) // u is an eigenvector of K₀
	r.Within("difficulty of the middle label", m.Difficulty[1], difficulty, noise*difficulty/before)
	r.Within("amplification of the middle label", m.Amplification[1], amplified, noise*(1+amplified)/before)
}

// concludeLadder compares medians of logarithms.
func concludeLadder(r *props.Record, _ []int, all []trained, claimed string) {
	median := func(of func(trained) float64) stat.Interval {
		draws := make([]float64, len(all))
		for i, c := range all {
			draws[i] = of(c)
		}
		return stat.Median(draws, stat.CriterionAlpha)
	}
	for i, eigenvector := range eigenvectors {
		law := median(func(c trained) float64 {
			s2 := math.Pow(theory.Sum{{Family: theory.Quadratic, Factor: 1}}.Effective(c.Difficulty[i]).Size(), 2)
			if claimed == "squared" {
				s2 *= 8 * s2
			}
			return math.Log(c.Amplification[i] / s2)
		})
		r.EqualsAbsolutely("logarithm of amplification over the law, "+eigenvector.name, law, -0.55, 0.65)
		if i == 0 {
			continue
		}
		before := eigenvectors[i-1].name
		grows := median(func(c trained) float64 { return math.Log(c.Amplification[i] / c.Amplification[i-1]) })
		falls := median(func(c trained) float64 {
			if claimed == "exchanged" {
				return math.Log(c.Alignment[i] / c.Alignment[i-1])
			}
			return math.Log(c.Alignment[i-1] / c.Alignment[i])
		})
		r.EstimateAtLeast(fmt.Sprintf("logarithm of amplification, %s less %s", eigenvector.name, before), grows,
			math.Log(1.6), math.Log(1.6/1.2))
		r.EstimateAtLeast(fmt.Sprintf("logarithm of alignment, %s less %s", before, eigenvector.name), falls,
			math.Log(2), math.Log(2/1.5))
	}
	lazy := median(func(c trained) float64 {
		if claimed == "large" {
			return math.Log(c.Amplification[2])
		}
		return math.Log(c.Lazy)
	})
	r.EqualsAbsolutely("logarithm of amplification, small labels", lazy, 0, 0.1)
	if claimed == "" {
		r.Figure(ladderFigure(all))
	}
}

// ladderFigure shows every network on every eigenvector.
func ladderFigure(all []trained) props.Figure {
	f := props.Figure{ID: "ladder", Title: "Amplification and alignment over difficulty",
		Caption: "Amplification and alignment of the averaged tangent kernel with labels along three eigenvectors of " +
			"the kernel at the start, against their difficulty v = √(n/λ): amplification rises about like the law s² " +
			"of the relaxed model with the penalty (z−1)², alignment falls.",
		X: props.Axis{Label: "difficulty v", Log: true}, Y: props.Axis{Label: "amplification; alignment", Log: true}}
	amplified, aligned := props.Curve{Name: "amplification", Style: props.Points},
		props.Curve{Name: "alignment", Style: props.Points}
	law := props.Curve{Name: "law s²", Style: props.Line}
	low, high := math.Inf(1), 0.0
	for _, c := range all {
		for i, v := range c.Difficulty {
			low, high = min(low, v), max(high, v)
			amplified.X, amplified.Y = append(amplified.X, v), append(amplified.Y, c.Amplification[i])
			aligned.X, aligned.Y = append(aligned.X, v), append(aligned.Y, c.Alignment[i])
		}
	}
	for k := range 40 {
		v := low * math.Pow(high/low, float64(k)/39)
		law.X = append(law.X, v)
		law.Y = append(law.Y, math.Pow(theory.Sum{{Family: theory.Quadratic, Factor: 1}}.Effective(v).Size(), 2))
	}
	f.Curves = []props.Curve{amplified, law, aligned}
	return f
}
