package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports/console"
	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props/results"
)

func (p *program) certifyCommand() *cobra.Command {
	var check string
	f := flagsAt("", "")
	cmd := &cobra.Command{
		Use:   "certify SLUG FILE | SLUG TABLE | RUN",
		Short: "Test one claim on your own tensors or measurements, or every claim on a recorded training run",
		Long: `Test a claim on an instance of yours, for instance a network of PyTorch, JAX or NumPy.
FILE is an .npz or .safetensors file, or a folder of .npy files, with arrays named like
the parameters of the statement. thm show SLUG --template prints a Python script that
writes such a file; unchanged, it writes an instance for which the claim holds.

For a limit, an order, an exponent or a probability, TABLE is a CSV file of what your
own program measured, with a row for each cell of the claim's sweep, such as a size and
the number of a replicate. The template lists the cells and the columns. The claim's own
check judges the table, with its margins. It decides only if it also rejects, on the
same table, every wrong version of the claim that can be tried there. Some claims cannot
be tested on your data, and the command says why.

The tolerance depends on the precision of the numbers in the file: the unit roundoff is
2^-24 for float32, also if float32 numbers were saved as float64. If the numbers would
hide an error of a tenth of the claimed value, nothing is decided. A counterexample that
thm check stored is also such a file.

RUN is a folder written by the recorder of thm record --python. Every claim about a
gradient step is tested on every layer and step, in the network's own arithmetic. A
claim whose hypotheses the run does not meet is reported as not applicable. If a claim
is refuted and the numbers agree with a common mistake, the mistake is named. The
command writes a page into RUN/certified.

Exit codes: 0 the claim holds on your numbers; 1 it is refuted; 2 a file does not
fit; 3 nothing could be decided.`,
		Example: `  thm show {tensors} --template > write.py
  python3 write.py
  thm certify {tensors} instance.npz
  thm certify {tensors} layer.safetensors
  thm certify {tensors} reports/latest/counterexamples/{counterexample}.npz --json
  thm certify {tabled} table.csv
  thm certify run`,
		Args:              cli.Args(1, 2, "a SLUG and a FILE or TABLE, or a RUN"),
		ValidArgsFunction: p.completeCertify,
		RunE: func(cmd *cobra.Command, words []string) error {
			if len(words) == 1 {
				return p.certifyRun(cmd.Context(), f, words[0])
			}
			c, err := runs.One(p.claims, words[0])
			if err != nil {
				return err
			}
			found, err := c.Certify(check, words[1])
			if err != nil {
				return err
			}
			err = p.present(f, found, func(s terminal.Style) string { return console.Certificate(found, s) })
			if err != nil {
				return err
			}
			return certified(found.Verdict)
		},
	}
	cmd.Flags().StringVar(&check, "check", "", "check of the claim to use (default: the first check that the file fits)")
	f.add(cmd, "json", "no-color", "quiet", "jobs: layers at a time", "out: directory for the page of a RUN")
	return cmd
}

// certified returns the exit code of a verdict.
func certified(v results.Verdict) error {
	switch v {
	case results.Holds:
		return nil
	case results.Refuted:
		return cli.Exit{Code: cli.Refuted}
	}
	return cli.Exit{Code: cli.Unsettled}
}

// completeCertify offers the claims that can be certified, and then files.
func (p *program) completeCertify(_ *cobra.Command, args []string, _ string) ([]cobra.Completion,
	cobra.ShellCompDirective) {
	if len(args) > 0 {
		return []cobra.Completion{"npz", "safetensors", "csv"}, cobra.ShellCompDirectiveFilterFileExt
	}
	var out []cobra.Completion
	for _, c := range p.claims {
		instances, tables := c.Certifiable()
		if names := slices.Concat(instances, tables); len(names) > 0 {
			out = append(out, cobra.CompletionWithDesc(c.Statement.Slug, strings.Join(names, "; ")))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
