package command

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"

	"github.com/thm-suite/thm/internal/reports/runs"
)

func (p *program) mergeCommand() *cobra.Command {
	var f commonFlags
	cmd := &cobra.Command{
		Use:   "merge SHARD...",
		Short: "Join the measurements of shards and judge them",
		Long: `Join the measurements that thm check --shard made, in any order, judge them, and write
the report of the whole run. A SHARD is the directory that --out named, or its
` + runs.JournalName + `. Nothing but measurements is read: every verdict is made here.

Shards of different sources, efforts, seeds, claims or architectures are refused.
A claim of which a measurement is missing is incomplete, and the exit code says so.`,
		Example: `  thm check --shard 1/2 --out shard1
  thm check --shard 2/2 --out shard2
  thm merge shard1 shard2 --out reports/latest`,
		Args:              cli.Args(1, -1, "at least one shard"),
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
		RunE: func(cmd *cobra.Command, words []string) error {
			if f.out == "" {
				return errors.New("give the directory of the joined report with --out")
			}
			return p.merge(cmd.Context(), words, f)
		},
	}
	f.add(cmd, "out: directory of the joined report", "json: print results.json instead of the table", "no-color")
	return cmd
}

func (p *program) merge(ctx context.Context, words []string, f commonFlags) error {
	journal, id, claims, err := runs.Join(words, p.claims)
	if err != nil {
		return err
	}
	release, err := runs.Take(f.out)
	if err != nil {
		return err
	}
	defer release()
	joined := props.Run(ctx, claims, props.Options{Effort: id.Effort, Seed: id.Seed, Patterns: id.Patterns,
		Journal: journal, Uncalibrated: p.uncalibrated})
	return p.publish(joined, f.out, outputs{json: f.json, style: terminal.StyleOf(p.Stdout, f.noColor)})
}
