package hessian

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// simulation takes the population gradients of one network of m random neurons for the isotropic target.
var simulation = &props.Simulation{Run: simulate}

// mostWork bounds m·(d + 100r), a few seconds, and mostDimensions the memory of a gradient.
const mostWork, mostDimensions = 3e8, 1e7

func simulate(t *props.Trial, v statement.Values) (map[string]float64, error) {
	d, r, m := v.Int("d"), v.Int("r"), v.Int("m")
	switch {
	case d > mostDimensions:
		return nil, fmt.Errorf("d=%d cannot be simulated: at most %.0e dimensions", d, mostDimensions)
	case float64(m)*float64(d+100*r) > mostWork:
		return nil, fmt.Errorf("m=%d neurons in d=%d dimensions are too many: m·(d+100r) may be %.0e", m, d, mostWork)
	}
	named, err := target.Simulated(r)
	if err != nil {
		return nil, err
	}
	f := named.Terms
	p, lengths := target.Monomials(f), make([]float64, m)
	signal, noise := 0.0, 0.0
	for j := range lengths {
		w, a := direction(t.Rand, nil, d), float64(2*t.Rand.IntN(2)-1)
		g := inPair(p, a, w)
		lengths[j] = floats.Norm(target.Plus(g, -1, theory.Leading(f, a, w)), 2)
		signal += floats.Dot(g[:r], g[:r]) / float64(m*r)
		noise += floats.Dot(g[r:], g[r:]) / float64(m) / math.Max(1, float64(d-r))
	}
	mean := floats.Sum(lengths) / float64(m)
	out := map[string]float64{"remainder": mean, "envelope": floats.Max(lengths), "signal": signal}
	if m > 1 {
		out["spread"] = stat.StdDev(lengths, nil) / mean
	}
	if d > r {
		out["noise"], out["gap"] = noise, math.Sqrt(signal/noise)
	}
	return out, nil
}
