// Package optim trains networks and minimises smooth functions.
//
// A [Trainer] takes steps on batches with a [Rule] for each stage of a network: [SGD], [Adam], the step of virtual
// covariance learning [VCL] with any of the solvers of package procrustes, or the printed loop of its paper,
// [Algorithm1]. [Update] takes such a step for other networks that expose views of their layers.
//
// [LBFGS] minimises a function. It uses gonum, and adds what a check needs of an optimiser: the best point found and
// the gradient norm there, the trace of the values, a bound on the work that holds in every case, and the propagation
// of a panic in the objective to the caller.
package optim

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
)

// Objective returns a function's value at x and writes its gradient, of the same length, to grad. It leaves x
// unchanged. An infinite value marks a point outside the domain; the gradient does not matter there.
type Objective func(grad, x []float64) float64

// Stop says when a minimisation is over.
type Stop struct {
	// done when the Euclidean norm of the gradient is at most this; 0 asks for all that rounding allows
	Gradient    float64
	Evaluations int // given up after so many requests for a value and a gradient
}

// Minimum is where a minimisation ended.
type Minimum struct {
	X        []float64
	Value    float64
	Gradient float64   // Euclidean norm
	Trace    []float64 // the value at the start and after each iteration that lowered it
}

// LBFGS minimises the objective from the start, which it leaves unchanged. It ends when the gradient is small enough,
// or when rounding hides the descent: a number of evaluations in a row gained nothing beyond the last digits of the
// value, and beginning again from the best point without memory did not help. In both cases the error is nil, and the
// norm of the gradient tells which. It is an error when the evaluations run out first, or when the objective is not
// finite at the start.
//
// Source: Nocedal and Wright, Numerical Optimization, 2nd ed., algorithms 7.4 and 7.5, as in gonum/optimize. The line
// search bisects: unlike an interpolating one it copes with infinite values. Besides the evaluations an iteration costs
// about 60·len(x) multiply-adds.
func LBFGS(f Objective, start []float64, stop Stop) (Minimum, error) {
	r := &recorder{objective: f, stop: stop, grad: make([]float64, len(start)), gained: math.MaxFloat64,
		best: Minimum{X: slices.Clone(start), Value: math.Inf(1)}}
	r.evaluate(start)
	if !finite(r.best.Value) || !finite(r.best.Gradient) {
		r.rethrow()
		return r.best, fmt.Errorf("optim: value %v with a gradient of norm %v at the start", r.value, floats.Norm(r.grad, 2))
	}
	r.best.Trace = []float64{r.best.Value}
	for improved := true; improved && !r.done(); {
		before := r.best.Value
		r.idle = 0
		r.descend()
		r.rethrow()
		improved = gains(before, r.best.Value)
	}
	if r.requests >= 2*stop.Evaluations {
		return r.best, fmt.Errorf("optim: no minimum after %d evaluations; value %.6g, gradient of norm %.3g",
			stop.Evaluations, r.best.Value, r.best.Gradient)
	}
	return r.best, nil
}

// patience is after how many evaluations without a gain a descent is over. Halving a step 25 times takes it out of the
// range in which line searches find their point.
const patience = 25

// gains reports whether a value improves on another beyond its last digits.
func gains(before, after float64) bool { return after < before-0x1p-50*math.Abs(before) }

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// recorder evaluates the objective once per point, although gonum asks for value and gradient apart, and remembers the
// best point.
type recorder struct {
	objective Objective
	stop      Stop
	x, grad   []float64 // the last point evaluated, and the gradient there
	value     float64
	best      Minimum
	idle      int     // evaluations since the last gain
	gained    float64 // the value then
	requests  int     // of a value or a gradient, also at the same point: a stalled line search must end too
	fault     any     // what the objective panicked with, on a goroutine of gonum's
}

func (r *recorder) evaluate(x []float64) {
	r.requests++
	if r.fault != nil || r.x != nil && slices.Equal(x, r.x) {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			r.fault, r.value = p, math.NaN()
		}
	}()
	r.x = append(r.x[:0], x...)
	r.value = r.objective(r.grad, x)
	if r.idle++; gains(r.gained, r.value) {
		r.idle, r.gained = 0, r.value
	}
	norm := floats.Norm(r.grad, 2)
	if r.value < r.best.Value || r.value == r.best.Value && norm < r.best.Gradient {
		r.best.X, r.best.Value, r.best.Gradient = slices.Clone(x), r.value, norm
	}
}

func (r *recorder) done() bool {
	return r.fault != nil || r.best.Gradient <= r.stop.Gradient || r.requests >= 2*r.stop.Evaluations
}

// rethrow panics on the caller's goroutine with what the objective panicked with.
func (r *recorder) rethrow() {
	if r.fault != nil {
		panic(r.fault)
	}
}

// descend runs gonum's L-BFGS once from the best point. How it ends does not matter; the recorder knows what it found.
func (r *recorder) descend() {
	problem := optimize.Problem{
		Func: func(x []float64) float64 { r.evaluate(x); return r.value },
		Grad: func(grad, x []float64) { r.evaluate(x); copy(grad, r.grad) },
		Status: func() (optimize.Status, error) {
			if r.done() || r.idle > patience {
				return optimize.Success, nil
			}
			return optimize.NotTerminated, nil
		},
	}
	settings := &optimize.Settings{Converger: optimize.NeverTerminate{}, Recorder: r}
	method := &optimize.LBFGS{GradStopThreshold: math.NaN(), Linesearcher: &optimize.Bisection{}}
	_, _ = optimize.Minimize(problem, r.best.X, settings, method)
}

// Init makes the recorder an [optimize.Recorder].
func (*recorder) Init() error { return nil }

// Record notes the value after an iteration. gonum also counts the start of every descent as one.
func (r *recorder) Record(_ *optimize.Location, op optimize.Operation, _ *optimize.Stats) error {
	if op == optimize.MajorIteration && r.best.Value < r.best.Trace[len(r.best.Trace)-1] {
		r.best.Trace = append(r.best.Trace, r.best.Value)
	}
	return nil
}
