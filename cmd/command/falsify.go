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
		Long: `Take each closed form of the claims that match any PATTERN, or of all claims, multiply
it by 1+ε and by 1-ε for ε from 1e-16 to 1000, and print the smallest ε at which a check
turns red. A closed form passes if that ε is at most ten times the resolution in the
claim's row. A closed form that enters a comparison with less weight passes at a hundred
times the ε at which any ratio reveals its error. If the tolerance grows with the error,
the ratios reveal it but the row stays green. If even a thousandfold change stays green,
no check looks at the closed form.

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
