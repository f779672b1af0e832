package props

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
)

// Path is a quantity at increasing times: what a statement over time speaks of.
type Path struct{ Times, Values []float64 }

// from is the path from a time on.
func (p Path) from(start float64) Path {
	for i, t := range p.Times {
		if t >= start {
			return Path{p.Times[i:], p.Values[i:]}
		}
	}
	return Path{}
}

// crossings counts how often a path passes a level.
func (p Path) crossings(level float64) int {
	n := 0
	for i := 1; i < len(p.Values); i++ {
		n += count((p.Values[i-1] < level) != (p.Values[i] < level))
	}
	return n
}

// need panics on a path that is not one, or too short.
func (p Path) need(name string, n int) {
	if len(p.Times) != len(p.Values) || len(p.Times) < n {
		panic(fmt.Sprintf("props: %s: a path of %d times and %d values; at least %d are needed", name, len(p.Times),
			len(p.Values), n))
	}
}

// Throughout is the criterion that a path stays within a tolerance of what is claimed, at every time. A perturbation ε
// multiplies what is claimed by 1+ε.
func (r *Record) Throughout(name string, p Path, claimed func(time float64) float64, tolerance float64) {
	p.need(name, 1)
	ratio := func(epsilon float64) Ratio {
		w := Ratio{}
		for i, t := range p.Times {
			w = w.And(compare(p.Values[i]-(1+epsilon)*claimed(t), tolerance))
		}
		return w
	}
	r.Perturbed(name, ratio)
	wanted := list.Map(p.Times, claimed)
	at, _ := farthest(column(p.Values), column(wanted))
	got, want := p.Values[at], wanted[at]
	r.beside(func() results.Sides {
		s := scalarSides(got, want, tolerance, results.Equal)()
		s.Entry = fmt.Sprintf("the value at time %g", p.Times[at])
		return s
	})
	r.pair(func() []compared { return scalars(got, want, results.Equal) })
}

// Hovers is the criterion that a path, from a time on, keeps passing a level: its mean is the level within a tolerance,
// and it passes the level at least so many times. A perturbation ε multiplies the level by 1+ε.
func (r *Record) Hovers(name string, p Path, from, level, tolerance float64, crossings int) {
	p.need(name, 1)
	late := p.from(from)
	late.need(name, 2)
	mean := 0.0
	for _, x := range late.Values {
		mean += x / float64(len(late.Values))
	}
	r.Perturbed(name, func(epsilon float64) Ratio {
		at := (1 + epsilon) * level
		w := compare(mean-at, tolerance)
		if passed := late.crossings(at); passed < crossings {
			w = w.And(Ratio{Value: 2, Lower: 2})
		}
		return w
	})
	r.beside(func() results.Sides {
		s := scalarSides(mean, level, tolerance, results.Equal)()
		s.Entry = fmt.Sprintf("the mean, with %d crossings of %d at least", late.crossings(level), crossings)
		return s
	})
	r.pair(func() []compared { return scalars(mean, level, results.Equal) })
}

// Decays is the criterion that a path falls, or grows, as e^(−rate·time): the slope of its logarithm is −rate within a
// tolerance. A perturbation ε multiplies the rate by 1+ε.
func (r *Record) Decays(name string, p Path, rate, tolerance float64) {
	p.need(name, 2)
	logs := list.Map(p.Values, func(x float64) float64 { return math.Log(math.Abs(x)) })
	r.Within(name, -stat.Slopes(p.Times, [][]float64{logs})[0], rate, tolerance)
}
