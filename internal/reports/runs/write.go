package runs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/source"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// Catalogue holds the claims that a program verifies, and whose they are.
type Catalogue struct {
	Title  string
	Claims []props.Claim
}

// Site returns the data of a report on results, with the statements of the claims that are known.
func (c Catalogue) Site(r *results.Results) reports.Site {
	program := source.Invocation()
	return reports.Site{Title: c.Title, Results: r, Statements: verified(r, c.Claims), Program: program,
		Command: reproduce(program, r, c.Claims), Simulated: simulated(c.Claims),
		Closed: closed(c.Claims)}
}

// closed returns the reasons why thm certify does not take some claims.
func closed(known []props.Claim) map[string]string {
	out := map[string]string{}
	for _, c := range known {
		if why := c.Uncertifiable(); why != "" {
			out[c.Statement.Slug] = why
		}
	}
	return out
}

// simulated returns the slugs of the claims that thm try simulates.
func simulated(known []props.Claim) map[string]bool {
	out := map[string]bool{}
	for _, c := range known {
		out[c.Statement.Slug] = c.Try != nil
	}
	return out
}

// Write writes a report, with the changes since older results if there are any, and the counterexamples of the run that
// made its newest rows.
func (c Catalogue) Write(dir string, all, newest, older *results.Results, sliders map[string]*reports.Slider) error {
	site := c.Site(all)
	site.Moved, site.Sliders = Moved(older, all), sliders
	if err := reports.Write(dir, site); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if err := saveCounterexamples(dir, newest); err != nil {
		return fmt.Errorf("writing a counterexample: %w", err)
	}
	return nil
}

// reproduce returns the command line that makes these results again. It does not name the shard, because the draws of a
// claim do not depend on other claims.
func reproduce(program string, r *results.Results, claims []props.Claim) string {
	words := []string{program + " check"}
	if run := ids(r); !slices.Equal(run, Slugs(claims)) {
		words = append(words, run...)
	}
	words = append(words, Flags(props.Options{Effort: r.Run.Effort, Seed: r.Run.Seed, Budget: r.Run.Budget})...)
	return strings.Join(words, " ")
}

// Flags returns the flags of thm check that determine the draws.
func Flags(o props.Options) []string {
	words := []string{"--effort", string(o.Effort), "--seed", fmt.Sprint(o.Seed)}
	if o.Budget > 0 && o.Budget != DeepBudget {
		words = append(words, "--budget", time.Duration(o.Budget*float64(time.Second)).String())
	}
	return words
}

// counterexamples is the folder of a report that has them.
const counterexamples = "counterexamples"

// counterexampleFile returns the file in which the counterexample of a claim is stored.
func counterexampleFile(dir, slug string) string {
	return filepath.Join(dir, counterexamples, strings.ReplaceAll(slug, "/", "-")+".npz")
}

// saveCounterexamples stores the counterexamples that thm certify can judge again, and removes those of earlier runs
// for claims that now hold.
func saveCounterexamples(dir string, r *results.Results) error {
	for i := range r.Claims {
		row := &r.Claims[i]
		path := counterexampleFile(dir, row.ID)
		if row.Instance == nil {
			_ = os.Remove(path)
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := row.SaveCounterexample(path); err != nil {
			return err
		}
	}
	return nil
}

// Take creates the directory of a report, verifies before hours of work that its files can be written, and keeps other
// runs out of it until it is released.
func Take(dir string) (release func(), err error) {
	if err := Writable(dir); err != nil {
		return nil, err
	}
	release, err = lock(dir)
	if err != nil {
		return nil, cli.Exit{Code: cli.Busy, Err: fmt.Errorf(
			"another run is writing to %s; wait for it or choose another directory with --out", dir)}
	}
	return release, nil
}

// Writable creates the directory of a report and verifies, before hours of work, that its files can be written.
func Writable(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("the report cannot be written: %w; choose another directory with --out", err)
	}
	probe, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return fmt.Errorf("the report cannot be written: %w; choose another directory with --out", err)
	}
	_ = probe.Close()
	_ = os.Remove(probe.Name())
	for _, name := range []string{"index.html", "report.md", "results.json", "junit.xml"} {
		path := filepath.Join(dir, name)
		if info, err := os.Lstat(path); err == nil && info.IsDir() {
			return fmt.Errorf("the report cannot be written: %s is a directory; choose another with --out", path)
		}
	}
	return nil
}
