package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/history"
	"github.com/thm-suite/thm/internal/stylesheet"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props/figure"
)

// trackFlags are the flags of benchgate track and its subcommands.
type trackFlags struct {
	path   string // of the commands
	record string
	policy history.Policy
	allow  history.Allowances
	json   bool
}

func (c *commands) trackCommand() *cobra.Command {
	f := trackFlags{path: c.path, policy: history.DefaultPolicy()}
	cmd := &cobra.Command{
		Use:   "track",
		Short: "Keep runs of benchmarks, and find when their numbers changed",
		Long: `Keep files of benchgate run as a history, find the runs at which the numbers changed,
and fit how cost grows with size. Without a subcommand, say what the history shows.

A change point is found where a series of medians splits into two parts that differ
more than the best split of the same runs in random order does. The chance of any in
series in which nothing changed is at most --alpha for all series of a machine, at one
look. That takes runs: two series need 12, a hundred 18, before anything can be
found. Runs on different machines are never compared.`,
		Example: `  benchgate run -n 10 --out run.txt && benchgate track add run.txt
  benchgate track                the change points
  benchgate track page           one HTML file with a chart for each benchmark
  benchgate track check          exit code 1 if the newest run shows a new change for the worse`,
		Args: func(cmd *cobra.Command, args []string) error { return cli.UnknownCommand(cmd, args) },
		RunE: func(cmd *cobra.Command, _ []string) error {
			h, err := f.load()
			if err != nil {
				return err
			}
			a := h.Analyse(f.policy)
			if f.json {
				text, err := a.JSON()
				if err != nil {
					return err
				}
				return c.Print(string(text))
			}
			return c.Print(a.Text())
		},
	}
	flags := cmd.PersistentFlags()
	flags.StringVar(&f.record, "record", c.history, "`DIR` of the history")
	flags.Float64Var(&f.policy.Alpha, "alpha", f.policy.Alpha,
		"chance of any false change point on a machine, at one look")
	flags.Float64Var(&f.policy.Margin, "zone", f.policy.Margin,
		"smallest relative change that counts as worse or better; 0.05 is 5 %")
	flags.IntVar(&f.policy.Block, "block", f.policy.Block,
		"permute blocks of `N` runs, for machines with good and bad weeks")
	flags.StringSliceVar(&f.policy.Units, "units", nil,
		"`UNITS` that are tracked (default sec/op, B/op, allocs/op and exact units)")
	cmd.Flags().BoolVar(&f.json, "json", false, "print the analysis as JSON")
	_ = cmd.MarkPersistentFlagDirname("record")
	cmd.AddCommand(c.trackAddCommand(&f), c.trackPageCommand(&f), c.trackCheckCommand(&f), c.trackStudyCommand())
	return cmd
}

// load checks the policy and reads the history.
func (f *trackFlags) load() (*history.History, error) {
	if err := f.policy.Validate(); err != nil {
		return nil, fmt.Errorf("the policy: %w", err)
	}
	h, err := history.Load(f.record)
	if err != nil {
		return nil, absent(err, f.record)
	}
	if len(h.Runs) == 0 {
		return nil, fmt.Errorf("%s: no run is recorded; add one with %s track add FILE", f.record, f.path)
	}
	return h, nil
}

// absent explains a history that is not there.
func absent(err error, dir string) error {
	var e *fs.PathError
	if errors.As(err, &e) && e.Path == dir {
		return fmt.Errorf("%s: %w; name the directory of the history with --record", dir, e.Err)
	}
	return err
}

func (c *commands) trackAddCommand(f *trackFlags) *cobra.Command {
	var machine string
	cmd := &cobra.Command{
		Use:   "add FILE",
		Short: "Put a run on record",
		Long: `Put a file that benchgate run wrote on record, in a folder that is named for its date,
machine and commit. A machine is its system, processor and number of processors;
--machine tells apart machines that look the same. Folders appear at once and
complete, and are never written again; changes to them are detected.`,
		Example: "  benchgate track add bench-20261121-150405.txt\n  benchgate track add --machine lab-2 run.txt",
		Args:    cli.Args(1, 1, "one FILE of "+c.path+" run"),
		RunE: func(_ *cobra.Command, words []string) error {
			at, err := history.Add(f.record, words[0], machine)
			if err != nil {
				return err
			}
			return c.Print("recorded in " + at + "\n")
		},
	}
	cmd.Flags().StringVar(&machine, "machine", "", "`LABEL` of the machine, of lower-case letters, digits and hyphens")
	_ = cmd.RegisterFlagCompletionFunc("machine", cobra.NoFileCompletions)
	return cmd
}

func (c *commands) trackPageCommand(f *trackFlags) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "page",
		Short: "Write the history as one HTML file",
		Long: "Write the history as one HTML file that needs nothing else: a chart for each benchmark,\nthe " +
			"change points, and the fitted costs.",
		Example: "  benchgate track page\n  benchgate track page --out public/benchmarks.html",
		Args:    cli.Args(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			h, err := f.load()
			if err != nil {
				return err
			}
			page := h.Page(f.policy, f.allow, history.Look{CSS: stylesheet.CSS(), Draw: drawHistory})
			if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
				return fmt.Errorf("%w; choose another file with --out", err)
			}
			if err := atomicfile.Write(out, page); err != nil {
				return fmt.Errorf("%w; choose another file with --out", err)
			}
			return c.Print("wrote " + out + "\n")
		},
	}
	cmd.Flags().StringVar(&out, "out", "reports/latest/bench.html", "`FILE` to write")
	_ = cmd.MarkFlagFilename("out", "html")
	return cmd
}

// drawHistory draws a figure of a history, with its runs on the horizontal axis if it has any.
func drawHistory(f figure.Figure, id string, runs []history.Place) string {
	if runs == nil {
		return draw.SVG(f, id)
	}
	places := make([]draw.Place, len(runs))
	for i, r := range runs {
		places[i] = draw.Place(r)
	}
	return draw.Placed(f, id, places)
}

func (c *commands) trackCheckCommand(f *trackFlags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Fail when the newest run shows a new change for the worse",
		Long: `Ask whether the newest run has brought a change for the worse to light: one that the
history shows with this run and not without it. It may have begun some runs before.
Only runs on the machine of the newest, with samples of the same length, count.

  0  pass        no such change
  1  regression  at least one; its row, size and first commit are named
  2  unusable    no history, or one that was tampered with
  3  undecided   a row has too few runs to tell a change from chance, or the newest
                 run lacks a row or holds a failure

α is the chance of a false alarm at one look. A check after every run has it each
time; benchgate diff and gate judge a single change without a history.`,
		Example: "  benchgate track check\n  benchgate track check --alpha 0.001 --zone 0.1 --allow-short --json",
		Args:    cli.Args(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			h, err := f.load()
			if err != nil {
				return err
			}
			v := h.Check(f.policy, f.allow)
			if asJSON {
				text, err := json.MarshalIndent(v, "", "  ")
				if err != nil {
					return err
				}
				if err := c.Print(string(text) + "\n"); err != nil {
					return err
				}
			} else if v.Code == compare.Pass {
				return c.Print(v.Name + ": " + v.Reason + "\n")
			}
			if v.Code == compare.Pass {
				return nil
			}
			return cli.Exit{Code: v.Code, Err: fmt.Errorf("%s: %s", v.Name, v.Reason)}
		},
	}
	cmd.Flags().BoolVar(&f.allow.Short, "allow-short", false, "pass if the rows with enough runs do")
	cmd.Flags().BoolVar(&f.allow.Missing, "allow-missing", false, "pass if rows of the run before are missing")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the verdict as JSON as well")
	return cmd
}

func (c *commands) trackStudyCommand() *cobra.Command {
	var out string
	s := history.Published()
	cmd := &cobra.Command{
		Use:   "study",
		Short: "Measure the false alarms and the power of change points",
		Long: "Simulate series in which nothing changes, and series that change, and count what is\nfound: the " +
			"evidence for α and for how many runs it takes. Takes two minutes of processor time.",
		Example: "  benchgate track study\n  benchgate track study --series 200 --out /tmp/study.md",
		Args:    cli.Args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if s.Series < 10 || s.Series > 1000000 {
				return fmt.Errorf("--series %d: this is a whole number from 10 to a million", s.Series)
			}
			if s != history.Published() && !cmd.Flags().Changed("out") {
				return errors.New("a study that differs from the published one needs another file; name it with --out")
			}
			if err := cli.WritableFile("out", out); err != nil {
				return err
			}
			m := terminal.NewProgress(c.Stderr, c.Name, false)
			text := s.Markdown(func(done, planned int) { m.Count("simulating", done, planned, 0) })
			m.Close()
			if err := atomicfile.Write(out, []byte(text)); err != nil {
				return cli.Exit{Code: cli.Unsettled, Err: err}
			}
			_, summary, _ := strings.Cut(text, "## Tables and watching\n\n")
			summary, _, _ = strings.Cut(summary, "\n\n## Power")
			return c.Print(summary + "\nwrote " + out + "\n")
		},
	}
	cmd.Flags().StringVar(&out, "out", "internal/gate/history/study.md", "`FILE` to write")
	cmd.Flags().IntVar(&s.Series, "series", s.Series, "simulated series per cell of the tables")
	_ = cmd.MarkFlagFilename("out", "md")
	return cmd
}
