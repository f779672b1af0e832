package command

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
)

// checkFlags holds the flags of thm check.
type checkFlags struct {
	commonFlags
	shard    runs.Shard
	digest   bool
	progress string
	against  string
	budget   time.Duration
	profile  cli.Profiling

	dryRun, failFast, failedFirst bool
}

func (f *checkFlags) register(cmd *cobra.Command) {
	*f = checkFlags{commonFlags: flagsAt(props.Standard, defaultOut), shard: runs.Undivided, progress: "text",
		budget: runs.DeepBudget * time.Second}
	flags := cmd.Flags()
	f.add(cmd, "effort", "seed", "jobs", "out: directory of the report",
		"json: print the results of this run as JSON instead of the table", "quiet", "no-color")
	flags.Var(cli.NewValue(&f.shard, "I/N", runs.ParseShard), "shard",
		"do the I-th of N parts of the work; join them with thm merge")
	flags.Var(cli.NewValue(&f.budget, "TIME", parseBudget), "budget",
		"processor time that deep effort may spend, such as 90m")
	flags.BoolVar(&f.digest, "digest", false, "print the digest of the results instead of the table")
	flags.BoolVar(&f.dryRun, "dry-run", false, "only print the plan of the run and its estimated time")
	flags.BoolVar(&f.failFast, "fail-fast", false, "stop at the first claim that is refuted")
	flags.BoolVar(&f.failedFirst, "failed-first", false, "begin with the claims that were not green in the last run")
	flags.Var(cli.NewValue(&f.progress, "FORM", parseProgress), "progress", "progress as text, or as json: a line each")
	addAgainst(cmd, &f.against, "(default: those that it replaces)")
	f.profile.Register(flags)
	cmd.MarkFlagsMutuallyExclusive("json", "digest")
	_ = cmd.RegisterFlagCompletionFunc("progress",
		cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("shard", cobra.NoFileCompletions)
	_ = cmd.RegisterFlagCompletionFunc("budget", cobra.NoFileCompletions)
}

// budgeted sets the effort to deep if a budget is given.
func (f *checkFlags) budgeted(cmd *cobra.Command) error {
	switch flags := cmd.Flags(); {
	case !flags.Changed("budget"):
	case flags.Changed("effort") && f.effort != props.Deep:
		return fmt.Errorf("a budget is for deep effort: leave out --effort %s or --budget", f.effort)
	default:
		f.effort = props.Deep
	}
	return nil
}

func parseBudget(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, errors.New("a budget is a positive time with its unit, such as 90m or 2h")
	}
	return d, nil
}

func parseProgress(text string) (string, error) {
	if text != "text" && text != "json" {
		return "", fmt.Errorf("progress is text or json")
	}
	return text, nil
}

// outputs returns how to print the results.
func (f checkFlags) outputs(w io.Writer) outputs {
	return outputs{json: f.json, digest: f.digest, style: terminal.StyleOf(w, f.noColor)}
}
