package vcl

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// awkward are layers on which something degenerates: a layer that layerOf draws, spoilt. Each is tried as it stands and transposed.
var awkward = []struct {
	name        string
	m, n, batch int
	rate        float64
	spoil       func(r *rand.Rand, p *routes.Problem)
}{
	{"weights without full rank", 6, 8, 3, 0.1, func(_ *rand.Rand, p *routes.Problem) { loseDirection(p.W) }},
	{"zero weights", 4, 6, 3, 0.1, func(_ *rand.Rand, p *routes.Problem) { p.W.Zero() }},
	{"repeated singular values", 6, 9, 3, 0.1, func(r *rand.Rand, p *routes.Problem) {
		m, n := p.W.Dims()
		p.W = gen.Orthonormal(r, max(m, n), min(m, n))
		if m < n {
			p.W = mat.DenseCopyOf(p.W.T())
		}
	}},
	{"zero gradient", 5, 7, 3, 0.1, func(_ *rand.Rand, p *routes.Problem) {
		m, batch := p.Gamma.Dims()
		p.Gamma = mat.NewDense(m, batch, nil)
	}},
	{"batch larger than the layer", 4, 5, 30, 0.02, func(*rand.Rand, *routes.Problem) {}},
	{"every sample twice", 5, 8, 4, 0.1, func(_ *rand.Rand, p *routes.Problem) {
		h, g := mat.DenseCopyOf(p.H), mat.DenseCopyOf(p.Gamma)
		for j := range 2 {
			h.SetCol(j+2, mat.Col(nil, j, h))
			g.SetCol(j+2, mat.Col(nil, j, g))
		}
		p.H, p.Gamma = h, g
	}},
	{"small singular values of a fresh square layer", 12, 12, 3, 1, func(r *rand.Rand, p *routes.Problem) { p.W = gen.Gaussian(r, 12, 12, 1/math.Sqrt(12)) }},
}

// awkwardCell is a layer of that kind, as listed or with outputs and inputs exchanged.
type awkwardCell struct {
	Kind       int
	Transposed bool
	Copy       int
}

func awkwardCells(e props.Effort) []awkwardCell {
	var cells []awkwardCell
	for k := range (props.Scale{Quick: 2, Standard: 6, Deep: 250}).At(e) {
		for kind := range awkward {
			cells = append(cells, awkwardCell{kind, false, k})
			if a := awkward[kind]; a.m != a.n {
				cells = append(cells, awkwardCell{kind, true, k})
			}
		}
	}
	return cells
}

func (c awkwardCell) draw(r *rand.Rand) routes.Problem {
	a := awkward[c.Kind]
	if c.Transposed {
		a.m, a.n = a.n, a.m
	}
	p := layerOf(r, a.m, a.n, a.batch, a.rate)
	a.spoil(r, &p)
	return p
}

// title names the cell for a counterexample.
func (c awkwardCell) title() string {
	a := awkward[c.Kind]
	if c.Transposed {
		a.m, a.n = a.n, a.m
	}
	return fmt.Sprintf("%s (%d×%d, batch %d, number %d)", a.name, a.m, a.n, a.batch, c.Copy+1)
}

// met is what a route made of an awkward layer: the Gram matrix of its weights beside the one to be met, how far they may be apart, and
// what else it must meet. Without a Gram matrix it is a refusal.
type met struct {
	gram, near *mat.Dense
	allowed    float64
	rest       props.Ratio
}

// ratio judges the weights made longer by a dose.
func (o met) ratio(dose float64) props.Ratio {
	if o.gram == nil {
		return o.rest
	}
	var miss mat.Dense
	miss.Scale((1+dose)*(1+dose), o.gram)
	miss.Sub(&miss, o.near)
	if size := mat.Norm(&miss, 2); size != 0 { // zero is met by zero, which has no rounding
		return props.Worst(o.rest, props.Within(size, o.allowed))
	}
	return o.rest
}

// onAwkward lets every route of a list solve every awkward layer.
func (v solversTrial) onAwkward(name, part string, list []routes.Solver, solve func(p routes.Problem, route routes.Solver) met) props.LegacyCheck {
	share := ""
	if v == (solversTrial{dose: v.dose}) {
		share = name
	}
	return props.LegacySweep[awkwardCell, []met]{
		Name:  name,
		Share: share,
		Cells: awkwardCells,
		Measure: func(t *props.Trial, c awkwardCell) []met {
			p, all := c.draw(t.Rand), make([]met, len(list))
			for i, route := range list {
				all[i] = solve(p, route)
			}
			return all
		},
		Judge: func(cells []awkwardCell, all [][]met) props.Judgement {
			worst, example := props.Ratio{}, ""
			for i, cell := range cells {
				for k, o := range all[i] {
					ratio := o.ratio(v.dose)
					if ratio.Value > worst.Value {
						example = fmt.Sprintf("%s, %T: ratio %.3g", cell.title(), list[k], ratio.Value)
					}
					worst = props.Worst(worst, ratio)
				}
			}
			return props.Judgement{Parts: []props.Part{{Name: part, Ratio: worst}}, Counterexample: example}
		},
	}.Check()
}

// targetsOf are the Gram matrices of the true shift and of gradient descent, by the closed forms, and the size of what is added up in them.
func targetsOf(p routes.Problem) (shift, descent *mat.Dense, size float64) {
	s := theory.LayerStep{W: p.W, Inputs: mat.DenseCopyOf(p.H), PreGrads: mat.DenseCopyOf(p.Gamma), Step: p.Rate, Convention: theory.Sum}
	shift, descent = s.Targets()
	return shift, descent, s.Magnitude()
}

// solversAwkward is the Gram matrix of gradient descent and the certificate, for every route on every awkward layer.
func solversAwkward(v solversTrial) props.LegacyCheck {
	list := append([]routes.Solver{routes.Full{}}, exactRoutes[routes.SGDGram]...)
	switch {
	case v.descent:
		list = []routes.Solver{descentRoute{}}
	case v.newton:
		list = []routes.Solver{routes.NewtonSchulz{}}
	}
	return v.onAwkward("awkward layers", "constraint and certificate", list, func(p routes.Problem, route routes.Solver) met {
		step, err := route.Solve(p)
		if err != nil {
			return met{rest: props.Truth(false)}
		}
		_, target, _ := targetsOf(p)
		allowed := 4 * float64(largest(step.W)) * 0x1p-53 * (mat.Norm(target, 2) + math.Pow(mat.Norm(step.W, 2), 2))
		return met{mat.DenseCopyOf(gramOf(step.W)), target, allowed, certified(step.W, p.W)}
	})
}

// solversShift is the same for the true shift. What is no Gram matrix is repaired as stated, or refused for the reason that is there.
func solversShift(v solversTrial) props.LegacyCheck {
	list := []routes.Solver{routes.Full{Target: routes.TrueShift}, routes.Reduced{Target: routes.TrueShift}, routes.Auto{Target: routes.TrueShift},
		routes.Factor{}, routes.Krylov{Target: routes.TrueShift}}
	switch {
	case v.otherTarget:
		list = []routes.Solver{routes.Polar{}}
	case v.smallExponent:
		list = []routes.Solver{routes.Full{Target: routes.TrueShift, Exponent: 0.1}}
	case v.unrotated:
		list = []routes.Solver{factorRoute{}}
	}
	return v.onAwkward("awkward layers, true shift", "repaired target and certificate, or a refusal with reason", list, v.meetsShift)
}

// meetsShift judges one route. A target is known to (n+2B)·u of what it adds up, a route multiplies a few times over such lengths, and the
// positive part of a matrix moves no further than the matrix: 4(max(m, n)+B)·u. The closed form divides by W, as in vcl/feasibility.
func (v solversTrial) meetsShift(p routes.Problem, route routes.Solver) met {
	m, n := p.W.Dims()
	_, batch := p.H.Dims()
	target, _, size := targetsOf(p)
	near, dropped := theory.NearestGram(asSymmetric(target), m)
	noise := 4 * float64(max(m, n)+batch) * 0x1p-53 * size
	step, err := route.Solve(p)
	switch route.(type) {
	case routes.Factor, routes.Krylov, factorRoute:
		noise *= math.Pow(condition(p.W), 2)
		if err != nil {
			return met{rest: refusal(p, target, err, noise)}
		}
	}
	switch {
	case err != nil:
		return met{rest: props.Truth(false)}
	case v.silent:
		step.Dropped = 0
	}
	return met{mat.DenseCopyOf(gramOf(step.W)), near, noise, props.Worst(props.Within(step.Dropped-dropped, noise), certified(step.W, p.W))}
}

// refusal asks whether what a route refuses an awkward layer for is there: for m < n it refuses every layer, otherwise one that has lost rank, or a
// target that has an eigenvalue not above zero.
func refusal(p routes.Problem, target *mat.Dense, reason error, noise float64) props.Ratio {
	m, n := p.W.Dims()
	var eigen mat.EigenSym
	switch {
	case errors.Is(reason, routes.ErrRankDeficient):
		return props.Truth(rank(p.W) < n)
	case !errors.Is(reason, routes.ErrInfeasible):
		return props.Truth(false)
	case m < n:
		return props.Ratio{}
	case !eigen.Factorize(asSymmetric(target), false):
		return props.Truth(false)
	}
	return props.AtMost(eigen.Values(nil)[0], 0, noise)
}

// descentRoute returns the weights of gradient descent: the right Gram matrix, not the nearest.
type descentRoute struct{}

func (descentRoute) Solve(p routes.Problem) (routes.Step, error) {
	return routes.Step{W: firstOrderTrial{unrotated: true}.next(p)}, nil
}

// factorRoute returns the closed form's factor of the true shift: the right Gram matrix, not the nearest.
type factorRoute struct{}

func (factorRoute) Solve(p routes.Problem) (routes.Step, error) {
	w, err := routes.ExactFactor(p)
	return routes.Step{W: w}, err
}

// meetsGramLoosely is ‖W₊ᵀW₊ − G‖ against 4·max(m, n)·u·(‖G‖ + ‖W₊‖²); a target of zero is met by zero.
func meetsGramLoosely(next, target *mat.Dense) props.Ratio {
	var gram mat.Dense
	gram.Mul(next.T(), next)
	gram.Sub(&gram, target)
	miss := mat.Norm(&gram, 2)
	if miss == 0 {
		return props.Ratio{}
	}
	return props.Within(miss, 4*float64(largest(next))*0x1p-53*(mat.Norm(target, 2)+math.Pow(mat.Norm(next, 2), 2)))
}
