package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/catalog"
	"github.com/thm-suite/thm/reports"
)

// defaultOut is where a report goes, and where the last verdicts are looked up.
const defaultOut = "reports/latest"

func (p *program) checkCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [PATTERN...]",
		Short: "Verify claims and write the report",
		Long: `Verify the claims that match any PATTERN, or all of them, and write index.html,
report.md, results.json and junit.xml to the directory of the report.

Progress goes to stderr and the table to stdout. Ctrl-C stops the run: what is
known by then is written, claims that did not finish are incomplete, and the exit
code is 3. A second Ctrl-C quits at once and writes nothing. A report that is
already there is replaced only at the end, each file as a whole.

The results depend on the claims, the effort and the seed, and not on --jobs.`,
		Example: `  thm check
  thm check 'vcl/*' onestep/spike --effort quick
  thm check --effort deep --shard 2/8 --out shard2
  thm check --json --quiet > results.json`,
		ValidArgsFunction: p.completePatterns,
		RunE:              func(cmd *cobra.Command, patterns []string) error { return p.check(cmd.Context(), f, patterns) },
	}
	f.register(cmd)
	return cmd
}

func (p *program) check(ctx context.Context, f checkFlags, patterns []string) error {
	selected, err := catalog.Select(p.claims, patterns...)
	if err != nil {
		return err
	}
	mine := f.shard.of(selected)
	if len(mine) == 0 {
		return fmt.Errorf("shard %v has no claim: %s to share", f.shard, plural(len(selected), "claim"))
	}
	if err := writable(f.out); err != nil {
		return err
	}
	show := p.display(f, slugs(mine))
	ctx, stop := interruptible(ctx, show.Note)
	show.Begin(fmt.Sprintf("%s effort, seed %d, %s", f.effort, f.seed, plural(f.jobs, "job")))
	results := props.Run(ctx, mine, props.Options{Effort: f.effort, Seed: f.seed, Jobs: f.jobs, Progress: show.Event})
	stop()
	show.Close()
	results.Run.Shard = f.shard.String()
	return p.publish(results, f.out, f.json, styleOf(p.stdout, f.noColor))
}

// display chooses how a run is shown.
func (p *program) display(f checkFlags, claims []string) display {
	switch {
	case f.quiet:
		return silent{p.stderr}
	case isTerminal(p.stderr) && os.Getenv("TERM") != "dumb":
		return newLive(p.stderr, claims, styleOf(p.stderr, f.noColor), func() (int, int) { return size(p.stderr) },
			time.Now, time.Tick(100*time.Millisecond))
	}
	return newPlain(p.stderr, claims, time.Now, time.Tick(heartbeat))
}

// interruptible returns a context that ends with the first SIGINT or SIGTERM. The second ends the process.
func interruptible(parent context.Context, note func(string)) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-ctx.Done():
			return
		case <-signals:
		}
		cancel()
		note("stopping after the cells that are running; Ctrl-C again quits at once")
		<-signals
		os.Exit(exitKilled)
	}()
	return ctx, func() {
		signal.Stop(signals) // from here on a signal ends the process, as it would any other
		cancel()
	}
}

// publish writes the report, prints the table or the JSON, and chooses the exit code.
func (p *program) publish(r *props.Results, dir string, asJSON bool, s style) error {
	site := reports.Site{Results: r, Statements: p.verified(r), Command: p.reproduce(r)}
	if err := reports.Write(dir, site); err != nil {
		return exit{exitUnsettled, fmt.Errorf("writing the report: %w", err)}
	}
	text := resultTable(r).render(s) + troubles(r, s) + "\n" + summary(r) + "; report: " + filepath.Join(dir, "index.html") + "\n"
	if asJSON {
		encoded, err := reports.Encode(r)
		if err != nil {
			return exit{exitUnsettled, err}
		}
		text = string(encoded)
	}
	if err := p.print(text); err != nil {
		return err
	}
	code := r.ExitCode()
	if r.Run.Interrupted && code == exitGreen {
		code = exitUnsettled
	}
	if code != exitGreen {
		return exit{code: code}
	}
	return nil
}

// writable makes the directory of a report and makes sure that its files can be written, before hours of work.
func writable(dir string) error {
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

// reproduce is the command line that makes these results again. A shard needs no mention: what a claim draws does not
// depend on the claims beside it.
func (p *program) reproduce(r *props.Results) string {
	words := []string{"go run ./cmd/thm check"}
	if ids := ids(r); !slices.Equal(ids, slugs(p.claims)) {
		words = append(words, ids...)
	}
	return strings.Join(append(words, "--effort", string(r.Run.Effort), "--seed", fmt.Sprint(r.Run.Seed)), " ")
}

// ids lists the slugs of the rows.
func ids(r *props.Results) []string {
	var out []string
	for _, row := range r.Claims {
		out = append(out, row.ID)
	}
	return out
}

func slugs(claims []props.Claim) []string {
	var out []string
	for _, c := range claims {
		out = append(out, c.Statement.Slug)
	}
	return out
}
