package diff

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/number"
)

// Function is how the instructions of an operation in a function changed: medians of the samples of old and new code.
type Function struct {
	Name     string
	Old, New float64
}

// functions returns the functions of a benchmark whose instructions are known, the one that changed most first.
func (c Comparison) functions(b measure.Benchmark) []Function {
	var sides [2][]map[string]float64
	names := map[string]bool{}
	for _, s := range c.Samples {
		if s.Benchmark != b || len(s.Functions) == 0 || !slices.Contains(Arms, s.Arm) {
			continue
		}
		side := number.Indicator(s.Arm == New)
		sides[side] = append(sides[side], s.Functions)
		for name := range s.Functions {
			names[name] = true
		}
	}
	if len(sides[0]) == 0 || len(sides[1]) == 0 {
		return nil
	}
	var out []Function
	for _, name := range slices.Sorted(maps.Keys(names)) {
		var medians [2]float64
		for side, samples := range sides {
			medians[side] = number.Median(list.Map(samples, func(s map[string]float64) float64 { return s[name] }))
		}
		out = append(out, Function{name, medians[0], medians[1]})
	}
	slices.SortStableFunc(out, func(a, b Function) int {
		return cmp.Compare(math.Abs(b.New-b.Old), math.Abs(a.New-a.Old))
	})
	return out
}

// mostCulprits is the number of functions that a row names.
const mostCulprits = 4

// culprits names, below the counts that changed, the functions that most of the change is in.
func (c Comparison) culprits(t *compare.Table) {
	for i := range t.Rows {
		r := &t.Rows[i]
		if r.Unit != measure.InstructionUnit || r.Verdict != compare.Slower && r.Verdict != compare.Faster {
			continue
		}
		text := c.Culprits(measure.Benchmark{Package: strings.TrimPrefix(r.Group, group("")), Name: measure.Bare(r.Name)})
		if text != "" {
			r.Warnings = append(r.Warnings, text)
		}
	}
}

// Culprits names the functions that most of the change of a benchmark is in, with the change of each; empty if it is
// not known.
func (c Comparison) Culprits(b measure.Benchmark) string {
	functions, total := c.functions(b), 0.0
	for _, f := range functions {
		total += f.New - f.Old
	}
	var parts []string
	for _, f := range functions[:min(mostCulprits, len(functions))] {
		if d := f.New - f.Old; math.Abs(d) > math.Abs(total)/20 {
			parts = append(parts, fmt.Sprintf("%s %+.4g", f.Name, d))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "instructions by function: " + strings.Join(parts, ", ")
}

// Folded writes the functions of all benchmarks as stacks with two numbers, before and after, as the tools of flame
// graphs take them for a difference.
func (c Comparison) Folded(w io.Writer, benchmarks []measure.Benchmark) error {
	for _, b := range benchmarks {
		functions := c.functions(b)
		slices.SortFunc(functions, func(a, b Function) int { return cmp.Compare(a.Name, b.Name) })
		for _, f := range functions {
			frames := []string{b.Package, "Benchmark" + b.Name, f.Name}
			for i := range frames {
				frames[i] = strings.NewReplacer(";", ",", " ", "_").Replace(frames[i])
			}
			if _, err := fmt.Fprintf(w, "%s %.0f %.0f\n", strings.Join(frames, ";"), math.Max(0, f.Old),
				math.Max(0, f.New)); err != nil {
				return err
			}
		}
	}
	return nil
}
