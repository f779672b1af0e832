package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/catalog"
	"github.com/thm-suite/thm/theory"

	"github.com/thm-suite/thm/internal/terminal"
)

func (p *program) listCommand() *cobra.Command {
	var results string
	var asJSON, noColor bool
	cmd := &cobra.Command{
		Use:   "list [PATTERN...]",
		Short: "List the catalogue with the last verdicts",
		Long: `List the claims that match any PATTERN, or all of them: slug, kind, standing, the
verdict of the last run, title and source. A claim that the last run did not
verify has the verdict -.`,
		Example: `  thm list
  thm list 'onestep/*'
  thm list --json`,
		ValidArgsFunction: p.completePatterns,
		RunE: func(_ *cobra.Command, patterns []string) error {
			selected, err := catalog.Select(p.claims, patterns...)
			if err != nil {
				return err
			}
			if asJSON {
				return p.listJSON(selected, p.last(results))
			}
			return p.Print(listTable(selected, p.last(results)).Render(terminal.StyleOf(p.Stdout, noColor)))
		},
	}
	resultsFlag(cmd, &results)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cli.NoColorFlag(cmd.Flags(), &noColor)
	return cmd
}

func listTable(claims []props.Claim, last *props.Results) *terminal.Table {
	t := terminal.NewTable(terminal.Left("claim"), terminal.Left("kind"), terminal.Left("standing"),
		terminal.Left("verdict"), terminal.Left("title"), terminal.Left("source"))
	for _, c := range claims {
		s := c.Statement
		verdict := terminal.Text("-")
		if row := rowOf(last, s.Slug); row != nil {
			sign, paint := mark(*row)
			verdict = terminal.Painted(sign+" "+string(row.Verdict), paint)
		}
		t.Add(terminal.Text(s.Slug), terminal.Text(string(s.Kind)), terminal.Text(string(s.Standing)), verdict,
			terminal.Text(s.Title), terminal.Text(shortSource(s.Source)))
	}
	return t
}

// shortSource is the number of the paper, or its authors where it has none, and the place in it.
func shortSource(s theory.Source) string {
	name, _, _ := strings.Cut(s.Paper, ":")
	if s.ArXiv != "" {
		name = "arXiv " + s.ArXiv
	}
	return name + ", " + s.Locus
}

// listed is an entry of the catalogue in JSON.
type listed struct {
	Slug     string          `json:"slug"`
	Title    string          `json:"title"`
	Kind     theory.Kind     `json:"kind"`
	Standing theory.Standing `json:"standing"`
	Source   theory.Source   `json:"source"`
	Verdict  props.Verdict   `json:"verdict"` // empty when the last run did not verify it
}

func (p *program) listJSON(claims []props.Claim, last *props.Results) error {
	out := []listed{}
	for _, c := range claims {
		s := c.Statement
		entry := listed{s.Slug, s.Title, s.Kind, s.Standing, s.Source, ""}
		if row := rowOf(last, s.Slug); row != nil {
			entry.Verdict = row.Verdict
		}
		out = append(out, entry)
	}
	return p.PrintJSON(out)
}
