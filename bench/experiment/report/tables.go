package report

import (
	"fmt"

	"github.com/thm-suite/thm/bench/experiment"
	"github.com/thm-suite/thm/internal/figure"
)

// keeping is the table of the experiment newton-schulz, means over runs.
func keeping(r *experiment.Result) table {
	t := table{Columns: []string{"steps", "change of the Gram matrix, ten steps", "exact polar factor",
		"singular values lost, ten steps", "exact polar factor"}}
	for _, n := range r.NewtonSchulz {
		if len(n.Runs) == 0 {
			continue
		}
		for i := range n.Runs[0].Ten {
			mean := func(of func(experiment.NewtonSchulzRun) float64) string {
				m, _, _ := spread(n.Runs, of)
				return figure.Digits(m, 2)
			}
			share := func(of func(experiment.NewtonSchulzRun) float64) string {
				m, _, _ := spread(n.Runs, of)
				return figure.Digits(100*m, 2) + " %"
			}
			t.Rows = append(t.Rows,
				row{Name: title(n.Dataset), Note: fmt.Sprintf("%d×%d", n.Runs[0].Width, n.Runs[0].Width), Cells: []cell{
					{Evidence: fmt.Sprint(n.Runs[0].Ten[i].Steps)},
					{Evidence: mean(func(r experiment.NewtonSchulzRun) float64 { return r.Ten[i].Change })},
					{Evidence: mean(func(r experiment.NewtonSchulzRun) float64 { return r.Exact[i].Change })},
					{Evidence: share(func(r experiment.NewtonSchulzRun) float64 { return r.Ten[i].Lost })},
					{Evidence: share(func(r experiment.NewtonSchulzRun) float64 { return r.Exact[i].Lost })},
				}})
		}
	}
	return t
}

// broken counts the runs that came to nothing: their weights are no longer finite, or the rule had no next step.
func broken(r *experiment.Result) table {
	t := table{}
	for _, rule := range experiment.Rules {
		t.Columns = append(t.Columns, rule.Title())
	}
	for _, g := range r.Training {
		line := row{Name: title(g.Dataset), Note: string(g.Network)}
		for _, rule := range experiment.Rules {
			text := ""
			for _, rc := range g.Rules {
				if rc.Rule == rule {
					text = lost(rc)
				}
			}
			line.Cells = append(line.Cells, cell{Evidence: text})
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// lost is the number of runs of a rule that end with accuracy 0, of all.
func lost(rc experiment.RuleCurve) string {
	n, all := 0, 0
	for _, g := range rc.Gammas {
		for _, run := range g.Runs {
			all++
			if run.Test[len(run.Test)-1] == 0 {
				n++
			}
		}
	}
	return fmt.Sprintf("%d of %d", n, all)
}
