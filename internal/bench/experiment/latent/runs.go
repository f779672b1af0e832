package latent

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/stat"
)

// sizes are the numbers of samples in one dimension.
type sizes struct {
	Dim     int
	Samples []int
}

// plan lists the cells, seeds first.
func plan(all []sizes, runs int) (out []Cell) {
	for run := range runs {
		for _, s := range all {
			for _, n := range s.Samples {
				out = append(out, Cell{s.Dim, n, run})
			}
		}
	}
	return out
}

// train runs a cell of an experiment on the stream of its name and the cell.
func train(name string, sized func(props.Effort) problem,
	run func(problem, *rand.Rand, Cell) (Errors, error)) func(context.Context, *experiment.Env, Cell) (Errors, error) {
	return func(_ context.Context, env *experiment.Env, c Cell) (Errors, error) {
		return run(sized(env.Effort), streams.New(env.Seed, "experiment", name, strconv.Itoa(c.Dim),
			strconv.Itoa(c.Samples), strconv.Itoa(c.Run)), c)
	}
}

// group are the runs of one dimension and number of samples.
type group struct {
	Cell
	Errors   []Errors
	Complete bool
}

// groups sorts the runs of an experiment.
func groups(all []sizes, planned int, runs []experiment.Run[Cell, Errors]) (out []group) {
	for _, s := range all {
		for _, n := range s.Samples {
			g := group{Cell: Cell{Dim: s.Dim, Samples: n}}
			for _, r := range runs {
				if r.Cell.Dim == s.Dim && r.Cell.Samples == n {
					g.Errors = append(g.Errors, r.Value)
				}
			}
			g.Complete = len(g.Errors) >= planned
			out = append(out, g)
		}
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

// ahead is the interval for the error of a kernel less that of the network on the same data.
func (g group) ahead(kernel string) stat.Interval { return g.aheadOf(kernel, network) }

// aheadOf is the interval for the error of one method less that of another on the same data.
func (g group) aheadOf(worse, better string) stat.Interval {
	return stat.Paired(g.of(worse), g.of(better), experiment.Alpha)
}

// curve is a method's error over the samples, in units: mean with its interval, or with its range from two runs on.
func curve(name, method string, all []group, unit func(Cell) float64) figure.Curve {
	out := figure.Curve{Name: name, Style: figure.Points}
	for _, g := range all {
		if len(g.of(method)) < 2 {
			continue
		}
		iv := g.interval(method)
		out.X, out.Y = append(out.X, unit(g.Cell)), append(out.Y, iv.Estimate)
		out.Lo, out.Hi = append(out.Lo, max(iv.Lo, iv.Estimate/10)), append(out.Hi, iv.Hi)
	}
	return out
}

// table lists mean errors of methods with their intervals.
func table(methods []string, all []group, bound func(Cell) string) *experiment.Table {
	t := &experiment.Table{Columns: slices.Concat([]string{""}, methods, []string{"no kernel below"})}
	for _, g := range all {
		row := []string{g.row()}
		for _, m := range methods {
			text := ""
			if len(g.of(m)) > 1 {
				iv := g.interval(m)
				text = fmt.Sprintf("%.3f [%.3f, %.3f]", iv.Estimate, iv.Lo, iv.Hi)
			}
			row = append(row, text)
		}
		t.Rows = append(t.Rows, append(row, bound(g.Cell)))
	}
	return t
}

const overRuns = "Intervals are Student's over runs, each with fresh data; on the same data methods are compared in " +
	"pairs."
