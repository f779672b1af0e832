package command

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/bench/alignment"
	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/internal/cli"
)

func (p *program) alignmentCommand() *cobra.Command {
	s, out := alignment.Printed, "reports/latest/alignment"
	cmd := &cobra.Command{
		Use:   "alignment",
		Short: "Repeat the kernel-alignment figures on adaptive tangent features",
		Long: `Repeat figures 1 and 3 of the paper on adaptive tangent features: networks are trained
on MNIST's classes 2 and 3, on the best linear fit of the classes with random features
and on its signs, and their averaged tangent kernels are compared with what they learnt,
beside what Theorem 1 predicts. Writes results.json, report.md and alignment.svg.

A run of 500 pictures takes about a minute on one core, one of 5000 ten.

Exit codes: 0 everything planned was run; 1 a run broke; 2 bad usage, or no data;
3 interrupted.`,
		Example: `  thm data fetch mnist && thm alignment
  thm alignment --samples 5000 --runs 2 --out /tmp/alignment`,
		Args: cli.Args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error { return p.alignment(cmd.Context(), s, out) },
	}
	flags := cmd.Flags()
	flags.IntVar(&s.Samples, "samples", s.Samples, "pictures to train on, at least 256 and the 500 of the kernels")
	flags.IntVar(&s.Epochs, "epochs", s.Epochs, "passes over the pictures")
	flags.IntVar(&s.Runs, "runs", s.Runs, "runs, of two networks each; intervals need two")
	flags.Var(cli.NewValue(&s.Seed, "N", cli.ParseSeed), "seed", "seed of all random streams")
	flags.StringVar(&out, "out", out, "directory of the report")
	_ = cmd.MarkFlagDirname("out")
	return cmd
}

func (p *program) alignment(ctx context.Context, s alignment.Settings, out string) error {
	if s.Samples < s.Kernel || s.Epochs < 1 || s.Runs < 1 {
		return cli.Exit{Code: cli.Usage, Err: fmt.Errorf("--samples=%d --epochs=%d --runs=%d: take at least %d, 1 and 1",
			s.Samples, s.Epochs, s.Runs, s.Kernel)}
	}
	known, err := data.FindKnown(s.Dataset)
	if err != nil {
		return err
	}
	dir, err := data.DefaultDir()
	if err != nil {
		return err
	}
	set, err := known.Open(dir)
	if err != nil {
		return cli.Exit{Code: cli.Usage, Err: fmt.Errorf("%w; thm data fetch %s gets it", err, s.Dataset)}
	}
	ctx, stop := cli.Interruptible(ctx, func(text string) { fmt.Fprintln(p.Stderr, text) })
	defer stop()
	pairs, err := alignment.Run(ctx, set, s, func(done, planned int) {
		fmt.Fprintf(p.Stderr, "run %d of %d\n", done, planned)
	})
	if err != nil {
		return err
	}
	result := alignment.NewResult(s, pairs)
	if err := writeAlignment(out, result); err != nil {
		return err
	}
	for _, f := range result.Findings {
		if err := p.Print(fmt.Sprintf("%-10s %-10s %.3f (%.3f to %.3f)\n", f.ID, f.Verdict, f.Estimate, f.Low,
			f.High)); err != nil {
			return err
		}
	}
	if len(pairs) < s.Runs {
		return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("%d of %d runs", len(pairs), s.Runs)}
	}
	return p.Print("report: " + filepath.Join(out, "report.md") + "\n")
}

// writeAlignment writes the three files of a report.
func writeAlignment(dir string, r alignment.Result) error {
	encoded, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, text := range map[string]string{"results.json": string(encoded) + "\n", "report.md": r.Markdown(),
		"alignment.svg": r.Figure()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
