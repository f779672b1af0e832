package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/collector"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"

	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/props/results"
)

// mergeFlags holds the flags of thm merge.
type mergeFlags struct {
	commonFlags
	shard   runs.Shard
	against string
}

func (p *program) mergeCommand() *cobra.Command {
	f := mergeFlags{shard: runs.Undivided}
	cmd := &cobra.Command{
		Use:   "merge SHARD...",
		Short: "Join the measurements of shards and judge them",
		Long: `Join the measurements that thm check --shard made, in any order, judge them, and write
the report of the whole run. A SHARD is the directory that was given to --out, or
the ` + runs.JournalName + ` in it. Of a shard the command reads only
measurements, and makes every verdict itself.

Shards of different sources, efforts, seeds, claims or architectures are refused; their
processors and kernels may differ. If a measurement is missing, its claim is incomplete
and the exit code is 3. Shards to run again are named on stderr, and so are files that
are missing, empty or damaged.

Judging divides as well. With --shard I/N the command judges the I-th of N parts of the
claims, and writes their results but no report. The directory of such a part may stand
among the shards of another merge, or in their place: its claims are not judged again.
If the parts have judged all claims, no journal is read.`,
		Example: `  thm check --shard 1/2 --out shard1
  thm check --shard 2/2 --out shard2
  thm merge shard1 shard2 --out reports/latest
  thm merge deep/shard* --out deep/report --against reports/published/example
  thm merge --shard 1/2 deep/shard* --out deep/judged1
  thm merge --shard 2/2 deep/shard* --out deep/judged2
  thm merge deep/judged* deep/shard* --out deep/report`,
		Args:              cli.Args(1, -1, "at least one shard"),
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
		RunE: func(cmd *cobra.Command, words []string) error {
			if f.out == "" {
				return errors.New("give the directory of the joined report with --out")
			}
			return p.merge(cmd.Context(), words, f)
		},
	}
	addAgainst(cmd, &f.against, "")
	f.add(cmd, "out: directory of the joined report", "json: print results.json instead of the table", "no-color")
	cmd.Flags().Var(cli.NewValue(&f.shard, "I/N", runs.ParseShard), "shard",
		"judge the I-th of N parts of the claims; join them with another merge")
	_ = cmd.RegisterFlagCompletionFunc("shard", cobra.NoFileCompletions)
	for _, flag := range []string{"json", "against"} {
		cmd.MarkFlagsMutuallyExclusive("shard", flag)
	}
	return cmd
}

func (p *program) merge(ctx context.Context, words []string, f mergeFlags) error {
	older, err := readAgainst(f.against)
	if err != nil {
		return err
	}
	collector.Within(400 << 20) // most of a journal is read once
	run, err := runs.Join(words, p.claims, f.shard)
	if err != nil {
		return err
	}
	defer run.Options.Journal.Close()
	for _, note := range run.Notes {
		fmt.Fprintf(p.Stderr, "%s: %s\n", p.Name, note)
	}
	release, err := runs.Take(f.out)
	if err != nil {
		return err
	}
	defer release()
	// The last part of a merge calibrates for all: it has least to judge.
	run.Options.Uncalibrated = run.Options.Uncalibrated || p.uncalibrated || !f.shard.Last()
	joined := props.Run(ctx, run.Claims, run.Options)
	joined.Run.Parts = run.Parts
	if f.shard.Partial() {
		return p.finishPart(f, joined, run)
	}
	run.AddJudged(joined)
	err = p.publish(joined, f.out, outputs{json: f.json, against: older, style: terminal.StyleOf(p.Stdout, f.noColor),
		sliders: run.Sliders})
	if failed := run.SaveCounterexamples(f.out); failed != nil {
		return cli.Exit{Code: cli.Unsettled, Err: failed}
	}
	return err
}

// finishPart writes the judged claims of a part of the merge. Like a shard, a part has no verdict of its own.
func (p *program) finishPart(f mergeFlags, r *results.Results, run runs.Joined) error {
	if r.Run.Shard = f.shard.String(); len(r.Claims) > 0 {
		if err := runs.WritePart(f.out, r, run.Claims); err != nil {
			return cli.Exit{Code: cli.Unsettled, Err: err}
		}
	}
	if run.Lacking > 0 {
		return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("part %v of the merge: %s without all measurements", f.shard,
			terminal.Plural(run.Lacking, "claim"))}
	}
	return p.Print(fmt.Sprintf("part %v of the merge is judged: %s; join all of them with thm merge\n", f.shard, f.out))
}
