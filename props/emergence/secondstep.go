package emergence

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/impl/dense"
	"github.com/thm-suite/thm/impl/truncated"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/rational"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/order"
	values "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// secondstep pairs the expansion of the second gradient with two steps over all inputs.
var secondstep = props.Spec{
	Statement: &theory.SecondStep,
	Checks: []props.Check{
		props.Instances[secondGradient]{
			Name:       "the second gradient over all inputs",
			Cases:      props.Scale{Quick: 60, Standard: 200, Deep: 5000},
			Replicates: 2,
			Regimes:    []string{"law with the symmetry", "law without symmetry", "no background bits"},
			Draw:       drawSecond,
			Judge:      judgeSecond,
			Proven:     map[string]string{"T on A": "½ sup|ψ″| bounds the remainder of the expansion, and is attained"},
			Coarse: map[string]string{"T on A": "the expansion has a remainder of relative order η₁",
				"T outside A": "the expansion has a remainder of relative order η₁"},
			Controls: []props.Control{
				{Name: "accepted counts twice as likely", Assumption: "balanced", Criterion: "T outside A",
					Done: "unbalanced"},
				{Name: "a background bit that tends to equal a relevant one", Assumption: "independent-background",
					Criterion: "T outside A", Done: "copied"},
				{Name: "one pattern of a count likelier than another", Assumption: "exchangeable", Criterion: "T on A",
					Done: "unequal"},
				{Name: "a law without the symmetry", Criterion: "c of a symmetric law", Done: "no symmetry",
					Claimed: "symmetric"},
				{Name: "ψ of half the noise", Assumption: "noise", Criterion: "T on A", Claimed: "half noise"},
				{Name: "γ/σ̃ on A, the gate always open", Criterion: "T on A", Claimed: "β = 1"},
				{Name: "no term of first order on A, on a law without symmetry", Criterion: "T on A",
					Done:    "no symmetry",
					Claimed: "no first order"},
				{Name: "opposite sign outside A", Criterion: "T outside A", Claimed: "opposite"},
				{Name: "half of the term of second order", Criterion: "T outside A", Claimed: "half"},
				{Name: "nine tenths of the remainder on A, where it is attained", Criterion: "T on A", Done: "attained",
					Claimed: "nine tenths"},
			},
		},
		props.Instances[stepSizes]{
			Name:       "order in the first step",
			Cases:      props.Scale{Quick: 6, Standard: 40, Deep: 400},
			Replicates: 2,
			Draw:       drawStepSizes,
			Judge:      judgeStepSizes,
			Controls: []props.Control{
				{Name: "a first step of 20, after which inputs pass their margin", Assumption: "small-step",
					Done: "large"},
				{Name: "initial weights kept", Assumption: "forgetting", Done: "kept"},
				{Name: "order 1", Criterion: "order outside A", Claimed: "first"},
				{Name: "order 3", Criterion: "order outside A", Claimed: "third"},
			},
		},
		props.Instances[secondGradient]{
			Name:       "without noise",
			Cases:      props.Scale{Quick: 20, Standard: 60, Deep: 1000},
			Replicates: 2,
			Regimes:    []string{"dead", "open"},
			Draw:       drawHard,
			Judge:      judgeHard,
			Controls: []props.Control{
				{Name: "noise after all", Criterion: "T", Done: "noise"},
				{Name: "half of γ/σ̃ when open", Criterion: "T", Claimed: "half"},
				{Name: "dead at positive bias", Criterion: "T", Claimed: "exchanged"},
			},
		},
	},
	Along: &props.Along{Param: "bias", From: -0.4, To: 1.4, Of: []string{"level"}, Places: 13},
	Try: &props.Simulation{Run: twoSteps, Draw: drawOrder, Params: []values.Param{
		{Name: "rate", Symbol: "η₁", Meaning: "size of the first step", Domain: values.Above(0), Default: "0.001"},
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

func drawSecond(t *props.T, done string) secondGradient {
	if done == "attained" {
		return drawAttained(t)
	}
	symmetric := done != "no symmetry" && rapid.Bool().Draw(t.T, "symmetric")
	r := t.Stream("second gradient")
	h := drawBalanced(t, r, symmetric, done)
	kind := "law without symmetry"
	if symmetric {
		kind = "law with the symmetry"
	}
	if h.Dim == len(h.Support) {
		kind = "no background bits"
	}
	net := drawPaired(r, h, rapid.IntRange(1, 3).Draw(t.T, "neurons"))
	noise, rate := gen.LogUniform(t.T, "noise", 0.1, 1), gen.LogUniform(t.T, "η₁", 1e-3, 0.03)
	in := takeStep(h, net, rate, noise, done, kind)
	in.symmetric = symmetric
	return in
}

// drawAttained draws a neuron at b = s = 1/2, where |ψ″| is largest, that is to learn one bit: yφⱼ has one sign, so
// that the remainder on A is its bound to leading order.
func drawAttained(t *props.T) secondGradient {
	r := t.Stream("second gradient")
	dim := 1 + rapid.IntRange(1, 7).Draw(t.T, "D−k")
	h := data.NewHidden(dim, rational.Subset(r, dim, 1), data.Parity(1), []int64{1, 1}, data.Fair)
	net := truncated.Paired(gen.Gaussian(r, 1, dim, 1), []float64{0.5}, []float64{1})
	return takeStep(h, net, gen.LogUniform(t.T, "η₁", 1e-3, 0.03), 0.5, "", "law with the symmetry")
}

// drawBalanced draws a law of the family; a symmetric one has odd k, a label that complements flip, and counts s and
// k − s equally likely.
func drawBalanced(t *props.T, r *rand.Rand, symmetric bool, done string) data.Hidden {
	k := gen.Dim(t.T, "k", 5)
	if symmetric {
		k = 2*(k/2) + 1
	}
	if done == "no symmetry" || done == "unequal" {
		k = max(k, 2)
	}
	fewest := 0
	if done != "" {
		fewest = 1
	}
	dim := k + rapid.IntRange(fewest, 8-k).Draw(t.T, "D−k")
	odds := rapid.SampledFrom([]data.Odds{data.Fair, {One: 1, Zero: 2}, {One: 1, Zero: 5}}).Draw(t.T, "odds")
	accept := make([]bool, k+1)
	for count := 1; count <= k; count++ {
		accept[count] = r.IntN(2) == 1
	}
	accept[1+r.IntN(k)] = true
	weights := countWeights(r, accept, done)
	if symmetric {
		for s := 0; 2*s < k; s++ {
			accept[k-s] = s == 0 || r.IntN(2) == 1
			accept[s] = !accept[k-s]
			weights[s] = 1 + r.Int64N(5)
			weights[k-s] = weights[s]
		}
		weights[0], weights[k] = weights[0]+int64(k), weights[k]+int64(k)
		if done == "unbalanced" {
			for s := range weights {
				if accept[s] {
					weights[s] *= 2
				}
			}
		}
	}
	pattern := make([]int64, 1<<k)
	for p := range pattern {
		pattern[p] = weights[ones(p)]
	}
	if done == "unequal" {
		gather(pattern)
	}
	h := data.NewHidden(dim, rational.Subset(r, dim, k), accept, pattern, odds)
	disturb(h, done)
	return h
}

// drawPaired draws a paired network in the source's initial scales, on the hidden bits.
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

// takeStep takes the first step and the gradient after it.
func takeStep(h data.Hidden, net truncated.Net, rate, noise float64, done, kind string) secondGradient {
	s := h.Inputs(dense.Identity(h.Dim))
	step := truncated.Step{Rate: rate, Noise: truncated.Smooth(noise), KeepA: 1}
	if done == "kept" {
		step.KeepW = 1
	}
	net, _ = net.Descend(s, step)
	g := net.Gradient(s, truncated.Smooth(noise))
	in := secondGradient{Dim: h.Dim, Support: h.Support, Accept: h.Accept, Counts: rational.Texts(h.CountLaw()),
		Rate:  rate,
		Noise: noise, B: net.B, A: net.A, law: h, kind: kind, passing: g.Passing}
	for i, a := range net.A {
		t := append([]float64{}, g.W.RawRowView(i)...)
		floats.Scale(-1/a, t)
		in.Q, in.T = append(in.Q, net.W.RawRowView(i)), append(in.T, t)
	}
	in.moments(s)
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

// second is a neuron of an instance for the closed forms.
func (in secondGradient) second(neuron int, noise float64) theory.Second {
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
		Noise: noise}
}

func judgeSecond(r *props.Record, in secondGradient, claimed string) {
	r.Regime(in.kind)
	if len(in.Support) > 1 && (in.symmetric || claimed == "symmetric") {
		scale := math.Pow(in.second(0, in.Noise).Sigma, -2)
		r.WithinScale("c of a symmetric law", in.mixed, 0, scale, float64(len(in.law.Weight)+40)*r.Unit()*scale)
	}
	noise := in.Noise
	if claimed == "half noise" {
		noise /= 2
	}
	relevant := rational.Indicator(in.Dim, in.Support)
	for i, q := range in.Q {
		s := in.second(i, noise)
		two, three := s.Remainders()
		if claimed == "nine tenths" {
			two *= 0.9
		}
		sum := floats.Dot(q, relevant)
		rounding := in.rounding(r.Unit(), s.Sigma, q)
		for j, t := range in.T[i] {
			if relevant[j] == 1 {
				want := s.On(q[j], sum-q[j])
				switch claimed {
				case "β = 1":
					want += s.Gamma/s.Sigma - s.Level()
				case "no first order":
					want = s.Level()
				}
				r.WithinScale("T on A", t, want, s.Gamma/s.Sigma, two*in.u2[i][j]+rounding)
				continue
			}
			want := s.Outside(q[j], sum)
			scale := math.Abs(want)
			switch claimed {
			case "opposite":
				want = -want
			case "half":
				want /= 2
			}
			r.WithinScale("T outside A", t, want, scale, three*in.u3[i][j]+rounding)
		}
	}
}

// rounding is that of the statement.
func (in secondGradient) rounding(unit, sigma float64, q []float64) float64 {
	return float64(len(in.law.Weight)+4*in.Dim+40) * unit / sigma * (1 + floats.Norm(q, 1)/(sigma*in.Noise))
}

// stepSizes is the second gradient of one network after first steps of halved sizes.
type stepSizes struct {
	Rates []float64
	Sizes []float64 // ‖T outside A‖ over all neurons
	Off   []float64 // how far each may be from its leading order
	Noise float64

	passing float64
}

func drawStepSizes(t *props.T, done string) stepSizes {
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
	rate := 1e-2 * out.Noise
	if done == "large" {
		rate = 20
	}
	var remainders []*mat.Dense
	rounding := 0.0
	out.passing = 1
	for range 5 {
		in := takeStep(h, net, rate, out.Noise, done, "")
		var outside []float64
		for i, q := range in.Q {
			rounding = max(rounding, in.rounding(roundoff.Unit, in.second(i, out.Noise).Sigma,
				q)*math.Sqrt(float64(dim*len(in.Q))))
			for j, relevant := range rational.Indicator(dim, h.Support) {
				if relevant == 0 {
					outside = append(outside, in.T[i][j])
				}
			}
		}
		out.passing = min(out.passing, in.passing)
		remainders = append(remainders, mat.NewDense(len(outside), 1, outside))
		out.Rates = append(out.Rates, rate)
		rate /= 2
	}
	e := order.Halved(out.Rates, remainders, 2, rounding)
	out.Rates, out.Sizes, out.Off = e.Steps, e.Norms, e.Beyond
	return out
}

func judgeStepSizes(r *props.Record, in stepSizes, claimed string) {
	claimedOrder := 2.0
	switch claimed {
	case "first":
		claimedOrder = 1
	case "third":
		claimedOrder = 3
	}
	r.Holds("every input inside its margin", math.Abs(in.passing-1) <= 1e-9)
	if math.Abs(in.passing-1) <= 1e-9 {
		order.Judge(r, "order outside A", order.Remainder{Steps: in.Rates, Norms: in.Sizes, Beyond: in.Off},
			claimedOrder)
	}
}

// drawHard draws a network whose second gradient is taken without noise, at biases away from 0 that no u reaches.
func drawHard(t *props.T, done string) secondGradient {
	r := t.Stream("second gradient")
	h := drawBalanced(t, r, false, "")
	net := drawPaired(r, h, 2)
	s := h.Inputs(dense.Identity(h.Dim))
	for i := range net.B {
		net.B[i] = math.Copysign(0.05+0.4*r.Float64(), float64(i%2)-0.5)
	}
	net, _ = net.Descend(s, truncated.Step{Rate: 1e-3, Noise: 0.3, KeepA: 1})
	gate := truncated.Smooth(0)
	if done == "noise" {
		gate = 0.3
	}
	g := net.Gradient(s, gate)
	in := secondGradient{Dim: h.Dim, Support: h.Support, Accept: h.Accept, Counts: rational.Texts(h.CountLaw()),
		Rate: 1e-3,
		B:    net.B, A: net.A, law: h, Noise: 1}
	for i, a := range net.A {
		t := append([]float64{}, g.W.RawRowView(i)...)
		floats.Scale(-1/a, t)
		in.Q, in.T = append(in.Q, net.W.RawRowView(i)), append(in.T, t)
	}
	return in
}

func judgeHard(r *props.Record, in secondGradient, claimed string) {
	for i, t := range in.T {
		s := in.second(i, 1)
		level := s.Gamma / s.Sigma
		if claimed == "half" {
			level /= 2
		}
		open := in.B[i] > 0
		r.Regime("dead")
		if open {
			r.Regime("open")
		}
		if claimed == "exchanged" {
			open = !open
		}
		want := make([]float64, in.Dim)
		for _, j := range in.Support {
			if open {
				want[j] = level
			}
		}
		if !open && claimed == "" {
			r.ExactlyVector("T of a dead neuron", t, want)
			continue
		}
		r.WithinVector("T", t, want, in.rounding(r.Unit(), s.Sigma, in.Q[i])*math.Sqrt(float64(in.Dim)))
	}
}
