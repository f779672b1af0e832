package command

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
)

// commonFlags holds the flags that several commands share.
type commonFlags struct {
	effort               props.Effort
	seed                 uint64
	jobs                 int
	out                  string
	json, quiet, noColor bool
}

// flagsAt returns the defaults of the flags.
func flagsAt(e props.Effort, out string) commonFlags {
	return commonFlags{effort: e, seed: 1, jobs: runtime.GOMAXPROCS(0), out: out}
}

// uses holds the default descriptions of the flags.
var uses = map[string]string{
	"effort": "size of the run", "seed": "seed of all random streams", "json": "print JSON",
	"jobs":  "cells that run at a time; the results do not depend on it",
	"quiet": "no progress on stderr",
}

// add registers flags, each by its name or as "name: description".
func (f *commonFlags) add(cmd *cobra.Command, names ...string) {
	flags := cmd.Flags()
	for _, name := range names {
		name, use, own := strings.Cut(name, ": ")
		if !own {
			use = uses[name]
		}
		complete := cobra.CompletionFunc(cobra.NoFileCompletions)
		switch name {
		case "effort":
			flags.Var(cli.NewValue(&f.effort, "EFFORT", parseEffort), name, use+": "+efforts())
			complete = cobra.FixedCompletions(strings.Split(efforts(), ", "), cobra.ShellCompDirectiveNoFileComp)
		case "seed":
			flags.Var(cli.NewValue(&f.seed, "N", cli.ParseSeed), name, use)
		case "jobs":
			flags.Var(cli.NewValue(&f.jobs, "N", cli.ParseJobs), name, use)
		case "out":
			flags.StringVar(&f.out, name, f.out, use)
			_ = cmd.MarkFlagDirname(name)
			continue
		case "json":
			flags.BoolVar(&f.json, name, false, use)
		case "quiet":
			flags.BoolVar(&f.quiet, name, false, use)
		case "no-color":
			cli.NoColorFlag(flags, &f.noColor)
		}
		_ = cmd.RegisterFlagCompletionFunc(name, complete)
	}
}

// present prints the results of a command, as JSON or as text.
func (p *program) present(f commonFlags, found any, text func(terminal.Style) string) error {
	if f.json {
		return p.PrintJSON(found)
	}
	return p.Print(text(terminal.StyleOf(p.Stdout, f.noColor)))
}

// say writes lines of progress, or nothing if that is to be quiet.
func (p *program) say(quiet bool) func(text string) {
	return func(text string) {
		if !quiet {
			fmt.Fprintln(p.Stderr, text)
		}
	}
}
