package claims

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	"github.com/thm-suite/thm/theory"
)

// spike is the transition of Baik, Ben Arous and Péché for a symmetric matrix.
var spike = props.Spec{
	Statement: &theory.Statement{
		Slug: "four/spike", Title: "A spike leaves the bulk", Kind: theory.Limit, Standing: theory.Theorem,
		Plain:   "A rank-one spike stronger than the noise moves the largest eigenvalue of a random matrix out of its bulk.",
		Setting: "θvvᵀ + W with |v| = 1 and symmetric W, entries of variance 1/n.",
		Params: []theory.Param{{Name: "theta", Symbol: "θ", Meaning: "strength of the spike", Domain: theory.Above(1),
			Default: "2"}},
		Claim: "For θ > 1 the largest eigenvalue tends to θ + 1/θ and the squared overlap of its vector with v to 1 − 1/θ².",
		TeX:   `\lambda_1 \to \theta + 1/\theta, \quad \langle u, v \rangle^2 \to 1 - 1/\theta^2`,
		Assumptions: []theory.Assumption{
			{ID: "variance", Text: "the entries have variance 1/n"},
			{ID: "unit", Text: "|v| = 1"},
		},
		Source: theory.Source{Paper: "F. Benaych-Georges, R. Nadakuditi: The eigenvalues and eigenvectors of finite, low rank " +
			"perturbations", ArXiv: "0910.2120", Version: "v3", Year: 2011, Locus: "Section 3.1"},
		Proof:     "In the source.",
		Tolerance: "Intervals of medians, with the margin that makes an undecided verdict rare, and the bias at n = 80.",
		Limits:    "n = 80, θ = 2, and θ from 1 to 2 for the overlap.",
		Predict: func(v theory.Values) []theory.Quantity {
			theta := v.Float("theta")
			return []theory.Quantity{
				{Name: "largest", Symbol: "λ₁", Value: outlier(theta), Meaning: "largest eigenvalue"},
				{Name: "overlap", Symbol: "⟨u, v⟩²", Value: 1 - 1/(theta*theta), Meaning: "squared overlap"},
			}
		},
	},
	Try: &props.Simulation{
		Params: []theory.Param{{Name: "n", Symbol: "n", Meaning: "order of the matrix",
			Domain: theory.IntegerBetween(2, 400), Default: "80"}},
		Run: func(t *props.Trial, v theory.Values) (map[string]float64, error) {
			largest, overlap := top(drawNoise(t, v.Int("n"), 1), v.Float("theta"))
			return map[string]float64{"largest": largest, "overlap": overlap}, nil
		},
	},
	Checks: []props.Check{props.Grid[int, spiked, spikeClaim]{
		Name: "outlier and place", Cells: props.Scale{Quick: 96, Standard: 200, Deep: 4000}.Indices,
		Measure: func(t *props.Trial, _ int) spiked { return measureSpike(t, 1, 1) },
		Claim:   spikeClaim{largest: outlier(2), half: math.Sqrt2},
		Conclude: func(r *props.Record, _ []int, all []spiked, c spikeClaim) {
			var largest, places []float64
			for _, m := range all {
				largest, places = append(largest, m.Largest/c.largest), append(places, m.Half)
			}
			// λ₁ deviates by √(2(1 − 1/θ²)/n) = 0.14, and is 0.02 too small at n = 80.
			props.Limit{Name: "largest eigenvalue at θ = 2, over its limit", SD: 0.06, Bias: 0.01}.Judge(r, largest, 1)
			half := stat.Median(places, stat.CriterionAlpha)
			margin := stat.MedianMargin(stat.NormalTail, 0.14, len(places), stat.CriterionAlpha, stat.CriterionUndecided)
			r.Place("θ at which the squared overlap is 1/2", half, c.half, 0.02+margin)
		},
		Controls: []props.WrongCell[int, spiked, spikeClaim]{
			{Name: "entries of variance 4/n", Assumption: "variance",
				Measure: func(t *props.Trial, _ int) spiked { return measureSpike(t, 2, 1) }},
			{Name: "|v| = √2", Assumption: "unit", Criterion: "θ at which the squared overlap is 1/2",
				Measure: func(t *props.Trial, _ int) spiked { return measureSpike(t, 1, 2) }},
			{Name: "λ₁ → θ", Criterion: "largest eigenvalue at θ = 2, over its limit",
				Claim: func(c *spikeClaim) { c.largest = 2 }},
			{Name: "1/2 at θ = 2", Criterion: "θ at which the squared overlap is 1/2",
				Claim: func(c *spikeClaim) { c.half = 2 }},
		},
		Coarse: map[string]string{"largest eigenvalue at θ = 2, over its limit": "an example of 96 small matrices",
			"θ at which the squared overlap is 1/2": "an example of 96 small matrices"},
	}},
}.Claim()

func outlier(theta float64) float64 { return theta + 1/theta }

// spikeClaim is the largest eigenvalue at θ = 2, and where the squared overlap is 1/2.
type spikeClaim struct{ largest, half float64 }

// spiked holds the measurements of one matrix.
type spiked struct{ Largest, Half float64 }

// measureSpike multiplies the entries and the strength θ of the spike by factors.
func measureSpike(t *props.Trial, entries, strength float64) spiked {
	const n = 80
	noise := drawNoise(t, n, entries)
	var thetas, overlaps []float64
	for _, theta := range []float64{0, 1, 1.25, 1.5, 1.75, 2, 3, 4.5} {
		_, overlap := top(noise, strength*theta)
		thetas, overlaps = append(thetas, theta), append(overlaps, overlap)
	}
	largest, _ := top(noise, 2*strength)
	return spiked{largest, stat.Crossing(thetas, overlaps, 0.5)}
}

// drawNoise draws a symmetric matrix.
func drawNoise(t *props.Trial, n int, entries float64) *mat.SymDense {
	w := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			w.SetSym(i, j, entries*t.Rand.NormFloat64()/math.Sqrt(float64(n)))
		}
	}
	return w
}

// top returns the largest eigenvalue of a matrix with a spike along the first coordinate, and the squared overlap.
func top(noise *mat.SymDense, theta float64) (largest, overlap float64) {
	m := mat.NewSymDense(noise.SymmetricDim(), nil)
	m.CopySym(noise)
	m.SetSym(0, 0, m.At(0, 0)+theta)
	var e mat.EigenSym
	e.Factorize(m, true)
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	last := noise.SymmetricDim() - 1
	return e.Values(nil)[last], math.Pow(vectors.At(0, last), 2)
}
