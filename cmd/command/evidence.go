package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/props/evidence"
)

func (p *program) evidenceCommand() *cobra.Command {
	base, all := "origin/main", false
	cmd := &cobra.Command{
		Use:   "evidence",
		Short: "List the ways in which this change weakens pinned evidence",
		Long: `Compare the pinned evidence in the work tree with the evidence at the commit where this
branch left --base, and describe every difference: a coarser resolution, a wider margin,
fewer cases, a control that is grosser or gone. Evidence is every file that
props.TestPinned wrote into a folder testdata/evidence.

A check that became weaker is refused, unless the message of a commit since then ends
with a line that names its claim (several claims are separated by commas):

  Weakens: {claim}

Exit codes: 0 nothing is weaker, or commits name whatever is; 1 something is weaker and
no commit names it; 2 bad usage.`,
		Example: "  thm evidence\n  thm evidence --base HEAD~3",
		Args:    cli.Args(0, 0, "no words"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			changes, err := evidence.Changes(cmd.Context(), ".", base)
			if err != nil {
				return err
			}
			return p.printChanges(changes, base, all)
		},
	}
	cmd.Flags().StringVar(&base, "base", base, "branch or commit into which this change will be merged")
	cmd.Flags().BoolVar(&all, "all", false, "also list what has changed without becoming weaker")
	return cmd
}

// printChanges prints a list that reads well in a terminal and is Markdown.
func (p *program) printChanges(changes []evidence.Change, base string, all bool) error {
	var text strings.Builder
	var weaker []string
	others := 0
	for _, c := range changes {
		said := ""
		if c.Named {
			said = ", as a commit says"
		}
		for _, d := range c.Departures {
			switch {
			case d.Weaker:
				fmt.Fprintf(&text, "- %s, weaker%s: %s\n", c.Claim, said, d.Text)
			case all:
				fmt.Fprintf(&text, "- %s: %s\n", c.Claim, d.Text)
			default:
				others++
			}
		}
		if c.Weaker() {
			weaker = append(weaker, c.Claim)
		}
	}
	if text.Len() == 0 {
		fmt.Fprintf(&text, "Nothing of the pinned evidence is weaker than at %s.\n", base)
	}
	if others > 0 {
		fmt.Fprintf(&text, "Changed and not weaker: %d, which --all lists.\n", others)
	}
	if len(weaker) > 0 {
		fmt.Fprintf(&text, "Weaker, and no commit says so. One that means it ends with the line\nWeakens: %s\n",
			strings.Join(weaker, ", "))
	}
	if err := p.Print(text.String()); err != nil {
		return err
	}
	if len(weaker) > 0 {
		return cli.Exit{Code: cli.Refuted}
	}
	return nil
}
