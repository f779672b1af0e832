package emergence

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/order"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// secondstep pairs the expansion of the second gradient with two steps over all inputs.
var secondstep = props.Spec{
	Statement: &theory.SecondStep,
	Checks: []props.Check{
		props.Drawn[secondGradient, secondClaim]{
			Name:       "the second gradient over all inputs",
			Cases:      props.Scale{Quick: 60, Standard: 200, Deep: 5000},
			Replicates: 2,
			Regimes:    []string{"law with the symmetry", "law without symmetry", "no background bits"},
			Draw:       drawSecond,
			Claim:      secondClaim{theory.Second.On, theory.Second.Outside, theory.Second.Remainders},
			Judge:      judgeSecond,
			Proven:     map[string]string{"T on A": "½ sup|ψ″| bounds the remainder of the expansion, and is attained"},
			Coarse: map[string]string{"T on A": "the expansion has a remainder of relative order η₁",
				"T outside A": "the expansion has a remainder of relative order η₁"},
			Controls: []props.Wrong[secondGradient, secondClaim]{
				{Name: "accepted counts twice as likely", Assumption: "balanced", Criterion: "T outside A",
					Draw: func(t *props.T) secondGradient { return drawDisturbed(t, 1, unbalance) }},
				{Name: "a background bit that tends to equal a relevant one", Assumption: "independent-background",
					Criterion: "T outside A",
					Draw:      func(t *props.T) secondGradient { return drawDisturbed(t, 1, tieBackground) }},
				{Name: "one pattern of a count likelier than another", Assumption: "exchangeable", Criterion: "T on A",
					Draw: func(t *props.T) secondGradient { return drawDisturbed(t, 2, gatherOnes) }},
				{Name: "a law without the symmetry", Criterion: "c of a symmetric law",
					Alter: func(in *secondGradient) { in.symmetric = true }},
				{Name: "ψ of half the noise", Assumption: "noise", Criterion: "T on A",
					Instead: secondClaim{on: func(s theory.Second, own, others float64) float64 {
						s.Noise /= 2
						return s.On(own, others)
					}}},
				{Name: "γ/σ̃ on A, the gate always open", Criterion: "T on A",
					Instead: secondClaim{on: func(s theory.Second, own, others float64) float64 {
						return s.On(own, others) + s.Gamma/s.Sigma - s.Level()
					}}},
				{Name: "no term of first order on A, on a law without symmetry", Criterion: "T on A",
					Instead: secondClaim{on: func(s theory.Second, _, _ float64) float64 { return s.Level() }}},
				{Name: "opposite sign outside A", Criterion: "T outside A", Claim: outsideTo(-1)},
				{Name: "half of the term of second order", Criterion: "T outside A", Claim: outsideTo(0.5)},
				{Name: "nine tenths of the remainder on A, where it is attained", Criterion: "T on A", Draw: drawAttained,
					Cases: 10,
					Instead: secondClaim{remainders: func(s theory.Second) (second, third float64) {
						second, third = s.Remainders()
						return 0.9 * second, third
					}}},
			},
		},
		props.Drawn[stepSizes, stepSizesClaim]{
			Name:       "order in the first step",
			Cases:      props.Scale{Quick: 6, Standard: 40, Deep: 400},
			Replicates: 2,
			Draw:       func(t *props.T) stepSizes { return drawStepSizes(t, smallRate, 0) },
			Claim:      stepSizesClaim{order: 2},
			Judge:      judgeStepSizes,
			Controls: []props.Wrong[stepSizes, stepSizesClaim]{
				{Name: "a first step of 20, after which inputs pass their margin", Assumption: "small-step", Cases: 3,
					Draw: func(t *props.T) stepSizes {
						return drawStepSizes(t, func(float64) float64 { return 20 }, 0)
					}},
				{Name: "initial weights kept", Assumption: "forgetting", Cases: 3,
					Draw: func(t *props.T) stepSizes { return drawStepSizes(t, smallRate, 1) }},
				{Name: "order 1", Criterion: "order outside A", Instead: stepSizesClaim{order: 1}},
				{Name: "order 3", Criterion: "order outside A", Instead: stepSizesClaim{order: 3}},
			},
		},
		props.Drawn[secondGradient, hardClaim]{
			Name:       "without noise",
			Cases:      props.Scale{Quick: 20, Standard: 60, Deep: 1000},
			Replicates: 2,
			Regimes:    []string{"dead", "open"},
			Draw:       func(t *props.T) secondGradient { return drawHard(t, 0) },
			Claim: hardClaim{opens: func(bias float64) bool { return bias > 0 },
				level: func(s theory.Second) float64 { return s.Gamma / s.Sigma }},
			Judge: judgeHard,
			Controls: []props.Wrong[secondGradient, hardClaim]{
				{Name: "noise after all", Criterion: "T", Cases: 10,
					Draw: func(t *props.T) secondGradient { return drawHard(t, 0.3) }},
				{Name: "half of γ/σ̃ when open", Criterion: "T",
					Instead: hardClaim{level: func(s theory.Second) float64 { return s.Gamma / s.Sigma / 2 }}},
				{Name: "dead at positive bias", Criterion: "T",
					Instead: hardClaim{opens: func(bias float64) bool { return bias < 0 }}},
			},
		},
	},
	Along: &props.Along{Param: "bias", From: -0.4, To: 1.4, Of: []string{"level"}, Places: 13},
	Try: &props.Simulation{Run: twoSteps, Draw: drawOrder, Params: []statement.Param{
		{Name: "rate", Symbol: "η₁", Meaning: "size of the first step", Domain: statement.Above(0), Default: "0.001"},
	}},
}.Claim()

// secondGradient is the gradient of a paired network over all inputs after its first step.
type secondGradient struct {
	Dim     int
	Support []int
	Accept  []bool
	Counts  []string
	Rate    float64 // η₁
	Noise   float64
	B, A    []float64   // after the first step
	Q, T    [][]float64 // per neuron, D

	law       data.Hidden
	kind      string
	symmetric bool
	passing   float64
	mixed     float64 // E[yφᵢφⱼ] on A
	u2, u3    [][]float64
}

// secondClaim holds the closed forms of T on A, of the own weight and the sum of the other weights on A, and outside,
// of the own weight and the sum of all weights on A; and the factors of the moments that bound the remainders.
type secondClaim struct {
	on, outside func(s theory.Second, own, sum float64) float64
	remainders  func(theory.Second) (second, third float64)
}

// outsideTo multiplies the claimed T outside A.
func outsideTo(factor float64) func(*secondClaim) {
	return func(c *secondClaim) {
		c.outside = func(s theory.Second, own, sum float64) float64 { return factor * s.Outside(own, sum) }
	}
}

func drawSecond(t *props.T) secondGradient {
	laws := balancedLaws{symmetric: rapid.Bool().Draw(t.T, "symmetric"), relevant: 1}
	r := t.Stream("second gradient")
	return drawStep(t, r, laws.draw(t, r), laws.symmetric)
}

// drawDisturbed draws a law with at least the given number of relevant bits and one background bit, and disturbs it.
func drawDisturbed(t *props.T, relevant int, disturb func(data.Hidden)) secondGradient {
	laws := balancedLaws{symmetric: rapid.Bool().Draw(t.T, "symmetric"), relevant: relevant, background: 1}
	r := t.Stream("second gradient")
	h := laws.draw(t, r)
	disturb(h)
	return drawStep(t, r, h, laws.symmetric)
}

// drawStep draws a network on the law, and takes its first step.
func drawStep(t *props.T, r *rand.Rand, h data.Hidden, symmetric bool) secondGradient {
	net := drawPaired(r, h, rapid.IntRange(1, 3).Draw(t.T, "neurons"))
	noise, rate := gen.LogUniform(t.T, "noise", 0.1, 1), gen.LogUniform(t.T, "η₁", 1e-4, 0.03)
	in := takeStep(h, net, truncated.Step{Rate: rate, Noise: truncated.Smooth(noise), KeepA: 1})
	in.symmetric, in.kind = symmetric, "law without symmetry"
	if symmetric {
		in.kind = "law with the symmetry"
	}
	if h.Dim == len(h.Support) {
		in.kind = "no background bits"
	}
	return in
}

// drawAttained draws a neuron at b = s = 1/2, where |ψ″| is largest. The label is one bit: yφⱼ has one sign, so that
// the remainder on A equals its bound to leading order.
func drawAttained(t *props.T) secondGradient {
	r := t.Stream("second gradient")
	dim := 1 + rapid.IntRange(1, 7).Draw(t.T, "D−k")
	h := data.NewHidden(dim, rational.Subset(r, dim, 1), data.Parity(1), []int64{1, 1}, data.Fair)
	net := truncated.Paired(gen.Gaussian(r, 1, dim, 1), []float64{0.5}, []float64{1})
	in := takeStep(h, net, truncated.Step{Rate: gen.LogUniform(t.T, "η₁", 1e-3, 0.03), Noise: 0.5, KeepA: 1})
	in.kind = "law with the symmetry"
	return in
}

// drawPaired draws a paired network at the source's initial scales, on the hidden bits.
func drawPaired(r *rand.Rand, h data.Hidden, neurons int) truncated.Net {
	k := float64(len(h.Support))
	b, a := make([]float64, neurons), make([]float64, neurons)
	for i := range b {
		b[i], a[i] = r.NormFloat64()/(k*k), 0.5+r.Float64()
		if r.IntN(2) == 1 {
			a[i] = -a[i]
		}
	}
	return truncated.Paired(gen.Gaussian(r, neurons, h.Dim, 1/k), b, a)
}

// takeStep takes the first step and computes the gradient after it.
func takeStep(h data.Hidden, net truncated.Net, step truncated.Step) secondGradient {
	s := h.Inputs(dense.Identity(h.Dim))
	net, _ = net.Descend(s, step)
	in := secondOf(h, net, net.Gradient(s, step.Noise))
	in.Rate, in.Noise = step.Rate, float64(step.Noise)
	in.moments(s)
	return in
}

// secondOf collects the gradient of a paired network, neuron by neuron.
func secondOf(h data.Hidden, net truncated.Net, g truncated.Gradient) secondGradient {
	in := secondGradient{Dim: h.Dim, Support: h.Support, Accept: h.Accept, Counts: rational.Texts(h.CountLaw()),
		B: net.B, A: net.A, law: h, passing: g.Passing}
	for i, a := range net.A {
		t := append([]float64{}, g.W.RawRowView(i)...)
		floats.Scale(-1/a, t)
		in.Q, in.T = append(in.Q, net.W.RawRowView(i)), append(in.T, t)
	}
	return in
}

// moments sums E[|φⱼ|u²] and E[|φⱼ||u|³] for every neuron, and E[yφᵢφⱼ] of two bits on A.
func (in *secondGradient) moments(s data.Sample) {
	for range in.Q {
		in.u2, in.u3 = append(in.u2, make([]float64, in.Dim)), append(in.u3, make([]float64, in.Dim))
	}
	for i, p := range s.P {
		x := s.X.RawRowView(i)
		if len(in.Support) > 1 {
			in.mixed += p * s.Y[i] * x[in.Support[0]] * x[in.Support[1]]
		}
		for n, q := range in.Q {
			u := math.Abs(floats.Dot(q, x))
			for j, phi := range x {
				in.u2[n][j] += p * math.Abs(phi) * u * u
				in.u3[n][j] += p * math.Abs(phi) * u * u * u
			}
		}
	}
}

// second returns the parameters of a neuron for the closed forms.
func (in secondGradient) second(neuron int) theory.Second {
	counts := theory.Counts{Probability: in.law.CountLaw(), Accept: in.law.Accept}
	mean, outside := in.law.Mean(), 0.0
	for j, relevant := range rational.Indicator(in.Dim, in.Support) {
		if relevant == 0 {
			outside = rational.Float(mean[j])
		}
	}
	return theory.Second{Gamma: rational.Float(counts.Covariance()),
		Sigma: math.Sqrt(rational.Float(in.law.Variance())),
		Mean:  rational.Float(mean[in.Support[0]]), Mixed: in.mixed, Background: outside, Bias: in.B[neuron],
		Noise: in.Noise}
}

func judgeSecond(r *props.Record, in secondGradient, claim secondClaim) {
	r.Regime(in.kind)
	if len(in.Support) > 1 && in.symmetric {
		scale := math.Pow(in.second(0).Sigma, -2)
		r.WithinScale("c of a symmetric law", in.mixed, 0, scale, float64(len(in.law.Weight)+40)*r.Unit()*scale)
	}
	relevant := rational.Indicator(in.Dim, in.Support)
	for i, q := range in.Q {
		s := in.second(i)
		two, three := claim.remainders(s)
		sum := floats.Dot(q, relevant)
		rounding := in.rounding(r.Unit(), s.Sigma, q)
		for j, t := range in.T[i] {
			if relevant[j] == 1 {
				r.WithinScale("T on A", t, claim.on(s, q[j], sum-q[j]), s.Gamma/s.Sigma, two*in.u2[i][j]+rounding)
				continue
			}
			// ψ″ vanishes near b = 0 and ½: the scale uses the largest |ψ″|
			scale := 2 * two * s.Background * (1 - s.Background) * s.Gamma * math.Abs(q[j]*sum) / math.Pow(s.Sigma, 3)
			r.WithinScale("T outside A", t, claim.outside(s, q[j], sum), scale, three*in.u3[i][j]+rounding)
		}
	}
}

// rounding returns the rounding bound of the statement.
func (in secondGradient) rounding(unit, sigma float64, q []float64) float64 {
	return float64(len(in.law.Weight)+4*in.Dim+40) * unit / sigma * (1 + floats.Norm(q, 1)/(sigma*in.Noise))
}

// stepSizes holds the second gradients of one network after first steps of successively halved sizes.
type stepSizes struct {
	Rates []float64
	Sizes []float64 // ‖T outside A‖ over all neurons
	Off   []float64 // how far each may be from its leading order
	Noise float64

	passing float64
}

// stepSizesClaim holds the claimed order of T outside A in the size of the first step.
type stepSizesClaim struct{ order float64 }

func smallRate(noise float64) float64 { return 1e-2 * noise }

// drawStepSizes draws a network, and takes five first steps of it that keep the given part of the weights: the longest
// at the given rate, each next half as long.
func drawStepSizes(t *props.T, largest func(noise float64) float64, keep float64) stepSizes {
	r := t.Stream("second gradient")
	k := 2*rapid.IntRange(0, 1).Draw(t.T, "(k−1)/2") + 1
	dim := k + rapid.IntRange(2, 8-k).Draw(t.T, "D−k")
	h := data.NewHidden(dim, rational.Subset(r, dim, k), data.Parity(k), data.Mixture(k, 1, 1),
		data.Odds{One: 1, Zero: 2})
	out := stepSizes{Noise: math.Pow(float64(k), -1.5) / 2}
	net := drawPaired(r, h, 2)
	for i := range net.B { // ψ″ vanishes at no bias that is drawn
		net.B[i] = math.Copysign(out.Noise*(0.5+0.4*r.Float64()), float64(i%2)-0.5)
	}
	var remainders []*mat.Dense
	rounding := 0.0
	out.passing = 1
	step := truncated.Step{Rate: largest(out.Noise), Noise: truncated.Smooth(out.Noise), KeepA: 1, KeepW: keep}
	for range 5 {
		in := takeStep(h, net, step)
		var outside []float64
		for i, q := range in.Q {
			rounding = max(rounding, in.rounding(roundoff.Unit, in.second(i).Sigma,
				q)*math.Sqrt(float64(dim*len(in.Q))))
			for j, relevant := range rational.Indicator(dim, h.Support) {
				if relevant == 0 {
					outside = append(outside, in.T[i][j])
				}
			}
		}
		out.passing = min(out.passing, in.passing)
		remainders = append(remainders, mat.NewDense(len(outside), 1, outside))
		out.Rates = append(out.Rates, step.Rate)
		step.Rate /= 2
	}
	e := order.Halved(out.Rates, remainders, 2, rounding)
	out.Rates, out.Sizes, out.Off = e.Steps, e.Norms, e.Beyond
	return out
}

func judgeStepSizes(r *props.Record, in stepSizes, claim stepSizesClaim) {
	r.Holds("every input inside its margin", math.Abs(in.passing-1) <= 1e-9)
	if math.Abs(in.passing-1) <= 1e-9 {
		order.Judge(r, "order outside A", order.Remainder{Steps: in.Rates, Norms: in.Sizes, Beyond: in.Off}, claim.order)
	}
}

// hardClaim says which neurons are open, and holds their claimed T on A.
type hardClaim struct {
	opens func(bias float64) bool
	level func(theory.Second) float64
}

// drawHard draws a network and computes its second gradient through a gate. The biases are so far from 0 that no u
// reaches the kink.
func drawHard(t *props.T, gate truncated.Smooth) secondGradient {
	r := t.Stream("second gradient")
	h := balancedLaws{relevant: 1}.draw(t, r)
	net := drawPaired(r, h, 2)
	s := h.Inputs(dense.Identity(h.Dim))
	for i := range net.B {
		net.B[i] = math.Copysign(0.05+0.4*r.Float64(), float64(i%2)-0.5)
	}
	net, _ = net.Descend(s, truncated.Step{Rate: 1e-3, Noise: 0.3, KeepA: 1})
	in := secondOf(h, net, net.Gradient(s, gate))
	in.Rate, in.Noise = 1e-3, 1
	return in
}

func judgeHard(r *props.Record, in secondGradient, claim hardClaim) {
	for i, t := range in.T {
		s, want := in.second(i), make([]float64, in.Dim)
		if !claim.opens(in.B[i]) {
			r.Regime("dead")
			r.ExactlyVector("T of a dead neuron", t, want)
			continue
		}
		r.Regime("open")
		for _, j := range in.Support {
			want[j] = claim.level(s)
		}
		r.WithinVector("T", t, want, in.rounding(r.Unit(), s.Sigma, in.Q[i])*math.Sqrt(float64(in.Dim)))
	}
}
