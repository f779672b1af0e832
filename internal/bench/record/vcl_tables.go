package record

import (
	"fmt"
	"math"
	"strings"

	"github.com/thm-suite/thm/internal/bench/vcl"

	"github.com/thm-suite/thm/internal/terminal"
)

// VCLDocument is the measurement with what follows from it.
type VCLDocument struct {
	*VCL
	Steps    []vclStepJSON     `json:"steps"`
	Training []vclTrainingJSON `json:"training"`
	Slopes   []vcl.VCLSlope    `json:"slopes"`
}

type vclStepJSON struct {
	vcl.VCLStep
	XFull   float64 `json:"x_full"`        // times faster than the paper's route
	XSGD    float64 `json:"x_sgd"`         // times gradient descent's step
	Reached *bool   `json:"met,omitempty"` // whether the target is reached, where there is one
}

type vclTrainingJSON struct {
	vcl.VCLTraining
	XSGD        float64 `json:"x_sgd"`
	XSGDFactors float64 `json:"x_sgd_factored"`
	Reached     *bool   `json:"met,omitempty"`
}

// VCLReport adds what follows from the measurement.
func VCLReport(r *VCL) VCLDocument {
	out := VCLDocument{VCL: r, Slopes: r.Slopes()}
	for _, s := range r.Steps {
		row := vclStepJSON{VCLStep: s, XFull: s.Faster(), XSGD: s.Seconds / s.SGD}
		if reached := s.Reached(); s.Target != nil {
			row.Reached = &reached
		}
		out.Steps = append(out.Steps, row)
	}
	for _, t := range r.Training {
		row := vclTrainingJSON{VCLTraining: t, XSGD: t.Slower(), XSGDFactors: t.SlowerInFactors()}
		if reached := t.Reached(); t.Limit > 0 {
			row.Reached = &reached
		}
		out.Training = append(out.Training, row)
	}
	return out
}

// VCLTables are the tables of steps, of training and of slopes.
func VCLTables(r *VCL) []*terminal.Table {
	steps := terminal.NewTable("#layer m×n", "#batch", "method", "#time", "#× faster than the paper's route",
		"#× SGD's step", "error", "asked for")
	for _, s := range r.Steps {
		row := terminal.Texts(sizes(s.M, s.N), fmt.Sprint(s.Batch), s.Method, milliseconds(s.Seconds), figures(s.Faster()),
			figures(s.Seconds/s.SGD), errorText(s))
		steps.Add(append(row, barCell(s))...)
	}
	training := terminal.NewTable("training of", "#batch", "#time", "#× SGD's training", "#in factors", "asked for")
	for _, t := range r.Training {
		target := terminal.Text("")
		if t.Limit > 0 {
			target = verdict(fmt.Sprintf("at most %g", t.Limit), t.Reached())
		}
		widths := strings.Trim(strings.ReplaceAll(fmt.Sprint(t.Widths), " ", "-"), "[]")
		training.Add(append(terminal.Texts(widths, fmt.Sprint(t.Batch), milliseconds(t.Seconds),
			fmt.Sprintf("%.2f", t.Slower()),
			fmt.Sprintf("%.2f", t.SlowerInFactors())), target)...)
	}
	slopes := terminal.NewTable("cost against", "method", "#exponent of the time", "#of the operation count")
	for _, s := range r.Slopes() {
		slopes.Add(terminal.Texts(axisName(s.Over), s.Method, fmt.Sprintf("%.2f (%.2f to %.2f)", s.Time, s.Low, s.High),
			fmt.Sprintf("%.2f", s.Count))...)
	}
	return []*terminal.Table{steps, training, slopes}
}

func sizes(m, n int) string { return fmt.Sprintf("%d×%d", m, n) }

// figures writes a quotient with three digits, or as a whole number.
func figures(x float64) string {
	if x >= 100 {
		return fmt.Sprintf("%.0f", x)
	}
	return strings.TrimSuffix(fmt.Sprintf("%#.3g", x), ".")
}

func errorText(s vcl.VCLStep) string {
	if s.Exact {
		return fmt.Sprintf("step %.0e", s.Error)
	}
	return fmt.Sprintf("gap %.0e", math.Abs(s.Error))
}

func barCell(s vcl.VCLStep) terminal.Cell {
	if s.Target == nil {
		return terminal.Text("")
	}
	return verdict(fmt.Sprintf("%g× at %.0e", s.Target.Faster, s.Target.Error), s.Reached())
}

func verdict(asked string, reached bool) terminal.Cell {
	if reached {
		return terminal.Painted(asked+": met", terminal.Green)
	}
	return terminal.Painted(asked+": missed", terminal.Red)
}

// axisName is the symbol of the size that a ladder varies.
func axisName(over string) string {
	if over == "batch" {
		return "B"
	}
	return over
}
