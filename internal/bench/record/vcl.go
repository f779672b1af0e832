package record

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/bench/vcl"
	"github.com/thm-suite/thm/internal/impl/builtin"
)

// VCLSchema is the version of the format of [VCL].
const VCLSchema = "thm.vclspeed/v3"

// VCL is one measurement of the steps of virtual covariance learning.
type VCL struct {
	Facts
	Kernel string `json:"kernel"` // the set of inner routines
	Rounds int    `json:"rounds"` // in which the methods took turns
	vcl.VCLSpeeds
}

// RunVCL measures everything but the facts about the code and the command, which the caller knows. A wrong step is
// [vcl.ErrWrongStep].
func RunVCL(ctx context.Context, plan vcl.VCLPlan, say func(string)) (*VCL, error) {
	r := &VCL{Facts: here(VCLSchema), Kernel: builtin.InUse(), Rounds: plan.Rounds}
	speeds, err := vcl.MeasureVCL(ctx, plan, say)
	if err != nil {
		return nil, err
	}
	r.VCLSpeeds = *speeds
	return r, nil
}

// ReadVCL reads a measurement and refuses one that does not fit.
func ReadVCL(file string) (*VCL, error) { return read(file, new(VCL)) }

// EncodeVCL writes a measurement as indented JSON.
func EncodeVCL(r *VCL) ([]byte, error) { return encode(r) }

// valid says what does not fit.
func (r *VCL) valid() error {
	if r.Schema != VCLSchema {
		return fmt.Errorf("schema is %q, want %q", r.Schema, VCLSchema)
	}
	if len(r.Steps) == 0 || len(r.Training) == 0 || len(r.Costs) == 0 {
		return errors.New("steps, training or costs are missing")
	}
	for _, s := range r.Steps {
		target := s.Target == nil || positive(s.Target.Faster) && positive(s.Target.Error)
		ok := s.M > 0 && s.N > 0 && s.Batch > 0 && positive(s.Seconds) && positive(s.Full) && positive(s.SGD) &&
			!math.IsNaN(s.Error) && !math.IsInf(s.Error, 0) && s.Ratio <= 1 && target && known(s.Method)
		if !ok {
			return fmt.Errorf("the step of %q on %v is not a measurement: times %v, %v, %v, error %v, ratio %v, bar %v",
				s.Method, s.Layer, s.Seconds, s.Full, s.SGD, s.Error, s.Ratio, s.Target)
		}
	}
	for _, t := range r.Training {
		if len(t.Widths) < 2 || !positive(t.Seconds) || !positive(t.SGD) || !positive(t.Factors) || !(t.Limit >= 0) {
			return fmt.Errorf("the training of %v is not a measurement: %+v", t.Widths, t)
		}
	}
	for _, c := range r.Costs {
		if !(c.At() > 0) || !positive(c.Seconds) || !positive(c.Flops) || !known(c.Method) {
			return fmt.Errorf("the cost of %q over %q on %v is not a measurement: time %v, flops %v", c.Method, c.Over,
				c.Layer, c.Seconds, c.Flops)
		}
	}
	return nil
}

func known(method string) bool { return slices.Contains(vcl.VCLMethods(), method) }
