package command

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/reports"

	"github.com/thm-suite/thm/reports/runs"
)

func (p *program) reportCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "report RESULTS.json",
		Short: "Render a results file as HTML, Markdown and JUnit",
		Long: `Render a results file as index.html, report.md and junit.xml, beside the file or in
the directory given with --out. A file that is not of this program's schema is refused.`,
		Example: "  thm report reports/latest/results.json\n  thm report results.json --out site",
		Args:    cli.Args(1, 1, "one results file"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return []cobra.Completion{"json"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(_ *cobra.Command, words []string) error { return p.report(words[0], out) },
	}
	cmd.Flags().StringVar(&out, "out", "", "directory of the report (default: that of the results file)")
	_ = cmd.MarkFlagDirname("out")
	return cmd
}

// report renders results beside their file, or in another directory.
func (p *program) report(file, dir string) error {
	r, err := reports.Read(file)
	if err != nil {
		return err
	}
	if dir == "" {
		dir = filepath.Dir(file)
	}
	if err := runs.Render(dir, runs.Site(r, p.claims)); err != nil {
		return err
	}
	return p.Print("report: " + filepath.Join(dir, "index.html") + "\n")
}
