package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
)

func (p *program) falsifyCommand() *cobra.Command {
	f := flagsAt(props.Quick, "")
	var all bool
	cmd := &cobra.Command{
		Use:   "falsify [PATTERN...]",
		Short: "Make every closed form wrong, step by step, and see its row turn red",
		Long: `Multiply each closed form of the claims that match any PATTERN, or of all, by 1+ε and by
1-ε, ε from 1e-16 to 1000, and say at which ε the checks are red. A closed form passes if
that is ten times the resolution that the row shows; or, for one that enters a comparison
with less weight, a hundred times the ε at which its error shows in any ratio. A tolerance
that grows with the error lets it show, and stays green. A closed form that may be a
thousand times as large is one that no check looks at.

Exit codes: 0 every closed form turned its row red; 1 one did not; 2 bad usage;
3 interrupted.`,
		Example:           "  thm falsify {claim}\n  thm falsify '{source}/*' --all",
		ValidArgsFunction: p.completePatterns,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			selected, err := runs.Select(p.claims, patterns...)
			if err != nil {
				return err
			}
			return p.falsify(cmd.Context(), selected, f, all)
		},
	}
	f.add(cmd, "effort", "jobs", "quiet")
	cmd.Flags().BoolVar(&all, "all", false, "list every closed form, and not only those that stay green")
	return cmd
}

func (p *program) falsify(ctx context.Context, claims []props.Claim, f commonFlags, all bool) error {
	o := props.Options{Effort: f.effort, Seed: f.seed, Jobs: f.jobs}
	show := terminal.NewProgress(p.Stderr, "falsify", f.quiet)
	ctx, stop := cli.Interruptible(ctx, show.Note)
	defer stop()
	defer shareThreads(o.Jobs)()
	done := 0
	o.Progress = func(e props.Event) {
		if e.Finished != nil {
			done++
			show.Set(fmt.Sprintf("%d of %s", done, terminal.Plural(len(claims), "claim")))
		}
	}
	rows := props.Falsify(ctx, claims, o)
	show.Close()
	var text strings.Builder
	tried, red := 0, 0
	for _, row := range rows {
		for _, c := range row.Controls {
			tried++
			if c.Rejected {
				red++
			}
			if all || !c.Rejected {
				fmt.Fprintf(&text, "%s: %s, %s: %s\n", row.ID, c.Check, c.Name, c.Message)
			}
		}
	}
	fmt.Fprintf(&text, "red: %d of %s, of %s\n", red, terminal.Plural(tried, "closed form"),
		terminal.Plural(len(rows), "claim"))
	if err := p.Print(text.String()); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return cli.Exit{Code: cli.Unsettled, Err: ctx.Err()}
	case red < tried:
		return cli.Exit{Code: cli.Refuted}
	}
	return nil
}
