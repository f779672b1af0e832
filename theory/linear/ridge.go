package linear

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Ridge is the claim linear/ridge.
var Ridge = theory.Statement{
	Slug:  "linear/ridge",
	Title: "Early-stopped gradient flow compared with ridge regression",
	Plain: "Least squares stopped at time t behaves like ridge regression with penalty 1/t, and its risk is at most " +
		"1.69 times as large.",
	Kind:     theory.Inequality,
	Standing: theory.Derivation,
	Setting: "y = Xb₀ + noise of variance σ², X n×p with rows for samples, Σ = XᵀX/n with eigenvalues s. Flow and " +
		"descent with step h start from 0 on (1/2n)‖y − Xb‖². Ridge is the minimum of (1/n)‖y − Xb‖² + λ‖b‖². Risks are " +
		"E‖b − b₀‖², or E‖X(b − b₀)‖²/n, for fixed X.",
	Params: []theory.Param{
		{Name: "t", Symbol: "t", Meaning: "time of the flow", Domain: theory.Inside(1e-9, 1e6), Default: "2"},
		{Name: "s", Symbol: "s", Meaning: "the only eigenvalue of Σ", Domain: theory.Between(0, 1e6), Default: "1"},
		{Name: "beta", Symbol: "b₀", Meaning: "coefficient", Domain: theory.Between(-1e6, 1e6), Default: "1"},
		{Name: "noise", Symbol: "σ²/n", Meaning: "noise", Domain: theory.Between(0, 1e6), Default: "0.5"},
		{Name: "X", Symbol: "X", Meaning: "inputs, one sample per row", Shape: "n×p"},
		{Name: "y", Symbol: "y", Meaning: "labels", Shape: "n"},
		{Name: "h", Symbol: "h", Meaning: "step size of descent, below 2 over the largest s"},
		{Name: "k", Symbol: "k", Meaning: "number of steps"},
		{Name: "b", Symbol: "b", Meaning: "coefficients after k steps from 0", Shape: "p"},
	},
	Claim: "Flow at time t is generalised ridge, $b(t) = (Σ + Λ)⁻¹Xᵀy/n$ with $Λ = Σ(e^{tΣ} − I)⁻¹$, or 1/t where Σ " +
		"is 0; k steps of descent multiply Xᵀy/n by (1 − (1−hs)ᵏ)/s in each direction. The risk of flow is at most " +
		"1.68591 times that of ridge with λ = 1/t, whatever Σ, b₀ and σ²; no smaller constant suffices. With λ = c/t " +
		"the smallest constant is 1.28519, at c = 0.578999. In the mean over b₀ of covariance (r²/p)I, with the best " +
		"λ = σ²p/(r²n) and t = 1/λ, the constant is 1.21466.",
	TeX: `b(t) = (\Sigma + \Lambda)^{-1} X^{\top} y / n, \quad \Lambda = \Sigma \left( e^{t\Sigma} - I \right)^{-1}`,
	Assumptions: []theory.Assumption{
		{ID: "zero", Text: "flow and descent start from 0"},
		{ID: "half", Text: "the loss of the flow carries 1/(2n), the loss of ridge 1/n"},
		{ID: "flow", Text: "the bounds are for the flow, or for many small steps"},
		{ID: "white", Text: "the noise is uncorrelated with variance σ²", NoControl: "correlated noise weighs the " +
			"directions differently, which leaves the constants as they are"},
	},
	Source: theory.Source{Paper: "After Ali, Kolter and Tibshirani, A continuous-time view of early stopping for least " +
		"squares", ArXiv: "1810.10082", Version: "abstract", Year: 2018, Locus: "constants 1.69 and 1.22, derived here"},
	Deviations: "The abstract has 1.69 and 1.22; the constants here are the suprema. That of λ = c/t is ours.",
	Proof: "In a direction with eigenvalue s and x = ts, flow has bias e^(−x) and filter (1 − e^(−x))/s, ridge with λ " +
		"= c/t c/(x+c) and t/(x+c). The bias has ratio e^(−x)(x+c)/c, at most max(1, e^(c−1)/c), the filter g = (1 − " +
		"e^(−x))(x+c)/x, whose maximum is where e^x = 1 + x(x+c)/c if c < 2, and c otherwise; risks are sums of squares. " +
		"At the best λ and t = 1/λ, the ratio in a direction is (1+x)(e^(−2x) + (1−e^(−x))²/x).",
	Tolerance: "With T = hk tr Σ, a step of descent has n + p + 6 roundings of numbers up to (1 + T)h‖X‖‖y‖/n and 2 of " +
		"b, and eigenvalues err by 10p·u tr Σ: k steps are allowed ((n + 11p + 6)(1 + T) + 2k)u hk‖X‖‖y‖/n. Matrix " +
		"exponentials by scaling and squaring, inverses and eigenvectors are allowed 100p(1 + t tr Σ)u of the largest that " +
		"filter and risk can be; a ratio of risks, four times that over the risk of ridge. Suprema are found by golden " +
		"section: the value at a smooth maximum is known to 1e-10, and where two curves cross to 1e-8.",
	Limits: "Up to 8 samples and 6 inputs. There is no lower bound: without noise the risk of flow can be 10⁻⁷ times " +
		"the risk of ridge.",
	Predict: func(v theory.Values) []theory.Quantity {
		t := v.Float("t")
		d := Directions{Eigenvalues: []float64{v.Float("s")}, Coefficients: []float64{v.Float("beta")},
			Noise: v.Float("noise")}
		return []theory.Quantity{
			{Name: "flow", Symbol: "", Value: d.Flow(t), Meaning: "risk of flow", Nonnegative: true},
			{Name: "ridge", Symbol: "", Value: d.Ridge(1 / t), Meaning: "risk of ridge, λ = 1/t", Nonnegative: true},
			{Name: "penalty", Symbol: "s/(e^(ts)−1)", Value: Penalty(t, v.Float("s")), Meaning: "penalty that flow amounts to"},
			{Name: "bound", Symbol: "", Value: WorstRatio(1) * d.Ridge(1/t), Meaning: "bound on the risk of flow"},
		}
	},
}

// Penalty returns s/(e^(ts) − 1), the ridge penalty that flow until t > 0 amounts to where Σ has the eigenvalue s ≥ 0.
func Penalty(t, s float64) float64 {
	switch {
	case !(t > 0 && s >= 0):
		return math.NaN()
	case t*s < 1e-17: // and may underflow
		return 1 / t
	}
	return s / math.Expm1(t*s)
}

// DescentFilter returns (1 − (1−hs)ᵏ)/s, by which k steps multiply Xᵀy/n in a direction.
func DescentFilter(h float64, k int, s float64) float64 {
	switch {
	case !(h > 0 && s >= 0 && k >= 0):
		return math.NaN()
	case s == 0:
		return h * float64(k)
	case h*s < 0.5:
		return -math.Expm1(float64(k)*math.Log1p(-h*s)) / s
	}
	return (1 - math.Pow(1-h*s, float64(k))) / s
}

// Directions describes a problem along the eigenvectors of Σ: the eigenvalues, the coefficients of b₀, and σ²/n.
// InSample selects the risk at the inputs.
type Directions struct {
	Eigenvalues, Coefficients []float64
	Noise                     float64
	InSample                  bool
}

// valid names the violated hypothesis.
func (d Directions) valid() error {
	if len(d.Eigenvalues) != len(d.Coefficients) || !(d.Noise >= 0) {
		return errors.New("linear: need a coefficient for each eigenvalue, and noise that is not negative")
	}
	for _, s := range d.Eigenvalues {
		if !(s >= 0) {
			return errors.New("linear: an eigenvalue of Σ is negative")
		}
	}
	return nil
}

// Flow returns the risk of gradient flow at time t > 0.
func (d Directions) Flow(t float64) float64 {
	return d.risk(t, func(s float64) (bias, noise float64) { return math.Exp(-t * s), -math.Expm1(-t*s) / math.Sqrt(s) })
}

// Ridge returns the risk of ridge regression with penalty l > 0.
func (d Directions) Ridge(l float64) float64 {
	return d.risk(l, func(s float64) (bias, noise float64) { return l / (s + l), math.Sqrt(s) / (s + l) })
}

// risk adds up the squares of bias and noise of an estimator with a positive parameter.
func (d Directions) risk(parameter float64, of func(s float64) (bias, noise float64)) float64 {
	if d.valid() != nil || !(parameter > 0) {
		return math.NaN()
	}
	sum := 0.0
	for i, s := range d.Eigenvalues {
		bias, noise, weight := 1.0, 0.0, 1.0
		if s > 0 {
			bias, noise = of(s)
		}
		if d.InSample {
			weight = s
		}
		sum += weight * (math.Pow(bias*d.Coefficients[i], 2) + d.Noise*noise*noise)
	}
	return sum
}

// WorstRatio returns the largest risk of flow at t over that of ridge with λ = c/t, c > 0.
func WorstRatio(c float64) float64 {
	if !(c > 0) {
		return math.NaN()
	}
	filter, bias := c, 1.0
	if c < 2 {
		x := root(func(x float64) float64 { return c*math.Expm1(x) - x*(x+c) }, 1e-3*(2-c), 50)
		filter = -math.Expm1(-x) * (x + c) / x
	}
	if c < 1 {
		bias = math.Exp(c-1) / c
	}
	return math.Pow(max(filter, bias), 2)
}

// BestCalibration returns the c at which [WorstRatio] is least: there both parts have one ratio.
func BestCalibration() float64 {
	return root(func(c float64) float64 { return WorstRatio(c) - math.Exp(2*(c-1))/(c*c) - 1e-15 }, 0.1, 1)
}

// TunedRatio returns the largest mean risk of flow at t = 1/λ over that of ridge with the λ that is best for the prior.
func TunedRatio() float64 {
	// The derivative of the logarithm changes its sign once beyond x = 1.
	x := root(func(x float64) float64 {
		e, f := math.Exp(-x), -math.Expm1(-x)
		return -(1/(1+x) + (-2*e*e+2*f*e/x-f*f/(x*x))/(e*e+f*f/x))
	}, 1, 20)
	return (1 + x) * (math.Exp(-2*x) + math.Pow(math.Expm1(-x), 2)/x)
}

// root bisects between a point where f is negative, or zero, and one where it is positive.
func root(f func(float64) float64, below, above float64) float64 {
	for range 60 {
		if middle := (below + above) / 2; f(middle) > 0 {
			above = middle
		} else {
			below = middle
		}
	}
	return (below + above) / 2
}
