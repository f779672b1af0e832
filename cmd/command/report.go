package command

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports"

	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/props/results"
)

func (p *program) reportCommand() *cobra.Command {
	var out, against string
	form := reports.FormPages
	cmd := &cobra.Command{
		Use:   "report RESULTS.json",
		Short: "Render a results file as HTML, Markdown and JUnit",
		Long: `Render a results file as index.html with a page for each claim below claims/, report.md
and junit.xml, next to the file or in the directory given with --out. --form file puts
everything into one index.html that you can mail, --form zip into report.zip. A file
that does not have this program's schema is refused. If the argument is a folder, the
results.json in it is read.`,
		Example: "  thm report reports/latest/results.json --against old.json\n" +
			"  thm report results.json --out site --form file",
		Args:              cli.Args(1, 1, "one results file"),
		ValidArgsFunction: cobra.FixedCompletions([]cobra.Completion{"json"}, cobra.ShellCompDirectiveFilterFileExt),
		RunE:              func(_ *cobra.Command, words []string) error { return p.report(words[0], out, against, form) },
	}
	cmd.Flags().StringVar(&out, "out", "", "directory of the report (default: that of the results file)")
	choice(cmd, &form, reports.Forms, "form", "FORM", "a form", "layout of the pages")
	addAgainst(cmd, &against, "")
	_ = cmd.MarkFlagDirname("out")
	return cmd
}

// report renders results next to their file, or in another directory.
func (p *program) report(file, dir, against string, form reports.Form) error {
	older, err := readAgainst(against)
	if err != nil {
		return err
	}
	file = resultsFile(file)
	r, err := reports.Read(file)
	if err != nil {
		return err
	}
	dir = cmp.Or(dir, filepath.Dir(file))
	site := p.catalogue().Site(r)
	site.Form, site.Moved = form, runs.Moved(older, r)
	if err := runs.Render(dir, site); err != nil {
		return err
	}
	name := "index.html"
	if form == reports.FormZip {
		name = "report.zip"
	}
	return p.Print("report: " + filepath.Join(dir, name) + "\n")
}

// addAgainst adds the flag of the results with which a report compares.
func addAgainst(cmd *cobra.Command, file *string, note string) {
	cmd.Flags().StringVar(file, "against", "",
		strings.TrimSpace("results `FILE`: the report says what moved since, or what this effort "+
			"resolves beyond a smaller one "+note))
	_ = cmd.MarkFlagFilename("against", "json")
}

// readAgainst reads the results with which a report compares, if there are any.
func readAgainst(file string) (*results.Results, error) {
	if file == "" {
		return nil, nil
	}
	return reports.Read(resultsFile(file))
}

// resultsFile returns a file of results, given by its name or by the folder that thm check wrote.
func resultsFile(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, "results.json")
	}
	return path
}
