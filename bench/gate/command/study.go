package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/gate/study"
	"github.com/thm-suite/thm/internal/terminal"
)

// studyFlags are the flags of benchgate study.
type studyFlags struct {
	study.Options
	out   string
	quick bool
	quiet bool
	judge bool // the samples that there are
}

func (c *commands) studyCommand() *cobra.Command {
	return cli.Group(&cobra.Command{
		Use:   "study",
		Short: "Measure the false alarms and the power of these tools",
		Long: `Measure how often benchgate is wrong, on this machine as it is, and publish it with its
raw data. Needs the source of this module. A study that was interrupted goes on
where it stopped; one that is complete is only judged and drawn again.`,
	},
		c.oneStudy("null", "Compare a binary with itself, and count false alarms",
			`Compare a binary with itself, again and again, and count the false alarms of
benchgate diff and gate, of benchstat on files that were measured one after the
other, and of a 10 % threshold, all on the same occasions.`, 200, study.Null),
		c.oneStudy("power", "Slow a benchmark down, and count how often it is found",
			`Compare a binary with itself slowed down by 2, 3, 5, 10 and 20 per cent, and count
how often benchgate diff finds it, beside the power that it promised from a pilot
before the slow code ran.`, 100, study.Power),
		c.countStudy(),
		// add here
	)
}

// studying makes a study, as study.Null and study.Power do.
type studying func(context.Context, study.Options) (*study.Data, error)

func (c *commands) oneStudy(name, short, long string, comparisons int, run studying) *cobra.Command {
	f := studyFlags{}
	cmd := &cobra.Command{
		Use:   name,
		Short: short,
		Long: long + `

Writes NAME.jsonl.gz (the raw data), NAME.json, NAME.md and NAME.svg to --out.
Ctrl-C keeps what was measured; the same command goes on.`,
		Example: "  benchgate study " + name + "\n  benchgate study " + name + " --quick --out /tmp/study",
		Args:    cli.Args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.quick {
				if !cmd.Flags().Changed("out") {
					return errors.New("--quick is too small to be published; give another directory with --out")
				}
				f.Comparisons, f.Rounds, f.Looks, f.Pilot, f.Benchtime = 1, 6, 1, min(f.Pilot, 6), "1ms"
			}
			if f.Comparisons < 1 || f.Comparisons > 100000 {
				return fmt.Errorf("--comparisons %d: this is a whole number from 1 to 100000", f.Comparisons)
			}
			if name == "power" && (f.Pilot < 2 || f.Pilot > 1000) {
				return fmt.Errorf("--pilot %d: this is a whole number from 2 to 1000", f.Pilot)
			}
			return c.study(cmd, &f, name, run)
		},
	}
	f.Rounds, f.Benchtime, f.Looks = 10, "10ms", 2
	if name == "power" {
		f.Looks, f.Pilot = 1, 5
	}
	flags := cmd.Flags()
	if name == "power" {
		flags.IntVar(&f.Pilot, "pilot", f.Pilot, "rounds from which the power is estimated, as many as those of "+
			"benchgate diff")
	}
	flags.StringVar(&f.out, "out", "reports/published/study", "`DIR` of the data and results")
	flags.StringVarP(&f.Root, "dir", "C", ".", "root `DIR` of this module's source")
	flags.IntVar(&f.Comparisons, "comparisons", comparisons, "how many comparisons")
	f.Seed = 1
	flags.Var(cli.NewValue(&f.Seed, "N", cli.ParseSeed), "seed", "seed of the random order")
	flags.BoolVar(&f.quick, "quick", false, "one tiny comparison, to see that it runs")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
	_ = cmd.MarkFlagDirname("out")
	return cmd
}

func (c *commands) study(cmd *cobra.Command, f *studyFlags, name string, run studying) error {
	if err := os.MkdirAll(f.out, 0o755); err != nil {
		return fmt.Errorf("%w; choose another directory with --out", err)
	}
	packed := filepath.Join(f.out, name+".jsonl.gz")
	f.Data = filepath.Join(f.out, name+".jsonl")
	data, err := published(packed, f.Data)
	if err != nil {
		return err
	}
	if data == nil || len(data.Comparisons) < f.Comparisons {
		if data != nil {
			if err := data.Restore(f.Data); err != nil {
				return err
			}
		}
		m := terminal.NewProgress(c.Stderr, c.Name, f.quiet)
		f.Progress = func(done, planned int, left time.Duration) { m.Count("comparing", done, planned, left) }
		ctx, stop := cli.Interruptible(cmd.Context(), m.Stopping)
		data, err = run(ctx, f.Options)
		stop()
		m.Close()
		if errors.Is(err, context.Canceled) {
			return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("interrupted; the same command goes on with %s",
				f.Data)}
		}
		if err != nil {
			return err
		}
	}
	return c.publishStudy(f, name, data, packed)
}

// published reads data that are complete; none if there are none, or if a study goes on beside them.
func published(packed, open string) (*study.Data, error) {
	if _, err := os.Stat(open); err == nil {
		return nil, nil
	}
	data, err := study.ReadFile(packed)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// publishStudy writes the results, then the packed data in place of the open ones.
func (c *commands) publishStudy(f *studyFlags, name string, data *study.Data, packed string) error {
	result, err := data.Publish()
	if err != nil {
		return err
	}
	text, err := study.JSON(result.Result)
	if err != nil {
		return err
	}
	var raw bytes.Buffer
	if err := data.Compress(&raw); err != nil {
		return err
	}
	for _, file := range []struct {
		path    string
		content []byte
	}{
		{filepath.Join(f.out, name+".json"), text},
		{filepath.Join(f.out, name+".md"), []byte(result.Markdown)},
		{filepath.Join(f.out, name+".svg"), []byte(draw.SVG(result.Figure, "study-"+name) + "\n")},
		{packed, raw.Bytes()},
	} {
		if err := atomicfile.Write(file.path, file.content); err != nil {
			return cli.Exit{Code: cli.Unsettled, Err: err}
		}
	}
	if err := os.Remove(f.Data); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cli.Exit{Code: cli.Unsettled, Err: err}
	}
	return c.Print(result.Markdown)
}
