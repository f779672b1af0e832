package study

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchunit"

	"github.com/thm-suite/thm/internal/gate/compare"
)

// Scheme is a way to judge a comparison.
type Scheme struct {
	Name     string
	Measured string  // how the samples were taken
	Nominal  float64 // the rate of false alarms that it states for a whole table; NaN if it states none
	drawn    string  // its name in the figure; empty if it is not drawn
	judge    judging
}

// judging says whether any row is called changed, and whether any is called slower.
type judging func(Plan, Comparison) (alarm, regression bool, err error)

const (
	interleaved  = "in randomised blocks"
	sequentially = "one after the other"
)

var unknown = math.NaN()

// Schemes are the ways that the null study compares. An alarm is any row that is called changed; a regression is one
// that is called slower, which is what turns a build red.
var Schemes = []Scheme{
	{"thm bench diff", interleaved, 0.01, "thm bench diff", diffScheme(0.01, 0.05, true)},
	{"thm bench diff, any change matters (margin 0)", interleaved, 0.01, "", diffScheme(0.01, 0, true)},
	{"thm bench diff, margin 0, α = 0.1", interleaved, 0.1, "", diffScheme(0.1, 0, false)},
	{"thm bench gate", interleaved, 0.01, "", gateScheme(true)},
	{"thm bench gate", sequentially, 0.01, "thm bench gate, in sequence", gateScheme(false)},
	{"benchstat, p < 0.05", interleaved, unknown, "", changeScheme(true, mannWhitney, 0)},
	{"benchstat, p < 0.05", sequentially, unknown, "benchstat, in sequence",
		changeScheme(false, mannWhitney, 0)},
	{"benchstat, p < 0.05 and more than 5 %", sequentially, unknown, "",
		changeScheme(false, mannWhitney, 0.05)},
	{"medians differ by 10 %", interleaved, unknown, "", changeScheme(true, always, 0.1)},
	{"medians differ by 10 %", sequentially, unknown, "10 % threshold, in sequence",
		changeScheme(false, always, 0.1)},
	// add here
}

// diffScheme judges as thm bench diff does, with all looks or with the first alone.
func diffScheme(alpha, margin float64, looks bool) judging {
	return func(p Plan, c Comparison) (alarm, regression bool, _ error) {
		for _, r := range c.Rows {
			if !looks {
				r.Rounds = r.Rounds[:p.Rounds]
			}
			v := verdict(r, p.Rounds, alpha, margin, len(c.Rows))
			regression = regression || v == compare.Slower
			alarm = alarm || v == compare.Slower || v == compare.Faster
		}
		return alarm, regression, nil
	}
}

// sides are the samples that a scheme of two samples sees.
func sides(p Plan, r Row, blocks bool) (old, new []float64) {
	if !blocks {
		return r.Old, r.New
	}
	for _, round := range r.Rounds[:p.Rounds] {
		old, new = append(old, round[0]), append(new, round[2])
	}
	return old, new
}

// changeScheme calls an alarm where a row is significant and differs by more than a threshold.
func changeScheme(blocks bool, significant func(old, new *benchmath.Sample) bool, threshold float64) judging {
	return func(p Plan, c Comparison) (alarm, regression bool, _ error) {
		for _, r := range c.Rows {
			old, new := sides(p, r, blocks)
			a := benchmath.NewSample(slices.Clone(old), &benchmath.DefaultThresholds)
			b := benchmath.NewSample(slices.Clone(new), &benchmath.DefaultThresholds)
			ratio := benchmath.AssumeNothing.Summary(b, 0.95).Center / benchmath.AssumeNothing.Summary(a, 0.95).Center
			if significant(a, b) {
				alarm = alarm || !(math.Abs(ratio-1) <= threshold)
				regression = regression || !(ratio-1 <= threshold)
			}
		}
		return alarm, regression, nil
	}
}

// mannWhitney is benchstat's test.
func mannWhitney(old, new *benchmath.Sample) bool {
	c := benchmath.AssumeNothing.Compare(old, new)
	return c.P < c.Alpha
}

func always(_, _ *benchmath.Sample) bool { return true }

// gateScheme judges as thm bench gate does on two files.
func gateScheme(blocks bool) judging {
	return func(p Plan, c Comparison) (alarm, regression bool, _ error) {
		files := [2]compare.Side{{Label: "old", Together: !blocks}, {Label: "new", Together: !blocks}}
		for _, r := range c.Rows {
			old, new := sides(p, r, blocks)
			for k, times := range [][]float64{old, new} {
				for _, x := range times {
					seconds, unit := benchunit.Tidy(x, "ns/op")
					files[k].Results = append(files[k].Results, &benchfmt.Result{Name: benchfmt.Name(r.Name), Iters: 1,
						Values: []benchfmt.Value{{Value: seconds, Unit: unit}}})
				}
			}
		}
		table, err := compare.Results(files[0], files[1], compare.Options{}, compare.DefaultPolicy(), nil)
		if err != nil {
			return false, false, err
		}
		if code := table.Outcome().Code; code == compare.UnusableInput {
			return false, false, fmt.Errorf("the gate cannot use the results: %s", table.Outcome().Reason)
		}
		slower, faster := table.Count(compare.Slower), table.Count(compare.Faster)
		return slower+faster > 0, slower > 0, nil
	}
}
