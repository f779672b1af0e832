package tangent

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/internal/tolerance"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// outputs pairs the corollaries of Theorem 1 with the model of a layer whose features are φ in one output at a time.
var outputs = props.Spec{
	Statement: &theory.Outputs,
	Checks: []props.Check{
		props.Drawn[multiple, multipleClaim]{
			Name:    "several outputs",
			Cases:   props.Scale{Quick: 120, Standard: 1000, Deep: 50000},
			Regimes: []string{"one output", "several outputs"},
			Draw:    func(t *props.T) multiple { return drawMultiple(t, func(multiple, *rand.Rand) {}) },
			Claim: multipleClaim{theory.Layer.Optimum, func(before *mat.Dense) *mat.Dense { return before },
				func(s theory.Split) float64 { return s.Cost }, func(moved int) int { return moved }},
			Judge: judgeMultiple,
			Controls: []props.Wrong[multiple, multipleClaim]{
				{Name: "an interpolant that is longer", Assumption: "min-norm", Criterion: "optimum",
					Draw: func(t *props.T) multiple { return drawMultiple(t, multiple.lengthen) }},
				{Name: "a tenth more", Criterion: "no other pair costs less",
					Instead: multipleClaim{lowest: func(l theory.Layer) float64 { return 1.1 * l.Optimum() }}},
				{Name: "1/sⱼ in place of 1/sⱼ²", Criterion: "tr(YᵀK⁻¹Y)",
					Instead: multipleClaim{quadratic: func(s theory.Split) float64 { return s.Cost + s.Cost*s.Gain() }}},
				{Name: "the interpolant halved", Criterion: "interpolant",
					Instead: multipleClaim{after: func(before *mat.Dense) *mat.Dense {
						half := mat.DenseCopyOf(before)
						half.Scale(0.5, half)
						return half
					}}},
				{Name: "one direction more", Criterion: "rank of M − I",
					Instead: multipleClaim{rank: func(moved int) int { return moved + 1 }}},
			},
			Replicates: 3,
			Declined:   map[string]float64{"rank of M − I": 0.01},
		},
		props.Drawn[graded, gradedClaim]{
			Name:    "difficulty and label scale",
			Cases:   props.Scale{Quick: 200, Standard: 1500, Deep: 100000},
			Regimes: []string{"quadratic", "absolute", "log-det"},
			Draw:    func(t *props.T) graded { return drawGraded(t, adaptation) },
			Claim: gradedClaim{eigenvalue: func(n, _ float64, s theory.Split) float64 { return n / s.Cost },
				coefficient: squareLessOne},
			Judge: judgeGraded,
			Controls: []props.Wrong[graded, gradedClaim]{
				{Name: "the penalty 1 − 1/z", Assumption: "log-convex", Criterion: "the adapted eigenvalue falls",
					Draw: gradedWith(func(a *adapting) { a.penalty = saturating })},
				{Name: "n/v² in place of n/q", Criterion: "adapted eigenvalue",
					Instead: gradedClaim{eigenvalue: func(_, lambda float64, _ theory.Split) float64 { return lambda }}},
				{Name: "labels whose interpolants are equally long", Criterion: "amplification grows",
					Draw: gradedWith(func(a *adapting) {
						a.norm = func(in graded, _ int) float64 { return math.Sqrt(in.N / in.Lambda[0]) }
					})},
				{Name: "a penalty that grows like the square of the labels", Criterion: "alignment grows with the labels",
					Draw: gradedWith(func(a *adapting) {
						a.scaled = func(p impl.Penalty, scale float64) impl.Penalty { return p.Times(scale * scale) }
					})},
				{Name: "K₀ less c(v)yyᵀ", Criterion: "alignment is that of the law",
					Draw: gradedWith(func(a *adapting) { a.add = func(c float64) float64 { return -c } })},
				{Name: "s − 1 in place of s² − 1", Criterion: "alignment is that of the law",
					Instead: gradedClaim{coefficient: func(gain float64) float64 { return gain }}},
			},
			Declined: map[string]float64{"amplification grows": 0.001, "alignment grows with the labels": 0.01},
		},
	},
	Along: &props.Along{
		Param: "lambda", From: 0.1, To: 100, Of: []string{"amplification"},
		Each: &props.ParamSweep{Name: "omega", Values: []string{"quadratic", "absolute", "log-det"}}, Reps: 1,
	},
	Try: &props.Simulation{Run: func(_ *props.Trial, v statement.Values) (map[string]float64, error) {
		p := penaltyOf[theory.Family(v.Choice("omega"))].Times(v.Float("factor"))
		s := 1 + p.Stationary(math.Sqrt(v.Float("n")/v.Float("lambda")))
		return map[string]float64{"amplification": s * s, "eigenvalue": s * s * v.Float("lambda")}, nil
	}},
}.Claim()

// multipleClaim holds the claims about several outputs.
type multipleClaim struct {
	lowest    func(theory.Layer) float64
	after     func(before *mat.Dense) *mat.Dense // predictions of the adapted kernel, given those of the fixed one
	quadratic func(theory.Split) float64         // what a direction adds to tr(YᵀK⁻¹Y)
	rank      func(moved int) int                // of M − I, given how many directions are stretched
}

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

// drawMultiple draws a problem and solves it for the interpolant of least norm, changed by longer.
func drawMultiple(t *props.T, longer func(multiple, *rand.Rand)) multiple {
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
	must.Do(in.B.Solve(in.Features, in.Labels))
	longer(in, r)
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

// lengthen adds to the interpolant.
func (in multiple) lengthen(r *rand.Rand) {
	p, outs := in.B.Dims()
	in.B.Add(in.B, gen.Gaussian(r, p, outs, 0.1+mat.Norm(in.B, 2)))
}

// shortest returns the shortest Θ with ΦMΘ = Y, whose squared norm is tr(YᵀK⁻¹Y), and the predictions at the test
// points.
func (in multiple) shortest(m *mat.Dense) (theta, predictions *mat.Dense, ok bool) {
	moved := algebra.Product(in.Features, m)
	theta, predictions = &mat.Dense{}, &mat.Dense{}
	if err := theta.Solve(moved, in.Labels); err != nil {
		return nil, nil, false
	}
	predictions.Mul(in.Test, algebra.Product(m, theta))
	return theta, predictions, true
}

func (in multiple) claim() theory.Layer {
	return theory.Layer{B: in.B, Left: in.Side, Right: theory.Side{Family: theory.Fixed, Factor: 1}}
}

// judgeMultiple: B̂ and the other solves err by their backward-stable bound times the root of the condition number,
// which stretching multiplies by at most s.
func judgeMultiple(r *props.Record, in multiple, c multipleClaim) {
	n, outs := in.Labels.Dims()
	_, p := in.Features.Dims()
	r.Regime(map[bool]string{true: "one output", false: "several outputs"}[outs == 1])
	var b mat.Dense
	must.Do(b.Solve(in.Features, in.Labels))
	stated := in
	stated.B = &b
	optimum, size := stated.claim().Optimum(), mat.Norm(&b, 2)
	solve := 8 * tolerance.CholeskySolve(n, p, math.Sqrt(in.Condition)*in.Stretch, r.Unit())
	noise := 4*size*size*solve + 40*float64(p*p)*r.Unit()*in.Side.Factor*in.Stretch*in.Stretch
	r.Within("optimum", in.Optimum, optimum, noise)
	if !math.IsInf(in.Other, 1) {
		r.AtLeast("no other pair costs less", in.Other, c.lowest(stated.claim()), noise)
	}
	quadratic := 0.0
	r.WithinMatrix("interpolant", in.After, c.after(in.Before), 4*mat.Norm(in.Test, 2)*size*solve*in.Stretch)
	for _, s := range stated.claim().Splits() {
		quadratic += c.quadratic(s)
	}
	r.Within("tr(YᵀK⁻¹Y)", in.Quadratic, quadratic, 4*quadratic*solve*in.Stretch+noise)
	in.judgeRank(r, stated.claim(), size*solve/math.Sqrt(in.Side.Factor)+8*float64(p)*r.Unit()*in.Stretch, c)
}

// judgeRank counts the singular values of M − I that rounding does not explain. A stretch s grows with σ at a rate of
// at most 1/√κ for all three families, so an error of B̂ moves s − 1 by at most that over √κ, and the products that
// make M move it by a few roundings of s. B̂ has min(n, C) singular values, and no more: the rest is rounding. The rank
// is resolved if the least positive sⱼ − 1 is more than three times the noise; it depends on the instance alone.
func (in multiple) judgeRank(r *props.Record, l theory.Layer, noise float64, c multipleClaim) {
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
	seen := 0
	for _, gain := range in.Gains {
		if gain > noise {
			seen++
		}
	}
	r.Exactly("rank of M − I", float64(seen), float64(c.rank(rank)))
}

// gradedClaim holds the claims about difficulty and scale.
type gradedClaim struct {
	eigenvalue  func(n, lambda float64, s theory.Split) float64 // the adapted one
	coefficient func(gain float64) float64                      // v²c(v), given s − 1
}

// squareLessOne is s² − 1, given s − 1.
func squareLessOne(gain float64) float64 { return gain * (2 + gain) }

// adapting says how a kernel adapts to labels.
type adapting struct {
	penalty func(theory.Family, float64) impl.Penalty
	norm    func(in graded, label int) float64               // of the interpolant
	scaled  func(p impl.Penalty, scale float64) impl.Penalty // the penalty for labels of another scale
	add     func(c float64) float64                          // what is added to K₀ of yyᵀ, given c(v)
}

var adaptation = adapting{
	penalty: func(f theory.Family, factor float64) impl.Penalty { return penaltyOf[f].Times(factor) },
	norm:    func(in graded, label int) float64 { return math.Sqrt(in.N / in.Lambda[label]) },
	scaled:  func(p impl.Penalty, _ float64) impl.Penalty { return p },
	add:     func(c float64) float64 { return c },
}

// gradedWith draws with an adaptation that is wrong.
func gradedWith(change func(*adapting)) func(*props.T) graded {
	a := adaptation
	change(&a)
	return func(t *props.T) graded { return drawGraded(t, a) }
}

// saturating is 1 − 1/z.
func saturating(_ theory.Family, factor float64) impl.Penalty {
	return impl.Penalty{Name: "1−1/z", Value: func(e float64) float64 { return factor * e / (1 + e) },
		Slope: func(e float64) float64 { return factor / ((1 + e) * (1 + e)) }}
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

func drawGraded(t *props.T, a adapting) graded {
	in := graded{Factor: gen.LogUniform(t.T, "κ", 0.1, 10), N: float64(gen.Dim(t.T, "n", 500)),
		Family: rapid.SampledFrom([]theory.Family{theory.Quadratic, theory.Absolute, theory.LogDet}).Draw(t.T, "ω")}
	penalty := a.penalty(in.Family, in.Factor)
	lambda := gen.LogUniform(t.T, "λ", 0.1, 1000) * in.N
	for i := range in.Lambda {
		in.Lambda[i] = lambda
		lambda /= 1 + gen.LogUniform(t.T, "ratio", 0.1, 100)
		in.Stretch[i] = 1 + penalty.Stationary(a.norm(in, i))
	}
	in.align(t, penalty, a)
	return in
}

// align measures the alignment of the adapted kernel K₀ + (s²−1)/v²·yyᵀ, s the stretch of the labels and of Times the
// labels.
func (in *graded) align(t *props.T, penalty impl.Penalty, a adapting) {
	r := t.Stream("entries")
	n := 1 + gen.Dim(t.T, "points", 5)
	phi, y := gen.Gaussian(r, n, n+2, 1), gen.Gaussian(r, n, 1, gen.LogUniform(t.T, "labels", 0.1, 10))
	in.Kernel, in.Labels = algebra.Product(phi, phi.T()), y.RawMatrix().Data
	in.Times = 1 + gen.LogUniform(t.T, "times", 0.01, 10)
	var dual mat.VecDense
	if err := dual.SolveVec(in.Kernel, y.ColView(0)); err != nil {
		t.Skip("no dual variables of a singular kernel")
	}
	in.Norm = math.Sqrt(mat.Dot(&dual, y.ColView(0)))
	for i, scale := range []float64{1, in.Times} {
		s := 1 + a.scaled(penalty, scale).Stationary(scale*in.Norm)
		adapted := mat.DenseCopyOf(in.Kernel)
		adapted.RankOne(adapted, a.add((s*s-1)/(in.Norm*in.Norm)), y.ColView(0), y.ColView(0))
		in.Alignment[i] = impl.Alignment(adapted, in.Labels)
	}
}

// judgeGraded: stretches are known to a few roundings, and grow by more where the stretch of the harder label is not 1.
// The alignment errs by the roundings of what is added up, and grows by more where K₀ is not along yyᵀ. A case can
// resolve as much as the law says that they grow; at or below a threshold it says that s stays 1.
func judgeGraded(r *props.Record, in graded, c gradedClaim) {
	r.Regime(string(in.Family))
	sum, u := theory.Sum{{Family: in.Family, Factor: in.Factor}}, 400*r.Unit()
	before := theory.Split{}
	for i, lambda := range in.Lambda {
		split := sum.Effective(math.Sqrt(in.N / lambda))
		got, want := in.Stretch[i]*in.Stretch[i]*lambda, c.eigenvalue(in.N, lambda, split)
		r.Within("adapted eigenvalue", got, want, u*want)
		if i > 0 {
			easier := in.Stretch[i-1] * in.Stretch[i-1] * in.Lambda[i-1]
			r.AtMost("the adapted eigenvalue falls", got, easier, u*easier)
			if split.Gain() > 0 {
				growth := split.Gain() - before.Gain()
				if !r.Declines("amplification grows", growth, 2*u*split.Size()) {
					r.AtLeast("amplification grows", in.Stretch[i]-in.Stretch[i-1], growth, growth/2)
				}
			}
		}
		before = split
	}
	noise := float64(len(in.Labels)) * u
	for i, scale := range []float64{1, in.Times} {
		r.Within("alignment is that of the law", in.Alignment[i], in.alignment(sum, scale*in.Norm, c.coefficient), noise)
	}
	if sum.Effective(in.Times*in.Norm).Gain() == 0 {
		return // s stays 1
	}
	growth := in.alignment(sum, in.Times*in.Norm, squareLessOne) - in.alignment(sum, in.Norm, squareLessOne)
	if !r.Declines("alignment grows with the labels", growth, 4*noise) {
		r.AtLeast("alignment grows with the labels", in.Alignment[1]-in.Alignment[0], growth, 2*noise)
		r.AtLeast("alignment is at least that of K₀", in.Alignment[0], in.alignment(nil, in.Norm, squareLessOne), noise)
	}
}

// alignment is (yᵀK₀y + c‖y‖⁴)/(‖y‖²·√(‖K₀‖² + 2c·yᵀK₀y + c²‖y‖⁴)), c = (s²−1)/v² with the stretch at norm and v the
// norm of the labels; without penalties it is the alignment of K₀.
func (in graded) alignment(sum theory.Sum, norm float64, coefficient func(gain float64) float64) float64 {
	y := mat.NewVecDense(len(in.Labels), in.Labels)
	c := coefficient(sum.Effective(norm).Gain()) / (in.Norm * in.Norm)
	return theory.Aligned(mat.Inner(y, in.Kernel, y), mat.Norm(in.Kernel, 2), mat.Dot(y, y), c)
}
