package spectra

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/spectra"
)

// doubleDescent solves small regressions, and draws the matrices that their risks are traces of.
var doubleDescent = props.Spec{
	Statement: &theory.DoubleDescent,
	Checks:    []props.Check{bestRidge, plainRisk, ridgeLimit},
	Along: &props.Along{Param: "lambda", From: 0.01, To: 3, Of: []string{"ridge"}, Reps: 2,
		Each: &props.ParamSweep{Name: "d", Values: []string{"50", "98", "200"}}},
	Try: &props.Simulation{Run: tryDescent},
}.Claim()

// ridge is a regression: a design, E ββᵀ and the variance of the noise, and a ridge to compare with the best.
type ridge struct {
	X      *mat.Dense `npy:"X"` // n×d
	Signal *mat.Dense `npy:"covariance"`
	Noise  float64    `npy:"noise"`
	Other  float64    `npy:"lambda"`
}

// Valid names the violated hypothesis.
func (x ridge) Valid() error {
	_, d := x.X.Dims()
	if r, c := x.Signal.Dims(); r != d || c != d || !(x.Noise > 0 && x.Other > 0 && mat.Trace(x.Signal) > 0) {
		return errors.New("the mean of ββᵀ must be d×d and not 0, noise and λ positive")
	}
	return nil
}

func (x ridge) sizes() theory.LeastSquares {
	n, d := x.X.Dims()
	return theory.LeastSquares{N: n, D: d, Noise: x.Noise, Signal: mat.Trace(x.Signal)}
}

// ridgeClaim is the best ridge, and its risk.
type ridgeClaim struct {
	best func(theory.LeastSquares) float64
	risk func(l theory.LeastSquares, resolvent float64) float64
}

var bestRidge = props.Drawn[ridge, ridgeClaim]{
	Name:    "best ridge of any design",
	Cases:   props.Scale{Quick: 200, Standard: 2000, Deep: 50000},
	Regimes: []string{"d < n", "d = n", "d > n"},
	Draw:    drawRidge,
	Claim: ridgeClaim{theory.LeastSquares.BestRidge, func(l theory.LeastSquares, resolvent float64) float64 {
		return l.Noise / float64(l.N) * resolvent
	}},
	Judge: func(r *props.Record, x ridge, c ridgeClaim) {
		l := x.sizes()
		r.RegimeOf(l.D == l.N, l.D > l.N)
		best := c.best(l)
		risk, resolvent, condition := x.risk(best)
		allowed := 20 * math.Pow(float64(l.N+l.D), 2) * condition * r.Unit() * (risk + l.Signal)
		r.Within("risk of the best ridge", risk, c.risk(l, resolvent), allowed)
		other, _, condition := x.risk(x.Other)
		r.AtLeast("risk of another ridge", other, risk, allowed*(1+condition))
	},
	Controls: []props.Wrong[ridge, ridgeClaim]{
		{Name: "a preferred direction", Assumption: "uniform", Alter: func(x *ridge) {
			l := x.sizes()
			x.Signal = mat.NewDense(l.D, l.D, nil)
			x.Signal.Set(0, 0, l.Signal)
		}},
		{Name: "s²/r² for the ridge", Criterion: "risk of the best ridge", Instead: ridgeClaim{
			best: func(l theory.LeastSquares) float64 { return l.Noise / l.Signal }}},
		{Name: "an eighth of the best ridge", Criterion: "risk of another ridge", Instead: ridgeClaim{
			best: func(l theory.LeastSquares) float64 { return l.BestRidge() / 8 }}},
		{Name: "tr (W+λ*)⁻¹ over d", Criterion: "risk of the best ridge", Instead: ridgeClaim{
			risk: func(l theory.LeastSquares, resolvent float64) float64 { return l.Noise / float64(l.D) * resolvent }}},
	},
}

func drawRidge(t *props.T) ridge {
	n, d := gen.Dim(t.T, "n", 8), gen.Dim(t.T, "d", 8)
	x := ridge{X: gen.Integers(t.Stream("X"), n, d, 3), Noise: gen.LogUniform(t.T, "s²", 0.1, 10),
		Other: gen.LogUniform(t.T, "λ", 0.1, 10), Signal: mat.NewDense(d, d, nil)}
	r2 := gen.LogUniform(t.T, "r²", 0.1, 10)
	for i := range d {
		x.Signal.Set(i, i, r2/float64(d))
	}
	return x
}

// risk returns the risk of ridge, tr (W+λ)⁻¹ and the condition of W + λ. The estimate is off by λ(W+λ)⁻¹β, and by
// (W+λ)⁻¹Xᵀε/n.
func (x ridge) risk(lambda float64) (risk, resolvent, condition float64) {
	n, d := x.X.Dims()
	var w, inverse, off, noise mat.Dense
	w.Mul(x.X.T(), x.X)
	w.Scale(1/float64(n), &w)
	for i := range d {
		w.Set(i, i, w.At(i, i)+lambda)
	}
	if err := inverse.Inverse(&w); err != nil {
		return math.NaN(), math.NaN(), math.NaN()
	}
	off.Mul(&inverse, x.Signal)
	off.Mul(&off, inverse.T())
	noise.Mul(&inverse, x.X.T())
	risk = lambda*lambda*mat.Trace(&off) + x.Noise*math.Pow(mat.Norm(&noise, 2)/float64(n), 2)
	return risk, mat.Trace(&inverse), mat.Norm(&w, 2) * mat.Norm(&inverse, 2)
}

// plainCell is a batch of so many designs.
type plainCell struct{ N, D, Draws, Index int }

// plainMean are means over a batch: of tr (XᵀX)⁺, and of the share of a fixed β that the row space leaves out.
type plainMean struct{ Noise, Lost float64 }

var plainRisk = props.Grid[plainCell, plainMean, func(theory.LeastSquares) float64]{
	Name:    "risk of least squares",
	Regimes: []string{"d < n", "d > n"},
	Cells: func(e props.Effort) (out []plainCell) {
		for i := range (props.Scale{Quick: 12, Standard: 120, Deep: 6000}).At(e) {
			out = append(out, plainCell{20, 5, 500, i}, plainCell{40, 10, 250, i}, plainCell{6, 24, 500, i},
				plainCell{20, 40, 500, i})
		}
		return out
	},
	Measure: func(t *props.Trial, c plainCell) plainMean { return measurePlain(t, c, 0, 1) },
	Claim:   theory.LeastSquares.Risk,
	Conclude: func(r *props.Record, cells []plainCell, all []plainMean, claim func(theory.LeastSquares) float64) {
		noise, lost := map[plainCell][]float64{}, map[plainCell][]float64{}
		var shapes []plainCell
		for i, c := range cells {
			if c.Index == 0 {
				shapes = append(shapes, c)
			}
			c.Index = 0
			noise[c], lost[c] = append(noise[c], all[i].Noise), append(lost[c], all[i].Lost)
		}
		for _, c := range shapes {
			r.RegimeOf(c.D > c.N)
			l := theory.LeastSquares{N: c.N, D: c.D, Noise: 1}
			judge := func(name string, xs []float64, want, variance float64) {
				law := stat.Normal(math.Sqrt(variance / float64(c.Draws)))
				r.Equals(name, law.Mean(xs, stat.CriterionAlpha), want,
					law.Margin(len(xs), stat.CriterionAlpha, stat.CriterionUndecided))
			}
			judge("tr (XᵀX)⁺", noise[c], claim(l), l.NoiseVariance())
			if n, d := float64(c.N), float64(c.D); d > n {
				judge("share of r² lost", lost[c], claim(theory.LeastSquares{N: c.N, D: c.D, Signal: 1}),
					2*n*(d-n)/(d*d*(d+2)))
			}
		}
	},
	Controls: []props.WrongCell[plainCell, plainMean, func(theory.LeastSquares) float64]{
		{Name: "rows of random length", Assumption: "normal", Criterion: "tr (XᵀX)⁺", On: firstFew,
			Measure: func(t *props.Trial, c plainCell) plainMean { return measurePlain(t, c, 0.6, 1) }},
		{Name: "half of the coordinates twice as long", Assumption: "white", Criterion: "tr (XᵀX)⁺", On: firstFew,
			Measure: func(t *props.Trial, c plainCell) plainMean { return measurePlain(t, c, 0, 2) }},
		{Name: "n − d for n − d − 1", Criterion: "tr (XᵀX)⁺", Instead: func(l theory.LeastSquares) float64 {
			l.N, l.D = max(l.N, l.D)+1, min(l.N, l.D)
			return l.Risk()
		}},
		{Name: "1 − γ for 1 − 1/γ", Criterion: "share of r² lost", Instead: func(l theory.LeastSquares) float64 {
			if l.Signal > 0 {
				return math.Abs(1 - float64(l.D)/float64(l.N))
			}
			return l.Risk()
		}},
	},
	Replicates: 1,
}

func firstFew(c plainCell) bool { return c.N == 20 && c.Index < 12 }

// measurePlain draws designs with rows of lengths that spread, and half of the coordinates multiplied by a factor.
func measurePlain(t *props.Trial, c plainCell, spread, stretch float64) (m plainMean) {
	for range c.Draws {
		x := gen.Gaussian(t.Rand, c.N, c.D, 1)
		for i := range c.N {
			row := x.RawRowView(i)
			floats.Scale(1+spread*sign(t.Rand), row)
			floats.Scale(stretch, row[:c.D/2])
		}
		short := x.T()
		if c.D > c.N {
			short = x
		}
		var gram, inverse mat.SymDense
		gram.SymOuterK(1, short)
		var factor mat.Cholesky
		if !factor.Factorize(&gram) || factor.InverseTo(&inverse) != nil {
			return plainMean{math.NaN(), math.NaN()}
		}
		m.Noise += mat.Trace(&inverse) / float64(c.Draws)
		if c.D > c.N {
			first := x.ColView(0) // X times the first axis
			m.Lost += (1 - mat.Inner(first, &inverse, first)) / float64(c.Draws)
		}
	}
	return m
}

// ridgeClaimLimit is the limit of the risk of ridge.
type ridgeClaimLimit func(l theory.LeastSquares, lambda float64) float64

// ridgeCell is one design and a ridge.
type ridgeCell struct {
	N, D   int
	Lambda float64
	Index  int
}

var ridgeLimit = props.Grid[ridgeCell, float64, ridgeClaimLimit]{
	Name:    "limit of the risk of ridge",
	Regimes: []string{"γ = ½", "γ = 1", "γ = 2"},
	Cells: func(e props.Effort) (out []ridgeCell) {
		size := props.Scale{Quick: 32, Standard: 48, Deep: 96}.At(e)
		for i := range (props.Scale{Quick: 64, Standard: 96, Deep: 96}).At(e) {
			for _, k := range []int{size, 2 * size} {
				out = append(out, ridgeCell{2*k + 2*size, k + size, 0.3, i}, ridgeCell{3 * k / 2, 3 * k / 2, 0.3, i},
					ridgeCell{k, 2 * k, 1, i})
			}
		}
		return out
	},
	Measure: func(t *props.Trial, c ridgeCell) float64 {
		return ridgeRisk(spectrumOf(gen.Gaussian(t.Rand, c.N, c.D, 1)), c.N, c.Lambda, ridgeNoise, ridgeSignal)
	},
	Claim: theory.LeastSquares.Ridge,
	Conclude: func(r *props.Record, cells []ridgeCell, all []float64, claim ridgeClaimLimit) {
		for first, c := range cells[:6] {
			m := theory.MP{Gamma: float64(c.D) / float64(c.N)}
			r.RegimeOf(m.Gamma == 1, m.Gamma == 2)
			want := claim(theory.LeastSquares{N: c.N, D: c.D, Noise: ridgeNoise, Signal: ridgeSignal}, c.Lambda)
			var draws []float64
			for i := first; i < len(cells); i += 6 {
				draws = append(draws, all[i]/want)
			}
			// tr (W+λ)⁻¹ exceeds its limit by what falls off in λ as this, and tr (W+λ)⁻² by its slope.
			over := m.Correction(c.Lambda, 3)
			slope := (m.Correction(c.Lambda-1e-4, 3) - m.Correction(c.Lambda+1e-4, 3)) / 2e-4
			bias := ridgeSignal*c.Lambda*c.Lambda*slope/float64(c.D) + ridgeNoise*(over-c.Lambda*slope)/float64(c.N)
			sd := map[float64]float64{0.5: 1.1, 1: 0.87, 2: 0.42}[m.Gamma] / float64(c.D) // as measured once
			props.Limit{Name: ridgeRiskOf, SD: sd, Bias: math.Abs(bias) / want}.Judge(r, draws, 1)
		}
	},
	Chosen: map[string][]string{"scatter": {ridgeRiskOf}},
	Controls: []props.WrongCell[ridgeCell, float64, ridgeClaimLimit]{
		{Name: "γ inverted", Instead: func(l theory.LeastSquares, lambda float64) float64 {
			l.N, l.D = l.D, l.N
			return l.Ridge(lambda)
		}},
		{Name: "s for s + λs'", Instead: func(l theory.LeastSquares, lambda float64) float64 {
			gamma := float64(l.D) / float64(l.N)
			_, square := theory.MP{Gamma: gamma}.Stieltjes(lambda)
			return l.Ridge(lambda) + l.Noise*gamma*lambda*square
		}},
		{Name: "λ for λ²", Instead: func(l theory.LeastSquares, lambda float64) float64 {
			noise := theory.LeastSquares{N: l.N, D: l.D, Noise: l.Noise}.Ridge(lambda)
			return noise + (l.Ridge(lambda)-noise)/lambda
		}},
		{Name: "λ not multiplied by n", Instead: func(l theory.LeastSquares, lambda float64) float64 {
			return l.Ridge(lambda / float64(l.N))
		}},
	},
}

const ridgeRiskOf = "risk of ridge"

// The variance of the noise and the squared norm of β in the limit.
const ridgeNoise, ridgeSignal = 0.5, 2.0

// ridgeRisk is the risk over β and the noise, for the eigenvalues of W.
func ridgeRisk(w spectrum, n int, lambda, noise, signal float64) float64 {
	d := float64(len(w))
	return d * w.mean(func(x float64) float64 {
		return (signal*lambda*lambda/d + noise*x/float64(n)) / ((x + lambda) * (x + lambda))
	})
}

// tryDescent draws a design; ridge and least squares have the risk that it gives them.
func tryDescent(t *props.Trial, v statement.Values) (map[string]float64, error) {
	n, d, noise, signal := v.Int("n"), v.Int("d"), v.Float("noise"), v.Float("signal")
	w, best := drawSpectrum(t, v), noise*float64(d)/float64(n)/signal
	plain := signal * max(0, 1-float64(n)/float64(d))
	for _, x := range w[:min(n, d)] {
		plain += noise / x / float64(n)
	}
	return map[string]float64{"ridge": ridgeRisk(w, n, v.Float("lambda"), noise, signal),
		"bestrisk": ridgeRisk(w, n, best, noise, signal), "plain": plain}, nil
}
