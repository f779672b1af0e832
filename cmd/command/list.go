package command

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"

	"github.com/thm-suite/thm/internal/terminal"

	"github.com/thm-suite/thm/internal/reports/console"
	"github.com/thm-suite/thm/internal/reports/runs"

	"github.com/thm-suite/thm/internal/reports"
)

func (p *program) listCommand() *cobra.Command {
	var results string
	var f commonFlags
	var wide bool
	var from citation
	cmd := &cobra.Command{
		Use:   "list [PATTERN...]",
		Short: "List the catalogue with the last verdicts",
		Long: `List the claims that match any PATTERN, or all of them, each with its slug, its verdict
in the last run, and its statement in one sentence. Lines are as wide as the terminal,
at most 80 columns; with --wide each claim is one line, with its kind, standing and
source. A claim that the last run did not verify has the verdict -. The last line counts
the claims and, separately, the findings. --arxiv and --locus select by paper and by
place in it.`,
		Example: `  thm list
  thm list '{source}/*'
  thm list --arxiv {arxiv} --locus '{locus}'
  thm list --json`,
		ValidArgsFunction: p.completePatterns,
		RunE: func(_ *cobra.Command, patterns []string) error {
			selected, err := runs.Select(p.claims, patterns...)
			if err == nil {
				selected, err = from.choose(selected)
			}
			if err != nil {
				return err
			}
			last := p.last(results)
			if f.json {
				return p.listJSON(selected, last)
			}
			table := console.List(selected, last, wide)
			if !wide {
				columns, _ := terminal.Size(p.Stdout)
				table = table.Within(min(columns, 80))
			}
			return p.Print(table.Render(terminal.StyleOf(p.Stdout, f.noColor)) + "\n" + console.Listed(selected, last) + "\n")
		},
	}
	resultsFlag(cmd, &results)
	from.register(cmd)
	f.add(cmd, "json", "no-color")
	cmd.Flags().BoolVar(&wide, "wide", false, "all columns, each claim on one line of any length")
	return cmd
}

// listed is an entry of the catalogue in JSON.
type listed struct {
	Slug     string          `json:"slug"`
	Title    string          `json:"title"`
	Plain    string          `json:"plain"`
	Kind     theory.Kind     `json:"kind"`
	Standing theory.Standing `json:"standing"`
	Source   theory.Source   `json:"source"`
	Verdict  results.Verdict `json:"verdict"` // empty when the last run did not verify it
}

// catalogue is the output of thm list --json.
type catalogue struct {
	Schema string   `json:"schema"`
	Claims []listed `json:"claims"`
}

func (p *program) listJSON(claims []props.Claim, last *results.Results) error {
	out := catalogue{"thm.list/v1", []listed{}}
	for _, c := range claims {
		s := c.Statement
		entry := listed{s.Slug, s.Title, s.Plain, s.Kind, s.Standing, s.Source, ""}
		if row := runs.Row(last, s.Slug); row != nil {
			entry.Verdict = row.Verdict
		}
		out.Claims = append(out.Claims, entry)
	}
	return p.PrintJSON(out)
}

// completePatterns offers the slugs and the sources that are not on the line yet.
func (p *program) completePatterns(_ *cobra.Command, args []string, _ string) ([]cobra.Completion,
	cobra.ShellCompDirective) {
	var out []cobra.Completion
	source := ""
	for _, s := range p.statements() {
		if all := path.Dir(s.Slug) + "/*"; all != source {
			source = all
			out = append(out, cobra.CompletionWithDesc(all, "all claims of this source"))
		}
		out = append(out, cobra.CompletionWithDesc(s.Slug, s.Title))
	}
	out = slices.DeleteFunc(out, func(c cobra.Completion) bool {
		slug, _, _ := strings.Cut(c, "\t")
		return slices.Contains(args, slug)
	})
	return out, cobra.ShellCompDirectiveNoFileComp
}

// defaultResults is the file of the last run.
var defaultResults = filepath.Join(defaultOut, "results.json")

// resultsFlag registers the flag that says where the last verdicts are.
func resultsFlag(cmd *cobra.Command, target *string) {
	cmd.Flags().StringVar(target, "results", defaultResults, "results file with the last verdicts")
	_ = cmd.MarkFlagFilename("results", "json")
}

// last reads the results of the last run. No file is no results; a file that cannot be read is a warning.
func (p *program) last(file string) *results.Results {
	r, err := reports.Read(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &results.Results{}
	case err != nil:
		fmt.Fprintf(p.Stderr, "%s: warning: the last verdicts are not shown: %v\n", p.Name, err)
		return &results.Results{}
	}
	return r
}
