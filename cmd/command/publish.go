package command

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"

	"github.com/thm-suite/thm/internal/reports/console"
	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/props/results"
)

// outputs says how results are printed.
type outputs struct {
	json, digest bool
	against      *results.Results // the results to compare with, if not those that the report replaces
	style        terminal.Style
	sliders      map[string]*reports.Slider // that are known already
}

// publish prints the table, the JSON or the digest of a run, writes the report, and chooses the exit code. It prints
// first, so that the results are not lost if the disk is full.
func (p *program) publish(r *results.Results, dir string, o outputs) error {
	text, err := o.text(r)
	if err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: err}
	}
	failed := p.Print(text)
	older := o.against
	if older == nil {
		older, _ = reports.Read(filepath.Join(dir, "results.json"))
	}
	all, note, err := runs.Update(dir, r, p.claims)
	if err == nil {
		err = p.catalogue().Write(dir, all, r, older, o.sliders)
	}
	if err == nil && !o.json && !o.digest {
		if note != "" {
			note = "\n" + note
		}
		failed = errors.Join(failed, p.Print("report: "+filepath.Join(dir, "index.html")+note+"\n"))
	}
	if failed = errors.Join(err, failed); failed != nil {
		return cli.Exit{Code: cli.Unsettled, Err: failed}
	}
	code := r.ExitCode()
	if r.Run.Interrupted && code == cli.Green {
		code = cli.Unsettled
	}
	if code != cli.Green {
		return cli.Exit{Code: code}
	}
	return nil
}

func (o outputs) text(r *results.Results) (string, error) {
	switch {
	case o.digest:
		return r.Manifest.Digest + "\n", nil
	case o.json:
		encoded, err := reports.Encode(r)
		return string(encoded), err
	}
	return console.Result(r, o.style) + "\n", nil
}

// planned is the output of thm check --dry-run --json.
type planned struct {
	Schema  string         `json:"schema"`
	Effort  props.Effort   `json:"effort"`
	Seed    uint64         `json:"seed"`
	Jobs    int            `json:"jobs"`
	Claims  []runs.Planned `json:"claims"`
	Seconds float64        `json:"seconds"` // estimated, with these jobs on as many processors
}

// showPlan prints the plan, with the total of the claims in words.
func (p *program) showPlan(f checkFlags, claims []runs.Planned, total string) error {
	out := planned{Schema: "thm.plan/v1", Effort: f.effort, Seed: f.seed, Jobs: f.jobs, Claims: claims}
	cells, cases := 0, 0
	for _, c := range claims {
		cells, cases, out.Seconds = cells+c.Cells, cases+c.Cases, out.Seconds+c.Seconds/float64(f.jobs)
	}
	if f.json {
		return p.PrintJSON(out)
	}
	return p.Print(console.Plan(claims).Render(terminal.StyleOf(p.Stdout, f.noColor)) + fmt.Sprintf(
		"\n%s, %s of work, %s, controls included; about %s at %s effort with %s\n",
		total, terminal.Plural(cells, "unit"), terminal.Plural(cases, "case"), console.Duration(out.Seconds), f.effort,
		terminal.Plural(f.jobs, "job")))
}
