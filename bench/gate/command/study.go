package command

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/gate/study"
	"github.com/thm-suite/thm/internal/terminal"
)

// studies lists the studies with published data, and what each says of itself.
var studies = []struct{ name, short, long string }{
	{"null", "Count the false alarms on identical binaries",
		`A binary was compared with itself, again and again: count the false alarms of
benchgate diff and gate, of benchstat on files that were measured one after the other,
and of a 10 % threshold, all on the same occasions.`},
	{"power", "Count how often a known slowdown was found",
		`A binary was compared with itself slowed down by 2, 3, 5, 10 and 20 per cent: count
how often benchgate diff finds it, with the power that it
promised from a pilot before the slow code ran.`},
	{"trial", "Count how often changes of modules of others were found",
		`Changes of no, of 0.5 to 20 per cent more instructions and of one allocation more were
planted into six modules from the module proxy: count how often benchgate diff finds
them, and how often it accuses what did not change.`},
	{"pairs", "Count how often files of identical code are told apart",
		`Files as go test -count 1, 2, 3, 6 and 10 writes them, of one to ten processes, from
five modules, one of which has a hash seed of its own in every process: count the
400 pairs of identical code that benchgate gate accuses.`},
	// add here
}

func (c *commands) studyCommand() *cobra.Command {
	var all []*cobra.Command
	for _, s := range studies {
		out, what := "", ""
		cmd := &cobra.Command{
			Use:   s.name,
			Short: s.short,
			Long: s.long + fmt.Sprintf(`

Judges the raw data in %[1]s.jsonl.gz with the rules as they are now, prints the result
and writes it next to the data, as %[1]s.json and %[1]s.md and perhaps a figure.`, s.name),
			Example: "  benchgate study " + s.name,
			Args:    cli.Args(0, 0, "no arguments"),
			RunE: func(cmd *cobra.Command, _ []string) error {
				if what != "" {
					if err := c.measureStudy(cmd.Context(), s.name, what, out); err != nil {
						return err
					}
				}
				return c.study(s.name, out)
			},
		}
		if measuring[s.name] != nil {
			cmd.Flags().StringVar(&what, "measure", "", "first measure what the data lack: `counts`, or time on a machine that "+
				"does nothing else")
			cmd.Flags().Lookup("measure").NoOptDefVal = "counts"
		}
		cmd.Flags().StringVar(&out, "out", "reports/published/study", "`DIR` of the data and results")
		_ = cmd.MarkFlagDirname("out")
		all = append(all, cmd)
	}
	return cli.Group(&cobra.Command{
		Use:   "study",
		Short: "Judge the published studies of these tools again",
		Long: `Say how often benchgate is wrong, computed from the raw data published with its source.
Each result names the commit whose code measured the data. To see how often benchgate is
wrong on another machine, run benchgate diff HEAD HEAD --all there; it compares a
revision with itself.`,
	}, all...)
}

// measuring are the studies that this version can measure, into a file, and what of each.
var measuring = map[string]map[string]func(ctx context.Context, path, commit string, note func(string)) error{
	"trial": {"counts": study.MeasureTrial, "time": study.MeasureTime},
	"pairs": {"counts": study.MeasurePairs},
}

// measureStudy measures what the data of a study lack. It keeps the modules that it has when it is interrupted.
func (c *commands) measureStudy(ctx context.Context, name, what, dir string) error {
	run := measuring[name][what]
	if run == nil {
		return fmt.Errorf("--measure=%s: of %s are measured %s", what, name,
			strings.Join(slices.Sorted(maps.Keys(measuring[name])), " and "))
	}
	m := terminal.NewProgress(c.Stderr, c.Name, false)
	ctx, stop := cli.Interruptible(ctx, m.Stopping)
	commit, _ := measure.Revision(ctx, ".")
	err := run(ctx, filepath.Join(dir, name+".jsonl.gz"), commit, m.Set)
	stop()
	m.Close()
	return c.conclude("", err)
}

// study judges published data, and writes the result next to them.
func (c *commands) study(name, dir string) error {
	text, err := study.ReadPacked(filepath.Join(dir, name+".jsonl.gz"))
	if err != nil {
		return err
	}
	result, err := study.Publish(text)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	document, err := study.JSON(result.Result)
	if err != nil {
		return err
	}
	files := map[string][]byte{".json": document, ".md": []byte(result.Markdown)}
	if len(result.Figure.Curves) > 0 {
		files[".svg"] = []byte(draw.Standalone(draw.SVG(result.Figure, "study-"+name)))
	}
	for suffix, content := range files {
		if err := atomicfile.Write(filepath.Join(dir, name+suffix), content); err != nil {
			return cli.Exit{Code: cli.Unsettled, Err: err}
		}
	}
	return c.Print(result.Markdown)
}
