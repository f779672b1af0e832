package vcl

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/props/stat"
)

// ErrWrongStep is the error of a measurement in which a step was found wrong: it is not timed.
var ErrWrongStep = errors.New("wrong step, not timed")

// VCLSpeeds are times of steps of virtual covariance learning, on one thread.
type VCLSpeeds struct {
	Steps    []VCLStep     `json:"steps"`
	Training []VCLTraining `json:"training"`
	Costs    []VCLCost     `json:"costs"`
}

// VCLStep is one step of one layer by one method. Times are medians of processor time, of methods that took turns.
type VCLStep struct {
	Layer
	Method  string  `json:"method"`
	Seconds float64 `json:"seconds"`
	Full    float64 `json:"full_seconds"` // the paper's route, on the same kernels
	SGD     float64 `json:"sgd_seconds"`  // plain gradient descent
	Exact   bool    `json:"exact"`

	// Error is that of an exact method's step, relative to the step's length. For the others it is the gap: by how much
	// the squared distance exceeds the least, relative to it.
	Error float64 `json:"error"`

	// Ratio is the error of the Gram matrix, and of the certificate if exact, divided by the rounding error bound.
	Ratio float64 `json:"ratio"`

	Target *Target `json:"bar,omitempty"` // what is asked for
}

// Faster returns how many times faster than the paper's route the step is.
func (s VCLStep) Faster() float64 { return s.Full / s.Seconds }

// Reached reports whether the target is reached, in speed and error.
func (s VCLStep) Reached() bool {
	return s.Target != nil && s.Faster() >= s.Target.Faster && math.Abs(s.Error) <= s.Target.Error
}

// VCLTraining is one whole training step of a dense network, forward and backward pass included, with every layer's
// Gram matrix kept to that of gradient descent.
type VCLTraining struct {
	Widths  []int   `json:"widths"`
	Batch   int     `json:"batch"`
	Seconds float64 `json:"seconds"`
	SGD     float64 `json:"sgd_seconds"`
	Factors float64 `json:"factored_seconds"` // with weights in two factors, [optim.Factored]
	Limit   float64 `json:"most,omitempty"`   // times the step of SGD that is asked for; 0 for none
}

// Slower returns its time, in units of the step of SGD.
func (t VCLTraining) Slower() float64 { return t.Seconds / t.SGD }

// SlowerInFactors returns its time with weights in two factors, in units of the step of SGD.
func (t VCLTraining) SlowerInFactors() float64 { return t.Factors / t.SGD }

// Reached reports whether the target is reached by one of the two.
func (t VCLTraining) Reached() bool {
	reached := func(x float64) bool { return x > 0 && x <= t.Limit }
	return reached(t.Slower()) || reached(t.SlowerInFactors())
}

// VCLCost is the time of one step of a size sweep over n, m or the batch.
type VCLCost struct {
	Layer
	Over    string  `json:"over"` // n, m or batch
	Method  string  `json:"method"`
	Seconds float64 `json:"seconds"`
	Flops   float64 `json:"flops"` // the operation count of the method
}

// At is the size that the sweep varies.
func (c VCLCost) At() float64 {
	return float64(map[string]int{"n": c.N, "m": c.M, "batch": c.Batch}[c.Over])
}

// VCLSlope is the exponent of a cost over one size sweep: that of the time with its 95 % interval, and that of the
// operation count over the same points. The count is no power either, so that only the two together mean something.
type VCLSlope struct {
	Over   string  `json:"over"`
	Method string  `json:"method"`
	Time   float64 `json:"time"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Count  float64 `json:"count"`
}

// Slopes fits straight lines to the logarithms of the costs. Methods with fewer than three points in a sweep have
// none.
func (s VCLSpeeds) Slopes() []VCLSlope {
	var out []VCLSlope
	for _, over := range []string{"n", "m", "batch"} {
		for _, method := range VCLMethods() {
			var x, y, count []float64
			for _, c := range s.Costs {
				if c.Over == over && c.Method == method {
					x, y, count = append(x, math.Log(c.At())), append(y, math.Log(c.Seconds)), append(count, math.Log(c.Flops))
				}
			}
			if len(x) >= 3 {
				t := stat.Slope(x, y, 0.05)
				out = append(out, VCLSlope{over, method, t.Estimate, t.Lo, t.Hi, stat.Slope(x, count, 0.05).Estimate})
			}
		}
	}
	return out
}
