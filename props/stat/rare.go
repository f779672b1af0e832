package stat

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
)

// RareCalibration holds the frequency of something that a procedure promises to be rare, at the level at which claims
// use the procedure.
type RareCalibration struct {
	Procedure     string
	Distribution  string  // of a draw
	Quantity      string  // "misses" (the truth) or "undecided" (it sticks out of the planned margin)
	Draws         int     // of one interval; of a confidence sequence, the last at which one looks
	Nominal       float64 // the probability promised, at most
	Measured      float64 // the probability
	RelativeError float64 // standard deviation of Measured over it; 0 when it was computed exactly
	Runs          int     // simulated for each side of the interval; 0 when it was computed exactly
}

// Kept reports whether the promise is kept: what is measured does not contradict it by more than five standard
// deviations, and is known to a fifth.
func (c RareCalibration) Kept() bool {
	return c.RelativeError <= 0.2 && c.Measured*(1-5*c.RelativeError) <= c.Nominal*(1+1e-9)
}

// CalibrateRare measures the procedures at [CriterionAlpha] and [CriterionUndecided] on distributions like those that
// the claims feed in. Plain simulation would not see such probabilities: draws come from a law that is tilted towards
// the event, and are weighed by the likelihood ratio, which leaves the expectation as it is (importance sampling).
// Confidence sequences are sampled under the mixture that they are made of, for counts the sum over all paths is
// taken. The result depends on the arguments only.
func CalibrateRare(seed uint64, runs int) []RareCalibration {
	rows := []RareCalibration{}
	for _, e := range rareExperiments() {
		rows = append(rows, e.measure(seed, runs))
	}
	return rows
}

// rare is an event that is promised to be rare.
type rare struct {
	procedure, distribution, quantity string
	draws                             int
	nominal                           float64
	sides                             []side
	exactly                           func() float64 // in place of sides
}

// side is one way in which the event happens, with the law that makes it frequent. The ways exclude each other.
type side struct {
	sample  func(r *rand.Rand) (xs []float64, weight float64) // the weight is a logarithm
	happens func(xs []float64) bool
}

func (e rare) measure(seed uint64, runs int) RareCalibration {
	row := RareCalibration{Procedure: e.procedure, Distribution: e.distribution, Quantity: e.quantity, Draws: e.draws,
		Nominal: e.nominal}
	if e.exactly != nil {
		row.Measured = e.exactly()
		return row
	}
	name := fmt.Appendf(nil, "%d\x00%s\x00%s\x00%s\x00%d", seed, e.procedure, e.distribution, e.quantity, e.draws)
	key := sha256.Sum256(name)
	stream, variance := rand.New(rand.NewChaCha8(key)), 0.0
	for _, s := range e.sides {
		sum, squares, n := 0.0, 0.0, float64(runs)
		for range runs {
			if xs, weight := s.sample(stream); s.happens(xs) {
				sum += math.Exp(weight) / n
				squares += math.Exp(2*weight) / n
			}
		}
		row.Measured += sum
		variance += (squares - sum*sum) / n
	}
	row.Runs = runs
	if row.Measured > 0 {
		row.RelativeError = math.Sqrt(max(0, variance)) / row.Measured
	}
	return row
}

// sampled draws n from a proposal.
func sampled(p proposal, n int) func(*rand.Rand) ([]float64, float64) {
	return func(r *rand.Rand) ([]float64, float64) { return p.draw(r, n) }
}

// missing is the event that the interval misses a value: from lies where draws are too small, and so is the interval,
// and where they are too large.
func missing(procedure string, interval sequence, l *law, n int, value, alpha float64, small, large proposal) rare {
	valid := func(xs []float64) Interval {
		iv := interval(xs, alpha)
		if !iv.Valid() {
			panic("stat: calibration of an invalid interval: " + procedure)
		}
		return iv
	}
	return rare{procedure: procedure, distribution: l.name, quantity: "misses", draws: n, nominal: alpha, sides: []side{
		{sampled(small, n), func(xs []float64) bool { return valid(xs).Hi < value }},
		{sampled(large, n), func(xs []float64) bool { return valid(xs).Lo > value }},
	}}
}

// sticking is the event that the interval sticks out of value ± margin.
func sticking(procedure string, interval sequence, l *law, n int, value, margin float64, small, large proposal) rare {
	sides := []side{
		{sampled(small, n), func(xs []float64) bool { return !(interval(xs, CriterionAlpha).Lo >= value-margin) }},
		{sampled(large, n), func(xs []float64) bool {
			iv := interval(xs, CriterionAlpha)
			return iv.Lo >= value-margin && !(iv.Hi <= value+margin)
		}},
	}
	return rare{procedure: procedure, distribution: l.name, quantity: "undecided", draws: n,
		nominal: CriterionUndecided, sides: sides}
}

// split tilts a law so that the given share of it lies above x.
func (l *law) split(x, share float64) proposal {
	l = l.cut(x)
	above := 0.0
	for j, p := range l.mass {
		if l.mid(j) > x {
			above += p
		}
	}
	step := math.Log(share/(1-share)) - math.Log(above/(1-above))
	return l.tilt(func(y float64) float64 {
		if y > x {
			return step
		}
		return 0
	})
}

// shifted tilts a law exponentially so that its mean becomes m.
func (l *law) shifted(m float64) proposal {
	at := func(rate float64) proposal {
		return l.tilt(func(x float64) float64 { return rate * (x - l.mean) / l.sd })
	}
	lo, hi := -200.0, 200.0
	for range 60 {
		if mid := (lo + hi) / 2; at(mid).law.mean < m {
			lo = mid
		} else {
			hi = mid
		}
	}
	return at(hi)
}

// selfNormalised tilts a law so that Student's statistic of n draws about m comes out near t, or near -t for upper
// false. In y = ±(x-m)/sd the event is Σy ≥ c√(nΣy²) with c² = t²/(n-1+t²), that is Σ(y/b - c(y²/b²+1)/2) ≥ 0 for
// some b > 0; the b is taken for which this is least rare, by the exponential bound on its probability.
//
// Source: Shao, Ann. Probab. 25 (1997) 285.
func (l *law) selfNormalised(m, t float64, n int, upper bool) proposal {
	sign, c := 1.0, t/math.Sqrt(float64(n-1)+t*t)
	if !upper {
		sign = -1
	}
	exponent := func(b, rate float64) func(float64) float64 {
		return func(x float64) float64 {
			y := sign * (x - m) / l.sd / b
			return rate * (y - c*(y*y+1)/2)
		}
	}
	smallest := func(b float64) (rate, log float64) {
		rate = golden(0, 300, func(rate float64) float64 { return l.logMoment(exponent(b, rate)) })
		return rate, l.logMoment(exponent(b, rate))
	}
	best := golden(math.Log(0.02), math.Log(20), func(logB float64) float64 {
		_, log := smallest(math.Exp(logB))
		return -log
	})
	rate, _ := smallest(math.Exp(best))
	return l.tilt(exponent(math.Exp(best), rate))
}

// golden minimises a unimodal function on [lo, hi].
func golden(lo, hi float64, f func(float64) float64) float64 {
	const ratio = 0.6180339887498949
	a, b := hi-ratio*(hi-lo), lo+ratio*(hi-lo)
	fa, fb := f(a), f(b)
	for range 24 {
		if fa < fb {
			hi, b, fb = b, a, fa
			a = hi - ratio*(hi-lo)
			fa = f(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + ratio*(hi-lo)
			fb = f(b)
		}
	}
	return (lo + hi) / 2
}
