package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// Root gives a program its root command with the subcommands: errors are left to [Output.Run], and words that
// name no command are refused, those of help too.
func Root(o Output, root *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	Group(root)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetOut(o.Stdout)
	root.SetErr(o.Stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
	})
	root.AddCommand(commands...)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil && completion != root {
		Group(completion)
		completion.Example = fmt.Sprintf("  %[1]s completion bash > /etc/bash_completion.d/%[1]s\n"+
			"  %[1]s completion fish | source", root.Name())
	}
	if help, _, err := root.Find([]string{"help"}); err == nil {
		help.Args = func(_ *cobra.Command, args []string) error {
			found, rest, _ := root.Find(args)
			return UnknownCommand(found, rest)
		}
	}
	return root
}

// Group gives a command its subcommands. Alone it prints its help, and it refuses words that name none of them.
func Group(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.Args = UnknownCommand
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.AddCommand(commands...)
	return cmd
}
