package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/gate/study"
	"github.com/thm-suite/thm/internal/terminal"
)

func (c *commands) countStudy() *cobra.Command {
	f := studyFlags{}
	cmd := &cobra.Command{
		Use:   "instructions",
		Short: "Count instructions of slowed benchmarks, and how often each is found",
		Long: `Count the instructions, and measure the time, of three benchmarks of this module and
of two that work with modules of others, unchanged and slowed down by 1, 2 and 5 per
cent, and count how often benchgate diff and benchstat find that, and how often they
accuse what did not change: 200 comparisons with the same binary, and 50 with one that
differs in a comment or in another function. Fetches the two modules through the go
command. Takes 780 samples, each two processes under a simulator where the kernel gives
no counters: half an hour on a quiet machine, half of that with two --jobs.

Writes instructions.jsonl.gz (the raw data), instructions.json and instructions.md to
--out. Ctrl-C keeps what was measured; the same command goes on.`,
		Example: "  benchgate study instructions\n  benchgate study instructions --rounds 20 --out /tmp/study",
		Args:    cli.Args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.Rounds < 10 || f.Rounds > 1000 || f.Comparisons < 1 || f.Comparisons > 100000 {
				return errors.New("--rounds is a whole number from 10 to 1000, and --comparisons one from 1 to 100000")
			}
			if f.Jobs < 1 || f.Jobs > 100 {
				return fmt.Errorf("--jobs %d: this is a whole number from 1 to 100", f.Jobs)
			}
			return c.countStudyRun(cmd, &f)
		},
	}
	f.Seed, f.Benchtime = 1, "20ms"
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "reports/published/study", "`DIR` of the data and results")
	flags.StringVarP(&f.Root, "dir", "C", ".", "root `DIR` of this module's source")
	flags.IntVar(&f.Jobs, "jobs", 1, "how many samples are taken at the same time; more than one disturb the time, and "+
		"not the counts")
	flags.BoolVar(&f.judge, "judge", false, "publish what was measured so far; without this flag the "+
		"same command goes on")
	flags.IntVar(&f.Rounds, "rounds", 12, "how often each benchmark and slowdown is sampled")
	flags.IntVar(&f.Comparisons, "comparisons", 100, "how many comparisons of each slowdown are drawn from the "+
		"samples, and twice as many tables of unchanged code")
	flags.Var(cli.NewValue(&f.Seed, "N", cli.ParseSeed), "seed", "seed of the random order")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
	_ = cmd.MarkFlagDirname("out")
	return cmd
}

// countStudyRun measures what is missing, and publishes.
func (c *commands) countStudyRun(cmd *cobra.Command, f *studyFlags) error {
	if err := os.MkdirAll(f.out, 0o755); err != nil {
		return fmt.Errorf("%w; choose another directory with --out", err)
	}
	f.Data = filepath.Join(f.out, "instructions.jsonl")
	packed := f.Data + ".gz"
	text, missing, err := c.countedBefore(f, packed)
	if err == nil && missing && f.judge {
		text, err = os.ReadFile(f.Data)
	} else if err == nil && missing {
		text, err = c.count(cmd, f)
	}
	if err != nil {
		return err
	}
	return c.publishCounts(f, text, packed)
}

// countedBefore reads published data, and reports whether there are fewer rounds than asked for; then they are opened
// again, so that the study goes on.
func (c *commands) countedBefore(f *studyFlags, packed string) (text []byte, missing bool, err error) {
	if _, err := os.Stat(f.Data); err == nil {
		return nil, true, nil
	}
	text, err = study.ReadPacked(packed)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, true, nil
	}
	if err != nil {
		return nil, false, err
	}
	_, all, err := study.ReadCounts(text)
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", packed, err)
	}
	if study.WholeRounds(all) >= f.Rounds {
		return text, false, nil
	}
	return nil, true, os.WriteFile(f.Data, text, 0o644)
}

// count takes the samples that are missing, and returns all data.
func (c *commands) count(cmd *cobra.Command, f *studyFlags) ([]byte, error) {
	m := terminal.NewProgress(c.Stderr, c.Name, f.quiet)
	f.Progress = func(done, planned int, left time.Duration) { m.Count("sampling", done, planned, left) }
	ctx, stop := cli.Interruptible(cmd.Context(), m.Stopping)
	err := study.Count(ctx, f.Options)
	stop()
	m.Close()
	if errors.Is(err, context.Canceled) {
		return nil, cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("interrupted; the same command goes on with %s",
			f.Data)}
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(f.Data)
}

// publishCounts writes the results, then the packed data in place of the open ones.
func (c *commands) publishCounts(f *studyFlags, text []byte, packed string) error {
	plan, all, err := study.ReadCounts(text)
	if err != nil {
		return err
	}
	result, err := study.JudgeCounts(plan, all, f.Comparisons)
	if err != nil {
		return err
	}
	document, err := study.JSON(result)
	if err != nil {
		return err
	}
	var raw bytes.Buffer
	if err := study.Pack(&raw, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
		return err
	}
	for _, file := range []struct {
		path    string
		content []byte
	}{
		{filepath.Join(f.out, "instructions.json"), document},
		{filepath.Join(f.out, "instructions.md"), []byte(result.Markdown())},
		{packed, raw.Bytes()},
	} {
		if err := atomicfile.Write(file.path, file.content); err != nil {
			return cli.Exit{Code: cli.Unsettled, Err: err}
		}
	}
	if err := os.Remove(f.Data); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cli.Exit{Code: cli.Unsettled, Err: err}
	}
	return c.Print(result.Markdown())
}
