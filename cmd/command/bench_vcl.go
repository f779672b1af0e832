package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/bench/record"
	"github.com/thm-suite/thm/internal/bench/vcl"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/terminal"

	"github.com/thm-suite/thm/internal/list"
)

// vclRounds are the rounds of a record.
const vclRounds = 10

// vclFlags holds the flags of thm bench vcl.
type vclFlags struct {
	commonFlags
	quick  bool
	rounds int
}

func (p *program) benchVCLCommand() *cobra.Command {
	f := vclFlags{rounds: vclRounds}
	methods := vcl.VCLMethods()[2:]
	cmd := &cobra.Command{
		Use:   "vcl [METHOD...]",
		Short: "Time steps of virtual covariance learning",
		Long: `Time one step of virtual covariance learning on layers of several shapes, by every
method that suits the shape (` + strings.Join(methods, ", ") + `), compared with the
paper's route (eigenvectors of the n×n target, then singular vectors) on the same
kernels and with the step of plain gradient descent; whole training steps, compared
with those of gradient descent; and the cost as a function of n, m and the batch, with
the operation counts. Processor time on one thread, methods in turns. Takes some minutes.

Every step is verified before it is timed: its Gram matrix, and for exact methods
that it is the nearest. The error is the error of the step relative to its length, or
for methods that are not exact the gap: the excess of the squared distance from the old
weights over the minimum, relative to the minimum.

Exit codes: 0 measured, whether or not a target is met; 1 a step is wrong; 2 bad usage;
3 the run was interrupted or broke.`,
		Example: `  thm bench vcl
  thm bench vcl polar --rounds 3
  thm bench vcl --quick --json > vcl.json`,
		ValidArgs: methods,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, m := range args {
				if !slices.Contains(methods, m) {
					return fmt.Errorf("no method is called %q; there are %s, and sgd and full are always measured", m,
						strings.Join(methods, ", "))
				}
			}
			return p.benchVCL(cmd, f, vcl.VCLPlan{Quick: f.quick, Rounds: f.rounds, Methods: args})
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.quick, "quick", false, "small shapes only, which takes a second")
	flags.Var(cli.NewValue(&f.rounds, "N", between(1, 1000, "rounds is a whole number from 1 to 1000")), "rounds",
		"rounds in which the methods take turns")
	f.add(cmd, "json", "quiet", "no-color")
	_ = cmd.RegisterFlagCompletionFunc("rounds", cobra.NoFileCompletions)
	return cmd
}

func (p *program) benchVCL(cmd *cobra.Command, f vclFlags, plan vcl.VCLPlan) error {
	say := p.say(f.quiet)
	r, err := measureVCL(cmd, plan, "thm bench vcl", say)
	if err != nil {
		return err
	}
	return p.present(f.commonFlags, record.VCLReport(r), func(s terminal.Style) string {
		tables := list.Map(record.VCLTables(r), func(t *terminal.Table) string { return t.Render(s) })
		return strings.Join(tables, "\n")
	})
}

// benchRecordVCL writes the measurement for the documents.
func (p *program) benchRecordVCL(cmd *cobra.Command, out string, quick bool, say func(string)) error {
	if err := cli.WritableFile("out", out); err != nil {
		return err
	}
	command := record.VCLCommand
	if quick {
		command += " --quick"
	}
	r, err := measureVCL(cmd, vcl.VCLPlan{Quick: quick, Rounds: vclRounds}, command, say)
	if err != nil {
		return err
	}
	encoded, err := record.EncodeVCL(r)
	return p.keepRecord(out, encoded, err)
}

// measureVCL measures, notes the facts, and chooses the exit code if something went wrong.
func measureVCL(cmd *cobra.Command, plan vcl.VCLPlan, command string, say func(string)) (*record.VCL, error) {
	ctx, stop := cli.Interruptible(cmd.Context(), say)
	defer stop()
	if len(plan.Methods) == 0 {
		plan.Methods = nil
	}
	commit, dirty := measure.Revision(ctx, ".")
	r, err := record.RunVCL(ctx, plan, say)
	if err := measured(ctx, err); err != nil {
		return nil, err
	}
	r.Commit, r.Dirty, r.Date, r.Command = commit, dirty, time.Now().UTC().Format(time.DateOnly), command
	return r, nil
}
