package emergence

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/impl/hinge"
	"github.com/thm-suite/thm/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	values "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// classifier pairs the smallest loss on aligned neurons with linear programmes, and the share of kinks with draws.
var classifier = props.Spec{
	Statement: &theory.Classifier,
	Checks: []props.Check{
		props.Instances[layer]{
			Name:       "the smallest loss",
			Cases:      props.Scale{Quick: 40, Standard: 200, Deep: 3000},
			Replicates: 2,
			Regimes:    []string{"rank k + 1", "no kink", "all features vanish"},
			Draw:       drawLayer,
			Judge:      judgeLayer,
			// Two features alike within 10⁻⁶: less than 10⁻⁴ of the pairs, whose slopes over their biases have a
			// density below 5.
			Declined: map[string]float64{"smallest loss": 1e-4},
			Proven: map[string]string{"smallest loss": "backward errors of the elimination with any growth, the size and " +
				"the residual of the vertex, and how far the features are from dependent"},
			Coarse: map[string]string{"smallest loss": "0 is claimed, of which an error relative to 1 is taken"},
			Controls: []props.Control{
				{Name: "every bit with a weight of its own", Assumption: "aligned", Done: "misaligned", Claimed: "zero"},
				{Name: "the label of the majority", Assumption: "parity", Done: "majority", Claimed: "lambda"},
				{Name: "two features with a kink, three in all", Assumption: "affine", Done: "bent", Claimed: "lambda"},
				{Name: "three features", Assumption: "rank", Done: "bent", Claimed: "zero"},
				{Name: "0 whenever two features are independent", Done: "affine", Claimed: "zero"},
				{Name: "λ with rank k + 1", Done: "full", Claimed: "lambda"},
			},
		},
		props.Sweep[int, int]{
			Name:  "where the kinks are",
			Cells: func(props.Effort) []int { return []int{3, 5, 7, 9} },
			Measure: func(t *props.Trial, k int, done string) int {
				rate := 1.0
				if done == "small" {
					rate = 0.5
				}
				return countKinks(t.Rand, k, rate)
			},
			Judge: func(r *props.Record, k, kinks int, claimed string) {
				share := theory.KinkShare(k, 1)
				if claimed == "half" {
					share /= 2
				}
				margin := stat.ProportionMargin(share, kinkDraws, stat.CriterionAlpha, stat.CriterionUndecided)
				r.EqualsAbsolutely("share of kinks", stat.Proportion(kinks, kinkDraws, stat.CriterionAlpha), share, margin)
			},
			Replicates: 2,
			Controls: []props.Control{
				{Name: "a second step of 1/2", Done: "small"},
				{Name: "half of the share", Claimed: "half"},
			},
		},
	},
	Along: &props.Along{
		Param: "m", From: 10, To: 80, Of: []string{"before", "after"}, At: map[string]string{"k": "3"},
		Y: "smallest loss: λ without kinks, 0 at rank k + 1", Places: 5, Reps: 4,
	},
	Try: &props.Simulation{Run: fitLayer},
}.Claim()

// layer is a layer of features of the count, and the smallest loss on it.
type layer struct {
	Count   int
	Uniform float64
	Slopes  []float64
	Biases  []float64
	Loss    float64

	kind  string
	rank  bool    // k + 1, and well so
	apart float64 // second singular value of the features over the first, 0 for one feature
	err   float64 // of the loss
}

// drawLayer draws a layer of the source's scales after the second step, one whose kinks are outside, or one that
// vanishes.
func drawLayer(t *props.T, done string) layer {
	kind := rapid.SampledFrom([]string{"full", "full", "affine", "affine", "vanish"}).Draw(t.T, "kind")
	in := layer{Count: 2*rapid.IntRange(0, 4).Draw(t.T, "(k−1)/2") + 1, Uniform: rapid.Float64Range(0, 1).Draw(t.T, "λ")}
	if done != "" {
		in.Count, in.Uniform, kind = max(5, in.Count), 0.2+0.6*in.Uniform, done
	}
	if kind == "misaligned" {
		in.Count = 3
	}
	r := t.Stream("layer")
	k := float64(in.Count)
	switch kind {
	case "full":
		in.Slopes, in.Biases = afterSecondStep(r, in.Count, 60, 1)
	case "affine", "majority", "bent":
		for range 2 + r.IntN(5) {
			slope := (2*r.Float64() - 1) / k
			reach := math.Abs(slope) * k / 2
			in.Slopes = append(in.Slopes, slope)
			in.Biases = append(in.Biases, reach+(1-2*reach)*(0.05+0.9*r.Float64()))
		}
		if kind == "bent" {
			in.Slopes = []float64{0.5 / k, 1 / k, -1 / k}
			in.Biases = []float64{0.5, 0.3 * r.Float64() / k, 0.3 * r.Float64() / k}
		}
	case "misaligned":
		in.Slopes, in.Biases = make([]float64, in.Count+1), make([]float64, in.Count+1)
	case "vanish":
		in.Slopes, in.Biases = []float64{0.5 / k, 0.1 / k}, []float64{-0.3, -0.1}
	}
	in.kind = kind
	in.solve(r)
	return in
}

// afterSecondStep draws slopes αψ(b)·rate/k² and biases β/k², with mirrors.
func afterSecondStep(r *rand.Rand, k, neurons int, rate float64) (slopes, biases []float64) {
	size := float64(k * k)
	gate := truncated.Smooth(math.Pow(float64(k), -1.5))
	for range neurons {
		b := r.NormFloat64() / size
		slope := rate * r.NormFloat64() * gate.Slope(b) / size
		slopes, biases = append(slopes, slope, -slope), append(biases, b, b)
	}
	return slopes, biases
}

// solve finds the smallest loss over the patterns on A, each feature scaled to size 1, and whether the rank is k + 1:
// the smallest of k + 1 singular values above 10⁻³ of the largest.
func (in *layer) solve(r *rand.Rand) {
	k := in.Count
	rows := k + 1
	if in.kind == "misaligned" {
		rows = 1 << k
	}
	p := hinge.Problem{Features: mat.NewDense(rows, len(in.Slopes), nil), Y: make([]float64, rows), P: make([]float64,
		rows)}
	pattern := data.Uniform(k, in.Uniform)
	for a, probability := range pattern {
		row := ones(a)
		if in.kind == "misaligned" {
			row = a
		}
		p.P[row] += probability
		p.Y[row] = float64(2*(ones(a)%2) - 1)
		if in.kind == "majority" {
			p.Y[row] = math.Copysign(1, float64(ones(a))-float64(k)/2)
		}
	}
	hard := truncated.Smooth(0)
	for i := range in.Slopes {
		largest := 0.0
		var own []float64
		for range k {
			own = append(own, r.NormFloat64()/float64(k))
		}
		for row := range rows {
			z := in.Slopes[i]*(float64(row)-float64(k)/2) + in.Biases[i]
			if in.kind == "misaligned" {
				z = 0.1
				for j, w := range own {
					z += w * (float64(row>>j&1) - 0.5)
				}
			}
			value := hard.Value(z)
			largest = max(largest, value)
			p.Features.Set(row, i, value)
		}
		for row := range rows {
			if largest > 0 {
				p.Features.Set(row, i, p.Features.At(row, i)/largest)
			}
		}
	}
	var svd mat.SVD
	if svd.Factorize(p.Features, mat.SVDNone) {
		s := svd.Values(nil)
		in.rank = len(s) > k && s[k] > 1e-3*s[0]
		if len(s) > 1 && s[0] > 0 {
			in.apart = s[1] / s[0]
		}
	}
	in.Loss = math.NaN()
	if vertex, err := p.Vertex(); err == nil {
		in.Loss, in.err = vertex.Loss, in.within(vertex, rows)
	}
}

// within bounds the distance of a vertex from the smallest loss λ or 0 on so many inputs, m.
//
// Elimination with partial pivoting solves a system whose matrix is off by ε = 3m³·2^(m−1)(2+√m)u, for rows of which
// the absolute values add up to 2+√m (Higham, theorem 9.5, with the growth 2^(m−1) that none exceeds). So the dual π at
// the end, |πᵢ| ≤ pᵢ + τ, violates its conditions by at most τ = 10⁻¹² + 2ε + 2mu. At a predictor of this smallest loss
// |f| ≤ 1 and ‖w‖₁ ≤ m, and Σπᵢ ≤ loss + 3mτ. With X the size of the vertex, and r its distance from the equations and
// the signs, its loss is Σπᵢ up to τX + 2r, and no predictor's loss exceeds it by more than 3r, which is measured to
// (2m+4)u(1+X). The scalar product is off by muX, the probabilities by (2ᵏ+m)u.
//
// Of two directions, which the singular value decomposition finds for a matrix that is off by 100mnu of its largest
// singular value, the space of n features is off by that over their second one: so much times ‖f‖ + ‖w‖ ≤ √m + X.
func (in layer) within(v hinge.Vertex, inputs int) float64 {
	const unit = 0x1p-53
	m, n := float64(inputs), float64(len(in.Slopes))
	epsilon := 3 * m * m * m * math.Ldexp(1, inputs-1) * (2 + math.Sqrt(m)) * unit
	tau := hinge.SimplexTolerance + 2*epsilon + 2*m*unit
	err := tau*(3*m+v.Size) + 3*(v.Off+(2*m+4)*unit*(1+v.Size)) + (m*v.Size+math.Ldexp(1, in.Count)+m)*unit
	if !in.rank && in.apart > 0 {
		err += 100 * m * n * unit / in.apart * (math.Sqrt(m) + v.Size)
	}
	return err
}

func judgeLayer(r *props.Record, in layer, claimed string) {
	b := theory.Bent{Count: in.Count, Slopes: in.Slopes, Biases: in.Biases}
	want := math.NaN()
	switch {
	case in.kind == "vanish":
		want = 1
		r.Regime("all features vanish")
	case in.rank:
		want = 0
		r.Regime("rank k + 1")
	case b.Kinks() == 0 && in.Count > 1:
		r.Regime("no kink")
		if r.Declines("smallest loss", in.apart, 1e-6) { // one feature twice has another optimum
			return
		}
		want = theory.PolynomialOptimum(in.Count, 1, in.Uniform)
	}
	switch claimed {
	case "zero":
		want = 0
	case "lambda":
		want = in.Uniform
	}
	if !math.IsNaN(want) {
		r.WithinScale("smallest loss", in.Loss, want, 1, in.err)
	}
}

// kinkDraws is how many neurons are drawn for the share of kinks.
const kinkDraws = 100000

// countKinks counts the neurons whose lower kink lies in (0, k).
func countKinks(r *rand.Rand, k int, rate float64) int {
	gate, size, n := truncated.Smooth(math.Pow(float64(k), -1.5)), float64(k*k), 0
	for range kinkDraws {
		b := r.NormFloat64() / size
		slope := rate * r.NormFloat64() * gate.Slope(b) / size
		if math.Abs(b) < math.Abs(slope)*float64(k)/2 {
			n++
		}
	}
	return n
}

// fitLayer draws neurons at a user's parameters, before and after a step of the size.
func fitLayer(t *props.Trial, v values.Values) (map[string]float64, error) {
	k, m := v.Int("k"), v.Int("m")
	if k > 9 || m > 500 {
		return nil, fmt.Errorf("k=%d, m=%d cannot be simulated: the programme is solved for k at most 9 and m at most 500",
			k, m)
	}
	after := layer{Count: k, Uniform: v.Float("uniform")}
	after.Slopes, after.Biases = afterSecondStep(t.Rand, k, m, v.Float("rate"))
	after.solve(t.Rand)
	before := layer{Count: k, Uniform: v.Float("uniform")}
	before.Slopes, before.Biases = afterSecondStep(t.Rand, k, m, 1e-6)
	before.solve(t.Rand)
	return map[string]float64{"kinks": float64(countKinks(t.Rand, k, v.Float("rate"))) / kinkDraws, "before": before.Loss,
		"after": after.Loss}, nil
}
