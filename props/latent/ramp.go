package latent

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/rkhs"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// ramp fits networks and kernels to samples of a step, and moves the jump within its cell.
var ramp = props.Spec{
	Statement: &theory.Ramp,
	Checks:    []props.Check{stepFits, stepKinks},
	Along: &props.Along{Param: "to", From: 0.1, To: 1, Of: []string{"error"}, Y: "mean squared error, h = 0.1",
		Each: &props.ParamSweep{Name: "from", Values: []string{"0", "0.15", "0.3"}}, Places: 10, Reps: 3},
	Try: &props.Simulation{Run: tryRamp, Params: []statement.Param{{Name: "jumps", Symbol: "N",
		Meaning: "jumps drawn", Domain: statement.IntegerBetween(1, 1e6), Default: "1000"}}},
}.Claim()

var stepFits = props.Drawn[stepFit, rampClaim]{
	Name:    "errors and weights",
	Cases:   props.Scale{Quick: 160, Standard: 600, Deep: 20000},
	Tries:   40,
	Regimes: stepKinds,
	Draw:    func(t *props.T) stepFit { return drawStepFit(t, stepKinds...).measure(1, uniformJump) },
	Claim: rampClaim{mean: func(s theory.CellRamp, distance float64) float64 { return s.Bound() + distance },
		distance: theory.CellRamp.Distance, norm: theory.CellRamp.Norm, smallest: theory.CellRamp.SmallestNorm,
		farthest: theory.CellRamp.Farthest},
	Judge: func(r *props.Record, f stepFit, claim rampClaim) {
		r.Regime(f.Kind)
		rounding := 8 * float64(len(f.breaks)+2) * r.Unit() * f.Size
		tolerance := 4 * rounding * (f.Size + 1) * f.place(f.N)
		r.Within("mean error over the jump", f.Mean, claim.mean(f.CellRamp, f.Distance), tolerance)
		if f.Norm == 0 { // a kernel has none
			return
		}
		// A fit with errors up to e rises by at least 1 − 2e in the cell, and by at most 2e in its neighbours.
		slack := (8*f.Misfit + rounding) / f.Spacing
		r.AtLeast("Σ|aw| ≥ 2/h", f.Norm, claim.smallest(f.CellRamp), slack)
		r.AtMost("largest distance from the ramp", f.Farthest, claim.farthest(f.CellRamp, f.Norm), f.Spacing*slack)
		if f.Kind == twoNeurons {
			r.WithinScale("distance of two neurons", f.Distance, claim.distance(f.CellRamp), f.Spacing, tolerance)
			apart := f.Spacing * (f.To - f.From) // errs by a few roundings of the places of the kinks
			r.Within("weights of two neurons", f.Norm, claim.norm(f.CellRamp), 12*r.Unit()*f.place(f.N)/apart*f.Norm)
		}
	},
	Controls: []props.Wrong[stepFit, rampClaim]{
		{Name: "jumps of density 2θ", Assumption: "uniform", Criterion: "mean error over the jump",
			Draw: func(t *props.T) stepFit {
				return drawStepFit(t, twoNeurons, laplaceKernel).measure(1, func(theta float64) float64 { return 2 * theta })
			}},
		{Name: "a sample next to the jump is lost in noise", Assumption: "noiseless",
			Criterion: "mean error over the jump",
			Draw: func(t *props.T) stepFit {
				return drawStepFit(t, stepKinds...).measure(2, func(float64) float64 { return 0.5 })
			}},
		{Name: "values 1 % off at the jump", Assumption: "fit", Criterion: "Σ|aw| ≥ 2/h", Draw: drawShrunk},
		{Name: "one sample before the jump", Assumption: "sides", Criterion: "Σ|aw| ≥ 2/h", Draw: drawOneSided},
		{Name: "h/4, as for a jump halfway", Criterion: "mean error over the jump", Instead: rampClaim{
			mean: func(s theory.CellRamp, distance float64) float64 { return s.Spacing/4 + distance }}},
		{Name: "bound 1 % larger", Criterion: "Σ|aw| ≥ 2/h", Instead: rampClaim{
			smallest: func(s theory.CellRamp) float64 { return 1.01 * s.SmallestNorm() }}},
		{Name: "half the largest distance", Criterion: "largest distance from the ramp", Instead: rampClaim{
			farthest: func(s theory.CellRamp, norm float64) float64 { return s.Farthest(norm) / 2 }}},
		{Name: "no product of p and 1 − q", Criterion: "distance of two neurons",
			Draw: func(t *props.T) stepFit { return drawStepFit(t, twoNeurons).measure(1, uniformJump) }, Instead: rampClaim{
				distance: func(s theory.CellRamp) float64 { return s.Distance() + s.Spacing*s.From*(1-s.To)/3 }}},
		{Name: "weights of a single neuron", Criterion: "weights of two neurons", Instead: rampClaim{
			norm: func(s theory.CellRamp) float64 { return s.Norm() / 2 }}},
	},
}

const (
	twoNeurons     = "two neurons"
	dippingNetwork = "kink in the cell before"
	wideNetwork    = "wide network"
	gaussianKernel = "Gaussian kernel"
	laplaceKernel  = "Laplace kernel"
)

var stepKinds = []string{twoNeurons, dippingNetwork, wideNetwork, gaussianKernel, laplaceKernel}

// rampClaim holds the claimed closed forms: the mean error over the jump, given the squared distance from the ramp;
// that distance and the weights of two neurons; the smallest weights of any network that fits; and a bound on the
// distance of such a network from the ramp at any point.
type rampClaim struct {
	mean                     func(s theory.CellRamp, distance float64) float64
	distance, norm, smallest func(theory.CellRamp) float64
	farthest                 func(s theory.CellRamp, norm float64) float64
}

// stepFit holds a function that was fitted to N samples, the first Before of them 0, and the ramp of two neurons.
type stepFit struct {
	Kind string
	theory.CellRamp
	N, Before int

	Mean, Distance float64 // squared errors: averaged over the jump, and from the ramp
	Farthest       float64 // largest distance from the ramp at a sample or a kink
	Norm           float64 // Σ|aw| of a network
	Misfit         float64 // largest error at the samples
	Size           float64 // of the terms whose sum is f

	at func(x float64) float64
	breaks
}

// place returns the place of a sample.
func (f stepFit) place(i int) float64 { return float64(i) * f.Spacing }

// label returns the label of a sample.
func (f stepFit) label(i int) float64 {
	if i < f.Before {
		return 0
	}
	return 1
}

func (f stepFit) labels() []float64 { return list.Fill(f.N, f.label) }

// ramp returns the ramp of two neurons: 0, a line across the cell, 1.
func (f stepFit) ramp(x float64) float64 { return min(1, max(0, x/f.Spacing-float64(f.Before-1))) }

func uniformJump(float64) float64 { return 1 }

// measure integrates errors. The jump lies up to the given number of cells behind the last 0, with the given density.
func (f stepFit) measure(cells int, density func(theta float64) float64) stepFit {
	square := func(of func(x float64) float64) func(x float64) float64 {
		return func(x float64) float64 { return math.Pow(f.at(x)-of(x), 2) }
	}
	zero, one := square(func(float64) float64 { return 0 }), square(func(float64) float64 { return 1 })
	left, end := f.place(f.Before-1), f.place(f.N-1)
	for _, piece := range f.pieces(left, f.place(f.Before-1+cells)) {
		from, to := piece[0], piece[1]
		outside := f.integral(zero, 0, from) + f.integral(one, to, end)
		f.Mean += gauss(func(jump float64) float64 {
			return density((jump-left)/f.Spacing) * (outside + gauss(zero, from, jump) + gauss(one, jump, to)) / f.Spacing
		}, from, to)
	}
	f.Distance = f.integral(square(f.ramp), 0, end)
	for _, piece := range f.pieces(0, end) {
		f.Farthest = max(f.Farthest, math.Abs(f.at(piece[1])-f.ramp(piece[1])))
	}
	for i := range f.N {
		f.Misfit = max(f.Misfit, math.Abs(f.at(f.place(i))-f.label(i)))
	}
	return f
}

// breaks holds the places, in order, at which a function may have a kink or a jump.
type breaks []float64

// pieces returns the parts of an interval between breaks.
func (b breaks) pieces(from, to float64) (out [][2]float64) {
	for _, x := range b {
		if x > from && x < to {
			out, from = append(out, [2]float64{from, x}), x
		}
	}
	return append(out, [2]float64{from, to})
}

func (b breaks) integral(of func(x float64) float64, from, to float64) (sum float64) {
	for _, piece := range b.pieces(from, to) {
		sum += gauss(of, piece[0], piece[1])
	}
	return sum
}

func gauss(of func(x float64) float64, from, to float64) float64 {
	return quad.Fixed(of, from, to, 12, quad.Legendre{}, 0)
}

func drawStepFit(t *props.T, kinds ...string) stepFit {
	f := stepFit{Kind: rapid.SampledFrom(kinds).Draw(t.T, "fit"), N: 3 + gen.Dim(t.T, "n − 3", 13),
		CellRamp: theory.CellRamp{Spacing: gen.LogUniform(t.T, "h", 0.01, 1), To: 1}}
	f.Before = rapid.IntRange(2, f.N-2).Draw(t.T, "samples before the jump")
	f.breaks = list.Fill(f.N, f.place)
	switch f.Kind {
	case twoNeurons:
		if rapid.Bool().Draw(t.T, "part of the cell") {
			f.From = float64(rapid.IntRange(0, 15).Draw(t.T, "16p")) / 16
			f.To = f.From + (1-f.From)*float64(rapid.IntRange(1, 16).Draw(t.T, "share of the rest"))/16
		}
		return f.of(f.twoNeurons(gen.LogUniform(t.T, "w", 0.1, 10)))
	case dippingNetwork:
		f.Before = 2
		return f.of(f.dips(gen.LogUniform(t.T, "h × slope", 0.01, 1)))
	case wideNetwork:
		return f.of(f.wide(t))
	case gaussianKernel:
		return f.interpolate(rkhs.Gaussian(f.Spacing*gen.LogUniform(t.T, "width/h", 0.6, 1.2)), f.labels(), 0)
	}
	return f.interpolate(rkhs.Laplace(f.Spacing*gen.LogUniform(t.T, "width/h", 1, 10)), f.labels(), 0)
}

// drawShrunk draws a network of two neurons that rises from 0.01 to 0.99 across the cell, and passes it off as a fit.
func drawShrunk(t *props.T) stepFit {
	f := drawStepFit(t, twoNeurons)
	f.From, f.To = 0, 1
	net := f.twoNeurons(1)
	floats.Scale(0.98, net.a)
	net.constant = 0.01
	f = f.of(net).measure(1, uniformJump)
	f.Misfit = 0
	return f
}

// drawOneSided draws a network that is linear up to the first sample behind the jump, the second sample of all.
func drawOneSided(t *props.T) stepFit {
	f := drawStepFit(t, twoNeurons)
	f.Before = 1
	return f.of(line{w: []float64{1}, b: []float64{-f.Spacing}, a: []float64{-1 / f.Spacing},
		slope: 1 / f.Spacing}).measure(1, uniformJump)
}

// line is the function α + βx + Σ aⱼ max(0, wⱼx + bⱼ).
type line struct {
	w, b, a         []float64
	constant, slope float64
}

// features returns 1, x, and the outputs of the neurons.
func (n line) features(x float64) []float64 {
	out := []float64{1, x}
	for j, w := range n.w {
		out = append(out, max(0, w*x+n.b[j]))
	}
	return out
}

// twoNeurons returns the network that rises between two kinks, with neurons of the given weight.
func (f stepFit) twoNeurons(weight float64) line {
	from, to := f.place(f.Before-1)+f.From*f.Spacing, f.place(f.Before-1)+f.To*f.Spacing
	rise := 1 / (weight * (to - from))
	return line{w: []float64{weight, weight}, b: []float64{-weight * from, -weight * to}, a: []float64{rise, -rise}}
}

// dips returns a network that falls from the first sample on, with the given slope per cell, and rises to 0 before the
// second sample, from where it follows the ramp. For small slopes no network with its weights goes farther from the
// ramp.
func (f stepFit) dips(slope float64) line {
	kink, end := f.Spacing/(1+slope), 2*f.Spacing
	return line{w: []float64{1, 1}, b: []float64{-kink, -end}, slope: -slope / f.Spacing,
		a: []float64{(1 + slope) / f.Spacing, -1 / f.Spacing}}
}

// wide adds random neurons to the two, with output weights that cancel at the samples.
func (f stepFit) wide(t *props.T) line {
	net, r := f.twoNeurons(1), t.Stream("neurons")
	for range f.N + gen.Dim(t.T, "more neurons", 8) {
		w := r.NormFloat64()
		net.w, net.b = append(net.w, w), append(net.b, -w*(1.4*r.Float64()-0.2)*f.place(f.N-1))
	}
	m := len(net.w) + 2
	phi, direction := mat.NewDense(m, f.N, nil), gen.Gaussian(r, m, 1, gen.LogUniform(t.T, "others", 1e-10, 1))
	for i := range f.N {
		phi.SetCol(i, net.features(f.place(i)))
	}
	var qr mat.QR
	qr.Factorize(phi)
	var q, inner, seen mat.Dense
	qr.QTo(&q)
	basis := q.Slice(0, m, 0, f.N)
	inner.Mul(basis.T(), direction)
	seen.Mul(basis, &inner)
	direction.Sub(direction, &seen)
	added := mat.Col(nil, 0, direction)
	net.constant, net.slope = added[0], added[1]
	net.a = append(net.a, make([]float64, m-4)...)
	floats.Add(net.a, added[2:])
	return net
}

// of makes the network the fitted function.
func (f stepFit) of(net line) stepFit {
	f.at = func(x float64) float64 {
		sum := net.constant + net.slope*x
		for j, w := range net.w {
			sum += net.a[j] * max(0, w*x+net.b[j])
		}
		return sum
	}
	end := f.place(f.N - 1)
	f.Norm, f.Size = 0, math.Abs(net.constant)+math.Abs(net.slope)*end
	for j, w := range net.w {
		f.Norm += math.Abs(net.a[j] * w)
		f.Size += math.Abs(net.a[j]) * (math.Abs(w)*end + math.Abs(net.b[j]))
		f.breaks = append(f.breaks, -net.b[j]/w)
	}
	slices.Sort(f.breaks)
	return f
}

// interpolate makes the minimum-norm interpolant of the values the fitted function. The diagonal keeps the matrix of a
// smooth kernel positive definite.
func (f stepFit) interpolate(k rkhs.Kernel, y []float64, diagonal float64) stepFit {
	at, alpha := mat.NewDense(f.N, 1, list.Fill(f.N, f.place)), mat.NewDense(f.N, 1, slices.Clone(y))
	gram := k.Gram(at)
	for i := range f.N {
		gram.SetSym(i, i, gram.At(i, i)+diagonal)
	}
	linalg.CholeskySolve(must.Get(linalg.Cholesky(gram)), alpha)
	f.at = func(x float64) float64 {
		sum := 0.0
		for i := range f.N {
			sum += alpha.At(i, 0) * k.Of([]float64{x}, at.RawRowView(i))
		}
		return sum
	}
	f.Size = floats.Norm(mat.Col(nil, 0, alpha), 1)
	return f
}

// tryRamp draws jumps, and measures the mean error of two neurons.
func tryRamp(t *props.Trial, v statement.Values) (map[string]float64, error) {
	f := stepFit{CellRamp: theory.CellRamp{Spacing: v.Float("spacing"), From: v.Float("from"), To: v.Float("to")}, N: 2,
		Before: 1}
	f = f.of(f.twoNeurons(1))
	mean, jumps := 0.0, v.Int("jumps")
	for range jumps {
		jump := t.Rand.Float64() * f.Spacing
		mean += f.integral(func(x float64) float64 { return math.Pow(f.at(x), 2) }, 0, jump) / float64(jumps)
		mean += f.integral(func(x float64) float64 { return math.Pow(f.at(x)-1, 2) }, jump, f.Spacing) / float64(jumps)
	}
	return map[string]float64{"error": mean, "norm": f.Norm}, nil
}
