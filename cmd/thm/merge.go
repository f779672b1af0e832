package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/reports"
)

func (p *program) mergeCommand() *cobra.Command {
	var out string
	var asJSON, noColor bool
	cmd := &cobra.Command{
		Use:   "merge RESULTS.json...",
		Short: "Join the results files of shards into one report",
		Long: `Join the results files that thm check --shard wrote, in any order, and write the
report of the whole run. Files of different efforts, seeds, versions or
architectures are refused. A claim whose shard is missing is incomplete, and the
exit code says so.`,
		Example: `  thm check --shard 1/2 --out shard1
  thm check --shard 2/2 --out shard2
  thm merge shard1/results.json shard2/results.json --out reports/latest`,
		Args: wants(1, -1, "at least one results file"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return []cobra.Completion{"json"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(_ *cobra.Command, words []string) error {
			if out == "" {
				return errors.New("give the directory of the joined report with --out")
			}
			var files []named
			for _, file := range words {
				r, err := reports.Read(file)
				if err != nil {
					return err
				}
				files = append(files, named{file, r})
			}
			joined, err := join(files, p.claims)
			if err != nil {
				return err
			}
			if err := writable(out); err != nil {
				return err
			}
			return p.publish(joined, out, asJSON, styleOf(p.stdout, noColor))
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "directory of the joined report")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print results.json instead of the table")
	noColorFlag(cmd.Flags(), &noColor)
	_ = cmd.MarkFlagDirname("out")
	return cmd
}
