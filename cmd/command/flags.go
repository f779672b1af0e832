package command

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
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
		switch name {
		case "effort":
			choice(cmd, &f.effort, results.Efforts, name, "EFFORT", "an effort", use)
			continue
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
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
}

// choice registers a flag for one of some values, of which the help and the refusal of others have the list.
func choice[T ~string](cmd *cobra.Command, target *T, values []T, name, kind, noun, use string) {
	names := list.Map(values, func(v T) string { return string(v) })
	cmd.Flags().Var(cli.NewValue(target, kind, func(text string) (T, error) {
		if !slices.Contains(values, T(text)) {
			return "", fmt.Errorf("%s is one of %s", noun, strings.Join(names, ", "))
		}
		return T(text), nil
	}), name, use+": "+strings.Join(names, ", "))
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

// between reads a whole number within bounds.
func between(low, high int, refusal string) func(text string) (int, error) {
	return func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < low || n > high {
			return 0, errors.New(refusal)
		}
		return n, nil
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
