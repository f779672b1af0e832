package spectra

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/spectra"
)

// deformed solves the secular equation of rank-one changes.
var deformed = props.Spec{
	Statement: &theory.Deformed,
	Checks: []props.Check{props.Grid[changeCell, []moved, deformedClaim]{
		Name:     "largest singular value of changed matrices",
		Cells:    changeCells,
		Regimes:  changeRegimes,
		Measure:  func(t *props.Trial, c changeCell) []moved { return c.measure(t, nil) },
		Claim:    theory.RankOne.Limits,
		Conclude: concludeDeformed,
		Chosen: map[string][]string{"bias": {changePlace, changeSpread},
			"scatter and bias": {changeLeft, changeRight, changeLinear}},
		Controls: []props.WrongCell[changeCell, []moved, deformedClaim]{
			{Name: "φ in place of φ̃", Criterion: changePlace,
				Instead: deformedWith(func(s *theory.RankOne) { s.C = 1 })},
			{Name: "θ in place of θ²", Criterion: changePlace,
				Instead: deformedWith(func(s *theory.RankOne) { s.Theta = math.Sqrt(s.Theta) })},
			{Name: "place of a Gaussian bulk", Criterion: changePlace,
				Instead: limitsBut(func(s theory.RankOne, l *theory.SpikeLimits) {
					spike := theory.Spike{Model: "additive", Gamma: 1 / s.C, Strength: s.Theta}
					l.Place = math.Sqrt(spike.Limits().Place)
				})},
			{Name: "left and right exchanged", Criterion: changeLeft,
				Instead: limitsBut(func(_ theory.RankOne, l *theory.SpikeLimits) {
					l.Left, l.Right = l.Right, l.Left
				})},
			{Name: "right vector as near as the left one", Criterion: changeRight,
				Instead: limitsBut(func(_ theory.RankOne, l *theory.SpikeLimits) { l.Right = l.Left })},
			{Name: "an outlier below the threshold", Assumption: "above", Criterion: changePlace,
				Instead: limitsBut(func(s theory.RankOne, l *theory.SpikeLimits) {
					if l.Variance == 0 {
						l.Place += s.Theta / 4
					}
				})},
			{Name: "fluctuations of complex vectors", Criterion: changeSpread,
				Instead: limitsBut(func(_ theory.RankOne, l *theory.SpikeLimits) { l.Variance /= 2 })},
			{Name: "fluctuations without those of v", Criterion: changeLinear,
				Instead: limitsBut(func(s theory.RankOne, l *theory.SpikeLimits) {
					l.Variance -= s.Theta * s.Theta * s.C * l.Left * (1 - l.Right) / 2
				})},
			{Name: "u and v the same", Assumption: "independent", Criterion: changePlace, On: outlying,
				Measure: func(t *props.Trial, c changeCell) []moved {
					return c.measure(t, func(m *secular) { m.v, m.rest = m.u, 0 })
				}},
			{Name: "u near one singular vector", Assumption: "uniform", Criterion: changePlace, On: outlying,
				Measure: func(t *props.Trial, c changeCell) []moved {
					return c.measure(t, func(m *secular) {
						m.u[0] += 3
						floats.Scale(1/floats.Norm(m.u, 2), m.u)
					})
				}},
			{Name: "one singular value of 4", Assumption: "bulk", Criterion: changePlace, On: outlying,
				Measure: func(t *props.Trial, c changeCell) []moved {
					return c.measure(t, func(m *secular) { m.s = append(m.s[:len(m.s)-1:len(m.s)-1], 4) })
				}},
		},
		Coarse:     map[string]string{changeSpread: "a variance of samples"},
		Replicates: 1,
	}},
	Along: &props.Along{Param: "theta", From: 0.1, To: 3, Of: []string{"left", "right"}, Y: "squared cosines", Places: 8,
		Reps: 4},
	Try: &props.Simulation{Run: tryDeformed, Params: []statement.Param{{Name: "n", Symbol: "n", Meaning: "rows",
		Domain: statement.IntegerBetween(1, 1e5), Default: "400"}}},
}.Claim()

// outlying picks a regime beyond the threshold.
func outlying(c changeCell) bool { return c.RankOne == changes[2] }

// The criteria.
const (
	changePlace  = "largest singular value over its limit"
	changeLeft   = "squared cosine of the left vector with u, minus its limit"
	changeRight  = "squared cosine of the right vector with v, minus its limit"
	changeSpread = "√n times its standard deviation, over its limit"
	changeLinear = "n times its variance by derivatives, over its limit"
)

// deformedClaim gives the limits for a change of rank one.
type deformedClaim func(theory.RankOne) theory.SpikeLimits

// deformedWith claims the limits of another change.
func deformedWith(change func(*theory.RankOne)) deformedClaim {
	return func(s theory.RankOne) theory.SpikeLimits { change(&s); return s.Limits() }
}

// limitsBut claims other limits.
func limitsBut(change func(theory.RankOne, *theory.SpikeLimits)) deformedClaim {
	return func(s theory.RankOne) theory.SpikeLimits { l := s.Limits(); change(s, &l); return l }
}

var changeRegimes = []string{"atoms", "atoms, n = m", "semicircle", "semicircle, below the threshold",
	"vanishing"}

// changes lists the changes of the regimes. With θ = 1.26 and equal sides the outlier of the atoms is 2.5.
var changes = []theory.RankOne{{Bulk: "atoms", C: 0.5, Theta: 1.45}, {Bulk: "atoms", C: 1, Theta: 1.26},
	{Bulk: "semicircle", C: 0.5, Theta: 1.7}, {Bulk: "semicircle", C: 1, Theta: 0.2},
	{Bulk: "vanishing", C: 1, Theta: 1.6}}

// changeCell are draws with Rows rows, and a quarter as many with four times that.
type changeCell struct {
	theory.RankOne
	Rows, Draws, Batch int
}

func changeCells(e props.Effort) (out []changeCell) {
	for _, s := range changes {
		for i := range 64 {
			out = append(out, changeCell{s, 64, props.Scale{Quick: 120, Standard: 600, Deep: 22000}.At(e), i})
		}
	}
	return out
}

// moved are means over draws of one size, and √n times the standard deviation of the largest singular value.
type moved struct {
	N                  int
	Place, Left, Right float64
	Linear             float64 // n times the variance of a quadratic form that has the same derivatives in u and v
	Spread             float64
}

// measure takes both sizes, with a change of what is drawn where there is one.
func (c changeCell) measure(t *props.Trial, change func(*secular)) (out []moved) {
	for k := range 2 {
		n, count := c.Rows<<(2*k), c.Draws>>(2*k)
		s, columns, mean, squares := quantiles(c.Bulk, n), int(math.Round(float64(n)/c.C)), moved{N: n}, 0.0
		for range count {
			m := uniformSecular(t.Rand, s, columns, c.Theta)
			if change != nil {
				change(&m)
			}
			over, left, right := m.largest()
			z := m.last() + over
			mean.Place, squares = mean.Place+z/float64(count), squares+(z-2)*(z-2)/float64(count)
			mean.Left, mean.Right = mean.Left+left/float64(count), mean.Right+right/float64(count)
			inU, inV := m.gradients(over)
			mean.Linear += (inU + float64(n)/float64(columns)*inV) / float64(2*count)
		}
		over := mean.Place - 2
		mean.Spread = math.Sqrt(float64(n) * max(0, squares-over*over) * float64(count) / float64(count-1))
		out = append(out, mean)
	}
	return out
}

// quantiles are n singular values of the bulk, at (i−½)/n. Those of the semicircle are 3/2 − cos(t)/2 with the share
// (t − sin t cos t)/π below.
func quantiles(bulk string, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		share := (float64(i) + 0.5) / float64(n)
		switch bulk {
		case "atoms":
			out[i] = 1 + math.Round(share)
			continue
		case "vanishing":
			out[i] = 2 - math.Cbrt(1-share)
			continue
		}
		t := quantileOf(func(t float64) float64 { return (t - math.Sin(t)*math.Cos(t)) / math.Pi }, share, 0, math.Pi)
		out[i] = 1.5 - math.Cos(t)/2
	}
	return out
}

// concludeDeformed takes what is of order 1/n out by the two sizes. An extrapolated mean of quantities of variance V/n
// has the variance (16/9 + 1/9)V/(n·draws) at the larger one. Cosines were found to have V ≤ 1, and
// what follows from them about derivatives V ≤ ¼ of its square.
func concludeDeformed(r *props.Record, cells []changeCell, all [][]moved, claim deformedClaim) {
	for k, s := range changes {
		truth, l, values := s.Limits(), claim(s), map[string][]float64{}
		var n, draws float64
		for i, cell := range cells {
			if cell.RankOne != s {
				continue
			}
			small, large := all[i][0], all[i][1]
			n, draws = float64(large.N), float64(cell.Draws/4)
			take := func(name string, small, large float64) {
				values[name] = append(values[name], extrapolated(small, large))
			}
			take(changePlace, small.Place/l.Place, large.Place/l.Place)
			take(changeLeft, small.Left-l.Left, large.Left-l.Left)
			take(changeRight, small.Right-l.Right, large.Right-l.Right)
			take(changeLinear, small.Linear/l.Variance, large.Linear/l.Variance)
			values[changeSpread] = append(values[changeSpread], small.Spread/math.Sqrt(l.Variance))
		}
		if draws == 0 { // a control that is tried on other cells
			continue
		}
		r.Regime(changeRegimes[k])
		limit := func(name string, sd, bias float64) props.Limit { return props.Limit{Name: name, SD: sd, Bias: bias} }
		scatter, bias := math.Sqrt(2/(n*draws)), 160/(n*n)
		place, placeBias := scatter*math.Sqrt(truth.Variance)/truth.Place, bias
		if truth.Variance > 0 {
			limit(changeSpread, math.Sqrt(0.125/draws), 0.03).Judge(r, values[changeSpread], 1)
			limit(changeLinear, scatter/2, 0.01).Judge(r, values[changeLinear], 1)
		} else {
			scatter, bias = 8/(n*math.Sqrt(draws)), 4/n // of means of n cos² up to 4
			placeBias = math.Pow(n, -2./3) / 4
			place = placeBias / math.Sqrt(draws)
		}
		limit(changePlace, place, placeBias).Judge(r, values[changePlace], 1)
		limit(changeLeft, scatter, bias).Absolute(r, values[changeLeft], 0)
		limit(changeRight, scatter, bias).Absolute(r, values[changeRight], 0)
	}
}

func tryDeformed(t *props.Trial, v statement.Values) (map[string]float64, error) {
	s := theory.RankOne{Bulk: v.Choice("bulk"), C: v.Float("c"), Theta: v.Float("theta")}
	n := v.Int("n")
	m := uniformSecular(t.Rand, quantiles(s.Bulk, n), int(math.Round(float64(n)/s.C)), s.Theta)
	over, left, right := m.largest()
	out := map[string]float64{"place": m.last() + over}
	if !math.IsNaN(s.Limits().Left) { // else nothing is claimed about cosines
		out["left"], out["right"] = left, right
	}
	return out, nil
}
