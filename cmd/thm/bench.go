package main

import "github.com/spf13/cobra"

func (p *program) benchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure speed, compare it, and gate on it",
		Long: `Measure the Go benchmarks of any module and say what changed, with a stated
probability of a false alarm. Each subcommand has its own help.`,
		Example: `  thm bench peers --quick     this module against NumPy
  thm bench vcl --quick       steps of virtual covariance learning by every method
  thm bench compare old.txt new.txt
  thm bench gate old.txt new.txt`,
		Args: func(cmd *cobra.Command, args []string) error { return unknownCommand(cmd, args) },
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		p.benchPeersCommand(),
		p.benchVCLCommand(),
		p.benchRecordCommand(),
	// add here
	)
	cmd.AddCommand(newCommands(p.output, "thm bench")...)
	return cmd
}
