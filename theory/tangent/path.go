package tangent

import (
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/theory"
)

// Path is the claim tangent/path: a trained network is linear in averaged tangent features.
var Path = theory.Statement{
	Slug:  "tangent/path",
	Title: "A trained network is linear in its averaged tangent features",
	Plain: "A trained network's change of output is exactly linear in its parameters' change, with gradients " +
		"averaged along the segment from start to end.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "A network f_θ(x) with one output, continuous and piecewise differentiable in θ, and the segment θ_t = " +
		"(1−t)θ₀ + tθ₁. f̄(x) = ∫₀¹ ∇_θ f_{θ_t}(x) dt, K̄ the kernel of f̄, K_t the kernel of ∇_θ f_{θ_t}, and g(t) the " +
		"derivative of f_{θ_t}(x) along the segment. A quadrature rule is a set of nodes in [0, 1] with positive weights " +
		"that add up to 1.",
	Params: []theory.Param{
		{Name: "w0", Symbol: "w₀", Meaning: "first weight of f = a·w·x at the start", Domain: theory.Between(-100, 100),
			Default: "1"},
		{Name: "w1", Symbol: "w₁", Meaning: "first weight at the end", Domain: theory.Between(-100, 100), Default: "3"},
		{Name: "a0", Symbol: "a₀", Meaning: "second weight at the start", Domain: theory.Between(-100, 100),
			Default: "2"},
		{Name: "a1", Symbol: "a₁", Meaning: "second weight at the end", Domain: theory.Between(-100, 100),
			Default: "1"},
		{Name: "nodes", Symbol: "T", Meaning: "nodes of the plain mean", Domain: theory.IntegerBetween(2, 1000),
			Default: "50"},
	},
	Claim: "$⟨f̄(x), θ₁ − θ₀⟩ = f_{θ₁}(x) − f_{θ₀}(x)$. With n intervals the error of the midpoint rule is (g'(1) − " +
		"g'(0))/24n² to leading order, and that of the trapezoidal rule is −2 times as much. The error of the plain mean " +
		"over T points that include both ends is exactly ((g(0)+g(1))/2 − ∫g)/T plus (T−1)/T times the trapezoidal error. " +
		"For every rule the averaged kernel is at most the average of the kernels: Σ wₖK_{tₖ} − K̄ is positive " +
		"semidefinite; it is the covariance of the features along the path.",
	TeX: `\langle \bar f(x), \theta_1 - \theta_0 \rangle = f_{\theta_1}(x) - f_{\theta_0}(x), \qquad ` +
		`\bar f(x) = \int_0^1 \nabla_\theta f_{\theta_t}(x) \, dt, \qquad \bar K \preceq \int_0^1 K_t \, dt`,
	Assumptions: []theory.Assumption{
		{ID: "average", Text: "features are averaged over the whole segment"},
		{ID: "straight", Text: "θ₁ − θ₀ is the step along the segment over which features are averaged"},
		{ID: "smooth", Text: "the activations are smooth (for the orders of the rules)",
			NoControl: "with kinks the order is 1 and has no constant"},
	},
	Source: paper.At("averaged tangent features, and the authors' code"),
	Deviations: "Printed: the trained network is linear in features averaged along the path. The identity is the " +
		"fundamental theorem of calculus; the orders and constants of the rules are derived here. The authors' code takes " +
		"the plain mean over 50 points that include both ends.",
	Proof: "d/dt f_{θ_t}(x) = ⟨∇f_{θ_t}(x), θ₁−θ₀⟩, integrated; f is absolutely continuous along the segment also " +
		"where activations have kinks. The rules follow from the Euler–Maclaurin formula; T times the plain mean is " +
		"T−1 times the trapezoidal sum and half of both ends. The covariance of the features under the weights of " +
		"the rule is Σ wₖφₖφₖᵀ − φ̄φ̄ᵀ.",
	Tolerance: "Adaptive quadrature stops where halving an interval changes the integral by less than 10⁻¹² of its " +
		"length; the error of an integral is at most the sum of these changes. Leading constants are extrapolated from n = " +
		"64 and 128; the remaining error is a fifteenth of the difference from the extrapolation of n = 32 and 64. The " +
		"plain mean and the order of kernels hold up to rounding.",
	Limits: "Networks of up to four layers of up to six units. Nothing is said about the difference between f̄ and the " +
		"features at the start; tangent/ladder measures its effect on the kernel.",
	RestsOn: []string{"tangent/gradient"},
	Predict: func(v theory.Values) []theory.Quantity {
		w0, w1, a0, a1 := v.Float("w0"), v.Float("w1"), v.Float("a0"), v.Float("a1")
		dw, da := w1-w0, a1-a0
		ends := (a0*dw + w0*da + a1*dw + w1*da) / 2
		change := a1*w1 - a0*w0
		return []theory.Quantity{
			{Name: "change", Symbol: "f₁ − f₀", Value: change, Meaning: "change of f = a·w·x at x = 1"},
			{Name: "plain", Symbol: "T·error", Value: ends - change,
				Meaning: "T times the error of the plain mean: 0, since the derivative is linear in t"},
		}
	},
}

// PlainMeanError returns T times the error of the plain mean over T points that include both ends, from the derivatives
// g at both ends, the integral and the error of the trapezoidal rule on the same points.
func PlainMeanError(first, last, integral, trapezoid float64, points int) float64 {
	return (first+last)/2 - integral + float64(points-1)*trapezoid
}

// MidpointConstant returns the leading constant of n² times the error of the midpoint rule, from g' at both ends; that
// of the trapezoidal rule is −2 times it.
func MidpointConstant(first, last float64) float64 { return (first - last) / 24 }

// Covariance returns the weighted covariance matrix of the features at the nodes of a rule (n×n), from its definition.
func Covariance(features []*mat.Dense, weights []float64) *mat.Dense {
	n, p := features[0].Dims()
	mean, out := mat.NewDense(n, p, nil), mat.NewDense(n, n, nil)
	for k, phi := range features {
		mean.Add(mean, algebra.Scaled(weights[k], phi))
	}
	for k, phi := range features {
		centred := algebra.Difference(phi, mean)
		out.Add(out, algebra.Scaled(weights[k], algebra.Product(centred, centred.T())))
	}
	return out
}

// Along returns the networks at the nodes of the midpoint rule on the segment from p to another network of its shape.
func (p Perceptron) Along(end Perceptron, nodes int) []Perceptron {
	out := make([]Perceptron, nodes)
	for k := range out {
		t := (float64(k) + 0.5) / float64(nodes)
		out[k] = Perceptron{Biases: make([][]float64, len(p.Biases)), Activations: p.Activations}
		for l, w := range p.Weights {
			between := algebra.Sum(algebra.Scaled(1-t, w), algebra.Scaled(t, end.Weights[l]))
			out[k].Weights = append(out[k].Weights, between)
			for i, b := range p.Biases[l] {
				out[k].Biases[l] = append(out[k].Biases[l], (1-t)*b+t*end.Biases[l][i])
			}
		}
	}
	return out
}

// AveragedFeatures returns the mean of the gradients of networks of one shape at x: for each layer the weights, row by
// row, and then the biases.
func AveragedFeatures(along []Perceptron, x []float64) []float64 {
	var mean []float64
	for _, p := range along {
		at := 0
		add := func(gradient float64) {
			if at == len(mean) {
				mean = append(mean, 0)
			}
			mean[at] += gradient / float64(len(along))
			at++
		}
		inputs, gradients := p.sides(x)
		for l, h := range inputs {
			for _, d := range gradients[l] {
				for _, input := range h {
					add(d * input)
				}
			}
			if p.Biases[l] != nil {
				for _, d := range gradients[l] {
					add(d)
				}
			}
		}
	}
	return mean
}
