package diff

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/number"
)

// looksChanged reports whether an undecided row of time deserves more rounds although the count is decided: in every
// round the new code lies on the same side of both appearances of the old, by more than the margin in the middle.
func (c Comparison) looksChanged(r compare.Row, rounds map[key][]Block) bool {
	row := rounds[key{r.Group, r.Name, r.Unit}]
	if c.Policy.GateOn != compare.GateOnBoth || r.Unit != "sec/op" || r.Verdict != compare.Undecided || r.Needs == 0 ||
		len(row) == 0 {
		return false
	}
	above, below := 0, 0
	for _, b := range row {
		above += number.Indicator(b.New > max(b.Old, b.Again))
		below += number.Indicator(b.New < min(b.Old, b.Again))
	}
	return max(above, below) == len(row) &&
		math.Abs(math.Log(float64(r.Change.Center))) > math.Log1p(c.Policy.MarginOf("sec/op"))
}

// missCost is the part of an estimate of cycles that is not instructions: 10 for each miss of the first caches, and 100
// for each of the last.
func missCost(instructions, cycles []Block) (old, new []float64) {
	for i := range min(len(instructions), len(cycles)) {
		a, b := instructions[i], cycles[i]
		old = append(old, math.Exp(b.Old)-math.Exp(a.Old), math.Exp(b.Again)-math.Exp(a.Again))
		new = append(new, math.Exp(b.New)-math.Exp(a.New))
	}
	return old, new
}

// mark marks the benchmarks whose cost of cache misses moved: in all rounds to the same side, and by more than the
// margin of counts, measured in the estimated cycles of the old code. Then it takes the rows of estimated cycles away
// unless they were asked for.
func (c Comparison) mark(t *compare.Table, rounds map[key][]Block) {
	var names []string
	for i := range t.Rows {
		r := &t.Rows[i]
		if r.Unit != measure.CycleUnit {
			continue
		}
		cycles := rounds[key{r.Group, r.Name, r.Unit}]
		old, new := missCost(rounds[key{r.Group, r.Name, measure.InstructionUnit}], cycles)
		if len(old) == 0 {
			continue
		}
		apart := slices.Min(new) > slices.Max(old) || slices.Max(new) < slices.Min(old)
		moved := number.Median(new) - number.Median(old)
		if !apart || !(math.Abs(moved) > compare.CountMargin*float64(r.Old.Center)) {
			continue
		}
		text := fmt.Sprintf("%sthe cost of cache misses went from %.0f to %.0f estimated cycles; instructions do not show "+
			"it", compare.Memory, number.Median(old), number.Median(new))
		for k := range t.Rows {
			o := &t.Rows[k]
			if o.Group == r.Group && o.Name == r.Name && (o.Unit == "sec/op" || o.Unit == measure.InstructionUnit) {
				o.Warnings = append(o.Warnings, text)
			}
		}
		names = append(names, r.Name)
	}
	if len(names) > 0 {
		t.Problems = append(t.Problems, compare.Problem{Text: compare.Memory + "the simulated caches miss more or less " +
			"than before in " + strings.Join(names, ", ") + "; there the time decides"})
	}
	if !c.Cycles {
		t.Rows = slices.DeleteFunc(t.Rows, func(r compare.Row) bool { return r.Unit == measure.CycleUnit })
		t.Geomeans = slices.DeleteFunc(t.Geomeans, func(m compare.Geomean) bool { return m.Unit == measure.CycleUnit })
	}
}
