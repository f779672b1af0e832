package vcl

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// newtonSchulz pairs the scalar map with the iteration on matrices.
var newtonSchulz = props.Claim{
	Statement: &theory.NewtonSchulz,
	Verify: []props.LegacyCheck{
		newtonSchulzValues(newtonSchulzTrial{}),
		newtonSchulzIdle(newtonSchulzTrial{}),
		newtonSchulzPolar(newtonSchulzTrial{exact: true}),
	},
	Controls: []props.LegacyControl{
		{Name: "start at M over its spectral norm", Assumption: "frobenius-start", Check: newtonSchulzValues(newtonSchulzTrial{spectral: true})},
		{Name: "nine steps for ten", Assumption: "fixed-steps", Check: newtonSchulzValues(newtonSchulzTrial{steps: 9})},
		{Name: "cubic map x(3 − x²)/2", Check: newtonSchulzValues(newtonSchulzTrial{cubic: true})},
		{Name: "exact polar factor, which deletes nothing", Check: newtonSchulzIdle(newtonSchulzTrial{exact: true})},
		{Name: "ten steps leave the weights fixed", Check: newtonSchulzPolar(newtonSchulzTrial{})},
	},
	Errata: []props.Refutation{
		{Erratum: "gram-kept", Check: newtonSchulzPolar(newtonSchulzTrial{})},
	},
	Resolve: []props.Resolution{
		{Of: "the scalar map", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return newtonSchulzValues(newtonSchulzTrial{dose: dose}) }},
		{Of: "the decay without a gradient", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return newtonSchulzIdle(newtonSchulzTrial{dose: dose}) }},
	},
}

// newtonSchulzTrial is the version of the claim on trial. The zero value is the claim itself.
type newtonSchulzTrial struct {
	dose     float64 // singular values times 1+dose
	steps    int     // that the formula counts, when positive
	spectral bool    // the formula starts at M/‖M‖₂
	cubic    bool
	exact    bool // the solver is the exact polar factor
}

// solver is the iteration, or the polar factor.
func (v newtonSchulzTrial) solver() routes.Solver {
	if v.exact {
		return routes.Polar{}
	}
	return routes.NewtonSchulz{}
}

// reached is what the formula says of a singular value.
func (v newtonSchulzTrial) reached(x float64) float64 {
	steps := 10
	if v.steps > 0 {
		steps = v.steps
	}
	if v.cubic {
		for range steps {
			x = x * (3 - x*x) / 2
		}
	} else {
		x = theory.Quintic(x, steps)
	}
	return x * (1 + v.dose)
}

// newtonSchulzValues compares the singular values of W₊ = XW for zero gradient and W = diag-like layers: with W = UDVᵀ the product
// WWᵀ has the singular values d², and W₊ those of d·f¹⁰(d²/‖D²‖_F).
func newtonSchulzValues(v newtonSchulzTrial) props.LegacyCheck {
	return props.Property{
		Name:  "singular values after ten steps",
		Cases: props.Scale{Quick: 150, Standard: 1000, Deep: 20000},
		Prop: func(t *props.T) props.Ratio {
			m := gen.Dim(t.T, "m", 12)
			n := m + gen.Dim(t.T, "n−m+1", 4) - 1
			r := t.Stream("entries")
			d := make([]float64, m)
			for i := range d {
				d[i] = gen.Scale(t.T, "singular value", 1e-3, 1)
			}
			w := withSingularValues(r, n, d)
			step, err := v.solver().Solve(idle(w, 1))
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			measured, err := linalg.SingularValues(step.W)
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			claimed := v.after(d)
			t.Show("singular values of W", d)
			t.Show("of W₊", measured)
			t.Show("claimed", claimed)
			return worstDifference(measured, claimed, newtonSchulzRounding(m)*slices.Max(d))
		},
	}.Check()
}

// newtonSchulzRounding is 537·14m·u.
func newtonSchulzRounding(m int) float64 { return theory.QuinticGrowth(10) * 14 * float64(m) * 0x1p-53 }

// idle is the problem with a zero gradient.
func idle(w *mat.Dense, batch int) routes.Problem {
	m, n := w.Dims()
	return routes.Problem{W: w, Gamma: mat.NewDense(m, batch, nil), H: mat.NewDense(n, batch, nil), Rate: 1}
}

// withSingularValues draws a matrix with n columns and those singular values.
func withSingularValues(r *rand.Rand, n int, d []float64) *mat.Dense {
	m := len(d)
	u, v := gen.Orthonormal(r, m, m), gen.Orthonormal(r, n, m)
	for j, s := range d {
		for i := range m {
			u.Set(i, j, s*u.At(i, j))
		}
	}
	var w mat.Dense
	w.Mul(u, v.T())
	return &w
}

// after is what one step makes of the singular values of W, descending.
func (v newtonSchulzTrial) after(d []float64) []float64 {
	norm := 0.0
	for _, s := range d {
		norm = math.Hypot(norm, s*s)
	}
	if v.spectral {
		norm = math.Pow(slices.Max(d), 2)
	}
	out := make([]float64, len(d))
	for i, s := range d {
		out[i] = s * v.reached(min(1, s*s/norm))
	}
	slices.SortFunc(out, func(a, b float64) int { return int(math.Copysign(1, b-a)) })
	return out
}

// worstDifference is the largest |a − b| against one tolerance.
func worstDifference(a, b []float64, allowed float64) props.Ratio {
	if len(a) != len(b) {
		return props.Truth(false)
	}
	ratio := props.Ratio{}
	for i := range a {
		ratio = props.Worst(ratio, props.Within(a[i]-b[i], allowed))
	}
	return ratio
}

// idleRun is the spectrum of a square layer along steps without a gradient.
type idleRun struct {
	values   [][]float64 // singular values after 0, 1, 2, 4, … steps, descending
	claimed  [][]float64
	rounding []float64
}

// idleSteps are the numbers of steps after which a layer is looked at.
var idleSteps = []int{0, 1, 4, 16, 64}

// newtonSchulzIdle follows a square layer at its usual initialisation, uniform on ±1/√n, whose gradient is zero.
func newtonSchulzIdle(v newtonSchulzTrial) props.LegacyCheck {
	share := ""
	if v == (newtonSchulzTrial{dose: v.dose}) {
		share = "idle layers"
	}
	return props.LegacySweep[int, idleRun]{
		Name:    "decay without a gradient",
		Share:   share,
		Cells:   func(e props.Effort) []int { return props.Indices(props.Scale{Quick: 2, Standard: 8, Deep: 100}.At(e)) },
		Measure: func(t *props.Trial, _ int) idleRun { return v.rest(t.Rand) },
		Judge:   func(_ []int, all []idleRun) props.Judgement { return v.judgeIdle(all) },
	}.Check()
}

// rest takes steps with a zero gradient. The formula is applied to the singular values that the start has; the errors of
// the steps add up.
func (v newtonSchulzTrial) rest(r *rand.Rand) idleRun {
	const n = 32
	w := mat.NewDense(n, n, nil)
	w.Apply(func(_, _ int, _ float64) float64 { return (2*r.Float64() - 1) / math.Sqrt(n) }, w)
	var run idleRun
	var claimed []float64
	for k := range idleSteps[len(idleSteps)-1] + 1 {
		if slices.Contains(idleSteps, k) {
			values, err := linalg.SingularValues(w)
			if err != nil {
				panic("vcl: " + err.Error())
			}
			if k == 0 {
				claimed = values
			}
			run.values, run.claimed = append(run.values, values), append(run.claimed, claimed)
			run.rounding = append(run.rounding, float64(k+1)*newtonSchulzRounding(n)*claimed[0])
		}
		step, err := v.solver().Solve(idle(w, 1))
		if err != nil {
			panic("vcl: " + err.Error())
		}
		w, claimed = step.W, newtonSchulzTrial{}.after(claimed)
	}
	return run
}

func (v newtonSchulzTrial) judgeIdle(all []idleRun) props.Judgement {
	ratio := props.Ratio{}
	lost, count := 0, 0
	for _, run := range all {
		for k := range run.values {
			claimed := slices.Clone(run.claimed[k])
			if k > 0 {
				for i := range claimed {
					claimed[i] *= 1 + v.dose
				}
			}
			ratio = props.Worst(ratio, worstDifference(run.values[k], claimed, run.rounding[k]))
		}
		first, last := run.values[0], run.values[len(run.values)-1]
		for i := range first {
			count++
			if last[i] < 0.01*first[i] {
				lost++
			}
		}
	}
	var curves []props.Curve
	for k, steps := range idleSteps {
		c := props.Curve{Name: fmt.Sprintf("%d steps", steps), Style: props.Points}
		for i, s := range all[0].values[k] {
			c.X, c.Y = append(c.X, float64(i+1)), append(c.Y, max(s, 1e-12))
		}
		curves = append(curves, c)
	}
	return props.Judgement{
		Parts: []props.Part{{Name: "singular values along the steps", Ratio: ratio}},
		Facts: []props.Fact{{Name: "share of the singular values below a hundredth of their start after 64 idle steps", Value: props.Number(float64(lost) / float64(count))}},
		Figures: []props.Figure{{
			ID:    "idle",
			Title: "A square layer without a gradient",
			Caption: "Singular values of a 32×32 layer at its usual initialisation after 0, 1, 4, 16 and 64 steps with a zero gradient, on a " +
				"logarithmic axis cut off at 10⁻¹²: the small ones are deleted by the ten Newton–Schulz steps although nothing is learnt.",
			X: props.Axis{Label: "number"}, Y: props.Axis{Label: "singular value", Log: true}, Curves: curves,
		}},
	}
}

// newtonSchulzPolar is whether a step with a zero gradient leaves a square layer as it is.
func newtonSchulzPolar(v newtonSchulzTrial) props.LegacyCheck {
	return props.Property{
		Name:  "zero gradient leaves the weights fixed",
		Cases: props.Scale{Quick: 40, Standard: 200, Deep: 5000},
		Prop: func(t *props.T) props.Ratio {
			n, r := 4+gen.Dim(t.T, "n−4", 28), t.Stream("entries")
			w := mat.NewDense(n, n, nil)
			w.Apply(func(_, _ int, _ float64) float64 { return (2*r.Float64() - 1) / math.Sqrt(float64(n)) }, w)
			step, err := v.solver().Solve(idle(w, 2))
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			t.Show("n", n)
			t.Show("‖W₊ − W‖", math.Sqrt(distance(step.W, w)))
			t.Show("condition of W", condition(w))
			return props.Within(math.Sqrt(distance(step.W, w)), 20*float64(n)*0x1p-53*mat.Norm(w, 2))
		},
	}.Check()
}
