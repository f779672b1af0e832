package tangent

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/tolerance"
	statements "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// outputs pairs the corollaries of Theorem 1 with the model of a layer whose features are φ in one output at a time.
var outputs = props.Spec{
	Statement: &theory.Outputs,
	Checks: []props.Check{
		props.Instances[multiple]{
			Name:    "several outputs",
			Cases:   props.Scale{Quick: 120, Standard: 1000, Deep: 50000},
			Regimes: []string{"one output", "several outputs"},
			Draw:    drawMultiple,
			Judge:   judgeMultiple,
			Controls: []props.Control{
				{Name: "an interpolant that is longer", Assumption: "min-norm", Criterion: "optimum", Done: "longer"},
				{Name: "a tenth more", Criterion: "no other pair costs less", Claimed: "more"},
				{Name: "1/sⱼ in place of 1/sⱼ²", Criterion: "tr(YᵀK⁻¹Y)", Claimed: "one power"},
				{Name: "the interpolant halved", Criterion: "interpolant", Claimed: "half"},
				{Name: "one direction more", Criterion: "rank of M − I", Claimed: "one more"},
			},
			Replicates: 3,
			Declined:   map[string]float64{"rank of M − I": 0.01},
		},
		props.Instances[graded]{
			Name:    "difficulty and label scale",
			Cases:   props.Scale{Quick: 200, Standard: 1500, Deep: 100000},
			Regimes: []string{"quadratic", "absolute", "log-det"},
			Draw:    drawGraded,
			Judge:   judgeGraded,
			Controls: []props.Control{
				{Name: "the penalty 1 − 1/z", Assumption: "log-convex", Criterion: "the adapted eigenvalue falls",
					Done: "saturating"},
				{Name: "n/v² in place of n/q", Criterion: "adapted eigenvalue", Claimed: "fixed"},
				{Name: "labels whose interpolants are equally long", Criterion: "amplification grows",
					Done: "equal interpolants"},
				{Name: "a penalty that grows like the square of the labels", Criterion: "alignment grows with the labels",
					Done: "scaled penalty"},
				{Name: "K₀ less c(v)yyᵀ", Criterion: "alignment is that of the law", Done: "subtracted"},
				{Name: "s − 1 in place of s² − 1", Criterion: "alignment is that of the law", Claimed: "one power"},
			},
			Declined: map[string]float64{"amplification grows": 0.001, "alignment grows with the labels": 0.01},
		},
	},
	Along: &props.Along{
		Param: "lambda", From: 0.1, To: 100, Of: []string{"amplification"},
		Each: &props.ParamSweep{Name: "omega", Values: []string{"quadratic", "absolute", "log-det"}}, Reps: 1,
	},
	Try: &props.Simulation{Run: func(_ *props.Trial, v statements.Values) (map[string]float64, error) {
		p := penaltyOf[theory.Family(v.Choice("omega"))].Times(v.Float("factor"))
		s := 1 + p.Stationary(math.Sqrt(v.Float("n")/v.Float("lambda")))
		return map[string]float64{"amplification": s * s, "eigenvalue": s * s * v.Float("lambda")}, nil
	}},
}.Claim()

// multiple is a problem with several outputs, its stated solution, another pair that fits, and predictions.
type multiple struct {
	Features, Labels, Test *mat.Dense // n×p, n×C, test points × p
	Side                   theory.Side
	B                      *mat.Dense // Φ⁺Y
	Optimum, Other         float64    // cost of the stated solution and of the other pair
	Before, After          *mat.Dense // predictions at the test points with K₀ and with K
	Quadratic              float64    // tr(YᵀK⁻¹Y)
	Gains                  []float64  // singular values of M − I, largest first
	Condition              float64
	Stretch                float64
}

func drawMultiple(t *props.T, done string) multiple {
	r := t.Stream("entries")
	p := gen.Dim(t.T, "p", 6)
	n, outs := gen.Dim(t.T, "n", p), gen.Dim(t.T, "C", 3)
	in := multiple{Test: gen.Gaussian(r, 2, p, 1), Side: theory.Side{
		Family: rapid.SampledFrom([]theory.Family{theory.Quadratic, theory.Absolute, theory.LogDet}).Draw(t.T, "ω"),
		Factor: gen.LogUniform(t.T, "κ", 0.1, 10)}}
	for {
		in.Features = gen.Gaussian(r, n, p, 1)
		values := singularValues(in.Features)
		if in.Condition = math.Pow(values[0]/values[n-1], 2); in.Condition <= 1e4 {
			break
		}
	}
	in.Labels = gen.Gaussian(r, n, outs, gen.LogUniform(t.T, "size", 0.05, 20))
	in.B = mat.NewDense(p, outs, nil)
	if err := in.B.Solve(in.Features, in.Labels); err != nil {
		panic(err)
	}
	if done == "longer" {
		in.B.Add(in.B, gen.Gaussian(r, p, outs, 0.1+mat.Norm(in.B, 2)))
	}
	a, theta, _ := in.claim().Factors()
	in.Stretch = singularValues(a)[0]
	penalty := penaltyOf[in.Side.Family].Times(in.Side.Factor)
	s := impl.Structured{Layers: []impl.StructuredLayer{{Left: &penalty}}}
	cost := func(a, theta *mat.Dense) float64 {
		return s.Cost([]impl.Sided{{A: a, Theta: theta, C: impl.Identity(outs)}})
	}
	in.Optimum = cost(a, theta)
	near := gen.Gaussian(r, p, p, gen.LogUniform(t.T, "distance", 1e-4, 1))
	near.Add(near, a)
	in.Other = math.Inf(1)
	if other, _, ok := in.shortest(near); ok {
		in.Other = cost(near, other)
	}
	_, in.Before, _ = in.shortest(impl.Identity(p))
	short, after, _ := in.shortest(a)
	in.After, in.Quadratic = after, math.Pow(mat.Norm(short, 2), 2)
	in.Gains = singularValues(excess(a, impl.Identity(p)))
	return in
}

// shortest returns the shortest Θ with ΦMΘ = Y, whose squared norm is tr(YᵀK⁻¹Y), and the predictions at the test
// points.
func (in multiple) shortest(m *mat.Dense) (theta, predictions *mat.Dense, ok bool) {
	var moved mat.Dense
	moved.Mul(in.Features, m)
	theta, predictions = &mat.Dense{}, &mat.Dense{}
	if err := theta.Solve(&moved, in.Labels); err != nil {
		return nil, nil, false
	}
	predictions.Mul(in.Test, gram(m, theta))
	return theta, predictions, true
}

func (in multiple) claim() theory.Layer {
	return theory.Layer{B: in.B, Left: in.Side, Right: theory.Side{Family: theory.Fixed, Factor: 1}}
}

// judgeMultiple: B̂ and the other solves err by their backward-stable bound times the root of the condition number,
// which stretching multiplies by at most s.
func judgeMultiple(r *props.Record, in multiple, claimed string) {
	n, outs := in.Labels.Dims()
	_, p := in.Features.Dims()
	r.Regime(map[bool]string{true: "one output", false: "several outputs"}[outs == 1])
	var b mat.Dense
	if err := b.Solve(in.Features, in.Labels); err != nil {
		panic(err)
	}
	stated := in
	stated.B = &b
	optimum, size := stated.claim().Optimum(), mat.Norm(&b, 2)
	solve := 8 * tolerance.CholeskySolve(n, p, math.Sqrt(in.Condition)*in.Stretch, r.Unit())
	noise := 4*size*size*solve + 40*float64(p*p)*r.Unit()*in.Side.Factor*in.Stretch*in.Stretch
	r.Within("optimum", in.Optimum, optimum, noise)
	if claimed == "more" {
		optimum *= 1.1
	}
	if !math.IsInf(in.Other, 1) {
		r.AtLeast("no other pair costs less", in.Other, optimum, noise)
	}
	before, quadratic := mat.DenseCopyOf(in.Before), 0.0
	if claimed == "half" {
		before.Scale(0.5, before)
	}
	r.WithinMatrix("interpolant", in.After, before, 4*mat.Norm(in.Test, 2)*size*solve*in.Stretch)
	for _, s := range stated.claim().Splits() {
		quadratic += s.Cost
		if claimed == "one power" {
			quadratic += s.Cost * s.Gain()
		}
	}
	r.Within("tr(YᵀK⁻¹Y)", in.Quadratic, quadratic, 4*quadratic*solve*in.Stretch+noise)
	in.judgeRank(r, stated.claim(), size*solve/math.Sqrt(in.Side.Factor)+8*float64(p)*r.Unit()*in.Stretch, claimed)
}

// judgeRank counts the singular values of M − I that rounding does not explain. A stretch s grows with σ at a rate of
// at most 1/√κ for all three families, so an error of B̂ moves s − 1 by at most that over √κ, and the products that
// make M move it by a few roundings of s. B̂ has min(n, C) singular values, and no more: the rest is rounding. The rank
// is resolved if the least positive sⱼ − 1 is more than three times the noise; it depends on the instance alone.
func (in multiple) judgeRank(r *props.Record, l theory.Layer, noise float64, claimed string) {
	n, outs := in.Labels.Dims()
	values, splits := singularValues(l.B), l.Splits()
	threshold, rank, smallest := l.Sides().Threshold(0), 0, math.Inf(1)
	for j := range min(n, outs) {
		if values[j] > threshold {
			rank++
			smallest = min(smallest, splits[j].Gain())
		}
	}
	if r.Declines("rank of M − I", smallest, 3*noise) {
		return
	}
	if claimed == "one more" {
		rank++
	}
	seen := 0
	for _, gain := range in.Gains {
		if gain > noise {
			seen++
		}
	}
	r.Holds("rank of M − I", seen == rank)
}

// graded is a problem of graded difficulty: labels of one length along eigenvectors with falling eigenvalues.
type graded struct {
	Family    theory.Family
	Factor    float64
	N         float64
	Lambda    [3]float64 // falling
	Stretch   [3]float64 // by search
	Kernel    *mat.Dense // K₀ of a few points
	Labels    []float64
	Norm      float64    // v of the labels
	Alignment [2]float64 // of the labels with the adapted kernel, and of Times the labels
	Times     float64
}

func drawGraded(t *props.T, done string) graded {
	in := graded{Factor: gen.LogUniform(t.T, "κ", 0.1, 10), N: float64(gen.Dim(t.T, "n", 500)),
		Family: rapid.SampledFrom([]theory.Family{theory.Quadratic, theory.Absolute, theory.LogDet}).Draw(t.T, "ω")}
	penalty := penaltyOf[in.Family].Times(in.Factor)
	if done == "saturating" {
		penalty = impl.Penalty{Name: "1−1/z", Value: func(e float64) float64 { return in.Factor * e / (1 + e) },
			Slope: func(e float64) float64 { return in.Factor / ((1 + e) * (1 + e)) }}
	}
	lambda := gen.LogUniform(t.T, "λ", 0.1, 1000) * in.N
	for i := range in.Lambda {
		in.Lambda[i] = lambda
		lambda /= 1 + gen.LogUniform(t.T, "ratio", 0.1, 100)
		v := math.Sqrt(in.N / in.Lambda[i])
		if done == "equal interpolants" {
			v = math.Sqrt(in.N / in.Lambda[0])
		}
		in.Stretch[i] = 1 + penalty.Stationary(v)
	}
	in.align(t, penalty, done)
	return in
}

// align measures the alignment of the adapted kernel K₀ + (s²−1)/v²·yyᵀ, s that of the labels and of Times the labels.
func (in *graded) align(t *props.T, penalty impl.Penalty, done string) {
	r := t.Stream("entries")
	n := 1 + gen.Dim(t.T, "points", 5)
	phi, y := gen.Gaussian(r, n, n+2, 1), gen.Gaussian(r, n, 1, gen.LogUniform(t.T, "labels", 0.1, 10))
	in.Kernel, in.Labels, in.Times = gram(phi, phi.T()), y.RawMatrix().Data, 1+gen.LogUniform(t.T, "times", 0.01, 10)
	var dual mat.VecDense
	if err := dual.SolveVec(in.Kernel, y.ColView(0)); err != nil {
		t.Skip("no dual variables of a singular kernel")
	}
	in.Norm = math.Sqrt(mat.Dot(&dual, y.ColView(0)))
	sign := 1.0
	if done == "subtracted" {
		sign = -1
	}
	for i, scale := range []float64{1, in.Times} {
		s := 1 + penalty.Stationary(scale*in.Norm)
		if done == "scaled penalty" {
			s = 1 + penalty.Times(scale*scale).Stationary(scale*in.Norm)
		}
		adapted := mat.DenseCopyOf(in.Kernel)
		adapted.RankOne(adapted, sign*(s*s-1)/(in.Norm*in.Norm), y.ColView(0), y.ColView(0))
		in.Alignment[i] = impl.Alignment(adapted, in.Labels)
	}
}

// judgeGraded: stretches are known to a few roundings, and grow by more where that of the harder label is not 1. The
// alignment errs by the roundings of what is added up, and grows by more where K₀ is not along yyᵀ. By how much the law
// says that they grow is what a case can resolve; at or below a threshold it says that s stays 1.
func judgeGraded(r *props.Record, in graded, claimed string) {
	r.Regime(string(in.Family))
	sum, u := theory.Sum{{Family: in.Family, Factor: in.Factor}}, 400*r.Unit()
	falls, before := true, theory.Split{}
	for i, lambda := range in.Lambda {
		split := sum.Effective(math.Sqrt(in.N / lambda))
		got, q := in.Stretch[i]*in.Stretch[i]*lambda, split.Cost
		if claimed == "fixed" {
			q = in.N / lambda
		}
		r.Within("adapted eigenvalue", got, in.N/q, u*in.N/q)
		if i > 0 {
			falls = falls && got <= in.Stretch[i-1]*in.Stretch[i-1]*in.Lambda[i-1]*(1+u)
			if split.Gain() > 0 {
				growth := split.Gain() - before.Gain()
				if !r.Declines("amplification grows", growth, 2*u*split.Size()) {
					r.Holds("amplification grows", in.Stretch[i]-in.Stretch[i-1] > growth/2)
				}
			}
		}
		before = split
	}
	r.Holds("the adapted eigenvalue falls", falls)
	noise := float64(len(in.Labels)) * u
	for i, scale := range []float64{1, in.Times} {
		r.Within("alignment is that of the law", in.Alignment[i], in.alignment(sum, scale*in.Norm, claimed), noise)
	}
	if sum.Effective(in.Times*in.Norm).Gain() == 0 {
		return // s stays 1
	}
	growth := in.alignment(sum, in.Times*in.Norm, "") - in.alignment(sum, in.Norm, "")
	if !r.Declines("alignment grows with the labels", growth, 4*noise) {
		r.Holds("alignment grows with the labels", in.Alignment[1]-in.Alignment[0] > growth/2 &&
			in.Alignment[0] >= in.alignment(nil, in.Norm, "")-noise)
	}
}

// alignment is (yᵀK₀y + c‖y‖⁴)/(‖y‖²·√(‖K₀‖² + 2c·yᵀK₀y + c²‖y‖⁴)), c = (s²−1)/v² with the stretch at norm and v that
// of the labels; that of K₀ without penalties.
func (in graded) alignment(sum theory.Sum, norm float64, claimed string) float64 {
	y := mat.NewVecDense(len(in.Labels), in.Labels)
	gain := sum.Effective(norm).Gain()
	c := gain * (2 + gain) / (in.Norm * in.Norm)
	if claimed == "one power" {
		c = gain / (in.Norm * in.Norm)
	}
	return theory.Aligned(mat.Inner(y, in.Kernel, y), mat.Norm(in.Kernel, 2), mat.Dot(y, y), c)
}
