// Package conformance runs the conformance kit on the kernels of this machine, measures their speeds, and shows the
// results.
package conformance

import (
	"context"
	"slices"

	"github.com/thm-suite/thm/bench/kernels"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props/kernelkit"
)

// Report is the output of thm kernels as JSON.
type Report struct {
	Schema  string   `json:"schema"`
	Kernels []Kernel `json:"kernels"`
}

// Kernel holds the findings of the kit about a kernel, and how fast it is.
type Kernel struct {
	Counts bool              `json:"counts"`           // for the exit code
	File   string            `json:"file,omitempty"`   // of a library
	Config string            `json:"config,omitempty"` // the library's description of itself
	Result *kernelkit.Result `json:"result"`
	Speeds []kernels.Speed   `json:"speeds"`
}

const kernelsSchema = "thm.kernels/v1"

// ExitCode returns the exit code for the kernels that count.
func (r Report) ExitCode() int {
	code := cli.Green
	for _, k := range r.Kernels {
		unsettled := k.Result.Counts[kernelkit.Incomplete]+k.Result.Counts[kernelkit.Error] > 0
		switch {
		case !k.Counts || k.Result.OK():
		case k.Result.Counts[kernelkit.Failed] > 0 || len(k.Result.Complaints) > 0:
			code = cli.Refuted
		case unsettled && code == cli.Green:
			code = cli.Unsettled
		case !unsettled:
			code = cli.Refuted // nothing was checked at all
		}
	}
	return code
}

// Run runs the kit on one kernel after the other, about the given number of checks on each, and measures their speeds
// on request. A library runs in a process of its own; the limit of the options is for its checks.
func Run(ctx context.Context, chosen []Entrant, o kernelkit.Options, speed bool, checks int,
	show *terminal.Progress) (Report, error) {
	report := Report{Schema: kernelsSchema, Kernels: []Kernel{}}
	if busy := slices.DeleteFunc(slices.Clone(chosen), func(e Entrant) bool { return e.idle(o.Match) }); len(busy) > 0 {
		chosen = busy
	}
	for _, e := range chosen {
		event, end := Watch(show, e.Name, checks)
		o.Jobs, o.Progress = 0, event
		r, sound, err := e.run(ctx, o)
		if err != nil {
			end("")
			return report, err
		}
		row := Kernel{Counts: e.named || e.library == "", File: e.File, Config: e.config, Result: r,
			Speeds: []kernels.Speed{}}
		if speed && sound && ctx.Err() == nil {
			row.Speeds = speeds(e.Kernel)
		}
		report.Kernels = append(report.Kernels, row)
		end(counts(r))
	}
	return report, nil
}

// idle reports whether an entrant is a part of a library that offers none of the selected routines.
func (e Entrant) idle(patterns string) bool {
	checks, err := kernelkit.Match(patterns)
	return err == nil && e.library != "" && !slices.ContainsFunc(checks, func(c kernelkit.Check) bool {
		return c.OfferedBy(e.Kernel)
	})
}

// run runs the kit on a kernel, and reports whether nothing hung or crashed.
func (e Entrant) run(ctx context.Context, o kernelkit.Options) (*kernelkit.Result, bool, error) {
	if e.library == "" {
		o.Limit = 0
		r, err := kernelkit.Run(ctx, e.Kernel, o)
		return r, true, err
	}
	checks, err := kernelkit.Match(o.Match)
	if err != nil {
		return nil, false, err
	}
	rows, sound, err := isolated(ctx, e, checks, o)
	if err != nil {
		return nil, false, err
	}
	r, err := kernelkit.Conclude(e.Kernel, o, rows)
	return r, sound, err
}

// speeds measures a kernel as it is prepared for the kit.
func speeds(k kernelkit.Kernel) []kernels.Speed {
	restore, err := k.Begin()
	if err != nil {
		return nil
	}
	defer restore()
	return kernels.Speeds(k)
}
