package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/theory"
)

// The exit codes. Results choose between the first, second and last themselves (props.Results.ExitCode).
const (
	exitGreen     = 0
	exitRefuted   = 1 // also: something generated is stale
	exitUsage     = 2
	exitUnsettled = 3   // undecided, incomplete, or broken
	exitKilled    = 130 // a second Ctrl-C, in the shell's convention
)

// program is the command with its surroundings, so that tests can give it other claims and streams.
type program struct {
	claims         []props.Claim
	stdout, stderr io.Writer
}

// exit ends the command with a code other than that of bad usage. Without an error it says nothing.
type exit struct {
	code int
	err  error
}

func (e exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e exit) Unwrap() error { return e.err }

// run executes one command line and returns the exit code. Every error is one line on stderr; an error that does not
// say otherwise is one of usage.
func (p *program) run(args []string) (code int) {
	defer func() {
		if r := recover(); r != nil { // the runtime's own exit code would mean bad usage
			fmt.Fprintf(p.stderr, "thm: internal error: %v\n%s", r, debug.Stack())
			code = exitUnsettled
		}
	}()
	root := p.root()
	root.SetArgs(append([]string{}, args...))
	err := root.Execute()
	if err == nil {
		return exitGreen
	}
	e := exit{exitUsage, err}
	errors.As(err, &e)
	if e.err != nil {
		fmt.Fprintf(p.stderr, "thm: %s\n", strings.Join(strings.Fields(e.err.Error()), " "))
	}
	return e.code
}

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

// unknownCommand refuses words that name no command, and says which ones are close.
func unknownCommand(parent *cobra.Command, words []string) error {
	if len(words) == 0 {
		return nil
	}
	parent.SuggestionsMinimumDistance = 2
	message := fmt.Sprintf("unknown command %q for %s", words[0], parent.CommandPath())
	if close := parent.SuggestionsFor(words[0]); len(close) > 0 {
		message += "; did you mean " + strings.Join(close, " or ") + "?"
	}
	return fmt.Errorf("%s; see %s --help", message, parent.CommandPath())
}

// print writes a command's whole output at once and reports what becomes of it.
func (p *program) print(text string) error {
	if _, err := io.WriteString(p.stdout, text); err != nil {
		return exit{exitUnsettled, fmt.Errorf("writing the output: %w", err)}
	}
	return nil
}

func (p *program) statements() []*theory.Statement { return statementsOf(p.claims) }

func statementsOf(claims []props.Claim) []*theory.Statement {
	out := make([]*theory.Statement, len(claims))
	for i, c := range claims {
		out[i] = c.Statement
	}
	return out
}

// wants checks the number of a command's words, and otherwise says what they should be.
func wants(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return fmt.Errorf("%s wants %s; see %s --help", cmd.CommandPath(), what, cmd.CommandPath())
		}
		return nil
	}
}
