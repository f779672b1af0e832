package latent

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
)

// compared is an experiment that tries methods on data sets of several sizes.
type compared struct {
	experiment.About
	problem  func(props.Effort) problem
	sizes    map[props.Effort][]sizes
	runs     map[props.Effort]int
	methods  []string // that are tabled and drawn
	run      func(problem, *rand.Rand, Cell) (Errors, error)
	setup    func(problem) []string
	findings func(p problem, all []sizes, g group) []experiment.Finding
	cover    string // the method whose errors are drawn against the bound; empty for all of them in one dimension
}

func (c compared) spec() experiment.Spec[problem, Cell, Errors] {
	return experiment.Spec[problem, Cell, Errors]{
		About: c.About, Version: 1,
		Sizes: at(c.problem), Runs: c.runs,
		Cells: func(e props.Effort, run int, _ string) []Cell { return cells(c.sizes[e], run) },
		Train: func(_ context.Context, env *experiment.Env, p problem, x Cell) (Errors, error) {
			return c.run(p, x.stream(env, c.Name), x)
		},
		Judge: c.judge,
	}
}

func (c compared) judge(set experiment.Setting, p problem, runs []experiment.Run[Cell, Errors]) experiment.Judgement {
	all := c.sizes[set.Effort]
	sorted := groups(all, c.runs[set.Effort], runs)
	out := experiment.Judgement{Setup: c.setup(p)}
	for _, g := range sorted {
		out.Findings = append(out.Findings, c.findings(p, all, g)...)
	}
	errors := experiment.Section{Title: "Mean squared errors", Table: c.table(p, sorted)}
	if c.cover == "" {
		out.Cover, errors.Text = p.byMethod(c.methods, all[0], sorted), "The bound is without noise."
		out.Sections = []experiment.Section{errors}
		return out
	}
	out.Cover, out.Sections = p.collapse(c.cover, all, sorted), []experiment.Section{errors}
	for _, s := range all {
		out.Sections = append(out.Sections, experiment.Section{Title: fmt.Sprintf("d = %d", s.Dim),
			Figures: []figure.Figure{p.byMethod(c.methods, s, sorted)}})
	}
	return out
}

// sizes are the numbers of samples in one dimension.
type sizes struct {
	Dim     int
	Samples []int
}

// cells lists those of one run.
func cells(all []sizes, run int) (out []Cell) {
	for _, s := range all {
		for _, n := range s.Samples {
			out = append(out, Cell{s.Dim, n, run})
		}
	}
	return out
}

// at is a function of the effort as a table.
func at[S any](of func(props.Effort) S) map[props.Effort]S {
	out := map[props.Effort]S{}
	for _, e := range results.Efforts {
		out[e] = of(e)
	}
	return out
}

// stream is that of a cell in an experiment.
func (c Cell) stream(env *experiment.Env, name string) *rand.Rand {
	return streams.New(env.Seed, "experiment", name, strconv.Itoa(c.Dim), strconv.Itoa(c.Samples), strconv.Itoa(c.Run))
}

// group are the runs of one dimension and number of samples.
type group struct {
	Cell
	Errors   []Errors
	Complete bool
}

// groups sorts the runs of an experiment.
func groups(all []sizes, planned int, runs []experiment.Run[Cell, Errors]) (out []group) {
	for _, at := range cells(all, 0) {
		of := experiment.Among(runs, func(c Cell) bool { return c.Dim == at.Dim && c.Samples == at.Samples })
		out = append(out, group{at, of, len(of) >= planned})
	}
	return out
}

// of are the errors of a method.
func (g group) of(method string) (out []float64) {
	for _, e := range g.Errors {
		if x, tried := e[method]; tried {
			out = append(out, x)
		}
	}
	return out
}

// interval is that of the mean error of a method.
func (g group) interval(method string) stat.Interval {
	return stat.Mean(g.of(method), experiment.Alpha)
}

// below is the finding that the mean error of a method is at most a bound.
func (g group) below(claim, method string, bound float64) experiment.Finding {
	return g.finding(claim, method).AtMost(bound, g.interval(method), g.Complete)
}

// above is the finding that it is at least that.
func (g group) above(claim, method string, bound float64) experiment.Finding {
	return g.finding(claim, method).AtLeast(bound, g.interval(method), g.Complete)
}

// ahead is the finding that one method errs less than another one on the same data.
func (g group) ahead(claim, column, better, worse string) experiment.Finding {
	return g.finding(claim, column).AtLeast(0, stat.Paired(g.of(worse), g.of(better), experiment.Alpha), g.Complete)
}

func (g group) finding(claim, column string) experiment.Finding {
	return experiment.Finding{Claim: claim, Row: g.row(), Column: column}
}

// curve is a method's error over the samples, in units, in one dimension: mean with its interval.
func curve(name, method string, d int, all []group, unit func(Cell) float64) figure.Curve {
	within := list.Where(all, func(g group) bool { return g.Dim == d })
	return experiment.Estimates(name, within, func(g group) float64 { return unit(g.Cell) },
		func(g group) stat.Interval { return visible(g.interval(method)) })
}

// visible cuts the lower end of an interval where a logarithmic axis would run away.
func visible(iv stat.Interval) stat.Interval {
	iv.Lo = max(iv.Lo, iv.Estimate/10)
	return iv
}

// bounds is the dashed line that no kernel method falls below in one dimension.
func (p problem) bounds(name string, s sizes, unit func(Cell) float64) figure.Curve {
	dashed := figure.Curve{Name: name, Style: figure.Dashed}
	for _, n := range s.Samples {
		dashed.Add(unit(Cell{Dim: s.Dim, Samples: n}), p.bound(s.Dim, n))
	}
	return dashed
}

// collapse draws a method's error and the bound over n/d².
func (p problem) collapse(method string, all []sizes, sorted []group) figure.Figure {
	f := figure.Figure{ID: "collapse", Title: "Error and the bound below every kernel: " + method,
		Caption: "Mean squared error of " + method + " over n/d², mean and interval over runs; dashed, what no kernel " +
			"method falls below at the same d and n.",
		X: figure.Axis{Label: "n/d²", Log: true}, Y: figure.Axis{Label: "mean squared error"}}
	unit := func(c Cell) float64 { return float64(c.Samples) / float64(c.Dim*c.Dim) }
	for _, s := range all {
		f.Curves = append(f.Curves, curve(fmt.Sprintf("d = %d", s.Dim), method, s.Dim, sorted, unit))
	}
	for _, s := range all {
		f.Curves = append(f.Curves, p.bounds(fmt.Sprintf("no kernel below, d = %d", s.Dim), s, unit))
	}
	return f
}

// byMethod draws the errors of methods in one dimension.
func (p problem) byMethod(methods []string, s sizes, sorted []group) figure.Figure {
	f := figure.Figure{ID: fmt.Sprintf("errors-%d", s.Dim), Title: fmt.Sprintf("Errors in d = %d", s.Dim),
		Caption: fmt.Sprintf("Mean squared errors in d = %d over the number of samples, mean and interval over runs; "+
			"dashed, what no kernel method falls below without noise.", s.Dim),
		X: figure.Axis{Label: "samples n", Log: true}, Y: figure.Axis{Label: "mean squared error"}}
	unit := func(c Cell) float64 { return float64(c.Samples) }
	for _, m := range methods {
		f.Curves = append(f.Curves, curve(m, m, s.Dim, sorted, unit))
	}
	f.Curves = append(f.Curves, p.bounds("no kernel below", s, unit))
	return f
}

// table lists mean errors of methods with their intervals against the bound.
func (c compared) table(p problem, all []group) *experiment.Table {
	t := &experiment.Table{Columns: slices.Concat([]string{""}, c.methods, []string{"no kernel below"})}
	for _, g := range all {
		row := []string{g.row()}
		for _, m := range c.methods {
			row = append(row, written(g.interval(m), 3))
		}
		t.Rows = append(t.Rows, append(row, fmt.Sprintf("%.3f", p.bound(g.Dim, g.Samples))))
	}
	return t
}

// written is an interval in a table; nothing where there is none.
func written(iv stat.Interval, digits int) string {
	if !iv.Valid() {
		return ""
	}
	return fmt.Sprintf("%.*f [%.*f, %.*f]", digits, iv.Estimate, digits, iv.Lo, digits, iv.Hi)
}

const overRuns = "Intervals are Student's over runs, each with fresh data; on the same data methods are compared in " +
	"pairs."
