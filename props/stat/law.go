package stat

import (
	"math"
	"math/rand/v2"
	"sort"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// law is a distribution made of cells with a uniform density, or atoms where a cell has no width. It is the law of the
// calibration, not an approximation within it: its moments, tails and tilted versions are computed from the cells.
type law struct {
	name         string
	lo, hi, mass []float64 // of each cell, in ascending order
	sum          []float64 // of the masses up to and including a cell
	mean, sd     float64
	skewness     float64
}

// cells are as many as a law with a density has. Their size is a 40th of a standard deviation of the normal score.
const cells = 800

// newLaw cuts a distribution into cells at the images of the normal scores -10 … 10 under edge. below and above are
// P(X ≤ x) and P(X > x).
func newLaw(name string, edge, below, above func(float64) float64) *law {
	l := &law{name: name}
	at := func(i int) float64 { return edge(20*float64(i)/cells - 10) }
	for i := range cells {
		lo, hi := at(i), at(i+1)
		mass := below(hi) - below(lo)
		if below(lo) > 0.5 {
			mass = above(lo) - above(hi)
		}
		if mass > 0 && hi > lo {
			l.lo, l.hi, l.mass = append(l.lo, lo), append(l.hi, hi), append(l.mass, mass)
		}
	}
	return l.normalise()
}

// normalise scales the masses to 1 and takes the moments.
func (l *law) normalise() *law {
	total := 0.0
	for _, p := range l.mass {
		total += p
	}
	l.sum = make([]float64, len(l.mass))
	running := 0.0
	for j := range l.mass {
		l.mass[j] /= total
		running += l.mass[j]
		l.sum[j] = running
		l.mean += l.mass[j] * l.mid(j)
	}
	second, third := 0.0, 0.0
	for j, p := range l.mass {
		d, w := l.mid(j)-l.mean, l.hi[j]-l.lo[j]
		second += p * (d*d + w*w/12)
		third += p * (d*d*d + d*w*w/4)
	}
	l.sd = math.Sqrt(second)
	l.skewness = third / math.Pow(second, 1.5)
	return l
}

func (l *law) mid(j int) float64 { return l.lo[j] + (l.hi[j]-l.lo[j])/2 }

// below is P(X ≤ x).
func (l *law) below(x float64) float64 {
	p := 0.0
	for j, mass := range l.mass {
		switch {
		case l.hi[j] <= x:
			p += mass
		case l.lo[j] < x:
			p += mass * (x - l.lo[j]) / (l.hi[j] - l.lo[j])
		}
	}
	return p
}

// cut is the same law with x between two cells.
func (l *law) cut(x float64) *law {
	c := &law{name: l.name}
	for j, p := range l.mass {
		lo, hi := l.lo[j], l.hi[j]
		if lo < x && x < hi {
			share := (x - lo) / (hi - lo)
			c.lo, c.hi, c.mass = append(c.lo, lo), append(c.hi, x), append(c.mass, p*share)
			lo, p = x, p*(1-share)
		}
		c.lo, c.hi, c.mass = append(c.lo, lo), append(c.hi, hi), append(c.mass, p)
	}
	return c.normalise()
}

// lean returns the lean of the law's mean.
func (l *law) lean() float64 { return math.Abs(l.below(l.mean) - 0.5) }

// median is the point below which half of the law lies; of a coin, the atom with more than half.
func (l *law) median() float64 {
	j := sort.Search(len(l.sum)-1, func(j int) bool { return l.sum[j] >= 0.5 })
	return l.hi[j] - (l.sum[j]-0.5)/l.mass[j]*(l.hi[j]-l.lo[j])
}

// tilt is the law with masses multiplied by exp(h(x)) at the middle x of each cell, and the logarithm of the old mass
// over the new one of each cell: what a draw from the tilted law weighs.
func (l *law) tilt(h func(x float64) float64) proposal {
	exponents := make([]float64, len(l.mass))
	top := math.Inf(-1)
	for j := range exponents {
		exponents[j] = h(l.mid(j))
		top = max(top, exponents[j])
	}
	t := &law{lo: l.lo, hi: l.hi, mass: make([]float64, len(l.mass))}
	for j, p := range l.mass {
		t.mass[j] = p * math.Exp(exponents[j]-top)
	}
	t.normalise()
	weights := make([]float64, len(l.mass))
	for j, p := range l.mass {
		weights[j] = math.Log(p) - math.Log(t.mass[j])
	}
	return proposal{t, weights, t.guide()}
}

// logMoment is log E exp(h(X)), with h at the middle of each cell.
func (l *law) logMoment(h func(x float64) float64) float64 {
	sum := 0.0
	for j, p := range l.mass {
		sum += p * math.Exp(h(l.mid(j)))
	}
	return math.Log(sum)
}

// proposal is a tilted law with the log-weights of its cells.
type proposal struct {
	law     *law
	weights []float64
	guide   []int // the cell of each of so many probabilities at equal distances
}

func (l *law) guide() []int {
	guide := make([]int, len(l.sum))
	for i, j := 0, 0; i < len(guide); i++ {
		for j < len(l.sum)-1 && l.sum[j] < float64(i)/float64(len(guide)) {
			j++
		}
		guide[i] = j
	}
	return guide
}

// cell is the first cell up to which the law has at least the probability u, or the last.
func (p proposal) cell(u float64) int {
	j := p.guide[min(int(u*float64(len(p.guide))), len(p.guide)-1)]
	for j > 0 && p.law.sum[j-1] >= u {
		j--
	}
	for j < len(p.law.sum)-1 && p.law.sum[j] < u {
		j++
	}
	return j
}

// draw returns n draws and their log-weight.
func (p proposal) draw(r *rand.Rand, n int) (xs []float64, weight float64) {
	xs = make([]float64, n)
	for i := range xs {
		j := p.cell(r.Float64())
		xs[i] = p.law.lo[j] + (p.law.hi[j]-p.law.lo[j])*r.Float64()
		weight += p.weights[j]
	}
	return xs, weight
}

// The laws that the claims' data resemble.

func normalLaw() *law {
	return newLaw("normal", func(z float64) float64 { return z }, distuv.UnitNormal.CDF, distuv.UnitNormal.Survival)
}

func lognormalLaw(name string, skewness float64) *law {
	s := lognormalSigma(skewness)
	score := func(x float64) float64 { return math.Log(x) / s }
	return newLaw(name, func(z float64) float64 { return math.Exp(s * z) },
		func(x float64) float64 { return distuv.UnitNormal.CDF(score(x)) },
		func(x float64) float64 { return distuv.UnitNormal.Survival(score(x)) })
}

// mirrored is the law of -X.
func (l *law) mirrored(name string) *law {
	m := &law{name: name}
	for j := len(l.mass) - 1; j >= 0; j-- {
		m.lo, m.hi, m.mass = append(m.lo, -l.hi[j]), append(m.hi, -l.lo[j]), append(m.mass, l.mass[j])
	}
	return m.normalise()
}

// chiSquaredLaw is χ²(k)/k, with cells that Wilson and Hilferty's transformation makes even; for k = 1 they are those
// of a square.
func chiSquaredLaw(name string, k float64) *law {
	edge := func(z float64) float64 {
		c := 2 / (9 * k)
		return math.Pow(max(0, 1-c+z*math.Sqrt(c)), 3)
	}
	return newLaw(name, edge,
		func(x float64) float64 { return mathext.GammaIncReg(k/2, k*x/2) },
		func(x float64) float64 { return mathext.GammaIncRegComp(k/2, k*x/2) })
}

// squaredCosineLaw is the squared cosine of two random directions in d dimensions, times d: Beta(1/2, (d-1)/2).
func squaredCosineLaw(name string, d float64) *law {
	edge := func(z float64) float64 { return d * math.Pow((z+10)/20, 2) }
	return newLaw(name, edge,
		func(x float64) float64 { return mathext.RegIncBeta(0.5, (d-1)/2, min(1, x/d)) },
		func(x float64) float64 { return mathext.RegIncBeta((d-1)/2, 0.5, max(0, 1-x/d)) })
}

func studentLaw(name string, nu float64) *law {
	return newLaw(name, func(z float64) float64 { return math.Sinh(z) },
		func(t float64) float64 { return studentBelow(t, nu) },
		func(t float64) float64 { return studentBelow(-t, nu) })
}

func studentBelow(t, nu float64) float64 {
	if t > 0 {
		return 1 - studentTail(t, nu)
	}
	return studentTail(-t, nu)
}

func coinLaw(name string, p float64) *law {
	l := &law{name: name, lo: []float64{0, 1}, hi: []float64{0, 1}, mass: []float64{1 - p, p}}
	return l.normalise()
}
