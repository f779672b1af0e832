package linear

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/linear"
)

// maxMargin follows the flow in log t, where a limit in t is reached soon.
var maxMargin = props.Spec{
	Statement: &theory.MaxMargin,
	Along:     &props.Along{Param: "a", From: 0.2, To: 5, Of: []string{"along", "across"}, Y: "offset", Reps: 1},
	Try: &props.Simulation{Run: func(_ *props.Trial, v statement.Values) (map[string]float64, error) {
		x := mat.NewDense(2, 2, []float64{1, v.Float("a"), 1, -v.Float("c")})
		w := flowTo(x, []float64{0, 0}, 60, exponential)
		loss := 0.0
		for i := range 2 {
			loss += math.Exp(60 - floats.Dot(x.RawRowView(i), w))
		}
		return map[string]float64{"along": w[0] - 60, "across": w[1], "loss": loss}, nil
	}},
	Checks: []props.Check{marginLimit, marginRate, marginDescent},
}.Claim()

// pull is e^τ times minus the slope of a loss in the margin z.
type pull func(tau, z float64) float64

func exponential(tau, z float64) float64 { return math.Exp(tau - z) }
func logistic(tau, z float64) float64    { return math.Exp(tau-z) / (1 + math.Exp(-z)) }

// flowTo integrates the flow from w until time e^τ − 1, with τ as time, by the classical Runge–Kutta method. Steps are
// below what is stable by far, and grow shorter where the flow is fast at first. Sums are compensated, as Kahan does: a
// step forgets little of what it finds, and would pile up roundings of w.
func flowTo(x *mat.Dense, w []float64, tau float64, p pull) []float64 {
	n, d := x.Dims()
	size := math.Pow(mat.Norm(x, 2), 2)
	slope := func(at []float64) (out []float64, stiffness float64) { // the last entry is τ
		out = make([]float64, d+1)
		for i := range n {
			by := p(at[d], floats.Dot(x.RawRowView(i), at[:d]))
			stiffness += by
			floats.AddScaled(out[:d], by, x.RawRowView(i))
		}
		out[d] = 1
		return out, stiffness * size
	}
	now, lost := append(append([]float64(nil), w...), 0), make([]float64, d+1)
	at := func(k []float64, h float64) []float64 { return floats.AddScaledTo(make([]float64, d+1), now, h, k) }
	for now[d] < tau {
		a, stiffness := slope(now)
		h := min(0.1, 0.5/stiffness, tau-now[d])
		b, _ := slope(at(a, h/2))
		c, _ := slope(at(b, h/2))
		e, _ := slope(at(c, h))
		for i, before := range now {
			step := h/6*(a[i]+2*b[i]+2*c[i]+e[i]) - lost[i]
			now[i] = before + step
			lost[i] = (now[i] - before) - step
		}
	}
	return now[:d]
}

// classified is a flow at a time so late that the limit is reached to rounding.
type classified struct {
	X       *mat.Dense `npy:"X"`
	W       []float64  `npy:"w"`
	LogTime float64    `npy:"log_t"`
}

// Valid names the violated hypothesis.
func (c classified) Valid() error {
	_, err := theory.Separate(c.X)
	return err
}

type marginClaim struct {
	separate func(x *mat.Dense) (theory.Separator, error)
	loss     float64 // power of ‖ŵ‖
}

var marginLimit = props.Drawn[classified, marginClaim]{
	Name: "limit", Cases: props.Scale{Quick: 28, Standard: 100, Deep: 10000},
	Tries:   12,
	Regimes: []string{"as many support vectors as dimensions", "fewer", "weights that differ more than fivefold"},
	Draw:    func(t *props.T) classified { return drawClassified(t, 1) },
	Claim:   marginClaim{theory.Separate, 2},
	Judge: func(r *props.Record, m classified, c marginClaim) {
		s, _ := c.separate(m.X)
		n, d := m.X.Dims()
		r.RegimeOf(len(s.Support) < d, floats.Min(s.Weights) < floats.Max(s.Weights)/5)
		left := floats.AddScaledTo(make([]float64, d), m.W, -m.LogTime, s.Direction)
		left = onto(m.X, s.Support, left)
		norm, logs := floats.Norm(s.Direction, 2), 1.0
		for _, a := range s.Weights {
			logs += math.Abs(math.Log(a))
		}
		// The smallest singular value is at least ‖X‖ of the support over the root of the condition.
		smallest := floats.Norm(m.X.RawRowView(s.Support[0]), 2) / math.Sqrt(s.Condition)
		rounding := float64(n+d+10) * r.Unit() * (mat.Norm(m.X, 2)*norm*m.LogTime + logs) * math.Sqrt(s.Condition)
		r.WithinVector("w − ŵ log t on the span", left, s.Offset, rounding*math.Sqrt(s.Condition)/smallest)
		loss := 0.0
		for i := range n {
			loss += math.Exp(m.LogTime - floats.Dot(m.X.RawRowView(i), m.W))
		}
		r.Within("t·loss", loss, math.Pow(norm, c.loss), rounding*math.Sqrt(s.Condition)*norm*norm)
	},
	Controls: []props.Wrong[classified, marginClaim]{
		{Name: "mean of losses", Assumption: "sum", Draw: func(t *props.T) classified { return drawClassified(t, 0.5) }},
		{Name: "offset of the opposite sign", Criterion: "w − ŵ log t on the span", Instead: offset(-1)},
		{Name: "offset longer by 1e-9", Criterion: "w − ŵ log t on the span", Instead: offset(1 + 1e-9)},
		{Name: "−½ log α", Criterion: "w − ŵ log t on the span", Instead: offset(0.5)},
		{Name: "a thousandth of a degenerate sample", Assumption: "positive", Draw: func(t *props.T) classified {
			c := classified{X: mat.NewDense(2, 2, []float64{1, 0, 1, 1}), LogTime: 60}
			c.W = flowTo(c.X, []float64{0, t.Stream("start").Float64()}, c.LogTime, exponential)
			c.X = mat.NewDense(2, 2, []float64{1, -0.001, 1, 1}) // with a weight of 0.001
			return c
		}},
		{Name: "t·loss → 1/margin", Criterion: "t·loss", Instead: marginClaim{loss: 1}},
	},
}

// offset claims a multiple of the offset.
func offset(factor float64) marginClaim {
	return marginClaim{separate: func(x *mat.Dense) (theory.Separator, error) {
		s, err := theory.Separate(x)
		floats.Scale(factor, s.Offset)
		return s, err
	}}
}

// onto projects on the span of some rows of x.
func onto(x *mat.Dense, rows []int, v []float64) []float64 {
	d := len(v)
	basis := mat.NewDense(d, len(rows), nil)
	for j, i := range rows {
		basis.SetCol(j, x.RawRowView(i))
	}
	var qr mat.QR
	qr.Factorize(basis)
	var q mat.Dense
	qr.QTo(&q)
	out := make([]float64, d)
	for j := range rows {
		column := mat.Col(nil, j, &q)
		floats.AddScaled(out, floats.Dot(column, v), column)
	}
	return out
}

// planted draws n samples of which k are support vectors by construction: in a basis that begins with the direction of
// ŵ they lie at 1/‖ŵ‖, and spread around it with mean zero under shares of ‖ŵ‖², which are the α; all others lie
// beyond. Rates are at least so large.
func planted(r *rand.Rand, n, d, k int, slowest float64) (x *mat.Dense, rate float64) {
	for {
		rows, shares, scaled := gen.Gaussian(r, n, d, 1), make([]float64, k), mat.NewDense(k, d, nil)
		norm := gen.LogUniformFrom(r, 0.5, 2) // of ŵ
		for i := range shares {
			shares[i] = gen.LogUniformFrom(r, 0.02, 1)
		}
		floats.Scale(1/floats.Sum(shares), shares)
		rate = math.Inf(1)
		for i := range n {
			beyond := 0.0
			if i >= k {
				beyond = slowest + r.ExpFloat64()
				rate = min(rate, beyond)
			}
			rows.Set(i, 0, (1+beyond)/norm)
		}
		for j := 1; j < d; j++ {
			mean := 0.0
			for i, share := range shares {
				mean += share * rows.At(i, j)
			}
			for i := range k {
				rows.Set(i, j, rows.At(i, j)-mean)
			}
		}
		for i, share := range shares {
			floats.AddScaled(scaled.RawRowView(i), norm*math.Sqrt(share), rows.RawRowView(i))
		}
		s, err := linalg.SingularValues(scaled) // whose squares are the rates on the span
		if rate = min(rate, math.Pow(s[k-1], 2)); err == nil && rate >= slowest && s[0] < 5 {
			x = mat.NewDense(n, d, nil)
			turned := product(rows, gen.Orthonormal(r, d, d))
			for i, j := range r.Perm(n) {
				x.SetRow(i, turned.RawRowView(j))
			}
			return x, rate
		}
	}
}

func drawClassified(t *props.T, weight float64) classified {
	n, d, r := rapid.IntRange(1, 6).Draw(t.T, "n"), rapid.IntRange(1, 4).Draw(t.T, "d"), t.Stream("samples")
	x, rate := planted(r, n, d, rapid.IntRange(1, min(n, d)).Draw(t.T, "support vectors"), 0.3)
	c := classified{X: x, LogTime: 42 / rate}
	loss := exponential
	if rapid.Bool().Draw(t.T, "logistic") {
		loss, c.LogTime = logistic, c.LogTime+42
	}
	c.W = flowTo(x, gen.Gaussian(r, d, 1, 1).RawMatrix().Data, c.LogTime,
		func(tau, z float64) float64 { return weight * loss(tau, z) })
	return c
}

// approach is the slope of the logarithm of the distance, late and before, against log t.
type approach struct {
	X             *mat.Dense
	Slope, Before float64
}

var marginRate = props.Grid[int, approach, func(theory.Separator) float64]{
	Name: "rate", Cells: props.Scale{Quick: 8, Standard: 24, Deep: 1000}.Indices,
	Regimes: []string{"slow mode on the span", "sample next to the margin"},
	Measure: func(t *props.Trial, i int) approach { return measureApproach(t.Rand, i%2 == 1) },
	Claim:   func(s theory.Separator) float64 { return s.Rate },
	Judge: func(r *props.Record, i int, m approach, claim func(theory.Separator) float64) {
		r.RegimeOf(i%2 == 1)
		s, _ := theory.Separate(m.X)
		// Roundings of 1e-12 are 1e-5 of a distance of e^(−16), over which the slope is a difference over 4/rate ≥ 8.
		r.WithinExponent("exponent", m.Slope, -claim(s), math.Abs(m.Slope-m.Before)+1e-5)
	},
	Chosen: map[string][]string{"times of the slopes": {"exponent"}},
	Controls: []props.WrongCell[int, approach, func(theory.Separator) float64]{
		{Name: "rate 1", Instead: func(theory.Separator) float64 { return 1 }},
		{Name: "a tenth more", Instead: func(s theory.Separator) float64 { return 1.1 * s.Rate }},
	},
}

// measureApproach follows two samples (1, a) and (1, −c), which have the modes 1 and ac, to which a third one next to
// the margin may be added. The slowest mode is at most half of the others.
func measureApproach(r *rand.Rand, third bool) approach {
	rate, ratio := gen.LogUniformFrom(r, 0.2, 0.5), gen.LogUniformFrom(r, 0.5, 2)
	curve := rate
	if third {
		curve = 2 + r.Float64()
	}
	samples := []float64{1, math.Sqrt(curve) * ratio, 1, -math.Sqrt(curve) / ratio}
	if third {
		samples = append(samples, 1+rate, r.NormFloat64())
	}
	x, start := mat.NewDense(len(samples)/2, 2, samples), gen.Gaussian(r, 2, 1, 1).RawMatrix().Data
	growth := func(tau float64) []float64 { // in a unit of log t
		w := flowTo(x, start, tau, exponential)
		return floats.SubTo(make([]float64, 2), flowTo(x, start, tau+1, exponential), w)
	}
	last := growth(36 / rate)
	log := func(late float64) float64 { return math.Log(floats.Distance(growth(late/rate), last, 2)) }
	a, b, c := log(8), log(12), log(16)
	return approach{x, (c - b) / 4 * rate, (b - a) / 4 * rate}
}

// descended is where descent with some step size is after few and after many steps, sixteen times as many.
type descended struct {
	X         *mat.Dense
	Step      float64
	Steps     int // many
	Few, Many []float64
}

var descentSteps = props.Scale{Quick: 64000, Standard: 64000, Deep: 256000}

var marginDescent = props.Grid[int, descended, func(x *mat.Dense) (theory.Separator, error)]{
	Name: "descent", Cells: props.Scale{Quick: 4, Standard: 8, Deep: 400}.Indices,
	Measure: func(t *props.Trial, _ int) descended { return measureDescended(t.Rand, descentSteps.At(t.Effort)) },
	Claim:   theory.Separate,
	Judge: func(r *props.Record, _ int, m descended, claim func(x *mat.Dense) (theory.Separator, error)) {
		s, _ := claim(m.X)
		left := func(k int, w []float64) []float64 {
			return floats.AddScaledTo(make([]float64, 2), w, -math.Log(m.Step*float64(k)), s.Direction)
		}
		late := left(m.Steps, m.Many)
		r.WithinVector("w − ŵ log hk on the span", late, s.Offset, floats.Distance(late, left(m.Steps/16, m.Few), 2))
	},
	Controls: []props.WrongCell[int, descended, func(x *mat.Dense) (theory.Separator, error)]{
		{Name: "log k in place of log hk", Alter: func(_ int, m *descended) { m.Step = 1 }},
		{Name: "an offset of none", Instead: offset(0).separate},
	},
	Coarse: map[string]string{"w − ŵ log hk on the span": "descent needs as many steps as the flow needs time"},
	Chosen: map[string][]string{"sizes": {"w − ŵ log hk on the span"}},
}

func measureDescended(r *rand.Rand, steps int) descended {
	x, _ := planted(r, 4, 2, 2, 0.8)
	w, out := make([]float64, 2), descended{X: x, Step: gen.LogUniformFrom(r, 0.03, 0.1), Steps: steps}
	for k := range steps {
		if k == steps/16 {
			out.Few = []float64{w[0], w[1]}
		}
		var g [2]float64
		for i := range 4 {
			row := x.RawRowView(i)
			by := out.Step * math.Exp(-row[0]*w[0]-row[1]*w[1])
			g[0], g[1] = g[0]+by*row[0], g[1]+by*row[1]
		}
		w[0], w[1] = w[0]+g[0], w[1]+g[1]
	}
	out.Many = w
	return out
}
