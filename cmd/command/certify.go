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
		Short: "Test a claim on your own tensors or measurements, or all on a recorded training run",
		Long: `Compare a claim with an instance of yours: the arrays of an .npz or .safetensors file, or
of a folder of .npy files, named like the parameters of the statement. A network of
PyTorch, JAX or NumPy is checked against the theorem this way. thm show SLUG --template
prints a Python script that writes the file, as it stands of an instance for which the
claim holds.

A limit, an order, an exponent or a probability is compared with a TABLE, table.csv, of
what a program of yours measured: a row for each cell of the claim's sweep, such as a
size and the number of a replicate. The template lists the cells and the columns. The
claim's own judge decides, with its margins, and every wrong version of the claim that
can be tried on the table must be rejected on it, or nothing is decided. A claim that
can be compared with nothing of yours says why.

Tolerances are those of the numbers in the file: float32 has a unit roundoff of 2^-24,
and so have numbers of float32 that were saved as float64. Numbers that would hide an
error of a tenth of what is claimed decide nothing.
A counterexample that thm check stored is such a file, too.

RUN is a folder that the recorder of thm record --python made. Every layer and step is
compared with every claim about a gradient step, in the network's own arithmetic. A
claim whose hypotheses the run does not meet is not applicable, and a refusal names the
mistake that the numbers agree with, where one does. A page is written into RUN/certified.

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
	cmd.Flags().StringVar(&check, "check", "", "which check of the claim; the first that the file fits if it is "+
		"not given")
	f.add(cmd, "json", "no-color", "quiet", "jobs: layers at a time", "out: directory for the page of a RUN")
	return cmd
}

// certified is the exit code of a verdict.
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
