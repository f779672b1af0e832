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

func (p *program) mergeCommand() *cobra.Command {
	var f commonFlags
	var against string
	cmd := &cobra.Command{
		Use:   "merge SHARD...",
		Short: "Join the measurements of shards and judge them",
		Long: `Join the measurements that thm check --shard made, in any order, judge them, and write
the report of the whole run. A SHARD is the directory that was given to --out, or
the ` + runs.JournalName + ` in it. The command reads only measurements, and makes every verdict itself.

Shards of different sources, efforts, seeds, claims or architectures are refused; their
processors and kernels may differ. If a measurement is missing, its claim is incomplete
and the exit code is 3. Shards to run again are named on stderr, and so are files that
are missing, empty or damaged.`,
		Example: `  thm check --shard 1/2 --out shard1
  thm check --shard 2/2 --out shard2
  thm merge shard1 shard2 --out reports/latest
  thm merge deep/shard* --out deep/report --against reports/published/example`,
		Args:              cli.Args(1, -1, "at least one shard"),
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
		RunE: func(cmd *cobra.Command, words []string) error {
			if f.out == "" {
				return errors.New("give the directory of the joined report with --out")
			}
			older, err := readAgainst(against)
			if err != nil {
				return err
			}
			return p.merge(cmd.Context(), words, f, older)
		},
	}
	addAgainst(cmd, &against, "")
	f.add(cmd, "out: directory of the joined report", "json: print results.json instead of the table", "no-color")
	return cmd
}

func (p *program) merge(ctx context.Context, words []string, f commonFlags, older *results.Results) error {
	collector.Within(400 << 20) // most of a journal is read once
	run, err := runs.Join(words, p.claims)
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
	run.Options.Uncalibrated = p.uncalibrated
	joined := props.Run(ctx, run.Claims, run.Options)
	joined.Run.Parts = run.Parts
	return p.publish(joined, f.out, outputs{json: f.json, against: older, style: terminal.StyleOf(p.Stdout, f.noColor)})
}
