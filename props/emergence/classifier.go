package emergence

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/hinge"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// classifier pairs the smallest loss on aligned neurons with linear programmes, and the share of kinks with draws.
var classifier = props.Spec{
	Statement: &theory.Classifier,
	Checks: []props.Check{
		props.Drawn[layer, layerClaim]{
			Name:       "the smallest loss",
			Cases:      props.Scale{Quick: 40, Standard: 200, Deep: 3000},
			Replicates: 2,
			Regimes:    []string{"rank k + 1", "no kink", "all features vanish"},
			Draw: func(t *props.T) layer {
				in, r := drawCount(t), t.Stream("layer")
				switch in.kind {
				case "full":
					in.Slopes, in.Biases = afterSecondStep(r, in.Count, 60, 1)
				case "affine":
					in.drawAffine(r)
				case "vanish":
					k := float64(in.Count)
					in.Slopes, in.Biases = []float64{0.5 / k, 0.1 / k}, []float64{-0.3, -0.1}
				}
				in.solve(in.aligned())
				return in
			},
			Claim: layer.smallest,
			Judge: judgeLayer,
			// Fewer than 10⁻⁴ of the pairs of features agree to 10⁻⁶: slope over bias has a density below 5.
			Declined: map[string]float64{"smallest loss": 1e-4},
			Proven: map[string]string{"smallest loss": "backward errors of the elimination with any growth, the size and " +
				"the residual of the vertex, and how far the features are from dependent"},
			Coarse: map[string]string{"smallest loss": "0 is claimed, of which an error relative to 1 is taken"},
			Controls: []props.Wrong[layer, layerClaim]{
				{Name: "every bit with a weight of its own", Assumption: "aligned", Draw: drawMisaligned, Claim: zero},
				{Name: "the label of the majority", Assumption: "parity", Draw: drawMajority, Claim: allLambda},
				{Name: bent, Assumption: "affine", Draw: drawBent, Claim: allLambda},
				{Name: "three features", Assumption: "rank", As: bent, Claim: zero},
				{Name: "0 whenever two features are independent", Claim: zero,
					Draw: func(t *props.T) layer {
						in := drawSeveral(t, "affine")
						in.drawAffine(t.Stream("layer"))
						in.solve(in.aligned())
						return in
					}},
				{Name: "λ with rank k + 1", Claim: allLambda,
					Draw: func(t *props.T) layer {
						in := drawSeveral(t, "full")
						in.Slopes, in.Biases = afterSecondStep(t.Stream("layer"), in.Count, 60, 1)
						in.solve(in.aligned())
						return in
					}},
			},
		},
		props.Grid[int, int, kinksClaim]{
			Name:    "where the kinks are",
			Cells:   func(props.Effort) []int { return []int{3, 5, 7, 9} },
			Measure: func(t *props.Trial, k int) int { return countKinks(t.Rand, k, 1) },
			Claim:   func(k int) float64 { return theory.KinkShare(k, 1) },
			Judge: func(r *props.Record, k, kinks int, claim kinksClaim) {
				share := claim(k)
				margin := stat.ProportionMargin(share, kinkDraws, stat.CriterionAlpha, stat.CriterionUndecided)
				r.EqualsAbsolutely("share of kinks", stat.Proportion(kinks, kinkDraws, stat.CriterionAlpha), share, margin)
			},
			Replicates: 2,
			Controls: []props.WrongCell[int, int, kinksClaim]{
				{Name: "a second step of 1/2",
					Measure: func(t *props.Trial, k int) int { return countKinks(t.Rand, k, 0.5) }},
				{Name: "half of the share", Instead: func(k int) float64 { return theory.KinkShare(k, 1) / 2 }},
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
	rank  bool    // k + 1, clear of rounding
	apart float64 // ratio of the second to the first singular value of the features, 0 for one feature
	err   float64 // bound on the error of the loss
}

const bent = "two features with a kink, three in all"

// layerClaim returns the smallest loss on a layer, or NaN where nothing is claimed.
type layerClaim func(layer) float64

func zero(c *layerClaim) { *c = func(layer) float64 { return 0 } }

func allLambda(c *layerClaim) { *c = func(in layer) float64 { return in.Uniform } }

// smallest returns 1 if all features vanish, 0 at rank k + 1, λ if no feature has a kink, and NaN otherwise.
func (in layer) smallest() float64 {
	switch in.regime() {
	case "all features vanish":
		return 1
	case "rank k + 1":
		return 0
	case "no kink":
		return theory.PolynomialOptimum(in.Count, 1, in.Uniform)
	}
	return math.NaN()
}

// regime returns the case of the statement, or "" if none applies.
func (in layer) regime() string {
	switch {
	case in.kind == "vanish":
		return "all features vanish"
	case in.rank:
		return "rank k + 1"
	case in.Count > 1 && theory.Bent{Count: in.Count, Slopes: in.Slopes, Biases: in.Biases}.Kinks() == 0:
		return "no kink"
	}
	return ""
}

// kinksClaim returns the share of neurons with a kink among the inputs.
type kinksClaim func(k int) float64

// drawCount draws a law and a kind of layer: with the source's scales after the second step, with all kinks outside the
// inputs, or with features that vanish.
func drawCount(t *props.T) layer {
	kind := rapid.SampledFrom([]string{"full", "full", "affine", "affine", "vanish"}).Draw(t.T, "kind")
	return layer{kind: kind, Count: 2*rapid.IntRange(0, 4).Draw(t.T, "(k−1)/2") + 1,
		Uniform: rapid.Float64Range(0, 1).Draw(t.T, "λ")}
}

// drawSeveral draws a law with at least five bits and with λ away from 0 and 1.
func drawSeveral(t *props.T, kind string) layer {
	in := drawCount(t)
	in.kind, in.Count, in.Uniform = kind, max(5, in.Count), 0.2+0.6*in.Uniform
	return in
}

// drawAffine appends two to six features without kinks among the inputs.
func (in *layer) drawAffine(r *rand.Rand) {
	k := float64(in.Count)
	for range 2 + r.IntN(5) {
		slope := (2*r.Float64() - 1) / k
		reach := math.Abs(slope) * k / 2
		in.Slopes = append(in.Slopes, slope)
		in.Biases = append(in.Biases, reach+(1-2*reach)*(0.05+0.9*r.Float64()))
	}
}

func drawMajority(t *props.T) layer {
	in := drawSeveral(t, "majority")
	in.drawAffine(t.Stream("layer"))
	at := in.aligned()
	at.label = func(pattern int) float64 { return math.Copysign(1, float64(ones(pattern))-float64(in.Count)/2) }
	in.solve(at)
	return in
}

func drawBent(t *props.T) layer {
	in, r := drawSeveral(t, "bent"), t.Stream("layer")
	in.drawAffine(r)
	k := float64(in.Count)
	in.Slopes = []float64{0.5 / k, 1 / k, -1 / k}
	in.Biases = []float64{0.5, 0.3 * r.Float64() / k, 0.3 * r.Float64() / k}
	in.solve(in.aligned())
	return in
}

// drawMisaligned draws features of the pattern rather than of the count, with a weight of its own for each bit.
func drawMisaligned(t *props.T) layer {
	in, r := drawSeveral(t, "misaligned"), t.Stream("layer")
	in.Count = 3
	in.Slopes, in.Biases = make([]float64, in.Count+1), make([]float64, in.Count+1)
	at := in.aligned()
	at.rows, at.row = 1<<in.Count, func(pattern int) int { return pattern }
	at.feature = func(int) func(row int) float64 {
		var own []float64
		for range in.Count {
			own = append(own, r.NormFloat64()/float64(in.Count))
		}
		return func(row int) float64 {
			z := 0.1
			for j, w := range own {
				z += w * (float64(row>>j&1) - 0.5)
			}
			return z
		}
	}
	in.solve(at)
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

// arrangement is how patterns on A become rows of a programme, with their labels and the pre-activations of features.
type arrangement struct {
	rows    int
	row     func(pattern int) int
	label   func(pattern int) float64
	feature func(i int) func(row int) float64
}

// aligned returns one row for each count of ones, which is all that a feature sees, with the parity as label.
func (in *layer) aligned() arrangement {
	return arrangement{
		rows:  in.Count + 1,
		row:   ones,
		label: func(pattern int) float64 { return float64(2*(ones(pattern)%2) - 1) },
		feature: func(i int) func(row int) float64 {
			return func(row int) float64 {
				return in.Slopes[i]*(float64(row)-float64(in.Count)/2) + in.Biases[i]
			}
		},
	}
}

// solve scales each feature to size 1, finds the smallest loss over the patterns on A, and decides whether the rank is
// k + 1: the smallest of k + 1 singular values must exceed 10⁻³ of the largest.
func (in *layer) solve(at arrangement) {
	k, rows := in.Count, at.rows
	p := hinge.Problem{Features: mat.NewDense(rows, len(in.Slopes), nil), Y: make([]float64, rows), P: make([]float64,
		rows)}
	for pattern, probability := range data.Uniform(k, in.Uniform) {
		row := at.row(pattern)
		p.P[row] += probability
		p.Y[row] = at.label(pattern)
	}
	hard := truncated.Smooth(0)
	for i := range in.Slopes {
		largest, z := 0.0, at.feature(i)
		for row := range rows {
			value := hard.Value(z(row))
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

// within bounds the difference between the loss of a vertex and the smallest loss, if that is λ or 0, for m inputs.
//
// Elimination with partial pivoting solves a system whose matrix is off by ε = 3m³·2^(m−1)(2+√m)u if the absolute
// values in a row add up to at most 2+√m (Higham, theorem 9.5, with the largest possible growth, 2^(m−1)). So the dual
// π at the end, |πᵢ| ≤ pᵢ + τ, violates its conditions by at most τ = 10⁻¹² + 2ε + 2mu. At a predictor with this
// smallest loss |f| ≤ 1 and ‖w‖₁ ≤ m, and Σπᵢ ≤ loss + 3mτ. Let X be the size of the vertex, and r its distance from
// the equations and the signs. Its loss is Σπᵢ up to τX + 2r, and no predictor's loss exceeds it by more than 3r, which
// is measured to (2m+4)u(1+X). The scalar product is off by muX, the probabilities by (2ᵏ+m)u.
//
// Where the features span two directions, the singular value decomposition is exact for a matrix that is off by 100mnu
// times its largest singular value. The space of n features is then off by 100mnu over the ratio of the second singular
// value to the first, times ‖f‖ + ‖w‖ ≤ √m + X.
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

func judgeLayer(r *props.Record, in layer, claim layerClaim) {
	if regime := in.regime(); regime != "" {
		r.Regime(regime)
		if regime == "no kink" && r.Declines("smallest loss", in.apart, 1e-6) { // equal features have another optimum
			return
		}
	}
	if want := claim(in); !math.IsNaN(want) {
		r.WithinScale("smallest loss", in.Loss, want, 1, in.err)
	}
}

// kinkDraws is the number of neurons drawn to estimate the share of kinks.
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

// fitLayer draws neurons at a user's parameters, and fits them before and after a step.
func fitLayer(t *props.Trial, v statement.Values) (map[string]float64, error) {
	k, m := v.Int("k"), v.Int("m")
	t.Need(k <= 9 && m <= 500,
		"k=%d, m=%d cannot be simulated: the programme is solved for k at most 9 and m at most 500", k, m)
	loss := func(rate float64) float64 {
		l := layer{Count: k, Uniform: v.Float("uniform")}
		l.Slopes, l.Biases = afterSecondStep(t.Rand, k, m, rate)
		l.solve(l.aligned())
		return l.Loss
	}
	after, before := loss(v.Float("rate")), loss(1e-6)
	return map[string]float64{"kinks": float64(countKinks(t.Rand, k, v.Float("rate"))) / kinkDraws, "before": before,
		"after": after}, nil
}
