package command

import (
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
)

// checkFlags are the flags of thm check.
type checkFlags struct {
	effort   props.Effort
	seed     uint64
	jobs     int
	shard    runs.Shard
	out      string
	json     bool
	digest   bool
	quiet    bool
	noColor  bool
	progress string
	profile  cli.Profiling

	dryRun, failFast, failedFirst bool
}

func (f *checkFlags) register(cmd *cobra.Command) {
	*f = checkFlags{effort: props.Standard, seed: 1, jobs: runtime.GOMAXPROCS(0), shard: runs.Undivided, progress: "text"}
	flags := cmd.Flags()
	flags.Var(cli.NewValue(&f.effort, "EFFORT", parseEffort), "effort", "size of the run: "+efforts())
	flags.Var(cli.NewValue(&f.seed, "N", cli.ParseSeed), "seed", "seed of all random streams")
	flags.Var(cli.NewValue(&f.jobs, "N", cli.ParseJobs), "jobs",
		"cells that run at a time; the results do not depend on it")
	flags.Var(cli.NewValue(&f.shard, "I/N", runs.ParseShard), "shard",
		"do the I-th of N parts of the work; join them with thm merge")
	flags.StringVar(&f.out, "out", defaultOut, "directory of the report")
	flags.BoolVar(&f.json, "json", false, "print the results of this run as JSON instead of the table")
	flags.BoolVar(&f.digest, "digest", false, "print the digest of the results instead of the table")
	flags.BoolVar(&f.dryRun, "dry-run", false, "say what would be done and how long it would take, and do nothing")
	flags.BoolVar(&f.failFast, "fail-fast", false, "stop at the first claim that is refuted")
	flags.BoolVar(&f.failedFirst, "failed-first", false, "begin with what was not green in the last run")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
	flags.Var(cli.NewValue(&f.progress, "FORM", parseProgress), "progress", "progress as text, or as json: a line each")
	cli.NoColorFlag(flags, &f.noColor)
	f.profile.Register(flags)
	cmd.MarkFlagsMutuallyExclusive("json", "digest")
	_ = cmd.RegisterFlagCompletionFunc("effort",
		cobra.FixedCompletions(strings.Split(efforts(), ", "), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("progress",
		cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.MarkFlagDirname("out")
	for _, name := range []string{"seed", "jobs", "shard"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
}

func parseProgress(text string) (string, error) {
	if text != "text" && text != "json" {
		return "", fmt.Errorf("progress is text or json")
	}
	return text, nil
}

// outputs says how the results are to be printed.
func (f checkFlags) outputs(w io.Writer) outputs {
	return outputs{json: f.json, digest: f.digest, style: terminal.StyleOf(w, f.noColor)}
}
