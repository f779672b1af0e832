package command

import (
	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"

	"github.com/thm-suite/thm/internal/reports/console"
	"github.com/thm-suite/thm/internal/reports/runs"
)

// shown is the output of thm show --json.
type shown struct {
	Schema string `json:"schema"`
	*theory.Statement
	Last *results.Claim `json:"last"` // the row of the last run; null if it has none
}

func (p *program) showCommand() *cobra.Command {
	var results string
	var f commonFlags
	var template bool
	var check string
	cmd := &cobra.Command{
		Use:   "show SLUG",
		Short: "Show a claim in full, and its last evidence",
		Long: `Show one claim in full: the statement, its setting and its assumptions; where it was
printed, and where we deviate from that source; which printed forms are false; and the
evidence of the last run.`,
		Example:           "  thm show {claim}\n  thm show {name} --json\n  thm show {tensors} --template > write.py",
		Args:              cli.Args(1, 1, "one SLUG"),
		ValidArgsFunction: p.completeSlug,
		RunE: func(_ *cobra.Command, words []string) error {
			c, err := runs.One(p.claims, words[0])
			if err != nil {
				return err
			}
			if template {
				text, err := c.Template(check)
				if err != nil {
					return err
				}
				return p.Print(p.named(text))
			}
			last := p.last(results)
			width, _ := terminal.Size(p.Stdout)
			return p.present(f, shown{"thm.show/v1", c.Statement, runs.Row(last, c.Statement.Slug)},
				func(s terminal.Style) string { return console.Claim(c, last, results, s, min(width, 100)) })
		},
	}
	resultsFlag(cmd, &results)
	f.add(cmd, "json: print the statement as JSON, with the row of the last run", "no-color")
	cmd.Flags().BoolVar(&template, "template", false, "print a Python script that writes a file for thm certify")
	cmd.Flags().StringVar(&check, "check", "", "with --template, the check that is to judge the file")
	return cmd
}

// completeSlug offers the slug of one claim.
func (p *program) completeSlug(_ *cobra.Command, args []string, _ string) ([]cobra.Completion,
	cobra.ShellCompDirective) {
	var out []cobra.Completion
	for _, s := range p.statements() {
		if len(args) == 0 {
			out = append(out, cobra.CompletionWithDesc(s.Slug, s.Title))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
