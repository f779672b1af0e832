package command

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/bench/peers"
	"github.com/thm-suite/thm/internal/cli"

	"github.com/thm-suite/thm/internal/terminal"

	"github.com/thm-suite/thm/internal/bench/record"
)

// peersFlags holds the flags of thm bench peers.
type peersFlags struct {
	commonFlags
	quick   bool
	sizes   []int
	samples int
	threads int
	python  string
}

func (p *program) benchPeersCommand() *cobra.Command {
	var f peersFlags
	cmd := &cobra.Command{
		Use:   "peers [OPERATION...]",
		Short: "Time this module against NumPy, side by side",
		Long: `Time matrix products and factorisations of this module against NumPy, on one thread
each, in turns and in random order: ` + strings.Join(peers.Square(), ", ") + `,
also of tall (8n×n) and wide matrices and of stacks of 10000 matrices of order 32
at most:
` + strings.Join(peers.Operations()[len(peers.Square()):], ", ") + `.
NumPy runs as it is installed, and on OpenBLAS also with the core type for AVX-512
forced and with the one that OPENBLAS_CORETYPE names, if it is set. Where Debian's
BLIS is installed, and this NumPy can use it, it is one more peer.

With --threads all sides use several threads, times are of the clock on the wall, and
thm on one thread is one more peer. The machine should have nothing else to do then.

All results are verified before anything is timed; a wrong one ends the run. A
ratio is our time divided by the peer's: below 1 we are faster. Its interval
covers the true median of the ratios within a round with 95 % probability.

Exit codes: 0 measured; 1 a result is wrong; 2 bad usage, or no NumPy; 3 a peer
ended or the run was interrupted.`,
		Example: `  thm bench peers
  thm bench peers svd-thin eigh --sizes 256,512,1024
  thm bench peers matmul svd-thin eigh --threads 2 --sizes 512,1024
  thm bench peers --quick --json > peers.json`,
		ValidArgs: peers.Operations(),
		RunE:      func(cmd *cobra.Command, args []string) error { return p.benchPeers(cmd, f, args) },
	}
	flags := cmd.Flags()
	f.samples, f.seed = peers.Full.Samples, peers.Full.Seed
	flags.BoolVar(&f.quick, "quick", false, "fewer and shorter samples, sizes up to 256")
	flags.Var(cli.NewValue(&f.sizes, "N,N,...", parseSizes), "sizes", "sizes of the matrices")
	flags.Var(cli.NewValue(&f.samples, "N", between(6, 10000, "samples is a whole number from 6 (fewer give no interval) "+
		"to 10000")), "samples", "samples of every row and side")
	f.threads = 1
	flags.Var(cli.NewValue(&f.threads, "N", between(1, runtime.NumCPU(), fmt.Sprintf("threads is a whole number from 1 "+
		"to %d, the processors of this machine", runtime.NumCPU()))), "threads", "threads of every side")
	flags.StringVar(&f.python, "python", "", "interpreter that has NumPy; default: the first of python3 and "+
		"/usr/bin/python3 that does")
	f.add(cmd, "seed: seed of the order of samples", "json", "quiet", "no-color")
	for _, name := range []string{"sizes", "samples", "threads"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	return cmd
}

// parseSizes reads a list of sizes.
func parseSizes(text string) ([]int, error) {
	var sizes []int
	for _, word := range strings.Split(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 1 || n > 4096 {
			return nil, errors.New("sizes are whole numbers from 1 to 4096, separated by commas")
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

// plan returns the plan that the flags describe.
func (f peersFlags) plan(cmd *cobra.Command, operations []string) (peers.Plan, error) {
	plan := peers.Full
	if f.quick {
		plan = peers.Quick
	}
	for _, o := range operations {
		if !slices.Contains(peers.Operations(), o) {
			return plan, fmt.Errorf("no operation is called %q; there are %s", o,
				strings.Join(peers.Operations(), ", "))
		}
	}
	plan.Operations, plan.Seed, plan.Threads = operations, f.seed, f.threads
	if f.sizes != nil {
		plan.Sizes = f.sizes
	}
	if cmd.Flags().Changed("samples") {
		plan.Samples = f.samples
	}
	return plan, nil
}

func (p *program) benchPeers(cmd *cobra.Command, f peersFlags, operations []string) error {
	plan, err := f.plan(cmd, operations)
	if err != nil {
		return err
	}
	say := p.say(f.quiet)
	ctx, stop := cli.Interruptible(cmd.Context(), say)
	defer stop()
	others, notes, err := peers.NumPy(ctx, f.python, f.threads)
	if err != nil {
		return err
	}
	for _, other := range others {
		defer other.Close()
		say(fmt.Sprintf("%s: NumPy %s, core type %s", other.Name, other.Version, other.Core))
	}
	report, err := peers.Run(ctx, others, plan, func(r peers.Row) { say(r.String()) })
	report.Notes = append(report.Notes, notes...)
	if err != nil {
		return p.peersFailed(ctx, f, report, err)
	}
	return p.present(f.commonFlags, report, func(s terminal.Style) string { return record.Peers(report, s) })
}

// peersFailed prints the complete rows, unless the output is JSON, and chooses the exit code.
func (p *program) peersFailed(ctx context.Context, f peersFlags, report *peers.Report, err error) error {
	if len(report.Rows) > 0 && !f.json {
		if err := p.Print(record.Peers(report, terminal.StyleOf(p.Stdout, f.noColor))); err != nil {
			return err
		}
	}
	var wrong *peers.WrongResult
	switch {
	case ctx.Err() != nil:
		return cli.Exit{Code: cli.Unsettled, Err: errors.New("interrupted: the rows that were not complete are " +
			"missing")}
	case errors.As(err, &wrong):
		return cli.Exit{Code: cli.Refuted, Err: err}
	}
	return cli.Exit{Code: cli.Unsettled, Err: err}
}
