package emergence

import (
	"cmp"
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Sampling is the claim emergence/sampling: the distance of sampled steps from the effective feature.
var Sampling = theory.Statement{
	Slug:  "emergence/sampling",
	Title: "With n samples per step, every neuron is at an angle with tan² = ρσ̃²(1−v)/(nkγ²) to the effective feature",
	Plain: "With n samples per step, the tangent of each neuron's angle to the relevant direction " +
		"asymptotically falls as n^(−1/2), with a known constant.",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "Parity of the k bits in A, k odd, under D_A(λ), λ < 1. A paired network with w ~ N(0, k^(−2)I), noise " +
		"k^(−3/2) and λ_w = 1/(2η) takes two steps of gradient descent on the hinge loss, each over n fresh samples, " +
		"the first with a small η₁. u = Σ_A Mⱼ/√k, v = Var⟨u,x⟩.",
	Params: []theory.Param{
		hiddenBits(1, 1e6, "100"), relevantBits(1, 99, "5"), background, uniformBelowOne, samplesPerStep,
	},
	Claim: "The angle θ between w and u has $tan² θ = ρσ̃²(1−v)/(nkγ²)·(1 + o(1))$ in probability as D → ∞ with k, λ " +
		"and p_o fixed and nkγ²/σ̃² bounded away from 0. In the first step, for which nkγ²/σ̃² must also be of a " +
		"smaller order than D, $ρ = E[ψ(z)²]/E[ψ(z)]²$ with z the neuron's pre-activation; in the second step ρ = 1.",
	TeX: `\tan^2 \theta = \frac{\rho \, \tilde\sigma^2 (1 - v)}{n k \gamma^2} (1 + o(1)), \quad \rho_1 = ` +
		`\frac{E[\psi(z)^2]}{E[\psi(z)]^2}, \quad \rho_2 = 1`,
	Assumptions: []theory.Assumption{
		{ID: "structured", Text: "γ > 0"},
		{ID: "forgetting", Text: "λ_w = 1/(2η) in both steps"},
		{ID: "paired", Text: "the network is 0 before the first step"},
		{ID: "fresh", Text: "the samples of a step are independent, and independent of the weights before it"},
		{ID: "small-first-step", Text: "η₁ is so small that the gate of the second step does not depend on the input"},
	},
	Source: paper.At("Lemmas 5 and 6 with the slides' step-wise emergence; sampled steps as in the experiments"),
	Deviations: "The source's lemmas are about population gradients. With samples the error of the lemmas is " +
		"dominated by sampling: cos > 0.99 after the second step needs n ≥ 4000 at D = 100, k = 5.",
	Proof: "A step's direction is the mean of yψ(z)x over the samples. By Lemma 5 its expectation is βγ√k/σ̃ along u, " +
		"up to the error of the population gradient. The tan² of that error is of the order 1/(k²D) after the first step, " +
		"which sampling exceeds until n is of the order D², and it vanishes with η₁ after the second. The part across u " +
		"has D − 1 components of the same order with total variance E[ψ²](1−v)/n, so its square is near its mean.",
	Tolerance: "The claim is compared with the median over runs. Across u, the squared noise has median 1 − " +
		"2/(3(D−k)) times its mean and a relative deviation of √(2/(D−k)). Along u the relative deviation is " +
		"√(vσ̃²/(nkγ²)), which moves the median by at most three times its square. In the first step ψ and x are not " +
		"independent: ‖x‖² varies with the number of ones outside A, and E[ψ²‖x‖²] departs from the product by the " +
		"correlation of that number with z, |Σq|/(√(D−k)‖q‖) outside A, times (1−2p_o)√(p_o(1−p_o)(D−k))/σ̃² and the " +
		"relative deviation of ψ², which is exact to leading order, as z and the number tend to a Gaussian pair. " +
		"Given the bits on A, which move z by δ, E[ψ²] is a function of δ whose second derivative is at most 2φ(1) " +
		"over the variance of the rest of z; E[δ⟨u,x⟩²] = 0 by symmetry, so that E[ψ²⟨u,x⟩²] departs from the " +
		"product by at most φ(1)E[δ²]/Var times k/(4σ̃²), and by the relative deviation of ψ² times k/(8σ̃²) by the " +
		"Cauchy–Schwarz inequality. The rest of the margin is for the interval of the median, by the mean square of " +
		"the deviations of the runs.",
	Limits: "D = 100 with 300 ≤ n < 600 and D = 400 with 600 ≤ n < 1200, at each the median over runs of k = 3, 5, " +
		"7, λ ≤ 1/2, p_o = 1/4 and 1/2; for the second step also k = 13, λ ≤ 1/8, p_o = 1/64, where v is near 2/3 " +
		"and 1/3. The rate at which the remainder falls is not tested, and a remainder that does not vanish is " +
		"detected only above the resolution. The scatter of one run, at least √(2/(D−k)), limits the resolution: at " +
		"the levels of a criterion the median of N runs resolves about 23√(2/(D−k)+4vσ̃²/(nkγ²))/√N, some 0.1 for " +
		"the 1680 runs at D = 100 and the 560 at D = 400 of standard effort, and 0.05 would take ten times as many. " +
		"One pair of neurons in each run: all neurons of a run share the noise of the samples.",
	Predict: func(v theory.Values) []theory.Quantity {
		d, k := directionOf(v), float64(v.Int("k"))
		first := d
		first.Rho = Rho(0, 1/k, math.Pow(k, -1.5))
		return theory.Limits("D → ∞", []theory.Quantity{
			{Name: "first", Symbol: "|cos| after step 1", Value: first.Cosine(), Meaning: "b = 0, ‖q‖ = √D/k"},
			{Name: "second", Symbol: "|cos| after step 2", Value: d.Cosine(),
				Meaning: "cosine of every neuron and the effective feature"},
		})
	},
	Violated: func(v theory.Values) error {
		m := mixtureOf(v)
		if err := m.Valid(); err != nil {
			return err
		}
		gamma, sigma := m.Covariance(), m.Deviation()
		if v.Float("n")*gamma*gamma > float64(m.Count)*float64(m.Dim)*sigma*sigma {
			return errors.New("emergence: nγ² ≤ kDσ̃²: with more samples the first step's true error is not negligible")
		}
		return nil
	},
	RestsOn: []string{"emergence/firststep", "emergence/secondstep"},
}

// Direction describes a sampled step on a mixture law.
type Direction struct {
	Mixture Mixture
	Samples int     // n
	Rho     float64 // ρ
}

// directionOf returns a step after which all neurons share a direction, for a user's parameters.
func directionOf(v theory.Values) Direction {
	return Direction{Mixture: mixtureOf(v), Samples: v.Int("n"), Rho: 1}
}

// Valid names the violated hypothesis.
func (d Direction) Valid() error {
	return cmp.Or(
		d.Mixture.Valid(),
		theory.Require(d.Samples >= 1 && d.Rho >= 1 && d.Mixture.Covariance() > 0, "emergence: n ≥ 1, ρ ≥ 1 and γ > 0"),
	)
}

// Along returns v = Var⟨u,x⟩ = Var(S)/(kσ̃²), with Var S = λk/4 + (1−λ)k²/4.
func (d Direction) Along() float64 {
	k, sigma := float64(d.Mixture.Count), d.Mixture.Deviation()
	return (d.Mixture.Uniform + (1-d.Mixture.Uniform)*k) / (4 * sigma * sigma)
}

// Tan2 returns ρσ̃²(1−v)/(nkγ²), NaN outside the hypotheses.
func (d Direction) Tan2() float64 {
	if d.Valid() != nil {
		return math.NaN()
	}
	sigma, gamma := d.Mixture.Deviation(), d.Mixture.Covariance()
	return d.Rho * sigma * sigma * (1 - d.Along()) / (float64(d.Samples) * float64(d.Mixture.Count) * gamma * gamma)
}

// Cosine returns 1/√(1 + tan²).
func (d Direction) Cosine() float64 { return 1 / math.Sqrt(1+d.Tan2()) }

// Dependence bounds the relative difference between E[ψ²‖x‖²] and E[ψ²]E‖x‖² across u, for weights q of length D, the
// indicator of A, and a gate with this bias, deviation of the pre-activation, and noise. It is NaN outside the
// hypotheses.
func (d Direction) Dependence(q, relevant []float64, bias, deviation, s float64) float64 {
	if d.Valid() != nil || len(q) != d.Mixture.Dim || len(relevant) != len(q) {
		return math.NaN()
	}
	sum, square, on, onSquare := 0.0, 0.0, 0.0, 0.0
	for j, x := range q {
		sum, square = sum+x*(1-relevant[j]), square+x*x*(1-relevant[j])
		on, onSquare = on+x*relevant[j], onSquare+x*x*relevant[j]
	}
	m, variance := d.Mixture, math.Pow(d.Mixture.Deviation(), 2)
	bits := m.Background * (1 - m.Background)
	_, open, _ := gateMoments(bias, deviation, s)
	scatter, length := Scatter(bias, deviation, s), 0.0
	along := scatter * float64(m.Count) / (8 * variance)
	if square > 0 { // √(D−k) of the correlation cancels that of the deviation
		length = scatter * math.Abs(sum) / math.Sqrt(square) * (1 - 2*m.Background) * math.Sqrt(bits) / variance
		moved := (m.Uniform*onSquare + (1-m.Uniform)*on*on) / (4 * bits * square) // by bits on A, in variances of the rest
		along = min(along, math.Exp(-0.5)/math.Sqrt(2*math.Pi)*moved*float64(m.Count)/(4*variance*open))
	}
	return (length + along) / (1 - d.Along())
}

// Scatter returns the standard deviation of ψ(z)² relative to its mean for z ~ N(bias, deviation²) and noise s > 0.
func Scatter(bias, deviation, s float64) float64 {
	_, second, fourth := gateMoments(bias, deviation, s)
	return math.Sqrt(max(0, fourth/(second*second)-1))
}

// Rho returns E[ψ(z)²]/E[ψ(z)]² for z ~ N(bias, deviation²) and noise s > 0.
func Rho(bias, deviation, s float64) float64 {
	first, second, _ := gateMoments(bias, deviation, s)
	return second / (first * first)
}

// gateMoments returns E[ψ(z)], E[ψ(z)²] and E[ψ(z)⁴] by the trapezoidal rule over nine deviations. ψ is the indicator
// of (0, 1) averaged over noise: in units of the deviation it has no feature narrower than s/deviation, and ψ⁴ none
// narrower than half of that. With spacing h the rule errs by exp(−2π²(width/h)²), which is 10⁻³⁴ with four points per
// s/deviation.
func gateMoments(bias, deviation, s float64) (first, second, fourth float64) {
	if !(s > 0) || !(deviation > 0) {
		return math.NaN(), math.NaN(), math.NaN()
	}
	half := math.Ceil(min(36*max(1, deviation/s), 1e6))
	for i := -half; i <= half; i++ {
		t := 9 * i / half
		weight, psi := math.Exp(-t*t/2)*9/half/math.Sqrt(2*math.Pi), Gate(bias+deviation*t, s)
		first, second, fourth = first+weight*psi, second+weight*psi*psi, fourth+weight*psi*psi*psi*psi
	}
	return first, second, fourth
}
