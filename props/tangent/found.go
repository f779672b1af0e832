package tangent

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// optimum says that optimisation from every start reaches ω̃(v), and never goes below.
func optimum(v trial) props.LegacyCheck {
	return v.restarts("random restarts reach the optimum", func(runs []restarted) props.Judgement {
		below, above, worst := props.Ratio{}, props.Ratio{}, 0.0
		for _, r := range runs {
			s := v.claimed(r.problem).Stretch()
			for _, e := range r.endings {
				claimed := s.Optimum() * (1 + v.dose)
				below = props.Worst(below, props.AtMost(claimed, e.cost, e.noise(r.problem, s)))
				above = props.Worst(above, props.AtMost(e.cost, claimed, e.accuracy(r.problem, s)))
				worst = math.Max(worst, math.Abs(e.cost-s.Optimum())/s.Optimum())
			}
		}
		return props.Judgement{
			Parts: []props.Part{{Name: "never below", Ratio: below}, {Name: "reached", Ratio: above}},
			Facts: []props.Fact{
				props.Noted("largest relative distance of an ending from the optimum", worst, 0),
			},
			Figures: []props.Figure{convergence(runs, v)},
		}
	})
}

// convergence draws the excess over ω̃(v) along the runs of some problems.
func convergence(runs []restarted, v trial) props.Figure {
	f := props.Figure{
		ID:    "convergence",
		Title: "Optimisation from random starts",
		Caption: "Excess of the cost over the closed form ω̃(v), relative to it, along the iterations of L-BFGS for problems with different penalties, on " +
			"a logarithmic axis; each problem is started near the identity, from a Gaussian matrix, and over θ and M together. All runs fall " +
			"to the floor of rounding, where values are drawn at 10⁻¹⁶, and none ends above it.",
		X: props.Axis{Label: "iteration"}, Y: props.Axis{Label: "(cost − ω̃)/ω̃", Log: true},
	}
	drawn := map[theory.Family]bool{theory.Absolute: true} // its stages minimise other costs
	for _, r := range runs {
		if drawn[r.problem.family] {
			continue
		}
		drawn[r.problem.family] = true
		best := v.claimed(r.problem).Stretch().Optimum()
		for k, e := range r.endings {
			c := props.Curve{Name: fmt.Sprintf("%s, %s", r.problem.family, []string{"near I", "Gaussian", "θ and M"}[k]), Style: props.Line}
			for i, cost := range e.trace {
				c.X, c.Y = append(c.X, float64(i)), append(c.Y, math.Max(1e-16, cost/best-1))
			}
			f.Curves = append(f.Curves, c)
		}
	}
	return f
}

// foundKernel says that the kernels that optimisation finds are K₀ + c(v)·f̂f̂ᵀ, between test and training points. What
// is allowed follows from how close the cost came: MMᵀ is within [theory.Stretch.Spread] of its closed form.
func foundKernel(v trial) props.LegacyCheck {
	return v.restarts("the kernel that restarts find", func(runs []restarted) props.Judgement {
		ratio, worst, shown := props.Ratio{}, 0.0, ""
		for _, r := range runs {
			p := r.problem
			a := v.claimed(p)
			k0 := impl.Kernel(p.test, p.model.Features, impl.Identity(p.width()))
			var claimed mat.Dense
			claimed.Add(k0, v.growth(a, p.test, p.model.Features))
			scale := mat.Norm(p.test, 2) * mat.Norm(p.model.Features, 2)
			for _, e := range r.endings {
				var gap mat.Dense
				found := impl.Kernel(p.test, p.model.Features, e.m)
				gap.Sub(found, &claimed)
				this := props.Within(mat.Norm(&gap, 2), scale*a.Stretch().Spread(e.excess(p, a.Stretch())))
				if this.Verdict() != props.Holds && shown == "" {
					shown = fmt.Sprintf("%s penalty, v = %.6g: kernel of tests by training points found\n%v\nclaimed\n%v", p.family, a.Stretch().Norm,
						mat.Formatted(found), mat.Formatted(&claimed))
				}
				ratio = props.Worst(ratio, this)
				worst = math.Max(worst, mat.Norm(&gap, 2)/mat.Norm(&claimed, 2))
			}
		}
		return props.Judgement{
			Parts:          []props.Part{{Name: "adapted kernel", Ratio: ratio}},
			Facts:          []props.Fact{props.Noted("largest relative difference of a found kernel from the closed form", worst, 0)},
			Counterexample: shown,
		}
	})
}

// agreement says that all restarts of a problem end at the same MMᵀ, although at different M.
func agreement(v trial) props.LegacyCheck {
	return v.restarts("restarts agree on MMᵀ", func(runs []restarted) props.Judgement {
		ratio, far, shown := props.Ratio{}, 0.0, ""
		for _, r := range runs {
			s := v.claimed(r.problem).Stretch()
			for k, e := range r.endings {
				other := r.endings[(k+1)%len(r.endings)]
				var gap, difference mat.Dense
				gap.Sub(moment(e.m), moment(other.m))
				difference.Sub(e.m, other.m)
				far = math.Max(far, mat.Norm(&difference, 2))
				apart := mat.Norm(&gap, 2)
				if v.itself {
					apart = mat.Norm(&difference, 2)
				}
				this := props.Within(apart, s.Spread(e.excess(r.problem, s))+s.Spread(other.excess(r.problem, s)))
				if this.Verdict() != props.Holds && shown == "" {
					shown = fmt.Sprintf("costs %.15g and %.15g at\nM =\n%.4f\nand M =\n%.4f\nwith MMᵀ apart by %.3g",
						e.cost, other.cost, mat.Formatted(e.m), mat.Formatted(other.m), mat.Norm(&gap, 2))
				}
				ratio = props.Worst(ratio, this)
			}
		}
		j := props.Judgement{Parts: []props.Part{{Name: "agreement", Ratio: ratio}}, Counterexample: shown}
		if !v.itself { // the erratum would repeat it
			j.Facts = []props.Fact{{Name: "largest distance between the matrices M of two restarts with the same MMᵀ", Value: props.Number(far)}}
		}
		return j
	})
}

// moment is MMᵀ.
func moment(m *mat.Dense) *mat.Dense {
	var mm mat.Dense
	mm.Mul(m, m.T())
	return &mm
}

// foundPredictor says that the interpolant of the adapted kernel is that of the fixed one, at test points. A near-solution's
// may be off by [theory.Stretch.Drift] times the length of the feature vector, and by the rounding of the solve.
func foundPredictor(v trial) props.LegacyCheck {
	return v.restarts("restarts leave the predictor", func(runs []restarted) props.Judgement {
		ratio, worst := props.Ratio{}, 0.0
		for _, r := range runs {
			p := r.problem
			s, scale := v.claimed(p).Stretch(), mat.Norm(p.test, 2)
			before, err := p.model.Predict(p.test, impl.Identity(p.width()))
			if err != nil {
				panic(err)
			}
			for _, e := range r.endings {
				after, err := p.model.Predict(p.test, e.m)
				if err != nil {
					panic(err)
				}
				solved := p.solveNoise(e.condition+p.condition) * s.Size() * s.Norm
				worst = math.Max(worst, floats.Distance(after, before, 2)/floats.Norm(before, 2))
				floats.Scale(1/(1+v.dose), after)
				ratio = props.Worst(ratio, props.Within(floats.Distance(after, before, 2), scale*(s.Drift(e.excess(p, s))+solved)))
			}
		}
		return props.Judgement{
			Parts: []props.Part{{Name: "predictor", Ratio: ratio}},
			Facts: []props.Fact{props.Noted("largest relative change of the predictor by adaptation", worst, 0)},
		}
	})
}
