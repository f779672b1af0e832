package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/props"
)

// verdictView is a verdict as a reader meets it.
type verdictView struct{ Word, Sign, Class string }

var verdicts = map[props.Verdict]verdictView{
	props.Holds:      {"holds", "✓", "holds"},
	props.Refuted:    {"refuted", "✗", "refuted"},
	props.Undecided:  {"undecided", "?", "undecided"},
	props.Incomplete: {"incomplete", "…", "incomplete"},
	props.Error:      {"error", "!", "error"},
}

// evidence is a finding's interval in words: differences of accuracies in percentage points, the rest as it is.
func evidence(c experiment.Claim, f experiment.Finding) string {
	lo, hi, at := float64(f.Lo), float64(f.Hi), float64(f.Estimate)
	if math.IsNaN(lo) || math.IsNaN(hi) {
		return "no interval"
	}
	write := draw.Number
	if c.Points {
		write = points
		if f.Upper { // the sign of a loss is plain without a plus
			write = func(x float64) string { return strings.TrimPrefix(points(x), "+") }
		}
	}
	return fmt.Sprintf("%s [%s, %s]", write(at), write(lo), write(hi))
}

// points writes a difference of accuracies in percentage points, with its sign.
func points(x float64) string {
	tenths := math.Round(1000*x) / 10
	if tenths == 0 { // no zero is negative
		tenths = 0
	}
	return strings.Replace(fmt.Sprintf("%+.1f", tenths), "-", "−", 1)
}

// bound says where the quantity of a finding must lie.
func bound(c experiment.Claim, f experiment.Finding) string {
	side := "at least "
	if f.Upper {
		side = "at most "
	}
	if c.Points && f.Bound != 0 {
		return side + points(float64(f.Bound))
	}
	return side + draw.Number(float64(f.Bound))
}

// command is how to make the results again.
func command(r *experiment.Result) string {
	text := fmt.Sprintf("go run ./cmd/thm experiment %s --effort %s --seed %d", r.Experiment, r.Run.Effort, r.Run.Seed)
	if len(r.Run.Datasets) > 0 {
		text += " --data " + strings.Join(r.Run.Datasets, ",")
	}
	return text
}

// count writes how often each verdict occurs, without those of controls.
func count(findings []experiment.Finding) string {
	n := map[props.Verdict]int{}
	for _, f := range findings {
		if !f.Control {
			n[f.Verdict]++
		}
	}
	var out []string
	for _, v := range props.Verdicts {
		if n[v] > 0 {
			out = append(out, fmt.Sprintf("%d %s", n[v],
				map[bool]string{true: "hold", false: verdicts[v].Word}[v == props.Holds && n[v] > 1]))
		}
	}
	return strings.Join(out, ", ")
}

// columnTitle is the head of a column: what was tried, and whether that is a control.
func columnTitle(f experiment.Finding) string {
	switch {
	case f.Column == "":
		return "verdict"
	case f.Control:
		return "control: " + f.Column
	}
	return f.Column
}

// columnsOf are the columns of findings in the order in which they come.
func columnsOf(findings []experiment.Finding) (titles []string) {
	for _, f := range findings {
		if t := columnTitle(f); !slices.Contains(titles, t) {
			titles = append(titles, t)
		}
	}
	return titles
}
