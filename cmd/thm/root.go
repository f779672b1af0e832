package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/theory"
)

// program is the command with its surroundings, so that tests can give it other claims and streams.
type program struct {
	output
	claims []props.Claim
}

func (p *program) run(args []string) int { return p.runRoot(p.root, args) }

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "thm",
		Short: "Verify theorems about feature learning against implementations",
		Long: `thm verifies the claims of its catalogue: it runs every claim's checks on an
implementation, runs the wrong versions that the same checks must reject,
refutes the printed errors again, and measures how wrong a formula could have
been without being noticed.

A claim is named by its slug, SOURCE/NAME. Where a PATTERN is asked for, a glob
will do: 'vcl/*', residual, '*spike*'.

Exit codes: 0 everything holds and every wrong version was rejected; 1 something
is refuted or a wrong version was accepted; 2 bad usage, nothing was done;
3 undecided, incomplete or broken.`,
		Example: `  thm check                 verify everything
  thm check 'vcl/*' --effort quick
  thm show vcl/residual     what a claim says, and the last evidence
  thm completion bash       shell completion`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          func(cmd *cobra.Command, args []string) error { return unknownCommand(cmd, args) },
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	kernelFlag(root)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
	})
	root.AddCommand(
		p.checkCommand(),
		p.listCommand(),
		p.showCommand(),
		p.predictCommand(),
		p.tryCommand(),
		p.certifyCommand(),
		p.reportCommand(),
		p.mergeCommand(),
		p.kernelsCommand(),
		p.benchCommand(),
		p.dataCommand(),
		p.experimentCommand(),
		p.docsCommand(),
		p.versionCommand(),
		// add here
	)
	root.InitDefaultHelpCmd()
	if help, _, err := root.Find([]string{"help"}); err == nil {
		help.Args = func(_ *cobra.Command, args []string) error {
			found, rest, _ := root.Find(args)
			return unknownCommand(found, rest)
		}
	}
	return root
}

func (p *program) statements() []*theory.Statement { return statementsOf(p.claims) }

func statementsOf(claims []props.Claim) []*theory.Statement {
	out := make([]*theory.Statement, len(claims))
	for i, c := range claims {
		out[i] = c.Statement
	}
	return out
}
