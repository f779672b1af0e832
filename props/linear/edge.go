package linear

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/order"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/linear"
)

// edge takes steps of a network of two linear layers, and follows descent to where it ends.
var edge = props.Spec{
	Statement: &theory.Edge,
	Along: &props.Along{Param: "h", From: 0.02, To: 0.4, Of: []string{"end"}, Y: "sharpness where descent ends",
		Points: "where runs end"},
	Try: &props.Simulation{Run: func(t *props.Trial, v statement.Values) (map[string]float64, error) {
		d := startAt(t.Rand, 2, v.Float("m"), v.Float("h"), v.Float("p"), v.Float("S"))
		d.step()
		out := map[string]float64{"error": d.error(), "sharpness": d.sharpness()}
		t.Need(d.run(1e-9, 1e6) < 1e6 && d.size*d.sharpness() < 8, "descent does not converge at this step size")
		out["end"] = d.sharpness()
		return out, nil
	}},
	Checks: []props.Check{
		props.Drawn[productStep, productClaim]{
			Name: "a step", Cases: props.Scale{Quick: 400, Standard: 4000, Deep: 200000},
			Tries:   16,
			Regimes: []string{"floats", "integers"},
			Draw:    func(t *props.T) productStep { return drawProduct(t).train(1, false) },
			Claim:   productClaim{theory.Product.NextError, theory.Product.NextSharpness, theory.Product.Shrinkage},
			Judge:   judgeProduct,
			Proven:  map[string]string{"e⁺": counted, "S⁺": counted, "D⁺": counted},
			Controls: []props.Wrong[productStep, productClaim]{
				{Name: "second vector steps from the new first one", Assumption: "at-once",
					Draw: func(t *props.T) productStep { return drawProduct(t).train(1, true) }},
				{Name: "loss without ½", Assumption: "half",
					Draw: func(t *props.T) productStep { return drawProduct(t).train(2, false) }},
				{Name: "error of first order", Criterion: "e⁺", Instead: productClaim{err: func(s theory.Product) float64 {
					return (s.Value - s.Target) * (1 - s.Step*s.Sharpness)
				}}},
				{Name: "e² in place of e(e+m)", Criterion: "S⁺", Instead: productClaim{sharpness: func(s theory.Product) float64 {
					return s.NextSharpness() + 4*s.Step*(s.Value-s.Target)*s.Target
				}}},
				{Name: "imbalance that grows", Criterion: "D⁺",
					Instead: productClaim{shrinkage: func(s theory.Product) float64 { return 2 - s.Shrinkage() }}},
			},
		},
		catapult, edgeEnds, edgeOrbit,
	},
}.Claim()

// productClaim gives the error, the sharpness and the factor of the imbalance after a step.
type productClaim struct{ err, sharpness, shrinkage func(theory.Product) float64 }

const counted = "every rounding of both sides is counted"

// productStep is one step of a network of two linear layers on the sample 1.
type productStep struct {
	X      []float64 `npy:"x"`
	Y      []float64 `npy:"y"`
	Target float64   `npy:"m"`
	Step   float64   `npy:"h"`
	NextX  []float64 `npy:"x_next"`
	NextY  []float64 `npy:"y_next"`

	integers bool // and a dyadic step size
}

func drawProduct(t *props.T) productStep {
	s := productStep{integers: rapid.Bool().Draw(t.T, "integers")}
	k, entries := gen.Dim(t.T, "k", 5), entriesOf(t.Stream("entries"), s.integers)
	s.X, s.Y, s.Target = entries(1, k).RawRowView(0), entries(1, k).RawRowView(0), entries(1, 1).At(0, 0)
	if s.integers {
		s.Step = math.Ldexp(1, -rapid.IntRange(-1, 4).Draw(t.T, "-log2 h"))
	} else {
		s.Step = gen.LogUniform(t.T, "h", 1e-3, 2)
	}
	return s
}

// train takes the step, by backpropagation of the loss times weight; in turn, the second vector sees the new first one.
func (s productStep) train(weight float64, inTurn bool) productStep {
	k := len(s.X)
	net := nn.Net{{W: mat.NewDense(k, 1, s.X)}, {W: mat.NewDense(1, k, s.Y)}}
	for l := range net {
		net[l].Act = nn.Identity
	}
	one, target := mat.NewDense(1, 1, []float64{1}), mat.NewDense(1, 1, []float64{s.Target})
	views := net.Batches(one, target)
	move := func(l int, w []float64) []float64 {
		return floats.AddScaledTo(make([]float64, k), w, -s.Step*weight, views[l].WeightGrad().RawMatrix().Data)
	}
	s.NextX = move(0, s.X)
	if inTurn {
		net[0].W = mat.NewDense(k, 1, s.NextX)
		views = net.Batches(one, target)
	}
	s.NextY = move(1, s.Y)
	return s
}

func judgeProduct(r *props.Record, s productStep, c productClaim) {
	before, after := descent{s.X, s.Y, s.Target, s.Step}, descent{s.NextX, s.NextY, s.Target, s.Step}
	p := theory.Product{Target: s.Target, Step: s.Step, Value: floats.Dot(s.X, s.Y), Sharpness: before.sharpness()}
	want := before.imbalance()
	want.Scale(c.shrinkage(p), want)
	r.RegimeOf(s.integers)
	if s.integers {
		r.ExactlyVector("e⁺, S⁺ and D⁺, on integers",
			append(after.imbalance().RawMatrix().Data, after.error(), after.sharpness()),
			append(want.RawMatrix().Data, c.err(p), c.sharpness(p)))
		return
	}
	x, y, m := floats.Norm(s.X, 2), floats.Norm(s.Y, 2), math.Abs(s.Target)
	largest := x*y + m // of e
	a, b, rounding := x+s.Step*largest*y, y+s.Step*largest*x, r.Unit()*float64(6*len(s.X)+20)
	r.Within("e⁺", after.error(), c.err(p), rounding*(a*b+m))
	r.Within("S⁺", after.sharpness(), c.sharpness(p), rounding*(a*a+b*b))
	r.WithinMatrix("D⁺", after.imbalance(), want, rounding*(a*a+b*b))
}

// descent is gradient descent on ½(⟨x, y⟩ − m)².
type descent struct {
	x, y         []float64
	target, size float64
}

// startAt has ⟨x, y⟩ = p and ‖x‖² + ‖y‖² = s: ‖x ± y‖² = s ± 2p.
func startAt(r *rand.Rand, k int, m, h, p, s float64) descent {
	u, v := gen.Orthonormal(r, k, 1).RawMatrix().Data, gen.Orthonormal(r, k, 1).RawMatrix().Data
	floats.Scale(math.Sqrt(max(0, s+2*p))/2, u)
	floats.Scale(math.Sqrt(max(0, s-2*p))/2, v)
	return descent{floats.AddTo(make([]float64, k), u, v), floats.SubTo(make([]float64, k), u, v), m, h}
}

func (d *descent) error() float64     { return floats.Dot(d.x, d.y) - d.target }
func (d *descent) sharpness() float64 { return floats.Dot(d.x, d.x) + floats.Dot(d.y, d.y) }

// imbalance is D.
func (d *descent) imbalance() *mat.Dense {
	x, y := mat.NewDense(len(d.x), 1, d.x), mat.NewDense(len(d.y), 1, d.y)
	var out, second mat.Dense
	out.Mul(x, x.T())
	second.Mul(y, y.T())
	out.Sub(&out, &second)
	return &out
}

// step is one step of both vectors at once.
func (d *descent) step() {
	by := d.size * d.error()
	for i, x := range d.x {
		d.x[i], d.y[i] = x-by*d.y[i], d.y[i]-by*x
	}
}

// run descends until h|e| is at most small or hS is above 8, and returns the number of steps.
func (d *descent) run(small float64, limit int) (steps int) {
	for steps < limit && d.size*math.Abs(d.error()) > small && d.size*d.sharpness() <= 8 {
		d.step()
		steps++
	}
	return steps
}

// catapults holds the place where descent from a random direction begins to diverge, in hS, and the change of S on its
// two sides.
type catapults struct {
	Below, Above float64
	Rise, Fall   float64 // largest of S⁺/S from below 4, smallest from above
	Converged    bool
}

var catapult = props.Grid[edgeCell, catapults, float64]{
	Name: "threshold of the catapult", Cells: edgeCells(1, 4, 64), Tries: 36,
	Measure: func(t *props.Trial, c edgeCell) catapults { return measureCatapult(t.Rand, c.K, 0) },
	Claim:   4,
	Judge: func(r *props.Record, c edgeCell, m catapults, threshold float64) {
		r.Bracketed("threshold in hS", m.Below, m.Above, threshold)
		rounding := float64(8*c.K+20) * 0x1p-53
		r.AtMost("S⁺/S where hS < 4", m.Rise, threshold/4, rounding)
		r.AtLeast("S⁺/S where hS > 4", m.Fall, threshold/4, rounding)
		r.Holds("e → 0 where hS < 4", m.Converged)
	},
	Proven: map[string]string{"threshold in hS": "a bracket of bisection holds the threshold anywhere"},
	Controls: []props.WrongCell[edgeCell, catapults, float64]{
		{Name: "target 0.2/h", Assumption: "zero-target", Criterion: "threshold in hS",
			Measure: func(t *props.Trial, c edgeCell) catapults { return measureCatapult(t.Rand, c.K, 0.2) }},
		{Name: "rise in the claim of a fall", Criterion: "S⁺/S where hS > 4",
			Alter: func(_ edgeCell, m *catapults) { m.Fall = 2 - m.Fall }},
		{Name: "threshold 3.99", Criterion: "S⁺/S where hS < 4", Instead: 3.99},
		{Name: "starts above the threshold", Criterion: "e → 0 where hS < 4",
			Measure: func(t *props.Trial, c edgeCell) catapults {
				m, d := measureCatapult(t.Rand, c.K, 0), startAt(t.Rand, c.K, 0, 1, 1, 4.1)
				d.run(0.01, 1e5)
				m.Converged = d.sharpness() < 4
				return m
			}},
	},
}

// edgeCell is an instance with vectors of K entries.
type edgeCell struct{ K, Index int }

func edgeCells(sizes ...int) func(props.Effort) []edgeCell {
	return func(e props.Effort) (out []edgeCell) {
		for _, k := range sizes {
			for i := range (props.Scale{Quick: 12, Standard: 40, Deep: 2000}).At(e) {
				out = append(out, edgeCell{k, i})
			}
		}
		return out
	}
}

func measureCatapult(r *rand.Rand, k int, target float64) (out catapults) {
	h, seed := gen.LogUniformFrom(r, 0.01, 10), r.Uint64()
	cosine := math.Copysign(0.05+0.95*r.Float64(), r.Float64()-0.5)
	at := func(hs float64) descent { // the same direction every time
		return startAt(rand.New(rand.NewPCG(seed, 0)), k, target/h, h, cosine*hs/(2*h), hs/h)
	}
	for out.Below, out.Above = 0.5, 8; out.Above-out.Below > 1e-9; {
		middle := (out.Below + out.Above) / 2
		if d := at(middle); d.run(1e-7, 5000) < 5000 && h*d.sharpness() > 8 {
			out.Above = middle
		} else {
			out.Below = middle
		}
	}
	follow := func(d descent, ratio float64, extreme func(a, b float64) float64) (_ float64, converged bool) {
		for range 100000 {
			before := d.sharpness()
			d.step()
			ratio = extreme(ratio, d.sharpness()/before)
			if hs := h * d.sharpness(); h*math.Abs(d.error()) < 0.01 || hs > 100 {
				return ratio, hs < 4
			}
		}
		return ratio, false
	}
	out.Rise, out.Converged = follow(at(0.05+3.9*r.Float64()), math.Inf(-1), math.Max)
	out.Fall, _ = follow(at(4+gen.LogUniformFrom(r, 1e-4, 0.1)), math.Inf(1), math.Min)
	return out
}

// ends holds the ends of descent and flow.
type ends struct {
	FromAfar, FromEdge, Error float64 // hS at the end, and h|e| there
	Reflection, ReflectionErr float64 // limit of (2 − hS at the end)/(hφ − 2 at the start)
	Flow, FlowErr             float64 // limit of S for small steps, over what is claimed
	Start                     theory.Product
}

type endsClaim struct {
	bound, reflection float64
	flow              func(theory.Product) float64
}

var edgeEnds = props.Grid[edgeCell, ends, endsClaim]{
	Name: "ends of descent and of flow", Cells: edgeCells(1, 3), Tries: 24,
	Measure: func(t *props.Trial, c edgeCell) ends { return measureEnds(t.Rand, c.K) },
	Claim:   endsClaim{2, 1, theory.Product.FlowSharpness},
	Judge: func(r *props.Record, _ edgeCell, m ends, c endsClaim) {
		r.AtMost("hS at the end, from afar", m.FromAfar, c.bound, 5*m.Error)
		r.AtMost("hS at the end, from the edge", m.FromEdge, c.bound, 1e-12)
		r.Within("reflection at the edge", m.Reflection, c.reflection, m.ReflectionErr)
		r.Within("sharpness where the flow ends", m.Flow, c.flow(m.Start), m.FlowErr)
	},
	Controls: []props.WrongCell[edgeCell, ends, endsClaim]{
		{Name: "bound of 1/h", Criterion: "hS at the end, from afar", Instead: endsClaim{bound: 1}},
		{Name: "bound of 1.99/h", Criterion: "hS at the end, from the edge", Instead: endsClaim{bound: 1.99}},
		{Name: "ends at the edge itself", Criterion: "reflection at the edge", Instead: endsClaim{reflection: 1e-3}},
		{Name: "flow keeps S", Criterion: "sharpness where the flow ends",
			Instead: endsClaim{flow: func(s theory.Product) float64 { return s.Sharpness }}},
	},
	Coarse: map[string]string{"hS at the end, from afar": "descent from afar ends well below the edge"},
}

func measureEnds(r *rand.Rand, k int) (out ends) {
	h := gen.LogUniformFrom(r, 0.01, 10)
	for out.Error = 1; out.Error > 1e-7; { // again where it does not converge
		m, s := 0.9*r.Float64()/h, (0.3+3.6*r.Float64())/h
		d := startAt(r, k, m, h, s*(r.Float64()-0.5), s)
		d.run(1e-7, 100000)
		out.FromAfar, out.Error = h*d.sharpness(), h*math.Abs(d.error())
	}

	// Next to a minimum of sharpness (2+δ)/h, for halved δ.
	m, seed := (0.1+0.7*r.Float64())/h, r.Uint64()
	var ratios, sharpness []*mat.Dense
	for j := range 6 {
		delta := math.Ldexp(0.04, -j)
		p, phi := m+1e-9/h, (2+delta)/h
		d := startAt(rand.New(rand.NewPCG(seed, 0)), k, m, h, p, math.Sqrt(phi*phi+4*(p-m)*(p+m)))
		for steps := 0; steps < 1e6 && h*math.Abs(d.error()) < 2e-9; steps++ { // it leaves the minimum
			d.step()
		}
		d.run(1e-9, 1e6)
		p = m + d.error()
		out.FromEdge = h * math.Sqrt(d.sharpness()*d.sharpness()-4*(p-m)*(p+m)) // what is left when e has died
		ratios = append(ratios, mat.NewDense(1, 1, []float64{(2 - out.FromEdge) / delta}))
	}
	out.Reflection, out.ReflectionErr = extrapolated(ratios, 1e-9) // 1e-12 of hS over the last δ
	p, s := 2*r.Float64()-1, 2+r.Float64()
	out.Start = theory.Product{Target: 0.2 + r.Float64(), Step: 1, Value: p, Sharpness: s}
	for j := range 6 {
		d := startAt(rand.New(rand.NewPCG(seed, 0)), k, out.Start.Target, math.Ldexp(0.02, -j), p, s)
		d.run(1e-15, 1e6)
		sharpness = append(sharpness, mat.NewDense(1, 1, []float64{d.sharpness()}))
	}
	out.Flow, out.FlowErr = extrapolated(sharpness, 1e-11) // 10⁵ steps round S
	return out
}

// extrapolated is the limit of values at halved steps that are known to an error.
func extrapolated(values []*mat.Dense, err float64) (limit, allowed float64) {
	errors := make([]float64, len(values))
	for i := range errors {
		errors[i] = err
	}
	at, allowed := order.Limit(values, errors)
	return at.At(0, 0), allowed
}

// orbit holds the orbit that descent on x = y settles into.
type orbit struct {
	Step, Target                float64
	Larger, Smaller, Multiplier float64
}

type orbitClaim func(theory.Product) (larger, smaller, multiplier float64)

var edgeOrbit = props.Drawn[orbit, orbitClaim]{
	Name: "orbit of period two", Cases: props.Scale{Quick: 50, Standard: 400, Deep: 10000},
	Draw: func(t *props.T) orbit {
		h := gen.LogUniform(t.T, "h", 0.01, 10)
		return followOrbit(h, gen.LogUniform(t.T, "hm", 1.02, 1.22)/h)
	},
	Claim: theory.Product.Orbit,
	Judge: func(r *props.Record, o orbit, claim orbitClaim) {
		larger, smaller, multiplier := claim(theory.Product{Step: o.Step, Target: o.Target})
		r.Within("larger point", o.Larger, larger, 1e-13*larger)
		r.Within("smaller point", o.Smaller, smaller, 1e-13*larger)
		r.WithinScale("multiplier", o.Multiplier, multiplier, 1, 1e-11)
	},
	Controls: []props.Wrong[orbit, orbitClaim]{
		{Name: "points exchanged", Instead: func(s theory.Product) (float64, float64, float64) {
			p, q, multiplier := s.Orbit()
			return q, p, multiplier
		}},
		{Name: "multiplier of one step more", Criterion: "multiplier",
			Instead: func(s theory.Product) (float64, float64, float64) {
				p, q, multiplier := s.Orbit()
				return p, q, multiplier * (1 - s.Step*(3*p*p-s.Target))
			}},
	},
}

// followOrbit descends from x ≈ y until the orbit attracts: the multiplier is below 0.9 in size.
func followOrbit(h, m float64) orbit {
	d := descent{[]float64{1.1 * math.Sqrt(m)}, []float64{1.09 * math.Sqrt(m)}, m, h}
	for range 2000 {
		d.step()
	}
	o, first := orbit{Step: h, Target: m, Multiplier: 1}, d.x[0]
	for range 2 {
		o.Multiplier *= 1 - h*(3*d.x[0]*d.x[0]-m) // the derivative of a step
		d.step()
	}
	d.step()
	o.Larger, o.Smaller = math.Max(first, d.x[0]), math.Min(first, d.x[0])
	return o
}
