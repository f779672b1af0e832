package command

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/props"
)

// planFlags holds the flags of thm plan: those of thm check, and the scheduler.
type planFlags struct {
	checkFlags
	form, image, program string
	shards               int
}

func (p *program) planCommand() *cobra.Command {
	f := planFlags{checkFlags: checkFlags{commonFlags: flagsAt(props.Standard, ""), budget: runs.DeepBudget * time.Second},
		shards: 4}
	cmd := &cobra.Command{
		Use:   "plan [PATTERN...]",
		Short: "Write a run in parts for Slurm, Kubernetes or CI",
		Long: `Divide a run of the claims that match any PATTERN into shards, and print the file that a
scheduler needs for it: an sbatch script with an array and a merge that depends on it,
an Indexed Job, or a matrix of CI jobs. From eight shards on, the merge is divided as
well. Nothing is submitted, so read the file and change it as you need.

Jobs run this same program, which must have the same path on every node; --program names
another one. For Kubernetes and GitLab, --image names an image that contains {program} and Go.`,
		Example: `  thm plan --form slurm --shards 64 --effort deep --out /scratch/{program} > {program}.sh; bash {program}.sh
  thm plan --form kubernetes --shards 16 '{source}/*' --image registry.example.org/{program} --out /data
  thm plan --form github --shards 8 --out report > .github/workflows/{program}.yml`,
		ValidArgsFunction: p.completePatterns,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			if err := f.budgeted(cmd); err != nil {
				return err
			}
			return p.plan(f, patterns)
		},
	}
	flags := cmd.Flags()
	choice(cmd, &f.form, runs.Forms, "form", "FORM", "a form", "scheduler")
	flags.Var(cli.NewValue(&f.shards, "N", parseShards), "shards", "number of parts")
	f.add(cmd, "effort", "seed", "out: directory of the parts and the report, on storage that all jobs share")
	flags.Var(cli.NewValue(&f.budget, "TIME", parseBudget), "budget",
		"processor time that deep effort may spend, such as 90m")
	flags.StringVar(&f.program, "program", "", "path of this program where the jobs run")
	flags.StringVar(&f.image, "image", "", "container image, for kubernetes and gitlab")
	for _, name := range []string{"form", "out"} {
		_ = cmd.MarkFlagRequired(name)
	}
	return cmd
}

func parseShards(text string) (int, error) {
	s, err := runs.ParseShard("1/" + text)
	if err != nil {
		return 0, fmt.Errorf("the number of shards is positive, as in 64")
	}
	return s.Parts(), nil
}

func (p *program) plan(f planFlags, patterns []string) error {
	selected, err := runs.Select(p.claims, patterns...)
	if err != nil {
		return err
	}
	o := f.options(p, patterns)
	run := runs.Schedule{Command: runs.Quote(append([]string{p.Name}, os.Args[1:]...)...), Program: f.program,
		Args: slices.Concat(patterns, runs.Flags(o)), Shards: f.shards, Claims: len(selected), Out: f.out, Image: f.image}
	for _, part := range props.Shards(props.Plan(selected, o, runs.Costs()), f.shards) {
		seconds := 0.0
		for _, unit := range part {
			seconds += unit.Cost
		}
		run.Seconds, run.Longest = run.Seconds+seconds, max(run.Longest, seconds)
	}
	switch f.form {
	case "slurm":
		if run.Program == "" {
			run.Program, err = os.Executable()
		}
		if err == nil {
			run.Out, err = filepath.Abs(run.Out)
		}
	case "kubernetes":
		if run.Program == "" {
			run.Program = "/thm"
		}
		if run.Image == "" || !filepath.IsAbs(run.Out) {
			err = fmt.Errorf("kubernetes takes a container with --image, and in --out the absolute path where its volume is")
		}
	default:
		run.Program = "./thm"
		if f.form == "gitlab" && run.Image == "" {
			run.Image = "golang:1.26"
		}
		if filepath.IsAbs(run.Out) {
			err = fmt.Errorf("%s keeps what lies in the directory of the job: give a relative path with --out", f.form)
		}
	}
	if err != nil {
		return err
	}
	text, err := run.Text(f.form)
	if err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: err}
	}
	return p.Print(text)
}
