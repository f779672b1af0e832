package latent

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/impl/ridge"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/latent"
)

// head descends on the output weights of random networks, and follows the ridge path.
var head = props.Spec{
	Statement: &theory.Head,
	Checks: []props.Check{props.Drawn[descent, headClaim]{
		Name:    "descent and ridge path",
		Cases:   props.Scale{Quick: 60, Standard: 600, Deep: 20000},
		Tries:   12,
		Regimes: []string{"more samples than features", "fewer samples than features", "features 0", "η(μ+λ) > 1"},
		Draw:    drawDescent,
		Claim: headClaim{penalty: func(lambda float64, _ int) float64 { return lambda },
			start: func(in descent) []float64 { return in.Start }, reached: headEpsilon,
			small: func(eta float64) bool { return eta <= 1 }},
		Judge: judgeDescent,
		Controls: []props.Wrong[descent, headClaim]{
			{Reading: "ridge-formula", Criterion: "limit", Claim: func(c *headClaim) { // penalty λ
				c.penalty = func(lambda float64, n int) float64 { return 2 * lambda / float64(n) }
			}},
			{Name: "loss with ½", Assumption: "loss", Criterion: "limit", Claim: func(c *headClaim) { // penalty nλ
				c.penalty = func(lambda float64, _ int) float64 { return 2 * lambda }
			}},
			{Name: "no decay in the last step", Assumption: "decay", Criterion: "components after t steps",
				Draw: drawLastWithoutDecay},
			{Name: "starting from 0", Criterion: "components after t steps",
				Instead: headClaim{start: func(in descent) []float64 { return make([]float64, len(in.Start)) }}},
			{Name: "one step less", Criterion: "components after t steps", Alter: func(in *descent) { in.Steps-- }},
			{Name: "half as many steps", Criterion: "ε after ln(1/ε)/(ηλ) + 1 steps",
				Alter: func(in *descent) { in.Enough = in.Halved }},
			{Name: "a step ten times too long", Assumption: "small", Criterion: "ε after ln(1/ε)/(ηλ) + 1 steps",
				Claim: func(c *headClaim) { // what a step ten times as long would reach
					c.reached, c.small = math.Pow(headEpsilon, 10), func(float64) bool { return true }
				}},
			{Name: "norm grows with λ", Criterion: "‖a‖ along λ",
				Alter: func(in *descent) { in.Ridge, in.Further = in.Further, in.Ridge }},
			{Name: "training loss falls with λ", Criterion: "training loss along λ",
				Alter: func(in *descent) { in.Ridge, in.Further = in.Further, in.Ridge }},
			{Name: "a rival of larger norm", Criterion: "training loss within the norm",
				Alter: func(in *descent) { in.Rival = in.Longer }},
		},
	}},
}.Claim()

// descent holds a ridge problem, and the solutions that the implementation found. The judge solves the problem in the
// eigenbasis, by gonum's eigenvalues.
type descent struct {
	Phi            *mat.Dense
	Y, Start       []float64
	Lambda, Eta    float64
	Steps          int
	After          []float64 // after Steps steps
	Enough, Halved []float64 // after ln(1/ε)/(ηλ) + 1 steps, and after half of them
	Ridge, Further []float64 // the ridge path at nλ/2, and at nλ
	Rival, Longer  []float64 // a vector as long as Ridge, and the ridge path at nλ/4
}

const headEpsilon = 1e-3

func drawDescent(t *props.T) descent {
	in, _, _ := drawHead(t)
	return in
}

func drawLastWithoutDecay(t *props.T) descent {
	in, net, x := drawHead(t)
	net.A = net.DescendHead(x, in.Y, in.Eta, in.Lambda, in.Steps-1)
	in.After = net.DescendHead(x, in.Y, in.Eta, 0, 1)
	return in
}

// drawHead draws a problem, and returns it with its network and inputs.
func drawHead(t *props.T) (descent, latent.Network, *mat.Dense) {
	n, m, d := gen.Dim(t.T, "n", 20), gen.Dim(t.T, "m", 12), gen.Dim(t.T, "d", 3)
	r := t.Stream("entries")
	net := latent.Independent(r, m, d).Redraw(r)
	x, y := gen.Gaussian(r, n, d, 1), make([]float64, n)
	if rapid.IntRange(0, 9).Draw(t.T, "features 0") == 9 {
		net.W.Zero()
		net.B = constant(m, -1)
	}
	for i := range y {
		y[i] = r.NormFloat64()
	}
	for j := range net.A {
		net.A[j] *= gen.LogUniform(t.T, "a", 0.1, 10)
	}
	in := descent{Phi: net.Features(x), Y: y, Start: append([]float64{}, net.A...),
		Lambda: gen.LogUniform(t.T, "λ", 0.1, 3),
		Steps:  rapid.IntRange(1, 200).Draw(t.T, "t")}
	top := in.spectrum().top()
	in.Eta = gen.LogUniform(t.T, "η(μ₁+λ)", 0.2, 1) / (top + in.Lambda)
	if rapid.IntRange(0, 4).Draw(t.T, "long steps") == 4 {
		in.Eta *= 1.9 / (in.Eta * (top + in.Lambda))
	}
	in.After = net.DescendHead(x, y, in.Eta, in.Lambda, in.Steps)
	enough := int(theory.HeadSteps(in.Eta, in.Lambda, headEpsilon))
	in.Enough = net.DescendHead(x, y, in.Eta, in.Lambda, enough)
	in.Halved = net.DescendHead(x, y, in.Eta, in.Lambda, enough/2)
	path := must.Get(ridge.Features(in.Phi, y))
	for _, f := range []float64{1, 2} {
		a := must.Get(path.Solve(f * float64(n) * in.Lambda / 2))
		in.Ridge, in.Further = in.Further, a
	}
	in.Longer = must.Get(path.Solve(float64(n) * in.Lambda / 4))
	in.Rival = rival(r, in.Ridge, gen.LogUniform(t.T, "distance of the rival", 1e-3, 10))
	return in, net, x
}

// rival returns a vector of the same length as a, at about the given distance in units of that length.
func rival(r *rand.Rand, a []float64, distance float64) []float64 {
	length, out := floats.Norm(a, 2), slices.Clone(a)
	for i := range out {
		out[i] += distance * length * r.NormFloat64()
	}
	if size := floats.Norm(out, 2); size > 0 {
		floats.Scale(length/size, out)
	}
	return out
}

// components holds the eigenvalues μ of (2/n)ΦᵀΦ and its eigenvectors (columns).
type components struct {
	mu      []float64
	vectors mat.Dense
}

func (c components) top() float64 { return c.mu[len(c.mu)-1] }

func (in descent) spectrum() components {
	n, _ := in.Phi.Dims()
	var moment mat.SymDense
	moment.SymOuterK(2/float64(n), in.Phi.T())
	var e mat.EigenSym
	if !e.Factorize(&moment, true) {
		panic("latent: eigenvalues of the features")
	}
	c := components{mu: e.Values(nil)}
	e.VectorsTo(&c.vectors)
	return c
}

// apply returns Σ_k v_k⟨v_k, right⟩ f(μ_k).
func (c components) apply(right []float64, f func(mu float64) float64) []float64 {
	m := len(c.mu)
	inner := mat.NewVecDense(m, nil)
	inner.MulVec(c.vectors.T(), mat.NewVecDense(m, right))
	for k, mu := range c.mu {
		inner.SetVec(k, inner.AtVec(k)*f(max(0, mu)))
	}
	out := mat.NewVecDense(m, nil)
	out.MulVec(&c.vectors, inner)
	return out.RawVector().Data
}

// headClaim holds the penalty of the limit for n samples, the start of the descent, the share of the initial distance
// to the limit that remains, and the step sizes η(μ₁+λ) for which that is claimed.
type headClaim struct {
	penalty func(lambda float64, n int) float64
	start   func(descent) []float64
	reached float64
	small   func(eta float64) bool
}

func judgeDescent(r *props.Record, in descent, claim headClaim) {
	n, m := in.Phi.Dims()
	c := in.spectrum()
	none := mat.Norm(in.Phi, 2) == 0
	r.RegimeOf(n < m, none, !none && in.Eta*(c.top()+in.Lambda) > 1+1e-9)
	right := mat.NewVecDense(m, nil)
	right.MulVec(in.Phi.T(), mat.NewVecDense(n, in.Y))
	right.ScaleVec(2/float64(n), right)
	penalty := claim.penalty(in.Lambda, n)
	limit := c.apply(right.RawVector().Data, func(mu float64) float64 { return 1 / (mu + penalty) })
	size := floats.Norm(right.RawVector().Data, 2)/in.Lambda + floats.Norm(in.Start, 2)
	tolerance := 200 * float64(n+m) * r.Unit() * (c.top() + in.Lambda) / in.Lambda * size
	if floats.Norm(limit, 2) > 0 {
		r.WithinVector("limit", in.Ridge, limit, tolerance)
	}

	t, start := float64(in.Steps), append([]float64{}, claim.start(in)...)
	floats.Sub(start, limit)
	after := c.apply(start, func(mu float64) float64 { return math.Pow(1-in.Eta*(mu+in.Lambda), t) })
	floats.Add(after, limit)
	perStep := float64(n+m+20) * r.Unit() * (size + in.Eta*(c.top()+in.Lambda)*size)
	r.WithinVector("components after t steps", in.After, after, tolerance+min(t, 10/(in.Eta*in.Lambda))*perStep)

	if claim.small(in.Eta * (c.top() + in.Lambda)) {
		initial := floats.Distance(in.Start, limit, 2)
		r.AtMost("ε after ln(1/ε)/(ηλ) + 1 steps", floats.Distance(in.Enough, limit, 2), claim.reached*initial,
			tolerance+10/(in.Eta*in.Lambda)*perStep)
	}
	shorter, longer := floats.Norm(in.Further, 2), floats.Norm(in.Ridge, 2)
	smaller, larger := in.loss(in.Ridge), in.loss(in.Further)
	if longer > 0 {
		r.AtMost("‖a‖ along λ", shorter, longer, tolerance)
	}
	scale := mat.Norm(in.Phi, 2)*size + floats.Norm(in.Y, 2)
	slack := 4*mat.Norm(in.Phi, 2)*tolerance*scale + float64(n+m)*r.Unit()*scale*scale
	r.AtMost("training loss along λ", smaller, larger, slack)
	r.AtMost("training loss within the norm", smaller, in.loss(in.Rival), slack)
}

// loss returns ‖Φa − y‖².
func (in descent) loss(a []float64) float64 {
	n, m := in.Phi.Dims()
	out := mat.NewVecDense(n, nil)
	out.MulVec(in.Phi, mat.NewVecDense(m, a))
	out.SubVec(out, mat.NewVecDense(n, in.Y))
	return mat.Dot(out, out)
}
