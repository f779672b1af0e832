package command

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/gate/compare"
)

func (c *commands) gateCommand() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "gate OLD NEW | gate RESULT.json",
		Short: "Fail when benchmarks got worse, at a bounded rate of false alarms",
		Long: `Compare two files of Go benchmark results as benchgate compare does, and exit by a
declared policy:

  0  pass        every gated row is the same, better, or new
  1  regression  a row is worse by more than --zone and the noise floor
  2  unusable    a file is empty, cut, of another machine or another Go, holds a
                 failure or NaN, or no benchmark is in both
  3  undecided   a row is neither; the table says how many samples would decide
                 (--undecided allowed lets it pass and says what may be hidden).
                 Also a benchmark that NEW lacks (--missing)

Samples that go test -count took in one process count as one.

Gated are time (sec/op), B/op, allocs/op and the units that the files declare with
assume=exact and better=. Exact units and constant allocations are compared
exactly, the others by intervals; see --zones.

Results taken one file after the other can differ because the machine changed.
benchgate diff measures both versions interleaved; use it where you can.

With one file, a table that --report json=FILE wrote is printed and gated again.`,
		Example: `  benchgate gate old.txt new.txt
  benchgate gate --zone 0.1 --units sec/op old.txt new.txt
  benchgate gate --report json=gate.json --format github old.txt new.txt
  benchgate gate --format markdown gate.json`,
		Args: cli.Args(1, 2, "OLD and NEW, or one RESULT.json"),
		RunE: func(cmd *cobra.Command, words []string) error {
			if err := f.settle(cmd.Flags()); err != nil {
				return err
			}
			table, err := gated(cmd, words, &f)
			if err != nil {
				return err
			}
			if err := c.emit(table, &f); err != nil {
				return err
			}
			if o := table.Outcome(); o.Code == compare.Pass && (f.format == "text" || f.format == "brief") {
				return c.Print(o.Name + ": " + o.Reason + "\n")
			}
			return outcome(table)
		},
	}
	f.register(cmd.Flags(), "pkg", "brief")
	return cmd
}

// gated makes the table of two files of results, or reads one.
func gated(cmd *cobra.Command, words []string, f *compareFlags) (*compare.Table, error) {
	if len(words) == 2 {
		return compare.Files(words, f.options, f.policy)
	}
	if !strings.HasSuffix(words[0], ".json") {
		return nil, fmt.Errorf("%s wants OLD and NEW, or one RESULT.json; see %s --help", cmd.CommandPath(),
			cmd.CommandPath())
	}
	file, err := os.Open(words[0])
	if err != nil {
		return nil, err
	}
	defer file.Close()
	table, err := compare.ReadJSON(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", words[0], err)
	}
	return table, nil
}

// outcome ends a command with the code of a table; anything but a pass is said on stderr.
func outcome(t *compare.Table) error {
	o := t.Outcome()
	if o.Code == compare.Pass {
		return nil
	}
	return cli.Exit{Code: o.Code, Err: fmt.Errorf("%s: %s", o.Name, o.Reason)}
}
