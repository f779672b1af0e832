package command

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/internal/bench/peers"
	"github.com/thm-suite/thm/internal/bench/record"
	"github.com/thm-suite/thm/internal/bench/vcl"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/gate/measure"
)

func (p *program) benchRecordCommand() *cobra.Command {
	var out, python string
	var quick, quiet, steps bool
	cmd := &cobra.Command{
		Use:   "record",
		Short: "Measure the speeds that the documents show",
		Long: `Compare the speed of this module with NumPy and gonum, some operations on two threads
as well, compare products, from those that memory limits to those that arithmetic
limits, with the limits of this machine, and write the numbers to
` + record.KernelsFile + `. From there thm docs draws the tables and the roofline
figure of the documents, without measuring again. With --vcl, measure the steps of
virtual covariance learning, as thm bench vcl does, and write ` + record.VCLFile + `;
that needs no NumPy. Each takes some minutes; run it at the root of the repository,
on a machine that has nothing else to do.`,
		Example: "  thm bench record && thm bench record --vcl && thm docs\n  thm bench record --quick --out " +
			"/tmp/kernels.json",
		Args: cli.Args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			say := p.say(quiet)
			switch {
			case steps && python != "":
				return errors.New("--vcl does not measure NumPy; leave out --python")
			case steps:
				if !cmd.Flags().Changed("out") {
					out = record.VCLFile
				}
				return p.benchRecordVCL(cmd, out, quick, say)
			}
			return p.benchRecord(cmd, out, python, quick, say)
		},
	}
	cmd.Flags().StringVar(&out, "out", record.KernelsFile, "file to write; with --vcl "+record.VCLFile)
	cmd.Flags().StringVar(&python, "python", "",
		"interpreter that has NumPy; default: the first of python3 and /usr/bin/python3 that does")
	cmd.Flags().BoolVar(&steps, "vcl", false, "measure the steps of virtual covariance learning instead of the kernels")
	cmd.Flags().BoolVar(&quick, "quick", false, "small sizes only")
	cmd.Flags().BoolVar(&quiet, "quiet", false, "no progress on stderr")
	_ = cmd.MarkFlagFilename("out", "json")
	return cmd
}

func (p *program) benchRecord(cmd *cobra.Command, out, python string, quick bool, say func(string)) error {
	if err := cli.WritableFile("out", out); err != nil {
		return err
	}
	ctx, stop := cli.Interruptible(cmd.Context(), say)
	defer stop()
	commit, dirty := measure.Revision(ctx, ".")
	others, notes, err := peers.NumPy(ctx, python, 1)
	if err != nil {
		return err
	}
	for _, other := range others {
		defer other.Close()
	}
	plan := peers.Full
	if quick {
		plan = peers.Quick
	}
	plan.Operations = peers.Square()
	o := record.Options{Plan: plan, Quick: quick, Say: say}
	if runtime.NumCPU() > 1 {
		if o.Two, _, err = peers.NumPy(ctx, python, 2); err != nil {
			return err
		}
		for _, other := range o.Two {
			defer other.Close()
		}
	}
	r, err := record.Run(ctx, others, o)
	if err := measured(ctx, err); err != nil {
		return err
	}
	r.Commit, r.Dirty, r.Date, r.Command = commit, dirty, time.Now().UTC().Format(time.DateOnly),
		record.KernelsCommand
	if quick {
		r.Command += " --quick"
	}
	r.Peers.Notes = append(r.Peers.Notes, notes...)
	encoded, err := record.Encode(r)
	return p.keepRecord(out, encoded, err)
}

// measured chooses the exit code of a measurement.
func measured(ctx context.Context, err error) error {
	var wrong *peers.WrongResult
	switch {
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		return interrupted
	case errors.As(err, &wrong) || errors.Is(err, vcl.ErrWrongStep):
		return cli.Exit{Code: cli.Refuted, Err: err}
	case err != nil:
		return cli.Exit{Code: cli.Unsettled, Err: err}
	}
	return nil
}

// keepRecord writes a measurement for the documents, if it could be encoded.
func (p *program) keepRecord(out string, encoded []byte, err error) error {
	if err == nil {
		err = atomicfile.Write(out, encoded)
	}
	if err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: err}
	}
	return p.Print("wrote " + out + "; thm docs brings it into the documents\n")
}
