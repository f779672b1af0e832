package solvers

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
)

// routed is an exact route on its way to a target.
type routed struct {
	Target routes.Target
	Route  int // in exactRoutes
	Index  int
}

// regime names the route, so that none can leave the list unnoticed.
func (c routed) regime() string {
	return fmt.Sprintf("%T to %s", exactRoutes[c.Target][c.Route], map[routes.Target]string{
		routes.SGDGram: "the Gram matrix of gradient descent", routes.TrueShift: "the true shift"}[c.Target])
}

// routedCells are so many layers of every shape for every route.
func routedCells(layersOfShape int) (cells []routed) {
	for _, target := range []routes.Target{routes.SGDGram, routes.TrueShift} {
		for route := range exactRoutes[target] {
			for i := range layersOfShape * len(layers.Shapes) {
				cells = append(cells, routed{target, route, i})
			}
		}
	}
	return cells
}

func routeNames() (names []string) {
	for _, c := range routedCells(1) {
		if c.Index == 0 {
			names = append(names, c.regime())
		}
	}
	return names
}

// everyRoute is the agreement with the paper's route, route by route.
var everyRoute = props.Grid[routed, twoRoutes, struct{}]{
	Name: "agreement of every route",
	Cells: func(e props.Effort) []routed {
		return routedCells(props.Scale{Quick: 2, Standard: 6, Deep: 100}.At(e))
	},
	Regimes: routeNames(),
	Measure: func(t *props.Trial, c routed) twoRoutes {
		return c.take(t, c.Target, exactRoutes[c.Target][c.Route])
	},
	Judge: func(r *props.Record, c routed, s twoRoutes, _ struct{}) {
		r.Regime(c.regime())
		judgeRoutes(r, s)
	},
	Controls: []props.WrongCell[routed, twoRoutes, struct{}]{{
		Name:       "the true shift for the Gram matrix of gradient descent, in place of every route",
		Assumption: "own-target",
		Measure: func(t *props.Trial, c routed) twoRoutes {
			return c.take(t, routes.SGDGram, routes.Reduced{Target: routes.TrueShift})
		}}},
}

// take draws a layer of the cell's shape and takes the paper's route and another one.
func (c routed) take(t *props.Trial, target routes.Target, route routes.Solver) twoRoutes {
	m, n := 2+t.Rand.IntN(5), 0
	n = m + 1 + t.Rand.IntN(4)
	switch layers.Shapes[c.Index%len(layers.Shapes)] {
	case "m = n":
		n = m
	case "m > n":
		m, n = n, m
	}
	return takeRoutes(t.Rand, m, n, 1+t.Rand.IntN(4), 10, 0.05, target, route)
}

// takeRoutes takes the paper's route and another one from weights of the given condition. The closed form is for m ≥ n.
// The true shift is feasible for m ≥ n as long as it is smaller than WᵀW.
func takeRoutes(r *rand.Rand, m, n, batch int, spread, rate float64, target routes.Target,
	route routes.Solver) twoRoutes {
	if route == (routes.Factor{}) {
		m, n = max(m, n), min(m, n)
	}
	p := layers.Batch(r, layers.Conditioned(r, m, n, spread), batch, 0.3, rate)
	if target == routes.TrueShift {
		p.Rate = min(p.Rate, 0.25/(spread*spread*mat.Norm(p.W, 2)*mat.Norm(p.Gamma, 2)*mat.Norm(p.H, 2)))
	}
	return twoRoutes{p.W, layers.Next(routes.Full{Target: target}, p), layers.Next(route, p)}
}

func judgeRoutes(r *props.Record, s twoRoutes) {
	m, n := s.W.Dims()
	spread := layers.ProductSpread(s.W, s.Paper) * layers.Spread(s.Paper)
	r.WithinMatrix("new weights", s.Next, s.Paper, float64(16*(m+n))*r.Unit()*spread*mat.Norm(s.Paper, 2))
}
