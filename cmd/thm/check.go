package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/catalog"
	"github.com/thm-suite/thm/reports"
)

// defaultOut is where a report goes, and where the last verdicts are looked up.
const defaultOut = "reports/latest"

// journalName is the file in the directory of the report that keeps the measurements of a run until it has ended.
const journalName = "cells.journal"

func (p *program) checkCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [PATTERN...]",
		Short: "Verify claims and write the report",
		Long: `Verify the claims that match any PATTERN, or all of them, and write index.html,
report.md, results.json and junit.xml to the directory of the report. The simplest
counterexample to a refuted claim goes to counterexamples/, for thm certify.

Progress goes to stderr and the table to stdout. Ctrl-C stops the run: what is
known by then is written, claims that did not finish are incomplete, and the exit
code is 3. A second Ctrl-C quits at once. However a run ends before its end, killed
included, the same command goes on where it stopped, from ` + journalName + `.

With --shard I/N only the I-th of N parts of the work is done, of about equal cost and
with N as large as you like; thm merge joins the parts. The results depend on the
claims, the effort and the seed, and not on --jobs or on the number of parts.`,
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

func (p *program) check(ctx context.Context, f checkFlags, patterns []string) (err error) {
	selected, err := catalog.Select(p.claims, patterns...)
	if err != nil {
		return err
	}
	part, err := f.shard.of(selected, f.effort)
	if err != nil {
		return err
	}
	profiles, err := f.profile.start()
	if err != nil {
		return err
	}
	if err := writable(f.out); err != nil {
		profiles.discard()
		return err
	}
	defer func() {
		if failed := profiles.finish(); failed != nil && (err == nil || isVerdict(err)) {
			err = cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("writing a profile: %w", failed)}
		}
	}()
	journal, done, err := openJournal(f, selected)
	if err != nil {
		return err
	}
	defer journal.Close()
	if f.shard.n > 1 {
		journal.Own(part)
	}
	show := p.display(f, slugs(selected))
	ctx, stop := cli.Interruptible(ctx, show.Note)
	show.Begin(fmt.Sprintf("%s effort, seed %d, %s", f.effort, f.seed, terminal.Plural(f.jobs, "job")))
	if done > 0 {
		show.Note(fmt.Sprintf("going on from %s: %d of %s done", filepath.Join(f.out, journalName), done, terminal.Plural(len(part), "unit of work")))
	}
	results := props.Run(ctx, selected, props.Options{Effort: f.effort, Seed: f.seed, Jobs: f.jobs, Progress: show.Event, Journal: journal})
	stop()
	show.Close()
	if err := journal.Err(); err != nil {
		show.Note(fmt.Sprintf("the journal could not be written (%v): if the run is killed it begins anew", err))
	}
	if f.shard.n > 1 {
		return p.finishShard(f, results)
	}
	if err := p.publish(results, f.out, f.json, terminal.StyleOf(p.Stdout, f.noColor)); results.Run.Interrupted || err != nil && !isVerdict(err) {
		return err
	} else {
		_ = journal.Close()
		_ = os.Remove(filepath.Join(f.out, journalName)) // the run has ended and is on paper
		return err
	}
}

// isVerdict reports whether an error only chooses the exit code of results that were written.
func isVerdict(err error) bool {
	var e cli.Exit
	return errors.As(err, &e) && e.Err == nil
}

// openJournal opens the journal of a run, or goes on with the one of the same run.
func openJournal(f checkFlags, selected []props.Claim) (*props.Journal, int, error) {
	id := props.RunID{Schema: props.JournalSchema, Tool: toolLine(), Binary: binaryDigest(), Effort: f.effort, Seed: f.seed,
		Claims: slugs(selected), Shard: f.shard.String()}
	journal, done, err := props.OpenJournal(filepath.Join(f.out, journalName), id)
	if err != nil {
		return nil, 0, fmt.Errorf("the journal cannot be written: %w; choose another directory with --out", err)
	}
	return journal, done, nil
}

// toolLine is what shards of one run agree in: the same source on the same kind of machine gives the same bits.
func toolLine() string {
	t := props.ThisTool()
	return strings.Join([]string{t.Version, t.Go, t.GOARCH, t.GOAMD64, t.Kernel}, " ")
}

// binaryDigest identifies the running program, so that changed code does not go on where the old one stopped.
func binaryDigest() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}

// finishShard says where the measurements of a shard are. A shard has no verdict of its own.
func (p *program) finishShard(f checkFlags, r *props.Results) error {
	if r.Run.Interrupted {
		return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("shard %v was interrupted; the same command goes on where it stopped", f.shard)}
	}
	for _, row := range r.Claims {
		if row.Verdict == props.Error {
			return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("%s: %s", row.ID, row.Message)}
		}
	}
	return p.Print(fmt.Sprintf("shard %v is measured: %s; join all of them with thm merge\n", f.shard, filepath.Join(f.out, journalName)))
}

// display chooses how a run is shown.
func (p *program) display(f checkFlags, claims []string) display {
	switch {
	case f.quiet:
		return silent{p.Stderr}
	case terminal.IsTerminal(p.Stderr) && os.Getenv("TERM") != "dumb":
		return newLive(p.Stderr, claims, terminal.StyleOf(p.Stderr, f.noColor), func() (int, int) { return terminal.Size(p.Stderr) },
			time.Now, time.Tick(100*time.Millisecond))
	}
	return newPlain(p.Stderr, claims, time.Now, time.Tick(terminal.Heartbeat))
}

// publish writes the report, prints the table or the JSON, and chooses the exit code.
func (p *program) publish(r *props.Results, dir string, asJSON bool, s terminal.Style) error {
	site := reports.Site{Results: r, Statements: p.verified(r), Command: p.reproduce(r)}
	if err := reports.Write(dir, site); err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("writing the report: %w", err)}
	}
	if err := saveCounterexamples(dir, r); err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("writing a counterexample: %w", err)}
	}
	text := resultTable(r).Render(s) + troubles(r, s) + "\n" + summary(r) + "; report: " + filepath.Join(dir, "index.html") + "\n"
	if asJSON {
		encoded, err := reports.Encode(r)
		if err != nil {
			return cli.Exit{Code: cli.Unsettled, Err: err}
		}
		text = string(encoded)
	}
	if err := p.Print(text); err != nil {
		return err
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

// counterexampleFile is where the counterexample of a claim is stored.
func counterexampleFile(dir, slug string) string {
	return filepath.Join(dir, "counterexamples", strings.ReplaceAll(slug, "/", "-")+".npz")
}

// saveCounterexamples stores the counterexamples that thm certify can judge again. One that is left of an earlier run, of a
// claim that now holds, is removed.
func saveCounterexamples(dir string, r *props.Results) error {
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
