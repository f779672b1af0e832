package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/terminal"

	"github.com/thm-suite/thm/internal/reports/console"
	"github.com/thm-suite/thm/internal/reports/runs"
)

func (p *program) diffCommand() *cobra.Command {
	var f commonFlags
	var markdown, absolute bool
	cmd := &cobra.Command{
		Use:   "diff OLD.json NEW.json",
		Short: "List the verdicts, worst ratios and resolutions that changed between two results",
		Long: `Compare two results files, and list losses first. A loss is a claim that held and no
longer does, or is gone; a wrong version that is now accepted, or no longer tried; or a
resolution that is coarser by more than a quarter. A worst ratio that moved is shown,
but is no loss. Results of different efforts are not compared.

With --absolute the new results must also be good in themselves: nothing refuted, every
wrong version rejected. --markdown is for a comment or the summary of a CI job.

Exit codes: 0 no loss; 1 a loss; 2 bad usage. doc/commands.md shows how to use the
command as a gate on GitHub and GitLab. If an argument is a folder, the results.json in
it is read.`,
		Example: "  thm diff old/results.json reports/latest/results.json\n  thm diff old.json new.json --json\n" +
			"  thm diff old.json new.json --absolute --markdown >> summary.md",
		Args:              cli.Args(2, 2, "two results files"),
		ValidArgsFunction: cobra.FixedCompletions([]cobra.Completion{"json"}, cobra.ShellCompDirectiveFilterFileExt),
		RunE: func(_ *cobra.Command, words []string) error {
			old, err := reports.Read(resultsFile(words[0]))
			if err != nil {
				return err
			}
			now, err := reports.Read(resultsFile(words[1]))
			if err != nil {
				return err
			}
			if old.Run.Effort != now.Run.Effort {
				return fmt.Errorf("%s is of %s effort and %s of %s, which are not comparable: check both at the same --effort",
					terminal.Name(words[0]), old.Run.Effort, terminal.Name(words[1]), now.Run.Effort)
			}
			d := runs.Compare(old, now)
			if markdown {
				err = p.Print(console.DiffMarkdown(d, now))
			} else {
				err = p.present(f, d, func(s terminal.Style) string { return console.Diff(d, now, s) })
			}
			if err == nil && (d.Losses > 0 || absolute && now.ExitCode() == cli.Refuted) {
				err = cli.Exit{Code: cli.Refuted}
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print Markdown")
	cmd.Flags().BoolVar(&absolute, "absolute", false, "fail as well if the new results refute a claim, or accept a wrong "+
		"version")
	f.add(cmd, "json", "no-color")
	cmd.MarkFlagsMutuallyExclusive("json", "markdown")
	return cmd
}
