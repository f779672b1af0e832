package command

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

func (p *program) costsCommand() *cobra.Command {
	var missing bool
	out, seconds := runs.CostsFile, 0.3
	cmd := &cobra.Command{
		Use:   "costs [PATTERN...]",
		Short: "Measure the cost of the checks at each effort",
		Long: `Run a few units of work of every check at every effort, one after the other, and write
the cost of a case to a table. Plans are made from this table: it balances shards,
limits deep effort to its budget, and gives the times that --dry-run prints. If you stop
the command, the file keeps the results so far; --missing continues with the checks
that are not in it.`,
		Example:           "  thm costs\n  thm costs {name}\n  thm costs --missing",
		ValidArgsFunction: p.completePatterns,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			selected, err := runs.Select(p.claims, patterns...)
			if err != nil {
				return err
			}
			return p.costs(cmd.Context(), selected, missing, seconds, out)
		},
	}
	cmd.Flags().BoolVar(&missing, "missing", false, "only claims with a check that the table lacks")
	cmd.Flags().Float64Var(&seconds, "seconds", seconds, "least processor time for each check and effort")
	cmd.Flags().StringVar(&out, "out", out, "the table")
	return cmd
}

func (p *program) costs(ctx context.Context, claims []props.Claim, missing bool, seconds float64, out string) error {
	ctx, stop := cli.Interruptible(ctx, p.say(false))
	defer stop()
	defer shareThreads(1 << 10)()
	table := maps.Clone(runs.Costs())
	var failed error
	for i, c := range claims {
		slug := c.Statement.Slug
		if missing && costsKnown(c, table) {
			continue
		}
		p.say(false)(fmt.Sprintf("%s, %d of %s", slug, i+1, terminal.Plural(len(claims), "claim")))
		rates := map[string]props.Rate{}
		for at, e := range results.Efforts {
			measured, err := c.SampleRates(ctx, props.Options{Effort: e, Seed: 1}, seconds)
			if ctx.Err() != nil {
				return cli.Exit{Code: cli.Unsettled, Err: ctx.Err()}
			}
			failed = errors.Join(failed, err)
			for key, seconds := range measured {
				rate, known := rates[key]
				for k := range rate {
					if k == at || !known || k > at { // deep effort may have nothing of its own
						rate[k] = seconds
					}
				}
				rates[key] = rate
			}
		}
		maps.Copy(table, rates)
		if err := runs.WriteCosts(out, table); err != nil {
			return cli.Exit{Code: cli.Unsettled, Err: err}
		}
	}
	if failed != nil {
		return cli.Exit{Code: cli.Unsettled, Err: failed}
	}
	return nil
}

// costsKnown reports whether a table has all checks of a claim.
func costsKnown(c props.Claim, table map[string]props.Rate) bool {
	return !slices.ContainsFunc(c.CheckNames(), func(name string) bool {
		_, known := table[props.CostKey(c.Statement.Slug, name)]
		return !known
	})
}
