package command

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/terminal"
)

// compareFlags are the flags that benchgate compare and benchgate gate have in common.
type compareFlags struct {
	options compare.Options
	policy  compare.Policy
	margins []string
	file    string // of the policy
	format  string
	reports []string
	badge   string
	noColor bool
}

func (f *compareFlags) register(flags *pflag.FlagSet, table, format string) {
	flags.StringVar(&f.options.Filter, "filter", "*", "use only results that match the benchstat `FILTER`")
	flags.StringVar(&f.options.Table, "table", table, "split tables by these benchstat `KEYS`")
	flags.StringVar(&f.options.Row, "row", ".fullname", "split rows by these `KEYS`")
	flags.StringVar(&f.options.Col, "col", ".file", "split columns by these `KEYS`")
	flags.StringVar(&f.options.Ignore, "ignore", "", "ignore differences in these `KEYS`")
	f.policyFlags(flags)
	f.outputFlags(flags, format)
}

// policyFlags overrule a policy file.
func (f *compareFlags) policyFlags(flags *pflag.FlagSet) {
	f.policy = compare.DefaultPolicy()
	flags.StringVar(&f.file, "policy", "", "JSON `FILE` of the policy; the flags below overrule it")
	flags.Float64Var(&f.policy.Alpha, "alpha", f.policy.Alpha, "chance of any wrong verdict in the whole table")
	flags.Float64Var(&f.policy.Margin, "zone", f.policy.Margin, "smallest relative change that matters; 0.05 is 5 %")
	flags.StringSliceVar(&f.policy.Units, "units", nil,
		"`UNITS` that are gated (default sec/op, B/op, allocs/op and exact units)")
	flags.StringSliceVar(&f.margins, "zones", nil, "margins of single units, as `UNIT=X`,...")
	flags.StringVar(&f.policy.Missing, "missing", f.policy.Missing,
		"how to judge a benchmark that is missing from NEW: undecided, unusable, allowed")
	flags.StringVar(&f.policy.GateOn, "gate-on", "", "which measurement decides: time, instructions, or both (counts "+
		"decide, unless time is sure of the contrary); by default both if instructions were counted, else time")
	flags.StringVar(&f.policy.Undecided, "undecided", compare.MissingUndecided,
		"how to judge a row that the data leave open: undecided (exit code 3), or allowed (pass if nothing is worse)")
	flags.BoolVar(&f.policy.DifferentMachine, "allow-different-machine", false,
		"compare results of different machines, or of different versions of Go")
}

func (f *compareFlags) outputFlags(flags *pflag.FlagSet, format string) {
	flags.StringVar(&f.format, "format", format, "what to print: "+strings.Join(compare.Formats, ", "))
	flags.StringArrayVar(&f.reports, "report", nil, "also write `FORMAT=FILE`; may be given several times")
	flags.StringVar(&f.badge, "badge", "", "also write the outcome as a badge, an SVG `FILE`, as --report badge=FILE does")
	cli.NoColorFlag(flags, &f.noColor)
}

func parseMargins(parts []string) (map[string]float64, error) {
	out := map[string]float64{}
	for _, part := range parts {
		unit, number, ok := strings.Cut(part, "=")
		margin, err := strconv.ParseFloat(number, 64)
		if !ok || err != nil || unit == "" {
			return nil, fmt.Errorf("--zones: %q is not of the form UNIT=X, as in ratio=0.5", part)
		}
		out[unit] = margin
	}
	return out, nil
}

// settle reads the policy file, lets flags that were given overrule it, and checks the outputs.
func (f *compareFlags) settle(flags *pflag.FlagSet) error {
	if flags.Changed("zones") {
		margins, err := parseMargins(f.margins)
		if err != nil {
			return err
		}
		f.policy.Margins = margins
	}
	if f.file != "" {
		read, err := readPolicy(f.file)
		if err != nil {
			return err
		}
		flagged := f.policy
		f.policy = read
		for name, take := range map[string]func(){
			"alpha":                   func() { f.policy.Alpha = flagged.Alpha },
			"zone":                    func() { f.policy.Margin = flagged.Margin },
			"units":                   func() { f.policy.Units = flagged.Units },
			"zones":                   func() { f.policy.Margins = flagged.Margins },
			"missing":                 func() { f.policy.Missing = flagged.Missing },
			"gate-on":                 func() { f.policy.GateOn = flagged.GateOn },
			"undecided":               func() { f.policy.Undecided = flagged.Undecided },
			"allow-different-machine": func() { f.policy.DifferentMachine = flagged.DifferentMachine },
		} {
			if flags.Changed(name) {
				take()
			}
		}
	}
	if err := f.policy.Validate(); err != nil {
		return fmt.Errorf("the policy: %w", err)
	}
	if f.policy.Undecided == compare.MissingUndecided {
		f.policy.Undecided = "" // the default, as a document has it
	}
	if !slices.Contains(compare.Formats, f.format) {
		return fmt.Errorf("--format %s: a format is one of %s", f.format, strings.Join(compare.Formats, ", "))
	}
	if f.badge != "" {
		f.reports = append(f.reports, "badge="+f.badge)
	}
	for _, out := range f.reports {
		format, file, ok := strings.Cut(out, "=")
		if !ok || file == "" || !slices.Contains(compare.Formats, format) {
			return fmt.Errorf("--report %s is not of the form FORMAT=FILE with a format of %s", out,
				strings.Join(compare.Formats, ", "))
		}
		if dir := filepath.Dir(file); !folder(dir) { // a measurement of minutes must not end with this
			return fmt.Errorf("--report %s: there is no folder %s", out, dir)
		}
	}
	return nil
}

// folder reports whether a path is a folder.
func folder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func readPolicy(file string) (compare.Policy, error) {
	f, err := os.Open(file)
	if err != nil {
		return compare.Policy{}, fmt.Errorf("the policy %s: %w", file, errors.Unwrap(err))
	}
	defer f.Close()
	policy, err := compare.ReadPolicy(f)
	if err != nil {
		return policy, fmt.Errorf("the policy %s: %w", file, err)
	}
	return policy, nil
}

// emit writes the table to the files of --report and prints it. The files come first, so that the printed table is the
// last word. A device or pipe, as GitHub gives for its summaries, is written to and not replaced.
func (c *commands) emit(t *compare.Table, f *compareFlags) error {
	for _, out := range f.reports {
		format, file, _ := strings.Cut(out, "=")
		if err := writeTable(t, format, file); err != nil {
			return cli.Exit{Code: cli.Usage, Err: fmt.Errorf("writing %s: %w", file, err)}
		}
	}
	var text strings.Builder
	if err := t.Render(&text, f.format); err != nil {
		return err
	}
	if f.format != "text" && f.format != "brief" {
		return c.Print(text.String())
	}
	return c.Print(paintVerdicts(terminal.StyleOf(c.Stdout, f.noColor), text.String()))
}

// verdictAtEnd matches the end of a row of a table: the verdict, the samples that it needs, and a footnote mark.
var verdictAtEnd = regexp.MustCompile(`(?m)  (\w+)( \(not gated\))?(, needs n=\d+)?( [⁰¹²³⁴⁵⁶⁷⁸⁹]+)?$`)

func paintVerdicts(s terminal.Style, text string) string {
	if !s.On {
		return text
	}
	return verdictAtEnd.ReplaceAllStringFunc(text, func(end string) string {
		switch verdict := verdictAtEnd.FindStringSubmatch(end)[1]; verdict {
		case "slower", "worse", "unusable":
			return s.Paint(terminal.Red, end)
		case "undecided", "missing", "changed":
			return s.Paint(terminal.Yellow, end)
		case "faster", "better":
			return s.Paint(terminal.Green, end)
		case "same", "added":
			return s.Paint(terminal.Faint, end)
		}
		return end
	})
}

func writeTable(t *compare.Table, format, file string) error {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		w, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		defer w.Close()
		return t.Render(w, format)
	}
	var b bytes.Buffer
	if err := t.Render(&b, format); err != nil {
		return err
	}
	return atomicfile.Write(file, b.Bytes())
}

func (c *commands) compareCommand() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare OLD [NEW...]",
		Short: "Compare files of benchmark results, and say what changed",
		Long: `Compare files of Go benchmark results with the numbers of benchstat, an interval
for the change, the noise floor, and a verdict for each row: faster, slower,
same (the change is within the margin), or undecided. All verdicts of the table
together are wrong with probability at most --alpha.

A file is PATH, LABEL=PATH, or - for the standard input. The flags --filter,
--table, --row, --col and --ignore are benchstat's. One file is compared with
itself by a key of its benchmarks, as in --col /impl, or summarised.

The exit code is 0 whatever the verdicts are; benchgate gate is for builds.`,
		Example: `  go test -run '^$' -bench . -count 10 . | tee old.txt
  benchgate compare old.txt new.txt
  benchgate compare --filter '.unit:ns/op /n:64' before=old.txt after=new.txt
  benchgate compare --col /impl --row .name new.txt`,
		Args: cli.Args(1, -1, "at least one file of results"),
		RunE: func(cmd *cobra.Command, words []string) error {
			if err := f.settle(cmd.Flags()); err != nil {
				return err
			}
			table, err := compare.Files(words, f.options, f.policy)
			if err != nil {
				return err
			}
			if len(table.Rows) == 0 {
				return errors.New(table.Outcome().Reason)
			}
			return c.emit(table, &f)
		},
	}
	f.register(cmd.Flags(), ".config", "text")
	return cmd
}
