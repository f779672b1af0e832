package algorithm1

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// idle are steps without a gradient.
type idle struct {
	W     *mat.Dense `npy:"W"`
	Next  *mat.Dense `npy:"W_next"` // after all of them
	Alpha float64    `npy:"alpha"`
	Steps int        `npy:"steps"`
}

// Valid names the violated hypothesis.
func (s idle) Valid() error {
	if s.Steps < 0 {
		return errors.New("the number of steps must not be negative")
	}
	return validAlpha(s.Alpha)
}

func withoutPast(_ *optim.Algorithm1, w *mat.Dense, _ *rand.Rand) *mat.Dense { return w }

// afterBatch takes a step with a gradient.
func afterBatch(rule *optim.Algorithm1, w *mat.Dense, r *rand.Rand) *mat.Dense {
	m, n := w.Dims()
	return next(rule, w, gen.Gaussian(r, n, 2, 1), gen.Gaussian(r, m, 2, 1))
}

// drawIdle draws exponents (2α)^k of at most four.
func drawIdle(t *props.T, past func(rule *optim.Algorithm1, w *mat.Dense, r *rand.Rand) *mat.Dense) idle {
	m, n := layers.Dims(t, 8)
	s := idle{Alpha: drawAlpha(t)}
	s.Steps = rapid.IntRange(1, 4).Draw(t.T, "k")
	for math.Pow(2*s.Alpha, float64(s.Steps)) > 4 {
		s.Steps--
	}
	s.W = layers.Conditioned(t.Stream("layer"), m, n, gen.LogUniform(t.T, "condition", 1, 30))
	s.W.Scale(gen.LogUniform(t.T, "size", 0.3, 30), s.W)
	rule, r := &optim.Algorithm1{Gamma: 0.01, Alpha: s.Alpha, Clip: true}, t.Stream("batches")
	s.W = past(rule, s.W, r)
	s.Next = s.W
	for range s.Steps {
		s.Next = next(rule, s.Next, gen.Gaussian(r, n, 2, 1), mat.NewDense(m, 2, nil))
	}
	return s
}

// judgeIdle compares singular values. A step knows the eigenvalue s² to ε = 16(m+n)·u·s₁², and so s^{2α} to a share of
// αε/s², to which it adds 16(m+n)·u·s₁ as any routine for singular values; earlier shares are multiplied by 2α.
func judgeIdle(r *props.Record, s idle, claim idlePower) {
	_, before, _ := layers.SVD(s.W)
	_, after, _ := layers.SVD(s.Next)
	m, n := s.W.Dims()
	unit := 16 * float64(m+n) * r.Unit()
	r.Regime(regime(s.W, s.Alpha))
	for i, value := range before {
		if value <= unit*before[0] {
			continue // zero to rounding: there is no telling its power
		}
		share := unit * before[0] / value
		for k := range s.Steps {
			ratio := theory.IdlePower(before[0], s.Alpha, k) / theory.IdlePower(value, s.Alpha, k)
			share = 2*s.Alpha*share + s.Alpha*unit*ratio*ratio + unit*math.Pow(ratio, 2*s.Alpha)
		}
		r.Within("singular values", after[i], claim(value, s.Alpha, s.Steps), share*theory.IdlePower(value, s.Alpha, s.Steps))
	}
}

// run is the algorithm over several batches: the Gram matrices along it, the first one at the start, and the shifts.
type run struct {
	W      *mat.Dense
	Last   *mat.Dense // the weights at the end
	Grams  []*mat.Dense
	Shifts []*mat.Dense
	Scale  float64 // the sum of the norms of all terms
}

// runOf measures runs of a rule that is changed in some way.
func runOf(change func(*optim.Algorithm1)) func(*props.Trial, int) run {
	return func(t *props.Trial, cell int) run { return measureRun(t, cell, change) }
}

// measureRun takes two to eight steps with α = ½ that are feasible: W has singular values in [1/κ, 1], the shifts are
// small against κ⁻², and for m < n the inputs lie in the row space of W, which no step leaves.
func measureRun(t *props.Trial, cell int, change func(*optim.Algorithm1)) run {
	small, large, steps := 1+t.Rand.IntN(6), 1+t.Rand.IntN(3), 2+cell%7
	m, n := small, small+large
	switch layers.Shapes[cell%3] {
	case "m = n":
		n = m
	case "m > n":
		m, n = n, m
	}
	kappa := math.Exp(t.Rand.Float64() * math.Log(30))
	out := run{W: layers.Conditioned(t.Rand, m, n, kappa)}
	rule := &optim.Algorithm1{Alpha: 0.5, Clip: true, Gamma: 0.02 / math.Pow(kappa*float64(steps), 2)}
	change(rule)
	out.take(rule, t.Rand, steps)
	return out
}

// take runs the rule on batches of two.
func (m *run) take(rule *optim.Algorithm1, r *rand.Rand, steps int) {
	w := m.W
	outputs, inputs := w.Dims()
	m.Grams = append(m.Grams, mat.DenseCopyOf(layers.Gram(w)))
	for range steps {
		h := unitNorm(algebra.Product(w.T(), gen.Gaussian(r, outputs, 2, 1)))
		gamma := unitNorm(gen.Gaussian(r, outputs, 2, 1))
		if outputs >= inputs {
			h = unitNorm(gen.Gaussian(r, inputs, 2, 1))
		}
		s := theory.LayerStep{W: w, Inputs: h, PreGrads: gamma, Step: rule.Gamma, Convention: theory.Sum}
		m.Shifts = append(m.Shifts, s.Shift())
		w = next(rule, w, h, gamma)
		m.Grams = append(m.Grams, mat.DenseCopyOf(layers.Gram(w)))
		m.Scale += math.Pow(mat.Norm(w, 2), 2)
	}
	m.Last = w
}

// unitNorm divides a by its norm, and leaves zero as it is.
func unitNorm(a *mat.Dense) *mat.Dense {
	if norm := mat.Norm(a, 2); norm > 0 {
		a.Scale(1/norm, a)
	}
	return a
}

// judge compares how far the Gram matrix has moved with Σ (T−s+1)v_s.
func (m run) judge(r *props.Record, weight shiftWeight) {
	_, n := m.W.Dims()
	want := mat.NewDense(n, n, nil)
	for s, v := range m.Shifts {
		times := weight(len(m.Shifts) - 1 - s)
		want.Apply(func(i, j int, x float64) float64 { return x + times*v.At(i, j) }, want)
	}
	r.Regime(layers.Shape(m.W))
	r.WithinMatrix("Gram matrix after all steps", m.moved(len(m.Shifts)), want,
		16*float64(n)*r.Unit()*(m.Scale+mat.Norm(m.Grams[0], 2)))
}

// moved returns the move of the Gram matrix after the given number of steps.
func (m run) moved(steps int) *mat.Dense {
	return algebra.Difference(m.Grams[steps], m.Grams[0])
}

func figure(all []run) props.Figure {
	longest := all[0]
	for _, m := range all {
		if len(m.Shifts) > len(longest.Shifts) {
			longest = m
		}
	}
	_, n := longest.W.Dims()
	once, again := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	measured := props.Curve{Name: "measured", Style: props.Points}
	plain := props.Curve{Name: "each shift once", Style: props.Dashed}
	claimed := props.Curve{Name: "each shift in every step since", Style: props.Dashed}
	for t, v := range longest.Shifts {
		once.Add(once, v)
		again.Add(again, once)
		measured.Add(float64(t+1), mat.Norm(longest.moved(t+1), 2))
		plain.Add(float64(t+1), mat.Norm(once, 2))
		claimed.Add(float64(t+1), mat.Norm(again, 2))
	}
	return props.Figure{
		ID:    "count",
		Title: "How far Algorithm 1 moves a Gram matrix",
		Caption: fmt.Sprintf("A layer with %d inputs along feasible steps with α = ½: the Gram matrix moves by the "+
			"sum in which every shift counts once more in each later step.", n),
		X: props.Axis{Label: "step"}, Y: props.Axis{Label: "‖WᵀW − A₀‖"},
		Curves: []props.Curve{measured, plain, claimed},
	}
}

// simulate follows a 5×7 layer without gradients, and one batch through later batches without.
func simulate(t *props.Trial, v statement.Values) (map[string]float64, error) {
	value := v.Float("value")
	w := layers.WithSingularValues(t.Rand, 5, 7, []float64{value, value, value, value, value})
	rule := &optim.Algorithm1{Gamma: 1, Alpha: v.Float("alpha"), Clip: true}
	none := mat.NewDense(5, 1, nil)
	for range v.Int("steps") {
		w = next(rule, w, gen.Gaussian(t.Rand, 7, 1, 1), none)
	}
	_, values, _ := layers.SVD(w)
	age := v.Int("age")
	moving := run{W: layers.Conditioned(t.Rand, 7, 5, 3)}
	rule = &optim.Algorithm1{Gamma: 0.02 / math.Pow(3*float64(age+1), 2), Alpha: 0.5, Clip: true}
	moving.take(rule, t.Rand, 1)
	for range age {
		moving.Last = next(rule, moving.Last, gen.Gaussian(t.Rand, 5, 1, 1), mat.NewDense(7, 1, nil))
	}
	by := algebra.Difference(layers.Gram(moving.Last), moving.Grams[0])
	along := moving.Shifts[0].RawMatrix().Data
	weight := floats.Dot(by.RawMatrix().Data, along) / floats.Dot(along, along)
	return map[string]float64{"after": values[2], "weight": weight}, nil
}
