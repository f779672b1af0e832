package command

import (
	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports"
)

func (p *program) digestCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "digest RESULTS.json",
		Short: "Print the digest of the claims of a results file",
		Long: `Print the SHA-256 of the rows of a results file, leaving out their times; thm check
--digest prints the same of a run. Two runs of the same source, effort and seed on the
same kind of machine have the same digest. A file that contradicts itself is refused. If
the argument is a folder, the results.json in it is read.`,
		Example:           "  thm digest reports/latest/results.json",
		Args:              cli.Args(1, 1, "one results file"),
		ValidArgsFunction: cobra.FixedCompletions([]cobra.Completion{"json"}, cobra.ShellCompDirectiveFilterFileExt),
		RunE: func(_ *cobra.Command, words []string) error {
			r, err := reports.Read(resultsFile(words[0]))
			if err != nil {
				return err
			}
			return p.Print(r.Digest() + "\n")
		},
	}
}
