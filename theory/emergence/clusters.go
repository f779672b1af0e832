package emergence

import (
	"cmp"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Clusters is the claim emergence/clusters: classical scaling of neurons that collapse.
var Clusters = theory.Statement{
	Slug:  "emergence/clusters",
	Title: "After two steps, classical scaling shows two clusters of neurons, one for each sign of the output weight",
	Plain: "After two training steps, classical scaling of the neurons shows two clusters, separated by the " +
		"sign of the output weight.",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "Classical (Torgerson) scaling of vectors w₁, …, w_n by the dissimilarities 1 − cos(wᵢ, wⱼ). For " +
		"training: the setting of emergence/sampling, two steps over n fresh samples each, m paired neurons; u = Σ_A " +
		"Mⱼ/√k.",
	Params: []theory.Param{
		hiddenBits(1, 1e6, "100"), relevantBits(1, 99, "5"), background, uniformBelowOne, samplesPerStep,
		neurons(1, 1000, "30"),
	},
	Claim: "For n₊ positive and n₋ negative multiples of one vector, the only eigenvalues are 4n₊n₋/(n₊+n₋) and 0, and, " +
		"if neither number is 0, the coordinates are 2n₋/(n₊+n₋) and −2n₊/(n₊+n₋): two points at distance 2. The " +
		"dissimilarity of vectors at angles θᵢ, θⱼ from u or −u, θᵢ + θⱼ ≤ π, is at most 1 − cos(θᵢ+θⱼ) on the same side " +
		"and at least 1 + cos(θᵢ+θⱼ) on opposite sides. After two steps, at the sizes named below, the first coordinate of " +
		"every neuron has the sign that its output weight had before the second step, and the distance between the means " +
		"of the two sides is 2 up to 0.05. If only n₋ = 3 of the eight negative neurons are kept, the means are " +
		"2n₋/(n₊+n₋) and −2n₊/(n₊+n₋) up to 0.05. Before training, independent isotropic weights have $E|cos(wᵢ, wⱼ)| " +
		"= Γ(d/2)/(√π Γ((d+1)/2))$, about √(2/(πd)).",
	TeX: `E \left| \cos(w_i, w_j) \right| = \frac{\Gamma(d/2)}{\sqrt{\pi} \, \Gamma((d+1)/2)}, \qquad ` +
		`\lambda_1 = \frac{4 n_+ n_-}{n_+ + n_-}`,
	Assumptions: []theory.Assumption{
		{ID: "one-line", Text: "for the coordinates: all vectors lie on one line through 0, and none is 0"},
		{ID: "structured", Text: "for training: γ > 0"},
		{ID: "forgetting", Text: "for training: λ_w = 1/(2η) in both steps"},
		{ID: "noise", Text: "for training: noise is injected, so that no neuron is dead"},
		{ID: "isotropic", Text: "before training: the weights are independent and isotropic"},
	},
	Source: paper.At("feature-collapse figures, section 6 and slides"),
	Deviations: "The source shows a plot and does not say which scaling produced it. Two clusters show only that the " +
		"neurons lie on some line. The check therefore also measures the distance to u, which shows that the line is along " +
		"the effective feature. Without structure the neurons also collapse, but onto a random line. The second step moves " +
		"the output weights by some thousandths, so an output weight near 0 may then have changed its sign.",
	Proof: "With dissimilarities 0 and 2, −½JD²J is 4n₊n₋/n on the centred indicator of the two sides and 0 " +
		"elsewhere. Angles obey the triangle inequality on the sphere. The cosine of two independent isotropic " +
		"vectors is a coordinate of one that is uniform on the sphere. The sign is the sign of aᵢ because w = " +
		"−η∂L/∂w = ηaᵢΣTⱼMⱼ with a positive sum on A.",
	Tolerance: "A cosine in d dimensions errs by (2d+5)u, so that −½JD²J of n vectors errs by E = n(4(2d+5) + 20n)u, " +
		"each eigenvalue by E and the coordinates by 3E/√λ₁. A vector constructed from its angle has that angle up to " +
		"(3d/2+9)u and up to the component of its transverse direction along the line, so distances obey the bounds for " +
		"their angles up to 5(d+8)u and that component. The distance to a star is approximately a multiple of a χ² " +
		"variable with at least D − k degrees of freedom, divided by the square of the part along u, which deviates by " +
		"√(vσ̃²/(nkγ²)). The mean before training is over disjoint pairs, each with variance 1/d − (E|cos|)²: the interval " +
		"has 6.2 deviations, and so does the margin.",
	Limits: "Training at D = 60 and 120, k = 3 and 5, n = 50D, λ ≤ 1/2, eight neurons and their mirrors. Classical " +
		"scaling takes 1 − cos for a Euclidean distance; it is not one, but its square root is.",
	Predict: func(v theory.Values) []theory.Quantity {
		d := directionOf(v)
		c := Sides{Plus: v.Int("m"), Minus: v.Int("m")}
		near, far := c.Coordinates()
		return theory.Limits("D → ∞", []theory.Quantity{
			{Name: "before", Symbol: "E|cos|", Value: MeanCosine(v.Int("D")),
				Meaning: "of two neurons before training"},
			{Name: "star", Symbol: "1 − |cos(w, u)|", Value: 1 - d.Cosine(),
				Meaning: "to the nearer star after step 2"},
			{Name: "distance", Symbol: "2", Value: near - far, Meaning: "of the two clusters in the picture"},
			{Name: "eigenvalue", Symbol: "λ₁", Value: c.Eigenvalue(),
				Meaning: "of classical scaling without the stars"},
		}, "before", "distance", "eigenvalue")
	},
	Violated: func(v theory.Values) error {
		return cmp.Or(directionOf(v).Valid(), theory.Require(v.Int("D") >= 2, "emergence: D ≥ 2, or every cosine is ±1"))
	},
	RestsOn: []string{"emergence/sampling"},
}

// Sides counts the vectors along a line, by direction.
type Sides struct{ Plus, Minus int }

// Valid names the violated hypothesis.
func (s Sides) Valid() error {
	return theory.Require(s.Plus >= 0 && s.Minus >= 0 && s.Plus+s.Minus != 0,
		"emergence: the two sides have a vector at least and no negative number of them")
}

// Eigenvalue returns 4n₊n₋/(n₊+n₋), NaN outside the hypotheses.
func (s Sides) Eigenvalue() float64 {
	return theory.When(s.Valid() == nil, 4*float64(s.Plus)*float64(s.Minus)/float64(s.Plus+s.Minus))
}

// Coordinates returns the coordinates of the two sides, 2n₋/(n₊+n₋) and −2n₊/(n₊+n₋), and NaN outside the hypotheses.
func (s Sides) Coordinates() (plus, minus float64) {
	if s.Valid() != nil {
		return math.NaN(), math.NaN()
	}
	all := float64(s.Plus + s.Minus)
	return 2 * float64(s.Minus) / all, -2 * float64(s.Plus) / all
}

// Apart returns the bounds 1 − cos(θ₁+θ₂) within a side and 1 + cos(θ₁+θ₂) between the sides: NaN unless the angles are
// not negative and add up to at most π.
func Apart(first, second float64) (within, between float64) {
	sum := first + second
	if !(first >= 0 && second >= 0 && sum <= math.Pi) {
		return math.NaN(), math.NaN()
	}
	return 1 - math.Cos(sum), 1 + math.Cos(sum)
}

// MeanCosine returns Γ(d/2)/(√π Γ((d+1)/2)), NaN unless d ≥ 1.
func MeanCosine(d int) float64 {
	if d < 1 {
		return math.NaN()
	}
	above, _ := math.Lgamma(float64(d) / 2)
	below, _ := math.Lgamma(float64(d+1) / 2)
	return math.Exp(above-below) / math.Sqrt(math.Pi)
}
